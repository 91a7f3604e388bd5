package plots_test

import (
	"context"
	"fmt"
	"os"

	"github.com/w2v-go/w2v/plots"
)

func ExampleNewHeatmap() {
	words := []plots.Word{
		{Text: "cat", Vector: []float32{1, 0}},
		{Text: "car", Vector: []float32{0, 1}},
		{Text: "dog", Vector: []float32{3, 4}},
	}
	picture, err := plots.NewHeatmap(context.Background(), words, plots.OrderGiven)
	if err != nil {
		panic(err)
	}
	for _, row := range picture.Similarity {
		fmt.Printf("%.1f\n", row)
	}
	file, err := os.CreateTemp("", "*.svg")
	if err != nil {
		panic(err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	drawn, err := plots.Write(file, picture, plots.SVG, plots.Style{Dark: true, Title: "Two animals and a machine"})
	fmt.Println(len(drawn.Unlabelled), err)
	// Output:
	// [1.0 0.0 0.6]
	// [0.0 1.0 0.8]
	// [0.6 0.8 1.0]
	// 0 <nil>
}
