package word2vec_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

func Example() {
	var file bytes.Buffer
	if err := format.Encode(&file, sunAndMoon(), format.Word2Vec); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", file.Bytes()[:20])
	set, err := format.Read(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Format(), set.Words(), set.Input().Row(1))
	// Output:
	// "2 2\nsun \x00\x00\x80?\xcd\xcc\xcc=\nmoo"
	// word2vec [sun moon] [-0.5 1e-09]
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
