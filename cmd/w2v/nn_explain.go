package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// An explanation says which parts of two vectors make their cosine. Its JSON is read by scripts.
type explanation struct {
	Word       string     `json:"word"`        // the neighbour
	Similarity float64    `json:"similarity"`  // the sum of all pairs
	Words      float64    `json:"words"`       // of it, pairs of rows of whole words
	Same       float64    `json:"same_ngrams"` // pairs of the same n-gram
	Others     float64    `json:"others"`      // all other pairs
	Query      []share    `json:"query_parts"`
	Neighbor   []share    `json:"neighbor_parts"`
	Pairs      []pairPart `json:"pairs"` // the largest contribution first
}

// A share is what a part of one vector contributes to a cosine.
type share struct {
	Word         string  `json:"word,omitempty"` // that the part is of, in an expression
	Part         string  `json:"part"`
	Whole        bool    `json:"whole,omitempty"` // the part is the row of the whole word
	Contribution float64 `json:"contribution"`
}

// A pairPart is what a part of the query and one of the neighbour contribute.
type pairPart struct {
	Query        string  `json:"query"`
	Neighbor     string  `json:"neighbor"`
	Contribution float64 `json:"contribution"`
}

// label names a part: that of a whole word stands in square brackets.
func (p share) label() string {
	text := p.Part
	if p.Whole {
		text = "[" + text + "]"
	}
	if p.Word != "" {
		text = p.Word + ":" + text
	}
	return text
}

// partsOf returns the parts of what was asked for, and what they are called.
func (f *finder) partsOf(w query.Found) (parts []vectors.WordPart, shares []share) {
	if w.Terms == nil {
		parts = f.set.WordParts(w.Spelling)
		for _, p := range parts {
			shares = append(shares, share{Part: p.Text, Whole: p.Own})
		}
		return parts, shares
	}
	v := make([]float32, f.set.Dim())
	for _, t := range w.Terms {
		f.set.Vector(v, t.Spelling())
		by := t.Weight / math.Sqrt(squares(v))
		for _, p := range f.set.WordParts(t.Spelling()) {
			for k, x := range p.Vector {
				p.Vector[k] = float32(by * float64(x))
			}
			parts = append(parts, p)
			shares = append(shares, share{Word: t.Spelling(), Part: p.Text, Whole: p.Own})
		}
	}
	return parts, shares
}

func squares(v []float32) (sum float64) {
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum
}

// explain explains the cosines of a query with its neighbours.
func (f *finder) explain(w query.Found, neighbors []vectors.Neighbor) []explanation {
	parts, named := f.partsOf(w)
	all := make([]explanation, len(neighbors))
	for i, n := range neighbors {
		e := explanation{Word: n.Word, Query: append([]share{}, named...)}
		others := f.set.WordParts(n.Word)
		for _, p := range others {
			e.Neighbor = append(e.Neighbor, share{Part: p.Text, Whole: p.Own})
		}
		pairs, cosine := vectors.Contributions(parts, others)
		e.Similarity = cosine
		for _, p := range pairs {
			a, b := &e.Query[p.A], &e.Neighbor[p.B]
			a.Contribution += p.Cosine
			b.Contribution += p.Cosine
			switch {
			case a.Whole && b.Whole:
				e.Words += p.Cosine
			case !a.Whole && !b.Whole && a.Part == b.Part:
				e.Same += p.Cosine
			default:
				e.Others += p.Cosine
			}
			e.Pairs = append(e.Pairs, pairPart{a.label(), b.label(), p.Cosine})
		}
		all[i] = e
	}
	return all
}

// explained is how many pairs are printed of each neighbour.
const explained = 5

// printExplained prints neighbours, each with the pairs that contribute most.
func printExplained(w io.Writer, indent string, found neighborhood) error {
	for i, e := range found.Explanations {
		fmt.Fprintf(w, "%s%s %.4f = %.4f words + %.4f same n-grams + %.4f others\n", indent, listed(w, e.Word), found.Neighbors[i].Similarity, e.Words, e.Same, e.Others)
		first := e.Pairs[:min(explained, len(e.Pairs))]
		left, right := 0, 0
		for _, p := range first {
			left, right = max(left, min(widest, utf8.RuneCountInString(p.Query))), max(right, min(widest, utf8.RuneCountInString(p.Neighbor)))
		}
		rest := e.Similarity
		for _, p := range first {
			rest -= p.Contribution
			fmt.Fprintf(w, "%s  %7.4f  %s  %s\n", indent, p.Contribution, padded(listed(w, p.Query), left), listed(w, p.Neighbor))
		}
		if n := len(e.Pairs) - len(first); n > 0 {
			fmt.Fprintf(w, "%s  %7.4f  %s\n", indent, rest, wording.Count(n, "other pair", "other pairs"))
		}
	}
	return nil
}

// padded returns a text with spaces behind it, up to so many code points.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
