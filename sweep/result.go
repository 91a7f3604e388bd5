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
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/chart"
	"github.com/w2v-go/w2v/internal/wording"
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

// key identifies a trial: what it trains on, with which settings, and what scores it.
func (r *run) key(p Point, seed uint64) (string, error) {
	epochs := 0 // of the settings; otherwise the number that the size of the corpus gives
	if c := p.settings.Model; c.Epochs == 0 && p.Baseline != RandomVectors {
		epochs = r.text.EpochsFor(c)
	}
	what, err := json.Marshal(struct {
		Corpus, Sets string
		Random       bool
		Settings     Settings
		Seed         uint64
		Epochs       int `json:",omitempty"`
	}{r.corpus, r.sets.fingerprint, p.Baseline == RandomVectors, p.Settings.sorted(), seed, epochs})
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

// A Table presents a sweep's results to people.
type Table struct {
	Header []string
	Rows   [][]string
	Notes  []string // lines below it
}

// Table returns a table with a row for each point.
func (r *Report) Table() Table {
	varied, variants := r.varied()
	sets, used := r.sets()
	t := Table{Header: []string{"point"}}
	if variants {
		t.Header = append(t.Header, "variant")
	}
	t.Header = append(t.Header, varied...)
	t.Header = append(t.Header, "parameters", "bytes", "with context", "tokens/s", "CPU s")
	for i, set := range sets {
		if t.Header = append(t.Header, set); used[i] {
			t.Header = append(t.Header, "used", "in vocabulary")
		}
	}
	seeds := 0
	note := func(cond bool, format string, args ...any) {
		if cond {
			t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
		}
	}
	for _, o := range r.Points {
		switch models := o.models(); {
		case o.Skipped != "":
			t.Notes = append(t.Notes, fmt.Sprintf("%s skipped: %s", o.label(), o.Skipped))
		case len(models) > 0:
			t.Rows = append(t.Rows, o.row(models, varied, variants, sets, used))
			seeds = max(seeds, len(models))
		}
		for _, result := range o.Results {
			note(result.Failed != "", "%s, seed %d failed: %s", o.label(), result.Seed, result.Failed)
		}
	}
	note(len(sets) > 0, "scores are Spearman's correlation or the share of right answers, with 95 %% intervals over pairs and questions")
	note(seeds > 1, "mean ± standard deviation of up to %d seeds, intervals and all else the mean", seeds)
	note(slices.Contains(used, true), "scores over different numbers of used pairs and questions do not compare; those in vocabulary, without composed words, do")
	note(r.Done < r.Trials, "%d of %d trials are done", r.Done, r.Trials)
	return t
}

// varied returns "dim" and the settings that differ within a variant, and whether variants exist.
func (r *Report) varied() (names []string, variants bool) {
	names = []string{"dim"} // the baselines have other dimensions
	first := slices.IndexFunc(r.Points, func(o Outcome) bool { return o.Baseline == "" })
	if first < 0 {
		return names, false
	}
	differ := func(name string) bool {
		values := make(map[string]string) // by variant
		return slices.ContainsFunc(r.Points[first:], func(o Outcome) bool {
			value, ok := values[o.Variant]
			values[o.Variant] = o.Settings.value(name)
			return ok && value != values[o.Variant]
		})
	}
	for _, o := range r.Points[first:] {
		variants = variants || o.Variant != ""
		for _, s := range o.Settings {
			if !slices.Contains(names, s.Name) && differ(s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	return names, variants
}

// sets returns the sets, and of which ones points used different numbers of items.
func (r *Report) sets() (names []string, differ []bool) {
	var used []int
	for _, o := range r.Points {
		for _, result := range o.models() {
			for i, e := range result.Evaluations {
				if i == len(names) {
					names, differ, used = append(names, e.Set), append(differ, false), append(used, e.Used)
				}
				differ[i] = differ[i] || e.Used != used[i]
			}
		}
	}
	return names, differ
}

func (o Outcome) models() []Result {
	return slices.DeleteFunc(slices.Clone(o.Results), func(r Result) bool { return !r.done() })
}

func (o Outcome) label() string {
	switch {
	case o.Baseline != "":
		return string(o.Baseline)
	case o.Variant != "" && len(o.Settings) > 0:
		return fmt.Sprintf("%d: %s (%s)", o.Number, o.Variant, o.Settings)
	case len(o.Settings) > 0:
		return fmt.Sprintf("%d: %s", o.Number, o.Settings)
	}
	return fmt.Sprint(o.Number)
}

func (o Outcome) row(models []Result, varied []string, variants bool, sets []string, used []bool) []string {
	row := []string{fmt.Sprint(o.Number)}
	if o.Baseline != "" {
		row[0] = string(o.Baseline)
	}
	if variants {
		row = append(row, cmp.Or(o.Variant, "-"))
	}
	m := models[0]
	for _, name := range varied {
		value := o.Settings.value(name)
		if name == "dim" {
			value = fmt.Sprint(m.Dim)
		}
		row = append(row, cmp.Or(value, "-"))
	}
	row = append(row, wording.Thousands(m.Parameters), wording.Thousands(m.Bytes), wording.Thousands(m.TrainedBytes))
	if o.Baseline == RandomVectors {
		row = append(row, "-", "-")
	} else {
		speed, cpu := mean(models, func(r Result) float64 { return r.TokensPerSecond }), mean(models, func(r Result) float64 { return r.CPUSeconds })
		row = append(row, wording.Thousands(uint64(speed)), fmt.Sprintf("%.1f", cpu))
	}
	for i := range sets {
		s := o.Summary(i)
		if row = append(row, s.String()); used[i] {
			known := o.inVocabulary(i)
			row = append(row, fmt.Sprint(s.Used), fmt.Sprintf("%s (%d)", known, known.Used))
		}
	}
	return row
}

func mean(models []Result, of func(Result) float64) float64 {
	var sum float64
	for _, m := range models {
		sum += of(m)
	}
	return sum / float64(len(models))
}

// A Summary is the score of a point on a set: the mean over seeds.
type Summary struct {
	Score     eval.Score
	Deviation float64       // standard deviation between seeds; NaN for a single seed
	CI95      eval.Interval // the mean of the seeds' intervals
	Used      int
	Seeds     int // seeds with a score
}

// Summary returns the score of the point on set i.
func (o Outcome) Summary(i int) Summary {
	return o.summary(i, func(e Evaluation) Evaluation { return e })
}

// inVocabulary is Summary without pairs and questions with composed words, and no interval.
func (o Outcome) inVocabulary(i int) Summary {
	return o.summary(i, func(e Evaluation) Evaluation {
		e.CI95 = eval.Interval{}
		if known := e.InVocabulary; known != nil {
			e.Score, e.Used = known.Score, known.Used
		}
		return e
	})
}

func (o Outcome) summary(i int, of func(Evaluation) Evaluation) Summary {
	s := Summary{Deviation: math.NaN()}
	var squares, sum, low, high float64
	var models []Evaluation
	for _, m := range o.models() {
		if i < len(m.Evaluations) {
			e := of(m.Evaluations[i])
			if s.Used = e.Used; e.Score.Defined() {
				models = append(models, e)
			}
		}
	}
	s.Seeds = len(models)
	n, known := float64(s.Seeds), s.Seeds > 0
	for _, e := range models {
		sum += float64(e.Score)
		low += e.CI95.Low / n
		high += e.CI95.High / n
		known = known && e.CI95.Known
	}
	if known {
		s.CI95 = eval.Between(low, high)
	}
	s.Score = eval.Score(sum / n) // undefined without seeds
	for _, e := range models {
		squares += math.Pow(float64(e.Score-s.Score), 2)
	}
	if s.Seeds > 1 {
		s.Deviation = math.Sqrt(squares / (n - 1))
	}
	return s
}

// String formats the score, the deviation if it is defined, and the interval.
func (s Summary) String() string {
	if !s.Score.Defined() {
		return "-"
	}
	text := fmt.Sprintf("%.3f", float64(s.Score))
	if !math.IsNaN(s.Deviation) {
		text += fmt.Sprintf(" ± %.3f", s.Deviation)
	}
	if s.CI95.Known {
		text += fmt.Sprintf(" [%.3f, %.3f]", s.CI95.Low, s.CI95.High)
	}
	return text
}

// Markdown writes the table in Markdown.
func (t Table) Markdown() string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteByte('|')
		for _, c := range cells {
			fmt.Fprintf(&b, " %s |", strings.ReplaceAll(c, "|", `\|`))
		}
		b.WriteByte('\n')
	}
	line(t.Header)
	b.WriteString("|" + strings.Repeat("---|", len(t.Header)) + "\n")
	for _, row := range t.Rows {
		line(row)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	return b.String()
}

// Write writes results.md and plots to the folder, if at least one model is trained.
func (r *Report) Write(folder string) error {
	write := func(name string, content func(w io.Writer) error) error {
		return atomicfile.Write(filepath.Join(folder, name), content)
	}
	err := write("results.md", func(w io.Writer) error {
		_, err := io.WriteString(w, r.Table().Markdown())
		return err
	})
	for _, p := range []struct {
		name, axis string
		of         func(Result) float64
	}{
		{"parameters", "parameters of the vectors", func(r Result) float64 { return float64(r.Parameters) }},
		{"bytes", "bytes of a native file of the vectors", func(r Result) float64 { return float64(r.Bytes) }},
		{"time", "CPU seconds of training", func(r Result) float64 { return r.CPUSeconds }},
	} {
		figure := r.figure(p.axis, p.of)
		for _, to := range chart.Formats() {
			if err != nil {
				return err
			}
			err = write(p.name+"."+string(to), func(w io.Writer) error {
				_, err := chart.Write(w, figure, to, chart.Style{})
				return err
			})
		}
	}
	return err
}

func (r *Report) figure(axis string, of func(Result) float64) chart.Panels {
	f := chart.Scores{X: axis}
	sets, differ := r.sets()
	for i, set := range sets {
		f.Sets = append(f.Sets, r.scores(set, of, func(o Outcome) Summary { return o.Summary(i) }))
		if differ[i] {
			f.Sets = append(f.Sets, r.scores(set+", in vocabulary", of, func(o Outcome) Summary { return o.inVocabulary(i) }))
		}
	}
	return f.Panels()
}

func (r *Report) scores(set string, of func(Result) float64, summary func(Outcome) Summary) chart.ScoresOf {
	all := chart.ScoresOf{Set: set}
	for _, o := range r.Points {
		s := summary(o)
		if !s.Score.Defined() {
			continue
		}
		at := chart.Point{X: mean(o.models(), of), Y: float64(s.Score), Low: s.CI95.Low, High: s.CI95.High, Label: r.short(o)}
		if o.Baseline != "" {
			all.Baselines = append(all.Baselines, at)
		} else {
			all.Points = append(all.Points, at)
		}
	}
	return all
}

// short returns the name of a point in a plot: its variant if it is the only one, else its number.
func (r *Report) short(o Outcome) string {
	same := 0
	for _, other := range r.Points {
		if other.Baseline == "" && other.Variant == o.Variant {
			same++
		}
	}
	switch {
	case o.Baseline != "":
		return string(o.Baseline)
	case o.Variant != "" && same == 1:
		return o.Variant
	case o.Variant != "":
		return fmt.Sprintf("%d, %s", o.Number, o.Variant)
	}
	return fmt.Sprint(o.Number)
}
