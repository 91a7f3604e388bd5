package native_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/vectors/format"
)

func Example() {
	set, err := format.Open("../../../testdata/fasttext/skipgram.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.w2v")
	if err := format.Write(context.Background(), path, set, format.W2V); err != nil {
		log.Fatal(err)
	}
	mapped, err := format.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer mapped.Close()
	fmt.Println(mapped.Format(), mapped.Len(), mapped.Output().Rows, mapped.Subword() == set.Subword())
	fmt.Printf("left out: %q\n", format.LeavesOut(set, format.W2V))
	// Output:
	// w2v 115 115 true
	// left out: ""
}
