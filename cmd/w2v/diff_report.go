package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
)

// A modelDiff is what w2v diff prints. Its JSON is read by scripts.
type modelDiff struct {
	Old      string      `json:"old"`
	New      string      `json:"new"`
	MinCount uint64      `json:"min_count"`
	By       align.Order `json:"by"`
	*align.Difference
}

// diffNotes say what makes the comparison doubtful.
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

// countsOf says how often the words of a band were seen.
func countsOf(b align.Band) string {
	switch {
	case b.MaxCount == 0:
		return "–"
	case b.MinCount == b.MaxCount:
		return wording.Thousands(b.MinCount)
	}
	return wording.Thousands(b.MinCount) + "–" + wording.Thousands(b.MaxCount)
}

// countedWords names the first few words that one model alone has.
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

// neighborWords lists words.
func neighborWords(near []vectors.Neighbor) string {
	words := make([]string, 0, len(near))
	for _, w := range near {
		words = append(words, w.Word)
	}
	return strings.Join(words, " ")
}
