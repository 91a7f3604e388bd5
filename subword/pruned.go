package subword

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Pruned is FastText with some buckets only: n-grams of others are none, they count
// nowhere. fastText leaves such models when it quantises with a cutoff. It must not
// be changed.
type Pruned struct {
	whole   FastText
	buckets []uint32 // that of each row
	order   []uint32 // the rows, by rising bucket
}

// Prune returns whole with the given buckets only: row i is that of buckets[i].
func Prune(whole FastText, buckets []uint32) (*Pruned, error) {
	p := &Pruned{whole: whole, buckets: buckets, order: make([]uint32, len(buckets))}
	for i, b := range buckets {
		if int64(b) >= int64(whole.Buckets) {
			return nil, fmt.Errorf("subword: bucket %d of %d", b, whole.Buckets)
		}
		p.order[i] = uint32(i)
	}
	slices.SortFunc(p.order, func(x, y uint32) int { return cmp.Compare(buckets[x], buckets[y]) })
	for i := 1; i < len(p.order); i++ {
		if b := buckets[p.order[i]]; b == buckets[p.order[i-1]] {
			return nil, fmt.Errorf("subword: bucket %d has two rows", b)
		}
	}
	return p, nil
}

// Whole returns how words are cut, with the buckets that were dropped.
func (p *Pruned) Whole() FastText { return p.whole }

// Buckets returns the bucket of every row. It must not be changed.
func (p *Pruned) Buckets() []uint32 { return p.buckets }

// Rows returns the number of buckets that were kept.
func (p *Pruned) Rows() int { return len(p.buckets) }

// Append appends the row of every n-gram of word that has one to dst.
func (p *Pruned) Append(dst []uint32, word string) []uint32 {
	first := len(dst)
	dst = p.whole.Append(dst, word)
	kept := dst[:first]
	for _, b := range dst[first:] {
		if row, ok := p.row(b); ok {
			kept = append(kept, row)
		}
	}
	return kept
}

// Ngrams returns the n-grams of word that have a row, in the order of Append.
func (p *Pruned) Ngrams(word string) []string {
	var kept []string
	buckets := p.whole.Append(nil, word)
	for i, ngram := range p.whole.Ngrams(word) {
		if _, ok := p.row(buckets[i]); ok {
			kept = append(kept, ngram)
		}
	}
	return kept
}

// row returns the row of a bucket.
func (p *Pruned) row(bucket uint32) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(p.order, bucket, func(row, bucket uint32) int {
		return cmp.Compare(p.buckets[row], bucket)
	})
	if !ok {
		return 0, false
	}
	return p.order[i], true
}

// Validate reports an indexer that Prune did not make.
func (p *Pruned) Validate() error {
	if p.order == nil {
		return errors.New("subword: the Pruned is empty: Prune makes one")
	}
	return nil
}

func (*Pruned) kind() Kind { return fastTextKind() }

func (p *Pruned) encodeOwn(e *Encoded) {
	encodeSettings(p.whole, e)
	e.Kept = p.buckets
	if e.Kept == nil { // it is a list, even if it is empty
		e.Kept = []uint32{}
	}
}

func (p *Pruned) describe() string { return describeBuckets(p.whole.MinN, p.whole.MaxN, p.Rows()) }
