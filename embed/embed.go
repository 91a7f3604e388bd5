// Package embed writes the vectors of all texts of a corpus to a file.
//
//	m, err := query.Open(ctx, "model.w2v", query.Options{})
//	…
//	result, err := embed.Write(ctx, m.Finder, []string{"texts.txt.zst"}, "vectors.npy", embed.Options{})
//
// Vectors are those of w2v sentence, to the bit. They are made on all processors and written in the order of the texts, in
// little memory. A run that was interrupted goes on where it was.
package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/ordered"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// Options say what is written. The zero value works, for lines of text.
type Options struct {
	// Fields say where the text of a row is. Of the fields for labels, LabelColumn and LabelField say where its id is.
	Fields  corpus.Fields
	Pooling pooling.Options
	Code    Code   // empty means F32
	As      string // what the column or field of vectors is called; empty means "vector"
	NoText  bool   // texts, and other fields of JSON, are not written beside vectors
	Stdin   io.Reader
	// Restart forgets what an interrupted run has done.
	Restart bool
	// Memory is how many bytes vectors of words may take, which are kept so that each is composed once; 0 means 1 GB.
	Memory int64
	// SaveEvery is how often what is done is put on the disk, so that a run which is killed can go on; 0 means 30 seconds.
	SaveEvery time.Duration
	// Started, if not nil, is called before the first text is embedded. An error ends the run.
	Started func(Start) error
	// Progress, if not nil, is called some times a second with the number of rows that were embedded, and with the part of the files that
	// was read, from 0 to 1, or NaN if that is not known.
	Progress func(rows uint64, fraction float64)
}

// A Start says how a run begins.
type Start struct {
	Rows   uint64 // that an interrupted run has written
	Pooler *pooling.Pooler
	Memory int64 // how many bytes vectors of words take at most, with the table of pieces of texts that finds them
}

// A Result says what was written.
type Result struct {
	Rows    uint64         // all of them
	Resumed uint64         // rows of those that an interrupted run had written
	Without uint64         // rows without a token that has a vector: zeros, or null
	TooLong corpus.TooLong // tokens that were left out, since the run was resumed
}

// usualMemory is how many bytes vectors of words take at most that are kept.
const usualMemory = 1 << 30

func (o Options) hasID() bool { return o.Fields.LabelColumn+o.Fields.LabelField != "" }

// Validate returns an error if options do not fit together.
func (o Options) Validate() error {
	if o.Code != "" && !slices.Contains(Codes(), o.Code) {
		return fmt.Errorf("unknown code %q, want one of %v", string(o.Code), Codes())
	}
	whole := o.Fields.TextField != "" && !o.NoText // objects keep their fields, and say which names they have
	if o.As == "scale" && o.Code == Int8 || !whole && (o.As == "text" && !o.NoText || o.As == "id" && o.hasID()) {
		return fmt.Errorf("vectors cannot have the name %q, which another field has beside them", o.As)
	}
	return cmp.Or(o.Fields.Validate(o.hasID()), o.Pooling.Validate())
}

// An InterruptedError says that a run ended early, and why. The same call goes on.
type InterruptedError struct {
	Path string // the file that has what is done
	Rows uint64
	Err  error
}

func (e *InterruptedError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *InterruptedError) Unwrap() error { return e.Err }

// Write writes the vectors of texts to the file at path, whose extension is one of Extensions. The texts are rows of files,
// folders or globs, which may be compressed; "-" is Options.Stdin. A row that cannot be read, or that the pipeline of the model
// cannot cut, ends the run with an error that names its place.
//
// Until the file is whole, it is called path.partial, and path.partial.json says what is in it. The same call goes on with such
// files, and writes the same bytes as one that was not interrupted. It is an error if the model, the options or the texts are
// others than before; Options.Restart begins again. Two processes must not write the same path at once.
func Write(ctx context.Context, words *query.Finder, texts []string, path string, o Options) (*Result, error) {
	o.Code, o.As = cmp.Or(o.Code, F32), cmp.Or(o.As, "vector")
	o.Fields.Unlabelled = !o.hasID()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	pooler, err := pooling.New(words.Set(), o.Pooling)
	if err != nil {
		return nil, err
	}
	e, err := newEncoder(words, pooler, cmp.Or(o.Memory, usualMemory), runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	layout, err := formOf(path, o, words.Set().Dim())
	if err != nil {
		return nil, err
	}
	src, err := corpus.FilesContext(ctx, texts, o.Stdin, corpus.Options{})
	if err != nil {
		return nil, err
	}
	out, err := begin(path, layout, words.Set().Dim(), o, identity(words, pooler, o))
	if err != nil {
		return nil, err
	}
	rows := src.Rows(ctx, o.Fields)
	out.fraction = rows.Fraction
	if o.Started != nil {
		if err := o.Started(Start{Rows: out.done.Rows, Pooler: pooler, Memory: e.memory()}); err != nil {
			return out.end(err)
		}
	}
	err = errors.Join(out.run(ctx, e, rows), rows.Close())
	if err == nil {
		err = cmp.Or(words.Set().Guard(func() error { return nil }), words.Set().Err())
	}
	return out.end(err)
}

// A task is a block of rows, the first of which are skipped because they are done.
type task struct {
	rows corpus.Block
	skip int
}

// run embeds what is not done.
func (s *sink) run(ctx context.Context, e *encoder, rows *corpus.Rows) error {
	free := make(chan *worker, runtime.GOMAXPROCS(0))
	for range cap(free) {
		free <- e.worker()
	}
	next := s.skipping(rows)
	return ordered.Each(ctx, next, func(of task, _ func(*block) error) (*block, error) {
		w := <-free
		defer func() { free <- w }()
		b := s.block()
		return b, e.words.Set().Guard(func() error { return w.block(b, of, s.form) })
	}, s.add)
}

// block embeds a block of rows.
func (w *worker) block(b *block, of task, layout form) error {
	t := text{vector: make([]float32, w.words.Set().Dim())}
	for row, err := range of.rows.Rows() {
		if err != nil {
			return err
		}
		if !isText(row) {
			continue
		}
		if of.skip > 0 {
			of.skip--
			continue
		}
		c, err := w.encode(t.vector, row.Text)
		if err != nil {
			return row.Error(err)
		}
		t.row, t.some = row, c.used > 0
		if err := layout.row(b, &t); err != nil {
			return row.Error(err)
		}
		if c.left.Tokens > 0 {
			b.left.Add(c.left)
		}
		b.sums, b.some = append(b.sums, sumOf(row)), append(b.some, t.some)
	}
	return nil
}

// isText reports whether a row has a vector: all lines of text do, so that vectors and lines have the same numbers.
func isText(row *corpus.Row) bool { return row.IsLine() || !row.Blank }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sumOf(row *corpus.Row) uint32 {
	sum := crc32.Checksum(row.Text, castagnoli)
	for _, label := range row.Labels {
		sum = crc32.Update(sum, castagnoli, []byte(label))
	}
	return sum
}

func (b *block) reset() {
	*b = block{data: b.data[:0], cells: b.cells[:0], sums: b.sums[:0], some: b.some[:0]}
}

// skipping returns a function that returns what is not done of rows.
func (s *sink) skipping(rows *corpus.Rows) func() (task, error) {
	left, sum := s.done.Rows, uint32(0)
	return func() (task, error) {
		for {
			b, err := rows.Next()
			if err != nil {
				if errors.Is(err, io.EOF) && left > 0 {
					err = s.changed()
				}
				return task{}, err
			}
			if left == 0 {
				return task{rows: b}, nil
			}
			n, all := 0, true
			for row, err := range b.Rows() {
				if err != nil {
					return task{}, err
				}
				if !isText(row) {
					continue
				}
				if left == 0 {
					all = false
					break
				}
				sum = updated(sum, sumOf(row))
				n++
				left--
			}
			if left == 0 && sum != s.done.Texts {
				return task{}, s.changed()
			}
			if !all {
				return task{b, n}, nil
			}
		}
	}
}

// updated adds the checksum of a row to that of all rows before.
func updated(sum, row uint32) uint32 {
	return crc32.Update(sum, castagnoli, []byte{byte(row), byte(row >> 8), byte(row >> 16), byte(row >> 24)})
}

func (s *sink) changed() error {
	return fmt.Errorf("%s: the first %d texts are not those that the interrupted run has embedded: remove the file, or restart", s.partial, s.done.Rows)
}

// memory is how many bytes vectors of words take at most, and the table that finds them.
func (e *encoder) memory() int64 {
	if e.parts == nil {
		return 0
	}
	return e.parts.Memory() + int64(len(e.known.entries))*int64(unsafe.Sizeof(entry{})) + 4*int64(len(e.known.lists))
}
