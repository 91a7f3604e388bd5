package text_test

import (
	"log"
	"os"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

func Example() {
	for _, f := range []format.Format{format.Text, format.GloVe} {
		if err := format.Encode(os.Stdout, sunAndMoon(), f); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 2 2
	// sun 1 0.1
	// moon -0.5 1e-09
	// sun 1 0.1
	// moon -0.5 1e-09
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
