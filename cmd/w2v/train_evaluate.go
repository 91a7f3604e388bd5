package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// evaluationFlags are the flags of w2v train about how good the vectors are while they
// are trained.
type evaluationFlags struct {
	validate string
	every    tokenCount
	paths    []string

	fraction float64 // of the corpus that is held out
	heldOut  string  // the file that is
	sets     []trainingSet
}

func (f *evaluationFlags) add(flags *pflag.FlagSet, config *sgns.Config) {
	flags.StringVar(&f.validate, "validate", "", "measure the loss on held-out text: a `FILE`, or a fraction of the corpus, such as 0.01")
	flags.StringSliceVar(&f.paths, "eval", nil, "score similarity or analogy `SET`s during training; may be repeated")
	flags.Var(&f.every, "eval-every", "evaluate each time so many tokens are trained, such as 500k or 10M (default those of an epoch), and at the end")
	flags.IntVar(&config.Patience, "early-stop", 0, "end after `N` evaluations without a better one, and keep the vectors of the best: by the held-out loss, or else by the score of the first SET")
}

func (f *evaluationFlags) validateFlags(c *cobra.Command, config *sgns.Config) error {
	fail := func(format string, args ...any) error {
		return &usageError{c.CommandPath(), fmt.Errorf(format, args...)}
	}
	if x, err := strconv.ParseFloat(f.validate, 64); err == nil {
		if !(x > 0 && x < 1) {
			return fail("--validate: a fraction must be above 0 and below 1, is %s", f.validate)
		}
		f.fraction = x
	} else {
		f.heldOut = f.validate
	}
	nothing := f.validate == "" && len(f.paths) == 0
	switch {
	case nothing && c.Flags().Changed("eval-every"):
		return fail("--eval-every has a meaning only with --eval SET or --validate")
	case nothing && c.Flags().Changed("early-stop") && config.Patience != 0:
		return fail("--early-stop needs something to go by: --validate FILE or fraction, or --eval SET")
	case config.Patience < 0:
		return fail("--early-stop must not be negative, is %d", config.Patience)
	}
	config.EvaluateEvery = uint64(f.every)
	return nil
}

// resume takes what a run that is resumed held out and was evaluated on.
func (f *evaluationFlags) resume(c *cobra.Command, n note) error {
	fail := func(format string, args ...any) error {
		return &usageError{c.CommandPath(), fmt.Errorf(format, args...)}
	}
	switch {
	case n.Fraction > 0 && f.validate == "":
		f.fraction = n.Fraction
	case f.fraction != n.Fraction:
		return fail("--validate is %s, and the run held out a fraction of %v of its corpus: leave it out", f.validate, n.Fraction)
	case n.HeldOut && f.heldOut == "":
		return fail("the run held out a file: name it with --validate FILE")
	case !n.HeldOut && f.heldOut != "":
		return fail("--validate %s: the run held out no file", f.heldOut)
	}
	if len(f.paths) != len(n.Sets) {
		var names []string
		for _, set := range n.Sets {
			names = append(names, set.Name)
		}
		return fail("the run is evaluated on %s: name the sets again with --eval, in this order", cmp.Or(strings.Join(names, ", "), "no sets"))
	}
	for i, set := range f.noted() {
		if set.SHA256 != n.Sets[i].SHA256 {
			return fail("--eval %s is another set than %s, on which the run is evaluated", f.paths[i], n.Sets[i].Name)
		}
	}
	return nil
}

// noted returns what is known of the sets.
func (f *evaluationFlags) noted() []noted {
	all := []noted{}
	for _, set := range f.sets {
		all = append(all, noted{setName(set.name), set.sum})
	}
	return all
}

// read reads the evaluation sets, and looks whether the held-out file is there.
func (f *evaluationFlags) read() error {
	for _, path := range f.paths {
		set, err := readTrainingSet(path)
		if err != nil {
			return err
		}
		f.sets = append(f.sets, set)
	}
	if f.heldOut != "" {
		if _, err := os.Stat(f.heldOut); err != nil {
			return named(f.heldOut, err)
		}
	}
	return nil
}

// split returns the held-out text, and what is left to train on.
func (f *evaluationFlags) split(ctx context.Context, ids *corpus.IDs, v *vocab.Vocab, t *trainFlags, report *reporter) (train, heldOut *corpus.IDs, err error) {
	switch {
	case f.fraction > 0:
		train, heldOut, err = ids.Split(f.fraction)
		if err != nil {
			return nil, nil, fmt.Errorf("--validate: %w", err)
		}
		return train, heldOut, nil
	case f.heldOut != "":
		src, err := corpus.Files([]string{f.heldOut}, nil, t.corpus.options)
		if err != nil {
			return nil, nil, err
		}
		_, heldOut, err = vocab.Index(ctx, src, vocab.Options{Fixed: v, Threads: t.corpus.threads, TooLong: func(left corpus.TooLong) { report.note("note: --validate: %s", left) }}, t.cache)
		if err != nil {
			return nil, nil, fmt.Errorf("--validate: %w", err)
		}
		return ids, heldOut, nil
	}
	return ids, nil, nil
}

// hooks adds to h what evaluates.
func (f *evaluationFlags) hooks(h *sgns.Hooks, report *reporter) {
	h.Evaluated = report.evaluated
	if len(f.sets) == 0 {
		return
	}
	h.Evaluate = func(ctx context.Context, set *vectors.Set) (float64, error) {
		first := math.NaN()
		var scores []setScore
		for i, s := range f.sets {
			score, err := s.score(ctx, set)
			if err != nil {
				return 0, err
			}
			if i == 0 {
				first = float64(score)
			}
			scores = append(scores, setScore{setName(s.name), score})
		}
		report.scores = scores
		return first, nil
	}
}

// A trainingSet is a similarity or an analogy set.
type trainingSet struct {
	name      string
	pairs     eval.PairSet
	questions eval.QuestionSet
	analogy   bool
	sum       string // SHA-256 of the file
}

// setScore is what a set says of vectors: Spearman's correlation, or the accuracy.
type setScore struct {
	Set   string     `json:"set"`
	Score eval.Score `json:"score"`
}

// readTrainingSet reads a set of either kind: lines of four words are analogies.
func readTrainingSet(path string) (trainingSet, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return trainingSet{}, named(path, err)
	}
	s := trainingSet{name: path, sum: fmt.Sprintf("%x", sha256.Sum256(text))}
	if s.questions, err = eval.ReadQuestions(bytes.NewReader(text), path); err == nil {
		s.analogy = true
		return s, nil
	}
	var pairErr error
	if s.pairs, pairErr = eval.ReadPairs(bytes.NewReader(text), path); pairErr == nil {
		return s, nil
	}
	return s, fmt.Errorf("%s is neither a similarity set (%w) nor an analogy set (%w)", path, pairErr, err)
}

func (s *trainingSet) score(ctx context.Context, set *vectors.Set) (eval.Score, error) {
	if s.analogy {
		r, err := eval.Analogy(ctx, set, s.questions, eval.AnalogyOptions{})
		return r.Accuracy, err
	}
	r, err := eval.Similarity(set, s.pairs, eval.SimilarityOptions{})
	return r.Spearman, err
}

// tokenCount is a number of tokens as a flag: 500000, 500k, 10M, 1.5G.
type tokenCount uint64

func (n *tokenCount) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*n), 10)
}

func (n *tokenCount) Type() string { return "tokens" }

func (n *tokenCount) Set(s string) error {
	digits, unit := s, 1.0
	for suffix, factor := range map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9} {
		if before, ok := strings.CutSuffix(s, suffix); ok {
			digits, unit = before, factor
		}
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(x*unit >= 1) || x*unit > 1e18 {
		return errors.New("expected a number of tokens from 1, such as 500000, 500k or 10M")
	}
	*n = tokenCount(x * unit)
	return nil
}
