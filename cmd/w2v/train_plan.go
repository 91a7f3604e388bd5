package main

import (
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// planned returns what looks whether the disk has room for what is going to be written,
// before anything is trained.
func (f *trainFlags) planned(v *vocab.Vocab, format vectors.Format, report *reporter) func(sgns.Plan) error {
	return func(p sgns.Plan) error {
		report.planned(p.Bytes, f.rows(p))
		f.noteResumed(report)
		if f.config.Deterministic && p.Threads == 1 && f.config.Threads != 1 && runtime.GOMAXPROCS(0) > 1 {
			report.note("--deterministic trains such a model with one thread")
		}
		shape := f.shape(v, p)
		f.noteSize(shape, format, report)
		if f.config.Force {
			return nil
		}
		return f.checkDisk(shape, format)
	}
}

// rows names the rows that are going to be trained.
func (f *trainFlags) rows(p sgns.Plan) string {
	c := f.config
	words := thousands(uint64(p.Words))
	text := thousands(uint64(p.Rows)) + " input"
	switch {
	case c.Tied:
		text += " rows, which are the output rows too"
	case c.Loss == sgns.HierarchicalSoftmax:
		text += fmt.Sprintf(" rows and %s inner nodes of a tree", thousands(uint64(max(p.Words-1, 0))))
	case c.Arch == sgns.Structured:
		text += fmt.Sprintf(" and %d × %s output rows", 2*c.Window, words)
	default:
		text += fmt.Sprintf(" and %s output rows", words)
	}
	if c.WordNgrams > 1 {
		text += fmt.Sprintf(", %s of runs of words", thousands(uint64(c.WordBuckets)))
	}
	return text
}

// noteResumed says where a run goes on that is resumed.
func (f *trainFlags) noteResumed(report *reporter) {
	from := f.checkpoint.from
	if from == nil {
		return
	}
	report.note("going on from %s: %s of %s tokens are trained", f.checkpoint.resume, thousands(from.Tokens), thousands(from.Total))
	switch {
	case from.Ended():
		report.note("that run is at its end; --extend-epochs trains on")
	case f.checkpoint.again:
		report.note("it has been extended by %d epochs already, and is not by more", f.checkpoint.extend)
	}
}

// shape is what the model is going to be.
func (f *trainFlags) shape(v *vocab.Vocab, p sgns.Plan) vectors.Shape {
	const float = 4
	c := f.config
	row, width := f.widths()
	shape := vectors.Shape{
		Words:        p.Words,
		Counts:       true,
		Dim:          c.Dim,
		Rows:         p.Rows,
		RowBytes:     float * row,
		ContextBytes: float * c.Dim,
		ContextMade:  c.Tied || c.Arch == sgns.Structured,
		Beside:       float * (c.Rank*c.Dim + c.WordBuckets*width),
		Pieces:       f.composition() != vectors.ComposeMean,
		Weighted:     f.composition() == vectors.ComposeWeighted,
		Trained:      true,
	}
	if c.PositionWeights {
		shape.Beside += float * 2 * c.Window * width
	}
	if c.Arch == sgns.Structured {
		shape.Beside += float * 2 * c.Window * p.Words * c.Dim
	}
	if c.Loss == sgns.HierarchicalSoftmax {
		shape.ContextBytes = 0
		shape.Beside += float * max(p.Words-1, 0) * c.Dim
	}
	for _, token := range v.Tokens() {
		shape.Text += len(token)
	}
	if c.Subword != nil {
		shape.Buckets = c.Subword.Rows()
	}
	switch sub := c.Subword.(type) {
	case subword.FastText:
		shape.Listed = p.Words + shape.Buckets
	case subword.Floret:
		shape.Listed = shape.Buckets
	case subword.Hash:
		shape.Beside += float * sub.Importances * sub.Hashes
	}
	return shape
}

// widths are how many numbers an input row has, and how many what is composed of such rows.
func (f *trainFlags) widths() (row, composed int) {
	composed = f.config.Dim
	if f.config.Rank > 0 {
		composed = f.config.Rank
	}
	if hash, ok := f.config.Subword.(subword.Hash); ok && hash.AppendWeights {
		return composed - hash.Hashes, composed
	}
	return composed, composed
}

// parameterBytes is what all matrices take of a model of that shape.
func parameterBytes(s vectors.Shape) int {
	bytes := s.RowBytes*s.Rows + s.Beside
	if !s.ContextMade {
		bytes += s.ContextBytes * s.Words
	}
	return bytes
}

// checkDisk returns an error if a model of that shape, or the checkpoints beside it, are
// sure not to fit where they go.
func (f *trainFlags) checkDisk(shape vectors.Shape, format vectors.Format) error {
	need := vectors.EstimateSize(f.output, shape, format)
	if ck := f.checkpoint.path; ck != "" {
		state := shape
		if f.config.Patience > 0 {
			state.State = parameterBytes(shape) // of the best vectors
		}
		bytes := vectors.EstimateSize(ck, state, vectors.FormatW2V)
		more := bytes // while a checkpoint takes the place of the one before
		if !f.checkpoint.replaces() {
			more = 2 * bytes
		}
		if err := checkBytes(ck, more); err != nil {
			return err
		}
		if filepath.Dir(ck) == filepath.Dir(f.output) {
			need += more - bytes
		}
	}
	return checkBytes(f.output, need)
}
