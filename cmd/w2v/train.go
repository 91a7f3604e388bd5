package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
)

// trainFlags are the flags of w2v train.
type trainFlags struct {
	modelFlags
	corpus     corpusFlags
	init       initFlags
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
	skip       skipFlag

	locks   []*atomicfile.Lock // of what is written
	tooLong corpus.TooLong     // what is left out of the corpus
}

func newTrain(s streams) *cobra.Command {
	f := trainFlags{modelFlags: newModelFlags()}
	c := &cobra.Command{
		Use:   "train [flags] CORPUS... -o MODEL",
		Short: "Train word vectors",
		Long: `Train word vectors on a corpus: skip-gram with negative sampling, a vector a word,
unless told otherwise:
  --arch cbow           the centre is predicted from the mean of its contexts, which
                        --position-weights and --word-ngrams 2 tell more about
  --arch structured     an output matrix for each relative position
  --loss hs             hierarchical softmax
  --subwords fasttext   character n-grams have vectors too, and compose words that the
                        corpus never had
  --subwords floret     n-grams and words share one small table, by several hashes
  --subwords hash       so they do, and it is learned how much each row counts
  --rank 32             rows of 32 numbers, times a learned matrix
  --tied                input and output vectors are the same
  --nested 32,64,128    the first 32 and 64 dimensions are good vectors themselves,
                        which convert --first and eval --first take
What makes no sense together is refused, with the reason.

` + corpusHelp + `

The extension of MODEL picks its format:
  .w2v .safetensors   native: everything, maps into memory; take this one unless another
                      program is to read the file
  .bin                fastText's binary for subwords, word2vec's for words
  .w2vbin             word2vec binary
  .vec .txt           text with a header
  .glove              text without
  .fifu               finalfusion's binary
  .floret             floret's table, for --subwords floret
  .npy                numpy matrix, the words in MODEL.vocab.txt
  NAME/               folder for TensorBoard's Embedding Projector
and .gz or .zst after any of them compresses. What a format leaves out is said at the end.

Ctrl-C saves the checkpoint if there is to be one; if not, the model as it is, as
partial-NAME if MODEL is there already, or partial-2-NAME if that is, too. Interrupting
again, a second or more later, ends at once. SIGTERM and SIGHUP do what Ctrl-C does, and
so does SIGQUIT, which prints the stacks of all goroutines first.`,
		Example: `  w2v train corpus.txt -o model.w2v
  w2v train --subwords fasttext --lowercase --tokenizer unicode wiki/*.gz -o wiki.w2v
  w2v train --subwords floret --lowercase wiki/*.gz -o wiki.floret
  w2v train --arch cbow --position-weights --window 10 wiki.txt -o cbow.w2v
  w2v train news.txt --init wiki.w2v --update-vocab -o newer.w2v
  zcat sessions.gz | w2v train - -o items.vec --min-count 1 --sample 0 --window 10
  w2v train wiki.txt -o wiki.w2v --checkpoint wiki.ck     # survives anything
  w2v train wiki.txt -o wiki.w2v --resume wiki.ck         # goes on
  w2v train wiki.txt -o wiki.w2v --validate 0.01 --eval ws353.tsv --early-stop 3`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "where the model goes; the extension picks the format (required)")
	addEnum(flags, &f.format, "format", "format of the model, instead of by its extension", formatChoices())
	f.modelFlags.add(flags)
	f.init.add(c)
	f.corpus.add(c, 5)
	flags.StringVar(&f.vocabFile, "vocab", "", "take the vocabulary from `FILE`, lines of token and count")
	flags.StringVar(&f.saveVocab, "save-vocab", "", "write the vocabulary to `FILE`")
	flags.StringVar(&f.cache, "cache", "", "folder for the tokenised corpus, 4 bytes a token (default the system's folder for temporary files)")
	f.skip.add(c)
	f.checkpoint.add(flags)
	f.evaluation.add(flags, &f.config)
	flags.BoolVar(&f.config.Force, "force", false, "train even if memory or disk seem too small")
	addProgress(flags, &f.progress)
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
	if err := f.complete(c.Flags().Changed); err != nil {
		return fail("%w", err)
	}
	format, err := outputFormat(f.output, f.format, f.config.Subword != nil)
	if err != nil {
		return fail("%w", err)
	}
	if err := vectors.CheckSubword(f.config.Subword, f.composition(), format); err != nil {
		return fail("%s: %w", f.output, err)
	}
	return format, nil
}

// run reads the text, trains and writes the model.
func (f *trainFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	defer func() { err = errors.Join(err, f.checkpoint.close(), f.init.close()) }()
	format, err := f.settings(c)
	if err != nil {
		return err
	}
	defer f.unlock()
	ctx, givingUp, stop := untilSignals(c.Context(), s.err)
	defer stop()
	if err := f.checkTargets(format); err != nil {
		return err
	}
	src, err := corpus.Files(args, s.in, f.corpus.options)
	if err != nil {
		return err
	}
	var stdin io.Reader
	if slices.Contains(args, "-") {
		stdin = s.in
	}
	if err := f.distinctFiles(format, src.Files(), stdin); err != nil {
		return &usageError{c.CommandPath(), err}
	}
	note := func(text string) { fmt.Fprintf(s.err, "note: %s\n", text) }
	if err := f.lock(note); err != nil {
		return err
	}
	context.AfterFunc(givingUp, f.unlock) // the program may end at once
	if err := f.checkReplaced(format); err != nil {
		return err
	}
	report, err := newReporter(s, f.progress, f.logJSON, f.checkpoint.resume != "")
	if err != nil {
		return err
	}
	defer func() {
		report.ended(err)
		err = errors.Join(err, report.close())
	}()
	collectEarly()
	text, err := f.read(ctx, s, src, format, report)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, text.close()) }()
	return f.trainOn(ctx, givingUp, s, text, format, report)
}

// describe completes what a model says of its training.
func (f *trainFlags) describe(t *vectors.Training) {
	t.MinCount = f.corpus.minCount
	t.Lowercase = f.corpus.options.Lowercase
	t.Tokenizer = f.corpus.options.Tokenizer.String()
}
