package lessons_test

import (
	"fmt"

	"github.com/w2v-go/w2v/serve/lessons"
)

func ExampleAll() {
	for _, l := range lessons.All()[:3] {
		fmt.Printf("%s: %s\n", l.Title, l.Command)
	}
	// Output:
	// One-hot and dense: w2v train corpus.txt -o model.w2v --dim 100
	// The lookup table: w2v vector model.w2v king
	// One step of training: w2v train corpus.txt -o model.w2v --lr 0.05 --negatives 5
}
