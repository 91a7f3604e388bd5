// Package inspect measures a set of vectors without any test set: the lengths of its vectors, how
// evenly they fill the space, which words are neighbours of too many others, how n-grams share
// rows, and what takes the memory.
//
//	report, err := inspect.Set(ctx, set, inspect.Options{})
//	fmt.Println(report.Isotropy.MeanCosine, report.Hubs.Skewness)
//
// Sums are in float64. Results do not depend on the number of cores.
package inspect

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// Options say what is measured. The zero value works.
type Options struct {
	// Neighbors is k of hubs: how many nearest words each word has; 0 means 10.
	Neighbors int
	// Queries is how many words are asked for their neighbours if there are more words than that:
	// a sample without repetition, drawn by Seed. 0 means 20,000.
	Queries int
	Seed    uint64
	// Top is how many hubs are named; 0 means 10.
	Top int
	// Progress, if not nil, is told what is being measured, in a few words, and how much of that is
	// done, from 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
}

// Validate reports the first option that means nothing.
func (o Options) Validate() error {
	for _, number := range []struct {
		name  string
		value int
	}{{"Neighbors", o.Neighbors}, {"Queries", o.Queries}, {"Top", o.Top}} {
		if number.value < 0 {
			return fmt.Errorf("inspect: %s is %d, must be 0 (the default) or more", number.name, number.value)
		}
	}
	return nil
}

// withDefaults returns the options with their defaults.
func (o Options) withDefaults() Options {
	for _, number := range []struct {
		to    *int
		usual int
	}{{&o.Neighbors, 10}, {&o.Queries, 20_000}, {&o.Top, 10}} {
		if *number.to == 0 {
			*number.to = number.usual
		}
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	return o
}

// A Report is what Set measures.
type Report struct {
	Norms    Norms    `json:"norms"`
	Isotropy Isotropy `json:"isotropy"`
	Hubs     Hubs     `json:"hubs"`
	Buckets  *Buckets `json:"buckets,omitempty"` // of n-grams; nil for a set of plain words
	Memory   []Memory `json:"memory"`
}

// Set measures s, of 8192 dimensions at most. It needs memory for the vectors of all words, unless
// they are in memory or a mapped file anyhow, some bytes for each n-gram of the vocabulary, and
// matrices of Dim × Dim: where these are more than there is, the error is a *transform.MemoryError. If the context ends, its error is
// returned within about a second.
func Set(ctx context.Context, s *vectors.Set, o Options) (*Report, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("inspect: there is no context to work in: it is nil")
	case s == nil:
		return nil, errors.New("inspect: there is no set: it is nil, as what Open and Train return together with an error")
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := affords(s); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	r := &Report{Memory: memory(s)}
	err := s.Guard(func() error {
		if err := r.moments(ctx, s, o); err != nil {
			return err
		}
		if err := r.Hubs.find(ctx, s, o); err != nil {
			return err
		}
		var err error
		r.Buckets, err = buckets(ctx, s, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}
