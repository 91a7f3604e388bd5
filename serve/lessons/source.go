package lessons

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/sweep"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

// A source has what the lessons are computed from: a model, and the results of a sweep. What is trained on the built-in
// text is the same for all sources.
type source struct {
	set      *vectors.Set // the reader's; may be nil
	name     string
	sweep    sweepPoints
	ownSweep bool
}

// The n-grams of composed words have so many letters.
const shortest, longest = 3, 5

// Vectors of the built-in text: of words, and with n-grams.
var (
	builtInWords = &lazy[*vectors.Set]{turn: make(chan struct{}, 1), make: func(ctx context.Context) (*vectors.Set, error) {
		return trainDemo(ctx, "dim", "50", "epochs", "5")
	}}
	builtInPieces = &lazy[*vectors.Set]{turn: make(chan struct{}, 1), make: func(ctx context.Context) (*vectors.Set, error) {
		return trainDemo(ctx, "dim", "16", "epochs", "3", "subwords", "fasttext",
			"minn", strconv.Itoa(shortest), "maxn", strconv.Itoa(longest), "buckets", "10000")
	}}
)

// A lazy value is made by the first who asks for it. Others wait, each until its context ends. If the value could not
// be made, for example because the context of the first ended, the next makes it.
type lazy[T any] struct {
	make  func(context.Context) (T, error)
	turn  chan struct{} // who sends may use the value; it holds one
	made  bool
	value T
}

func newLazy[T any](from func(context.Context) (T, error)) *lazy[T] {
	return &lazy[T]{make: from, turn: make(chan struct{}, 1)}
}

func (l *lazy[T]) get(ctx context.Context) (value T, err error) {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return value, ctx.Err()
	}
	if l.made {
		return l.value, nil
	}
	if err = ctx.Err(); err == nil {
		value, err = l.make(ctx)
	}
	if err == nil {
		l.value, l.made = value, true
	}
	return value, err
}

// trainDemo trains on the built-in text with settings of w2v train: names and values.
func trainDemo(ctx context.Context, settings ...string) (_ *vectors.Set, err error) {
	s := train.Defaults()
	for i := 0; i < len(settings); i += 2 {
		if err := s.Set(settings[i], settings[i+1]); err != nil {
			return nil, err
		}
	}
	s.Model.Threads = 1 // the same numbers every time
	if err := s.Complete(); err != nil {
		return nil, err
	}
	text, err := train.Read(ctx, train.Reader("the built-in text", demo.Corpus(demo.DefaultSentences, demo.DefaultSeed)), s, train.ReadOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	m, err := text.Train(ctx, s.Model, sgns.Hooks{})
	if err != nil {
		return nil, err
	}
	return m.Vectors, nil
}

// vectors returns the reader's model, or words of the built-in text.
func (s *source) vectors(ctx context.Context) (*vectors.Set, facts, error) {
	set := s.set
	if set == nil {
		var err error
		if set, err = builtInWords.get(ctx); err != nil {
			return nil, facts{}, err
		}
	}
	if set.Len() == 0 {
		return nil, facts{}, errors.New("the model has no words")
	}
	return set, facts{cmp.Or(s.name, "the demo"), s.set == nil, set.Len(), set.Dim()}, nil
}

// facts say whose numbers a page shows.
type facts struct {
	Name  string `json:"name"`
	Demo  bool   `json:"demo"`
	Words int    `json:"words"`
	Dim   int    `json:"dim"`
}

// choice returns up to n words: those of the built-in text that are worth showing, then the most frequent ones.
func choice(set *vectors.Set, n int) (words []string) {
	add := func(word string) {
		if _, ok := set.ID(word); ok && len(words) < n && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	for _, word := range demo.Neighbours() {
		add(word)
	}
	for _, q := range demo.Showcase() {
		add(q[0])
		add(q[1])
		add(q[2])
	}
	known := make(map[string]bool, n)
	for _, word := range words {
		known[word] = true
	}
	for _, id := range set.ByFrequency() {
		if word := set.Words().At(id); len(words) < n && !known[word] {
			known[word] = true
			words = append(words, word)
		}
	}
	return words
}

// rows is vectors as integers of 16 bits; a number of a vector is the scale of its row, of 32 bits, times the integer.
// Both are in base64, with the low bytes first.
type rows struct {
	Words  []string `json:"words,omitempty"`
	Dim    int      `json:"dim"`
	Scales string   `json:"scales"`
	Bits   string   `json:"bits"`
}

func packed(all [][]float32, dim int) rows {
	var scales, bits []byte
	for _, row := range all {
		largest := float32(0)
		for _, x := range row {
			largest = max(largest, float32(math.Abs(float64(x))))
		}
		scale := largest / math.MaxInt16
		scales = binary.LittleEndian.AppendUint32(scales, math.Float32bits(scale))
		for _, x := range row {
			n := int16(0)
			if scale > 0 {
				n = int16(math.Round(float64(x / scale)))
			}
			bits = binary.LittleEndian.AppendUint16(bits, uint16(n))
		}
	}
	return rows{Dim: dim, Scales: base64.StdEncoding.EncodeToString(scales), Bits: base64.StdEncoding.EncodeToString(bits)}
}

func rowsOf(set *vectors.Set, words []string) rows {
	all := make([][]float32, len(words))
	for i, word := range words {
		all[i] = make([]float32, set.Dim())
		set.Vector(all[i], word)
	}
	r := packed(all, set.Dim())
	r.Words = words
	return r
}

// numbersOfAPage bounds the vectors of a page: 120 KB.
const numbersOfAPage = 60_000

func dot(a, b []float32) (sum float64) {
	for k, x := range a {
		sum += float64(x) * float64(b[k])
	}
	return sum
}

func norm(v []float32) float64 { return math.Sqrt(dot(v, v)) }

//go:embed dimension.jsonl
var builtInSweep []byte

// sweepPoints are scores by the number of dimensions.
type sweepPoints struct {
	Sets   []string     `json:"sets"`
	Points []sweepPoint `json:"points"`
	Random []sweepPoint `json:"random"` // vectors that learned nothing
}

type sweepPoint struct {
	Dim        int          `json:"dim"`
	Parameters uint64       `json:"parameters"`
	Seconds    float64      `json:"seconds"` // of a processor
	Scores     []eval.Score `json:"scores"`  // of each set; undefined if no seed has one
	Seeds      int          `json:"seeds"`
}

// readSweep reads results.jsonl of w2v sweep: the mean over seeds for each number of dimensions. Other settings must
// not vary. Baselines of other settings are left out, except random vectors.
//
// A folder may have been swept more than once. The last result of a trial counts. Results that do not compare, because
// they are of different corpora or of different sets of one name, are an error.
func readSweep(r io.Reader) (p sweepPoints, err error) {
	results, err := readResults(r)
	if err != nil {
		return p, err
	}
	others := func(r sweep.Result) string { // the settings besides the number of dimensions
		return slices.DeleteFunc(slices.Clone(r.Settings), func(s sweep.Setting) bool { return s.Name == "dim" }).String()
	}
	first := slices.IndexFunc(results, func(r sweep.Result) bool { return r.Baseline == "" })
	var trained, random []sweep.Result
	for _, result := range results {
		same := first >= 0 && others(result) == others(results[first])
		switch {
		case result.Baseline == sweep.RandomVectors:
			random = append(random, result)
		case same:
			trained = append(trained, result)
		case result.Baseline == "":
			return p, fmt.Errorf("the results vary more than dim, as from %q to %q: a sweep over dim alone is needed", others(results[first]), others(result))
		}
	}
	if err := comparable(trained, random); err != nil {
		return p, err
	}
	for _, result := range trained {
		for _, e := range result.Evaluations {
			if e.Score.Defined() && !slices.Contains(p.Sets, e.Set) {
				p.Sets = append(p.Sets, e.Set)
			}
		}
	}
	p.Points, p.Random = p.means(trained), p.means(random)
	if len(p.Points) < 2 || len(p.Sets) == 0 {
		return p, errors.New("the results have fewer than two points with scores: a sweep over dim is needed")
	}
	return p, nil
}

// readResults reads the results of models, the last one of each trial.
func readResults(r io.Reader) (all []sweep.Result, err error) {
	type trial struct {
		random   bool
		settings string
		seed     uint64
	}
	at := make(map[trial]int)
	for d := json.NewDecoder(r); ; {
		var result sweep.Result
		if err := d.Decode(&result); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("invalid results of a sweep: %w", err)
		}
		if result.Skipped != "" || result.Failed != "" {
			continue
		}
		of := trial{result.Baseline == sweep.RandomVectors, result.Settings.String(), result.Seed}
		if i, ok := at[of]; ok {
			all[i] = result
		} else {
			at[of] = len(all)
			all = append(all, result)
		}
	}
}

// comparable returns an error if models of the same settings are of different texts or revisions, or if sets of one
// name differ.
func comparable(trained, random []sweep.Result) error {
	const instead = "sweep into a new folder, and show its results"
	words, questions := 0, make(map[string]int)
	for _, r := range slices.Concat(trained, random) {
		words = r.Words // of any
	}
	for _, results := range [][]sweep.Result{trained, random} {
		for _, r := range results {
			switch first := results[0]; {
			case r.Words != words:
				return fmt.Errorf("the results are of different corpora, with %d and with %d words: %s", words, r.Words, instead)
			case r.Tokens != first.Tokens:
				return fmt.Errorf("the results are of different corpora, with %d and with %d trained tokens: %s", first.Tokens, r.Tokens, instead)
			case r.Revision != first.Revision:
				return fmt.Errorf("the results are of the revisions %d and %d of the algorithm: %s", first.Revision, r.Revision, instead)
			}
			for _, e := range r.Evaluations {
				if n, ok := questions[e.Set]; ok && n != e.Questions {
					return fmt.Errorf("the results are of two sets that are called %q, with %d and with %d questions: %s", e.Set, n, e.Questions, instead)
				}
				questions[e.Set] = e.Questions
			}
		}
	}
	return nil
}

// means returns the means over seeds for each number of dimensions, as the table of a sweep has them.
func (p *sweepPoints) means(results []sweep.Result) (points []sweepPoint) {
	ofDim := make(map[int][]sweep.Result)
	for _, r := range results {
		scores := make([]sweep.Evaluation, len(p.Sets))
		for i, set := range p.Sets {
			scores[i] = sweep.Evaluation{Score: eval.Score(math.NaN())}
			if at := slices.IndexFunc(r.Evaluations, func(e sweep.Evaluation) bool { return e.Set == set }); at >= 0 {
				scores[i] = r.Evaluations[at]
			}
		}
		r.Evaluations = scores
		ofDim[r.Dim] = append(ofDim[r.Dim], r)
	}
	for _, dim := range slices.Sorted(maps.Keys(ofDim)) {
		of := sweep.Outcome{Results: ofDim[dim]}
		q := sweepPoint{Dim: dim, Parameters: of.Results[0].Parameters, Seeds: len(of.Results), Scores: make([]eval.Score, len(p.Sets))}
		for i := range p.Sets {
			q.Scores[i] = of.Summary(i).Score
		}
		for _, r := range of.Results {
			q.Seconds += r.CPUSeconds / float64(q.Seeds)
		}
		points = append(points, q)
	}
	return points
}
