package npy_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "vectors.npy")
	if err := format.Write(context.Background(), path, sunAndMoon(), format.Npy); err != nil {
		log.Fatal(err)
	}
	files, err := format.TargetFiles("vectors.npy", format.Npy)
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files {
		_, err := os.Stat(filepath.Join(dir, file))
		fmt.Println(filepath.ToSlash(file), err == nil)
	}
	set, err := format.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	fmt.Println(set.Format(), set.Words())
	// Output:
	// vectors.npy true
	// vectors.npy.vocab.txt true
	// npy [sun moon]
}

// sunAndMoon is a set of two words.
func sunAndMoon() *vectors.Set {
	rows := vectors.NewMatrix(2, 2)
	copy(rows.Row(0), []float32{1, 0.1})
	copy(rows.Row(1), []float32{-0.5, 1e-9})
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords("sun", "moon"), Input: rows})
	if err != nil {
		log.Fatal(err)
	}
	return set
}
