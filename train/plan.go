package train

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A RunPlan says what a run is going to take, estimated from a sample of its corpus. Times are processor time, and Seconds is
// the time of a machine whose processors do nothing else.
type RunPlan struct {
	Sampled uint64  `json:"sampled_tokens"` // tokens of the sample
	Whole   bool    `json:"whole"`          // the sample is the whole corpus
	Counted bool    `json:"counted"`        // tokens and words are those of the whole corpus
	Reached float64 `json:"reached"`        // part of the corpus that the sample is spread over: see corpus.Draw

	Tokens   uint64 `json:"tokens"`         // of the corpus
	Trained  uint64 `json:"trained_tokens"` // tokens of the vocabulary, in an epoch
	Distinct int    `json:"distinct"`       // different words
	Words    int    `json:"vocab"`          // those that are frequent enough
	Nodes    int    `json:"nodes,omitempty"`
	Edges    uint64 `json:"edges,omitempty"`

	Parts   []PartPlan `json:"parts"` // of a recipe; else one
	Threads int        `json:"threads"`

	Memory   uint64 `json:"memory_bytes"`   // peak of the process
	Counting uint64 `json:"counting_bytes"` // its part while the corpus is counted

	Cache      uint64 `json:"cache_bytes"`           // the tokenised corpus, on disk
	CacheMost  uint64 `json:"cache_peak_bytes"`      // while it is written
	Pairs      uint64 `json:"pairs_bytes,omitempty"` // temporary files with counts of pairs of words, while training
	Checkpoint uint64 `json:"checkpoint_bytes"`      // of all parts; 0 if there is none
	Model      uint64 `json:"model_bytes"`           // 0 if its size is not known
	Graph      uint64 `json:"graph_bytes,omitempty"`

	CheckpointMost uint64 `json:"checkpoint_peak_bytes"` // with the old one, while a new one is written

	CountCPU float64 `json:"count_cpu_seconds"`
	TrainCPU float64 `json:"train_cpu_seconds"` // preparing and training all parts, and merging them
	SaveCPU  float64 `json:"save_cpu_seconds"`
	CPU      float64 `json:"cpu_seconds"`
	Seconds  float64 `json:"seconds"`

	Ranks *RanksPlan `json:"ranks,omitempty"`
	Notes []Message  `json:"-"`
}

// A PartPlan is a model of a recipe, or the only one.
type PartPlan struct {
	Name            string  `json:"name,omitempty"`
	Dim             int     `json:"dim"`
	Epochs          int     `json:"epochs"`
	Auto            bool    `json:"auto"` // the number of epochs was chosen by the size of the corpus
	Rows            int     `json:"rows"`
	Memory          uint64  `json:"memory_bytes"`
	PrepareCPU      float64 `json:"prepare_cpu_seconds"`
	TrainCPU        float64 `json:"train_cpu_seconds"`
	TokensPerSecond float64 `json:"tokens_per_cpu_second"`
	Tried           uint64  `json:"tried_tokens"` // tokens that the speed was measured on
}

// A RanksPlan says how often ranks exchange changes, and what they send. What is sent is 0 if the model is divided, does not fit into this
// machine, or has frozen rows. Each rank has a machine of its own: ranks of one machine share a model, and send little.
type RanksPlan struct {
	Ranks   int     `json:"ranks"`
	Turns   uint64  `json:"turns"`
	Between uint64  `json:"tokens_between_turns"` // of a rank
	Seconds float64 `json:"seconds"`              // without what exchanging takes

	Sent     uint64  `json:"sent_bytes"`            // to each other, by all ranks
	RankSent uint64  `json:"rank_sent_bytes"`       // by each rank
	Complete uint64  `json:"rank_complete_bytes"`   // its part of RankSent for each time that ranks are made equal: at the end, for a checkpoint, for an evaluation
	Times    uint64  `json:"complete_turns"`        // how often they are made equal
	Rate     float64 `json:"rank_bytes_per_second"` // that a rank sends if exchanging takes no time
}

// PlanOptions say how PlanRun plans.
type PlanOptions struct {
	// Ranks is the number of processes that will train together; 0 means the number of Options.Ranks, or 1.
	Ranks int
	// Text is about how many bytes of text are read; 0 means 32 MiB.
	Text int64
	// Count is the most tokens of a corpus whose words are counted, all of them, if a sample of it says so; 0 means 1<<28 and
	// a negative number none.
	Count int64
	// CPU is about how much processor time of each thread trying a model takes; 0 means 1.5 s.
	CPU time.Duration
}

const (
	planText  = 32 << 20
	planCount = 1 << 28 // takes about ten seconds of a processor
	planCPU   = 1500 * time.Millisecond
)

// PlanRun estimates what Run will take with a corpus and options. It reads a sample of the corpus, makes a vocabulary as
// the whole corpus may have it, and trains on the sample for a few seconds. If the whole corpus is counted in seconds, PlanRun
// counts it, because texts that repeat themselves have fewer words than a sample says. It leaves no files, and returns
// errors that Run would return before it reads.
func PlanRun(ctx context.Context, c Corpus, o Options, p PlanOptions) (*RunPlan, error) {
	if c.stdin != nil {
		return nil, optionErrorf("%v reads a sample first, and the run all of the corpus: standard input can be read only once, so write it to a file", name("plan"))
	}
	recipe := o.Recipe != "" && o.Recipe != RecipeNone
	base := o.Settings.orDefaults()
	if recipe {
		if p.Ranks > 1 {
			return nil, optionErrorf("%v is for one process: leave out %v", name("recipe").to(o.Recipe), name("plan-ranks"))
		}
		if err := inOrder(func() error { return refuseWithRecipe(c, &o, &base) }, func() error { return base.takeBegun(o.Checkpoint.Resume) }); err != nil {
			return nil, err
		}
		o.Settings = base
	}
	e := &planner{plan: new(RunPlan), options: p}
	runtime.GC()
	began := sysinfo.MemoryInUse()
	defer func() { e.close() }()
	if err := e.open(ctx, c, o, recipe); err != nil {
		return nil, err
	}
	if p.Ranks > 1 && e.run.settings.Model.Counts() {
		return nil, e.run.alone()
	}
	if e.run.warm.set != nil {
		runtime.GC()
		e.opened = sysinfo.MemoryInUse()
		e.opened -= min(e.opened, began)
	}
	if err := e.sample(ctx, e.run, c); err != nil {
		return nil, err
	}
	parts := []Options{o}
	if recipe {
		var err error
		if parts, err = recipeParts(o, base); err != nil {
			return nil, err
		}
	}
	for i, part := range parts {
		of := e.run
		if recipe {
			of = &run{options: part, settings: part.Settings.orDefaults(), hooks: Hooks{}.serial(), input: c.input()}
			if err := of.complete(ctx); err != nil {
				return nil, err
			}
		}
		tried, err := e.try(ctx, of)
		if err != nil {
			return nil, err
		}
		if recipe {
			tried.Name = ingredients[i].name
		}
		e.plan.Parts = append(e.plan.Parts, tried)
	}
	e.sum(recipe)
	return e.plan, nil
}

// planner computes a RunPlan.
type planner struct {
	plan    *RunPlan
	options PlanOptions
	run     *run

	vocab *vocab.Vocab
	ids   *vocab.IDs
	model *sgns.Plan     // of the last part that was tried; nil if it did not fit
	sets  []*vectors.Set // of the parts before
	count float64        // processor time of counting
	save  float64        // processor time of saving

	counted *vocab.Vocab // of the whole corpus; nil if it was not counted
	all     vocab.Report // of the whole corpus, if it was counted

	// the most tokens and pairs that a pass of finding phrases counts
	found struct{ different, frequent float64 }

	loading float64 // processor time of reading the sample of a graph
	opened  uint64  // memory of vectors to start from
	before  uint64  // memory of the models of a recipe so far
}

func (e *planner) close() {
	for _, set := range e.sets {
		_ = set.Close() // it was only read
	}
	if e.ids != nil {
		_ = e.ids.Close() // a temporary file
	}
	if e.run != nil {
		_ = errors.Join(e.run.resumed.close(), e.run.warm.close())
	}
}

// open checks the options as a run does.
func (e *planner) open(ctx context.Context, c Corpus, o Options, recipe bool) error {
	whole := o
	if recipe {
		whole.Checkpoint, whole.Vocabulary.Save = Checkpoint{}, ""
		if err := whole.Settings.Set("subwords", "fasttext"); err != nil {
			return err
		}
	}
	r := &run{options: whole, settings: whole.Settings.orDefaults(), hooks: Hooks{Note: func(m Message) { e.plan.Notes = append(e.plan.Notes, m) }}.serial(), input: c.input()}
	e.run = r
	fresh, err := c.withFreshEpochs(&r.settings)
	if err != nil {
		return err
	}
	r.settings.kmers, r.lists = fresh.kmers, fresh.lists
	r.settings.Model.Force = true // what does not fit is part of the plan
	return inOrder(func() error { return r.complete(ctx) }, r.checkTargets)
}

// sample reads a sample of the corpus, and makes the vocabulary and the ids that models are tried on.
func (e *planner) sample(ctx context.Context, r *run, c Corpus) (err error) {
	fixed, known, err := r.givenWords()
	if err != nil {
		return err
	}
	if r.from != nil && fixed == nil {
		fixed, err = r.from.Vocab()
		if err = ofModel(r.resumed.file, err); err != nil {
			return err
		}
	}
	g := newGrowth(r.settings.MinCount)
	var text *corpus.Source
	var tokens float64
	switch {
	case c.walks != nil:
		text, tokens, err = e.walk(ctx, r, c, g)
	default:
		text, tokens, err = e.draw(ctx, r, c, g, vocab.Options{
			MinCount: r.settings.MinCount, MaxVocab: r.settings.MaxVocab, Fixed: fixed, Known: known,
			Threads: r.settings.Model.Threads, Memory: r.options.VocabMemory, Folder: r.options.Cache, Force: true,
		})
	}
	if err != nil {
		return err
	}
	plan := e.plan
	o := g.outlook(tokens, r.settings.MaxVocab)
	if v := e.counted; v != nil {
		plan.Counted, tokens = true, float64(e.all.Tokens)
		o = outlook{tokens: tokens, distinct: int(e.all.Types), words: v.Len(), kept: float64(v.Total())}
		fixed = v
	}
	plan.Sampled, plan.Tokens, plan.Distinct, plan.Words = g.tokens, uint64(tokens), o.distinct, o.words
	if plan.Nodes > 0 {
		o.distinct, o.words, plan.Distinct, plan.Words = plan.Nodes, plan.Nodes, plan.Nodes, plan.Nodes
		if o.words < len(g.counts) {
			o.words = len(g.counts)
		}
	}
	if e.vocab = fixed; fixed == nil {
		if e.vocab, err = g.vocabulary(o); err != nil {
			return err
		}
		if known != nil {
			if e.vocab, err = joined(known, e.vocab); err != nil {
				return err
			}
		}
	}
	plan.Words = e.vocab.Len()
	longest := g.text
	*g = growth{text: longest, tokens: g.tokens}
	cpu := sysinfo.CPUTime()
	_, e.ids, err = vocab.Index(ctx, text, vocab.Options{Threads: r.settings.Model.Threads, Fixed: e.vocab, Force: true}, r.options.Cache)
	if err != nil {
		return explainReading(err)
	}
	counting := (sysinfo.CPUTime() - cpu).Seconds()
	scale := tokens / float64(max(1, g.tokens))
	e.count += max(0, counting-e.loading) * scale
	share := float64(e.ids.Tokens()) / float64(max(1, g.tokens))
	trained := tokens * share
	switch {
	case known != nil:
	case e.counted != nil:
		trained = o.kept
	case fixed == nil:
		trained = min(trained, max(o.kept, 1))
	}
	if r.from != nil {
		trained = float64(r.from.Total) / float64(max(1, r.from.Config.Epochs))
	}
	plan.Trained = uint64(trained)
	if plan.Whole {
		plan.Trained = e.ids.Tokens()
	}
	if f := r.evaluator.fraction; f > 0 && r.from == nil {
		plan.Trained = uint64(float64(plan.Trained) * (1 - f))
	}
	plan.Counting = max(countingBytes(r, plan.Distinct, o), e.findingBytes(r))
	if !r.options.NoCache {
		plan.Cache, plan.CacheMost = cacheBytes(e.ids, plan.Tokens, plan.Trained)
	}
	return nil
}

// draw draws a sample of text, and counts all of it if that does not take long and no vocabulary is given.
func (e *planner) draw(ctx context.Context, r *run, c Corpus, g *growth, o vocab.Options) (*corpus.Source, float64, error) {
	if of := r.settings.kmers; of != nil && c.kmers == nil {
		c = c.sequences(*of, nil)
	}
	source, err := c.source(ctx, r.settings.Model.Seed, r.settings.Text)
	if err != nil {
		return nil, 0, err
	}
	if err := inOrder(func() error { return r.checkDistinct(source, nil) }, func() error { return r.checkSample(ctx, source) }); err != nil {
		return nil, 0, err
	}
	cpu := sysinfo.CPUTime()
	drawn, err := source.Draw(ctx, cmp.Or(e.options.Text, planText))
	if err != nil {
		return nil, 0, err
	}
	reading := (sysinfo.CPUTime() - cpu).Seconds()
	e.plan.Whole, e.plan.Reached = drawn.Whole, drawn.Reached
	cpu = sysinfo.CPUTime()
	r.settings.Phrases.Memory, r.settings.Phrases.Folder = r.options.VocabMemory, r.options.Cache
	found := &e.found
	r.settings.Phrases.Counted = func(different uint64, frequent int) {
		found.different, found.frequent = max(found.different, float64(different)), max(found.frequent, float64(frequent))
	}
	text, phrases, err := r.settings.JoinPhrases(ctx, drawn.Source, nil)
	if err != nil {
		return nil, 0, err
	}
	finding := (sysinfo.CPUTime() - cpu).Seconds()
	r.settings.joined = phrases
	tokens, err := g.read(ctx, text, drawn.Weights)
	if err != nil {
		return nil, 0, err
	}
	if g.tokens == 0 {
		return nil, 0, errorf("%s: there are no tokens in a sample of the corpus", source.Name())
	}
	e.count += finding * tokens / float64(g.tokens)
	e.count += reading * drawn.Unpacking
	if drawn.Whole || o.Fixed != nil || tokens > float64(cmp.Or(e.options.Count, planCount)) {
		if more := tokens / float64(g.tokens); more > 1 {
			found.different *= math.Pow(more, morePairs)
			found.frequent *= math.Pow(more, morePairs)
		}
		return text, tokens, nil
	}
	if r.settings.Phrases.Join {
		r.settings.joined = nil
		if source, r.settings.joined, err = r.settings.JoinPhrases(ctx, source, nil); err != nil {
			return nil, 0, err
		}
		text = r.settings.joined.Apply(drawn.Source)
	}
	o.Report = func(all vocab.Report) { e.all = all }
	if e.counted, err = vocab.Count(ctx, source, o); err != nil {
		return nil, 0, explainReading(err)
	}
	return text, tokens, nil
}

// try trains a model on the sample for a short time.
func (e *planner) try(ctx context.Context, r *run) (PartPlan, error) {
	c := r.settings.Model
	if r.from != nil {
		c = r.from.Config
	}
	auto := c.Epochs == 0
	if auto {
		switch {
		case r.options.Init.given() || e.run.input != textInput:
			c.Epochs = sgns.UsualEpochs
		default:
			c.Epochs = c.EpochsFor(e.plan.Trained)
		}
	}
	of := PartPlan{Dim: c.Dim, Epochs: c.Epochs, Auto: auto}
	left := float64(e.plan.Trained) * float64(c.Epochs)
	if r.from != nil {
		left = float64(r.from.Total - min(r.from.Total, r.from.Tokens))
	}
	c.Force, c.Patience, c.EvaluateEvery = true, 0, 0
	limit, _ := sysinfo.MemoryLimit()
	trial := c
	if r.from == nil && trial.LearningRate == 0 {
		trial.LearningRate = c.RateFor(e.plan.Trained * uint64(c.Epochs))
	}
	// How threads share rows depends on the tokens of the run.
	trial.Epochs = max(1, int(math.Round(float64(e.plan.Trained)*float64(c.Epochs)/float64(max(1, e.ids.Tokens())))))
	runtime.GC()
	enough := cmp.Or(e.options.CPU, planCPU) * time.Duration(cmp.Or(c.Threads, runtime.GOMAXPROCS(0)))
	trying, stop := context.WithCancel(ctx)
	defer stop()
	var begun, last sgns.Progress
	var start, first, now time.Duration
	var plan sgns.Plan
	errTooLarge := errors.New("too large to try")
	h := sgns.Hooks{Every: 20 * time.Millisecond,
		Start: func(p sgns.Plan) error {
			plan = p
			if limit > 0 && p.Bytes > limit {
				return errTooLarge
			}
			return nil
		},
		Progress: func(p sgns.Progress) {
			now, last = sysinfo.CPUTime(), p
			if begun.Tokens == 0 {
				begun, first = p, now
			}
			if now-first > enough {
				stop()
			}
		},
	}
	start = sysinfo.CPUTime()
	model, err := sgns.Train(trying, sgns.Data{IDs: e.ids, Vocab: e.vocab, Init: r.warm.set}, trial, h)
	parameters := uint64(parameterBytes(plan))
	of.Memory, of.Rows = plan.Added+e.inUse(), plan.Rows
	sampled, _ := sgns.CountBytes(c, e.ids.Tokens(), plan.Words)
	pairs, files := sgns.CountBytes(c, e.plan.Trained, plan.Words)
	of.Memory, e.plan.Pairs = of.Memory+pairs-min(pairs, sampled), max(e.plan.Pairs, files)
	if r.checkpoints.file != "" { // copied while it is written
		of.Memory += parameters
	}
	if r.settings.Model.Patience > 0 { // the best vectors
		of.Memory += parameters
	}
	if plan.Finishes && r.evaluatesVectors() { // the vectors that are evaluated
		of.Memory += parameters
	}
	e.before += parameters
	e.plan.Threads = plan.Threads
	if err == nil || trying.Err() != nil {
		e.model = &plan
	}
	if errors.Is(err, errTooLarge) {
		e.plan.Notes = append(e.plan.Notes, messagef("the model does not fit into this machine, so that its speed could not be tried"))
		return of, nil
	}
	if err != nil && (ctx.Err() != nil || trying.Err() == nil) {
		return of, explainTraining(r.warm.named(err), &r.settings, r.asked.rate)
	}
	each := 0.0
	if span := now - first; last.Tokens > begun.Tokens && span > enough/8 {
		each = span.Seconds() / float64(last.Tokens-begun.Tokens)
		of.Tried = last.Tokens - begun.Tokens
		of.PrepareCPU = max(0, (first-start).Seconds()-each*float64(begun.Tokens))
	} else if last.Tokens > 0 { // a short text, and all of it was trained
		each, of.Tried = (now-start).Seconds()/float64(last.Tokens), last.Tokens
	}
	if c.Counts() { // counting takes longer with the text, and it has fewer different pairs for each token
		scale := float64(e.plan.Trained) / float64(max(1, e.ids.Tokens()))
		of.PrepareCPU *= scale
		each *= math.Pow(scale, fewerPairs)
	}
	of.TrainCPU = each * left
	if each > 0 {
		of.TokensPerSecond = 1 / each
	}
	return of, e.saved(r, plan, model)
}

// fewerPairs is the power by which the number of different pairs of words for each token falls with the text: measured.
const fewerPairs = -0.2

func (e *planner) sum(recipe bool) {
	plan := e.plan
	longest := plan.Counting
	for _, part := range plan.Parts {
		longest = max(longest, part.Memory)
		plan.TrainCPU += part.PrepareCPU + part.TrainCPU
	}
	if recipe { // the joined rows of words are reduced while all models are in memory
		const perProduct = 0.4e-9 // processor time of a product of the covariance, with all that merging takes: measured
		const perAxis = 2.7e-9    // that of the axes, divided by the third power of the dimensions: measured
		const share = 0.25        // of the joined rows that are in memory beside the models: measured
		const squares = 3         // matrices of float64 as large as the covariance: it, its axes, maps
		joined := float64(joinedDim(e.run.settings))
		longest += uint64(share*floatBytes*joined*float64(plan.Words) + squares*2*floatBytes*joined*joined)
		plan.TrainCPU += joined * joined * (perProduct*float64(plan.Words) + perAxis*joined)
	}
	plan.Memory, plan.CountCPU, plan.SaveCPU = longest, e.count, e.save
	plan.CPU = plan.CountCPU + plan.TrainCPU + plan.SaveCPU
	threads := float64(max(1, plan.Threads))
	plan.Seconds = (plan.CountCPU+plan.TrainCPU)/threads + plan.SaveCPU
	n := e.options.Ranks
	if n == 0 && e.run.options.Ranks != nil {
		n = e.run.options.Ranks.Size()
	}
	if n > 1 && len(plan.Parts) == 1 {
		part := plan.Parts[0]
		total := plan.Trained * uint64(part.Epochs)
		between := cmp.Or(e.run.options.SyncEvery, sgns.BetweenTurns(total, n))
		plan.Ranks = &RanksPlan{Ranks: n, Between: between, Turns: total / max(1, between*uint64(n)), Seconds: plan.Seconds / float64(n)}
		if e.model != nil && !e.run.options.Divide {
			e.send(total)
		}
	}
}

// send estimates what ranks send.
func (e *planner) send(total uint64) {
	of, r := e.plan.Ranks, e.run
	speed := e.plan.Parts[0].TokensPerSecond * float64(max(1, e.plan.Threads))
	traffic := sgns.PlanTraffic(*e.model, total, of.Ranks, r.options.SyncEvery, speed)
	of.Turns, of.Between = traffic.Turns, traffic.Between
	settings := r.settings.Model
	if r.from != nil {
		settings = r.from.Config
	}
	if settings.Freeze != sgns.FreezeNone { // traffic has the frozen rows too, which are not sent
		return
	}
	of.Complete, of.Times = uint64(traffic.Complete), 1
	training := e.plan.TrainCPU / float64(max(1, e.plan.Threads)*of.Ranks)
	if r.checkpoints.file != "" {
		var k checkpoints
		k.space(r.options.Checkpoint.Every, true, r.options.SyncBudget > 0)
		k.take(writing(int(e.plan.Checkpoint)))
		of.Times += uint64(training / time.Duration(k.every.Load()).Seconds())
	}
	if r.options.Evaluation.any() {
		of.Times += total / cmp.Or(r.settings.Model.EvaluateEvery, e.plan.Trained)
	}
	each := traffic.Bytes + float64(of.Times)*traffic.Complete
	of.RankSent, of.Sent = uint64(each), uint64(each*float64(of.Ranks))
	if training > 0 {
		of.Rate = each / training
	}
}
