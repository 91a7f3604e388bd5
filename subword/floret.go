package subword

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/w2v-go/w2v/hashing"
)

// FloretSeed is the seed of floret's hash, which floret cannot change.
const FloretSeed = 2166136261

// Floret splits words into pieces and hashes each piece into a few rows of a small table exactly as floret
// does. Source: Dictionary::computeSubwords in floret's dictionary.cc.
//
// The word is put between BOW and EOW. Its pieces are the whole result, and every run of MinN to MaxN code
// points of it, as in FastText; a short word is therefore a piece twice. The word "</s>" has no pieces.
//
// spaCy and finalfusion read floret's tables differently: they also take single code points at the ends, and
// empty runs if MinN is 0, and split "</s>". With MinN of at least 2, all agree.
type Floret struct {
	MinN     int    // shortest n-gram, in code points
	MaxN     int    // longest n-gram, in code points; 0 for whole words alone
	Buckets  int    // number of rows
	Hashes   int    // number of rows of a piece, from 1 to 4
	Seed     uint32 // seed of the hash; FloretSeed in floret itself
	BOW, EOW string // put before and after a word; "<" and ">" in floret itself
}

// maxHashes is how many 32-bit numbers the hash has.
const maxHashes = 4

// Validate reports the first setting that floret does not support.
func (f Floret) Validate() error {
	switch {
	case f.MinN < 0:
		return fmt.Errorf("subword: minn is %d, must be at least 0", f.MinN)
	case f.MaxN < f.MinN || f.MaxN > MaxLength:
		return fmt.Errorf("subword: maxn is %d, must be from minn, %d, to %d", f.MaxN, f.MinN, MaxLength)
	case f.Buckets < 1 || f.Buckets > math.MaxInt32:
		return fmt.Errorf("subword: buckets is %d, must be from 1 to %d", f.Buckets, math.MaxInt32)
	case f.Hashes < 1 || f.Hashes > maxHashes:
		return fmt.Errorf("subword: hashes is %d, must be from 1 to %d", f.Hashes, maxHashes)
	case !utf8.ValidString(f.BOW) || !utf8.ValidString(f.EOW):
		return fmt.Errorf("subword: the marks %q and %q of words' ends are not UTF-8", f.BOW, f.EOW)
	}
	return nil
}

// Rows returns the number of rows of the table.
func (f Floret) Rows() int { return f.Buckets }

// Append appends the rows of every piece of word to dst, piece by piece. Rows that several pieces share are
// listed for each.
func (f Floret) Append(dst []uint32, word string) []uint32 {
	f.each(word, func(piece []byte) {
		first, second := hashing.Murmur3(piece, f.Seed)
		hashes := [maxHashes]uint32{uint32(first), uint32(first >> 32), uint32(second), uint32(second >> 32)}
		for _, h := range hashes[:f.Hashes] {
			dst = append(dst, h%uint32(f.Buckets))
		}
	})
	return dst
}

// Ngrams returns the text of every piece of word in the order of Append: each piece occurs once for each of
// its rows.
func (f Floret) Ngrams(word string) []string {
	var pieces []string
	f.each(word, func(piece []byte) {
		for range f.Hashes {
			pieces = append(pieces, string(piece))
		}
	})
	return pieces
}

func (f Floret) each(word string, yield func(piece []byte)) {
	must(f.Validate())
	if word == endOfSentence {
		return
	}
	var buf [128]byte
	whole := bracketed(buf[:0], f.BOW, word, f.EOW)
	yield(whole)
	runs(whole, f.MinN, f.MaxN, yield)
}

func floretKind() Kind {
	return Kind{
		Name:        "floret",
		Title:       "a floret table",
		Composition: Pieces,
		Meaning:     "of n-grams and whole words in one small table",
		Usual:       Floret{MinN: 3, MaxN: 6, Buckets: 200_000, Hashes: 2, Seed: FloretSeed, BOW: "<", EOW: ">"},
		Settings: []Setting{
			field("minn", helpMinN, func(f *Floret) any { return &f.MinN }),
			field("maxn", helpMaxN+"; 0 (whole words only)", func(f *Floret) any { return &f.MaxN }),
			field("buckets", helpBuckets, func(f *Floret) any { return &f.Buckets }),
			field("hashes", helpHashes+", from 1 to 4", func(f *Floret) any { return &f.Hashes }),
		},
		encode: func(indexer Indexer, e *Encoded) {
			f := indexer.(Floret)
			e.Settings["hash_seed"] = strconv.FormatUint(uint64(f.Seed), 10)
			e.Settings["bow"], e.Settings["eow"] = f.BOW, f.EOW
		},
		decode: func(indexer Indexer, d *decoder) Indexer {
			f := indexer.(Floret)
			f.Seed, f.BOW, f.EOW = d.seed("hash_seed"), d.values["bow"], d.values["eow"]
			return f
		},
		complete: func(indexer Indexer, given func(string) bool) (Indexer, error) {
			f := indexer.(Floret)
			if f.MaxN == 0 {
				if given("minn") {
					return nil, errWholeWords
				}
				f.MinN = 0
			}
			return f, f.Validate()
		},
	}
}

func (Floret) kind() Kind { return floretKind() }

func (f Floret) count(runes int) int { return f.Hashes * (1 + countRuns(f.MinN, f.MaxN, runes)) }

func (f Floret) describe() string {
	return fmt.Sprintf("%s, in %s rows, %d for each, hashed as floret does", describePieces(f.MinN, f.MaxN), grouped(f.Buckets), f.Hashes)
}
