package scorer

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// ErrDiverged says that training has made a number infinite.
var ErrDiverged = errors.New("diverged")

// A Trainer trains the rows of a pruned classifier, text by text.
type Trainer struct {
	m         *Model
	p         *Predictor
	output    vectors.Matrix
	labels    int
	loss      string   // empty for a tree
	tree      *tree    // nil for a flat loss
	draws     []uint32 // labels, each as often as it is to be drawn
	negatives int
	random    *rand.Rand

	change []float32 // of the vector of a text
	scores []float32
	steps  []step
}

// A step is an output row whose score tells two things apart, and whether the first of them is right.
type step struct {
	row  int
	want float32
}

// NewTrainer returns a trainer, and the set that it trains: a copy of a pruned classifier. For each label of a model of negative
// sampling, so many negatives are drawn.
func NewTrainer(set *vectors.Set, negatives int, seed uint64) (*Trainer, *vectors.Set, error) {
	p, labels := set.Parts(), *set.Labels()
	p.Input, labels.Rows = InMemory(p.Input), InMemory(labels.Rows)
	if labels.Runs.Rows > 0 {
		labels.Runs = InMemory(labels.Runs)
	}
	p.Labels = &labels
	fresh, err := vectors.New(p)
	if err != nil {
		return nil, nil, err
	}
	m, err := New(fresh)
	if err != nil {
		return nil, nil, err
	}
	m.sums = nil // rows change
	if set.WordRows() != nil || set.BucketRows() != nil || set.Matrix(vectors.MatrixWordNgrams).Rows > 0 {
		return nil, nil, errors.New("classify: rows that are trained again must be those of a pruned classifier")
	}
	t := &Trainer{
		m: m, p: NewPredictor(m), output: labels.Rows, labels: labels.Names.Len(), negatives: negatives,
		random: rand.New(rand.NewPCG(seed, 0)), change: make([]float32, set.Dim()),
	}
	switch t.loss = set.Training().Text("loss"); {
	case labels.Nodes:
		t.loss, t.tree = "", m.score.(*tree)
	case t.loss == lossNegative:
		t.draws = drawsOf(labels.Counts)
	}
	return t, fresh, nil
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

// A Token has what a token adds to a text: rows, how many of them count, and a hash; or a label.
type Token struct {
	rows   []uint32
	n      int
	hashes []uint64
	labels []int
}

// Word returns a token that is no label.
func (t *Trainer) Word(token string) Token {
	p := t.p
	p.Begin()
	p.Token([]byte(token))
	p.lookUp()
	return Token{slices.Clone(p.rows), p.N, slices.Clone(p.hashes), nil}
}

// Label returns the token of a label that the model knows.
func (t *Trainer) Label(id int) Token { return Token{labels: []int{id}} }

// Begin begins a text.
func (t *Trainer) Begin() { t.p.Begin() }

// Add adds a token to the text.
func (t *Trainer) Add(of *Token) {
	p := t.p
	p.rows, p.N, p.hashes = append(p.rows, of.rows...), p.N+of.n, append(p.hashes, of.hashes...)
	p.Labels = append(p.Labels, of.labels...)
}

// End trains the rows and labels of the text at a learning rate, unless it has no labels or no rows, and begins another.
func (t *Trainer) End(rate float32) error {
	p := t.p
	p.End()
	if p.N > 0 && len(p.Labels) > 0 {
		if err := t.text(rate); err != nil {
			return err
		}
	}
	p.Begin()
	return nil
}

// text trains the rows and labels of the text in t.p.
func (t *Trainer) text(rate float32) error {
	p := t.p
	p.Average()
	clear(t.change)
	own := p.Labels[t.random.IntN(len(p.Labels))]
	switch t.loss {
	case lossSoftmax, lossOneVsAll:
		t.scores = slices.Grow(t.scores[:0], t.output.Rows)[:t.output.Rows]
		simd.Dots(t.scores, len(t.scores), p.Vector, len(p.Vector), 1, t.output.Data, t.output.Stride, t.output.Rows, len(p.Vector))
		if t.loss == lossSoftmax {
			softmax(t.scores)
		}
		for label, x := range t.scores {
			want := float32(0)
			if t.loss == lossSoftmax && label == own || t.loss == lossOneVsAll && slices.Contains(p.Labels, label) {
				want = 1
			}
			if t.loss == lossOneVsAll {
				x = exactSigmoid(x)
			}
			t.move(label, rate*(want-x))
		}
	default:
		t.steps = append(t.steps[:0], step{own, 1})
		if t.loss == "" {
			t.steps = t.steps[:0]
			t.tree.path(own, func(node int, right bool) {
				t.steps = append(t.steps, step{node, float32(map[bool]int{true: 1}[right])})
			})
			slices.Reverse(t.steps) // from the root
		}
		for n := 0; n < t.negatives && t.loss == lossNegative && t.labels > 1; {
			if label := int(t.draws[t.random.IntN(len(t.draws))]); label != own {
				t.steps = append(t.steps, step{label, 0})
				n++
			}
		}
		for _, s := range t.steps {
			var x float32
			for k, w := range t.output.Row(s.row) {
				x += w * p.Vector[k]
			}
			t.move(s.row, rate*(s.want-exactSigmoid(x)))
		}
	}
	by := 1 / float32(p.N)
	for k := range t.change {
		t.change[k] *= by
		if x := t.change[k]; x-x != 0 {
			return ErrDiverged
		}
	}
	for _, row := range p.rows {
		add(t.m.dense[int(row)*t.m.stride:][:len(t.change)], t.change)
	}
	for _, row := range p.apart {
		add(t.m.runs.separate.Row(int(row)), t.change)
	}
	return nil
}

// move adds a multiple of the text's vector to an output row, and of the row to the change of the vector.
func (t *Trainer) move(row int, by float32) {
	if by == 0 {
		return
	}
	h, change := t.p.Vector, t.change
	of := t.output.Row(row)[:len(h)]
	change = change[:len(h)]
	for k, x := range of {
		change[k] += by * x
		of[k] = x + by*h[k]
	}
}

func exactSigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
