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
	"sync"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

// A source has what the lessons are computed from: a model, and the built-in text with what is trained on it.
type source struct {
	set      *vectors.Set // the reader's; may be nil
	name     string
	sweep    sweepPoints
	ownSweep bool

	words, pieces trained
}

// trained is vectors of the built-in text, which the first who asks trains.
type trained struct {
	once sync.Once
	set  *vectors.Set
	err  error
}

// of trains with settings of w2v train. Others wait for the same vectors, so the end of a context does not end it.
func (t *trained) of(settings ...string) (*vectors.Set, error) {
	t.once.Do(func() {
		t.err = errors.New("training on the built-in text did not end") // if it panics
		t.set, t.err = trainDemo(context.Background(), settings)
	})
	return t.set, t.err
}

func trainDemo(ctx context.Context, settings []string) (_ *vectors.Set, err error) {
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
func (s *source) vectors() (*vectors.Set, facts, error) {
	set := s.set
	if set == nil {
		var err error
		if set, err = s.words.of("dim", "50", "epochs", "5"); err != nil {
			return nil, facts{}, err
		}
	}
	return set, facts{cmp.Or(s.name, "the demo"), s.set == nil, set.Len(), set.Dim()}, nil
}

// The n-grams of composed words have so many letters.
const shortest, longest = 3, 5

// composed returns vectors of the built-in text with n-grams.
func (s *source) composed() (*vectors.Set, error) {
	return s.pieces.of("dim", "16", "epochs", "3", "subwords", "fasttext", "minn", strconv.Itoa(shortest), "maxn", strconv.Itoa(longest), "buckets", "10000")
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
	Dim        int        `json:"dim"`
	Parameters int        `json:"parameters"`
	Seconds    float64    `json:"seconds"` // of a processor
	Scores     []*float64 `json:"scores"`  // of each set; nil if it is not known
	Seeds      int        `json:"seeds"`
}

// A sweptLine is a line of results.jsonl.
type sweptLine struct {
	Baseline    string
	Settings    map[string]any
	Dim         int
	Parameters  int
	CPU         float64 `json:"cpu_seconds"`
	Evaluations []struct {
		Set   string
		Score *float64
	}
}

// others returns the settings besides the number of dimensions.
func (l sweptLine) others() string {
	others := maps.Clone(l.Settings)
	delete(others, "dim")
	text, _ := json.Marshal(others) // what was read can be written
	return string(text)
}

// readSweep reads results.jsonl of w2v sweep: the mean over seeds for each number of dimensions. Other settings must
// not vary. Baselines of other settings are left out, except random vectors.
func readSweep(r io.Reader) (p sweepPoints, err error) {
	var lines []sweptLine
	for d := json.NewDecoder(r); ; {
		var line sweptLine
		if err := d.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			return p, fmt.Errorf("invalid results of a sweep: %w", err)
		}
		lines = append(lines, line)
	}
	first := slices.IndexFunc(lines, func(l sweptLine) bool { return l.Baseline == "" })
	for _, line := range lines {
		same := first >= 0 && line.others() == lines[first].others()
		switch {
		case line.Baseline == "random vectors":
			p.add(&p.Random, line)
		case same:
			p.add(&p.Points, line)
		case line.Baseline == "":
			return p, fmt.Errorf("the results vary more than dim, as from %s to %s: a sweep over dim alone is needed", lines[first].others(), line.others())
		}
	}
	if len(p.Points) < 2 || len(p.Sets) == 0 {
		return p, errors.New("the results have fewer than two points with scores: a sweep over dim is needed")
	}
	byDim := func(a, b sweepPoint) int { return cmp.Compare(a.Dim, b.Dim) }
	slices.SortFunc(p.Points, byDim)
	slices.SortFunc(p.Random, byDim)
	return p, nil
}

// add adds a line to the mean of its point.
func (p *sweepPoints) add(to *[]sweepPoint, line sweptLine) {
	at := slices.IndexFunc(*to, func(q sweepPoint) bool { return q.Dim == line.Dim })
	if at < 0 {
		at = len(*to)
		*to = append(*to, sweepPoint{Dim: line.Dim, Parameters: line.Parameters, Scores: []*float64{}})
	}
	q := &(*to)[at]
	for _, e := range line.Evaluations {
		i := slices.Index(p.Sets, e.Set)
		if i < 0 {
			i = len(p.Sets)
			p.Sets = append(p.Sets, e.Set)
		}
		for len(q.Scores) <= i {
			q.Scores = append(q.Scores, new(float64))
		}
		if e.Score == nil {
			q.Scores[i] = nil
		} else if q.Scores[i] != nil {
			*q.Scores[i] += (*e.Score - *q.Scores[i]) / float64(q.Seeds+1)
		}
	}
	q.Seconds += (line.CPU - q.Seconds) / float64(q.Seeds+1)
	q.Seeds++
}
