// Command systems compiles nothing, and says all the same what a compiler for another system or processor would
// refuse in the packages of a module and in their tests: it reads the sources that belong to that system, also
// those of dependencies, and checks their types.
//
//	cd lab && go run ./systems -folder .. windows/arm64 darwin/amd64
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("systems: ")
	folder := flag.String("folder", ".", "a folder of the module")
	flag.Parse()
	var failed bool
	for _, target := range flag.Args() {
		system, processor, ok := strings.Cut(target, "/")
		if !ok {
			log.Fatalf("%q is not SYSTEM/PROCESSOR", target)
		}
		all, err := packages.Load(&packages.Config{
			Mode:  packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule,
			Dir:   *folder,
			Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
			Tests: true,
		}, "./...")
		if err != nil {
			log.Fatal(err)
		}
		packages.Visit(all, nil, func(p *packages.Package) {
			for _, err := range p.Errors {
				failed = true
				fmt.Fprintf(os.Stderr, "%s: %v\n", target, err)
			}
		})
		fmt.Printf("%s: %d packages\n", target, len(all))
	}
	if failed {
		os.Exit(1)
	}
}
