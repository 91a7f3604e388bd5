package format_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

func ExampleRead() {
	s, err := format.Read(strings.NewReader("2 3\nsun 1 0 0.5\nmoon 0 1 0.5\n"))
	if err != nil {
		log.Fatal(err)
	}
	v := make([]float32, s.Dim())
	fmt.Println(s.Format(), s.Words(), s.Vector(v, "moon"), v)
	// Output: text [sun moon] true [0 1 0.5]
}

// A broken file is an error that says where.
func ExampleError() {
	_, err := format.Read(strings.NewReader("2 3\nsun 1 0 0.5\nmoon 0 1\n"))
	if e, ok := errors.AsType[*format.Error](err); ok {
		fmt.Println(e.Line)
	}
	fmt.Println(err)
	// Output:
	// 3
	// line 3: expected a word and 3 numbers, found 3 fields
}

func ExampleOpen() {
	// A model that fastText made: words that it has never seen have vectors.
	s, err := format.Open("../../testdata/fasttext/skipgram.bin")
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
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("sun", "moon"), Input: vectors.NewMatrix(2, 2)})
	if err != nil {
		log.Fatal(err)
	}
	copy(s.Input().Row(0), []float32{1, 0.1})
	copy(s.Input().Row(1), []float32{-0.5, 1e-9})
	if err := format.Encode(os.Stdout, s, format.Text); err != nil {
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

	s, err := format.Read(bytes.NewBufferString("sun 1 0\nmoon 0 1\n"))
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "model.w2v")
	f, err := format.ForPath(path, s.Subword() != nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := format.Write(context.Background(), path, s, f); err != nil {
		log.Fatal(err)
	}
	again, err := format.Open(path) // maps the file
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	fmt.Println(again.Format(), again.Words())
	// Output: w2v [sun moon]
}

func ExampleForPath() {
	for _, path := range []string{"a.w2v", "a.bin", "a.vec.gz"} {
		words, _ := format.ForPath(path, false)
		subwords, _ := format.ForPath(path, true)
		fmt.Println(path, words, subwords)
	}
	// Output:
	// a.w2v w2v w2v
	// a.bin word2vec fasttext
	// a.vec.gz text text
}

// A folder that sentence-transformers loads, in numbers of half the size.
func ExampleTargetFiles() {
	fmt.Println(format.TargetFiles("vectors.npy", format.Npy))
	// Output: [vectors.npy vectors.npy.vocab.txt] <nil>
}

func ExampleWrite_folder() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := format.Read(strings.NewReader("sun 1 0.1\nmoon 0 1\n"))
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "static")
	if err := format.Write(context.Background(), path, transform.WithDType(s, vectors.F16), format.SentenceTransformers); err != nil {
		log.Fatal(err)
	}
	again, err := format.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	fmt.Println(again.Format(), again.Input().DType(), again.Input().Row(0))
	// Output: sentence-transformers f16 [1 0.099975586]
}

// What a network starts from: numbers of a usual size, and a row for padding.
func ExampleRead_scaled() {
	s, err := format.Read(strings.NewReader("sun 3 1\nmoon -1 -3\n"))
	if err != nil {
		log.Fatal(err)
	}
	if s, err = transform.Scaled(s, transform.ScaleStd(0.02)); err != nil {
		log.Fatal(err)
	}
	if s, err = transform.WithSpecialTokens(s, "[PAD]"); err != nil {
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
	fmt.Println(format.CheckSubword(ngrams, subword.Mean, format.Finalfusion))
	fmt.Println(format.CheckSubword(ngrams, subword.Mean, format.Floret))
	// Output:
	// <nil>
	// floret holds n-grams that are hashed as floret does, and in another way (fasttext) they have other rows: write w2v or finalfusion
}

func ExampleOpen_quantized() {
	s, err := format.Open("../../testdata/fasttext/skipgram.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	small, err := transform.Quantize(context.Background(), s, transform.QuantizeOptions{Method: transform.QuantizeInt8})
	if err != nil {
		log.Fatal(err)
	}
	// Words that it has never seen have vectors still.
	v := make([]float32, small.Dim())
	fmt.Println(small.Input().Encoding(), small.Input().RowBytes(), small.Vector(v, "bakers"))
	// Output: int8 9 true
}

// Models may be built into a program.
func ExampleOpenFS() {
	models := fstest.MapFS{"models/small.vec": {Data: []byte("2 2\nsun 1 0\nmoon 0 1\n")}}
	s, err := format.OpenFS(models, "models/small.vec")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Format(), s.Words())
	// Output: text [sun moon]
}

// What a file in some format would leave out of a set can be known before it is written.
func ExampleLeavesOut() {
	s, err := format.Open("../../testdata/fasttext/skipgram.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	fmt.Println(format.LeavesOut(s, format.Word2Vec))
	// Output: n-grams, and words that are not in the vocabulary with them; context vectors; counts; how the vectors were trained
}

func ExampleDescribe() {
	for _, f := range []format.Format{format.FastText, format.Text} {
		can, err := format.Describe(f)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f, can.Extensions, "keeps n-grams:", can.Keeps.Subwords)
	}
	// Output:
	// fasttext [.bin] keeps n-grams: true
	// text [.vec .txt] keeps n-grams: false
}
