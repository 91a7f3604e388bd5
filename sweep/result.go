package sweep

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// A Trial is a point with a seed.
type Trial struct {
	// Key identifies all that the result depends on. Skipped points have no key.
	Key string `json:"key,omitempty"`
	// Revision is sgns.Revision; 0 for skipped points and in results older than it.
	Revision int      `json:"revision,omitempty"`
	Point    int      `json:"point"`              // its number; 0 for a baseline
	Variant  string   `json:"variant,omitempty"`  // its name
	Baseline Baseline `json:"baseline,omitempty"` // which baseline; empty for other points
	Settings Settings `json:"settings"`
	Seed     uint64   `json:"seed"`
	Skipped  string   `json:"skipped,omitempty"` // why the settings are invalid
	Failed   string   `json:"failed,omitempty"`  // why training failed
}

// A Result is the result of a trial: a line of results.jsonl, which scripts may read.
type Result struct {
	Trial
	Scores // of the model, if there is one
}

// MarshalJSON writes the trial, and the scores if there is a model.
func (r Result) MarshalJSON() ([]byte, error) {
	if !r.done() {
		return json.Marshal(r.Trial)
	}
	type bare Result // has no MarshalJSON
	return json.Marshal(bare(r))
}

// Scores describe a model: its size, cost and scores.
type Scores struct {
	Words int `json:"words"`
	Dim   int `json:"dim"`
	// Parameters and Bytes are those of the word vectors, in a native file. Those that are trained
	// include context vectors and all else.
	Parameters        uint64 `json:"parameters"`
	Bytes             uint64 `json:"bytes"`
	TrainedParameters uint64 `json:"trained_parameters"`
	TrainedBytes      uint64 `json:"trained_bytes"`

	Tokens          uint64   `json:"tokens"`            // trained, over all epochs
	Threads         int      `json:"threads"`           // 0 means one per core
	Seconds         float64  `json:"seconds"`           // of training alone, as are the next two
	CPUSeconds      float64  `json:"cpu_seconds"`       //
	TokensPerSecond float64  `json:"tokens_per_second"` //
	Loss            *float64 `json:"loss"`              // of the last epoch; null if there was no loss

	Evaluations []Evaluation `json:"evaluations"`
	Model       string       `json:"model,omitempty"` // the file, if the model was kept
}

// An Evaluation is the score of a model on a set.
type Evaluation struct {
	Set       string        `json:"set"`
	Kind      eval.Task     `json:"kind"`
	Score     eval.Score    `json:"score"` // Spearman's correlation, or the accuracy
	CI95      eval.Interval `json:"ci95,omitzero"`
	Questions int           `json:"questions"` // or pairs
	Used      int           `json:"used"`
	// InVocabulary is the score without questions or pairs that have a composed word. It is nil for
	// a model without n-grams, which composes no words.
	InVocabulary *InVocabulary `json:"in_vocabulary,omitempty"`
}

// InVocabulary is a score over some of the questions or pairs of a set.
type InVocabulary struct {
	Score eval.Score `json:"score"`
	Used  int        `json:"used"`
}

func (r Result) done() bool { return r.Skipped == "" && r.Failed == "" }

func keyOf(p Point, seed uint64, corpus, sets string) (string, error) {
	what, err := json.Marshal(struct {
		Corpus, Sets string
		Random       bool
		Settings     Settings
		Seed         uint64
	}{corpus, sets, p.Baseline == RandomVectors, p.Settings.sorted(), seed})
	sum := sha256.Sum256(what)
	return short(sum[:]), err
}

func short(sum []byte) string { return fmt.Sprintf("%x", sum[:10]) }

func fingerprint(ids *vocab.IDs, v *vocab.Vocab) string {
	h := sha256.New()
	number(h, ids.Tokens())
	number(h, uint64(v.Len()))
	for _, sum := range ids.Checksums() {
		number(h, uint64(sum))
	}
	for id, token := range v.Tokens() {
		number(h, v.Count(id))
		number(h, uint64(len(token)))
		h.Write([]byte(token))
	}
	return short(h.Sum(nil))
}

func number(h hash.Hash, n uint64) {
	h.Write(binary.LittleEndian.AppendUint64(nil, n)) // writing to a hash never fails
}

type log struct {
	path string
	file *atomicfile.Appender
	done map[string]Result // by key
}

// openLog reads the results, and cuts off an incomplete last line of a run that was killed.
func openLog(path string) (*log, error) {
	l := &log{path: path, done: make(map[string]Result)}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, l.failed(err)
	}
	whole, err := l.read(text)
	if err != nil {
		return nil, err
	}
	l.file, err = atomicfile.OpenAppender(path, int64(whole))
	return l, err
}

func (l *log) read(text []byte) (whole int, err error) {
	whole = bytes.LastIndexByte(text, '\n') + 1
	n := 0
	for line := range bytes.Lines(text[:whole]) {
		n++
		var r Result
		if err := json.Unmarshal(line, &r); err != nil || r.Key == "" {
			return 0, fmt.Errorf("%s:%d: is not a result of a sweep: delete the line, or choose another folder", l.path, n)
		}
		if l.done[r.Key].Revision != sgns.Revision || r.Revision == sgns.Revision {
			l.done[r.Key] = r
		}
	}
	if begin := []byte(`{"key":"`); !bytes.HasPrefix(text[whole:], begin[:min(len(begin), len(text)-whole)]) {
		return 0, fmt.Errorf("%s:%d: is not a result of a sweep: choose another folder", l.path, n+1)
	}
	return whole, nil
}

func (l *log) add(r Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return l.failed(err)
	}
	if err := l.file.Append(append(line, '\n')); err != nil {
		return err
	}
	l.done[r.Key] = r
	return nil
}

func (l *log) failed(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", l.path, err)
}

// A Set is a set of pairs or questions that evaluates models, from a file or a text.
type Set struct {
	Kind eval.Task // eval.TaskSimilarity or eval.TaskAnalogy
	Path string    // of a file, which may be compressed
	Text []byte    // of a set that is not in a file
	Name string    // in reports; empty means the file's name without folder and extensions
}

type sets struct {
	all         []eval.Set
	restrict    int
	fingerprint string // identifies the sets
}

func readSets(c *Config) (*sets, error) {
	all := &sets{restrict: c.Restrict}
	h := sha256.New()
	number(h, uint64(c.Restrict))
	for _, set := range c.Sets {
		text, err := set.text()
		if err != nil {
			return nil, err
		}
		from := cmp.Or(set.Path, set.Name)
		if set.Kind != eval.TaskSimilarity && set.Kind != eval.TaskAnalogy {
			return nil, fmt.Errorf("%s: a set is of kind %q or %q, not %q", from, eval.TaskSimilarity, eval.TaskAnalogy, set.Kind)
		}
		s, err := eval.ReadSet(bytes.NewReader(text), from, set.Kind)
		if err != nil {
			return nil, err // the error names the file
		}
		s.Name = cmp.Or(set.Name, eval.SetName(set.Path))
		if slices.ContainsFunc(all.all, func(other eval.Set) bool { return other.Name == s.Name }) {
			s.Name = from
		}
		all.all = append(all.all, s)
		fmt.Fprintf(h, "%s %s %d\n", s.Task, s.Name, len(text))
		h.Write(text)
	}
	all.fingerprint = short(h.Sum(nil))
	return all, nil
}

func (s Set) text() ([]byte, error) {
	if s.Path == "" {
		return s.Text, nil
	}
	return compression.ReadFile(s.Path, io.ReadAll)
}

func (x *sets) evaluate(ctx context.Context, s *vectors.Set) ([]Evaluation, error) {
	var all []Evaluation
	for _, set := range x.all {
		var opt eval.Options
		if set.Task == eval.TaskAnalogy {
			opt.Restrict = x.restrict
		}
		r, err := eval.Evaluate(ctx, s, set, opt)
		if err != nil {
			return nil, err
		}
		of := Evaluation{Set: set.Name, Kind: set.Task, Score: r.Summary.Score, CI95: r.Summary.Interval, Questions: r.Summary.Items, Used: r.Summary.Used}
		switch known := r.Details.(type) {
		case eval.SimilarityResult:
			if v := known.InVocabulary; v != nil {
				of.InVocabulary = &InVocabulary{v.Spearman, v.Used}
			}
		case eval.AnalogyResult:
			if v := known.InVocabulary; v != nil {
				of.InVocabulary = &InVocabulary{v.Accuracy, v.Used}
			}
		}
		all = append(all, of)
	}
	return all, nil
}

func lookup(s *vectors.Set) (*vectors.Set, error) {
	p := s.Parts()
	return vectors.New(vectors.Parts{
		Words: p.Words, Counts: p.Counts, Input: p.Input, Subword: p.Subword, Composition: p.Composition, WordRows: p.WordRows, BucketRows: p.BucketRows,
		Matrices: slices.DeleteFunc(p.Matrices, func(m vectors.NamedMatrix) bool { return m.Kind().Part != "" }), // except the matrices of n-grams
	})
}

func (s *Scores) measure(set *vectors.Set) error {
	small, err := lookup(set)
	if err != nil {
		return err
	}
	s.Words, s.Dim = set.Len(), set.Dim()
	s.Parameters, s.TrainedParameters = small.Parameters().Total(), set.Parameters().Total()
	if s.Bytes, err = format.EncodedSize(small, format.W2V); err == nil {
		s.TrainedBytes, err = format.EncodedSize(set, format.W2V)
	}
	if err != nil {
		return fmt.Errorf("the size of a model: %w", err)
	}
	return nil
}
