package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// checkpointFlags are the flags of w2v train about checkpoints.
type checkpointFlags struct {
	path   string
	every  time.Duration
	resume string
	extend int

	set  *vectors.Set // the file that is resumed
	from *sgns.Checkpoint
	note note

	again  bool             // the run has been extended already
	opened fs.FileInfo      // of the file that is resumed
	slot   *atomicfile.Slot // where checkpoints go
	err    error            // of the last checkpoint that was written
}

// note is what a checkpoint keeps for w2v train: how text became tokens, and what was
// asked for besides the configuration. There are no paths in it.
type note struct {
	Tokenizer       string  `json:"tokenizer"`
	Lowercase       bool    `json:"lowercase"`
	Threads         int     `json:"threads"` // that were asked for
	MinCount        int     `json:"min_count"`
	MaxVocab        int     `json:"max_vocab"`
	Vocabulary      bool    `json:"vocabulary"` // given, not counted
	Fraction        float64 `json:"fraction,omitempty"`
	HeldOut         bool    `json:"held_out"` // in a file
	Sets            []noted `json:"sets"`     // of evaluation
	Extended        int     `json:"extended"` // by so many epochs, by the last command that did
	LearningRate    float64 `json:"lr"`       // that was asked for; 0 for what suits the corpus
	CheckpointEvery string  `json:"checkpoint_every"`
}

// noted is what is known of an evaluation set.
type noted struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

func (f *checkpointFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.path, "checkpoint", "", "write the state of training to `FILE` now and then, and at the end: --resume goes on from it; what another run has left there is kept as FILE.before")
	flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints")
	flags.StringVar(&f.resume, "resume", "", "go on with the run of a checkpoint: its settings, the same corpus; further checkpoints go to `FILE` too, unless --checkpoint names another. With --update-vocab: a new run on new text, from its vectors and settings")
	flags.IntVar(&f.extend, "extend-epochs", 0, "with --resume, train `N` epochs more than the run was meant to")
}

func (f *checkpointFlags) validate(c *cobra.Command) error {
	fail := func(format string, args ...any) error {
		return &usageError{c.CommandPath(), fmt.Errorf(format, args...)}
	}
	changed := c.Flags().Changed
	switch {
	case f.every <= 0:
		return fail("--checkpoint-every must be above 0, is %v", f.every)
	case changed("checkpoint-every") && f.path == "" && f.resume == "":
		return fail("--checkpoint-every has a meaning only with --checkpoint FILE or --resume FILE")
	case changed("extend-epochs") && f.resume == "":
		return fail("--extend-epochs has a meaning only with --resume FILE")
	case f.extend < 0:
		return fail("--extend-epochs must not be negative, is %d", f.extend)
	}
	return nil
}

// open opens the checkpoint to resume, if there is one, and makes its settings those of
// the run. Settings on the command line must be the same.
func (f *trainFlags) open(c *cobra.Command) error {
	k := &f.checkpoint
	f.rate, f.threads = f.config.LearningRate, f.corpus.threads
	if k.resume == "" {
		return nil
	}
	k.opened, _ = atomicfile.Identify(k.resume) // Open says what is wrong with it
	set, err := vectors.Open(k.resume)
	if err != nil {
		return err
	}
	k.set = set
	if k.from, err = sgns.NewCheckpoint(set); err != nil {
		return ofModel(k.resume, err)
	}
	if err := json.Unmarshal(k.from.Note, &k.note); err != nil {
		return fmt.Errorf("%s: the note of w2v train in it: %w", k.resume, err)
	}
	var tokenizer corpus.Tokenizer
	if err := tokenizer.UnmarshalText([]byte(k.note.Tokenizer)); err != nil {
		return fmt.Errorf("%s: %w", k.resume, err)
	}
	t := taken{changed: c.Flags().Changed, file: k.resume, all: !f.init.grow}
	if err := f.takeSettings(c, &t, tokenizer); err != nil {
		return err
	}
	if every, err := time.ParseDuration(k.note.CheckpointEvery); err == nil && every > 0 && !c.Flags().Changed("checkpoint-every") {
		k.every = every
	}
	if f.init.grow {
		// New text makes a run of its own, from the vectors of the old one.
		f.init.path, k.from = k.resume, nil
		return k.close()
	}
	if k.path == "" {
		k.path = k.resume
	}
	// What is not a setting of the run.
	run := &k.from.Config
	run.Force = f.config.Force
	if run.Deterministic {
		run.Threads = f.config.Threads
	}
	if k.extend > 0 && k.extend == k.note.Extended && !k.from.Ended() {
		k.again = true // the command is repeated after it was interrupted
	} else {
		k.from.Extend(k.extend)
	}
	f.config = *run
	return f.evaluation.resume(c, k.note)
}

// takeSettings takes the settings of the run that is resumed.
func (f *trainFlags) takeSettings(c *cobra.Command, t *taken, tokenizer corpus.Tokenizer) error {
	fail := func(text string) error { return &usageError{c.CommandPath(), errors.New(text)} }
	switch {
	case f.init.path != "":
		return fail("--init and --resume both say what to start from: only one of them is possible")
	case t.all && t.changed("freeze"):
		return fail("--freeze: leave it out, the run goes on as it was")
	case !t.all && f.checkpoint.extend > 0:
		return fail("--extend-epochs goes on with the same text, and --update-vocab is for new text: --epochs says how often to read that")
	case !t.all && t.changed("checkpoint-every") && f.checkpoint.path == "":
		return fail("--checkpoint-every has a meaning only with --checkpoint FILE: new text makes another run, whose checkpoints go to another file")
	}
	was, n := f.checkpoint.from.Config, f.checkpoint.note
	f.takeModel(t, was)
	take(t, "lowercase", &f.corpus.options.Lowercase, n.Lowercase)
	take(t, "tokenizer", &f.corpus.options.Tokenizer, tokenizer)
	take(t, "min-count", &f.corpus.minCount, n.MinCount)
	take(t, "max-vocab", &f.corpus.maxVocab, n.MaxVocab)
	if t.all && !was.Deterministic {
		if f.config.Threads != n.Threads { // what was asked for, and may be more than there was work for
			take(t, "threads", &f.config.Threads, was.Threads)
		}
		f.threads = n.Threads
	}
	if t.all {
		take(t, "lr", &f.config.LearningRate, was.LearningRate)
		take(t, "eval-every", &f.config.EvaluateEvery, was.EvaluateEvery)
		take(t, "early-stop", &f.config.Patience, was.Patience)
		f.rate = n.LearningRate
	} else {
		take(t, "lr", &f.config.LearningRate, n.LearningRate)
		f.rate = f.config.LearningRate
	}
	if t.err != nil {
		return &usageError{c.CommandPath(), t.err}
	}
	return nil
}

// taken are settings taken from a file.
type taken struct {
	changed func(flag string) bool
	file    string
	all     bool  // a flag may not say otherwise
	err     error // of the first flag that does
}

// take takes a setting, unless its flag is given.
func take[T comparable](t *taken, flag string, setting *T, saved T) {
	if !t.changed(flag) {
		*setting = saved
		return
	}
	if t.all && *setting != saved && t.err == nil {
		more := ""
		if flag == "epochs" {
			more = "; --extend-epochs trains more"
		}
		t.err = fmt.Errorf("--%s is %v, and the run in %s has %v: leave it out, its settings are taken%s", flag, *setting, t.file, cmp.Or(fmt.Sprint(saved), "none"), more)
	}
}

// vocabulary is that of the checkpoint if it was given to the run rather than counted;
// else nil.
func (k *checkpointFlags) vocabulary() (*vocab.Vocab, error) {
	if k.from == nil || !k.note.Vocabulary {
		return nil, nil
	}
	return k.from.Vocab()
}

// hooks adds to h what writes checkpoints.
func (k *checkpointFlags) hooks(givingUp context.Context, h *sgns.Hooks, f *trainFlags, report *reporter) error {
	if k.path == "" {
		return nil
	}
	text, err := json.Marshal(note{
		Tokenizer:       f.corpus.options.Tokenizer.String(),
		Lowercase:       f.corpus.options.Lowercase,
		Threads:         f.threads,
		MinCount:        f.corpus.minCount,
		MaxVocab:        f.corpus.maxVocab,
		Vocabulary:      f.vocabFile != "" || f.init.grow || k.note.Vocabulary && k.from != nil,
		Fraction:        f.evaluation.fraction,
		HeldOut:         f.evaluation.heldOut != "",
		Sets:            f.evaluation.noted(),
		Extended:        cmp.Or(k.extend, k.note.Extended),
		LearningRate:    f.rate,
		CheckpointEvery: k.every.String(),
	})
	if err != nil {
		return err
	}
	h.Note, h.CheckpointEvery = text, k.every
	h.Checkpoint = func(point *sgns.Checkpoint) {
		start := time.Now()
		// The run has what it needs of the file that it went on from, and some systems do
		// not let a file be replaced that is open.
		if err := k.close(); err != nil {
			report.note("note: %v", err)
		}
		var kept string
		kept, k.err = k.write(givingUp, point, f)
		var size int64
		if k.err == nil {
			size, _ = sizeOf(k.path) // only to be told
		}
		if kept != "" {
			report.note("note: %s", k.describeKept(kept))
		}
		report.checkpointed(k.path, point, time.Since(start), size, k.err)
	}
	return nil
}

func (k *checkpointFlags) close() error {
	if k.set == nil {
		return nil
	}
	set := k.set
	k.set = nil
	return set.Close()
}
