package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// trainFlags are the flags of w2v train.
type trainFlags struct {
	corpus     corpusFlags
	config     sgns.Config
	init       initFlags
	arch       string
	subwords   string
	minn, maxn int
	buckets    int
	output     string
	format     string
	vocabFile  string
	saveVocab  string
	cache      string
	progress   string
	logJSON    string
	json       bool
	rate       float64 // that was asked for, by this command or the one whose run goes on
	threads    int     // likewise
	checkpoint checkpointFlags
	evaluation evaluationFlags
}

func newTrain(s streams) *cobra.Command {
	f := trainFlags{config: sgns.Defaults()}
	c := &cobra.Command{
		Use:   "train [flags] CORPUS... -o MODEL",
		Short: "Train word vectors",
		Long: `Train word vectors on a corpus: skip-gram with negative sampling, and with
--subwords fasttext vectors of character n-grams too, which compose words that
the corpus never had.

` + corpusHelp + `

The extension of MODEL picks its format:
  .w2v .safetensors   native: everything, maps into memory
  .bin                fastText's binary for subwords, word2vec's for words
  .w2vbin             word2vec binary
  .vec .txt           text with a header
  .glove              text without
  .fifu               finalfusion's binary
  .npy                numpy matrix, the words in MODEL.vocab.txt
  NAME/               folder for TensorBoard's Embedding Projector
and .gz or .zst after any of them compresses.

Ctrl-C saves the checkpoint if there is to be one; if not, the model as it is, as
partial-NAME if MODEL is there already. Interrupting again ends at once.`,
		Example: `  w2v train corpus.txt -o model.bin
  w2v train --subwords fasttext --lowercase --tokenizer unicode wiki/*.gz -o wiki.bin
  w2v train news.txt --init wiki.bin --update-vocab -o newer.bin
  zcat sessions.gz | w2v train - -o items.vec --min-count 1 --sample 0 --window 10
  w2v train wiki.txt -o wiki.bin --checkpoint wiki.ck     # survives anything
  w2v train wiki.txt -o wiki.bin --resume wiki.ck         # goes on
  w2v train wiki.txt -o wiki.bin --validate 0.01 --eval ws353.tsv --early-stop 3`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "where the model goes; the extension picks the format (required)")
	flags.StringVar(&f.format, "format", "", "format of the model, instead of by its extension: "+formatNames())
	flags.StringVar(&f.arch, "arch", "skipgram", "architecture: skipgram")
	flags.IntVar(&f.config.Dim, "dim", f.config.Dim, "dimensions")
	flags.IntVar(&f.config.Window, "window", f.config.Window, "largest distance between centre and context")
	flags.IntVar(&f.config.Epochs, "epochs", f.config.Epochs, "passes over the corpus")
	flags.IntVar(&f.config.Negatives, "negatives", f.config.Negatives, "negative samples a true pair")
	flags.Float64Var(&f.config.NSExponent, "ns-exponent", f.config.NSExponent, "noise distribution: count to this power")
	flags.Float64Var(&f.config.Sample, "sample", f.config.Sample, "subsampling threshold of frequent words; 0 turns it off")
	flags.Float64Var(&f.config.LearningRate, "lr", 0, "learning rate at the start, falls linearly to 0 (default by the size of the corpus: from 0.02 for the largest to 0.07, or 0.05 with subwords, for small ones; lower with larger windows and more negatives, and after --init)")
	flags.StringVar(&f.subwords, "subwords", "none", "how words are composed: none, or fasttext: of character n-grams")
	flags.IntVar(&f.minn, "minn", 3, "shortest n-gram, in code points")
	flags.IntVar(&f.maxn, "maxn", 6, "longest n-gram, in code points")
	flags.IntVar(&f.buckets, "buckets", 2_000_000, "hash buckets of the n-grams")
	flags.Uint64Var(&f.config.Seed, "seed", f.config.Seed, "seed of all random numbers; with --threads 1 or --deterministic the same bits every time")
	flags.BoolVar(&f.config.Deterministic, "deterministic", false, "the same bits with any number of threads, on one kind of processor; slower than without")
	f.init.add(c)
	f.corpus.add(c, 5)
	flags.StringVar(&f.vocabFile, "vocab", "", "take the vocabulary from `FILE`, lines of token and count")
	flags.StringVar(&f.saveVocab, "save-vocab", "", "write the vocabulary to `FILE`")
	flags.StringVar(&f.cache, "cache", "", "folder for the tokenised corpus, 4 bytes a token (default the system's folder for temporary files)")
	f.checkpoint.add(flags)
	f.evaluation.add(flags, &f.config)
	flags.BoolVar(&f.config.Force, "force", false, "train even if memory or disk seem too small")
	flags.StringVar(&f.progress, "progress", "auto", "progress bar on stderr: auto (on a terminal), always, never")
	flags.StringVar(&f.logJSON, "log-json", "", "write progress to `FILE`, one JSON object a line; - for stderr")
	addJSON(c, &f.json)
	return c
}

// settings checks the flags and completes the configuration.
func (f *trainFlags) settings(c *cobra.Command) (vectors.Format, error) {
	fail := func(format string, args ...any) (vectors.Format, error) {
		return "", &usageError{c.CommandPath(), fmt.Errorf(format, args...)}
	}
	if err := errors.Join(f.corpus.validate(c), f.checkpoint.validate(c)); err != nil {
		return "", err
	}
	if err := f.evaluation.validateFlags(c, &f.config); err != nil {
		return "", err
	}
	if f.output == "" {
		return fail("no output: say where the model goes with -o MODEL")
	}
	if f.output == "-" {
		return fail("a model is not written to standard output: name a file, and use convert MODEL - afterwards")
	}
	if f.arch != "skipgram" {
		return fail("--arch %s is not known: skipgram is", f.arch)
	}
	switch f.progress {
	case "auto", "always", "never":
	default:
		return fail("--progress %s is not known: auto, always and never are", f.progress)
	}
	if err := f.evaluation.read(); err != nil {
		return "", err
	}
	f.config.Threads = f.corpus.threads
	if err := f.open(c); err != nil {
		return "", err
	}
	if err := f.init.open(c, f); err != nil {
		return "", err
	}
	switch f.subwords {
	case "none":
		for _, name := range []string{"minn", "maxn", "buckets"} {
			if c.Flags().Changed(name) {
				return fail("--%s has a meaning only with --subwords fasttext", name)
			}
		}
	case "fasttext":
		ngrams := subword.FastText{MinN: f.minn, MaxN: f.maxn, Buckets: f.buckets}
		if f.maxn < 1 {
			return fail("--maxn must be at least 1, is %d", f.maxn)
		}
		if err := ngrams.Validate(); err != nil {
			return fail("%s", strings.TrimPrefix(err.Error(), "subword: "))
		}
		f.config.Subword = ngrams
	default:
		return fail("--subwords %s is not known: none and fasttext are", f.subwords)
	}
	if c.Flags().Changed("lr") && !(f.config.LearningRate > 0) {
		return fail("--lr must be above 0, is %v", f.config.LearningRate)
	}
	if err := f.config.Validate(); err != nil {
		return fail("%s", strings.TrimPrefix(err.Error(), "sgns: "))
	}
	format, err := outputFormat(f.output, f.format, f.config.Subword != nil)
	if err != nil {
		return fail("%w", err)
	}
	if err := vectors.CheckSubword(f.config.Subword, vectors.ComposeMean, format); err != nil {
		return fail("%s: %w", f.output, err)
	}
	return format, nil
}

func (f *trainFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	defer func() { err = errors.Join(err, f.checkpoint.close(), f.init.close()) }()
	format, err := f.settings(c)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(c.Context())
	defer stop()
	// What can be known to fail should not fail after hours.
	if err := vectors.CheckTarget(f.output, format); err != nil {
		return err
	}
	if f.saveVocab != "" {
		if err := atomicfile.Check(f.saveVocab); err != nil {
			return err
		}
	}
	if err := f.checkpoint.check(); err != nil {
		return err
	}
	src, err := corpus.Files(args, s.in, f.corpus.options)
	if err != nil {
		return err
	}
	if err := f.distinctFiles(src.Files()); err != nil {
		return &usageError{c.CommandPath(), err}
	}
	report, err := newReporter(s, f.progress, f.logJSON, f.checkpoint.resume != "")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil && !errors.Is(err, context.Canceled) {
			report.failed(err)
		}
		err = errors.Join(err, report.close())
	}()

	options := f.corpus.vocabOptions()
	if f.vocabFile != "" {
		if options.Fixed, err = readVocab(f.vocabFile, options); err != nil {
			return err
		}
	}
	if given, err := f.checkpoint.vocabulary(); err != nil {
		return fmt.Errorf("%s: %w", f.checkpoint.resume, err)
	} else if given != nil && options.Fixed == nil {
		options.Fixed = given
	}
	if options.Known, err = f.init.known(); err != nil {
		return err
	}
	options.Progress = report.counted
	start := time.Now()
	v, ids, err := vocab.Index(ctx, src, options, f.cache)
	report.countingDone()
	if _, ok := errors.AsType[*vocab.RareError](err); ok {
		return fmt.Errorf("%w: see --min-count", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ids.Close()) }()
	counting := time.Since(start)
	fmt.Fprintf(s.err, "%s tokens of %s words\n", thousands(ids.Tokens()), thousands(uint64(v.Len())))
	if err := vectors.CheckWords(v.Tokens(), format); err != nil {
		return fmt.Errorf("%s: %w", f.output, err)
	}
	if f.saveVocab != "" {
		err := atomicfile.Write(f.saveVocab, func(w io.Writer) error {
			_, err := v.WriteTo(w)
			return err
		})
		if err != nil {
			return err
		}
	}

	train, heldOut, err := f.evaluation.split(ctx, ids, v, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeParts(ids, train, heldOut)) }()

	hooks := sgns.Hooks{Start: f.planned(v, format, report), Progress: report.trained, Every: report.every(), Diverged: report.diverged, Warm: f.init.started(s.err, f.config)}
	f.evaluation.hooks(&hooks, report)
	if err := f.checkpoint.hooks(&hooks, f, report); err != nil {
		return err
	}
	report.started(v.Len(), train.Tokens()*uint64(f.config.Epochs), f.checkpoint.from)
	cpu, start := cpuTime(), time.Now()
	data := sgns.Data{IDs: train, Vocab: v, HeldOut: heldOut, Init: f.init.set}
	model, err := f.train(ctx, data, hooks, report)
	stopped := f.init.named(err)
	if errors.Is(err, sgns.ErrNoPairs) {
		return fmt.Errorf("%w: --sample 0 keeps every token", err)
	}
	if _, ok := errors.AsType[*sgns.MemoryError](err); ok && !f.config.Force {
		return fmt.Errorf("%w; --force tries all the same", err)
	}
	if model == nil || model.Progress.Tokens == 0 && f.checkpoint.path == "" {
		return stopped
	}
	sum := summary{
		Tokens:          train.Tokens(),
		Vocab:           v.Len(),
		Epochs:          f.config.Epochs,
		Seconds:         time.Since(start).Seconds(),
		CPUSeconds:      (cpuTime() - cpu).Seconds(),
		CountSeconds:    counting.Seconds(),
		TokensPerSecond: number(model.Progress.TokensPerSecond),
		Loss:            number(model.Progress.Loss),
		Complete:        stopped == nil,
		Early:           model.Progress.Early,
		Trained:         model.Progress.Tokens,
		Checkpoint:      f.checkpoint.path,
	}
	if best := model.Evaluation; best != nil {
		sum.Best = &bestEvaluation{best.Tokens, number(best.Loss), number(best.Score)}
	}
	saved := f.save(ctx, s, model.Vectors, format, &sum)
	fmt.Fprint(s.err, sum.text())
	report.done(sum)
	if f.json {
		saved = errors.Join(saved, printJSON(s.out, sum))
	}
	if saved != nil {
		return saved
	}
	return stopped
}

// planned returns what looks whether the disk has room for what is going to be written,
// before anything is trained.
func (f *trainFlags) planned(v *vocab.Vocab, format vectors.Format, report *reporter) func(sgns.Plan) error {
	return func(p sgns.Plan) error {
		report.planned(p)
		if from := f.checkpoint.from; from != nil {
			report.note("going on from %s: %s of %s tokens are trained", f.checkpoint.resume, thousands(from.Tokens), thousands(from.Total))
			switch {
			case from.Ended():
				report.note("that run is at its end; --extend-epochs trains on")
			case f.checkpoint.again:
				report.note("it has been extended by %d epochs already, and is not by more", f.checkpoint.extend)
			}
		}
		shape := vectors.Shape{
			Words:        p.Words,
			Counts:       true,
			Dim:          f.config.Dim,
			Rows:         p.Rows,
			ContextBytes: 4 * f.config.Dim,
			Trained:      true,
		}
		for _, token := range v.Tokens() {
			shape.Text += len(token)
		}
		if f.config.Subword != nil {
			shape.Buckets = f.config.Subword.Rows()
			shape.Listed = p.Words + shape.Buckets
		}
		if f.config.Force {
			return nil
		}
		need := vectors.EstimateSize(f.output, shape, format)
		if ck := f.checkpoint.path; ck != "" {
			state := shape
			if f.config.Patience > 0 {
				state.State = 4 * f.config.Dim * (p.Rows + p.Words)
			}
			bytes := vectors.EstimateSize(ck, state, vectors.FormatW2V)
			more := bytes // while a checkpoint takes the place of the one before
			if _, err := os.Stat(ck); err != nil {
				more = 2 * bytes
			}
			if err := checkBytes(ck, more); err != nil {
				return err
			}
			if filepath.Dir(ck) == filepath.Dir(f.output) {
				need += more - bytes
			}
		}
		return checkBytes(f.output, need)
	}
}

// train trains from the beginning, or goes on from the checkpoint.
func (f *trainFlags) train(ctx context.Context, d sgns.Data, h sgns.Hooks, report *reporter) (*sgns.Model, error) {
	if f.checkpoint.path != "" {
		told := context.AfterFunc(ctx, func() {
			report.note("interrupted: saving the checkpoint %s; interrupt again to give it up", f.checkpoint.path)
		})
		defer told()
	}
	from := f.checkpoint.from
	if from == nil {
		return sgns.Train(ctx, d, f.config, h)
	}
	model, err := sgns.Resume(ctx, d, from, h)
	if _, ok := errors.AsType[*sgns.MismatchError](err); ok {
		return nil, fmt.Errorf("%s cannot be resumed: %w (--update-vocab begins a run on new text, with its vectors)", f.checkpoint.resume, err)
	}
	if _, ok := errors.AsType[*sgns.StateError](err); ok {
		return nil, fmt.Errorf("%s: %w", f.checkpoint.resume, err)
	}
	return model, err
}

// closeParts closes the parts that a corpus was cut into, which may be itself.
func closeParts(ids, train, heldOut *corpus.IDs) error {
	var errs []error
	if train != nil && train != ids {
		errs = append(errs, train.Close())
	}
	if heldOut != nil {
		errs = append(errs, heldOut.Close())
	}
	return errors.Join(errs...)
}

// describe completes what a model says of its training.
func (f *trainFlags) describe(t *vectors.Training) {
	t.MinCount = f.corpus.minCount
	t.Lowercase = f.corpus.options.Lowercase
	t.Tokenizer = f.corpus.options.Tokenizer.String()
}

// distinctFiles returns an error if a file is to be written that is read, or
// written for something else, too.
func (f *trainFlags) distinctFiles(corpus []string) error {
	type file struct{ role, path string }
	files := []file{{"--output", f.output}, {"--save-vocab", f.saveVocab}, {"--checkpoint", f.checkpoint.path}}
	if f.logJSON != "-" {
		files = append(files, file{"--log-json", f.logJSON})
	}
	written := len(files)
	files = append(files, file{"--vocab", f.vocabFile}, file{"--validate", f.evaluation.heldOut}, file{"--resume", f.checkpoint.resume})
	if f.init.path != f.checkpoint.resume {
		files = append(files, file{"--init", f.init.path})
	}
	for _, path := range f.evaluation.paths {
		files = append(files, file{"--eval", path})
	}
	for _, path := range corpus {
		files = append(files, file{"the corpus", path})
	}
	for i, out := range files[:written] {
		for _, other := range files[i+1:] {
			if out.role == "--output" && other.path == f.init.path {
				continue // is replaced when training is done
			}
			if out.role == "--checkpoint" && other.role == "--resume" && f.checkpoint.from != nil {
				continue // is the same run's
			}
			if out.path != "" && other.path != "" && sameFile(out.path, other.path) {
				return fmt.Errorf("%s and %s are the same file, %s", out.role, other.role, other.path)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one regular file, or would if it
// were there.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}
