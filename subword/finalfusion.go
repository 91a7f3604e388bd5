package subword

import (
	"fmt"
	"math/bits"

	"github.com/w2v-go/w2v/hashing"
)

// Finalfusion cuts words into character n-grams and hashes them into buckets as
// finalfusion does. Source: NGrams and HashIndexer in finalfusion-rust's
// subword.rs.
//
// The word is written between '<' and '>'. Every run of MinN to MaxN code points
// of that is an n-gram, from left to right and long before short; unlike fastText,
// those of one code point at the ends are too, and "</s>" is a word like others.
type Finalfusion struct {
	MinN     int // shortest n-gram, in code points
	MaxN     int // longest n-gram, in code points
	Exponent int // there are 2 to this power buckets
}

// maxExponent is the largest number of buckets whose rows an int32 can count.
const maxExponent = 30

// Validate reports the first setting that finalfusion could not work with.
func (f Finalfusion) Validate() error {
	if err := checkLengths(f.MinN, f.MaxN); err != nil {
		return err
	}
	if f.Exponent < 0 || f.Exponent > maxExponent {
		return fmt.Errorf("subword: the exponent of buckets is %d, must be from 0 to %d", f.Exponent, maxExponent)
	}
	return nil
}

// checkLengths reports lengths of n-grams that finalfusion would not work with.
func checkLengths(minn, maxn int) error {
	switch {
	case minn < 1:
		return fmt.Errorf("subword: minn is %d, must be at least 1", minn)
	case maxn < minn || maxn > MaxLength:
		return fmt.Errorf("subword: maxn is %d, must be from minn, %d, to %d", maxn, minn, MaxLength)
	}
	return nil
}

// Rows returns the number of buckets.
func (f Finalfusion) Rows() int {
	must(f.Validate())
	return 1 << f.Exponent
}

// Append appends the bucket of every n-gram of word to dst. N-grams that occur
// twice, or share a bucket, are listed twice.
func (f Finalfusion) Append(dst []uint32, word string) []uint32 {
	mask := uint64(1)<<uint(f.Exponent) - 1
	f.each(word, func(ngram []byte) {
		dst = append(dst, uint32(hashing.Finalfusion(ngram)&mask))
	})
	return dst
}

// Ngrams returns the n-grams of word in the order of Append.
func (f Finalfusion) Ngrams(word string) []string {
	var ngrams []string
	f.each(word, func(ngram []byte) { ngrams = append(ngrams, string(ngram)) })
	return ngrams
}

func (f Finalfusion) each(word string, yield func(ngram []byte)) {
	must(f.Validate())
	var buf [128]byte
	runsLongFirst(bracketed(buf[:0], "<", word, ">"), f.MinN, f.MaxN, yield)
}

func finalfusionKind() Kind {
	return Kind{
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
}

func (Finalfusion) kind() Kind { return finalfusionKind() }

func (f Finalfusion) count(runes int) int { return countRuns(f.MinN, f.MaxN, runes) }

func (f Finalfusion) describe() string {
	return describeBuckets(f.MinN, f.MaxN, f.Rows()) + ", hashed as finalfusion does"
}
