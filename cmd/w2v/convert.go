package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

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
	Fewer    int           `json:"fewer_rows,omitempty"` // than lines of --words
	Repeated []string      `json:"repeated,omitempty"`   // words of several lines of --words
	Skipped  []unwritable  `json:"skipped,omitempty"`    // by --skip-unwritable
	Missing  []string      `json:"missing"`
	LeftOut  []string      `json:"left_out"`
	Notes    []string      `json:"notes,omitempty"` // what is unusual about the words, and what other programs misread
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
			f.wrong = func(err error) error { return &usageError{c.CommandPath(), err} }
			if err := f.check(c); err != nil {
				return err
			}
			return f.run(c.Context(), s)
		},
	}
	addEnum(c.Flags(), &f.to, "to", "format of OUT; the default goes by its extension ("+extensions()+")", formatChoices())
	f.flags.add(c)
	addForce(c, &f.force)
	addJSON(c, &f.asJSON)
	return c
}

// A conversionRun is what the command line asks for.
type conversionRun struct {
	in, out       string
	to            string // the format that is named
	asJSON, force bool
	flags         convertFlags
	wrong         func(error) error // makes of an error one of usage
}

// check looks for what makes no sense before anything is read.
func (f *conversionRun) check(c *cobra.Command) error {
	switch {
	case f.to == "" && f.out == "-":
		return f.wrong(errors.New("standard output has no extension: say --to FORMAT"))
	case f.out == "-" && f.asJSON:
		return f.wrong(errors.New("--json and the model cannot both go to standard output"))
	case f.in == "-" && f.flags.list.file == "-":
		return f.wrong(errors.New("the model and --words cannot both come from standard input"))
	}
	if err := f.flags.check(c); err != nil {
		return f.wrong(err)
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
	return withSource(f.in, s, func(set *vectors.Set) error {
		outFormat, err := outputFormat(f.out, f.to, set.Subword() != nil && f.flags.options.KeepsNgrams())
		if err != nil {
			return f.wrong(err)
		}
		if err := f.flags.fits(outFormat); err != nil {
			return f.wrong(err)
		}
		if can, err := format.Describe(outFormat); err == nil && f.out == "-" && can.Several {
			return f.wrong(fmt.Errorf("the format %s is several files, which standard output cannot be", outFormat))
		}
		r, err := f.convert(ctx, s, set, outFormat)
		if err != nil {
			return fmt.Errorf("%s: %w", f.in, f.flags.list.explained(err))
		}
		if err := writeModel(ctx, f.out, s, r.Set, outFormat, f.force); err != nil || !f.asJSON {
			return f.flags.skip.advise(err)
		}
		return printJSON(s.out, f.done(set, r, outFormat))
	})
}

// convert makes of set what is asked for, and says what became of the rest.
func (f *conversionRun) convert(ctx context.Context, s streams, set *vectors.Set, outFormat format.Format) (*convert.Result, error) {
	how, end := computation(s, f.force)
	f.flags.options.Computation = how
	stop := func() {}
	if f.flags.post.slow() { // which takes long, and is told when to end
		ctx, stop = untilSignal(ctx, s.err)
	}
	r, err := convert.Apply(ctx, set, outFormat, f.flags.options)
	stop()
	end()
	if err != nil {
		return nil, err
	}
	counted := r.Set
	if f.flags.options.Normalize { // which leaves none
		counted = set
	}
	if err := noteNotFinite(s.err, f.in, counted, f.flags.notFiniteBecome(outFormat)); err != nil {
		return nil, err
	}
	noteUnread(s, f.in, set)
	for _, text := range append(f.flags.notes(r, outFormat), losses(r, outFormat)...) {
		s.note(text)
	}
	return r, nil
}

// done is what is printed.
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
