package train

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/phrases"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// resumed is the checkpoint that the run continues, or that a new run starts from.
type resumed struct {
	file   string
	set    *vectors.Set // nil after close
	from   *sgns.Checkpoint
	note   note
	opened fs.FileInfo // of the file
	again  bool        // an earlier command has already extended the run
}

func openResumed(path string) (_ *resumed, err error) {
	k := &resumed{file: path}
	k.opened, _ = atomicfile.Identify(path)                    // OpenStream reports any error
	if k.set, err = format.OpenStream(path, nil); err != nil { // rows are read once; a mapping would keep them in memory
		return nil, err
	}
	k.from, err = sgns.NewCheckpoint(k.set)
	switch {
	case errors.Is(err, sgns.ErrNoState):
		return k, errorf("%s: %v (%v starts from its vectors)", path, err, name("init"))
	case err != nil:
		return k, ofModel(path, err)
	}
	if k.set.Labels() != nil {
		return k, errorf("%s: is the checkpoint of a classifier: %v goes on with it (%v starts from its vectors)", path, name("classify"), name("init"))
	}
	if err := json.Unmarshal(k.from.Note, &k.note); err != nil {
		return k, fmt.Errorf("%s: its note on how text became tokens: %w", path, err)
	}
	return k, nil
}

func (k *resumed) close() error {
	if k == nil {
		return nil
	}
	return closeOnce(&k.set)
}

func closeOnce(set **vectors.Set) error {
	open := *set
	*set = nil
	if open == nil {
		return nil
	}
	return open.Close()
}

// unchanged returns an error if another process has replaced the checkpoint since it was opened,
// and this run would replace it too. Next is the file of this run's checkpoints.
func (k *resumed) unchanged(next string, tell func(Message)) error {
	if !atomicfile.Same(next, k.file) {
		if holder, held := atomicfile.Holder(k.file); held {
			tell(messagef("another run still writes %s (%s): this one goes on from what it is now", k.file, holder))
		}
		return nil
	}
	now, err := atomicfile.Identify(k.file)
	if err != nil {
		return compression.Named(k.file, err)
	}
	switch {
	case atomicfile.Unchanged(k.opened, now):
		return nil
	case os.SameFile(k.opened, now): // no run writes a checkpoint in place
		return compression.Named(k.file, vectors.ErrChanged)
	}
	return fmt.Errorf("%s: another run has written it meanwhile: begin again to go on from that", k.file)
}

func (k *resumed) elsewhere(ranks cluster.Comm) bool {
	size := 1
	if ranks != nil {
		size = ranks.Size()
	}
	return k.from.Ranks() != size
}

// asked holds the caller's values where the run itself uses another value.
type asked struct {
	rate    float64 // learning rate; 0 means the default for the corpus
	threads int     // 0 means one per core
}

// resume opens the checkpoint that the options name, and takes its settings. Settings given by the
// caller must agree with the checkpoint, unless a new run starts from its vectors.
func (r *run) resume() error {
	k, init := &r.options.Checkpoint, &r.options.Init
	r.asked = asked{r.settings.Model.LearningRate, r.settings.Model.Threads}
	switch {
	case k.Resume == "":
		return nil
	case init.given():
		return optionErrorf("%v and %v both say what to start from: only one of them is possible", name("init"), name("resume"))
	case !init.UpdateVocab && r.settings.Given("freeze"):
		return optionErrorf("%v: leave it out, the run goes on as it was", name("freeze"))
	case init.UpdateVocab && k.ExtendEpochs > 0:
		return optionErrorf("%v goes on with the same text, and %v is for new text: %v says how often to read that", name("extend-epochs"), name("update-vocab"), name("epochs"))
	case init.UpdateVocab && k.Every != 0 && k.File == "":
		return optionErrorf("%v needs %v: new text makes another run, whose checkpoints go to another file", name("checkpoint-every"), name("checkpoint").to("FILE"))
	}
	err := refuseParts(k.Resume)
	if err != nil {
		return err
	}
	if r.resumed, err = openResumed(k.Resume); err != nil {
		return err
	}
	if err := r.takePipeline(); err != nil {
		return err
	}
	if has := r.resumed.note.Input; has != "" && has != r.input {
		return optionErrorf("the run in %s trains on %s, and the corpus would be read as %s: %v and %v say what a corpus is", k.Resume, has, r.input, name("graph"), name("kmers"))
	}
	if err := r.takeSettings(!init.UpdateVocab); err != nil {
		return err
	}
	if every, err := time.ParseDuration(r.resumed.note.CheckpointEvery); err == nil && every > 0 && k.Every == 0 {
		k.Every = every
	}
	if init.UpdateVocab {
		// A new run starts from the vectors of the old run.
		init.File = k.Resume
		return r.resumed.close()
	}
	if k.File == "" {
		k.File = k.Resume
	}
	return r.evaluator.resume(r.resumed.note)
}

// takePipeline takes what cut the text of the checkpoint, apart from its settings: the tokenizer.json, phrases,
// and that the corpus is sequences.
func (r *run) takePipeline() error {
	k := r.resumed
	was, err := pipeline.Of(k.set.Training())
	if was == nil {
		return ofModel(k.file, err)
	}
	if was.Text.File != nil && err == nil {
		k.note.Settings.Text.File = was.Text.File
	}
	if given := r.settings.joined; given != nil && (was.Phrases == nil || !same(given, was.Phrases)) {
		return optionErrorf("%v has other phrases than those that the run in %s joins: leave it out", name("phrase-table").to(r.options.PhraseTable), k.file)
	}
	r.settings.tabled = isTabled(k.set.Training())
	r.settings.joined = was.Phrases // nil in older checkpoints: the same phrases are found again
	r.settings.takePooling(k.set.Training())
	if was.Kmers != nil && r.input == textInput && !r.lists {
		r.settings.kmers, r.input = was.Kmers, k.note.Input
		if r.options.Init.UpdateVocab {
			r.hooks.Note(messagef("%s was trained on %s, and so is this run", k.file, r.input))
		}
	}
	return nil
}

// isTabled reports whether a model joins phrases of a file, so that it does not say how they were found.
func isTabled(t vectors.Training) bool {
	return t.Attached(vectors.AttachedPhrases) != nil && t.Int("phrase_min_count") == 0
}

// same reports whether both join the same tokens.
func same(a, b *phrases.Table) bool {
	var first, second bytes.Buffer
	_, errA := a.WriteTo(&first)
	_, errB := b.WriteTo(&second)
	return errA == nil && errB == nil && bytes.Equal(first.Bytes(), second.Bytes())
}

// givenPhrases reports whether the caller says which tokens are joined to phrases.
func (r *run) givenPhrases() bool {
	return slices.ContainsFunc(phraseSettings(), func(row setting.Setting[Settings]) bool { return r.settings.Given(row.Name) })
}

// takeSettings takes the settings of the checkpoint; if same, given ones must agree with it.
func (r *run) takeSettings(same bool) error {
	k, now := r.resumed, &r.settings.Model
	saved := k.note.Settings
	saved.Model = k.from.Config
	was := &saved.Model
	auto := isAuto(k.set.Training())
	switch {
	case !same:
		if was.LearningRate = k.note.LearningRate; auto {
			was.Epochs = 0
		}
	case was.Deterministic || k.elsewhere(r.options.Ranks) || now.Threads == k.note.Threads: // the number that was asked for, which may be more than the work needed
		was.Threads = now.Threads
	}
	goesOn := k.file
	if !same {
		if err := r.settings.agreeOnText(saved, k.file); err != nil {
			return err
		}
		goesOn = ""
	}
	if err := r.settings.adopt(saved, goesOn); err != nil {
		return err
	}
	if !same {
		r.asked.rate = now.LearningRate
		return nil
	}
	r.asked.rate, r.settings.autoEpochs = k.note.LearningRate, auto
	if !was.Deterministic && !k.elsewhere(r.options.Ranks) {
		r.asked.threads = k.note.Threads
	}
	return nil
}

func (r *run) goOn() {
	k := r.resumed
	if k == nil || r.options.Init.UpdateVocab {
		return
	}
	r.from = k.from
	c := &r.from.Config
	c.Force, c.Affinity = r.settings.Model.Force, r.settings.Model.Affinity
	if c.Deterministic || k.elsewhere(r.options.Ranks) {
		c.Threads = r.settings.Model.Threads
	}
	if extend := r.options.Checkpoint.ExtendEpochs; extend > 0 && extend == k.note.Extended && !r.from.Ended() {
		k.again = true // the command was interrupted and is repeated
	} else {
		r.from.Extend(extend)
	}
	r.settings.Model = *c
}

// checkedText is about how many bytes of a corpus checkSample reads.
const checkedText = 1 << 20

// checkSample returns an error if a sample says that the corpus is certainly not that of the checkpoint. So a wrong corpus is
// refused before all of it is read.
func (r *run) checkSample(ctx context.Context, source *corpus.Source) error {
	if r.from == nil || r.options.Ranks != nil || source.Numbered() != nil || source.Again() != nil {
		return nil
	}
	drawn, err := source.Draw(ctx, checkedText)
	if err != nil || drawn.Whole || drawn.Reached < 1 { // reading all of it reports the error, or is quick; a beginning may be unlike the rest
		return nil //nolint:nilerr // see above
	}
	v, err := r.from.Vocab()
	if err != nil {
		return ofModel(r.resumed.file, err)
	}
	text := drawn.Source
	if r.settings.joined != nil {
		text = r.settings.joined.Apply(text)
	}
	shards, err := text.Shards(1)
	if err != nil || len(shards) != len(drawn.Weights) {
		return nil //nolint:nilerr // as above
	}
	known := 0.0
	for i, shard := range shards {
		for token, err := range shard.Tokens(ctx) {
			if err != nil {
				return ctx.Err() // as above
			}
			if _, is := v.ID(token); is && len(token) > 0 {
				known += drawn.Weights[i]
			}
		}
	}
	was := float64(r.from.Total) / float64(max(1, r.from.Config.Epochs)) / (1 - r.evaluator.fraction)
	const sure = 2 // a corpus is another one if the estimate is wrong by such a factor
	if known < sure*was && was < sure*known {
		return nil
	}
	return errorf("%s cannot be resumed: a sample says that the corpus has about %s tokens of its vocabulary, and it was trained on %s%v",
		r.resumed.file, wording.Thousands(uint64(known)), wording.Thousands(uint64(was)), r.onNewText())
}

// onNewText says what begins a run on new text. A recipe does not go with it.
func (r *run) onNewText() Message {
	if r.shared != nil {
		return Message{}
	}
	return messagef(" (%v begins a run on new text, with its vectors)", name("update-vocab"))
}

// Times between checkpoints, if none is given. Of several ranks one is lost more often than one process is, and that ends the run. So
// ranks save as often as takes a small share of the time.
const (
	usualEvery   = 10 * time.Minute
	mostOnRanks  = 2 * time.Minute
	leastOnRanks = 5 * time.Second
	savingShare  = 0.02          // of the time of ranks
	diskSpeed    = 500_000_000.0 // bytes a second, assumed before the first checkpoint
)

type checkpoints struct {
	file  string          // empty if the run writes no checkpoints
	every atomic.Int64    // a time.Duration
	least time.Duration   // above 0 if every follows from what checkpoints take
	to    *CheckpointFile // nil before checkReplaced
	err   error           // of the last checkpoint
	none  atomic.Bool     // there is nothing to save yet
}

// writing is how long so many bytes are assumed to take.
func writing(bytes int) time.Duration {
	return time.Duration(float64(bytes) / diskSpeed * float64(time.Second))
}

// space sets how far apart checkpoints are, from what was asked for. A checkpoint makes ranks equal, which a budget might not allow often.
func (k *checkpoints) space(asked time.Duration, ranks, budget bool) {
	usual := usualEvery
	if k.least = 0; ranks {
		usual = mostOnRanks
		if asked == 0 && !budget {
			k.least = leastOnRanks
		}
	}
	k.every.Store(int64(cmp.Or(asked, usual)))
}

// take sets the time until the next checkpoint from how long one takes.
func (k *checkpoints) take(took time.Duration) {
	if k.least > 0 {
		k.every.Store(int64(min(max(time.Duration(float64(took)/savingShare), k.least), mostOnRanks)))
	}
}

// checkReplaced opens the file of checkpoints: see NewCheckpointFile.
func (k *checkpoints) checkReplaced(own bool, taken func(path string) bool) (err error) {
	if k.file != "" {
		k.to, err = NewCheckpointFile(k.file, own, taken)
	}
	return err
}

// A CheckpointFile is the file of a run's checkpoints. Each one replaces the one before it. A checkpoint of another run is
// kept under another name.
type CheckpointFile struct {
	path string
	slot *atomicfile.Slot
}

// NewCheckpointFile returns the file of checkpoints at a path. Own says that a checkpoint there is one of this run. Nothing is
// kept under a name for which taken returns true; a nil taken allows all names. It is an error if the file is no checkpoint.
func NewCheckpointFile(path string, own bool, taken func(path string) bool) (*CheckpointFile, error) {
	k := &CheckpointFile{path, atomicfile.NewSlot(path, taken)}
	if own {
		k.slot.Own()
	}
	if !k.slot.Foreign() {
		return k, nil
	}
	state, err := format.HasState(path)
	switch {
	case errors.Is(err, os.ErrPermission):
		return nil, err
	case err != nil || !state:
		return nil, errorf("%s: is not a checkpoint, and would be replaced by one: name another file with %v, or move it away", path, name("checkpoint"))
	}
	return k, nil
}

// Write writes a checkpoint in the native format, and returns what was kept of another run; nil for nothing.
func (k *CheckpointFile) Write(ctx context.Context, set *vectors.Set) (*Kept, error) {
	kept, err := k.slot.Keep()
	if err != nil {
		return nil, err
	}
	if err := format.Write(ctx, k.path, set, format.W2V); err != nil {
		return nil, errors.Join(err, k.slot.Undo())
	}
	k.slot.Own()
	if kept == "" {
		return nil, nil
	}
	return describeKept(kept), nil
}

// write writes the next checkpoint, and returns what it kept of another run.
func (k *checkpoints) write(saving context.Context, point *sgns.Checkpoint, s Settings) (*Kept, error) {
	set, err := point.Set()
	if err != nil {
		return nil, err
	}
	return k.to.Write(saving, s.described(set))
}

func describeKept(file string) *Kept {
	kept := &Kept{File: file}
	if set, err := format.Open(file); err == nil {
		if old, err := sgns.NewCheckpoint(set); err == nil {
			kept.Checkpoint, kept.Ended, kept.Tokens, kept.Total = true, old.Ended(), old.Tokens, old.Total
		}
		_ = set.Close() // the set was only read
	}
	return kept
}

func (r *run) checkpoint(saving context.Context, point *sgns.Checkpoint) {
	k := &r.checkpoints
	start := time.Now()
	// Some systems refuse to replace an open file, and what the run resumed from is needed no more.
	if err := r.resumed.close(); err != nil {
		r.hooks.Note(messagef("%v", err))
	}
	done := Checkpointed{File: k.file, Tokens: point.Tokens, Pause: point.Pause}
	done.Kept, k.err = k.write(saving, point, r.settings)
	if done.Err = k.err; k.err == nil {
		if info, err := os.Stat(k.file); err == nil {
			done.Bytes = info.Size()
		}
	}
	done.Took = time.Since(start)
	if k.err == nil {
		k.take(done.Pause + done.Took)
	} else {
		k.take(mostOnRanks)
	}
	r.hooks.Checkpointed(done)
}

// note is what a checkpoint stores for Run: how text became tokens, and options, but no paths.
type note struct {
	Settings Settings // settings of text; the state of training holds the model's settings
	Threads  int      // as requested
	noteOfRun
}

type noteOfRun struct {
	Input           string  `json:"input,omitempty"` // what sentences are made of; empty in older checkpoints
	Vocabulary      bool    `json:"vocabulary"`      // the vocabulary was given, not counted
	Fraction        float64 `json:"fraction,omitempty"`
	HeldOut         bool    `json:"held_out"` // held-out text came from a file
	Sets            []noted `json:"sets"`     // evaluation sets
	Extended        int     `json:"extended"` // epochs added by the last command that extended the run
	LearningRate    float64 `json:"lr"`       // as requested; 0 means the default for the corpus
	CheckpointEvery string  `json:"checkpoint_every"`
}

type noted struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// notedFirst lists the settings of notes before there was a table, in their order.
var notedFirst = []string{"tokenizer", "lowercase", "threads", "min_count", "max_vocab"}

func notedSettings() setting.Table[note] {
	text := setting.Of(func(n *note) *Settings { return &n.Settings }, textSettings())
	return append(text, setting.Setting[note]{Name: "threads", At: func(n *note) any { return &n.Threads }})
}

// MarshalJSON writes the settings and all other fields into one object.
func (n note) MarshalJSON() ([]byte, error) {
	settings, err := notedSettings().Marshal(&n, notedFirst)
	if err != nil {
		return nil, err
	}
	run, err := json.Marshal(n.noteOfRun)
	if err != nil {
		return nil, err
	}
	return slices.Concat(settings[:len(settings)-1], []byte(","), run[1:]), nil
}

// UnmarshalJSON reads what MarshalJSON wrote, in this version or an older one.
func (n *note) UnmarshalJSON(text []byte) error {
	*n = note{} // a missing setting is zero, as in the model
	if err := notedSettings().Unmarshal(text, n); err != nil {
		return err
	}
	return json.Unmarshal(text, &n.noteOfRun)
}

func (r *run) note() (json.RawMessage, error) {
	k := &r.options.Checkpoint
	was := note{}
	if r.resumed != nil {
		was = r.resumed.note
	}
	return json.Marshal(note{
		Settings: r.settings,
		Threads:  r.asked.threads,
		noteOfRun: noteOfRun{
			Input:           r.input,
			Vocabulary:      r.options.Vocabulary.given() || r.options.Init.UpdateVocab || was.Vocabulary && r.from != nil,
			Fraction:        r.evaluator.fraction,
			HeldOut:         !r.evaluator.heldOut.isZero() || r.evaluator.file,
			Sets:            r.evaluator.noted(),
			Extended:        cmp.Or(k.ExtendEpochs, was.Extended),
			LearningRate:    r.asked.rate,
			CheckpointEvery: k.Every.String(),
		},
	})
}
