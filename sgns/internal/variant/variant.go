// Package variant combines the parts of a run: its architecture, its loss, and the composition of words'
// vectors. It refers to none of them by name.
package variant

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/compose"
	"github.com/w2v-go/w2v/sgns/internal/counts"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// A Variant is what a run trains. All workers share it.
type Variant struct {
	Run          settings.Run
	Architecture arch.Architecture
	Loss         loss.Loss
	Composition  *compose.Composition
	parts        []capability.Part
	plain        bool // architecture and loss are plain kinds
}

// Of returns the variant of the settings, or an error if names are unknown or parts do not work together.
func Of(r settings.Run) (*Variant, error) {
	v, err := Assemble(r)
	if err != nil {
		return nil, err
	}
	return v, v.check()
}

// Assemble is Of without the check that the parts work together.
func Assemble(r settings.Run) (*Variant, error) {
	a, err := settings.Find("architecture", r.Arch, arch.All())
	if err != nil {
		return nil, err
	}
	v := &Variant{Run: r, Architecture: a.New(r), Composition: compose.New(r)}
	losses := loss.Kinds()
	if v.Texts() {
		losses = loss.OfLabels()
	}
	l, err := settings.Find("loss", r.Loss, losses)
	if err != nil {
		return nil, err
	}
	v.Loss, v.plain = l.New(r), a.Plain && l.Plain
	v.parts = slices.Concat(
		[]capability.Part{v.Architecture.Capabilities(), v.Loss.Capabilities()},
		v.Composition.Capabilities(), arch.Options(r), options(r))
	return v, nil
}

func (v *Variant) check() error {
	for _, check := range []func() error{
		func() error { return arch.CheckWordNgrams(v.Run) },
		func() error { return capability.Check(v.parts...) },
		v.Architecture.Check,
		v.Composition.Check,
		func() error { return checkNested(v.Run) },
		v.checkPooling,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// Lacks reports whether a part lacks a capability.
func (v *Variant) Lacks(c capability.Capability) bool {
	_, lacks := capability.Lacking(c, v.parts...)
	return lacks
}

// Indivisible says why the run's rows cannot be divided among processes; empty if they can be.
func (v *Variant) Indivisible() string {
	why, _ := capability.Lacking(capability.Divides, v.parts...)
	return why
}

// ColumnParallel reports whether several goroutines can train the columns of the run's matrices.
// Deterministic runs of other variants have one worker, which gives the same bits every time, too.
func (v *Variant) ColumnParallel() bool {
	return v.Run.Deterministic && !v.Lacks(capability.Columns)
}

// Plain reports whether programs that do not know variants train the same: a plain architecture and loss,
// input rows of float32 whose means are words, and separate output rows.
func (v *Variant) Plain() bool {
	list := v.Matrices(1, 1, nil)
	return v.plain && len(list) == 2 && !list[0].Halves && list[1].SameAs == "" && v.Run.Beginnings() == 1 &&
		v.Composition.OwnRows()
}

// Matrices describes all matrices of a run with so many outputs: words, or labels. The table is nil before rows are
// numbered.
func (v *Variant) Matrices(outs, rows int, table *rowtable.Table) params.List {
	inputs := v.Composition.Matrices(rows, table)
	outputs := v.Loss.Outputs(v.Architecture.Output(outs), outs)
	if v.Run.Tied {
		outputs.SameAs = v.Input()
	}
	var own []params.Matrix
	if l, ok := v.Loss.(loss.Owner); ok {
		own = l.Own(outs)
	}
	return params.NewList(inputs, []params.Matrix{outputs}, v.Architecture.Matrices(), own)
}

// Finish returns how much a word's own row counts beside its n-grams in finished vectors, and the power of the singular values of
// vectors. Both are 1 if vectors stay as they are trained.
func (v *Variant) Finish() (own, power float64) {
	own, power = 1, 1
	if v.Run.Subword != nil && !v.Lacks(capability.Turns) {
		own, power = v.Architecture.Finish()
	}
	if v.Lacks(capability.Sums) { // words have no rows of their own
		own = 1
	}
	return cmp.Or(v.Run.OwnWeight, own), cmp.Or(v.Run.Power, power)
}

// Finishes reports whether finished vectors differ from those that are trained.
func (v *Variant) Finishes() bool {
	own, power := v.Finish()
	return own != 1 || power != 1
}

// Counts reports whether counts of pairs of words are trained instead of the text. A word's vector then is the sum of its
// input and output row.
func (v *Variant) Counts() bool {
	_, counts := v.Loss.(loss.Counted)
	return counts
}

// XMax returns the count from which on all pairs weigh the same, if counts are trained.
func (v *Variant) XMax() float64 {
	if l, ok := v.Loss.(loss.Counted); ok {
		return l.XMax()
	}
	return 0
}

// Sides returns the rows of words and of contexts that counts train, and the size of rows.
func (v *Variant) Sides(values *params.Values) (words, contexts counts.Side, cols, stride int) {
	data := func(name string) []float32 { return values.Matrix(name).Data }
	rows := values.Matrix(v.Input())
	words = counts.Side{Rows: rows.Data, Sums: data(loss.InputSums), Biases: data(loss.InputBiases), BiasSums: data(loss.InputBiasSums)}
	contexts = counts.Side{Rows: data(OutputName), Sums: data(loss.OutputSums), Biases: data(loss.OutputBiases), BiasSums: data(loss.OutputBiasSums)}
	return words, contexts, rows.Cols, rows.Stride
}

// OutputName is the name of the matrix with an output row for each word.
const OutputName = arch.OutputName

// Input returns the name of the matrix of the rows that words are made of.
func (*Variant) Input() string { return compose.InputName }

// Prepare computes what all workers share, except the matrices.
// Outputs are words or labels.
func (v *Variant) Prepare(words, outputs *vocab.Vocab, table *rowtable.Table) {
	v.Architecture.Prepare(words)
	v.Loss.Prepare(outputs)
	v.Composition.Prepare(words, table)
}

// PreparedBytes is the size of the result of Prepare, without the table.
func (v *Variant) PreparedBytes(words, outputs *vocab.Vocab) float64 {
	return v.Architecture.PreparedBytes(words.Len()) + v.Loss.PreparedBytes(outputs)
}

// Draws returns how many words a block draws.
func (v *Variant) Draws() int {
	return v.Loss.Draws(v.Architecture.Draws(v.Run.DrawsOf()))
}

// Threshold is the value that small errors of negatives are rounded to: see settings.Threshold.
func (v *Variant) Threshold() float32 {
	if l, ok := v.Loss.(loss.Rounded); ok {
		return l.Threshold()
	}
	if v.Draws() == 0 {
		return 0
	}
	return settings.Threshold
}

// Heads is how many output matrices there are.
func (v *Variant) Heads() int { return v.Architecture.Traits(1).Heads }

// Around reports whether steps need the words around their centres.
func (v *Variant) Around() bool { return v.Architecture.Traits(1).Around }

// Texts reports whether inputs are whole texts, and outputs their labels.
func (v *Variant) Texts() bool { return v.Architecture.Traits(1).Texts }

// RunBuckets is the number of buckets of runs of words; 0 without runs.
func (v *Variant) RunBuckets() int {
	if v.Run.WordNgrams < 2 {
		return 0
	}
	return v.Run.WordBuckets
}

// Rate is the factor of the architecture's learning rate that suits the variant. Tied rows move as inputs and as
// outputs, and the first dimensions of nested vectors change for each beginning.
func (v *Variant) Rate() float64 {
	rate := v.Composition.Rate()
	if v.Run.Tied {
		rate *= 0.5
	}
	return rate * 2 / float64(1+v.Run.Beginnings())
}

// A Worker has a worker's own parts of a variant.
type Worker struct {
	step.Parts
	Architecture step.Architecture
	Loss         step.Loss
	Composition  compose.Worker
}

// Worker returns the parts of a worker that trains values.
func (v *Variant) Worker(values *params.Values, d step.Division) Worker {
	w := Worker{Parts: step.Parts{Values: values, Replicas: step.NewReplicas(values), Division: d}}
	w.Composition = v.Composition.Worker(w.Parts, v.Around())
	w.Source = w.Composition.Source()
	w.bind(v)
	return w
}

// Another returns parts, with the composition of w, for blocks that are trained together with those of w.
func (w Worker) Another(v *Variant) Worker {
	w.bind(v)
	return w
}

func (w *Worker) bind(v *Variant) {
	w.Architecture = v.Architecture.Worker(w.Parts)
	w.Traits = w.Architecture.Traits()
	w.Loss = v.Loss.Worker(w.Parts)
}

// Bytes is the size of the parts of a worker, and of its step.
func (v *Variant) Bytes(d step.Division, list params.List, outputs *vocab.Vocab, table *rowtable.Table) float64 {
	traits := v.Architecture.Traits(d.Centres)
	positives, negatives := v.Loss.Most(traits.Targets, d.Draws, outputs)
	shared := slices.ContainsFunc(list, func(m params.Matrix) bool { return m.SameAs != "" })
	s := step.Size{
		Positives: positives, Negatives: negatives, Division: d, Matrices: list, Dim: v.Run.Hidden(), Lists: v.Run.Beginnings(),
		Direct: traits.Rows && !v.Composition.Projects() && !shared, Scored: v.Loss.Scored(),
	}
	return s.Bytes() + v.pairingBytes(d) + v.Composition.Bytes(d, table, traits.Around)
}

func (v *Variant) pairingBytes(d step.Division) float64 {
	return v.Architecture.Bytes(d.Centres) + v.Loss.Bytes(v.Heads())
}

// BatchBytes is the size of a batch with its own architecture and loss.
func (v *Variant) BatchBytes(d step.Division, outputs *vocab.Vocab) float64 {
	positives, negatives := v.Loss.Most(v.Architecture.Traits(d.Centres).Targets, d.Draws, outputs)
	return step.BatchBytes(positives, negatives, d.Draws, v.Run.Beginnings()) + v.pairingBytes(d)
}

// options returns what options of no part in particular need of the parts, and lack: frozen known words, nested
// vectors (see step), and tied vectors, where input and output vectors are the same rows.
func options(r settings.Run) (parts []capability.Part) {
	if r.Tied {
		parts = append(parts, capability.Part{
			Needs: map[capability.Capability]string{
				capability.OneRow:      "tied vectors are one row a word",
				capability.OutputWords: "tied vectors are those of words on both sides",
				capability.Steps:       "tied vectors are input and output in a step",
			},
			Lacks: map[capability.Capability]string{
				capability.Freezes: "no vectors can be frozen if they are tied: those of known words change as outputs of new ones",
				capability.Divides: "tied vectors have no output rows of their own",
				capability.Columns: "tied vectors change from both sides",
				capability.Turns:   "tied vectors are their own outputs",
			},
		})
	}
	if len(r.Nested) > 1 {
		parts = append(parts, capability.Part{
			Needs: map[capability.Capability]string{capability.Nests: ""},
			Lacks: map[capability.Capability]string{
				capability.Columns: "nested vectors have a score for each beginning",
				capability.Turns:   "the first dimensions of nested vectors are vectors of their own",
			},
		})
	}
	if r.Freeze {
		parts = append(parts, capability.Part{
			Needs: map[capability.Capability]string{capability.Freezes: ""},
			Lacks: map[capability.Capability]string{capability.Turns: "frozen vectors stay as they are"},
		})
	}
	if r.OwnWeight != 0 && r.OwnWeight != 1 {
		const changes = "an own weight changes the rows of words when training has ended"
		parts = append(parts, capability.Part{
			Needs: map[capability.Capability]string{capability.Sums: changes},
			Lacks: map[capability.Capability]string{
				capability.Freezes:  "frozen vectors stay as they are, and " + changes,
				capability.Projects: changes + ", and they have to be as wide as vectors",
			},
		})
	}
	if r.Power != 0 && r.Power != 1 {
		const mixes = "a power mixes the axes of vectors when training has ended"
		parts = append(parts, capability.Part{
			Needs: map[capability.Capability]string{capability.Turns: mixes},
			Lacks: map[capability.Capability]string{capability.Divides: mixes},
		})
	}
	return parts
}

func (v *Variant) checkPooling() error {
	if v.Run.Pooling != settings.PoolMean && !v.Texts() {
		return fmt.Errorf("pooling %s is for texts with labels", v.Run.Pooling)
	}
	return nil
}

func checkNested(r settings.Run) error {
	if len(r.Nested) == 1 {
		return fmt.Errorf("nested dimensions %v are one vector, which all are: name the shorter ones too", r.Nested)
	}
	for i, n := range r.Nested {
		if n < 1 || i > 0 && n <= r.Nested[i-1] {
			return fmt.Errorf("nested dimensions %v do not rise from 1 on", r.Nested)
		}
	}
	if n := len(r.Nested); n > 0 && r.Nested[n-1] != r.Dim {
		return fmt.Errorf("nested dimensions %v end at %d, and there are %d dimensions: the last must be all of them", r.Nested, r.Nested[n-1], r.Dim)
	}
	return nil
}
