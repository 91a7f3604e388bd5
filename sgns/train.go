package sgns

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Data is what a run trains on.
type Data struct {
	IDs   *corpus.IDs  // the corpus, as ids of the vocabulary
	Vocab *vocab.Vocab // with the counts that subsampling and negatives go by

	// HeldOut is text, as ids of the same vocabulary, on which the loss is measured
	// and which is not trained on; nil for none.
	HeldOut *corpus.IDs

	// Init is vectors to start from, by the names of words; nil for none. Words that it
	// does not have start as usual. It is read while training starts, by rising rows,
	// and not needed when Train has returned.
	Init *vectors.Set
}

// A Model is what training made.
type Model struct {
	Vectors *vectors.Set
	// Progress is how far training came; its Loss is the mean of the last epoch.
	Progress Progress
	// Evaluation is the one whose vectors these are, of a run that keeps the best;
	// else nil.
	Evaluation *Evaluation
	// Remarks are what was found about the vectors of a run that came to its end.
	Remarks []Remark
}

// Train trains word vectors on a corpus of ids of a vocabulary.
//
// It starts from the vectors in d.Init, if there are any: input vectors, n-grams and
// context vectors too, as far as they are there and fit. N-grams do if words are cut
// into the same ones: then every bucket starts as it was, and one that no word of the
// vocabulary uses stays in the model. If they do not fit, the vectors of known words
// are what they were all the same. Hooks.Warm is told what was taken.
//
// If the context ends before training does, it returns the model as it is by then
// together with the context's error. It returns no model, and an error, if the
// configuration is not valid, if there are no tokens, if the model would not fit
// into memory (a *MemoryError), if training diverges again and again (a *DivergedError), or
// if there is nothing to learn from (ErrNoPairs).
func Train(ctx context.Context, d Data, c Config, h Hooks) (*Model, error) {
	return trainFrom(ctx, d, c, nil, h)
}

// trainFrom trains from the beginning, or from a checkpoint if there is one.
func trainFrom(ctx context.Context, d Data, c Config, from *Checkpoint, h Hooks) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := validateRun(ctx, d, h); err != nil {
		return nil, err
	}
	c.Subword = subword.Value(c.Subword)
	var r *run
	err := reading(d.Init, from, func() (err error) {
		r, err = prepare(d, c, from, h)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.start(); err != nil {
		return nil, err
	}
	var begun [][]float32
	if from == nil && r.init == nil {
		begun = frequentVectors(r.set(r.parameters))
	}
	stopReports := r.report()
	err = r.persist(ctx)
	final := stopReports()
	r.saves.Wait()
	if errors.Is(err, ErrDiverged) {
		return nil, err
	}
	if _, pairs := r.losses(false); err == nil && pairs == 0 {
		return nil, ErrNoPairs
	}
	if h.Checkpoint != nil {
		h.Checkpoint(r.checkpoint(r.parameters, r.state()))
	}
	if err != nil {
		err = fmt.Errorf("training stopped at %d of %d tokens: %w", final.Tokens, final.Total, err)
	}
	m := &Model{Progress: final}
	p := r.parameters
	if r.judge.keeps && err == nil {
		p, m.Evaluation = r.best, r.judge.Best.evaluation()
	}
	m.Vectors = r.set(p)
	if m.Evaluation != nil {
		training := m.Vectors.Training()
		training.Trained = r.before + m.Evaluation.Tokens
		m.Vectors = m.Vectors.WithTraining(training)
	}
	if err == nil {
		m.Remarks = r.remarks(m.Vectors, begun)
	}
	return m, err
}

// set returns vectors with these parameters.
func (r *run) set(p parameters) *vectors.Set { return setOf(r.parts(p)) }

// setOf returns the set of parts that fit together.
func setOf(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(fmt.Errorf("sgns: %w", err))
	}
	return s
}

// parts is what set is made of.
func (r *run) parts(p parameters) vectors.Parts {
	c := r.config
	s := vectors.Parts{
		Words:  r.words,
		Counts: r.vocab.Counts(),
		Input:  p.input,
		Matrices: []vectors.NamedMatrix{
			{Name: vectors.MatrixImportance, Matrix: p.importance},
			{Name: vectors.MatrixPositionWeights, Matrix: p.positions},
			{Name: vectors.MatrixWordNgrams, Matrix: p.runs},
		},
		Training: vectors.Training{
			Architecture:  string(c.arch()),
			Tied:          c.Tied,
			Nested:        nestedText(c.Nested),
			WordNgrams:    c.WordNgrams,
			Window:        c.Window,
			Epochs:        c.Epochs,
			Sample:        c.Sample,
			LearningRate:  r.firstRate(),
			Seed:          c.Seed,
			Deterministic: c.Deterministic,
			Tokens:        r.ids.Tokens(),
			Trained:       r.before + r.tokens(),
		},
	}
	if c.Rank > 0 {
		s.Input = vectors.Product(p.input, p.projection)
	}
	switch {
	case c.loss() == HierarchicalSoftmax:
		s.Matrices = append(s.Matrices, vectors.NamedMatrix{Name: vectors.MatrixNodes, Matrix: p.output})
	case c.arch() == Structured:
		s.Matrices = append(s.Matrices, vectors.NamedMatrix{Name: vectors.MatrixPositionOutput, Matrix: p.output})
		s.Output = vectors.MeanOverPositions(p.output, r.vocab.Len())
	default:
		s.Output = p.output
	}
	if c.loss() == HierarchicalSoftmax {
		s.Training.Loss = string(HierarchicalSoftmax)
	} else {
		s.Training.Negatives, s.Training.NSExponent = c.Negatives, c.NSExponent
	}
	if c.Subword != nil {
		s.Subword, s.WordRows, s.BucketRows = c.Subword, r.table.WordRow, r.table.BucketRow
		s.Composition = c.composition()
	}
	return s
}

// nestedText is how Training has nested dimensions.
func nestedText(dims []int) string {
	var text []string
	for _, n := range dims {
		text = append(text, strconv.Itoa(n))
	}
	return strings.Join(text, ",")
}

// reading calls read, which reads the sets that a run begins with, so that a file which is
// changed meanwhile is an error.
func reading(init *vectors.Set, from *Checkpoint, read func() error) error {
	inner := read
	if from != nil {
		inner = func() error { return from.set.Guard(read) }
	}
	if init != nil {
		return init.Guard(inner)
	}
	return inner()
}
