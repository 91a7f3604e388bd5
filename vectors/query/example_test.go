package query_test

import (
	"context"
	"fmt"
	"log"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// court returns a set of a few words.
func court() *vectors.Set {
	words := vectors.NewWords("king", "queen", "man", "woman", "crown", "well-known", "known", "c++", "none")
	rows := vectors.NewMatrix(words.Len(), 3)
	for i, row := range [][]float32{{1, 0, 1}, {0, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 2, 3}, {3, 2, 1}} {
		copy(rows.Row(i), row)
	}
	s, err := vectors.New(vectors.Parts{Words: words, Input: rows})
	if err != nil {
		log.Fatal(err)
	}
	return s
}

func finder(rule vectors.Case) *query.Finder {
	f, err := query.New(court(), rule)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

func ExampleFinder_Find() {
	f := finder(vectors.CaseAuto)
	w, err := f.Find(make([]float32, f.Set().Dim()), "King - man + 0.5*woman")
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range w.Terms {
		fmt.Println(t.Weight, t.Spelling())
	}
	near, err := f.Set().Nearest(context.Background(), vectors.Query{Vector: w.Vector, K: 2, Skip: w.IDs(f.Set())})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range near[0] {
		fmt.Println(n.Word)
	}
	// Output:
	// 1 king
	// -1 man
	// 0.5 woman
	// queen
	// known
}

func ExampleFinder_ParseCompact() {
	f := finder(vectors.CaseAuto)
	e, err := f.ParseCompact("king-man+2*well-known")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e)
	// Output: [{king 1} {man -1} {well-known 2}]
}

func ExampleFinder_DoesntMatch() {
	f := finder(vectors.CaseAuto)
	ranking, err := f.DoesntMatch([]string{"man", "king", "Woman", "crwn"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ranking.Odd())
	fmt.Println(ranking.FoundAs, ranking.Missing)
	fmt.Println(f.Suggester(1).Word("crwn"))
	// Output:
	// Woman true
	// map[Woman:woman] [crwn]
	// [crown]
}
