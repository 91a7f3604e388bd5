package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
			f.wrong = func(err error) error { return misuse(err) }
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
			return f.wrong(err)
		}
		if err := f.flags.fits(outFormat); err != nil {
			return f.wrong(err)
		}
		if can, err := format.Describe(outFormat); err == nil && f.out == "-" && can.Several {
			return f.wrong(fmt.Errorf("the format %s is several files, which standard output cannot be", outFormat))
		}
		return files.Opened(set)
	}
	o.Made = func(r *convert.Result) error {
		end()
		counted := r.Set
		if o.Normalize { // which leaves none
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
