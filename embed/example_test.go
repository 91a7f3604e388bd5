package embed_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/embed"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

func ExampleWrite() {
	rows := vectors.NewMatrix(2, 2)
	copy(rows.Row(0), []float32{0, 1})
	copy(rows.Row(1), []float32{1, 0})
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords("north", "east"), Input: rows})
	if err != nil {
		log.Fatal(err)
	}
	words, err := query.New(set, vectors.CaseAuto)
	if err != nil {
		log.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "embed")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	out := filepath.Join(folder, "vectors.jsonl")
	result, err := embed.Write(context.Background(), words, []string{"-"}, out, embed.Options{Stdin: strings.NewReader("north and east\nsouth\n")})
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d texts, %d without a vector\n%s", result.Rows, result.Without, text)
	// Output:
	// 2 texts, 1 without a vector
	// {"text":"north and east","vector":[0.5,0.5]}
	// {"text":"south","vector":null}
}
