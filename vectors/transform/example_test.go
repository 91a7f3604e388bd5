package transform_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

const fourWords = "4 2\ncold 0 1\ncool 2 1\nwarm 6 1\nhot 8 3\n"

func ExampleReduce() {
	s, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	line, done, err := transform.Reduce(context.Background(), s, 1, transform.Computation{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f %% of the variance\n", 100*done.VarianceKept)
	if err := format.Encode(os.Stdout, line, format.Text); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 97 % of the variance
	// 4 1
	// cold -4.0183263
	// cool -2.0598285
	// warm 1.8571674
	// hot 4.2209873
}

func ExampleFirst() {
	s, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	beginning, err := transform.First(s, 1)
	if err != nil {
		log.Fatal(err)
	}
	if err := format.Encode(os.Stdout, beginning, format.Text); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 4 1
	// cold 0
	// cool 2
	// warm 6
	// hot 8
}

func ExampleSelect() {
	s, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	few, missing := transform.Select(s, []string{"hot", "mild", "cold"})
	fmt.Println(few.Words(), missing)
	// Output: [hot cold] [mild]
}

func ExampleFactorize() {
	s, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	f, done, err := transform.Factorize(context.Background(), s, transform.FactorizeOptions{Energy: 0.9})
	if err != nil {
		log.Fatal(err)
	}
	rows, projection, _ := f.Input().Factors()
	fmt.Printf("%d×%d times %d×%d keep %.0f %%\n", rows.Rows, rows.Cols, projection.Rows, projection.Cols, 100*done.EnergyKept)
	fmt.Printf("‖W − W_H‖ = %.2f, dropped %.2f\n", done.Error, done.Dropped)
	// Output:
	// 4×1 times 1×2 keep 98 %
	// ‖W − W_H‖ = 1.40, dropped [1.40]
}

func ExampleQuantize() {
	s, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	small, err := transform.Quantize(context.Background(), s, transform.QuantizeOptions{Method: transform.QuantizeInt8})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Input().Encoding(), "→", small.Input().Encoding())
	for i, word := range small.Words().All() {
		fmt.Printf("%s %.2f\n", word, small.Input().Row(i))
	}
	// Output:
	// f32 → int8
	// cold [0.00 1.00]
	// cool [2.00 1.01]
	// warm [6.00 0.99]
	// hot [8.00 3.02]
}

func Example() {
	s, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	few := transform.Top(s, 3) // the file has no counts, so that its first words count
	unit, err := transform.Scaled(few, transform.ScaleUnit)
	if err != nil {
		log.Fatal(err)
	}
	padded, err := transform.WithSpecialTokens(unit, "[PAD]")
	if err != nil {
		log.Fatal(err)
	}
	for i, word := range padded.Words().All() {
		fmt.Printf("%s %.2f\n", word, padded.Input().Row(i))
	}
	// Output:
	// [PAD] [0.00 0.00]
	// cold [0.00 1.00]
	// cool [0.89 0.45]
	// warm [0.99 0.16]
}

func ExampleAllButTheTop() {
	s, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	left, done, err := transform.AllButTheTop(context.Background(), s, 1, transform.Computation{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f %% of the variance removed\n", 100*done.VarianceRemoved)
	row := make([]float32, left.Dim())
	for id, word := range left.Words().All() {
		left.WordVector(row, id)
		fmt.Printf("%s %.2f\n", word, row)
	}
	// Output:
	// 97 % of the variance removed
	// cold [-0.07 0.31]
	// cool [0.02 -0.08]
	// warm [0.18 -0.88]
	// hot [-0.13 0.64]
}

func ExampleWhiten() {
	s, err := format.Read(strings.NewReader(fourWords))
	if err != nil {
		log.Fatal(err)
	}
	white, _, err := transform.Whiten(context.Background(), s, transform.Computation{})
	if err != nil {
		log.Fatal(err)
	}
	row := make([]float32, white.Dim())
	for id, word := range white.Words().All() {
		white.WordVector(row, id)
		fmt.Printf("%s %.2f\n", word, row)
	}
	// Output:
	// cold [-1.15 0.25]
	// cool [-0.52 -0.24]
	// warm [0.76 -1.21]
	// hot [0.91 1.19]
}
