package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
)

func newDiff(s streams) *cobra.Command {
	f := diffRun{s: s}
	var letters caseFlag
	c := &cobra.Command{
		Use:   "diff [flags] OLD NEW [WORD...]",
		Short: "Print the words whose vectors moved most between two models",
		Long: `Compare the vectors of the words that both models have, and print the words that moved
most: those that are used in another way (Hamilton, Leskovec and Jurafsky 2016). Vectors
of separate trainings have no axes in common, so NEW is rotated onto OLD first, as align
does. The anchors are all words that are compared; --anchors takes the most frequent ones.
With WORDs, diff reports these words instead.

  distance   1 − the cosine of the word's two vectors after the rotation, 0 to 2
  deviation  how far the distance is above the median of 250 words of about the same
             frequency, in robust standard deviations
  local      1 − the cosine of the word's similarities, in OLD and in NEW, to the words
             that are among its nearest in either model
  jaccard    the share of these words that are among its nearest in both models

Vectors also move without a change of use, because each training starts from random
numbers and each text is a sample. Rare words move most. So read a distance beside those
of words of the same frequency: diff prints these by bands, and --by deviation orders by
the difference. --min-count leaves out rare words; unless it is given, all words are
compared if fewer than 1,000 are so frequent, or if counts are not known. To see the noise alone, compare two
trainings on one text that differ in --seed.`,
		Example: `  w2v diff 1990s.w2v 2010s.w2v
  w2v diff 1990s.w2v 2010s.w2v -k 50 --min-count 200 --by deviation
  w2v diff 1990s.w2v 2010s.w2v mouse film --neighbors 10
  w2v diff 1990s.w2v 2010s.w2v -k 0 --json > all.json`,
		Args: usage(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			f.old, f.new, f.options.Words = args[0], args[1], args[2:]
			if err := f.check(c); err != nil {
				return err
			}
			return f.run(c.Context(), letters.rule(c))
		},
	}
	flags := c.Flags()
	f.options.By = align.ByDistance
	flags.IntVarP(&f.options.Most, "top", "k", 20, "print the `K` words that moved most; 0 means all")
	addEnum(flags, &f.options.By, "by", "order of the words", choicesOf(align.Orders(), nil))
	flags.Uint64Var(&f.options.MinCount, "min-count", 50, "leave out words that either model saw less than `N` times")
	flags.IntVar(&f.show, "neighbors", 5, "print `N` neighbours in each model; 0 means none")
	flags.IntVar(&f.options.Neighbors, "local", 25, "the local measures look at `N` nearest words in each model")
	limit(flags, 0, math.Inf(1), "top", "neighbors")
	limit(flags, 1, math.Inf(1), "local")
	f.anchors.add(c)
	letters.add(c)
	addJSON(c, &f.asJSON)
	return c
}

// A diffRun is what the command line of w2v diff asks for.
type diffRun struct {
	s        streams
	old, new string
	anchors  anchorFlags
	options  align.DiffOptions
	show     int  // neighbours
	counted  bool // --min-count was given
	asJSON   bool
}

func (f *diffRun) check(c *cobra.Command) error {
	changed := c.Flags().Changed
	o := f.options
	f.counted = changed("min-count")
	switch {
	case f.show > o.Neighbors:
		return misuse(fmt.Errorf("--neighbors is %d, and --local looks at %d nearest words: raise --local", f.show, o.Neighbors))
	case len(o.Words) > 0 && (changed("top") || changed("by")):
		return misuse(errors.New("-k and --by choose words, and words are given"))
	case f.old == "-" || f.new == "-":
		return misuse(errors.New("models are read several times: name files"))
	}
	return misuse(f.anchors.check())
}

func (f *diffRun) run(ctx context.Context, rule vectors.Case) error {
	o := opening{whole: true, empty: errNoWords}
	return f.s.open(ctx, f.old, o, func(old *finder) error {
		return f.s.open(ctx, f.new, o, func(new *finder) error {
			d, err := f.diff(ctx, old.set, new.set, rule)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", f.old, f.new, err)
			}
			for i := range d.Moved {
				m := &d.Moved[i]
				m.OldNeighbors, m.NewNeighbors = m.OldNeighbors[:min(f.show, len(m.OldNeighbors))], m.NewNeighbors[:min(f.show, len(m.NewNeighbors))]
			}
			for _, text := range diffNotes(d) {
				f.s.note(text)
			}
			if f.asJSON {
				err = printJSON(f.s.out, modelDiff{f.old, f.new, f.options.MinCount, f.options.By, d})
			} else {
				err = f.print(f.s.out, d)
			}
			if err == nil && len(d.NotFound) > 0 {
				err = fmt.Errorf("not compared, because a model has no vector for them: %s", some(d.NotFound))
			}
			return err
		})
	})
}

func (f *diffRun) diff(ctx context.Context, old, new *vectors.Set, rule vectors.Case) (*align.Difference, error) {
	ctx, stop := untilSignal(ctx, f.s.err)
	defer stop()
	how, end := computation(f.s, false)
	defer end()
	o := f.options
	o.Options = f.anchors.options()
	o.Progress = how.Progress
	if len(o.Words) == 0 {
		o.Words = nil
	} else {
		lookup, err := new.Lookup(rule)
		if err != nil {
			return nil, err
		}
		for i, word := range o.Words {
			o.Words[i], _ = lookup.Find(word)
		}
	}
	if !f.counted {
		o.MinCount = f.leastCount(old, new)
	}
	f.options.MinCount = o.MinCount
	exclude, err := f.anchors.excluded(f.s.in)
	if err != nil {
		return nil, err
	}
	if f.anchors.top > 0 || len(exclude) > 0 {
		o.Anchors, err = align.Shared(new, old, align.SharedOptions{Top: f.anchors.top, MinCount: o.MinCount, Exclude: exclude})
		if err != nil {
			return nil, err
		}
	}
	d, err := align.Diff(ctx, old, new, o)
	if _, ok := errors.AsType[*align.CountsError](err); ok {
		return nil, fmt.Errorf("--min-count needs counts of both models, and a format that keeps them, such as .w2v: %w", err)
	}
	return d, err
}

// enough is the number of frequent words that the default of --min-count must leave.
const enough = 1000

// leastCount returns the default of --min-count, or 0 if the default would leave too few words.
func (f *diffRun) leastCount(old, new *vectors.Set) uint64 {
	if pairs, err := align.Shared(new, old, align.SharedOptions{MinCount: f.options.MinCount}); err != nil || len(pairs) < enough {
		return 0
	}
	return f.options.MinCount
}

// A modelDiff is what w2v diff prints. Its JSON is read by scripts.
type modelDiff struct {
	Old      string      `json:"old"`
	New      string      `json:"new"`
	MinCount uint64      `json:"min_count"`
	By       align.Order `json:"by"`
	*align.Difference
}

// diffNotes returns reasons to doubt the comparison.
func diffNotes(d *align.Difference) (notes []string) {
	if n := d.Fit.Undecided; n > 0 {
		notes = append(notes, fmt.Sprintf("the anchors, %d, leave %d of %d dimensions to chance: distances are larger than they should be", d.Fit.Anchors, n, d.Fit.Dim))
	}
	if d.Fit.Unused > 0 {
		notes = append(notes, fmt.Sprintf("%s zero or not finite, and not used", wording.Count(d.Fit.Unused, "vector of an anchor is", "vectors of anchors are")))
	}
	return notes
}

func (f *diffRun) print(w io.Writer, d *align.Difference) error {
	t := newTable(w)
	compared := fmt.Sprintf("%s that both models have", wording.Count(d.Compared, "word", "words"))
	if d.Rare > 0 {
		compared += fmt.Sprintf("; %s rarer than --min-count %d", wording.Count(d.Rare, "more is", "more are"), f.options.MinCount)
	}
	fmt.Fprintf(t, "compared\t%s\n", compared)
	fmt.Fprintf(t, "anchors\t%s, mean cosine %.4f after the rotation\n", wording.Thousands(d.Fit.Anchors), d.Fit.MeanCosine)
	fmt.Fprintf(t, "only in OLD\t%s\n", countedWords(d.OnlyOld))
	fmt.Fprintf(t, "only in NEW\t%s\n", countedWords(d.OnlyNew))
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nDistances by frequency\n")
	for i, b := range d.Bands {
		if i == 0 {
			fmt.Fprintf(t, "count\twords\tmedian\t9 of 10 below\n")
		}
		fmt.Fprintf(t, "%s\t%s\t%.4f\t%.4f\n", countsOf(b), wording.Thousands(b.Words), b.Median, b.Q90)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for i, m := range d.Moved {
		if i == 0 {
			fmt.Fprintf(t, "word\tdistance\tdeviation\tlocal\tjaccard\tcounts")
			if f.show > 0 {
				fmt.Fprintf(t, "\tneighbours in OLD\tin NEW")
			}
			fmt.Fprintln(t)
		}
		counts := "–"
		if m.OldCount > 0 || m.NewCount > 0 {
			counts = fmt.Sprintf("%s → %s", wording.Thousands(m.OldCount), wording.Thousands(m.NewCount))
		}
		fmt.Fprintf(t, "%s\t%.4f\t%.1f\t%.4f\t%.2f\t%s", m.Word, m.Distance, m.Deviation, m.Local, m.Jaccard, counts)
		if f.show > 0 {
			fmt.Fprintf(t, "\t%s\t%s", neighborWords(m.OldNeighbors), neighborWords(m.NewNeighbors))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// countsOf formats the range of counts of a band's words.
func countsOf(b align.Band) string {
	switch {
	case b.MaxCount == 0:
		return "–"
	case b.MinCount == b.MaxCount:
		return wording.Thousands(b.MinCount)
	}
	return wording.Thousands(b.MinCount) + "–" + wording.Thousands(b.MaxCount)
}

// countedWords names the first few words that only one model has.
func countedWords(words []align.Counted) string {
	const shown = 8
	text := wording.Thousands(len(words))
	if len(words) == 0 {
		return text
	}
	var first []string
	for _, word := range words[:min(shown, len(words))] {
		first = append(first, word.Word)
	}
	text += ": " + strings.Join(first, " ")
	if len(words) > shown {
		text += " …"
	}
	return text
}

func neighborWords(near []vectors.Neighbor) string {
	words := make([]string, 0, len(near))
	for _, w := range near {
		words = append(words, w.Word)
	}
	return strings.Join(words, " ")
}
