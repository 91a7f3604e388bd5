package vectors_test

import (
	"fmt"
	"log"

	"github.com/w2v-go/w2v/vectors"
)

// court returns a set of five words.
func court() *vectors.Set {
	words := vectors.NewWords("king", "queen", "man", "woman", "crown")
	rows := vectors.NewMatrix(words.Len(), 3)
	for i, row := range [][]float32{{1, 0, 1}, {0, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		copy(rows.Row(i), row)
	}
	s, err := vectors.New(vectors.Parts{Words: words, Input: rows})
	if err != nil {
		log.Fatal(err)
	}
	return s
}

func ExampleSet_Express() {
	s := court()
	words, err := s.Lookup(vectors.CaseAuto)
	if err != nil {
		log.Fatal(err)
	}
	sum, err := words.Parse("King - man + 0.5*woman")
	if err != nil {
		log.Fatal(err)
	}
	v := make([]float32, s.Dim())
	if err := s.Express(v, sum); err != nil {
		log.Fatal(err)
	}
	var own []int // words of an expression are no answers
	for _, term := range sum {
		if id, ok := s.ID(term.Word); ok {
			own = append(own, id)
		}
	}
	for _, n := range s.Nearest(v, 2, own...) {
		fmt.Printf("%s %.2f\n", n.Word, n.Similarity)
	}
	// Output:
	// queen 0.93
	// crown 0.77
}

func ExampleSet_Centrality() {
	ranked, missing := court().Centrality([]string{"king", "man", "crown", "woman", "jester"})
	fmt.Println("missing:", missing)
	fmt.Println("does not match:", ranked[len(ranked)-1].Word)
	// Output:
	// missing: [jester]
	// does not match: woman
}
