package fasttext_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	"github.com/w2v-go/w2v/vectors/format"
)

func Example() {
	set, err := format.Open("../../../testdata/fasttext/skipgram.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	fmt.Println(set.Len(), "words,", set.Subword().Rows(), "buckets, trained as", set.Training().Text("arch"))
	// The file that is written is the one that fastText wrote.
	var file bytes.Buffer
	if err := format.Encode(&file, set, format.FastText); err != nil {
		log.Fatal(err)
	}
	original, err := os.ReadFile("../../../testdata/fasttext/skipgram.bin")
	fmt.Println(bytes.Equal(file.Bytes(), original), err)
	// Output:
	// 115 words, 50 buckets, trained as skipgram
	// true <nil>
}
