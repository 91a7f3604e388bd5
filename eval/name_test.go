package eval_test

import (
	"fmt"

	"github.com/w2v-go/w2v/eval"
)

func ExampleSetName() {
	fmt.Println(eval.SetName("sets/wordsim353.tsv.gz"), eval.SetName("questions-words.txt"))
	// Output: wordsim353 questions-words
}
