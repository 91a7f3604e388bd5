package pairs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/vectors"
)

// Revisions are the numbers of the algorithms, raised when the same options would give other bits.
const (
	revision        = 2 // of pairs
	distillRevision = 3
)

// A state is what a checkpoint of pairs of texts keeps beside matrices: JSON in a set's State.
type state struct {
	Pairs   int // revision
	Options Options
	position
	QueueAt int         `json:",omitempty"`
	Queue   [][2]uint32 `json:",omitempty"`
}

// A checkpoint is a state and its matrices.
type checkpoint[S any] struct {
	position
	state S
	set   *vectors.Set
	rows  []vectors.Matrix // numbers, moments, weights and their moments, with Patience the best rows; then those of the task
}

// checkpoint returns the state of the run as a set, which is also the model so far. Its rows are those of the run.
func (r *run) checkpoint() (*vectors.Set, error) {
	set, err := r.model()
	if err != nil {
		return nil, err
	}
	p := set.Parts()
	at := r.position
	at.Steps = r.table.state.steps
	s, own := r.task.state(at)
	if p.State, err = json.Marshal(s); err != nil {
		return nil, err
	}
	rows, a := r.lexicon.rows, r.table.state
	p.StateRows = []vectors.Matrix{matrix(r.table.numbers, rows), matrix(a.first, rows), matrix(a.second, rows), matrix(r.table.weights, rows), matrix(a.ofWeights, rows)}
	if r.best != nil {
		p.StateRows = append(p.StateRows, matrix(r.best, rows))
	}
	p.StateRows = append(p.StateRows, own...)
	return vectors.New(p)
}

func matrix(data []float32, rows int) vectors.Matrix {
	cols := len(data) / rows
	return vectors.Matrix{Data: data, Rows: rows, Cols: cols, Stride: cols}
}

// forCheckpoint returns settings without how texts are cut, which is among the facts of the set.
func (o Settings) forCheckpoint() Settings {
	o.Text = pipeline.Pipeline{}
	return o
}

func (p *pairing) state(at position) (any, []vectors.Matrix) {
	q, o := p.queue, p.o
	o.Settings = o.forCheckpoint()
	var own []vectors.Matrix
	if q.size > 0 {
		own = []vectors.Matrix{matrix(q.left, q.size), matrix(q.right, q.size)}
	}
	return state{revision, o, at, q.at, q.texts[:q.n]}, own
}

// Resume goes on with the run of a checkpoint, on the same corpus, and comes to the same bits as if it had never stopped.
// Epochs, if above 0, is another number of epochs. held has the pairs that the run is measured on, unless it holds out a
// share of its corpus.
func Resume(ctx context.Context, c, held Corpus, from *vectors.Set, epochs, threads int, h Hooks) (*Trained, error) {
	k, err := openPairs(from)
	if err != nil {
		return nil, err
	}
	o := k.state.Options
	if err := k.goOn(&o.Settings, epochs, threads); err != nil {
		return nil, err
	}
	return start(ctx, c, held, o, h, k)
}

// goOn makes settings of the checkpoint those of the run that goes on. A run of more epochs than before has patience again.
func (k *checkpoint[S]) goOn(o *Settings, epochs, threads int) error {
	o.Init, o.Threads = k.set, threads
	text, err := pipeline.Of(k.set.Training())
	if err != nil {
		return err
	}
	o.Text = *text
	if epochs > 0 {
		if epochs < k.Epoch {
			return fmt.Errorf("pairs: the run has trained %d epochs, and %d are asked for", k.Epoch, epochs)
		}
		if epochs > o.Epochs {
			k.Since = 0
		}
		o.Epochs = epochs
	}
	return nil
}

// Checkpoint returns the options of the run of a checkpoint, and how many epochs it has trained.
func Checkpoint(set *vectors.Set) (o Options, epochs int, err error) {
	k, err := openPairs(set)
	if err != nil {
		return o, 0, err
	}
	return k.state.Options, k.Epoch, nil
}

func openPairs(set *vectors.Set) (*checkpoint[state], error) {
	k := &checkpoint[state]{set: set, rows: set.StateRows()}
	if err := readState(set, archPairs, &k.state); err != nil {
		return nil, err
	}
	s := &k.state
	k.position = s.position
	if err := s.Options.Validate(); err != nil {
		return nil, fmt.Errorf("the state of training: %w", err)
	}
	o := s.Options
	var own [][2]int
	if o.Queue > 0 {
		own = [][2]int{{o.Queue, o.Dim}, {o.Queue, o.Dim}}
	}
	if len(s.Queue) > o.Queue || s.QueueAt < 0 || s.QueueAt >= max(o.Queue, 1) {
		return nil, errUnfit
	}
	return k, k.fits(o.Settings, own...)
}

var errUnfit = errors.New("the state of training: its matrices do not fit its options")

// fits returns an error unless matrices have the sizes of the options, and those of the task these.
func (k *checkpoint[S]) fits(o Settings, own ...[2]int) error {
	rows, dim := k.set.Input().Rows, o.Dim
	sizes := [][2]int{{rows, dim}, {rows, dim}, {rows, dim}, {rows, 1}, {rows, 2}}
	if o.Patience > 0 {
		sizes = append(sizes, [2]int{rows, dim})
	}
	sizes = append(sizes, own...)
	fits := len(k.rows) == len(sizes) && k.Done >= 0 && k.Epoch >= 0 && k.Steps >= 0 && k.Since >= 0
	for i, m := range k.rows {
		fits = fits && m.Rows == sizes[i][0] && m.Cols == sizes[i][1]
	}
	if !fits {
		return errUnfit
	}
	return nil
}

// readState reads the state of a run of one of the commands.
func readState(set *vectors.Set, command string, to any) error {
	text := set.State()
	if len(text) == 0 {
		return errors.New("is a model, not a checkpoint: it has no state of training to go on from")
	}
	if err := set.Verify(); err != nil {
		return err
	}
	var made struct{ Pairs, Distill int }
	if err := json.Unmarshal(text, &made); err != nil {
		return fmt.Errorf("the state of training: %w", err)
	}
	of, own := made.Pairs, revision
	if command == archDistill {
		of, own = made.Distill, distillRevision
	}
	switch {
	case of == 0:
		return fmt.Errorf("is a checkpoint of another command, not of %s", command)
	case of != own:
		return fmt.Errorf("the state of training is of revision %d, and this program goes on from revision %d", of, own)
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("the state of training: %w", err)
	}
	return nil
}

// restore sets the run to the state, and own to the matrices of the task.
func (k *checkpoint[S]) restore(r *run, own func(S) ([][]float32, error)) error {
	if k.Done >= r.batches() && k.Epoch < r.Epochs || r.lexicon.rows != k.set.Input().Rows {
		return errors.New("the state of training does not fit the corpus")
	}
	r.position = k.position
	a := r.table.state
	a.steps = k.Steps
	to := [][]float32{r.table.numbers, a.first, a.second, r.table.weights, a.ofWeights}
	if r.best != nil {
		to = append(to, r.best)
	}
	if own != nil {
		more, err := own(k.state)
		if err != nil {
			return err
		}
		to = append(to, more...)
	}
	for i, m := range k.rows {
		for row := range m.Rows {
			m.Read(to[i][row*m.Cols:][:m.Cols], row)
		}
	}
	return k.set.Err()
}

func (p *pairing) restore(s state) ([][]float32, error) {
	q := &p.queue
	for _, t := range s.Queue {
		if int(max(t[0], t[1])) >= p.stepper.texts.len() {
			return nil, errors.New("the state of training does not fit the corpus")
		}
	}
	q.at, q.n = s.QueueAt, len(s.Queue)
	copy(q.texts, s.Queue)
	return [][]float32{q.left, q.right}, nil
}
