package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A conversion is what w2v convert prints. Its JSON is read by scripts.
type conversion struct {
	In       string        `json:"in"`
	Out      string        `json:"out"`
	From     format.Format `json:"from"`
	To       format.Format `json:"to"`
	Words    int           `json:"words"`
	Dim      int           `json:"dim"`
	Variance *float64      `json:"variance_kept,omitempty"`
	Fewer    int           `json:"fewer_rows,omitempty"` // how many fewer rows than lines of --words
	Repeated []string      `json:"repeated,omitempty"`   // words on several lines of --words
	Skipped  []unwritable  `json:"skipped,omitempty"`    // words dropped by --skip-unwritable
	Missing  []string      `json:"missing"`
	LeftOut  []string      `json:"left_out"`
	Notes    []string      `json:"notes,omitempty"` // unusual words, and what other programs misread
	Streamed bool          `json:"streamed"`        // the vectors were never all in memory
}

func newConvert(s streams) *cobra.Command {
	var f conversionRun
	c := command("convert", cobra.ExactArgs(2), func(c *cobra.Command, args []string) error {
		f.in, f.out = args[0], args[1]
		if err := f.check(); err != nil {
			return err
		}
		return f.run(c.Context(), s)
	})
	flags := c.Flags()
	addEnum(flags, &f.to, "to", "format of OUT; the default goes by its extension ("+strings.Join(extensions(), " ")+")", formatChoices())
	whole(flags, 1, &f.top, "top", "", 0, "keep only the `N` most frequent words, or the first N if there are no counts")
	f.list.add(c)
	f.post.add(c)
	f.bridge.add(c)
	f.skip.add(c)
	addForce(c, &f.force)
	addJSON(c, &f.asJSON)
	return c
}

type conversionRun struct {
	in, out       string
	to            string // format given by --to
	top           int
	list          wordList
	post          postFlags
	bridge        bridgeFlags
	skip          skipFlag
	asJSON, force bool
}

func (f *conversionRun) check() error {
	err := broken(
		rule{f.to == "" && f.out == "-", "standard output has no extension: say --to FORMAT"},
		rule{f.out == "-" && f.asJSON, "--json and the model cannot both go to standard output"},
		rule{f.in == "-" && f.list.file == "-", "the model and --words cannot both come from standard input"},
		rule{f.top > 0 && f.list.file != "", "--top and --words exclude each other"},
	)
	if err != nil || f.out == "-" {
		return misuse(err)
	}
	return checkTarget(f.out, f.to)
}

func (f *conversionRun) run(ctx context.Context, s streams) (err error) {
	o := f.post.options
	f.bridge.set(&o)
	if o.Words, err = f.list.read(s.in); err != nil {
		return err
	}
	ctx, name, files, stop := s.files(ctx, f.in, f.skip)
	defer stop()
	how, end := computation(s, f.force)
	var source *vectors.Set
	printed := conversion{In: f.in, Out: f.out}
	var written func() // notes about the file, once there is one
	o.Files, o.Computation, o.Format, o.Top = files, how, format.Format(f.to), f.top
	if f.out == "-" {
		o.Out = s.out
	}
	o.Opened = func(set *vectors.Set) error {
		source = set
		outFormat, err := outputFormat(f.out, f.to, set.Subword() != nil && o.KeepsNgrams())
		if err != nil {
			return misuse(err)
		}
		if err := unfit(o.Fits(outFormat), outFormat); err != nil {
			return misuse(err)
		}
		if can, err := format.Describe(outFormat); err == nil && f.out == "-" && can.Several {
			return misuse(fmt.Errorf("the format %s is several files, which standard output cannot be", outFormat))
		}
		return files.Opened(set)
	}
	o.Made = func(r *convert.Result) error {
		end()
		counted, become := r.Set, "they are written as they are"
		become += when(r.Format == format.Projector, ", and the Embedding Projector may not show anything")
		if o.Normalize { // normalizing removes the lengths
			counted, become = source, "--normalize makes such vectors zeros"
		}
		if err := s.noteNotFinite(f.in, counted.NotFinite, become); err != nil {
			return err
		}
		s.noteUnread(f.in, source)
		misread := format.Misread(r.Set, r.Format)
		f.list.notes(s, r.Words)
		s.notePost(r)
		s.noteSkipped(r.Skipped, r.Format)
		byOption, byFormat := r.ByOption.String(), r.ByFormat.String()
		written = func() {
			s.noteIf(byOption != "", "the vectors that are asked for come without %s", byOption)
			s.noteIf(byFormat != "", "the format %s leaves out %s", printed.To, byFormat)
			s.notes(misread...)
		}
		printed.From, printed.To, printed.Words, printed.Dim = format.Format(source.Format()), r.Format, r.Set.Len(), r.Set.Dim()
		printed.Missing, printed.Fewer, printed.Repeated = append([]string{}, r.Words.Missing...), r.Words.Fewer, r.Words.Repeated
		printed.Skipped, printed.Streamed, printed.Notes = inJSON(r.Skipped), source.InFile(), slices.Concat(source.Notes(), misread)
		printed.LeftOut = append([]string{}, slices.Concat(source.Unread(), r.ByOption.List(), r.ByFormat.List())...)
		if r.Reduced != nil {
			printed.Variance = &r.Reduced.VarianceKept
		}
		return nil
	}
	_, err = convert.File(ctx, name, f.out, o)
	end()
	if err == nil {
		written()
	}
	if err != nil || !f.asJSON {
		return f.skip.advise(fullDisk(f.list.explained(name, err)))
	}
	return printJSON(s.out, printed)
}

func unfit(err error, outFormat format.Format) error {
	e, ok := errors.AsType[*convert.FitError](err)
	switch {
	case !ok:
		return err
	case e.Option == "OneMatrix":
		return fmt.Errorf("--tied needs the format %s, not %s", format.Torch, outFormat)
	}
	return fmt.Errorf("--dtype: %s", e.Reason)
}

func (l *wordList) notes(s streams, done convert.Selected) {
	instead := map[convert.Missing]string{convert.MissingZero: "; rows of zeros stand for them", convert.MissingRandom: "; random rows stand for them"}[l.missing]
	s.noteIf(len(done.Missing) > 0, "%s no vector%s: %s", l.count(done.Missing, "has", "have"), instead, some(done.Missing)+l.inLowerCase(done))
	rows := either(l.missing != convert.MissingSkip, "a row for each of them", "one row")
	s.noteIf(len(done.Repeated) > 0, "%s in several lines, and each has %s: %s", l.count(done.Repeated, "stands", "stand"), rows, some(done.Repeated))
	s.noteIf(done.Fewer > 0, "there %s, %s fewer than lines in %s, so line i does not have row i: --missing zero or random gives every line its row",
		wording.Are(l.lines-done.Fewer, "row", "rows"), wording.Thousands(done.Fewer), l.file)
}

// explained rewrites an error about the model at path in terms of the command line.
func (l *wordList) explained(path string, err error) error {
	e, ok := errors.AsType[*convert.MissingError](err)
	switch {
	case !ok:
		return err
	case e.All:
		return fmt.Errorf("%s: none of the words in %s is in the vocabulary%s", path, l.file, l.inLowerCase(e.Selected))
	}
	return fmt.Errorf("%s: %s no vector: %s; --missing skip leaves them out, zero and random give them rows", path, l.count(e.Missing, "has", "have"), some(e.Missing))
}

func (l *wordList) inLowerCase(done convert.Selected) string {
	return when(done.LowerCase > 0, "; the model is in lower case and has %d of them so: write %s in lower case", done.LowerCase, l.file)
}

func newQuantize(s streams) *cobra.Command {
	var f quantizeRun
	c := command("quantize", cobra.ExactArgs(2), func(c *cobra.Command, args []string) error {
		f.Input, f.Output = args[0], args[1]
		if err := f.check(c.Flags().Changed); err != nil {
			return misuse(err)
		}
		return f.run(c.Context(), s)
	})
	flags := c.Flags()
	f.Method = string(transform.QuantizePQ)
	addEnum(flags, &f.Method, "method", "method", choicesOf(transform.QuantizeMethods(), nil))
	whole(flags, 1, &f.options.Bytes, "bytes", "", 0, "at most `N` bytes a row, with pq and opq (default a third of the dimensions)")
	flags.BoolVar(&f.options.KeepOutput, "keep-output", false, "keep context vectors and quantise them too")
	flags.BoolVar(&f.prune, "prune", true, "drop the rows of n-grams that no word of the vocabulary has")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "seed of random numbers, with pq and opq")
	flags.StringArrayVar(&f.similarity, "similarity", nil, "score both models on the word pairs of `SET`; may be repeated")
	flags.StringArrayVar(&f.analogy, "analogy", nil, "score both models on the analogies of `SET`; may be repeated")
	whole(flags, 0, &f.restrict, "restrict", "", 0, "use only the `N` most frequent words in analogies; 0 uses all")
	f.skip.add(c)
	addForce(c, &f.force)
	addJSON(c, &f.asJSON)
	return c
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

type comparison[T any] struct {
	Set        string     `json:"set"`
	Before     T          `json:"before"`
	After      T          `json:"after"`
	Difference eval.Score `json:"difference"` // of Spearman, or of the accuracy
}

type coverage struct {
	Words  int `json:"words"`
	Before int `json:"vectors_before"`
	After  int `json:"vectors_after"`
}

func (q *quantized) print(w io.Writer) {
	t := newTable(w)
	ratio := either(q.Ratio < 1, fmt.Sprintf("%.1f times as large", 1/q.Ratio), fmt.Sprintf("1/%.1f", q.Ratio))
	fmt.Fprintf(t, "size\t%s bytes\t%s bytes\t%s\n", wording.Thousands(q.BytesBefore), wording.Thousands(q.BytesAfter), ratio)
	fmt.Fprintf(t, "input rows\t%s\t%s\tof %s bytes\n", wording.Thousands(q.RowsBefore), wording.Thousands(q.RowsAfter), wording.Thousands(q.RowBytes))
	for _, c := range q.Similarity {
		fmt.Fprintf(t, "%s, spearman\t%s\t%s\t%s\n", c.Set, score(c.Before.Spearman), score(c.After.Spearman), signed(c.Difference))
	}
	for _, c := range q.Analogy {
		fmt.Fprintf(t, "%s, accuracy\t%s\t%s\t%s\n", c.Set, score(c.Before.Accuracy), score(c.After.Accuracy), signed(c.Difference))
	}
	if c := q.OutOfVocabulary; c != nil {
		fmt.Fprintf(t, "of %s unknown words have a vector\t%s\t%s\t%+d\n",
			wording.Thousands(c.Words), wording.Thousands(c.Before), wording.Thousands(c.After), c.After-c.Before)
	}
	t.Flush()
}

type quantizeRun struct {
	quantized
	options             transform.QuantizeOptions
	prune               bool
	similarity, analogy []string
	restrict            int
	asJSON, force       bool
	skip                skipFlag
	sets                []eval.Set // of similarity, then of analogy
	format              format.Format
}

func (f *quantizeRun) check(changed func(flag string) bool) (err error) {
	f.options.Method = transform.QuantizeMethod(f.Method)
	f.options.KeepUnused = !f.prune
	if err := f.options.Validate(); err != nil {
		return err
	}
	err = broken(
		rule{changed("seed") && !f.options.Method.Coded(), "--seed is not for the method " + f.Method + ", which has no random numbers"},
		rule{changed("restrict") && len(f.analogy) == 0, "--restrict is for the sets of --analogy, and there are none"},
		rule{f.Input == "-", readTwice},
	)
	if err == nil {
		f.format, err = format.ForPath(f.Output, false)
	}
	if err == nil {
		err = convert.QuantizeFits(f.format, f.options)
	}
	if e, ok := errors.AsType[*convert.FitError](err); ok {
		if e.Option == "KeepOutput" {
			e.Reason += " for --keep-output"
		}
		return fmt.Errorf("%s: %s", f.Output, e.Reason)
	}
	return err
}

func (f *quantizeRun) run(ctx context.Context, s streams) error {
	if err := atomicfile.Check(f.Output); err != nil {
		return err
	}
	pairs, err := setsOf(s, f.similarity, eval.TaskSimilarity)
	if err != nil {
		return err
	}
	questions, err := setsOf(s, f.analogy, eval.TaskAnalogy)
	if err != nil {
		return err
	}
	f.sets = append(pairs, questions...)
	before, covered, err := f.evaluate(ctx, f.Input)
	if err != nil {
		return err
	}
	if f.BytesBefore, err = sizeOf(f.Input); err != nil {
		return err
	}
	if err := f.quantize(ctx, s); err != nil {
		return f.skip.advise(fullDisk(err))
	}
	if f.BytesAfter, err = sizeOf(f.Output); err != nil {
		return err
	}
	f.Ratio = float64(f.BytesBefore) / float64(f.BytesAfter)
	after, stillCovered, err := f.evaluate(ctx, f.Output)
	if err != nil {
		return err
	}
	for i := range before {
		switch b := before[i].(type) {
		case eval.SimilarityResult:
			a := after[i].(eval.SimilarityResult)
			f.Similarity = append(f.Similarity, comparison[eval.SimilarityResult]{a.Set, b, a, a.Spearman - b.Spearman})
		case eval.AnalogyResult:
			a := after[i].(eval.AnalogyResult)
			f.Analogy = append(f.Analogy, comparison[eval.AnalogyResult]{a.Set, b, a, a.Accuracy - b.Accuracy})
		}
	}
	if len(before) > 0 {
		f.OutOfVocabulary = &coverage{covered.Words, covered.Composed, stillCovered.Composed}
	}
	return s.print(f.asJSON, f.quantized, f.print)
}

func (f *quantizeRun) evaluate(ctx context.Context, path string) (results []any, covered eval.Coverage, err error) {
	var all []string
	for _, set := range f.sets {
		all = append(all, set.Words()...)
	}
	if len(all) == 0 {
		return nil, covered, nil
	}
	quiet := streams{err: io.Discard} // the model was opened before
	err = quiet.open(ctx, path, opening{whole: true}, func(words *finder) (err error) {
		for _, set := range f.sets {
			o := eval.Options{}
			if set.Task == eval.TaskAnalogy {
				o.Restrict = f.restrict
			}
			r, err := eval.Evaluate(ctx, words.set, set, o)
			if err != nil {
				return err
			}
			results = append(results, r.Details)
		}
		covered, err = eval.Cover(words.set, all, vectors.CaseAuto)
		return err
	})
	return results, covered, err
}

func (f *quantizeRun) quantize(ctx context.Context, s streams) error {
	ctx, name, files, stop := s.files(ctx, f.Input, f.skip)
	defer stop()
	how, end := computation(s, f.force)
	f.options.Computation = how
	run := convert.QuantizeOptions{Files: files, QuantizeOptions: f.options}
	run.Opened = func(set *vectors.Set) error {
		err := files.Opened(set)
		s.noteIf(set.Output().Rows > 0 && !f.options.KeepOutput, "context vectors are left out; --keep-output keeps them in a .w2v file")
		f.RowsBefore = set.Input().Rows
		return err
	}
	run.Made = func(small *convert.Quantized) error {
		end()
		f.RowsAfter, f.RowBytes = small.Set.Input().Rows, small.Set.Input().RowBytes()
		if f.options.Method == transform.QuantizeF16 { // others refuse such rows
			if err := s.noteNotFinite(f.Input, small.Original.NotFinite, "they stay as they are"); err != nil {
				return err
			}
		}
		s.noteSkipped(small.Skipped, f.format)
		left := small.LeftOut.String()
		s.noteIf(left != "", "what is made smaller comes without %s", left)
		s.notes(format.Misread(small.Set, f.format)...)
		return nil
	}
	_, err := convert.QuantizeFile(ctx, name, f.Output, run)
	end()
	return err
}

func (r exportReport) print(w io.Writer) {
	trust := ""
	if r.Trustworthiness != nil {
		trust = fmt.Sprintf(", trustworthiness %.3f", *r.Trustworthiness)
	}
	fmt.Fprintf(w, "%s: %s, %s of %s, maps %s%s\nvectors of %d dimensions keep %.1f %% of the length and %.1f %% of the ten nearest words\n",
		r.Output, megabytes(r.Size), wording.Thousands(r.Words), wording.Count(r.Of, "word", "words"),
		strings.Join(r.Projections, " and "), trust, r.Dim, 100*r.Kept, 100*r.Recall)
}

// factorized is what w2v factorize prints. Its JSON is read by scripts.
type factorized struct {
	Input  string `json:"input"`
	Output string `json:"output"`
	transform.Factorization
	Bound    float64 `json:"bound"` // of the error: √ of the sum of the squares of what was dropped
	InBytes  int64   `json:"in_bytes"`
	OutBytes int64   `json:"out_bytes"`
}

func newFactorize(s streams) *cobra.Command {
	var o transform.FactorizeOptions
	var asJSON, force bool
	var skip skipFlag
	c := command("factorize", cobra.ExactArgs(2), func(c *cobra.Command, args []string) error {
		rank, energy := c.Flags().Changed("rank"), c.Flags().Changed("energy")
		wrong := broken(
			rule{!rank && !energy, "say how much to keep: --rank H, or --energy 0.9"},
			rule{rank && energy, "--rank and --energy exclude each other"},
			rule{energy && !(o.Energy > 0 && o.Energy <= 1), fmt.Sprintf("--energy must be above 0 and at most 1, is %v", o.Energy)},
			rule{args[0] == "-", readTwice},
			rule{args[1] == "-", "a model is not written to standard output: name a file, and use convert OUT - afterwards"},
		)
		if wrong == nil {
			_, wrong = format.ForPath(args[1], false)
		}
		if wrong != nil {
			return misuse(wrong)
		}
		if err := checkTarget(args[1], ""); err != nil {
			return err
		}
		f := factorized{Input: args[0], Output: args[1]}
		if err := f.run(c.Context(), s, o, force, skip); err != nil {
			return err
		}
		return s.print(asJSON, f, f.print)
	})
	whole(c.Flags(), 1, &o.Rank, "rank", "", 0, "rows of `H` numbers")
	c.Flags().Float64Var(&o.Energy, "energy", 0, "take the smallest rank that keeps this `SHARE` of the energy, such as 0.9")
	skip.add(c)
	addForce(c, &force)
	addJSON(c, &asJSON)
	return c
}

func (f *factorized) run(ctx context.Context, s streams, o transform.FactorizeOptions, force bool, skip skipFlag) (err error) {
	if f.InBytes, err = sizeOf(f.Input); err != nil {
		return err
	}
	ctx, name, files, stop := s.files(ctx, f.Input, skip)
	defer stop()
	how, end := computation(s, force)
	o.Computation = how
	run := convert.FactorizeOptions{Files: files, FactorizeOptions: o}
	run.Opened = func(set *vectors.Set) error {
		err := files.Opened(set)
		s.noteUnread(f.Input, set)
		return err
	}
	run.Made = func(small *convert.Factorized) error {
		end()
		f.Factorization, f.Bound = small.Factorization, small.Bound()
		s.noteSkipped(small.Skipped, small.Format)
		s.noteIf(small.Context, "context vectors are left out: only training uses them")
		s.noteIf(len(small.Dropped) > 0, "what is factorised comes without %s", strings.Join(small.Dropped, "; "))
		lost := small.ByFormat
		s.noteIf(lost.Subwords || len(lost.Parts) > 0, "the format %s leaves out %s", small.Format, lost)
		s.noteIf(small.MultipliedOut, "the format %s has no factors: rows are multiplied out, which smooths them and saves no room; .w2v keeps the factors", small.Format)
		s.notes(format.Misread(small.Set, small.Format)...)
		return nil
	}
	_, err = convert.FactorizeFile(ctx, name, f.Output, run)
	end()
	if err != nil {
		return skip.advise(fullDisk(err))
	}
	f.OutBytes, err = sizeOf(f.Output)
	return err
}

func (f *factorized) print(w io.Writer) {
	t := newTable(w)
	fmt.Fprintf(t, "rank\t%d of %d dimensions, %s rows\n", f.Rank, f.Dim, wording.Thousands(f.Rows))
	fmt.Fprintf(t, "energy kept\t%.2f %%\n", 100*f.EnergyKept)
	fmt.Fprintf(t, "error\t%.6g, of the rows' norm %.2f %%\n", f.Error, 100*f.RelativeError)
	fmt.Fprintf(t, "error squared\t%.6g, and the squares of what is dropped add up to %.6g\n", f.Error*f.Error, f.Bound*f.Bound)
	fmt.Fprintf(t, "singular values kept\t%s\n", span(f.SingularValues[:f.Rank]))
	fmt.Fprintf(t, "singular values dropped\t%s\n", span(f.Dropped))
	fmt.Fprintf(t, "file\t%s bytes before, %s bytes after: %.3g times as large\n",
		wording.Thousands(f.InBytes), wording.Thousands(f.OutBytes), float64(f.OutBytes)/float64(f.InBytes))
	t.Flush()
}

func span(falling []float64) string {
	switch n := len(falling); n {
	case 0:
		return "none"
	case 1:
		return fmt.Sprintf("%.4g", falling[0])
	default:
		return fmt.Sprintf("%d, from %.4g to %.4g", n, falling[0], falling[n-1])
	}
}
