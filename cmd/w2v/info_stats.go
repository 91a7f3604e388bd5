package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/inspect"
)

// statsFlags say whether a model's vectors are measured, and how.
type statsFlags struct {
	on      bool
	options inspect.Options
}

// statsHelp is the part of the command's help about what is measured.
const statsHelp = `--stats reads all vectors and measures:

  norms     lengths of the vectors, by frequency
  isotropy  how evenly vectors fill the space. The mean cosine is that of all pairs of
            words, exactly. The participation ratio, (Σλ)² / Σλ² of the eigenvalues λ of
            the covariance, is about the number of dimensions in use
  hubs      words that are among the 10 nearest of many words. The skewness of these
            counts is 0 without hubs (Radovanović et al. 2010). A vocabulary of more than
            --queries words is sampled, and the report says so
  buckets   how the n-grams of the vocabulary share buckets. A dead bucket has no n-gram
            of the vocabulary, so it was never trained
  memory    what each matrix takes`

func (f *statsFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.on, "stats", false, "measure norms, isotropy, hubs, buckets and memory")
	flags.IntVar(&f.options.Queries, "queries", 20_000, "--stats asks at most `N` words for their neighbours")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "seed of the sample of --queries")
	flags.IntVar(&f.options.Top, "hubs", 10, "--stats names `N` hubs")
}

// check looks for what makes no sense before anything is read.
func (f *statsFlags) check(c *cobra.Command) error {
	changed := c.Flags().Changed
	switch {
	case !f.on && (changed("queries") || changed("seed") || changed("hubs")):
		return errors.New("--queries, --seed and --hubs are about --stats, which is not given")
	case f.options.Queries < 1:
		return fmt.Errorf("--queries must be at least 1, is %d", f.options.Queries)
	case f.options.Top < 1:
		return fmt.Errorf("--hubs must be at least 1, is %d", f.options.Top)
	}
	return nil
}

// measure returns what is measured, nil if nothing is to be.
func (f *statsFlags) measure(ctx context.Context, s streams, path string, set *vectors.Set) (*inspect.Report, error) {
	if !f.on {
		return nil, nil
	}
	if err := set.Check(); err != nil {
		return nil, ofModel(path, err)
	}
	how, end := computation(s, false)
	defer end()
	o := f.options
	o.Progress = how.Progress
	r, err := inspect.Set(ctx, set, o)
	if err != nil {
		return nil, ofModel(path, err)
	}
	return r, nil
}

// printStats prints what was measured.
func printStats(w io.Writer, r *inspect.Report) error {
	t := newTable(w)
	printNorms(t, r.Norms)
	i := r.Isotropy
	fmt.Fprintf(t, "\nisotropy of %s\n", wording.Count(i.Words, "word", "words"))
	fmt.Fprintf(t, "  mean cosine\t%.4f, standard deviation %.4f, of all pairs of words\n", i.MeanCosine, i.CosineDeviation)
	fmt.Fprintf(t, "  mean vector\t%.4f of the root mean square of the norms\n", i.MeanNorm)
	fmt.Fprintf(t, "  participation ratio\t%.1f of %d dimensions\n", i.ParticipationRatio, i.Dim)
	fmt.Fprintf(t, "  components\tthe first has %.1f %% of the variance; %d have 90 %%\n", 100*i.FirstComponent, i.Components90)
	printHubs(t, r.Hubs)
	printBuckets(t, r.Buckets)
	fmt.Fprintf(t, "\nmemory\tMB\trows\tnumbers\ttype\n")
	for _, m := range r.Memory {
		name := strings.ReplaceAll(m.Part, "_", " ")
		if m.Later {
			name += ", when used"
		}
		fmt.Fprintf(t, "  %s\t%.1f\t%s\t%s\t%s\n", name, float64(m.Bytes)/1e6, wording.Thousands(m.Rows), orDash(m.Cols), cmp.Or(m.Encoding, "–"))
	}
	return t.Flush()
}

// orDash writes a number, and a dash for 0.
func orDash(n int) string {
	if n == 0 {
		return "–"
	}
	return wording.Thousands(n)
}

func printNorms(w io.Writer, n inspect.Norms) {
	fmt.Fprintf(w, "\nnorms\tmin\t5 %%\t25 %%\tmedian\t75 %%\t95 %%\tmax\tmean\n")
	row := func(name string, q inspect.Quantiles) {
		fmt.Fprintf(w, "  %s", name)
		for _, x := range []float64{q.Min, q.Q05, q.Q25, q.Q50, q.Q75, q.Q95, q.Max, q.Mean} {
			fmt.Fprintf(w, "\t%.4g", x)
		}
		fmt.Fprintln(w)
	}
	row("all words", n.Quantiles)
	for _, b := range n.Bands {
		name := fmt.Sprintf("ranks %s–%s", wording.Thousands(b.FirstRank), wording.Thousands(b.LastRank))
		if n.Counted {
			name += fmt.Sprintf(" (counts %s–%s)", wording.Thousands(b.MaxCount), wording.Thousands(b.MinCount))
		}
		row(name, b.Quantiles)
	}
	if n.Zero > 0 {
		fmt.Fprintf(w, "  %s of zeros\n", wording.Count(n.Zero, "vector is", "vectors are"))
	}
	if n.NotFinite > 0 {
		fmt.Fprintf(w, "  %s NaN or infinite numbers, and no part in this\n", wording.Count(n.NotFinite, "vector has", "vectors have"))
	}
}

func printHubs(w io.Writer, h inspect.Hubs) {
	how := "all words were asked"
	if !h.Exact {
		how = fmt.Sprintf("a random sample of %s of %s words was asked", wording.Thousands(h.Queries), wording.Thousands(h.Words))
	}
	fmt.Fprintf(w, "\nhubs: how often a word is among the %d nearest of others; %s\n", h.K, how)
	fmt.Fprintf(w, "  skewness\t%.2f\n", h.Skewness)
	fmt.Fprintf(w, "  mean\t%.4g\n", h.Mean)
	fmt.Fprintf(w, "  over 10 times the mean\t%s\n", wording.Count(h.Over10, "word", "words"))
	fmt.Fprintf(w, "  never\t%s\n", wording.Count(h.Never, "word", "words"))
	for i, hub := range h.Top {
		name := "  most often"
		if i > 0 {
			name = ""
		}
		of := ""
		if !h.Exact {
			of = fmt.Sprintf(" (about %s of all words)", wording.Thousands(uint64(hub.Estimate+0.5)))
		}
		fmt.Fprintf(w, "%s\t%s %s%s\n", name, wording.Thousands(hub.Occurrences), hub.Word, of)
	}
}

func printBuckets(w io.Writer, b *inspect.Buckets) {
	if b == nil {
		return
	}
	share := func(n int) string {
		return fmt.Sprintf("%s (%.1f %%)", wording.Thousands(n), 100*float64(n)/float64(max(1, b.Buckets)))
	}
	fmt.Fprintf(w, "\nbuckets of %s n-grams, of %s of the vocabulary\n", b.Kind, wording.Count(b.Ngrams, "n-gram", "different n-grams"))
	reached := share(b.Reached)
	if b.Expected > 0 {
		reached += fmt.Sprintf("; random hashes reach %s on average", wording.Thousands(uint64(b.Expected+0.5)))
	}
	fmt.Fprintf(w, "  reached\t%s\n", reached)
	fmt.Fprintf(w, "  dead\t%s have no n-gram of the vocabulary\n", share(b.Dead))
	if b.Untrained > 0 {
		fmt.Fprintf(w, "  untrained\t%s have no row in the model\n", share(b.Untrained))
	}
	fmt.Fprintf(w, "  colliding\t%s n-grams (%.1f %%) share each of their buckets\n", wording.Thousands(b.Colliding), 100*float64(b.Colliding)/float64(max(1, b.Ngrams)))
	fmt.Fprintf(w, "  fullest\t%s\n", wording.Count(b.Most, "n-gram", "n-grams"))
	for _, l := range b.Loads[1:] {
		more := ""
		if l.Ngrams == len(b.Loads)-1 {
			more = " or more"
		}
		fmt.Fprintf(w, "  with %d%s\t%s\n", l.Ngrams, more, share(l.Buckets))
	}
	fmt.Fprintf(w, "  rows\t%s\n", wording.Thousands(b.Rows))
}
