package vectors_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

func ExampleRead() {
	s, err := vectors.Read(strings.NewReader("2 3\nsun 1 0 0.5\nmoon 0 1 0.5\n"))
	if err != nil {
		log.Fatal(err)
	}
	v := make([]float32, s.Dim())
	fmt.Println(s.Format(), s.Words(), s.Vector(v, "moon"), v)
	// Output: text [sun moon] true [0 1 0.5]
}

// A broken file is an error that says where.
func ExampleFormatError() {
	_, err := vectors.Read(strings.NewReader("2 3\nsun 1 0 0.5\nmoon 0 1\n"))
	if e, ok := errors.AsType[*vectors.FormatError](err); ok {
		fmt.Println(e.Line)
	}
	fmt.Println(err)
	// Output:
	// 3
	// line 3: expected a word and 3 numbers, found 3 fields
}

func ExampleOpen() {
	// A model that fastText made: words that it has never seen have vectors.
	s, err := vectors.Open("../testdata/fasttext/skipgram.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	v := make([]float32, s.Dim())
	_, known := s.ID("bakers")
	fmt.Println(s.Format(), s.Len(), known, s.Vector(v, "bakers"))
	// Output: fasttext 115 false true
}

func ExampleEncode() {
	s := newSet(vectors.Parts{Words: vectors.NewWords("sun", "moon"), Input: vectors.NewMatrix(2, 2)})
	copy(s.Input().Row(0), []float32{1, 0.1})
	copy(s.Input().Row(1), []float32{-0.5, 1e-9})
	if err := vectors.Encode(os.Stdout, s, vectors.FormatText); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 2
	// sun 1 0.1
	// moon -0.5 1e-09
}

func ExampleWrite() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	s, err := vectors.Read(bytes.NewBufferString("sun 1 0\nmoon 0 1\n"))
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "model.w2v")
	format, err := vectors.FormatOf(path, s.Subword() != nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := vectors.Write(context.Background(), path, s, format); err != nil {
		log.Fatal(err)
	}
	again, err := vectors.Open(path) // maps the file
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	fmt.Println(again.Format(), again.Words())
	// Output: w2v [sun moon]
}

func ExampleFormatOf() {
	for _, path := range []string{"a.w2v", "a.bin", "a.vec.gz"} {
		words, _ := vectors.FormatOf(path, false)
		subwords, _ := vectors.FormatOf(path, true)
		fmt.Println(path, words, subwords)
	}
	// Output:
	// a.w2v w2v w2v
	// a.bin word2vec fasttext
	// a.vec.gz text text
}

// A folder that sentence-transformers loads, in numbers of half the size.
func ExampleSet_WithDType() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := vectors.Read(strings.NewReader("sun 1 0.1\nmoon 0 1\n"))
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "static")
	if err := vectors.Write(context.Background(), path, s.WithDType(vectors.F16), vectors.FormatSentenceTransformers); err != nil {
		log.Fatal(err)
	}
	again, err := vectors.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	fmt.Println(again.Format(), again.Input().DType(), again.Input().Row(0))
	// Output: sentence-transformers f16 [1 0.099975586]
}

// What a network starts from: numbers of a usual size, and a row for padding.
func ExampleSet_Scaled() {
	s, err := vectors.Read(strings.NewReader("sun 3 1\nmoon -1 -3\n"))
	if err != nil {
		log.Fatal(err)
	}
	if s, err = s.Scaled(vectors.ScaleStd(0.02)); err != nil {
		log.Fatal(err)
	}
	if s, err = s.WithSpecialTokens("[PAD]"); err != nil {
		log.Fatal(err)
	}
	for id, word := range s.Words().All() {
		fmt.Printf("%s %.4f\n", word, s.Input().Row(id))
	}
	// Output:
	// [PAD] [0.0000 0.0000]
	// sun [0.0268 0.0089]
	// moon [-0.0089 -0.0268]
}

// Formats differ in the n-grams that they hold; it can be known before training.
func ExampleCheckSubword() {
	ngrams := subword.FastText{MinN: 3, MaxN: 6, Buckets: 1000}
	fmt.Println(vectors.CheckSubword(ngrams, subword.Mean, vectors.FormatFinalfusion))
	fmt.Println(vectors.CheckSubword(ngrams, subword.Mean, vectors.FormatFloret))
	// Output:
	// <nil>
	// floret holds n-grams that are hashed as floret does, and in another way (fasttext) they have other rows: write w2v or finalfusion
}

func ExampleSet_Quantize() {
	s, err := vectors.Open("../testdata/fasttext/skipgram.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	small, err := s.Quantize(context.Background(), vectors.QuantizeOptions{Method: vectors.QuantizeInt8})
	if err != nil {
		log.Fatal(err)
	}
	// Words that it has never seen have vectors still.
	v := make([]float32, small.Dim())
	fmt.Println(small.Input().Encoding(), small.Input().RowBytes(), small.Vector(v, "bakers"))
	// Output: int8 9 true
}
