package finalfusion_test

import (
	"fmt"
	"log"

	"github.com/w2v-go/w2v/vectors/format"
)

func Example() {
	set, err := format.Open("../../../testdata/fasttext/skipgram.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	fmt.Println("left out:", format.LeavesOut(set, format.Finalfusion))
	fmt.Println("n-grams stay:", format.KeepsSubword(set.Subword(), set.Composition(), format.Finalfusion))
	// Output:
	// left out: context vectors; counts
	// n-grams stay: true
}
