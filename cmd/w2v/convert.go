package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

// A conversion is what w2v convert prints of what it has done. Its JSON is read by
// scripts.
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
	c := &cobra.Command{
		Use:   "convert [flags] IN OUT",
		Short: "Convert a model to another format",
		Long: `Convert the model IN to OUT. The format of IN is detected from its content. The
format of OUT goes by its extension or by --to. IN may be "-" for standard input,
which is read into memory; files are read row by row where their format allows it.
OUT may be "-" for standard output, with --to. w2v reports what the new format leaves
out, and how many vectors have NaN or infinite numbers. It is an error if finite
numbers would become NaN or infinite.

` + convertHelp + "\n\n" + bridgeHelp,
		Example: `  w2v convert model.w2v model.vec
  w2v convert GoogleNews-vectors.bin.gz google.w2v
  w2v convert model.w2v - --to text | head
  w2v convert model.w2v small.bin --top 50000 --dim 100
  w2v convert nested.w2v short.bin --first 32
  w2v convert model.w2v context.vec --vectors output
  w2v convert model.w2v isotropic.w2v --abtt 3 --normalize
  w2v convert model.w2v start.safetensors --to torch --scale std=0.02 --special-tokens '[PAD],[UNK]'
  w2v convert model.w2v start.npy --words vocabulary.txt --missing random
  w2v convert model.w2v static --to sentence-transformers --dtype f16`,
		Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			f.in, f.out = args[0], args[1]
			if err := f.check(c); err != nil {
				return err
			}
			return f.run(c.Context(), s)
		},
	}
	addEnum(c.Flags(), &f.to, "to", "format of OUT; the default goes by its extension ("+strings.Join(extensions(), " ")+")", formatChoices())
	f.flags.add(c)
	addForce(c, &f.force)
	addJSON(c, &f.asJSON)
	return c
}

// A conversionRun is the command line of w2v convert.
type conversionRun struct {
	in, out       string
	to            string // format given by --to
	asJSON, force bool
	flags         convertFlags
}

// check reports contradictory flags before anything is read.
func (f *conversionRun) check(c *cobra.Command) error {
	switch {
	case f.to == "" && f.out == "-":
		return misuse(errors.New("standard output has no extension: say --to FORMAT"))
	case f.out == "-" && f.asJSON:
		return misuse(errors.New("--json and the model cannot both go to standard output"))
	case f.in == "-" && f.flags.list.file == "-":
		return misuse(errors.New("the model and --words cannot both come from standard input"))
	}
	if err := f.flags.check(c); err != nil {
		return misuse(err)
	}
	if f.out == "-" {
		return nil
	}
	return checkTarget(f.out, f.to)
}

func (f *conversionRun) run(ctx context.Context, s streams) error {
	if err := f.flags.read(s); err != nil {
		return err
	}
	ctx, name, files, stop := s.files(ctx, f.in, f.flags.skip)
	defer stop()
	how, end := computation(s, f.force)
	var source *vectors.Set
	var printed conversion
	o := f.flags.options
	o.Files, o.Computation, o.Format = files, how, format.Format(f.to)
	if f.out == "-" {
		o.Out = s.out
	}
	o.Opened = func(set *vectors.Set) error {
		source = set
		outFormat, err := outputFormat(f.out, f.to, set.Subword() != nil && o.KeepsNgrams())
		if err != nil {
			return misuse(err)
		}
		if err := f.flags.fits(outFormat); err != nil {
			return misuse(err)
		}
		if can, err := format.Describe(outFormat); err == nil && f.out == "-" && can.Several {
			return misuse(fmt.Errorf("the format %s is several files, which standard output cannot be", outFormat))
		}
		return files.Opened(set)
	}
	o.Made = func(r *convert.Result) error {
		end()
		counted := r.Set
		if o.Normalize { // normalizing removes the lengths
			counted = source
		}
		if err := noteNotFinite(s.err, f.in, counted, f.flags.notFiniteBecome(r.Format)); err != nil {
			return err
		}
		noteUnread(s, f.in, source)
		for _, text := range slices.Concat(f.flags.notes(r, r.Format), losses(r, r.Format), format.Misread(r.Set, r.Format)) {
			s.note(text)
		}
		printed = f.done(source, r, r.Format)
		return nil
	}
	_, err := convert.File(ctx, name, f.out, o)
	end()
	if err != nil || !f.asJSON {
		return f.flags.skip.advise(fullDisk(f.flags.list.explained(name, err)))
	}
	return printJSON(s.out, printed)
}

// done returns the report.
func (f *conversionRun) done(set *vectors.Set, r *convert.Result, outFormat format.Format) conversion {
	c := conversion{
		In: f.in, Out: f.out, From: format.Format(set.Format()), To: outFormat,
		Words: r.Set.Len(), Dim: r.Set.Dim(),
		Missing: append([]string{}, r.Words.Missing...), Fewer: r.Words.Fewer, Repeated: r.Words.Repeated, Skipped: inJSON(r.Skipped),
		LeftOut: append([]string{}, slices.Concat(set.Unread(), r.ByOption.List(), r.ByFormat.List())...), Streamed: set.InFile(),
		Notes: slices.Concat(set.Notes(), format.Misread(r.Set, outFormat)),
	}
	if r.Reduced != nil {
		c.Variance = &r.Reduced.VarianceKept
	}
	return c
}

// convertFlags select which of a model's vectors are written, and how.
type convertFlags struct {
	options convert.Options
	list    wordList
	post    postFlags
	bridge  bridgeFlags
	skip    skipFlag
}

// convertHelp is the part of the command's help about these flags.
const convertHelp = `These flags apply in this order. --vectors takes the context vectors, or both kinds,
instead of the input vectors. --top or --words select words. --first takes the first
dimensions, unchanged; or --dim reduces dimensions by principal components. --center
subtracts the mean of all vectors. --abtt subtracts it and removes the first
principal components. --whiten subtracts it and makes dimensions uncorrelated, of
variance 1. --normalize scales each vector to length 1. Mean, components and
covariance are those of the vectors of the selected words, each counted once. Queries
and eval have these flags too, and show what a file with such vectors would answer.

N-grams are kept, except with --vectors and --normalize, and with --dim, --center,
--abtt and --whiten those of hash embeddings. If they are not kept, --words also
composes words outside the vocabulary. Nodes of hierarchical softmax are kept only
together with all words. The time of --dim, --abtt and --whiten grows with the third
power of the model's dimensions: about a second for 1,000, half a minute for 3,000.

` + listHelp

func (f *convertFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.options.Top, "top", 0, "keep only the `N` most frequent words, or the first N if there are no counts")
	limit(flags, 1, math.Inf(1), "top")
	f.list.add(c)
	f.post.add(c)
	f.bridge.add(c)
	f.skip.add(c)
}

// check reports flags that are invalid for any model, and completes the options except for the words of a
// list.
func (f *convertFlags) check(c *cobra.Command) error {
	if err := f.post.check(c); err != nil {
		return err
	}
	if f.options.Top > 0 && f.list.file != "" {
		return errors.New("--top and --words exclude each other")
	}
	if err := f.list.check(c); err != nil {
		return err
	}
	top := f.options.Top
	f.options = f.post.options
	f.options.Top, f.options.SkipUnwritable = top, f.skip.on
	return f.bridge.options(&f.options)
}

// read reads the files that the command line names.
func (f *convertFlags) read(s streams) (err error) {
	f.options.Words, err = f.list.read(s.in)
	return err
}

// fits reports flags that have no effect for a format.
func (f *convertFlags) fits(outFormat format.Format) error {
	err := f.options.Fits(outFormat)
	if e, ok := errors.AsType[*convert.FitError](err); ok {
		if e.Option == "OneMatrix" {
			return fmt.Errorf("--tied needs the format %s, not %s", format.Torch, outFormat)
		}
		return fmt.Errorf("--dtype: %s", e.Reason)
	}
	return err
}

// notFiniteBecome says what happens to rows that are not finite.
func (f *convertFlags) notFiniteBecome(outFormat format.Format) string {
	switch {
	case f.options.Normalize:
		return "--normalize makes such vectors zeros"
	case outFormat == format.Projector:
		return "they are written as they are, and the Embedding Projector may not show anything"
	}
	return "they are written as they are"
}

// notes describes the effects of the flags for users.
func (f *convertFlags) notes(r *convert.Result, outFormat format.Format) []string {
	notes := f.list.notes(r.Words, r.Words.Fewer)
	notes = append(notes, postNotes(r)...)
	return append(notes, f.skip.notes(r.Skipped, outFormat)...)
}

// losses says what is left out, and why.
func losses(r *convert.Result, outFormat format.Format) (notes []string) {
	if text := r.ByOption.String(); text != "" {
		notes = append(notes, "the vectors that are asked for come without "+text)
	}
	if text := r.ByFormat.String(); text != "" {
		notes = append(notes, fmt.Sprintf("the format %s leaves out %s", outFormat, text))
	}
	return notes
}

// notes describes the effects of the list, and how many rows are missing compared to lines.
func (l *wordList) notes(done convert.Selected, fewer int) (notes []string) {
	what := map[string]string{missingZero: "; rows of zeros stand for them", missingRandom: "; random rows stand for them"}[l.missing]
	if n := len(done.Missing); n > 0 {
		notes = append(notes, fmt.Sprintf("%s no vector%s: %s", wording.Count(n, "of the words in "+l.file+" has", "of the words in "+l.file+" have"), what, some(done.Missing)+l.inLowerCase(done)))
	}
	what = "has one row"
	if l.missing != missingSkip {
		what = "has a row for each of them"
	}
	if n := len(done.Repeated); n > 0 {
		notes = append(notes, fmt.Sprintf("%s in several lines, and each %s: %s", wording.Count(n, "of the words in "+l.file+" stands", "of the words in "+l.file+" stand"), what, some(done.Repeated)))
	}
	if fewer > 0 {
		notes = append(notes, fmt.Sprintf("there %s, %s fewer than lines in %s, so line i does not have row i: --missing zero or random gives every line its row",
			wording.Are(l.lines-fewer, "row", "rows"), wording.Thousands(fewer), l.file))
	}
	return notes
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
	return fmt.Errorf("%s: %s no vector: %s; --missing skip leaves them out, zero and random give them rows",
		path, wording.Count(len(e.Missing), "of the words in "+l.file+" has", "of the words in "+l.file+" have"), some(e.Missing))
}

// inLowerCase says how many of the missing words a lower-case model has in lower case.
func (l *wordList) inLowerCase(done convert.Selected) string {
	if done.LowerCase == 0 {
		return ""
	}
	return fmt.Sprintf("; the model is in lower case and has %d of them so: write %s in lower case", done.LowerCase, l.file)
}
