package subword

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/wording"
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
	MinN     int    `setting:"minn" help:"shortest n-gram, in code points"`
	MaxN     int    `setting:"maxn" help:"longest n-gram, in code points; 0 (whole words only)"`
	Buckets  int    `setting:"buckets" help:"hash buckets of the n-grams"` // number of rows
	Hashes   int    `setting:"hashes" help:"rows of each n-gram, from 1 to 4"`
	Seed     uint32 // seed of the hash; FloretSeed in floret itself
	BOW, EOW string // put before and after a word; "<" and ">" in floret itself
}

const maxHashes = 4

// Validate reports the first setting that floret does not support.
func (f Floret) Validate() error {
	if !utf8.ValidString(f.BOW) || !utf8.ValidString(f.EOW) {
		return fmt.Errorf("subword: the marks %q and %q of words' ends are not UTF-8", f.BOW, f.EOW)
	}
	return cmp.Or(checkLengths(f.MinN, f.MaxN, 0), checkRange("buckets", f.Buckets, 1, math.MaxInt32), checkRange("hashes", f.Hashes, 1, maxHashes))
}

// Rows returns the number of rows of the table.
func (f Floret) Rows() int { return f.Buckets }

// Append appends the rows of every piece of word to dst, piece by piece. Rows that several pieces share are
// listed for each.
func (f Floret) Append(dst []uint32, word string) []uint32 {
	f.each(word, func(piece []byte) { dst = appendHashes(dst, piece, f.Seed, f.Hashes, f.Buckets) })
	return dst
}

// appendHashes appends as many of the four 32-bit numbers of a hash as are wanted, each modulo rows.
func appendHashes(dst []uint32, piece []byte, seed uint32, wanted, rows int) []uint32 {
	first, second := hashing.Murmur3(piece, seed)
	hashes := [maxHashes]uint32{uint32(first), uint32(first >> 32), uint32(second), uint32(second >> 32)}
	for _, h := range hashes[:wanted] {
		dst = append(dst, h%uint32(rows))
	}
	return dst
}

// Ngrams returns the text of every piece of word in the order of Append: each piece occurs once for each of
// its rows.
func (f Floret) Ngrams(word string) []string { return texts(f.each, word, f.Hashes) }

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

var floretKind = Kind{
	Name:        "floret",
	Title:       "a floret table",
	Composition: Pieces,
	Meaning:     "of n-grams and whole words in one small table",
	Usual:       Floret{MinN: 3, MaxN: 6, Buckets: 200_000, Hashes: 2, Seed: FloretSeed, BOW: "<", EOW: ">"},
	Settings:    settingsOf(Floret{}),
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
		if err := checkMinN(&f.MinN, f.MaxN, given); err != nil {
			return nil, err
		}
		return f, f.Validate()
	},
}

func (Floret) kind() Kind { return floretKind }

func (f Floret) count(runes int) int { return f.Hashes * (1 + countRuns(f.MinN, f.MaxN, runes)) }

func (f Floret) describe() string {
	return fmt.Sprintf("%s, in %s rows, %d for each, hashed as floret does", describePieces(f.MinN, f.MaxN), wording.Thousands(f.Buckets), f.Hashes)
}
