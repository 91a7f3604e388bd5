package pairs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/decimal"
)

// A Pair is two texts that belong together, or that a score belongs to.
type Pair struct {
	First, Second string
	Negatives     []string // texts that do not belong to First, although they resemble Second
	Score         float64
}

// A Corpus is pairs of texts. Files and Pairs make one.
type Corpus struct {
	names  []string
	stdin  io.Reader
	fields corpus.Fields
	pairs  iter.Seq2[Pair, error]
}

// given reports whether there is a corpus.
func (c Corpus) given() bool { return c.names != nil || c.pairs != nil }

// TSV is the layout of tables whose first two columns are pairs.
var TSV = corpus.Fields{TextColumn: "1,2"}

// Files is the pairs of files, folders and globs, in the order given; "-" is stdin. Compressed files are
// recognised by their content. Two text columns or fields are a pair, and further ones are negatives: in JSON and Parquet
// they may be lists. The label column or field is the score.
func Files(stdin io.Reader, fields corpus.Fields, names ...string) Corpus {
	return Corpus{names: names, stdin: stdin, fields: fields}
}

// Pairs is the pairs of an iterator, which is called once. Its first error ends the reading.
func Pairs(of iter.Seq2[Pair, error]) Corpus { return Corpus{pairs: of} }

// read yields the pairs of the corpus.
func (c Corpus) read(ctx context.Context, o Options) iter.Seq2[Pair, error] {
	if c.pairs != nil {
		return func(yield func(Pair, error) bool) {
			for p, err := range c.pairs {
				if err == nil {
					err = p.check(o)
				}
				if !yield(p, err) || err != nil {
					return
				}
			}
		}
	}
	return func(yield func(Pair, error) bool) {
		fields := c.fields
		fields.Apart, fields.Prefix = true, ""
		err := cmp.Or(fields.Validate(o.Scored), scoresApart(fields))
		var src *corpus.Source
		if err == nil {
			src, err = corpus.FilesContext(ctx, c.names, c.stdin, corpus.Options{})
		}
		if err != nil {
			yield(Pair{}, err)
			return
		}
		rows := src.Rows(ctx, fields)
		defer rows.Close()
		for row, err := range rows.All() {
			if err != nil {
				yield(Pair{}, err)
				return
			}
			var p Pair
			switch {
			case !row.Blank:
				if p, err = pairOf(row, o); err == nil {
					err = p.check(o)
				}
			case row.IsJSON() || bytes.IndexByte(row.Raw, '\t') < 0:
				continue
			default: // columns with nothing in them
				err = Pair{}.check(o)
			}
			if err != nil {
				err = row.Error(err)
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// scoresApart returns an error if scores would be read as texts too.
func scoresApart(f corpus.Fields) error {
	for kind, both := range map[string][2]string{"column": {f.TextColumn, f.LabelColumn}, "field": {f.TextField, f.LabelField}} {
		if texts, score := both[0], both[1]; score != "" && slices.Contains(strings.Split(texts, ","), score) {
			return fmt.Errorf("%s %s has the score, and cannot have a text too: texts are in %s, unless other %ss are named", kind, score, strings.ReplaceAll(texts, ",", " and "), kind)
		}
	}
	return nil
}

func pairOf(row *corpus.Row, o Options) (p Pair, err error) {
	if len(row.Texts) < 2 {
		return p, errors.New("a pair has two texts, and only one column or field is named")
	}
	for i, to := range []*string{&p.First, &p.Second} {
		switch texts := row.Texts[i]; len(texts) {
		case 0:
		case 1:
			*to = string(texts[0])
		default:
			return p, fmt.Errorf("the %s text of the pair is a list of %d", ordinal(i), len(texts))
		}
	}
	for _, of := range row.Texts[2:] {
		for _, text := range of {
			if len(bytes.TrimSpace(text)) > 0 {
				p.Negatives = append(p.Negatives, string(text))
			}
		}
	}
	if !o.Scored {
		return p, nil
	}
	if len(row.Labels) != 1 {
		return p, fmt.Errorf("the pair has %d scores, and must have one", len(row.Labels))
	}
	if p.Score, err = decimal.Float(row.Labels[0]); err != nil {
		return p, fmt.Errorf("the score %.40q is not a number", row.Labels[0])
	}
	return p, nil
}

func ordinal(i int) string { return []string{"first", "second"}[i] }

func (p Pair) check(o Options) error {
	for i, text := range []string{p.First, p.Second} {
		if strings.TrimSpace(text) == "" {
			return fmt.Errorf("the %s text of the pair is empty", ordinal(i))
		}
	}
	switch {
	case !o.Scored:
		return nil
	case !(math.Abs(p.Score) <= o.HighestScore):
		return fmt.Errorf("the score is %v, must be from %v to %v", p.Score, -o.HighestScore, o.HighestScore)
	case len(p.Negatives) > 0:
		return errors.New("a pair with a score has no negatives")
	}
	return nil
}

// An example is a pair by the numbers of its texts.
type example struct {
	a, b      uint32
	negatives []uint32
	score     float32
}

// A reading is what is read so far.
type reading struct {
	census
	texts    texts // by all words
	known    map[[sha256.Size]byte]uint32
	examples []example
	sum      hash.Hash // of all pairs
}

// readAtOnce is how many pairs are cut at the same time.
const readAtOnce = 1024

// read reads all pairs.
func read(ctx context.Context, c Corpus, o Options, progress func(uint64)) (*reading, error) {
	r := &reading{census: census{ids: map[string]uint32{}}, known: map[[sha256.Size]byte]uint32{}, texts: texts{starts: []uint64{0}}, sum: sha256.New()}
	if err := r.add(ctx, c, o, progress); err != nil {
		return nil, err
	}
	if len(r.examples) == 0 {
		return nil, errors.New("pairs: there are no pairs to train on")
	}
	return r, nil
}

// checksum returns the checksum of all pairs.
func (r *reading) checksum() string { return fmt.Sprintf("sha256:%x", r.sum.Sum(nil)) }

// add reads the pairs of a corpus.
func (r *reading) add(ctx context.Context, c Corpus, o Options, progress func(uint64)) error {
	var held []Pair
	work := parallel{threadsOf(o.Threads)}
	addHeld := func() error {
		cut := make([][][]string, len(held))
		errs := make([]error, len(held))
		work.each(len(held), 16, func(_, first, last int) {
			for i := first; i < last; i++ {
				for _, text := range append([]string{held[i].First, held[i].Second}, held[i].Negatives...) {
					words, _, err := o.Text.Cut(text)
					errs[i] = errors.Join(errs[i], err)
					cut[i] = append(cut[i], words)
				}
			}
		})
		for i, of := range cut {
			if errs[i] != nil {
				return fmt.Errorf("pair %d: %w", len(r.examples)+1, errs[i])
			}
			e := example{score: float32(held[i].Score / o.HighestScore)}
			for j, words := range of {
				switch text := r.text(words); j {
				case 0:
					e.a = text
				case 1:
					e.b = text
				default:
					e.negatives = append(e.negatives, text)
				}
			}
			_ = binary.Write(r.sum, binary.LittleEndian, append([]uint32{e.a, e.b, math.Float32bits(e.score)}, e.negatives...)) // a hash has no errors
			r.examples = append(r.examples, e)
		}
		held = held[:0]
		if progress != nil {
			progress(uint64(len(r.examples)))
		}
		return ctx.Err()
	}
	for p, err := range c.read(ctx, o) {
		if err != nil {
			return err
		}
		if held = append(held, p); len(held) == readAtOnce {
			if err := addHeld(); err != nil {
				return err
			}
		}
	}
	return addHeld()
}

// text returns the number of a text. Texts of the same words are the same.
func (r *reading) text(words []string) uint32 {
	h := sha256.New()
	for _, word := range words {
		_, _ = io.WriteString(h, word) // a hash has no errors
		_, _ = h.Write([]byte{0})
	}
	var key [sha256.Size]byte
	h.Sum(key[:0])
	text, ok := r.known[key]
	if ok {
		return text
	}
	text = uint32(r.texts.len())
	r.known[key] = text
	for _, word := range words {
		r.texts.words = append(r.texts.words, r.count(word))
	}
	r.texts.starts = append(r.texts.starts, uint64(len(r.texts.words)))
	_, _ = r.sum.Write(key[:])
	return text
}
