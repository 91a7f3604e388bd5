package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/lab/synthetic"
)

// parseCases reads texts: "1e8:1e6,1e9:0" is one of 10⁸ tokens of up to 10⁶ words, and one of 10⁹
// tokens of as many words as English has. "1e8:1e6:2e7" is the first 2·10⁷ tokens of a text, with the vocabulary that is expected of
// all of it.
func parseCases(text string, seed uint64) (cases []synthetic.Options, err error) {
	for _, field := range strings.Split(text, ",") {
		tokens, words, _ := strings.Cut(field, ":")
		words, first, part := strings.Cut(words, ":")
		o := synthetic.Options{Seed: seed}
		n, err := number(tokens, 1e12)
		if err != nil {
			return nil, fmt.Errorf("-cases %q: %w", field, err)
		}
		o.Tokens = uint64(n)
		if n, err = number(words, math.MaxInt32); err != nil {
			return nil, fmt.Errorf("-cases %q: %w", field, err)
		}
		o.Words = int(n)
		if part {
			if n, err = number(first, 1e12); err != nil {
				return nil, fmt.Errorf("-cases %q: %w", field, err)
			}
			if n == 0 || o.Words == 0 {
				return nil, fmt.Errorf("-cases %q: a part of a text has a token or more, and its words are a number", field)
			}
			o.First = uint64(n)
		}
		cases = append(cases, o)
	}
	return cases, nil
}

// number reads a whole number such as 1e8, from 0 to most.
func number(text string, most float64) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= most) || n != math.Trunc(n) {
		return 0, fmt.Errorf("expected tokens:words, two whole numbers such as 1e8:1e6, found %q", text)
	}
	return n, nil
}
