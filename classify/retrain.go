package classify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// RetrainOptions say how the rows of a classifier are trained again.
type RetrainOptions struct {
	Fields       corpus.Fields
	Epochs       int
	LearningRate float64 // at the start; it falls linearly to 0
	Negatives    int     // drawn for each label of a model of negative sampling
	Seed         uint64
	Folder       string // for the cache of the corpus; empty means the system's folder for temporary files
}

// Retrain returns a classifier with the words, n-grams, runs of words and labels of the set, trained again on a corpus. It is for
// what transform.PruneClassifier left, whose rows have lost the others that they were trained with. Texts come in the order of the
// corpus, and one after the other: each changes the rows as in fastText. It is the same for a seed.
func Retrain(ctx context.Context, c Corpus, set *vectors.Set, o RetrainOptions) (_ *vectors.Set, err error) {
	if set.Labels() == nil {
		return nil, ErrNoLabels
	}
	if pooling := set.Training().Text(vectors.FactPooling); pooling != "" {
		return nil, fmt.Errorf("classify: rows are trained again for their mean, and this classifier pools them by %s", pooling)
	}
	of := Options{Fields: o.Fields, Folder: o.Folder}
	if err := of.Fields.Validate(true); err != nil {
		return nil, err
	}
	text, err := pipeline.Of(set.Training())
	if err != nil {
		return nil, err
	}
	of.Text = *text
	x, err := of.read(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	return x.retrain(ctx, set, o)
}

// A retrainer trains the rows of a model in place, text by text.
type retrainer struct {
	m      *Model
	p      *predictor
	output vectors.Matrix
	loss   string   // empty for a tree
	tree   *tree    // nil for a flat loss
	draws  []uint32 // labels, each as often as it is to be drawn
	random *rand.Rand
	RetrainOptions

	change []float32 // of the vector of a text
	scores []float32
	steps  []step
}

// A step is an output row whose score tells two things apart, and whether the first of them is right.
type step struct {
	row  int
	want float32
}

// retrain trains on all texts.
func (x *Texts) retrain(ctx context.Context, set *vectors.Set, o RetrainOptions) (*vectors.Set, error) {
	if o.Epochs < 1 || !(o.LearningRate > 0) {
		return nil, fmt.Errorf("classify: %d epochs at the learning rate %v, must be at least 1 and above 0", o.Epochs, o.LearningRate)
	}
	p, labels := set.Parts(), *set.Labels()
	p.Input, labels.Rows = inMemory(p.Input), inMemory(labels.Rows)
	if labels.Runs.Rows > 0 {
		labels.Runs = inMemory(labels.Runs)
	}
	p.Labels = &labels
	fresh, err := vectors.New(p)
	if err != nil {
		return nil, err
	}
	m, err := New(fresh)
	if err != nil {
		return nil, err
	}
	m.sums = nil // rows change
	r := &retrainer{m: m, p: newPredictor(m), output: labels.Rows, RetrainOptions: o, random: rand.New(rand.NewPCG(o.Seed, 0)), change: make([]float32, set.Dim())}
	if set.WordRows() != nil || set.BucketRows() != nil || set.Matrix(vectors.MatrixWordNgrams).Rows > 0 {
		return nil, errors.New("classify: rows that are trained again must be those of a pruned classifier")
	}
	switch r.loss = set.Training().Text("loss"); {
	case labels.Nodes:
		r.loss, r.tree = "", m.score.(*tree)
	case r.loss == lossNegative:
		r.draws = drawsOf(labels.Counts)
	}
	if err := r.all(ctx, x); err != nil {
		return nil, err
	}
	return fresh, nil
}

// drawsOf returns labels in proportion to the square roots of their counts.
func drawsOf(counts []uint64) (draws []uint32) {
	const table = 1 << 20
	var sum float64
	for _, n := range counts {
		sum += math.Sqrt(float64(n))
	}
	for label, n := range counts {
		draws = append(draws, slices.Repeat([]uint32{uint32(label)}, 1+int(math.Sqrt(float64(n))*table/sum))...)
	}
	return draws
}

// A tokenRows has what a token adds to a text: rows, how many of them count, and a hash; or a label, if the model knows it.
type tokenRows struct {
	rows   []uint32
	n      int
	hashes []uint64
	labels []int
}

func (r *retrainer) all(ctx context.Context, x *Texts) error {
	p, tokens := r.p, make([]tokenRows, x.tokens.Len())
	labels := x.labelsOf(r.m)
	for id, token := range x.tokens.Tokens() {
		if label, is := labels[id]; is {
			if label >= 0 {
				tokens[id].labels = []int{label}
			}
			continue
		}
		p.begin()
		p.token([]byte(token))
		p.lookUp()
		tokens[id] = tokenRows{slices.Clone(p.rows), p.n, slices.Clone(p.hashes), nil}
	}
	done, total := 0., float64(r.Epochs)*float64(x.ids.Tokens())
	reader := x.ids.Reader()
	for range r.Epochs {
		for chunk := range x.ids.Chunks() {
			if err := ctx.Err(); err != nil {
				return err
			}
			p.begin()
			for _, piece := range reader.Chunk(chunk) {
				for _, of := range piece {
					done++
					t := &tokens[of&^vocab.EndOfSentence]
					p.rows, p.n, p.hashes = append(p.rows, t.rows...), p.n+t.n, append(p.hashes, t.hashes...)
					p.labels = append(p.labels, t.labels...)
					if of&vocab.EndOfSentence == 0 {
						continue
					}
					p.end()
					if p.n > 0 && len(p.labels) > 0 {
						if err := r.text(float32(r.LearningRate * (1 - done/total))); err != nil {
							return err
						}
					}
					p.begin()
				}
			}
		}
	}
	return x.ids.Err()
}

// text trains the rows and labels of the text in r.p.
func (r *retrainer) text(rate float32) error {
	p := r.p
	p.average()
	clear(r.change)
	own := p.labels[r.random.IntN(len(p.labels))]
	switch r.loss {
	case lossSoftmax, lossOneVsAll:
		r.scores = slices.Grow(r.scores[:0], r.output.Rows)[:r.output.Rows]
		simd.Dots(r.scores, len(r.scores), p.hidden, len(p.hidden), 1, r.output.Data, r.output.Stride, r.output.Rows, len(p.hidden))
		if r.loss == lossSoftmax {
			softmax(r.scores)
		}
		for label, x := range r.scores {
			want := float32(0)
			if r.loss == lossSoftmax && label == own || r.loss == lossOneVsAll && slices.Contains(p.labels, label) {
				want = 1
			}
			if r.loss == lossOneVsAll {
				x = exactSigmoid(x)
			}
			r.move(label, rate*(want-x))
		}
	default:
		r.steps = append(r.steps[:0], step{own, 1})
		if r.loss == "" {
			r.steps = r.steps[:0]
			r.tree.path(own, func(node int, right bool) {
				r.steps = append(r.steps, step{node, float32(map[bool]int{true: 1}[right])})
			})
			slices.Reverse(r.steps) // from the root
		}
		for n := 0; n < r.Negatives && r.loss == lossNegative && len(r.m.labels) > 1; {
			if label := int(r.draws[r.random.IntN(len(r.draws))]); label != own {
				r.steps = append(r.steps, step{label, 0})
				n++
			}
		}
		for _, s := range r.steps {
			var x float32
			for k, w := range r.output.Row(s.row) {
				x += w * p.hidden[k]
			}
			r.move(s.row, rate*(s.want-exactSigmoid(x)))
		}
	}
	by := 1 / float32(p.n)
	for k := range r.change {
		r.change[k] *= by
		if x := r.change[k]; x-x != 0 {
			return fmt.Errorf("classify: training again diverged at the learning rate %v", r.LearningRate)
		}
	}
	for _, row := range p.rows {
		add(r.m.dense[int(row)*r.m.stride:][:len(r.change)], r.change)
	}
	for _, row := range p.apart {
		add(r.m.runs.separate.Row(int(row)), r.change)
	}
	return nil
}

// move adds a multiple of the text's vector to an output row, and of the row to the change of the vector.
func (r *retrainer) move(row int, by float32) {
	if by == 0 {
		return
	}
	h, change := r.p.hidden, r.change
	of := r.output.Row(row)[:len(h)]
	change = change[:len(h)]
	for k, x := range of {
		change[k] += by * x
		of[k] = x + by*h[k]
	}
}

func exactSigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
