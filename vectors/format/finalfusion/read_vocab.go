package finalfusion

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// vocabulary reads the words and what is to be known of n-grams.
func (f *reader) vocabulary(kind uint32) error {
	switch kind {
	case chunkSimpleVocab, chunkBucketVocab, chunkFastTextVocab, chunkExplicitVocab, chunkFloretVocab:
	default:
		return f.in.FailAt(8, "expected a chunk of kind 1, 3, 7, 8 or 9, found %d", kind)
	}
	if _, err := f.chunk(kind); err != nil {
		return err
	}
	switch kind {
	case chunkExplicitVocab:
		return f.explicit()
	case chunkFloretVocab:
		return f.floret()
	}
	var head struct{ Words uint64 }
	if err := f.fields(&head, "the number of words"); err != nil {
		return err
	}
	if kind != chunkSimpleVocab {
		if err := f.buckets(kind); err != nil {
			return err
		}
	}
	return f.readWords(head.Words)
}

// buckets reads how n-grams are hashed.
func (f *reader) buckets(kind uint32) error {
	at := f.in.Offset()
	var head struct{ MinN, MaxN, Buckets uint32 }
	if err := f.fields(&head, "settings of n-grams"); err != nil {
		return err
	}
	if max(head.MinN, head.MaxN, head.Buckets) > math.MaxInt32 {
		return f.in.FailAt(at, "expected lengths and a number of buckets up to %d, found %d, %d and %d",
			math.MaxInt32, head.MinN, head.MaxN, head.Buckets)
	}
	minn, maxn, n := int(head.MinN), int(head.MaxN), int(head.Buckets)
	var err error
	if kind == chunkBucketVocab {
		sub := subword.Finalfusion{MinN: minn, MaxN: maxn, Exponent: n}
		f.subword, err = sub, sub.Validate()
	} else {
		sub := subword.FastText{MinN: minn, MaxN: maxn, Buckets: n}
		f.subword, err = sub, subword.Readable(sub)
	}
	if err != nil {
		return f.in.FailAt(at, "%w", err)
	}
	return nil
}

// explicit reads words and n-grams that are listed with their rows.
func (f *reader) explicit() error {
	at := f.in.Offset()
	var head struct {
		Words, Ngrams uint64
		MinN, MaxN    uint32
	}
	if err := f.fields(&head, "numbers of words and n-grams"); err != nil {
		return err
	}
	if max(head.MinN, head.MaxN) > math.MaxInt32 || head.Ngrams > math.MaxInt32 {
		return f.in.FailAt(at, "expected lengths and a number of n-grams up to %d, found %d, %d and %d",
			math.MaxInt32, head.MinN, head.MaxN, head.Ngrams)
	}
	if err := f.readWords(head.Words); err != nil {
		return err
	}
	at = f.in.Offset()
	const least = 12 // bytes of an n-gram
	room := f.in.Backed(int64(head.Ngrams), least)
	ngrams, rows := make([]string, 0, room), make([]uint32, 0, room)
	for i := range head.Ngrams {
		text, err := f.string()
		if err != nil {
			return source.Within(err, "n-gram %d of %d", i+1, head.Ngrams)
		}
		var row struct{ Index uint64 }
		if err := f.fields(&row, "the row of an n-gram"); err != nil {
			return source.Within(err, "n-gram %d of %d", i+1, head.Ngrams)
		}
		if row.Index >= head.Ngrams {
			return f.in.FailAt(f.in.Offset()-8, "n-gram %d of %d: found row %d", i+1, head.Ngrams, row.Index)
		}
		ngrams, rows = append(ngrams, string(text)), append(rows, uint32(row.Index))
	}
	var err error
	if f.subword, err = subword.NewExplicit(int(head.MinN), int(head.MaxN), ngrams, rows); err != nil {
		return f.in.FailAt(at, "%w", err)
	}
	return nil
}

// floret reads how words are hashed; there are none.
func (f *reader) floret() error {
	at := f.in.Offset()
	var head struct {
		MinN, MaxN   uint32
		Buckets      uint64
		Hashes, Seed uint32
	}
	if err := f.fields(&head, "settings of n-grams"); err != nil {
		return err
	}
	if max(head.MinN, head.MaxN, head.Hashes) > math.MaxInt32 || head.Buckets > math.MaxInt32 {
		return f.in.FailAt(at, "expected lengths and numbers up to %d, found n-grams of %d to %d, %d buckets and %d hashes",
			math.MaxInt32, head.MinN, head.MaxN, head.Buckets, head.Hashes)
	}
	sub := subword.Floret{
		MinN: int(head.MinN), MaxN: int(head.MaxN), Buckets: int(head.Buckets),
		Hashes: int(head.Hashes), Seed: head.Seed,
	}
	for _, mark := range []*string{&sub.BOW, &sub.EOW} {
		text, err := f.string()
		if err != nil {
			return source.Within(err, "the mark of the beginning or end of a word")
		}
		*mark = string(text)
	}
	if err := sub.Validate(); err != nil {
		return f.in.FailAt(at, "%w", err)
	}
	f.subword = sub
	return nil
}

func (f *reader) readWords(n uint64) error {
	if n > math.MaxInt32 {
		return f.in.Fail("expected at most %d words, found %d", math.MaxInt32, n)
	}
	f.words.Grow(f.in.Backed(int64(n), 4))
	for i := range n {
		word, err := f.string()
		if err != nil {
			return source.Within(err, "word %d of %d", i+1, n)
		}
		f.words.Add(string(word))
	}
	return nil
}

// string reads a text and its length. It is valid until the next one.
func (f *reader) string() ([]byte, error) {
	at := f.in.Offset()
	var length [4]byte
	if err := f.in.Full(length[:], "the length of a text"); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > source.MaxWord {
		return nil, f.in.FailAt(at, "expected a text of at most %d bytes, found %d", source.MaxWord, n)
	}
	text, err := source.ReadArray(f.in, f.text[:0], n, "a text")
	if err != nil {
		return nil, err
	}
	f.text = text
	if !utf8.Valid(text) {
		return nil, f.in.FailAt(at+4, "expected UTF-8, found %.40q", text)
	}
	return text, nil
}
