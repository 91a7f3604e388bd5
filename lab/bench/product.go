package main

import (
	"context"
	_ "embed" // for the script
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/vectors"
)

const (
	productWords   = 1_000_000
	productDim     = 300
	productQueries = 128

	// productChild is the argument that makes this program search a large model.
	productChild = "search"
)

// numpyProduct multiplies matrices of the same sizes.
//
//go:embed numpy_product.py
var numpyProduct string

// A searchTime is what the children print: seconds of processor time, the shortest of three.
type searchTime struct {
	One  float64 `json:"one"`  // one query
	Many float64 `json:"many"` // many together
}

// compareProducts measures the search of a large model beside the matrix product without which
// there is no search.
func (b *bench) compareProducts(ctx context.Context) (result, error) {
	r := result{
		Title: fmt.Sprintf("Nearest neighbours among %d × %d, one thread", productWords, productDim),
		Metrics: []metric{
			{Key: "one", Title: "one query, CPU", show: figures.Shown(figures.Seconds), ratio: smaller},
			{Key: "many", Title: fmt.Sprintf("%d together, CPU", productQueries), show: figures.Shown(figures.Seconds), ratio: smaller},
		},
		Notes: []string{fmt.Sprintf("Random vectors, %d neighbours, norms known: w2v's Set.NearestBatch. numpy: the plain product of the same matrices, without norms and neighbours.", queryNeighbors)},
	}
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	ours := &row{Program: "w2v"}
	r.Rows = append(r.Rows, ours)
	theirs := &row{Program: "numpy", rival: ours}
	if b.gen != nil {
		r.Rows = append(r.Rows, theirs)
	}
	for range b.rounds {
		var times searchTime
		c, err := b.Run(ctx, command.Order{Name: self, Args: []string{productChild}, Env: command.Threads(1)})
		if err != nil {
			return r, err
		}
		if err := json.Unmarshal(c.Stdout, &times); err != nil {
			return r, err
		}
		ours.add("one", times.One)
		ours.add("many", times.Many)
		if b.gen == nil {
			continue
		}
		sizes := []string{strconv.Itoa(productWords), strconv.Itoa(productDim), strconv.Itoa(productQueries)}
		if _, err := b.gen.Ask(ctx, numpyProduct, &times, sizes...); err != nil {
			return r, err
		}
		theirs.add("one", times.One)
		theirs.add("many", times.Many)
	}
	return r, nil
}

// search is the child for w2v.
func search(w io.Writer) error {
	words := make([]string, productWords)
	rows := vectors.NewMatrix(productWords, productDim)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range words {
		words[i] = fmt.Sprint("w", i)
		row := rows.Row(i)
		for k := range row {
			row[k] = random.Float32() - 0.5
		}
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: rows})
	if err != nil {
		return err
	}
	set.Directions()
	times := searchTime{One: shortest(set, 1), Many: shortest(set, productQueries)}
	return json.NewEncoder(w).Encode(times)
}

// shortest returns the processor time of some queries together.
func shortest(set *vectors.Set, queries int) float64 {
	rows := set.Vectors()
	some := make([]vectors.Query, queries)
	for i := range some {
		some[i] = vectors.Query{Vector: rows.Row(i), K: queryNeighbors}
	}
	var least float64
	for i := range 3 {
		before := sysinfo.CPUTime()
		if _, err := set.Nearest(context.Background(), some...); err != nil {
			panic(err)
		}
		if seconds := (sysinfo.CPUTime() - before).Seconds(); i == 0 || seconds < least {
			least = seconds
		}
	}
	return least
}
