package classify_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/vectors/format"
)

// A classifier is trained, saved, opened and asked.
func Example() {
	folder, err := os.MkdirTemp("", "classify")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "animals.w2v")
	texts := strings.NewReader(strings.Repeat("__label__cat the cat purrs\n__label__dog the dog barks\n", 20))

	trained, err := classify.Train(context.Background(), classify.Files(texts, "-"), classify.Defaults(), classify.Hooks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := format.Write(context.Background(), path, trained.Vectors, format.W2V); err != nil {
		fmt.Println(err)
		return
	}
	model, err := classify.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	best, err := model.Predict("a cat that purrs", 1, 0.5)
	fmt.Println(len(best), best[0].Label, err)
	// Output: 1 __label__cat <nil>
}

// Texts come from anywhere, and their labels are any text.
func ExampleExamples() {
	texts := func(yield func(classify.Example, error) bool) {
		for range 20 {
			if !yield(classify.Example{Text: "a very good film", Labels: []string{"5 stars"}}, nil) ||
				!yield(classify.Example{Text: "a dull and long film", Labels: []string{"1 star"}}, nil) {
				return
			}
		}
	}
	trained, err := classify.Train(context.Background(), classify.Examples(texts), classify.Defaults(), classify.Hooks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := classify.New(trained.Vectors)
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := model.Predict("a good film", 2, 0)
	fmt.Println(best[0].Label, "before", best[1].Label, err)
	// Output: 5 stars before 1 star <nil>
}
