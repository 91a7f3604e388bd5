package format_test

import (
	"fmt"
	"log"

	"github.com/w2v-go/w2v/vectors/format"
)

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
