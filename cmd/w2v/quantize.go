package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// quantizeFlags are what the command line says.
type quantizeFlags struct {
	options             transform.QuantizeOptions
	method              string
	prune               bool
	similarity, analogy []string
	restrict            int
	asJSON, force       bool
	skip                skipFlag
	pairs               []eval.Set
	questions           []eval.Set
	wordsOfSets         []string
	changed             func(flag string) bool
	input, output       string
	format              format.Format // of output
}

func newQuantize(s streams) *cobra.Command {
	var f quantizeFlags
	c := &cobra.Command{
		Use:   "quantize [flags] IN OUT",
		Short: "Make a model small and report what that costs",
		Long: `Write the model IN, in any format, with fewer bits to OUT: a native model (.w2v) or,
with pq and opq, a finalfusion model (.fifu). OUT works like IN, also for words
outside the vocabulary. Methods:

  f16   numbers of 16 bits: half the size, no measurable loss
  int8  numbers of 8 bits and a scale for each row: a quarter of the size
  pq    product quantisation: --bytes a row, by default one byte for three dimensions
  opq   the same with rotated rows, which loses less; the time grows with the third
        power of the dimensions, of which there may be 4096

N-grams that no word of the vocabulary has are dropped, and so are context vectors.
--similarity and --analogy score both models and print the difference.
docs/quantization.md has measurements.`,
		Example: `  w2v quantize model.w2v small.w2v
  w2v quantize cc.en.300.bin small.w2v --method opq --bytes 50
  w2v quantize model.w2v small.w2v --similarity wordsim353.tsv --analogy questions-words.txt`,
		Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			f.input, f.output = args[0], args[1]
			f.changed = c.Flags().Changed
			if err := f.check(); err != nil {
				return misuse(err)
			}
			return f.run(c.Context(), s)
		},
	}
	f.method = string(transform.QuantizePQ)
	addEnum(c.Flags(), &f.method, "method", "method", choicesOf(transform.QuantizeMethods(), nil))
	c.Flags().IntVar(&f.options.Bytes, "bytes", 0, "at most `N` bytes a row, with pq and opq (default a third of the dimensions)")
	c.Flags().BoolVar(&f.options.KeepOutput, "keep-output", false, "keep context vectors and quantise them too")
	c.Flags().BoolVar(&f.prune, "prune", true, "drop the rows of n-grams that no word of the vocabulary has")
	c.Flags().Uint64Var(&f.options.Seed, "seed", 1, "seed of random numbers, with pq and opq")
	c.Flags().StringArrayVar(&f.similarity, "similarity", nil, "score both models on the word pairs of `SET`; may be repeated")
	c.Flags().StringArrayVar(&f.analogy, "analogy", nil, "score both models on the analogies of `SET`; may be repeated")
	c.Flags().IntVar(&f.restrict, "restrict", 0, "use only the `N` most frequent words in analogies; 0 uses all")
	limit(c.Flags(), 1, math.Inf(1), "bytes")
	limit(c.Flags(), 0, math.Inf(1), "restrict")
	f.skip.add(c)
	addForce(c, &f.force)
	addJSON(c, &f.asJSON)
	return c
}

// check looks for what makes no sense before anything is read.
func (f *quantizeFlags) check() error {
	f.options.Method = transform.QuantizeMethod(f.method)
	f.options.KeepUnused = !f.prune
	if err := f.options.Validate(); err != nil {
		return err
	}
	switch {
	case f.changed("seed") && !f.options.Method.Coded():
		return fmt.Errorf("--seed is not for the method %s, which has no random numbers", f.method)
	case f.changed("restrict") && len(f.analogy) == 0:
		return errors.New("--restrict is for the sets of --analogy, and there are none")
	}
	if f.input == "-" {
		return errors.New("standard input can be read only once, which is too little: name a file")
	}
	var err error
	if f.format, err = format.ForPath(f.output, false); err != nil {
		return err
	}
	err = convert.QuantizeFits(f.format, f.options)
	if e, ok := errors.AsType[*convert.FitError](err); ok {
		if e.Option == "KeepOutput" {
			e.Reason += " for --keep-output"
		}
		return fmt.Errorf("%s: %s", f.output, e.Reason)
	}
	return err
}

func (f *quantizeFlags) run(ctx context.Context, s streams) error {
	if err := atomicfile.Check(f.output); err != nil {
		return err
	}
	var err error
	if f.pairs, err = setsOf(s, f.similarity, eval.TaskSimilarity); err != nil {
		return err
	}
	if f.questions, err = setsOf(s, f.analogy, eval.TaskAnalogy); err != nil {
		return err
	}
	for _, set := range f.pairs {
		f.wordsOfSets = append(f.wordsOfSets, set.Words()...)
	}
	for _, set := range f.questions {
		f.wordsOfSets = append(f.wordsOfSets, set.Words()...)
	}

	before, err := f.evaluate(ctx, f.input)
	if err != nil {
		return err
	}
	report := quantized{Input: f.input, Output: f.output, Method: f.method}
	if report.BytesBefore, err = sizeOf(f.input); err != nil {
		return err
	}
	if err := f.quantize(ctx, s, &report); err != nil {
		return f.skip.advise(fullDisk(err))
	}
	if report.BytesAfter, err = sizeOf(f.output); err != nil {
		return err
	}
	report.Ratio = float64(report.BytesBefore) / float64(report.BytesAfter)
	after, err := f.evaluate(ctx, f.output)
	if err != nil {
		return err
	}
	report.compare(before, after)
	if f.asJSON {
		return printJSON(s.out, report)
	}
	return report.print(s.out)
}

// quantize makes the model small, and says what is left out.
func (f *quantizeFlags) quantize(ctx context.Context, s streams, report *quantized) error {
	ctx, name, files, stop := s.files(ctx, f.input, f.skip)
	defer stop()
	how, end := computation(s, f.force)
	f.options.Computation = how
	run := convert.QuantizeOptions{Files: files, QuantizeOptions: f.options}
	run.Opened = func(set *vectors.Set) error {
		err := files.Opened(set)
		if set.Output().Rows > 0 && !f.options.KeepOutput {
			s.note("context vectors are left out; --keep-output keeps them in a .w2v file")
		}
		report.RowsBefore = set.Input().Rows
		return err
	}
	run.Made = func(small *convert.Quantized) error {
		end()
		report.RowsAfter, report.RowBytes = small.Set.Input().Rows, small.Set.Input().RowBytes()
		if f.options.Method == transform.QuantizeF16 { // others refuse such rows
			if err := noteNotFinite(s.err, f.input, small.Original, "they stay as they are"); err != nil {
				return err
			}
		}
		for _, text := range f.skip.notes(small.Skipped, f.format) {
			s.note(text)
		}
		if what := small.LeftOut.String(); what != "" {
			s.note("what is made smaller comes without " + what)
		}
		for _, text := range format.Misread(small.Set, f.format) {
			s.note(text)
		}
		return nil
	}
	_, err := convert.QuantizeFile(ctx, name, f.output, run)
	end()
	return err
}

// quantized is what w2v quantize prints. Its JSON is read by scripts.
type quantized struct {
	Input       string  `json:"input"`
	Output      string  `json:"output"`
	Method      string  `json:"method"`
	BytesBefore int64   `json:"bytes_before"`
	BytesAfter  int64   `json:"bytes_after"`
	Ratio       float64 `json:"ratio"` // before over after
	RowsBefore  int     `json:"input_rows_before"`
	RowsAfter   int     `json:"input_rows_after"`
	RowBytes    int     `json:"row_bytes"`

	Similarity []comparison[eval.SimilarityResult] `json:"similarity,omitempty"`
	Analogy    []comparison[eval.AnalogyResult]    `json:"analogy,omitempty"`
	// OutOfVocabulary is about the words of all sets; absent without any.
	OutOfVocabulary *coverage `json:"out_of_vocabulary,omitempty"`
}

// A comparison is a set's score of both models.
type comparison[T any] struct {
	Set        string     `json:"set"`
	Before     T          `json:"before"`
	After      T          `json:"after"`
	Difference eval.Score `json:"difference"` // of Spearman, or of the accuracy
}

// coverage says how many words that are not in the vocabulary have a vector.
type coverage struct {
	Words  int `json:"words"`
	Before int `json:"vectors_before"`
	After  int `json:"vectors_after"`
}

// scores are what the sets say of a model.
type scores struct {
	similarity []eval.SimilarityResult
	analogy    []eval.AnalogyResult
	coverage   eval.Coverage
}

// evaluate scores the model at path on the sets, if there are any.
func (f *quantizeFlags) evaluate(ctx context.Context, path string) (*scores, error) {
	if len(f.wordsOfSets) == 0 {
		return nil, nil
	}
	var of scores
	quiet := streams{err: io.Discard} // the model was opened before
	err := quiet.open(ctx, path, opening{whole: true}, func(words *finder) error {
		set := words.set
		for _, pairs := range f.pairs {
			r, err := eval.Evaluate(ctx, set, pairs, eval.Options{})
			if err != nil {
				return err
			}
			of.similarity = append(of.similarity, r.Details.(eval.SimilarityResult))
		}
		for _, questions := range f.questions {
			r, err := eval.Evaluate(ctx, set, questions, eval.Options{Restrict: f.restrict})
			if err != nil {
				return err
			}
			of.analogy = append(of.analogy, r.Details.(eval.AnalogyResult))
		}
		var err error
		of.coverage, err = eval.Cover(set, f.wordsOfSets, vectors.CaseAuto)
		return err
	})
	return &of, err
}

// compare takes over the scores of both models.
func (q *quantized) compare(before, after *scores) {
	if before == nil {
		return
	}
	for i, a := range after.similarity {
		b := before.similarity[i]
		q.Similarity = append(q.Similarity, comparison[eval.SimilarityResult]{a.Set, b, a, a.Spearman - b.Spearman})
	}
	for i, a := range after.analogy {
		b := before.analogy[i]
		q.Analogy = append(q.Analogy, comparison[eval.AnalogyResult]{a.Set, b, a, a.Accuracy - b.Accuracy})
	}
	q.OutOfVocabulary = &coverage{before.coverage.Words, before.coverage.Composed, after.coverage.Composed}
}

func (q *quantized) print(w io.Writer) error {
	t := newTable(w)
	ratio := fmt.Sprintf("1/%.1f", q.Ratio)
	if q.Ratio < 1 {
		ratio = fmt.Sprintf("%.1f times as large", 1/q.Ratio)
	}
	fmt.Fprintf(t, "size\t%s bytes\t%s bytes\t%s\n", wording.Thousands(q.BytesBefore), wording.Thousands(q.BytesAfter), ratio)
	fmt.Fprintf(t, "input rows\t%s\t%s\tof %s bytes\n", wording.Thousands(q.RowsBefore), wording.Thousands(q.RowsAfter), wording.Thousands(q.RowBytes))
	for _, c := range q.Similarity {
		fmt.Fprintf(t, "%s, spearman\t%s\t%s\t%s\n", c.Set, score(c.Before.Spearman), score(c.After.Spearman), difference(c.Difference))
	}
	for _, c := range q.Analogy {
		fmt.Fprintf(t, "%s, accuracy\t%s\t%s\t%s\n", c.Set, score(c.Before.Accuracy), score(c.After.Accuracy), difference(c.Difference))
	}
	if c := q.OutOfVocabulary; c != nil {
		fmt.Fprintf(t, "of %s unknown words have a vector\t%s\t%s\t%+d\n",
			wording.Thousands(c.Words), wording.Thousands(c.Before), wording.Thousands(c.After), c.After-c.Before)
	}
	return t.Flush()
}

func difference(s eval.Score) string {
	if !s.Defined() {
		return "-"
	}
	return fmt.Sprintf("%+.4f", float64(s))
}
