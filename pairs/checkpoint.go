package pairs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/vectors"
)

// revision is the number of the algorithm, raised when the same options would give other bits.
const revision = 2

// A state is what a checkpoint keeps beside matrices: JSON in a set's State.
type state struct {
	Pairs     int // revision
	Options   Options
	Corpus    string // its checksum
	Epoch     int
	Done      int
	SumLoss   float64
	Loss      float64 // of the last epoch
	Steps     int
	Evaluated []Evaluation `json:",omitempty"`
	QueueAt   int          `json:",omitempty"`
	Queue     [][2]uint32  `json:",omitempty"`
}

// A checkpoint is a state and its matrices.
type checkpoint struct {
	state
	set  *vectors.Set
	rows []vectors.Matrix // numbers, moments, weights and their moments; of a queue, first and second texts
}

// checkpoint returns the state of the run as a set, which is also the model so far. Its rows are those of the run.
func (r *run) checkpoint() (*vectors.Set, error) {
	set, err := r.table.set(r.lexicon, r.o, r.contents, true)
	if err != nil {
		return nil, err
	}
	p := set.Parts()
	q := r.batch.queue
	o := r.o
	o.Text = pipeline.Pipeline{} // is among the facts of the set
	s := state{revision, o, r.sum, r.epoch, r.done, r.sumLoss, r.loss, r.table.state.steps, r.evaluated, q.at, q.texts[:q.n]}
	if p.State, err = json.Marshal(s); err != nil {
		return nil, err
	}
	matrix := func(data []float32, rows int) vectors.Matrix {
		cols := len(data) / rows
		return vectors.Matrix{Data: data, Rows: rows, Cols: cols, Stride: cols}
	}
	rows, a := r.lexicon.rows, r.table.state
	p.StateRows = []vectors.Matrix{matrix(r.table.numbers, rows), matrix(a.first, rows), matrix(a.second, rows), matrix(r.table.weights, rows), matrix(a.ofWeights, rows)}
	if q.size > 0 {
		p.StateRows = append(p.StateRows, matrix(q.left, q.size), matrix(q.right, q.size))
	}
	return vectors.New(p)
}

// Resume goes on with the run of a checkpoint, on the same corpus, and comes to the same bits as if it had never stopped.
// Epochs, if above 0, is another number of epochs. held has the pairs that the run is measured on, unless it holds out a
// share of its corpus.
func Resume(ctx context.Context, c, held Corpus, from *vectors.Set, epochs, threads int, h Hooks) (*Trained, error) {
	k, err := open(from)
	if err != nil {
		return nil, err
	}
	o := k.Options
	o.Init, o.Threads = from, threads
	text, err := pipeline.Of(from.Training())
	if err != nil {
		return nil, err
	}
	o.Text = *text
	if epochs > 0 {
		if epochs < k.Epoch {
			return nil, fmt.Errorf("pairs: the run has trained %d epochs, and %d are asked for", k.Epoch, epochs)
		}
		o.Epochs = epochs
	}
	return start(ctx, c, held, o, h, k)
}

// Checkpoint returns the options of the run of a checkpoint, and how many epochs it has trained.
func Checkpoint(set *vectors.Set) (o Options, epochs int, err error) {
	k, err := open(set)
	if err != nil {
		return o, 0, err
	}
	return k.Options, k.Epoch, nil
}

func open(set *vectors.Set) (*checkpoint, error) {
	k := &checkpoint{set: set, rows: set.StateRows()}
	text := set.State()
	if len(text) == 0 {
		return nil, errors.New("is a model, not a checkpoint: it has no state of training to go on from")
	}
	if err := set.Verify(); err != nil {
		return nil, err
	}
	var made struct{ Pairs int }
	switch err := json.Unmarshal(text, &made); {
	case err != nil:
		return nil, fmt.Errorf("the state of training: %w", err)
	case made.Pairs == 0:
		return nil, errors.New("is a checkpoint of another command, not of pairs")
	case made.Pairs != revision:
		return nil, fmt.Errorf("the state of training is of revision %d, and this program goes on from revision %d", made.Pairs, revision)
	}
	if err := json.Unmarshal(text, &k.state); err != nil {
		return nil, fmt.Errorf("the state of training: %w", err)
	}
	o := k.Options
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("the state of training: %w", err)
	}
	rows := set.Input().Rows
	sizes := [][2]int{{rows, o.Dim}, {rows, o.Dim}, {rows, o.Dim}, {rows, 1}, {rows, 2}}
	if o.Queue > 0 {
		sizes = append(sizes, [2]int{o.Queue, o.Dim}, [2]int{o.Queue, o.Dim})
	}
	fits := len(k.rows) == len(sizes) && len(k.Queue) <= o.Queue && k.QueueAt >= 0 && k.QueueAt < max(o.Queue, 1) && k.Done >= 0 && k.Epoch >= 0 && k.Steps >= 0
	for i, m := range k.rows {
		fits = fits && m.Rows == sizes[i][0] && m.Cols == sizes[i][1]
	}
	if !fits {
		return nil, errors.New("the state of training: its matrices do not fit its options")
	}
	return k, nil
}

// restore sets the run to the state.
func (k *checkpoint) restore(r *run) error {
	if k.Done >= r.batches() && k.Epoch < r.o.Epochs || r.lexicon.rows != k.set.Input().Rows {
		return errors.New("the state of training does not fit the corpus")
	}
	r.epoch, r.done, r.sumLoss, r.loss, r.evaluated = k.Epoch, k.Done, k.SumLoss, k.Loss, k.Evaluated
	a, q := r.table.state, &r.batch.queue
	a.steps, q.at, q.n = k.Steps, k.QueueAt, len(k.Queue)
	for _, t := range k.Queue {
		if int(max(t[0], t[1])) >= r.batch.stepper.texts.len() {
			return errors.New("the state of training does not fit the corpus")
		}
	}
	copy(q.texts, k.Queue)
	to := [][]float32{r.table.numbers, a.first, a.second, r.table.weights, a.ofWeights, q.left, q.right}
	for i, m := range k.rows {
		for row := range m.Rows {
			m.Read(to[i][row*m.Cols:][:m.Cols], row)
		}
	}
	return k.set.Err()
}
