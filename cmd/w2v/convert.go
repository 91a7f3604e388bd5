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
	flags.IntVar(&f.top, "top", 0, "keep only the `N` most frequent words, or the first N if there are no counts")
	limit(flags, 1, math.Inf(1), "top")
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

// check reports contradictory flags before anything is read.
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
		s.note(slices.Concat(f.list.notes(r.Words), postNotes(r), f.skip.notes(r.Skipped, r.Format))...)
		byOption, byFormat := r.ByOption.String(), r.ByFormat.String()
		s.noteIf(byOption != "", "the vectors that are asked for come without %s", byOption)
		s.noteIf(byFormat != "", "the format %s leaves out %s", r.Format, byFormat)
		s.note(misread...)
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
	if err != nil || !f.asJSON {
		return f.skip.advise(fullDisk(f.list.explained(name, err)))
	}
	return printJSON(s.out, printed)
}

// unfit explains an error about options that have no effect for a format.
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

func (l *wordList) notes(done convert.Selected) (notes []string) {
	if len(done.Missing) > 0 {
		instead := map[convert.Missing]string{convert.MissingZero: "; rows of zeros stand for them", convert.MissingRandom: "; random rows stand for them"}[l.missing]
		notes = append(notes, fmt.Sprintf("%s no vector%s: %s", l.count(done.Missing, "has", "have"), instead, some(done.Missing)+l.inLowerCase(done)))
	}
	if len(done.Repeated) > 0 {
		rows := either(l.missing != convert.MissingSkip, "a row for each of them", "one row")
		notes = append(notes, fmt.Sprintf("%s in several lines, and each has %s: %s", l.count(done.Repeated, "stands", "stand"), rows, some(done.Repeated)))
	}
	if done.Fewer > 0 {
		notes = append(notes, fmt.Sprintf("there %s, %s fewer than lines in %s, so line i does not have row i: --missing zero or random gives every line its row",
			wording.Are(l.lines-done.Fewer, "row", "rows"), wording.Thousands(done.Fewer), l.file))
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
	return fmt.Errorf("%s: %s no vector: %s; --missing skip leaves them out, zero and random give them rows", path, l.count(e.Missing, "has", "have"), some(e.Missing))
}

func (l *wordList) inLowerCase(done convert.Selected) string {
	return when(done.LowerCase > 0, "; the model is in lower case and has %d of them so: write %s in lower case", done.LowerCase, l.file)
}
