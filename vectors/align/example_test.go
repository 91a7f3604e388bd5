package align_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
)

// setOf returns a set of words with vectors in the plane.
func setOf(words []string, rows ...[]float32) *vectors.Set {
	m := vectors.NewMatrix(len(rows), 2)
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
	if err != nil {
		log.Fatal(err)
	}
	return s
}

// Two languages whose spaces differ by a quarter turn: two entries of a dictionary are enough to
// find the third one.
func Example() {
	english := setOf([]string{"dog", "cat", "house"}, []float32{2, 1}, []float32{2, 2}, []float32{-1, 2})
	german := setOf([]string{"Hund", "Katze", "Haus"}, []float32{-1, 2}, []float32{-2, 2}, []float32{-2, -1})
	dictionary, err := align.ReadDictionary(strings.NewReader("dog\tHund\ncat\tKatze\n"), "animals")
	if err != nil {
		log.Fatal(err)
	}
	anchors, _, err := dictionary.Pairs(english, german, vectors.CaseAuto)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	fit, err := align.Procrustes(ctx, english, german, anchors, align.Options{})
	if err != nil {
		log.Fatal(err)
	}
	aligned, err := fit.Apply(english)
	if err != nil {
		log.Fatal(err)
	}
	house := make([]float32, 2)
	aligned.Vector(house, "house")
	near, err := german.Nearest(ctx, vectors.Query{Vector: house, K: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(near[0][0].Word)
	// Output: Haus
}

// A word changes its use between two periods: in the new one bus is near to cat and dog.
func ExampleDiff() {
	names := []string{"cat", "dog", "car", "bus", "sun"}
	old := setOf(names, []float32{1, 0.1}, []float32{1, 0.3}, []float32{0.3, 1}, []float32{0.1, 1}, []float32{-1, 1})
	// The new space is the old one turned by 90 degrees: (x, y) is (y, -x).
	new := setOf(names, []float32{0.1, -1}, []float32{0.3, -1}, []float32{1, -0.3}, []float32{0.2, -1}, []float32{1, 1})
	d, err := align.Diff(context.Background(), old, new, align.DiffOptions{Most: 1, Neighbors: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range d.Moved {
		fmt.Println(m.Word, m.OldNeighbors[0].Word, "→", m.NewNeighbors[0].Word)
	}
	// Output: bus car → dog
}
