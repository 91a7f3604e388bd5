package subword

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/wording"
)

// Finalfusion splits words into character n-grams and hashes them into buckets exactly as finalfusion does.
// Source: NGrams and HashIndexer in finalfusion-rust's subword.rs.
//
// The word is put between '<' and '>'. Every run of MinN to MaxN code points of the result is an n-gram.
// N-grams are ordered from left to right, and long before short. Unlike fastText, single code points at the
// ends are n-grams too, and "</s>" is an ordinary word.
type Finalfusion struct {
	MinN     int // shortest n-gram, in code points
	MaxN     int // longest n-gram, in code points
	Exponent int // the number of buckets is 2 to this power
}

// maxExponent keeps the number of rows within an int32.
const maxExponent = 30

// Validate reports the first setting that finalfusion does not support.
func (f Finalfusion) Validate() error {
	return cmp.Or(checkLengths(f.MinN, f.MaxN, 1), checkRange("the exponent of buckets", f.Exponent, 0, maxExponent))
}

// Rows returns the number of buckets.
func (f Finalfusion) Rows() int {
	must(f.Validate())
	return 1 << f.Exponent
}

// Append appends the bucket of every n-gram of word to dst. If n-grams occur twice, or share a bucket, the
// bucket is listed twice.
func (f Finalfusion) Append(dst []uint32, word string) []uint32 {
	mask := uint64(1)<<uint(f.Exponent) - 1
	f.each(word, func(ngram []byte) {
		dst = append(dst, uint32(hashing.Finalfusion(ngram)&mask))
	})
	return dst
}

// Ngrams returns the n-grams of word in the order of Append.
func (f Finalfusion) Ngrams(word string) []string { return texts(f.each, word, 1) }

func (f Finalfusion) each(word string, yield func(ngram []byte)) {
	must(f.Validate())
	var buf [128]byte
	runsLongFirst(bracketed(buf[:0], "<", word, ">"), f.MinN, f.MaxN, yield)
}

var finalfusionKind = Kind{
	Name:  "finalfusion",
	Title: "n-grams as finalfusion has them",
	encode: func(indexer Indexer, e *Encoded) {
		f := indexer.(Finalfusion)
		e.put("minn", f.MinN)
		e.put("maxn", f.MaxN)
		e.put("buckets", f.Rows())
	},
	decode: func(_ Indexer, d *decoder) Indexer {
		f := Finalfusion{MinN: d.number("minn"), MaxN: d.number("maxn")}
		buckets := d.number("buckets")
		if buckets < 1 || buckets&(buckets-1) != 0 {
			d.check(fmt.Errorf("metadata %q: expected a power of two, found %d", "buckets", buckets))
			return f
		}
		f.Exponent = bits.Len(uint(buckets)) - 1
		return f
	},
}

func (Finalfusion) kind() Kind { return finalfusionKind }

func (f Finalfusion) count(runes int) int { return countRuns(f.MinN, f.MaxN, runes) }

func (f Finalfusion) describe() string {
	return describeBuckets(f.MinN, f.MaxN, f.Rows()) + ", hashed as finalfusion does"
}

// Explicit splits words into the n-grams of a list. Other n-grams have no rows, unlike hashed n-grams, which
// always have one. finalfusion makes such lists from the n-grams of a vocabulary. Source: ExplicitIndexer in
// finalfusion-rust's subword.rs.
//
// N-grams are those of Finalfusion with the same lengths, in the same order.
type Explicit struct {
	minn, maxn int
	rows       int
	text       []string
	row        []uint32 // of text[i]
	index      map[string]uint32
}

// NewExplicit returns the indexer of these n-grams: ngrams[i] has row rows[i]. Several n-grams may share a
// row. Every row from 0 to the largest must have an n-gram.
func NewExplicit(minn, maxn int, ngrams []string, rows []uint32) (*Explicit, error) {
	if err := checkLengths(minn, maxn, 1); err != nil {
		return nil, err
	}
	if len(ngrams) != len(rows) {
		return nil, fmt.Errorf("subword: %d n-grams and %d rows", len(ngrams), len(rows))
	}
	if len(ngrams) > math.MaxInt32 {
		return nil, fmt.Errorf("subword: %d n-grams, at most %d are possible", len(ngrams), math.MaxInt32)
	}
	e := &Explicit{minn: minn, maxn: maxn, text: ngrams, row: rows, index: make(map[string]uint32, len(ngrams))}
	used := make([]bool, len(ngrams))
	for i, ngram := range ngrams {
		if _, ok := e.index[ngram]; ok {
			return nil, fmt.Errorf("subword: the n-gram %.40q stands there twice", ngram)
		}
		row := rows[i]
		if int64(row) >= int64(len(ngrams)) {
			return nil, fmt.Errorf("subword: the n-gram %.40q has row %d, which is too large for %d n-grams", ngram, row, len(ngrams))
		}
		e.index[ngram] = row
		if !used[row] {
			used[row] = true
			e.rows++
		}
	}
	for row, ok := range used[:e.rows] {
		if !ok {
			return nil, fmt.Errorf("subword: no n-gram has row %d, though higher ones are in use", row)
		}
	}
	return e, nil
}

// MinN returns the length of the shortest n-grams, in code points.
func (e *Explicit) MinN() int { return e.minn }

// MaxN returns the length of the longest n-grams, in code points.
func (e *Explicit) MaxN() int { return e.maxn }

// List returns the n-grams and the row of each. They must not be changed.
func (e *Explicit) List() (ngrams []string, rows []uint32) { return e.text, e.row }

// Rows returns the number of rows.
func (e *Explicit) Rows() int { return e.rows }

// Append appends the row of every n-gram of word that is in the list to dst.
func (e *Explicit) Append(dst []uint32, word string) []uint32 {
	e.each(word, func(_ []byte, row uint32) { dst = append(dst, row) })
	return dst
}

// Ngrams returns the n-grams of word that are in the list, in the order of Append.
func (e *Explicit) Ngrams(word string) []string {
	var ngrams []string
	e.each(word, func(ngram []byte, _ uint32) { ngrams = append(ngrams, string(ngram)) })
	return ngrams
}

func (e *Explicit) each(word string, yield func(ngram []byte, row uint32)) {
	var buf [128]byte
	runsLongFirst(bracketed(buf[:0], "<", word, ">"), e.minn, e.maxn, func(ngram []byte) {
		if row, ok := e.index[string(ngram)]; ok {
			yield(ngram, row)
		}
	})
}

// Validate reports an indexer that NewExplicit did not make.
func (e *Explicit) Validate() error {
	if e.index == nil {
		return errors.New("subword: the Explicit is empty: NewExplicit makes one")
	}
	return nil
}

var explicitKind = Kind{
	Name:  "explicit",
	Title: "listed n-grams",
	encode: func(indexer Indexer, to *Encoded) {
		e := indexer.(*Explicit)
		to.put("minn", e.minn)
		to.put("maxn", e.maxn)
		to.put("buckets", e.rows)
		to.Ngrams, to.NgramRows = e.text, e.row
		if to.Ngrams == nil { // an empty list is still a list
			to.Ngrams = []string{}
		}
	},
	decode: func(_ Indexer, d *decoder) Indexer {
		minn, maxn, rows := d.number("minn"), d.number("maxn"), d.number("buckets")
		if d.err != nil {
			return nil
		}
		e, err := NewExplicit(minn, maxn, d.lists.Ngrams, d.lists.NgramRows)
		if err == nil && e.rows != rows {
			err = fmt.Errorf("metadata %q: expected %d, as many rows as n-grams have, found %d", "buckets", e.rows, rows)
		}
		d.check(err)
		return e
	},
}

func (*Explicit) kind() Kind { return explicitKind }

func (e *Explicit) describe() string {
	return fmt.Sprintf("of %d to %d code points, %s of them, listed, in %s rows", e.minn, e.maxn, wording.Thousands(len(e.text)), wording.Thousands(e.rows))
}
