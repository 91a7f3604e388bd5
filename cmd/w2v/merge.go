package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

func newMerge(s streams) *cobra.Command {
	f := mergeRun{s: s}
	c := command("merge", cobra.MinimumNArgs(2), func(c *cobra.Command, args []string) error {
		f.merged.In = args
		if err := f.check(c.Flags().Changed); err != nil {
			return err
		}
		return f.run(c.Context())
	})
	flags := c.Flags()
	flags.StringVarP(&f.merged.Output, "output", "o", "", "write the merged model to `FILE` (required)")
	addEnum(flags, &f.to, "to", "format of OUT; the default goes by its extension", formatChoices())
	f.options.Method = transform.MergeConcat
	addEnum(flags, &f.options.Method, "method", "how vectors become one", choicesOf(transform.MergeMethods(), map[transform.MergeMethod]string{
		transform.MergeConcat:  "join them and reduce them by a singular value decomposition",
		transform.MergeAverage: "rotate them onto those of the first model and take the mean",
	}))
	whole(flags, 1, &f.options.Dim, "dim", "", 0, "`N` dimensions (default those of the first model)")
	flags.StringSliceVar(&f.weights, "weights", nil, "weights of the models, in their order, such as 1,0.5 (default equal)")
	flags.Float64Var(&f.options.Power, "power", 1, "count each axis of the result by the power `P` of its singular value, more than 0 and at most 1; less than 1 gives later axes more")
	flags.StringSliceVar(&f.sets, "eval", nil, "choose the weights by the mean score on `SET`; may be repeated")
	whole(flags, 0, &f.restrict, "restrict", "", 0, "use only the `N` most frequent words in the analogies of --eval; 0 uses all")
	flags.BoolVar(&f.options.Union, "union", false, "keep words that only some models have (default: words that all models have or compose of n-grams)")
	f.skip.add(c)
	addForce(c, &f.force)
	addJSON(c, &f.asJSON)
	return c
}

type mergeRun struct {
	s             streams
	merged        mergedModel
	to            string
	options       transform.MergeOptions
	weights, sets []string
	restrict      int
	skip          skipFlag
	asJSON, force bool
}

// A mergedModel is what w2v merge prints. Its JSON is read by scripts.
type mergedModel struct {
	In     []string      `json:"in"`
	Output string        `json:"output"`
	To     format.Format `json:"to"`
	*transform.Merged
	Skipped []unwritable `json:"skipped,omitempty"`
}

func (f *mergeRun) check(changed func(string) bool) error {
	err := broken(
		rule{f.merged.Output == "", "no output: say where the model goes with -o MODEL"},
		rule{f.merged.Output == "-", "a model is not written to standard output: name a file, and use convert OUT - afterwards"},
		rule{strings.Contains(" "+strings.Join(f.merged.In, " ")+" ", " - "), "models are read several times: name files"},
		rule{changed("weights") && len(f.weights) != len(f.merged.In), fmt.Sprintf("--weights has %s, and there are %d models", wording.Count(len(f.weights), "number", "numbers"), len(f.merged.In))},
		rule{!(f.options.Power > 0 && f.options.Power <= 1), fmt.Sprintf("--power is %v, must be more than 0 and at most 1", f.options.Power)},
		rule{changed("restrict") && len(f.sets) == 0, "--restrict is for the sets of --eval, and there are none"},
	)
	for _, text := range f.weights {
		w, wrong := decimal.Float(text)
		if err == nil && (wrong != nil || !(w >= 0)) {
			err = fmt.Errorf("--weights: %q is not a number of 0 or more", text)
		}
		f.options.Weights = append(f.options.Weights, w)
	}
	if err == nil {
		_, err = outputFormat(f.merged.Output, f.to, false)
	}
	if err != nil {
		return misuse(err)
	}
	return checkTarget(f.merged.Output, f.to)
}

func (f *mergeRun) run(ctx context.Context) error {
	s := f.s
	ctx, stop := untilSignal(ctx, s.err)
	defer stop()
	o := convert.MergeOptions{MergeOptions: f.options, Format: format.Format(f.to), SkipUnwritable: f.skip.on}
	if len(f.sets) > 0 {
		sets, err := setsOf(s, f.sets, "")
		if err != nil {
			return err
		}
		for _, set := range sets {
			if set.Task == eval.TaskBias {
				return fmt.Errorf("the set %s is about bias, and a larger score of it is not better", set.Name)
			}
		}
		o.Score = f.score(sets)
		o.Tried = func(weights []float64, score float64) {
			s.note("weights %s: mean score %.4f", weightsText(weights), score)
		}
	}
	how, end := computation(s, f.force)
	o.Computation = how
	o.Opened = func(path string, set *vectors.Set) error {
		s.noteWords(path, set)
		s.noteUnread(path, set)
		return nil
	}
	o.Made = func(m *convert.Merged) error {
		end()
		f.merged.To, f.merged.Merged, f.merged.Skipped = m.Format, m.Merged, inJSON(m.Skipped)
		f.notes(m)
		return s.noteNotFinite(f.merged.Output, m.Set.NotFinite, "they are written as they are")
	}
	_, err := convert.MergeFiles(ctx, f.merged.In, f.merged.Output, o)
	end()
	if err != nil {
		return f.skip.advise(fullDisk(err))
	}
	return s.print(f.asJSON, f.merged, f.merged.print)
}

// score returns the mean of the scores of sets. The words are the same with all weights, so the first call finds the sets that have no score.
func (f *mergeRun) score(sets []eval.Set) func(context.Context, *vectors.Set) (float64, error) {
	begun := false
	return func(ctx context.Context, merged *vectors.Set) (mean float64, err error) {
		var scored []eval.Set
		for _, set := range sets {
			o := eval.Options{Resamples: -1}
			if set.Task == eval.TaskAnalogy {
				o.Restrict = f.restrict
			}
			r, err := eval.Evaluate(ctx, merged, set, o)
			if err != nil {
				return 0, err
			}
			if sum := r.Summary; !begun && !sum.Score.Defined() {
				f.s.note("the set %s has no score, and does not count: the merged model has all words of %d of its %d items", sum.Set, sum.Used, sum.Items)
				continue
			}
			scored = append(scored, set)
			mean += float64(r.Summary.Score)
		}
		if len(scored) == 0 {
			return 0, errors.New("no set of --eval has a score by which weights could be chosen")
		}
		sets, begun = scored, true
		return mean / float64(len(sets)), nil
	}
}

func weightsText(weights []float64) string {
	return strings.Join(wording.Map(weights, func(w float64) string { return strconv.FormatFloat(w, 'g', 4, 64) }), ",")
}

func (f *mergeRun) notes(m *convert.Merged) {
	s := f.s
	for i, p := range m.Parts {
		path := f.merged.In[i]
		them, their := either(p.Omitted == 1, "it", "them"), either(p.Estimated == 1, "its", "their")
		s.noteIf(p.Omitted > 0, "%s of %s left out, because another model has no vector of %s: --union keeps %s", wording.Count(p.Omitted, "word", "words"), path, them, them)
		s.noteIf(p.Estimated > 0, "%s no vector in %s: %s share is estimated from the other models", wording.Count(p.Estimated, "word has", "words have"), path, their)
		s.noteIf(p.Composed > 0, "%s composed of the n-grams of %s", wording.Count(p.Composed, "word is", "words are"), path)
	}
	s.noteIf(len(m.Dropped) > 0, "the merged model comes without %s", strings.Join(m.Dropped, "; "))
	s.noteSkipped(m.Skipped, m.Format)
	left := m.ByFormat.String()
	s.noteIf(left != "", "the format %s leaves out %s", m.Format, left)
	s.notes(format.Misread(m.Set, m.Format)...)
}

func (m mergedModel) print(w io.Writer) {
	t := newTable(w)
	fmt.Fprintf(t, "words\t%s, of %s in all models\n", wording.Thousands(m.Words), wording.Thousands(m.Shared))
	fmt.Fprintf(t, "dimensions\t%d, which keep %.2f %% of the squares\n", m.Dim, 100*m.Kept)
	if m.Power != 1 {
		fmt.Fprintf(t, "power\t%v of the singular values\n", m.Power)
	}
	for i, p := range m.Parts {
		fmt.Fprintf(t, "%s\t%s of %d dimensions, weight %s\n", m.In[i], wording.Count(p.Words, "word", "words"), p.Dim, weightsText([]float64{p.Weight}))
	}
	if m.Ngrams != "" {
		fmt.Fprintf(t, "other words\tcomposed: %s\n", m.Ngrams)
	}
	if m.Score != nil {
		fmt.Fprintf(t, "score\t%.4f, the best of %d weights\n", *m.Score, m.Tried)
	}
	fmt.Fprintf(t, "output\t%s (%s)\n", m.Output, m.To)
	t.Flush()
}
