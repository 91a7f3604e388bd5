package lessons_test

import (
	"fmt"

	"github.com/w2v-go/w2v/serve/lessons"
)

func ExampleAll() {
	for _, l := range lessons.All()[:3] {
		fmt.Println(l.Name, "-", l.Title)
	}
	// Output:
	// one-hot - One-hot and dense
	// lookup - The lookup table
	// step - One step of training
}
