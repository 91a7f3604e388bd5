package finalfusion

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

type vocab struct {
	kind    uint32
	head    []any    // leading numbers
	words   int      // number of the set's words: all or none
	ngrams  []ngram  // listed n-grams
	marks   []string // marks of the beginning and end of a word, if they are variable
	buckets int      // number of n-gram rows
}

type ngram struct {
	text string
	row  uint32
}

func vocabOf(s *vectors.Set) vocab {
	words := uint64(s.Len())
	v := vocab{kind: chunkSimpleVocab, head: []any{words}, words: s.Len()}
	hashed := func(kind uint32, minn, maxn, buckets int) {
		v.kind, v.buckets = kind, s.Subword().Rows()
		v.head = []any{words, uint32(minn), uint32(maxn), uint32(buckets)}
	}
	switch sub := subword.Value(s.Subword()).(type) {
	case nil:
	case subword.FastText:
		// fastText treats a minn of 0 as 1, and a maxn below minn as no n-grams. finalfusion does neither.
		if minn := max(sub.MinN, 1); sub.MaxN >= minn {
			hashed(chunkFastTextVocab, minn, sub.MaxN, sub.Buckets)
		}
	case subword.Finalfusion:
		hashed(chunkBucketVocab, sub.MinN, sub.MaxN, sub.Exponent)
	case *subword.Explicit:
		v.kind, v.buckets, v.ngrams = chunkExplicitVocab, sub.Rows(), ngramsOf(sub)
		v.head = []any{words, uint64(len(v.ngrams)), uint32(sub.MinN()), uint32(sub.MaxN())}
	case subword.Floret:
		v.kind, v.words, v.buckets, v.marks = chunkFloretVocab, 0, sub.Buckets, []string{sub.BOW, sub.EOW}
		v.head = []any{uint32(sub.MinN), uint32(sub.MaxN), uint64(sub.Buckets), uint32(sub.Hashes), sub.Seed}
	}
	return v
}

// ngramsOf returns listed n-grams in an order in which their rows first occur in ascending order, as
// finalfusion-rust assumes. If the list has such an order, it is kept.
func ngramsOf(sub *subword.Explicit) []ngram {
	texts, rows := sub.List()
	ngrams := make([]ngram, len(texts))
	next, ordered := uint32(0), true
	for i, text := range texts {
		ngrams[i] = ngram{text, rows[i]}
		if rows[i] == next {
			next++
		} else if rows[i] > next {
			ordered = false
		}
	}
	if !ordered {
		slices.SortStableFunc(ngrams, func(a, b ngram) int { return int(a.row) - int(b.row) })
	}
	return ngrams
}

// vocabulary writes the chunk of the vocabulary. It is written twice, the first time only to count its bytes.
func (f *writer) vocabulary(s *vectors.Set, v vocab) {
	content := func(f *writer) {
		f.put(v.head...)
		for id := range v.words {
			f.string(s.Words().At(id))
		}
		for _, n := range v.ngrams {
			f.string(n.text)
			f.put(uint64(n.row))
		}
		for _, mark := range v.marks {
			f.string(mark)
		}
	}
	counter := &writer{w: bufio.NewWriter(io.Discard)}
	content(counter)
	f.put(v.kind, uint64(counter.at))
	content(f)
}

// vocabulary reads the words and what is to be known of n-grams.
func (f *reader) vocabulary(kind uint32) {
	defer source.Within(func() string { return "the vocabulary" })
	if !slices.Contains([]uint32{chunkSimpleVocab, chunkBucketVocab, chunkFastTextVocab, chunkExplicitVocab, chunkFloretVocab}, kind) {
		f.in.FailAt(8, "expected a chunk of kind 1, 3, 7, 8 or 9, found %d", kind)
	}
	_, at := f.chunk(kind)
	switch kind {
	case chunkExplicitVocab:
		f.explicit(at)
		return
	case chunkFloretVocab:
		f.floret(at)
		return
	}
	var words uint64
	f.in.Decode(&words, "the number of words")
	if kind != chunkSimpleVocab {
		f.buckets(kind)
	}
	f.readWords(words)
}

func (f *reader) buckets(kind uint32) {
	at := f.in.Offset
	var head struct{ MinN, MaxN, Buckets uint32 }
	f.in.Decode(&head, "settings of n-grams")
	if max(head.MinN, head.MaxN, head.Buckets) > math.MaxInt32 {
		f.in.FailAt(at, "expected lengths and a number of buckets up to %d, found %d, %d and %d",
			math.MaxInt32, head.MinN, head.MaxN, head.Buckets)
	}
	minn, maxn, n := int(head.MinN), int(head.MaxN), int(head.Buckets)
	if f.subword = (subword.FastText{MinN: minn, MaxN: maxn, Buckets: n}); kind == chunkBucketVocab {
		f.subword = subword.Finalfusion{MinN: minn, MaxN: maxn, Exponent: n}
	}
	if err := subword.Readable(f.subword); err != nil {
		f.in.FailAt(at, "%w", err)
	}
}

// explicit reads words and listed n-grams with their rows. Their numbers are at an offset.
func (f *reader) explicit(at int64) {
	var head struct {
		Words, Ngrams uint64
		MinN, MaxN    uint32
	}
	f.in.Decode(&head, "numbers of words and n-grams")
	if max(head.MinN, head.MaxN) > math.MaxInt32 || head.Ngrams > math.MaxInt32 {
		f.in.FailAt(at, "expected lengths and a number of n-grams up to %d, found %d, %d and %d",
			math.MaxInt32, head.MinN, head.MaxN, head.Ngrams)
	}
	f.readWords(head.Words)
	at = f.in.Offset
	ngrams, rows := f.ngrams(head.Ngrams)
	sub, err := subword.NewExplicit(int(head.MinN), int(head.MaxN), ngrams, rows)
	if err != nil {
		f.in.FailAt(at, "%w", err)
	}
	f.subword = sub
}

func (f *reader) ngrams(n uint64) (ngrams []string, rows []uint32) {
	i := uint64(0)
	defer source.Within(func() string { return fmt.Sprintf("n-gram %d of %d", i+1, n) })
	const least = 12 // minimum size of an n-gram in bytes
	room := f.in.Backed(int64(n), least)
	ngrams, rows = make([]string, 0, room), make([]uint32, 0, room)
	for ; i < n; i++ {
		ngrams = append(ngrams, string(f.string()))
		var row struct{ Index uint64 }
		f.in.Decode(&row, "the row of an n-gram")
		if row.Index >= n {
			f.in.FailAt(f.in.Offset-8, "found row %d", row.Index)
		}
		rows = append(rows, uint32(row.Index))
	}
	return ngrams, rows
}

// floret reads the parameters of floret's hash, which are at an offset. There are no words.
func (f *reader) floret(at int64) {
	var head struct {
		MinN, MaxN   uint32
		Buckets      uint64
		Hashes, Seed uint32
	}
	f.in.Decode(&head, "settings of n-grams")
	if max(head.MinN, head.MaxN, head.Hashes) > math.MaxInt32 || head.Buckets > math.MaxInt32 {
		f.in.FailAt(at, "expected lengths and numbers up to %d, found n-grams of %d to %d, %d buckets and %d hashes",
			math.MaxInt32, head.MinN, head.MaxN, head.Buckets, head.Hashes)
	}
	mark := func() string {
		defer source.Within(func() string { return "the mark of the beginning or end of a word" })
		return string(f.string())
	}
	sub := subword.Floret{
		MinN: int(head.MinN), MaxN: int(head.MaxN), Buckets: int(head.Buckets),
		Hashes: int(head.Hashes), Seed: head.Seed, BOW: mark(), EOW: mark(),
	}
	if err := sub.Validate(); err != nil {
		f.in.FailAt(at, "%w", err)
	}
	f.subword = sub
}

func (f *reader) readWords(n uint64) {
	if n > math.MaxInt32 {
		f.in.Fail("expected at most %d words, found %d", math.MaxInt32, n)
	}
	i := uint64(0)
	defer source.Within(func() string { return fmt.Sprintf("word %d of %d", i+1, n) })
	f.words.Grow(f.in.Backed(int64(n), 4))
	for ; i < n; i++ {
		f.words.Add(string(f.string()))
	}
}

// string reads a length and a text. The text is valid until the next call.
func (f *reader) string() []byte {
	at := f.in.Offset
	var length [4]byte
	f.in.Full(length[:], "the length of a text")
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > source.MaxWord {
		f.in.FailAt(at, "expected a text of at most %d bytes, found %d", source.MaxWord, n)
	}
	f.text = source.ReadArray(f.in, f.text[:0], n, "a text")
	if !utf8.Valid(f.text) {
		f.in.FailAt(at+4, "expected UTF-8, found %.40q", f.text)
	}
	return f.text
}
