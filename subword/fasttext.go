package subword

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/wording"
)

// FastText splits words into character n-grams and hashes them into buckets exactly as fastText does. Source:
// Dictionary::computeSubwords in fastText's dictionary.cc.
//
// The word is put between '<' and '>'. Every run of MinN to MaxN code points of the result is an n-gram,
// except single code points at both ends. N-grams are ordered from left to right, and short before long. A
// byte that does not continue a code point starts a new one, so any bytes make a valid word. The word "</s>"
// has no n-grams.
type FastText struct {
	MinN    int `setting:"minn" help:"shortest n-gram, in code points"`
	MaxN    int `setting:"maxn" help:"longest n-gram, in code points"` // 0 for no n-grams at all
	Buckets int `setting:"buckets" help:"hash buckets of the n-grams"`
}

const endOfSentence = "</s>"

// Validate reports the first setting that fastText does not support.
func (f FastText) Validate() error {
	if f.MaxN != 0 {
		return cmp.Or(checkLengths(f.MinN, f.MaxN, 1), checkRange("buckets", f.Buckets, 1, math.MaxInt32))
	}
	if err := checkRange("buckets", f.Buckets, 0, math.MaxInt32); err != nil || f.MinN >= 0 {
		return err
	}
	return fmt.Errorf("subword: minn is %d, must be at least 0 where maxn is 0", f.MinN)
}

// Rows returns the number of buckets.
func (f FastText) Rows() int { return f.Buckets }

// Append appends the bucket of every n-gram of word to dst. If n-grams occur twice, or share a bucket, the
// bucket is listed twice.
func (f FastText) Append(dst []uint32, word string) []uint32 {
	if f.MaxN != 0 && f.Buckets < 1 {
		must(f.Validate()) // words can be split with other invalid settings
	}
	if f.MaxN == 0 || word == endOfSentence {
		return dst
	}
	// This is what runs does, without a call for each n-gram: an n-gram begins with the one before it, and so does its hash.
	var buf [128]byte
	whole := bracketed(buf[:0], "<", word, ">")
	for start, first := range whole {
		if !utf8.RuneStart(first) {
			continue
		}
		hash, end := hashing.FastText(nil), start
		for n := 1; n <= f.MaxN && end < len(whole); n++ {
			next := end + 1
			for next < len(whole) && !utf8.RuneStart(whole[next]) {
				next++
			}
			hash, end = hashing.FastTextMore(hash, whole[end:next]), next
			if touchesEnd := start == 0 || end == len(whole); n >= f.MinN && !(n == 1 && touchesEnd) {
				dst = append(dst, hash%uint32(f.Buckets))
			}
		}
	}
	return dst
}

// Ngrams returns the n-grams of word in the order of Append.
func (f FastText) Ngrams(word string) []string { return texts(f.each, word, 1) }

func (f FastText) each(word string, yield func(ngram []byte)) {
	if f.MaxN == 0 || word == endOfSentence {
		return
	}
	var buf [128]byte
	runs(bracketed(buf[:0], "<", word, ">"), f.MinN, f.MaxN, yield)
}

var fastTextKind = Kind{
	Name:     "fasttext",
	Meaning:  "of character n-grams",
	Title:    "n-grams as fastText has them",
	Usual:    FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000},
	Settings: settingsOf(FastText{}),
	Prunes:   true,
	decode: func(indexer Indexer, d *decoder) Indexer {
		if d.lists.Kept == nil || d.err != nil {
			return indexer
		}
		whole := indexer.(FastText)
		d.check(whole.readable())
		pruned, err := Prune(whole, d.lists.Kept)
		d.check(err)
		return pruned
	},
	complete: func(indexer Indexer, given func(string) bool) (Indexer, error) {
		f := indexer.(FastText)
		if f.MaxN < 1 {
			return nil, &SettingError{
				Format:   fmt.Sprintf("%%s must be at least 1 with %%s, is %d", f.MaxN),
				Settings: []struct{ Name, Value string }{{"maxn", ""}, {"subwords", "fasttext"}},
			}
		}
		if !given("minn") {
			f.MinN = max(f.MinN, 1) // every n-gram has at least one code point
		}
		return f, f.Validate()
	},
}

func (FastText) kind() Kind { return fastTextKind }

func (f FastText) count(runes int) int { return countRuns(f.MinN, f.MaxN, runes) }

func (f FastText) describe() string { return describeBuckets(f.MinN, f.MaxN, f.Buckets) }

func describeBuckets(minn, maxn, buckets int) string {
	return fmt.Sprintf("of %d to %d code points in %s buckets", minn, maxn, wording.Thousands(buckets))
}

// readable is Validate without the rules that fastText itself breaks: fastText treats minn 0 as 1, and a maxn
// below minn as no n-grams.
func (f FastText) readable() error {
	if f.MaxN == 0 && f.Buckets < 0 {
		return fmt.Errorf("subword: buckets is %d, must be at least 0", f.Buckets)
	}
	if f.MinN < 0 || f.MaxN <= 0 {
		return f.Validate()
	}
	f.MinN = max(f.MinN, 1)
	f.MaxN = max(f.MaxN, f.MinN)
	return f.Validate()
}

func (f FastText) same(other Indexer) bool {
	o, ok := other.(FastText)
	f.MinN, o.MinN = max(f.MinN, 1), max(o.MinN, 1) // every n-gram has at least one code point
	return ok && f == o
}

// Pruned is FastText with some of the buckets only. It ignores n-grams of other buckets. fastText writes such
// models when it quantises with a cutoff. A Pruned must not be changed.
type Pruned struct {
	whole   FastText
	buckets []uint32 // bucket of each row
	order   []uint32 // rows sorted by bucket
}

// KeepBuckets returns an indexer restricted to the given buckets, as Prune does. It is an error if its n-grams are
// not those of FastText.
func KeepBuckets(indexer Indexer, buckets []uint32) (Indexer, error) {
	whole, ok := Value(indexer).(FastText)
	if !ok {
		return nil, fmt.Errorf("subword: n-grams of %s cannot be left out", NameOf(indexer))
	}
	return Prune(whole, buckets)
}

// Prune returns whole restricted to the given buckets: row i belongs to buckets[i].
func Prune(whole FastText, buckets []uint32) (*Pruned, error) {
	buckets = append([]uint32{}, buckets...) // an empty list is still a list
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

// Whole returns the indexer before pruning.
func (p *Pruned) Whole() FastText { return p.whole }

// Buckets returns the bucket of every row. It must not be changed.
func (p *Pruned) Buckets() []uint32 { return p.buckets }

// Rows returns the number of buckets that were kept.
func (p *Pruned) Rows() int { return len(p.buckets) }

// Append appends the row of every n-gram of word that has a row.
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

func (*Pruned) kind() Kind { return fastTextKind }

func (p *Pruned) describe() string { return describeBuckets(p.whole.MinN, p.whole.MaxN, p.Rows()) }

// HashedBuckets returns how many buckets an indexer hashes n-grams to by fastText's hash, so that runs of words
// can share their rows, and the buckets that have rows, in the order of rows; nil if all have. ok is false for
// n-grams that are hashed otherwise.
func HashedBuckets(indexer Indexer) (buckets int, kept []uint32, ok bool) {
	switch f := Value(indexer).(type) {
	case FastText:
		return f.Buckets, nil, true
	case *Pruned:
		return f.whole.Buckets, f.buckets, true
	}
	return 0, nil, false
}

// WordNgrams hashes word n-grams into buckets exactly as fastText does. Source: Dictionary::addWordNgrams in
// fastText's dictionary.cc.
//
// The hash of a single word is 32-bit FNV-1a of its bytes, sign-extended to 64 bits. Each further word
// multiplies the hash by 116049371 and adds its own hash. The bucket is the hash modulo the number of buckets.
type WordNgrams struct {
	MaxN    int // longest n-gram, in words; the shortest has 2
	Buckets int // number of buckets
}

// Validate reports the first invalid setting.
func (w WordNgrams) Validate() error {
	if w.MaxN < 2 || w.MaxN > MaxLength {
		return fmt.Errorf("subword: runs of words are up to %d words long, must be from 2 to %d", w.MaxN, MaxLength)
	}
	return checkRange("buckets of runs of words", w.Buckets, 1, math.MaxInt32)
}

// Hash returns the hash of a single word.
func (w WordNgrams) Hash(word string) uint64 {
	var buf [128]byte
	return uint64(int64(int32(hashing.FastText(append(buf[:0], word...)))))
}

// Next returns the hash of a run extended by a word. Both arguments are hashes.
func (w WordNgrams) Next(run, word uint64) uint64 { return run*116049371 + word }

// Bucket returns the bucket of a hash.
func (w WordNgrams) Bucket(run uint64) uint32 { return uint32(run % uint64(w.Buckets)) }

// Append appends the bucket of every run of consecutive words to dst: the runs that begin with the first
// word, short before long, then those that begin with the next word. words are hashes.
func (w WordNgrams) Append(dst []uint32, words []uint64) []uint32 {
	must(w.Validate())
	for first, run := range words {
		for _, word := range words[first+1 : min(first+w.MaxN, len(words))] {
			run = w.Next(run, word)
			dst = append(dst, w.Bucket(run))
		}
	}
	return dst
}
