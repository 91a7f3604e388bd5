package train

import (
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// planned passes on the plan of the run, and checks that the disk has room for what the run is
// going to write.
func (r *run) planned(v *vocab.Vocab, p sgns.Plan) error {
	if tell := r.hooks.Plan; tell != nil {
		tell(Plan{Plan: p, Counting: sysinfo.PeakMemory(), Settings: r.settings, Resumed: r.goesOn()})
	}
	if r.options.Output == "" && r.checkpoints.file == "" {
		return nil
	}
	shape := shapeOf(r.settings.Model, v, p)
	if remark, ok := r.largeFile(shape); ok {
		r.remark(remark)
	}
	if r.options.Force {
		return nil
	}
	return r.checkDisk(shape, parameterBytes(p))
}

// goesOn says how a resumed run goes on; nil for a new run.
func (r *run) goesOn() *Resumed {
	if r.from == nil {
		return nil
	}
	on := &Resumed{File: r.resumed.file, Tokens: r.from.Tokens, Total: r.from.Total, Ended: r.from.Ended()}
	if r.resumed.again {
		on.Extended = r.options.Checkpoint.ExtendEpochs
	}
	return on
}

// checkDisk returns an error if a model of that shape, or the checkpoints beside it, are sure
// not to fit where they go.
func (r *run) checkDisk(shape vectors.Shape, parameters int) error {
	output, need := r.options.Output, uint64(0)
	if output != "" {
		need = format.EstimateSize(output, shape, r.format)
	}
	if ck := r.checkpoints.file; ck != "" {
		state := shape
		if r.settings.Model.Patience > 0 {
			state.State = parameters // of the best vectors
		}
		bytes := format.EstimateSize(ck, state, format.W2V)
		more := bytes // while a checkpoint takes the place of the one before
		if !r.checkpoints.replaces() {
			more = 2 * bytes
		}
		if err := checkBytes(ck, more); err != nil {
			return err
		}
		if filepath.Dir(ck) == filepath.Dir(output) {
			need += more - bytes
		}
	}
	if output == "" {
		return nil
	}
	return checkBytes(output, need)
}

// A file is large if it takes at least largeFile bytes, and at least largeRatio times as many
// as a native file.
const (
	largeFile  = 100e6
	largeRatio = 4
)

// largeFile remarks that the model's file is going to be large. Formats that store every bucket
// of n-grams, trained or not, make such files.
func (r *run) largeFile(shape vectors.Shape) (Remark, bool) {
	output := r.options.Output
	if output == "" {
		return Remark{}, false
	}
	bytes := format.EstimateSize(output, shape, r.format)
	native := nativePath(output)
	least := format.EstimateSize(native, shape, format.W2V)
	sub := r.settings.Model.Subword
	if bytes < largeFile || bytes < largeRatio*least || !format.KeepsSubword(sub, nil, r.format) {
		return Remark{}, false
	}
	return remarkf(RemarkLargeFile, "%s will take %.0f MB, because the format %s stores all %s buckets, trained or not; %s takes %.0f MB, and %v makes fewer",
		output, float64(bytes)/1e6, r.format, wording.Thousands(shape.Buckets), native, float64(least)/1e6, name("buckets")), true
}

// nativePath is a path with the extension of native files.
func nativePath(path string) string {
	path, _ = compression.SplitExt(path)
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".w2v"
}

// Names of matrices that most models have: see docs/format.md.
const (
	inputMatrix  = "input"
	outputMatrix = "output"
)

// floatBytes is the size of the numbers that training writes.
const floatBytes = 4

// shapeOf is what the model of a planned run is going to be.
func shapeOf(c sgns.Config, v *vocab.Vocab, p sgns.Plan) vectors.Shape {
	composed := subword.CompositionOf(c.Subword)
	shape := vectors.Shape{
		Words:    p.Words,
		Counts:   true,
		Dim:      c.Dim,
		Rows:     p.Rows,
		Pieces:   !composed.OwnRows(),
		Weighted: composed.Learned(c.Subword).Any(),
		Trained:  true,
	}
	var further vectors.Parts
	for _, m := range p.Matrices {
		switch {
		case m.Name == inputMatrix:
			shape.RowBytes = m.Bytes * m.Cols
		case m.Name == outputMatrix:
			shape.ContextBytes, shape.ContextMade = floatBytes*m.Cols, m.SameAs != ""
		default:
			shape.Beside += floatBytes * m.Rows * m.Cols
			further.Matrices = append(further.Matrices, vectors.NamedMatrix{Name: m.Name, Matrix: vectors.Matrix{Rows: m.Rows, Cols: m.Cols}})
		}
	}
	if _, made := further.MadeOutput(); made {
		shape.ContextBytes, shape.ContextMade = floatBytes*c.Dim, true
	}
	for _, token := range v.Tokens() {
		shape.Text += len(token)
	}
	if c.Subword != nil {
		shape.Buckets = c.Subword.Rows()
	}
	if c.Subword != nil && !shape.Weighted { // it is listed which rows words and buckets share
		shape.Listed = shape.Buckets
		if !shape.Pieces {
			shape.Listed += p.Words
		}
	}
	return shape
}

// parameterBytes is what all matrices of a planned run take.
func parameterBytes(p sgns.Plan) (bytes int) {
	for _, m := range p.Matrices {
		if m.SameAs == "" {
			bytes += floatBytes * m.Rows * m.Cols
		}
	}
	return bytes
}
