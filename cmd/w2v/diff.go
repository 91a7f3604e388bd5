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
	c := command("diff", cobra.MinimumNArgs(2), func(c *cobra.Command, args []string) error {
		f.old, f.new, f.options.Words = args[0], args[1], args[2:]
		if err := f.check(c.Flags().Changed); err != nil {
			return misuse(err)
		}
		return f.run(c.Context())
	})
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
	f.letters.add(c)
	addJSON(c, &f.asJSON)
	return c
}

type diffRun struct {
	s        streams
	old, new string
	anchors  anchorFlags
	letters  caseFlag
	options  align.DiffOptions
	show     int  // neighbours
	counted  bool // --min-count was given
	asJSON   bool
}

func (f *diffRun) check(changed func(string) bool) error {
	o := f.options
	f.counted = changed("min-count")
	return broken(
		rule{f.show > o.Neighbors, fmt.Sprintf("--neighbors is %d, and --local looks at %d nearest words: raise --local", f.show, o.Neighbors)},
		rule{len(o.Words) > 0 && (changed("top") || changed("by")), "-k and --by choose words, and words are given"},
		rule{f.old == "-" || f.new == "-", "models are read several times: name files"},
	)
}

func (f *diffRun) run(ctx context.Context) error {
	o := opening{whole: true, empty: errNoWords}
	return f.s.open(ctx, f.old, o, func(old *finder) error {
		return f.s.open(ctx, f.new, o, func(new *finder) error {
			d, err := f.diff(ctx, old.set, new.set)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", f.old, f.new, err)
			}
			for i := range d.Moved {
				m := &d.Moved[i]
				m.OldNeighbors, m.NewNeighbors = m.OldNeighbors[:min(f.show, len(m.OldNeighbors))], m.NewNeighbors[:min(f.show, len(m.NewNeighbors))]
			}
			f.s.noteIf(d.Fit.Undecided > 0, "the anchors, %d, leave %d of %d dimensions to chance: distances are larger than they should be", d.Fit.Anchors, d.Fit.Undecided, d.Fit.Dim)
			f.s.note(unusedAnchors(d.Fit.Unused)...)
			result := modelDiff{f.old, f.new, f.options.MinCount, f.options.By, d}
			err = f.s.print(f.asJSON, result, func(w io.Writer) { f.print(w, d) })
			if err == nil && len(d.NotFound) > 0 {
				err = fmt.Errorf("not compared, because a model has no vector for them: %s", some(d.NotFound))
			}
			return err
		})
	})
}

func (f *diffRun) diff(ctx context.Context, old, new *vectors.Set) (*align.Difference, error) {
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
		lookup, err := new.Lookup(f.letters.rule())
		if err != nil {
			return nil, err
		}
		for i, word := range o.Words {
			o.Words[i], _ = lookup.Find(word)
		}
	}
	if !f.counted { // the default is for models that leave enough frequent words
		if pairs, err := align.Shared(new, old, align.SharedOptions{MinCount: o.MinCount}); err != nil || len(pairs) < enough {
			o.MinCount = 0
		}
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

// A modelDiff is what w2v diff prints. Its JSON is read by scripts.
type modelDiff struct {
	Old      string      `json:"old"`
	New      string      `json:"new"`
	MinCount uint64      `json:"min_count"`
	By       align.Order `json:"by"`
	*align.Difference
}

func (f *diffRun) print(w io.Writer, d *align.Difference) {
	t := newTable(w)
	compared := fmt.Sprintf("%s that both models have", wording.Count(d.Compared, "word", "words"))
	compared += when(d.Rare > 0, "; %s rarer than --min-count %d", wording.Count(d.Rare, "more is", "more are"), f.options.MinCount)
	fmt.Fprintf(t, "compared\t%s\n", compared)
	fmt.Fprintf(t, "anchors\t%s, mean cosine %.4f after the rotation\n", wording.Thousands(d.Fit.Anchors), d.Fit.MeanCosine)
	fmt.Fprintf(t, "only in OLD\t%s\n", countedWords(d.OnlyOld))
	fmt.Fprintf(t, "only in NEW\t%s\n", countedWords(d.OnlyNew))
	t.Flush()
	fmt.Fprintf(w, "\nDistances by frequency\n")
	if len(d.Bands) > 0 {
		fmt.Fprintf(t, "count\twords\tmedian\t9 of 10 below\n")
	}
	for _, b := range d.Bands {
		fmt.Fprintf(t, "%s\t%s\t%.4f\t%.4f\n", countsOf(b), wording.Thousands(b.Words), b.Median, b.Q90)
	}
	t.Flush()
	fmt.Fprintln(w)
	row := func(cells string, old, new string) {
		if f.show > 0 {
			cells += "\t" + old + "\t" + new
		}
		fmt.Fprintln(t, cells)
	}
	if len(d.Moved) > 0 {
		row("word\tdistance\tdeviation\tlocal\tjaccard\tcounts", "neighbours in OLD", "in NEW")
	}
	for _, m := range d.Moved {
		counts := either(m.OldCount > 0 || m.NewCount > 0, fmt.Sprintf("%s → %s", wording.Thousands(m.OldCount), wording.Thousands(m.NewCount)), "–")
		row(fmt.Sprintf("%s\t%.4f\t%.1f\t%.4f\t%.2f\t%s", m.Word, m.Distance, m.Deviation, m.Local, m.Jaccard, counts), wordsOf(m.OldNeighbors, " "), wordsOf(m.NewNeighbors, " "))
	}
	t.Flush()
}

func countsOf(b align.Band) string {
	switch {
	case b.MaxCount == 0:
		return "–"
	case b.MinCount == b.MaxCount:
		return wording.Thousands(b.MinCount)
	}
	return wording.Thousands(b.MinCount) + "–" + wording.Thousands(b.MaxCount)
}

func countedWords(words []align.Counted) string {
	const shown = 8
	text, more := wording.Thousands(len(words)), ""
	if len(words) > shown {
		words, more = words[:shown], " …"
	}
	for i, word := range words {
		if i == 0 {
			text += ":"
		}
		text += " " + word.Word
	}
	return text + more
}

func wordsOf(near []vectors.Neighbor, between string) string {
	return strings.Join(mapped(near, func(w vectors.Neighbor) string { return w.Word }), between)
}
