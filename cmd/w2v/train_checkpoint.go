package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
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
	err  error // of the last checkpoint that was written
}

// note is what a checkpoint keeps for w2v train: how text became tokens, and what was
// asked for besides the configuration. There are no paths in it.
type note struct {
	Tokenizer       string  `json:"tokenizer"`
	Lowercase       bool    `json:"lowercase"`
	MinCount        int     `json:"min_count"`
	MaxVocab        int     `json:"max_vocab"`
	Vocabulary      bool    `json:"vocabulary"` // given, not counted
	Fraction        float64 `json:"fraction,omitempty"`
	HeldOut         bool    `json:"held_out"` // in a file
	Sets            int     `json:"sets"`     // of evaluation
	LearningRate    float64 `json:"lr"`       // that was asked for; 0 for what suits the corpus
	CheckpointEvery string  `json:"checkpoint_every"`
}

func (f *checkpointFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.path, "checkpoint", "", "write the state of training to `FILE` now and then, and at the end: --resume goes on from it")
	flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints")
	flags.StringVar(&f.resume, "resume", "", "go on with the run of a checkpoint: its settings, the same corpus; further checkpoints go to `FILE` too, unless --checkpoint names another")
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
		return fail("--checkpoint-every has a meaning only with --checkpoint FILE")
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
	f.rate = f.config.LearningRate
	if k.resume == "" {
		return nil
	}
	set, err := vectors.Open(k.resume)
	if err != nil {
		return err
	}
	k.set = set
	if k.from, err = sgns.NewCheckpoint(set); err != nil {
		return fmt.Errorf("%s: %w", k.resume, err)
	}
	if err := json.Unmarshal(k.from.Note, &k.note); err != nil {
		return fmt.Errorf("%s: the note of w2v train in it: %w", k.resume, err)
	}
	var tokenizer corpus.Tokenizer
	if err := tokenizer.UnmarshalText([]byte(k.note.Tokenizer)); err != nil {
		return fmt.Errorf("%s: %w", k.resume, err)
	}
	was, n := k.from.Config, k.note
	if f.init.grow {
		// New text makes a run of its own, with the settings of the old one.
		if f.init.path != "" {
			return &usageError{c.CommandPath(), errors.New("--init and --resume both say what to start from: only one of them is possible")}
		}
		if c.Flags().Changed("epochs") {
			was.Epochs = f.config.Epochs
		}
		was.LearningRate = n.LearningRate
		if c.Flags().Changed("lr") {
			was.LearningRate = f.config.LearningRate
		}
		if k.extend > 0 {
			return &usageError{c.CommandPath(), errors.New("--extend-epochs goes on with the same text, and --update-vocab is for new text: --epochs says how often to read that")}
		}
	} else if f.init.path != "" {
		return &usageError{c.CommandPath(), errors.New("--init and --resume both say what to start from: only one of them is possible")}
	} else if c.Flags().Changed("freeze") {
		return &usageError{c.CommandPath(), errors.New("--freeze: leave it out, the run goes on as it was")}
	}
	same := []struct {
		flag       string
		now, saved any
	}{
		{"arch", f.arch, "skipgram"},
		{"dim", f.config.Dim, was.Dim},
		{"window", f.config.Window, was.Window},
		{"epochs", f.config.Epochs, was.Epochs},
		{"negatives", f.config.Negatives, was.Negatives},
		{"ns-exponent", f.config.NSExponent, was.NSExponent},
		{"sample", f.config.Sample, was.Sample},
		{"lr", f.config.LearningRate, was.LearningRate},
		{"seed", f.config.Seed, was.Seed},
		{"deterministic", f.config.Deterministic, was.Deterministic},
		{"eval-every", uint64(f.evaluation.every), was.EvaluateEvery},
		{"early-stop", f.config.Patience, was.Patience},
		{"lowercase", f.corpus.options.Lowercase, n.Lowercase},
		{"tokenizer", f.corpus.options.Tokenizer, tokenizer},
		{"min-count", f.corpus.minCount, n.MinCount},
		{"max-vocab", f.corpus.maxVocab, n.MaxVocab},
	}
	if !was.Deterministic {
		same = append(same, struct {
			flag       string
			now, saved any
		}{"threads", f.corpus.threads, was.Threads})
	}
	subwords := "none"
	if ngrams, ok := was.Subword.(subword.FastText); ok {
		subwords = "fasttext"
		for flag, values := range map[string][2]int{
			"minn": {f.minn, ngrams.MinN}, "maxn": {f.maxn, ngrams.MaxN}, "buckets": {f.buckets, ngrams.Buckets},
		} {
			same = append(same, struct {
				flag       string
				now, saved any
			}{flag, values[0], values[1]})
		}
	}
	same = append(same, struct {
		flag       string
		now, saved any
	}{"subwords", f.subwords, subwords})
	for _, s := range same {
		if c.Flags().Changed(s.flag) && s.now != s.saved {
			more := ""
			if s.flag == "epochs" {
				more = "; --extend-epochs trains more"
			}
			return &usageError{c.CommandPath(), fmt.Errorf("--%s is %v, and the run in %s has %v: leave it out, its settings are taken%s", s.flag, s.now, k.resume, s.saved, more)}
		}
	}
	f.subwords = subwords
	if ngrams, ok := was.Subword.(subword.FastText); ok {
		f.minn, f.maxn, f.buckets = ngrams.MinN, ngrams.MaxN, ngrams.Buckets
	}
	f.rate = n.LearningRate
	if f.init.grow {
		f.rate = was.LearningRate
	}
	threads, force := f.corpus.threads, f.config.Force
	f.config = was
	f.config.Force = force
	if was.Deterministic {
		f.config.Threads = threads
	}
	if f.init.grow {
		f.config.Freeze = sgns.FreezeNone // but for what the flags say now
		f.init.path, k.from = k.resume, nil
	} else {
		k.from.Config = f.config
		k.from.Extend(k.extend)
		f.config = k.from.Config
	}
	f.corpus.options = corpus.Options{Tokenizer: tokenizer, Lowercase: n.Lowercase}
	f.corpus.minCount, f.corpus.maxVocab = n.MinCount, n.MaxVocab
	if k.path == "" {
		k.path = k.resume
	}
	if every, err := time.ParseDuration(n.CheckpointEvery); err == nil && every > 0 && !c.Flags().Changed("checkpoint-every") {
		k.every = every
	}
	return f.evaluation.resume(c, n)
}

// vocabulary is that of the checkpoint if it was given to the run rather than counted;
// else nil.
func (k *checkpointFlags) vocabulary() (*vocab.Vocab, error) {
	if k.from == nil || !k.note.Vocabulary {
		return nil, nil
	}
	return k.from.Vocab()
}

// check looks whether checkpoints can be written.
func (k *checkpointFlags) check() error {
	if k.path == "" {
		return nil
	}
	return atomicfile.Check(k.path)
}

// hooks adds to h what writes checkpoints.
func (k *checkpointFlags) hooks(h *sgns.Hooks, f *trainFlags, report *reporter) error {
	if k.path == "" {
		return nil
	}
	text, err := json.Marshal(note{
		Tokenizer:       f.corpus.options.Tokenizer.String(),
		Lowercase:       f.corpus.options.Lowercase,
		MinCount:        f.corpus.minCount,
		MaxVocab:        f.corpus.maxVocab,
		Vocabulary:      f.vocabFile != "" || f.init.grow || k.note.Vocabulary && k.from != nil,
		Fraction:        f.evaluation.fraction,
		HeldOut:         f.evaluation.heldOut != "",
		Sets:            len(f.evaluation.sets),
		LearningRate:    f.rate,
		CheckpointEvery: k.every.String(),
	})
	if err != nil {
		return err
	}
	h.Note, h.CheckpointEvery = text, k.every
	h.Checkpoint = func(point *sgns.Checkpoint) {
		start := time.Now()
		k.err = k.write(point, f)
		var size int64
		if k.err == nil {
			size, _ = sizeOf(k.path) // only to be told
		}
		report.checkpointed(k.path, point, time.Since(start), size, k.err)
	}
	return nil
}

// write writes a checkpoint in place of the one before.
func (k *checkpointFlags) write(point *sgns.Checkpoint, f *trainFlags) error {
	set, err := point.Set()
	if err != nil {
		return err
	}
	f.describe(&set.Training)
	return vectors.Write(context.Background(), k.path, set, vectors.FormatW2V)
}

func (k *checkpointFlags) close() error {
	if k.set == nil {
		return nil
	}
	return k.set.Close()
}
