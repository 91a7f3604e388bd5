package main

import (
	"context"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
	"github.com/w2v-go/w2v/vectors/format"
)

// An alignment is what w2v align prints. Its JSON is read by scripts.
type alignment struct {
	A      string        `json:"a"`
	B      string        `json:"b"`
	Output string        `json:"output"` // empty if nothing was written
	To     format.Format `json:"to"`
	Shared int           `json:"shared_words"`
	Steps  []string      `json:"steps"`
	*align.Fit
	Refined    []refinement     `json:"refined,omitempty"` // what --refine did, one a repetition
	Dictionary *dictionaryUse   `json:"dictionary,omitempty"`
	Test       *dictionaryUse   `json:"test_dictionary,omitempty"`
	TestSeen   int              `json:"test_anchors"` // pairs of the test that are anchors, too
	Retrieval  *align.Retrieval `json:"retrieval,omitempty"`
	LeftOut    []string         `json:"left_out"`
	Skipped    []unwritable     `json:"skipped,omitempty"`
}

// A refinement is a repetition of the fit.
type refinement struct {
	Anchors    int     `json:"anchors"`
	MeanCosine float64 `json:"mean_cosine"`
}

// align fits the rotation, applies it, and measures it.
func (f *alignRun) align(ctx context.Context, a, b *vectors.Set, rule vectors.Case) (*vectors.Set, *alignment, error) {
	ctx, stop := untilSignal(ctx, f.s.err)
	defer stop()
	how, end := computation(f.s, f.force)
	defer end()
	r := &alignment{A: f.a, B: f.b, Output: f.out, Steps: append([]string{}, f.anchors.steps...), LeftOut: []string{}}
	pairs, err := f.pairs(a, b, rule, r)
	if err != nil {
		return nil, nil, err
	}
	options := f.anchors.options()
	options.Progress, f.retrieval.Progress = how.Progress, how.Progress
	if r.Fit, err = align.Procrustes(ctx, a, b, pairs, options); err != nil {
		return nil, nil, err
	}
	for range f.refine {
		if pairs, err = align.Refine(ctx, a, b, r.Fit, f.retrieval); err != nil {
			return nil, nil, err
		}
		if r.Fit, err = align.Procrustes(ctx, a, b, pairs, options); err != nil {
			return nil, nil, err
		}
		r.Refined = append(r.Refined, refinement{r.Anchors, r.MeanCosine})
	}
	aligned, err := r.Apply(a)
	if err != nil || f.test == "" {
		return aligned, r, err
	}
	use, test, err := pairsOf(f.test, a, b, rule)
	if err != nil {
		return nil, nil, err
	}
	r.Test, r.TestSeen = use, both(pairs, test)
	if r.Retrieval, err = align.Retrieve(ctx, aligned, b, test, f.retrieval); err != nil {
		return nil, nil, err
	}
	return aligned, r, nil
}

// pairs returns the anchors.
func (f *alignRun) pairs(a, b *vectors.Set, rule vectors.Case, r *alignment) ([]align.Pair, error) {
	shared, err := align.Shared(a, b, align.SharedOptions{})
	if err != nil {
		return nil, err
	}
	r.Shared = len(shared)
	if f.dictionary != "" {
		use, pairs, err := pairsOf(f.dictionary, a, b, rule)
		r.Dictionary = use
		return pairs, err
	}
	if len(shared) == 0 {
		return nil, errNoShared
	}
	exclude, err := f.anchors.excluded(f.s.in)
	if err != nil {
		return nil, err
	}
	return align.Shared(a, b, align.SharedOptions{Top: f.anchors.top, Exclude: exclude})
}

// both returns how many pairs are in both lists.
func both(some, others []align.Pair) (n int) {
	in := make(map[align.Pair]bool, len(some))
	for _, p := range some {
		in[p] = true
	}
	for _, p := range others {
		if in[p] {
			n++
		}
	}
	return n
}

// remarks say what makes the alignment doubtful.
func (r *alignment) remarks() (remarks []string) {
	if r.Undecided > 0 {
		remarks = append(remarks, fmt.Sprintf("the anchors, %d, leave %d of %d dimensions to chance: more anchors are needed", r.Anchors, r.Undecided, r.Dim))
	}
	if r.Unused > 0 {
		remarks = append(remarks, fmt.Sprintf("%s zero or not finite, and not used", wording.Count(r.Unused, "vector of an anchor is", "vectors of anchors are")))
	}
	for _, d := range []*dictionaryUse{r.Dictionary, r.Test} {
		if text := d.note(); text != "" {
			remarks = append(remarks, text)
		}
	}
	if r.TestSeen > 0 {
		remarks = append(remarks, wording.Of(r.TestSeen, r.Test.Used, "pair of the test", "pairs of the test", "is an anchor", "are anchors")+
			" too, which makes the precision look better than it is")
	}
	if r.Retrieval != nil && r.Retrieval.Left > 0 {
		remarks = append(remarks, fmt.Sprintf("%s beyond --restrict and left out", wording.Count(r.Retrieval.Left, "pair of the test is", "pairs of the test are")))
	}
	return remarks
}

func (r *alignment) print(w io.Writer) error {
	t := newTable(w)
	anchors := fmt.Sprintf("%s of %s", wording.Thousands(r.Anchors), wording.Count(r.Shared, "shared word", "shared words"))
	switch {
	case len(r.Refined) > 0:
		anchors = fmt.Sprintf("%s that the alignment found", wording.Count(r.Anchors, "pair", "pairs"))
	case r.Dictionary != nil:
		anchors = fmt.Sprintf("%s of %s", wording.Count(r.Anchors, "pair", "pairs"), r.Dictionary.File)
	}
	fmt.Fprintf(t, "anchors\t%s\n", anchors)
	fmt.Fprintf(t, "mean cosine\t%.4f, of the anchors' vectors after the rotation\n", r.MeanCosine)
	fmt.Fprintf(t, "residual\t%.4f, ‖A·R − B‖ / ‖B‖ of the anchors\n", r.Residual)
	if r.Output != "" && r.Output != "-" {
		fmt.Fprintf(t, "output\t%s (%s)\n", r.Output, r.To)
	}
	if err := t.Flush(); err != nil || r.Retrieval == nil {
		return err
	}
	fmt.Fprintf(w, "\nprecision of %s among %s\n", wording.Count(r.Retrieval.Words, "word", "words"), wording.Count(r.Retrieval.Candidates, "candidate", "candidates"))
	fmt.Fprintf(t, "\tat 1\tat 5\tat 10\n")
	for _, by := range []struct {
		name string
		p    align.Precision
	}{{"cosine", r.Retrieval.Cosine}, {"CSLS", r.Retrieval.CSLS}} {
		fmt.Fprintf(t, "%s\t%.4f\t%.4f\t%.4f\n", by.name, by.p.At1, by.p.At5, by.p.At10)
	}
	return t.Flush()
}
