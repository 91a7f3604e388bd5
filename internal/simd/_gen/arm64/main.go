// Command arm64 writes the assembly of the kernels for arm64. Run it through go
// generate in the folder above. It has no use for avo, which knows amd64 alone.
package main

import (
	"flag"
	"log"
	"os"
)

func main() {
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	a := asm{tables: map[string]bool{}}
	a.header()
	a.dots()
	a.transpose()
	a.storedScores()
	a.errors()
	a.losses()
	a.sumParts()
	a.updateRows()
	a.addRows()
	a.gather()
	a.scatter()
	a.scatterWeighted()
	a.gatherHalves()
	a.scatterHalves()
	a.multiply()
	a.windows()
	a.pairs()
	a.prefetch()
	a.eights()
	if err := os.WriteFile(*out, a.bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
