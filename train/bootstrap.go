package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// BootstrapOptions say what Bootstrap does. Runs is the only field that must be set.
type BootstrapOptions struct {
	// Settings decide which vectors come out. The zero Settings mean Defaults().
	Settings Settings
	// Runs is the number of models, 2 or more. Run i draws its documents with the seed of the
	// settings plus i, and is trained with that seed.
	Runs int
	// Sets score each model, with the options Eval, whose Resamples are not used.
	Sets []eval.SetFile
	Eval eval.Options
	// Words are words whose Neighbors nearest neighbours are compared; 0 means 10.
	Words     []string
	Neighbors int
	// Output, if not empty, is where models go: for model.w2v to model-1.w2v, model-2.w2v, ….
	Output string

	// Cache, NoCache, VocabMemory and Force are as in Options.
	Cache       string
	NoCache     bool
	VocabMemory uint64
	Force       bool
}

// BootstrapHooks are called while Bootstrap runs. The zero value calls nothing.
type BootstrapHooks struct {
	Reading  func(tokens uint64) // while the corpus is read, from several goroutines
	Note     func(text string)   // receives what the user should know about the cache
	Read     func(*Text)         // after the corpus has been read
	Progress func(sgns.Progress) // while a model is trained
	Every    time.Duration       // between two calls of Progress
	Done     func(BootstrapRun)  // after each run
}

// A BootstrapRun is a model of a resample of the documents.
type BootstrapRun struct {
	Run     int          `json:"run"` // from 1
	Seed    uint64       `json:"seed"`
	Tokens  uint64       `json:"tokens"`          // of the resample
	Model   string       `json:"model,omitempty"` // the file, if written
	Seconds float64      `json:"seconds"`
	Scores  []eval.Score `json:"scores"` // one per set
}

// Bootstrap trains several models, each on documents drawn from the corpus with replacement. It
// measures how much scores and nearest neighbours vary, and so how much a model depends on the
// documents that happen to be in its corpus (Antoniak and Mimno, "Evaluating the stability of
// embedding-based word similarities", 2018). See vocab.IDs.Resample for what a document is.
//
// The corpus is read, counted and cut once. All models share the corpus's vocabulary and counts; a
// word that is in no document of a resample keeps its initial vector. If ctx ends, Bootstrap
// returns the results so far with the context's error.
func Bootstrap(ctx context.Context, c Corpus, o BootstrapOptions, h BootstrapHooks) (_ *BootstrapResult, err error) {
	if o.Settings = o.Settings.orDefaults(); o.Force {
		o.Settings.Model.Force = true
	}
	if o.Neighbors == 0 {
		o.Neighbors = 10
	}
	if c, err = c.withFreshEpochs(&o.Settings); err != nil {
		return nil, err
	}
	b := &bootstrap{options: o, hooks: h}
	if err := b.validate(ctx, c); err != nil {
		return nil, err
	}
	text, err := Read(ctx, c, b.options.Settings, ReadOptions{
		Cache: o.Cache, NoCache: o.NoCache, Memory: o.VocabMemory, Force: o.Force, Note: h.Note, Reading: h.Reading,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	if h.Read != nil {
		h.Read(text)
	}
	if b.near, err = newNearby(text.Vocab, o.Words, o.Neighbors); err != nil {
		return nil, err
	}
	var stopped error
	for run := 1; run <= o.Runs && stopped == nil; run++ {
		stopped = b.run(ctx, text, run)
	}
	if len(b.runs) == 0 {
		return nil, stopped
	}
	return b.result(text), stopped
}

type bootstrap struct {
	options BootstrapOptions
	hooks   BootstrapHooks
	format  format.Format
	near    *nearby
	sums    []eval.Summary // of the first run, one per set
	runs    []BootstrapRun
}

func (b *bootstrap) validate(ctx context.Context, c Corpus) (err error) {
	o := &b.options
	switch {
	case o.Runs < 2:
		return optionErrorf("%v must be 2 or more, is %d", name("bootstrap"), o.Runs)
	case o.Neighbors < 1:
		return optionErrorf("%v must be 1 or more, is %d", name("bootstrap-neighbors"), o.Neighbors)
	}
	if err := o.Settings.Complete(); err != nil {
		return err
	}
	o.Eval.Resamples = -1
	if o.Output == "" {
		return nil
	}
	if b.format, err = format.ForPath(o.Output, o.Settings.Model.Subword != nil); err != nil {
		return &OptionError{messagef("%v", err)}
	}
	paths, err := c.Paths(ctx, o.Settings.Text)
	if err != nil {
		return err
	}
	for _, set := range o.Sets {
		for _, file := range set.Files {
			paths = append(paths, file.Path)
		}
	}
	if file := o.Settings.Text.File; file != nil {
		paths = append(paths, file.Path())
	}
	for run := range o.Runs {
		written, err := format.TargetFiles(b.path(run+1), b.format)
		if err != nil {
			return err
		}
		is := func(path string) bool {
			return slices.ContainsFunc(written, func(out string) bool { return atomicfile.Same(out, path) })
		}
		if i := slices.IndexFunc(paths, is); i >= 0 {
			return optionErrorf("%s is read, and a model would replace it: %v names another file", paths[i], name("output"))
		}
		if err := format.CheckTarget(b.path(run+1), b.format); err != nil {
			return err
		}
	}
	return nil
}

func (b *bootstrap) path(run int) string {
	plain, _ := compression.SplitExt(b.options.Output)
	begin := strings.TrimSuffix(plain, filepath.Ext(plain))
	return fmt.Sprintf("%s-%d%s", begin, run, strings.TrimPrefix(b.options.Output, begin))
}

func (b *bootstrap) run(ctx context.Context, text *Text, number int) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	start := time.Now()
	config := b.options.Settings.Model
	config.Seed += uint64(number)
	config.Epochs = cmp.Or(config.Epochs, text.EpochsFor(config))
	ids, err := text.IDs.Resample(config.Seed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ids.Close()) }()
	if ids.Tokens() == 0 {
		return errorf("run %d has none of the documents, because the corpus has only a few: a document is a line or a sentence of it, and hundreds are needed", number)
	}
	model, err := sgns.Train(ctx, sgns.Data{IDs: ids, Vocab: text.Vocab}, config, sgns.Hooks{Progress: b.hooks.Progress, Every: b.hooks.Every})
	if err != nil { // also if ctx ended before the model was complete
		return explainTraining(err, &b.options.Settings, 0)
	}
	set := text.settings.described(model.Vectors)
	run := BootstrapRun{Run: number, Seed: config.Seed, Tokens: ids.Tokens(), Scores: []eval.Score{}}
	var sums []eval.Summary
	for _, of := range b.options.Sets {
		r, err := eval.Evaluate(ctx, set, of.Set, b.options.Eval)
		if err != nil {
			return err
		}
		sums = append(sums, r.Summary)
		run.Scores = append(run.Scores, r.Summary.Score)
	}
	if b.options.Output != "" {
		run.Model = b.path(number)
		if err := format.Write(ctx, run.Model, set, b.format); err != nil {
			return err
		}
		if notes := format.Misread(set, b.format); len(notes) > 0 && len(b.runs) == 0 && b.hooks.Note != nil {
			b.hooks.Note(notes[0]) // the other models have nearly the same words
		}
	}
	if err := b.near.add(ctx, set); err != nil {
		return err
	}
	run.Seconds = time.Since(start).Seconds()
	b.runs, b.sums = append(b.runs, run), sums
	if b.hooks.Done != nil {
		b.hooks.Done(run)
	}
	return nil
}

// A BootstrapResult says how much scores and neighbours depend on the documents of a corpus.
type BootstrapResult struct {
	Tokens uint64           `json:"tokens"` // of the corpus
	Words  int              `json:"words"`  // of its vocabulary
	Runs   []BootstrapRun   `json:"runs"`
	Scores []BootstrapScore `json:"scores"` // one per set
	// Neighbors is how many nearest neighbours were compared, Nearest the words and theirs.
	Neighbors int             `json:"neighbors"`
	Nearest   []BootstrapWord `json:"nearest"`
}

// A BootstrapScore holds the scores of all runs on a set.
type BootstrapScore struct {
	Set     string      `json:"set"`
	Task    eval.Task   `json:"task"`
	Metric  string      `json:"metric"`
	Items   int         `json:"items"`
	Used    int         `json:"used"` // in the last run
	SetFile eval.Source `json:"set_file"`
	Spread              // of the score
}

// A BootstrapWord holds the neighbours of a word in all runs.
type BootstrapWord struct {
	Word  string `json:"word"`
	Count uint64 `json:"count"` // in the corpus
	// Jaccard is the mean Jaccard similarity of the neighbours of two runs: 1 if all are the same,
	// 0 if none is. It is NaN (null in JSON) for one run.
	Jaccard   eval.Score          `json:"jaccard"`
	Neighbors []BootstrapNeighbor `json:"neighbors"` // the most frequent neighbours first
}

// A BootstrapNeighbor is a word that is a nearest neighbour in at least one run.
type BootstrapNeighbor struct {
	Word  string  `json:"word"`
	Share float64 `json:"share"` // the share of runs in which the word is a nearest neighbour
	// MeanRank is the mean of the word's ranks (1 for the nearest). Spread describes its cosines.
	// Both cover the runs in which the word is among the 1000 nearest.
	MeanRank float64 `json:"mean_rank"`
	Spread
}

// A Spread is the distribution of a number over runs.
type Spread struct {
	Runs      int        `json:"runs_used"` // runs that have the number
	Mean      eval.Score `json:"mean"`
	Deviation eval.Score `json:"deviation"` // the bootstrap's estimate of the standard error
	// Interval is the range in which 95 % of other corpora of such documents are expected: the mean
	// ± Student's 97.5 % point times the deviation, cut to −1…1.
	Interval eval.Interval `json:"interval,omitzero"`
}

// newSpread returns the spread of numbers from −1 to 1; NaN does not count.
func newSpread(x []float64) Spread {
	numbers := slices.DeleteFunc(slices.Clone(x), math.IsNaN)
	s := Spread{Runs: len(numbers), Mean: eval.Score(stat.Mean(numbers, nil)), Deviation: eval.Score(math.NaN())} // NaN without numbers
	if len(numbers) > 1 {
		deviation := stat.StdDev(numbers, nil)
		half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(numbers) - 1)}.Quantile(0.975) * deviation
		s.Deviation, s.Interval = eval.Score(deviation), eval.Between(max(-1, float64(s.Mean)-half), min(1, float64(s.Mean)+half))
	}
	return s
}

func (b *bootstrap) result(text *Text) *BootstrapResult {
	r := &BootstrapResult{
		Tokens: text.IDs.Tokens(), Words: text.Vocab.Len(), Runs: b.runs,
		Scores: []BootstrapScore{}, Neighbors: b.options.Neighbors, Nearest: b.near.words(),
	}
	for i, of := range b.options.Sets {
		sum := b.sums[i]
		scores := wording.Map(b.runs, func(run BootstrapRun) float64 { return float64(run.Scores[i]) })
		r.Scores = append(r.Scores, BootstrapScore{
			Set: sum.Set, Task: sum.Task, Metric: sum.Metric, Items: sum.Items, Used: sum.Used, SetFile: of.Source(), Spread: newSpread(scores),
		})
	}
	return r
}

const deepest = 1000 // the number of neighbours whose ranks and cosines are kept

// nearby collects the nearest neighbours of words in all runs, by ids, which all models share.
type nearby struct {
	vocab *vocab.Vocab
	ids   []int
	k     int
	runs  [][]found // [word][run]
}

// found has the nearest neighbours of a word in a run, and the deepest of them by id.
type found struct {
	nearest []int
	deepest map[int]neighbor
}

type neighbor struct {
	rank   int // from 1
	cosine float64
}

func newNearby(v *vocab.Vocab, words []string, k int) (*nearby, error) {
	n := &nearby{vocab: v, k: k, runs: make([][]found, len(words))}
	var unknown []string
	for _, word := range words {
		id, ok := v.ID([]byte(word))
		if !ok {
			unknown = append(unknown, word)
		}
		n.ids = append(n.ids, int(id))
	}
	const most = 10
	if len(unknown) > most {
		unknown = append(unknown[:most-1], unknown[most-1]+" …")
	}
	if unknown != nil {
		return nil, errorf("%v: not in the vocabulary: %s", name("bootstrap-words"), strings.Join(unknown, ", "))
	}
	return n, nil
}

func (n *nearby) add(ctx context.Context, s *vectors.Set) error {
	if len(n.ids) == 0 {
		return nil
	}
	queries := make([]vectors.Query, len(n.ids))
	rows, _ := s.Directions()
	for i, id := range n.ids {
		queries[i] = vectors.Query{Vector: rows.Row(id), K: max(n.k, deepest), Skip: []int{id}}
	}
	all, err := s.Nearest(ctx, queries...)
	if err != nil {
		return err
	}
	for i, near := range all {
		f := found{deepest: make(map[int]neighbor, len(near))}
		for rank, x := range near {
			f.deepest[x.ID] = neighbor{rank + 1, float64(x.Similarity)}
			if rank < n.k {
				f.nearest = append(f.nearest, x.ID)
			}
		}
		n.runs[i] = append(n.runs[i], f)
	}
	return nil
}

func (n *nearby) words() []BootstrapWord {
	all := []BootstrapWord{}
	for i, id := range n.ids {
		runs := n.runs[i]
		times := make(map[int]int)
		for _, run := range runs {
			for _, near := range run.nearest {
				times[near]++
			}
		}
		w := BootstrapWord{Word: string(n.vocab.Tokens()[id]), Count: n.vocab.Count(id), Jaccard: stability(runs), Neighbors: []BootstrapNeighbor{}}
		for near, count := range times {
			x := BootstrapNeighbor{Word: string(n.vocab.Tokens()[near]), Share: float64(count) / float64(len(runs))}
			var cosines []float64
			for _, run := range runs {
				if at, ok := run.deepest[near]; ok {
					cosines = append(cosines, at.cosine)
					x.MeanRank += float64(at.rank)
				}
			}
			x.MeanRank /= float64(len(cosines))
			x.Spread = newSpread(cosines)
			w.Neighbors = append(w.Neighbors, x)
		}
		slices.SortFunc(w.Neighbors, func(a, b BootstrapNeighbor) int {
			return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.MeanRank, b.MeanRank), cmp.Compare(a.Word, b.Word))
		})
		all = append(all, w)
	}
	return all
}

// stability returns the mean Jaccard similarity of the nearest neighbours of any two runs.
func stability(runs []found) eval.Score {
	sum, pairs := 0.0, 0.0
	for i, a := range runs {
		for _, b := range runs[:i] {
			both := 0
			for _, id := range a.nearest {
				if slices.Contains(b.nearest, id) {
					both++
				}
			}
			if union := len(a.nearest) + len(b.nearest) - both; union > 0 {
				sum, pairs = sum+float64(both)/float64(union), pairs+1
			}
		}
	}
	return eval.Score(sum / pairs) // NaN without pairs
}
