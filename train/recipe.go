package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A Recipe trains several models on one corpus and merges them. Its value is its name on the command line.
type Recipe string

const (
	// RecipeNone trains one model, as the zero value does.
	RecipeNone Recipe = "none"
	// RecipeBest trains words with twice the window, words with n-grams, and words with n-grams by CBOW, each with twice the dimensions, and
	// reduces all together to the dimensions that are asked for: see transform.MergeConcat. It takes about six times as long as
	// words alone (docs/merge.md).
	RecipeBest Recipe = "best"
)

// A Part is one of the models of a recipe.
type Part struct {
	Number, Of int
	Name       string // such as "n-grams"
	Dim        int
	File       string // its checkpoints; empty if there are none
	Resumed    bool   // it goes on from its checkpoint
}

// An ingredient is a part of a recipe.
type ingredient struct {
	name           string
	arch, subwords string
	dims, window   int // times those of the result
	weight         float64
}

// ingredients are the parts of a recipe. Twice the dimensions, reduced afterwards, are better than the dimensions themselves. The parts
// differ, because models that err alike bring little together.
var ingredients = []ingredient{
	{"wide-words", "skipgram", "none", 2, 2, 1},
	{"n-grams", "skipgram", "fasttext", 2, 1, 1.5},
	{"cbow", "cbow", "fasttext", 2, 1, 1},
}

// power is transform.MergeOptions.Power of a recipe: its parts say much of the same.
const power = 0.7

// joinedDim is the number of dimensions of all parts together.
func joinedDim(base Settings) (all int) {
	for _, of := range ingredients {
		all += of.dims * base.Model.Dim
	}
	return all
}

// shared is the text of a recipe, which is read by its first part.
type shared struct{ text *Text }

type recipe struct {
	whole  *run // writes and evaluates the merged model
	corpus Corpus
	shared shared
	sum    *Result // of the parts that are finished
	fresh  float64 // tokens that this process has trained
	took   float64 // seconds that it trained them
	sets   []*vectors.Set
	names  []string
	// weights of the sets
	weights []float64
}

func runRecipe(ctx context.Context, c Corpus, o Options, h Hooks) (_ *Result, err error) {
	saving, giveUp := savingOf(ctx, o)
	defer giveUp()
	h = h.serial()
	base := o.Settings.orDefaults()
	if err := inOrder(func() error { return refuseWithRecipe(c, &o, &base) }, func() error { return base.takeBegun(o.Checkpoint.Resume) }); err != nil {
		return nil, err
	}
	whole := o
	whole.Checkpoint, whole.Vocabulary.Save = Checkpoint{}, ""
	if whole.Settings = base; whole.Settings.Set("subwords", "fasttext") != nil {
		return nil, errors.New("train: no n-grams")
	}
	q := &recipe{whole: &run{options: whole, settings: whole.Settings, hooks: h, input: c.input()}, corpus: c}
	defer func() {
		for _, set := range q.sets {
			err = errors.Join(err, set.Close())
		}
		if q.shared.text != nil {
			err = errors.Join(err, q.shared.text.Close())
		}
	}()
	if err := q.whole.complete(ctx); err != nil {
		return nil, err
	}
	if joined := joinedDim(base); joined > transform.MaxReduced {
		return nil, optionErrorf("%v joins %d dimensions, at most %d can be reduced: see %v", name("recipe").to(o.Recipe), joined, transform.MaxReduced, name("dim"))
	}
	parts, err := recipeParts(o, base)
	if err != nil {
		return nil, err
	}
	_, err = q.whole.place(ctx, c)
	defer q.whole.unlock()
	defer context.AfterFunc(saving, q.whole.unlock)() // the program may exit at once
	if err != nil {
		return nil, err
	}
	if err := h.Ready(); err != nil {
		return nil, err
	}
	for i, part := range parts {
		if result, err := q.train(ctx, i, part, o); err != nil {
			return result, err
		}
	}
	return q.merge(ctx, saving, base, o)
}

// refuseWithRecipe returns why these options do not go with a recipe.
func refuseWithRecipe(c Corpus, o *Options, s *Settings) error {
	of := name("recipe").to(o.Recipe)
	if !slices.Contains(Recipes(), o.Recipe) {
		return optionErrorf("%v is not known; known are %s", of, strings.Join(wording.Map(Recipes(), func(r Recipe) string { return string(r) }), ", "))
	}
	if input := c.input(); input != textInput || s.kmers != nil {
		return optionErrorf("%v is for text, and the corpus is %s: their names have no n-grams", of, cmp.Or(c.made, "k-mers"))
	}
	for _, with := range []struct {
		option name
		is     bool
		why    string
	}{
		{"init", o.Init.given(), "the models of a recipe begin anew"},
		{"update-vocab", o.Init.UpdateVocab, "the models of a recipe begin anew"},
		{"extend-epochs", o.Checkpoint.ExtendEpochs != 0, "a merged model is not trained further"},
		{"epoch-models", o.Evaluation.EpochModels != "", "several models have epochs of their own"},
		{"divide", o.Divide, "the models are merged in one process"},
		{"tokenizer", s.Text.File != nil, "a merged model has its rows in another order than a tokenizer.json"},
	} {
		if with.is {
			return optionErrorf("%v does not go with %v: %s", of, with.option, with.why)
		}
	}
	if o.Ranks != nil && o.Ranks.Size() > 1 {
		return optionErrorf("%v is for one process, and this run has several ranks", of)
	}
	if k := o.Checkpoint; k.Resume != "" && k.File != "" && k.File != k.Resume {
		return optionErrorf("%v goes on with the checkpoints of all parts: leave out %v", name("resume"), name("checkpoint"))
	}
	for _, row := range table() {
		decided := row.Group == GroupSubwords || row.Group == sgns.GroupFreeze ||
			slices.Contains([]string{"arch", "loss", "rank", "tied", "nested", "position-weights", "word-ngrams", "word-buckets", "precision", "own-weight", "power"}, row.Name)
		if decided && s.Given(row.Name) {
			return optionErrorf("%v says itself what its models are like: leave out %v", of, name(row.Name))
		}
	}
	return nil
}

// recipeParts returns the options of each part. Parts that have a checkpoint go on from it.
func recipeParts(o Options, base Settings) (all []Options, err error) {
	for i, of := range ingredients {
		part := o
		part.Recipe, part.Output, part.Writer, part.Format, part.Files = "", "", nil, "", nil
		part.Settings = base
		if i > 0 {
			part.Vocabulary.Save = ""
		}
		err := inOrder(func() error { return of.change(&part.Settings, base) }, func() error {
			complete := part.Settings
			return complete.Complete()
		})
		if err != nil {
			return nil, optionErrorf("%v: %s: %v", name("recipe").to(o.Recipe), of.name, err)
		}
		k := &part.Checkpoint
		if file := cmp.Or(k.Resume, k.File); file != "" {
			at := file + "." + of.name
			if atomicfile.Same(at, o.Output) {
				return nil, optionErrorf("%v: %s is the checkpoint of a part", name("output").to(o.Output), at)
			}
			k.File, k.Resume = at, ""
			if o.Checkpoint.Resume != "" && isThere(at) {
				k.File, k.Resume = "", at
			}
		}
		all = append(all, part)
	}
	return all, nil
}

// change makes settings of the result those of the part.
func (of ingredient) change(s *Settings, base Settings) error {
	for name, value := range map[string]string{
		"arch": of.arch, "subwords": of.subwords, "dim": strconv.Itoa(of.dims * base.Model.Dim), "window": strconv.Itoa(of.window * base.Model.Window),
		"power": "1", // what is merged has the recipe's
	} {
		if err := s.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// takeBegun takes the settings that are not given from the checkpoint of a part, if the recipe goes on. Given ones must agree with it.
func (s *Settings) takeBegun(file string) error {
	if file == "" {
		return nil
	}
	for _, of := range ingredients {
		if at := file + "." + of.name; isThere(at) {
			return s.takeOf(at, file, of)
		}
	}
	return optionErrorf("%v: there is no checkpoint of a part, such as %s.%s", name("resume").to(file), file, ingredients[0].name)
}

func isThere(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// refuseParts returns an error if there is no such checkpoint, but those of a recipe's parts.
func refuseParts(file string) error {
	for _, of := range ingredients {
		if at := file + "." + of.name; isThere(at) && !isThere(file) {
			return optionErrorf("%v: there is no such checkpoint, and %s is that of a recipe's part: add %v", name("resume").to(file), at, name("recipe").to(RecipeBest))
		}
	}
	return nil
}

func (s *Settings) takeOf(part, file string, of ingredient) (err error) {
	k, err := openResumed(part)
	defer func() { err = errors.Join(err, k.close()) }()
	if err != nil {
		return err
	}
	was := k.note.Settings
	was.Model = k.from.Config
	was.Model.Arch, was.Model.Dim, was.Model.Window = s.Model.Arch, was.Model.Dim/of.dims, was.Model.Window/of.window
	was.Model.LearningRate, was.Model.Threads = k.note.LearningRate, k.note.Threads
	if s.Given("threads") { // the part says whether they may differ
		was.Model.Threads = s.Model.Threads
	}
	switch n := was.Model.Epochs; {
	case !s.Given("epochs") && isAuto(k.set.Training()):
		was.Model.Epochs = 0
	case s.Given("epochs") && s.Model.Epochs != 0 && s.Model.Epochs != n:
		return optionErrorf("%v is %d, and the run in %s has %d: leave it out, its settings are taken", name("epochs"), s.Model.Epochs, file, n)
	}
	return s.adoptTable(was, file)
}

// train trains a part.
func (q *recipe) train(ctx context.Context, i int, o Options, asked Options) (*Result, error) {
	h := q.whole.hooks
	k := o.Checkpoint
	h.Part(Part{i + 1, len(ingredients), ingredients[i].name, o.Settings.Model.Dim, cmp.Or(k.Resume, k.File), k.Resume != ""})
	h.Ready = nil
	if i > 0 { // the text has been remarked on
		h.Remark = nil
	}
	result, err := runAlone(ctx, q.corpus, o, h, &q.shared)
	if result != nil && result.Vectors != nil {
		q.sets = append(q.sets, result.Vectors)
	}
	file := cmp.Or(asked.Checkpoint.Resume, asked.Checkpoint.File)
	switch {
	case err == nil && result.Complete:
	case ctx.Err() != nil && file == "":
		return nil, nothingKept(cmp.Or(err, ctx.Err()))
	default:
		if result != nil {
			result.Vectors, result.Checkpoint = nil, checkpointOf(result, file)
			result.Parts, result.Remarks = q.partsWith(i, result)
		}
		return result, err
	}
	if best := result.Best; best != nil && best.Tokens != result.Progress.Tokens {
		h.Note(messagef("%s: of %s tokens trained, the best vectors are those of %s", ingredients[i].name,
			wording.Thousands(result.Progress.Tokens), wording.Thousands(best.Tokens)))
	}
	q.names, q.weights = append(q.names, ingredients[i].name), append(q.weights, ingredients[i].weight)
	q.add(i, result)
	return result, nil
}

func nothingKept(err error) error {
	return errorf("%v: nothing is kept of a recipe without %v", err, name("checkpoint").to("FILE"))
}

// checkpointOf returns the name by which the recipe goes on, if the part has a checkpoint.
func checkpointOf(part *Result, file string) string {
	if part.Checkpoint == "" {
		return ""
	}
	return file
}

// add adds what a part took to the result of all.
func (q *recipe) add(i int, part *Result) {
	p := part.Progress
	if p.TokensPerSecond > 0 { // else it was finished before
		q.fresh, q.took = q.fresh+p.TokensPerSecond*p.Elapsed.Seconds(), q.took+p.Elapsed.Seconds()
	}
	parts, remarks := q.partsWith(i, part)
	if q.sum == nil {
		sum := *part
		q.sum = &sum
	} else {
		s := q.sum
		p.Early = p.Early || s.Progress.Early
		p.Tokens, p.Total, p.Elapsed = s.Progress.Tokens+p.Tokens, s.Progress.Total+p.Total, s.Progress.Elapsed+p.Elapsed
		s.Planned = max(s.Planned, part.Planned)
		s.Training, s.Preparing, s.CPU = s.Training+part.Training, s.Preparing+part.Preparing, s.CPU+part.CPU
	}
	p.Loss = math.NaN() // of several models
	p.TokensPerSecond = 0
	if q.took > 0 {
		p.TokensPerSecond = q.fresh / q.took
	}
	p.Recent = p.TokensPerSecond
	q.sum.Progress, q.sum.Parts, q.sum.Remarks = p, parts, remarks
}

// partsWith returns the parts up to this one, and the remarks on them. Remarks on the vectors of a part begin with its name.
func (q *recipe) partsWith(i int, part *Result) (parts []PartResult, remarks []Remark) {
	if q.sum != nil {
		parts, remarks = slices.Clone(q.sum.Parts), slices.Clone(q.sum.Remarks)
	}
	for j, remark := range part.Remarks {
		ofCorpus := j < part.remarked
		if ofCorpus && slices.ContainsFunc(remarks, func(r Remark) bool { return r.String() == remark.String() }) {
			continue
		}
		if !ofCorpus || i > 0 {
			remark.Message = messagef("%s: %v", ingredients[i].name, remark.Message)
		}
		remarks = append(remarks, remark)
	}
	c, p := part.Settings.Model, part.Progress
	return append(parts, PartResult{ingredients[i].name, c.Dim, c.Epochs, p.Tokens, p.Loss, p.Early, part.Best}), remarks
}

// merge merges the parts, evaluates the merged model and writes it.
func (q *recipe) merge(ctx, saving context.Context, base Settings, o Options) (*Result, error) {
	file := cmp.Or(o.Checkpoint.Resume, o.Checkpoint.File)
	result := q.sum
	result.Checkpoint, result.Settings, result.Best = file, base, nil
	begun, cpu := time.Now(), sysinfo.CPUTime()
	q.whole.hooks.Note(messagef("the models are merged: %d dimensions of all of them become %d", joinedDim(base), base.Model.Dim))
	merged, _, err := transform.Merge(ctx, q.sets, transform.MergeOptions{
		Dim: base.Model.Dim, Weights: q.weights, Power: power, Names: q.names, Computation: transform.Computation{Force: o.Force},
	})
	if err == nil {
		facts := merged.Training()
		facts.Set(recipeFact, string(o.Recipe))
		result.Vectors = merged.WithTraining(facts)
		err = q.evaluate(ctx, result, time.Since(begun))
	}
	if err != nil {
		if ctx.Err() != nil && file == "" {
			return nil, nothingKept(err)
		}
		result.Vectors, result.Complete, result.Resumable = nil, false, file != ""
		return result, fmt.Errorf("merging: %w", err)
	}
	result.Training, result.CPU = result.Training+time.Since(begun), result.CPU+sysinfo.CPUTime()-cpu
	q.sets = nil // the rows of the result are computed of theirs
	begun = time.Now()
	result.Unsaved = q.whole.save(ctx, saving, result)
	result.Saving, result.Checkpoint = time.Since(begun), file
	return result, result.Unsaved
}

func (q *recipe) evaluate(ctx context.Context, result *Result, took time.Duration) error {
	e := &q.whole.evaluator
	if len(e.sets) == 0 && e.custom == nil {
		return nil
	}
	score, err := e.score(ctx, result.Vectors)
	if err != nil {
		return err
	}
	q.whole.hooks.Evaluated(Evaluated{
		Evaluation: sgns.Evaluation{Tokens: result.Progress.Tokens, Elapsed: result.Progress.Elapsed, Trained: math.NaN(), Loss: math.NaN(), Score: score, Took: took},
		Scores:     e.scores, Merged: true,
	})
	return nil
}

// recipeFact is the fact of a model that says of which recipe it is.
const recipeFact = "recipe"
