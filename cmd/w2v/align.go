package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

func newAlign(s streams) *cobra.Command {
	f := alignRun{s: s}
	c := &cobra.Command{
		Use:   "align [flags] A B",
		Short: "Rotate a model onto the space of another one",
		Long: `Rotate the vectors of model A onto the space of model B, so that their vectors can be
compared, and write the rotated A to --output. B stays as it is. The models may be of two
periods, two languages or two runs. They need the same number of dimensions.

The rotation is the orthogonal matrix R for which ‖A·R − B‖ is smallest over the anchors
(Schönemann 1966): pairs of words, one of each model, that mean the same. Anchors are the
words that both models have, or the pairs in --dictionary: lines of a word of A, a tab and
its translation in B. --steps changes the anchors' vectors before R is fitted, as in
Artetxe et al. (2018): unit makes each one of length 1, center takes off their mean. The
default has no steps. The steps are for the fit alone.

OUT has the vectors of A times R, n-grams and context vectors included. Lengths, and
cosines within the model, do not change. A position weight multiplies one dimension, which
cannot be rotated, so position weights are left out.

--test-dictionary measures the alignment: how often a translation is the nearest word of
B, or one of the nearest 5 or 10, by cosine and by CSLS (Conneau et al. 2018), which
lowers the score of words that are near to everything. Its pairs should be no anchors.
--refine N repeats the fit N times. The anchors are then the pairs of words that are each
other's nearest by CSLS, which needs few anchors to begin with.`,
		Example: `  w2v align 1990s.w2v 2010s.w2v -o 1990s-aligned.w2v
  w2v align en.vec de.vec -o en-de.vec --dictionary en-de.tsv --steps unit,center,unit
  w2v align en.vec de.vec --dictionary en-de.tsv --test-dictionary en-de.test.tsv --json
  w2v align en.vec de.vec -o en-de.vec --dictionary 100-words.tsv --refine 5`,
		Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			f.a, f.b = args[0], args[1]
			f.wrong = func(err error) error { return &usageError{c.CommandPath(), err} }
			if err := f.check(c); err != nil {
				return err
			}
			return f.run(c.Context(), f.letters.rule(c))
		},
	}
	flags := c.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the rotated model to `FILE`; - means standard output, with --to")
	addEnum(flags, &f.to, "to", "format of OUT; the default goes by its extension", formatChoices())
	f.anchors.add(c)
	flags.StringVar(&f.dictionary, "dictionary", "", "anchors are the pairs in `FILE`: a word of A, a tab, a word of B")
	flags.StringVar(&f.test, "test-dictionary", "", "measure how often the translations in `FILE` are found")
	flags.IntVar(&f.refine, "refine", 0, "repeat the fit `N` times with anchors that the alignment finds")
	flags.IntVar(&f.retrieval.Restrict, "restrict", 200_000, "look for translations among the first `N` words of each model; 0 means all")
	flags.IntVar(&f.retrieval.Neighbors, "csls", 10, "CSLS takes means over `K` nearest words")
	f.letters.add(c)
	f.skip.add(c)
	addForce(c, &f.force)
	addJSON(c, &f.asJSON)
	return c
}

// An alignRun is what the command line of w2v align asks for.
type alignRun struct {
	s                streams
	a, b, out, to    string
	anchors          anchorFlags
	dictionary, test string
	refine           int
	retrieval        align.RetrievalOptions
	letters          caseFlag
	skip             skipFlag
	asJSON, force    bool
	wrong            func(error) error
}

// check looks for what makes no sense before anything is read.
func (f *alignRun) check(c *cobra.Command) error {
	changed := c.Flags().Changed
	switch {
	case f.b == "-":
		return f.wrong(errors.New("model B is read several times: name a file"))
	case f.a == "-" && f.anchors.exclude == "-":
		return f.wrong(errors.New("the model and --exclude cannot both come from standard input"))
	case f.out == "-" && f.to == "":
		return f.wrong(errors.New("standard output has no extension: say --to FORMAT"))
	case f.out == "-" && f.asJSON:
		return f.wrong(errors.New("--json and the model cannot both go to standard output"))
	case f.out == "" && f.to != "":
		return f.wrong(errors.New("--to is the format of --output, and there is none"))
	case f.refine < 0:
		return f.wrong(fmt.Errorf("--refine must be 0 or more, is %d", f.refine))
	case f.retrieval.Restrict < 0:
		return f.wrong(fmt.Errorf("--restrict must be 0 (all) or more, is %d", f.retrieval.Restrict))
	case f.retrieval.Neighbors < 1:
		return f.wrong(fmt.Errorf("--csls must be at least 1, is %d", f.retrieval.Neighbors))
	case f.test == "" && f.refine == 0 && (changed("restrict") || changed("csls")):
		return f.wrong(errors.New("--restrict and --csls are about --test-dictionary and --refine, and there is neither"))
	case f.dictionary != "" && (changed("anchors") || changed("exclude")):
		return f.wrong(errors.New("--anchors and --exclude are about shared words, and --dictionary names the anchors"))
	}
	if err := f.anchors.check(); err != nil {
		return f.wrong(err)
	}
	if f.out == "" || f.out == "-" {
		return nil
	}
	if _, err := outputFormat(f.out, f.to, false); err != nil {
		return f.wrong(err)
	}
	return checkTarget(f.out, f.to)
}

func (f *alignRun) run(ctx context.Context, rule vectors.Case) error {
	return f.s.withWords(f.b, func(b *vectors.Set) error {
		return withSource(f.a, f.s, func(a *vectors.Set) error {
			if a.Len() == 0 {
				return errNoWords(f.a)
			}
			aligned, report, err := f.align(ctx, a, b, rule)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", f.a, f.b, err)
			}
			for _, text := range report.remarks() {
				f.s.note(text)
			}
			if err := f.write(ctx, a, aligned, report); err != nil {
				return err
			}
			switch {
			case f.asJSON:
				return printJSON(f.s.out, report)
			case f.out == "-":
				return report.print(f.s.err)
			}
			return report.print(f.s.out)
		})
	})
}

// write writes the rotated model, if it is asked for.
func (f *alignRun) write(ctx context.Context, a, aligned *vectors.Set, report *alignment) error {
	if f.out == "" {
		return nil
	}
	outFormat, err := outputFormat(f.out, f.to, aligned.Subword() != nil)
	if err != nil {
		return f.wrong(err)
	}
	report.To = outFormat
	if f.skip.on {
		writable, skipped, err := convert.Writable(aligned, outFormat)
		if err != nil {
			return err
		}
		aligned, report.Skipped = writable, inJSON(skipped)
		for _, text := range f.skip.notes(skipped, outFormat) {
			f.s.note(text)
		}
	}
	noteUnread(f.s, f.a, a)
	_, dropped := format.DroppedParts(a, aligned, format.Kept{})
	left := format.LeavesOut(aligned, outFormat)
	left.Subwords = left.Subwords || a.Subword() != nil && aligned.Subword() == nil
	left.State = a.SharedParts().State != nil
	report.LeftOut = append(append(report.LeftOut, dropped...), left.List()...)
	if len(report.LeftOut) > 0 {
		f.s.note(fmt.Sprintf("left out in %s (%s): %s", f.out, outFormat, strings.Join(report.LeftOut, "; ")))
	}
	return f.skip.advise(writeModel(ctx, f.out, f.s, aligned, outFormat, f.force))
}
