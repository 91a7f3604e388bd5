package eval

import (
	"context"
	"math"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// BM25 are the parameters of Okapi BM25 (Robertson and Zaragoza 2009). 0 means the default; a negative number means 0.
type BM25 struct {
	K1 float64 // how soon further occurrences of a word stop to count
	B  float64 // how much the length of a document counts, 0…1
}

// DefaultBM25 returns the usual parameters, those of Lucene.
func DefaultBM25() BM25 { return BM25{K1: 1.2, B: 0.75} }

func (p BM25) complete() BM25 {
	d := DefaultBM25()
	for _, x := range []struct{ to, standard *float64 }{{&p.K1, &d.K1}, {&p.B, &d.B}} {
		switch {
		case *x.to == 0:
			*x.to = *x.standard
		case *x.to < 0:
			*x.to = 0
		}
	}
	return p
}

// A posting is how often a term is in a document.
type posting struct {
	document int32
	n        uint32
}

// A sparse index finds documents by the words of queries, and knows no other words.
type sparse struct {
	BM25
	terms    map[string]uint32
	postings [][]posting // of each term, in the order of documents
	lengths  []float64   // of documents in words
	mean     float64
	scores   sync.Pool // of *[]float64, a zero for each document
}

// plainWords returns the words of a text by Unicode's boundaries, in lower case.
func plainWords(text string) []string { return wordbreak.Split(strings.ToLower(text)) }

func newSparse(ctx context.Context, p BM25, documents []Document, queries []Query) (*sparse, error) {
	s := &sparse{BM25: p, terms: make(map[string]uint32), lengths: make([]float64, len(documents))}
	s.scores.New = func() any { return new(make([]float64, len(documents))) }
	for _, q := range queries {
		for _, word := range plainWords(q.Text) {
			if _, ok := s.terms[word]; !ok {
				s.terms[word] = uint32(len(s.terms))
			}
		}
	}
	type count struct{ term, n uint32 }
	counts := make([][]count, len(documents))
	err := inParts(ctx, len(documents), func(first, end int) error {
		in := make(map[uint32]int) // place in counts
		for i := first; i < end; i++ {
			words := plainWords(documents[i].whole())
			clear(in)
			for _, word := range words {
				term, ok := s.terms[word]
				if !ok {
					continue
				}
				at, ok := in[term]
				if !ok {
					at = len(counts[i])
					in[term] = at
					counts[i] = append(counts[i], count{term: term})
				}
				counts[i][at].n++
			}
			s.lengths[i] = float64(len(words))
		}
		return nil
	})
	s.postings = make([][]posting, len(s.terms))
	for i, all := range counts {
		s.mean += s.lengths[i] / float64(len(documents))
		for _, c := range all {
			s.postings[c.term] = append(s.postings[c.term], posting{int32(i), c.n})
		}
	}
	return s, err
}

// find ranks the documents that have a word of a query.
func (s *sparse) find(query string) ranking {
	scores := s.scores.Get().(*[]float64)
	defer s.scores.Put(scores)
	var found []int32
	for _, word := range plainWords(query) {
		postings := s.postings[s.terms[word]]
		n := float64(len(postings))
		rarity := math.Log(1 + (float64(len(s.lengths))-n+0.5)/(n+0.5))
		for _, p := range postings {
			to := &(*scores)[p.document]
			if *to == 0 {
				found = append(found, p.document)
			}
			n := float64(p.n)
			*to += rarity * n * (s.K1 + 1) / (n + s.K1*(1-s.B+s.B*s.lengths[p.document]/s.mean))
		}
	}
	var t top
	for _, i := range found {
		t.offer(hit{i, float32((*scores)[i])})
		(*scores)[i] = 0
	}
	return t.of(len(s.lengths))
}
