package convert_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

const fourWords = "4 2\ncold 0 1\ncool 2 1\nwarm 6 1\nhot 8 3\n"

// Vectors for a network that looks words up by their line in a list: missing words get
// zeros, and padding comes first.
func Example() {
	done, err := convert.File(context.Background(), "four.vec", "", convert.Options{
		Files:         convert.Files{In: strings.NewReader(fourWords), Out: os.Stdout, Format: format.Text},
		Words:         &convert.WordList{Words: []string{"hot", "mild", "cold"}, Missing: convert.MissingZero},
		Scale:         transform.ScaleSqrtDim,
		SpecialTokens: []string{"[PAD]"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("missing:", done.Words.Missing)
	// Output:
	// 4 2
	// [PAD] 0 0
	// hot 11.313708 4.2426405
	// mild 0 0
	// cold 0 1.4142135
	// missing: [mild]
}

// What a file would answer whose vectors have nothing in the direction of the first principal
// component, without writing it.
func ExampleProcess() {
	set, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	r, err := convert.Process(context.Background(), set, convert.Options{AllButTheTop: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f %% of the variance removed\n", 100*r.Removed.VarianceRemoved)
	near, err := r.Set.Nearest(context.Background(), vectors.Query{Vector: r.Set.Vectors().Row(0), K: 1, Skip: []int{0}})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range near[0] { // to "cold"
		fmt.Printf("%s %.2f\n", n.Word, n.Similarity)
	}
	// Output:
	// 97 % of the variance removed
	// hot 1.00
}
