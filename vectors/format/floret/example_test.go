package floret_test

import (
	"log"
	"os"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

func Example() {
	rows := vectors.NewMatrix(2, 3)
	copy(rows.Row(1), []float32{1, 2, 3})
	table, err := vectors.New(vectors.Parts{
		Input: rows, Composition: subword.Pieces,
		Subword: subword.Floret{MinN: 2, MaxN: 3, Buckets: 2, Hashes: 1, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := format.Encode(os.Stdout, table, format.Floret); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 3 2 3 1 2166136261 < >
	// 0 0 0 0
	// 1 1 2 3
}
