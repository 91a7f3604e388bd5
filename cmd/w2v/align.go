package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/query"
)

func newAlign(s streams) *cobra.Command {
	f := alignRun{s: s}
	c := command("align", cobra.ExactArgs(2), func(c *cobra.Command, args []string) error {
		f.a, f.b = args[0], args[1]
		if err := f.check(c.Flags().Changed); err != nil {
			return err
		}
		return f.run(c.Context())
	})
	flags := c.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the rotated model to `FILE`; - means standard output, with --to")
	addEnum(flags, &f.to, "to", "format of OUT; the default goes by its extension", formatChoices())
	f.anchors.add(c)
	flags.StringVar(&f.dictionary, "dictionary", "", "anchors are the pairs in `FILE`: a word of A, a tab, a word of B")
	flags.StringVar(&f.test, "test-dictionary", "", "measure how often the translations in `FILE` are found")
	whole(flags, 0, &f.refine, "refine", "", 0, "repeat the fit `N` times with anchors that the alignment finds")
	whole(flags, 0, &f.retrieval.Restrict, "restrict", "", 200_000, "look for translations among the first `N` words of each model; 0 means all")
	whole(flags, 1, &f.retrieval.Neighbors, "csls", "", 10, "CSLS takes means over `K` nearest words")
	f.letters.add(c)
	f.skip.add(c)
	addForce(c, &f.force)
	addJSON(c, &f.asJSON)
	return c
}

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
}

func (f *alignRun) check(changed func(string) bool) error {
	err := broken(
		rule{f.b == "-", "model B is read several times: name a file"},
		rule{f.a == "-" && f.anchors.exclude == "-", "the model and --exclude cannot both come from standard input"},
		rule{f.out == "-" && f.to == "", "standard output has no extension: say --to FORMAT"},
		rule{f.out == "-" && f.asJSON, "--json and the model cannot both go to standard output"},
		rule{f.out == "" && f.to != "", "--to needs --output"},
		rule{f.test == "" && f.refine == 0 && (changed("restrict") || changed("csls")), "--restrict and --csls need --test-dictionary or --refine"},
		rule{f.dictionary != "" && (changed("anchors") || changed("exclude")), "--anchors and --exclude are about shared words, and --dictionary names the anchors"},
	)
	if err != nil || f.out == "" || f.out == "-" {
		return misuse(err)
	}
	if _, err := outputFormat(f.out, f.to, false); err != nil {
		return misuse(err)
	}
	return checkTarget(f.out, f.to)
}

func (f *alignRun) run(ctx context.Context) error {
	return f.s.open(ctx, f.b, opening{whole: true, empty: errNoWords}, func(words *finder) error {
		ctx, name, files, stop := f.s.files(ctx, f.a, f.skip)
		defer stop()
		return files.Use(name, func(a *vectors.Set) error {
			if a.Len() == 0 {
				return errNoWords(f.a)
			}
			aligned, report, err := f.align(ctx, a, words.set)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", f.a, f.b, err)
			}
			report.notes(f.s)
			if err := f.write(ctx, a, aligned, report); err != nil {
				return err
			}
			if f.out == "-" {
				report.print(f.s.err)
				return nil
			}
			return f.s.print(f.asJSON, report, report.print)
		})
	})
}

func (f *alignRun) write(ctx context.Context, a, aligned *vectors.Set, report *alignment) error {
	if f.out == "" {
		return nil
	}
	outFormat, err := outputFormat(f.out, f.to, aligned.Subword() != nil)
	if err != nil {
		return misuse(err)
	}
	report.To = outFormat
	if f.skip.on {
		writable, skipped, err := convert.Writable(aligned, outFormat)
		if err != nil {
			return err
		}
		aligned, report.Skipped = writable, inJSON(skipped)
		f.s.noteSkipped(skipped, outFormat)
	}
	f.s.noteUnread(f.a, a)
	_, dropped := format.DroppedParts(a, aligned, format.Kept{})
	left := format.LeavesOut(aligned, outFormat)
	left.Subwords = left.Subwords || a.Subword() != nil && aligned.Subword() == nil
	left.State = a.SharedParts().State != nil
	report.LeftOut = append(append(report.LeftOut, dropped...), left.List()...)
	f.s.noteIf(len(report.LeftOut) > 0, "left out in %s (%s): %s", f.out, outFormat, strings.Join(report.LeftOut, "; "))
	f.s.notes(format.Misread(aligned, outFormat)...)
	if f.out == "-" {
		err = format.Encode(f.s.out, aligned, outFormat)
	} else {
		err = fullDisk(convert.Write(ctx, f.out, aligned, outFormat, f.force))
	}
	return f.skip.advise(err)
}

type anchorFlags struct {
	top     int
	exclude string
	steps   []string
}

func (f *anchorFlags) add(c *cobra.Command) {
	flags := c.Flags()
	whole(flags, 0, &f.top, "anchors", "", 0, "take the `N` shared words that are most frequent in both models as anchors; 0 means all")
	flags.StringVar(&f.exclude, "exclude", "", "words in `FILE`, one a line, are not anchors")
	flags.StringSliceVar(&f.steps, "steps", nil, "before the fit, do `STEPS` to the anchors in turn: unit, center")
	checked(c, func([]string) error {
		for _, step := range f.options().Steps {
			if step != align.Unit && step != align.Center {
				return fmt.Errorf("--steps: %q is not known; known are %s, %s", string(step), align.Unit, align.Center)
			}
		}
		return nil
	})
}

func (f *anchorFlags) options() align.Options {
	return align.Options{Steps: wording.Map(f.steps, func(step string) align.Step { return align.Step(step) })}
}

func (f *anchorFlags) excluded(stdin io.Reader) ([]string, error) {
	l := wordList{file: f.exclude, missing: convert.MissingSkip}
	return l.words(stdin)
}

func pairsOf(path string, a, b *vectors.Set, rule vectors.Case) (*dictionaryUse, []align.Pair, error) {
	dictionary, err := compression.ReadFile(path, func(r io.Reader) (align.Dictionary, error) { return align.ReadDictionary(r, path) })
	if err != nil {
		return nil, nil, err
	}
	pairs, missing, err := dictionary.Pairs(a, b, rule)
	if err != nil {
		return nil, nil, err
	}
	use := &dictionaryUse{File: path, Entries: len(dictionary.Entries), Used: len(pairs), Missing: missing.Entries,
		MissingWords: append([]string{}, missing.Words...), MissingTranslations: append([]string{}, missing.Translations...)}
	if len(pairs) == 0 {
		return nil, nil, fmt.Errorf("%s: none of its %d entries is in both models: the first column has words of A, the second of B; not in A: %s; not in B: %s",
			path, use.Entries, some(missing.Words), some(missing.Translations))
	}
	return use, pairs, nil
}

func errNoWords(path string) error {
	return fmt.Errorf("%s: the model has no list of words to compare, only n-grams that compose the words one asks for", path)
}

type dictionaryUse struct {
	File                string   `json:"file"`
	Entries             int      `json:"entries"`
	Used                int      `json:"used"`
	Missing             int      `json:"missing"` // entries with a word that is missing in its model
	MissingWords        []string `json:"missing_words"`
	MissingTranslations []string `json:"missing_translations"`
}

func (d *dictionaryUse) note(s streams) {
	if d != nil && d.Missing > 0 {
		s.note("%d of %d entries of %s are not in both models%s%s", d.Missing, d.Entries, d.File,
			when(len(d.MissingWords) > 0, "; not in A: %s", some(d.MissingWords)), when(len(d.MissingTranslations) > 0, "; not in B: %s", some(d.MissingTranslations)))
	}
}

// An alignment is what w2v align prints. Its JSON is read by scripts.
type alignment struct {
	A      string        `json:"a"`
	B      string        `json:"b"`
	Output string        `json:"output"` // empty if nothing was written
	To     format.Format `json:"to"`
	Shared int           `json:"shared_words"`
	Steps  []string      `json:"steps"`
	*align.Fit
	Refined    []refinement     `json:"refined,omitempty"` // results of --refine, one per repetition
	Dictionary *dictionaryUse   `json:"dictionary,omitempty"`
	Test       *dictionaryUse   `json:"test_dictionary,omitempty"`
	TestSeen   int              `json:"test_anchors"` // test pairs that are also anchors
	Retrieval  *align.Retrieval `json:"retrieval,omitempty"`
	LeftOut    []string         `json:"left_out"`
	Skipped    []unwritable     `json:"skipped,omitempty"`
}

type refinement struct {
	Anchors    int     `json:"anchors"`
	MeanCosine float64 `json:"mean_cosine"`
}

func (f *alignRun) align(ctx context.Context, a, b *vectors.Set) (aligned *vectors.Set, r *alignment, err error) {
	how, end := computation(f.s, f.force)
	defer end()
	r = &alignment{A: f.a, B: f.b, Output: f.out, Steps: append([]string{}, f.anchors.steps...), LeftOut: []string{}}
	pairs, err := f.pairs(a, b, r)
	if err != nil {
		return nil, nil, err
	}
	options := f.anchors.options()
	options.Progress, f.retrieval.Progress = how.Progress, how.Progress
	for again := 0; ; again++ {
		if r.Fit, err = align.Procrustes(ctx, a, b, pairs, options); err != nil {
			return nil, nil, err
		}
		if again > 0 {
			r.Refined = append(r.Refined, refinement{r.Anchors, r.MeanCosine})
		}
		if again == f.refine {
			break
		}
		if pairs, err = align.Refine(ctx, a, b, r.Fit, f.retrieval); err != nil {
			return nil, nil, err
		}
	}
	if aligned, err = r.Apply(a); err != nil || f.test == "" {
		return aligned, r, err
	}
	use, test, err := pairsOf(f.test, a, b, f.letters.rule())
	if err != nil {
		return nil, nil, err
	}
	r.Test = use
	anchors := make(map[align.Pair]bool, len(pairs))
	for _, p := range pairs {
		anchors[p] = true
	}
	for _, p := range test {
		if anchors[p] {
			r.TestSeen++
		}
	}
	r.Retrieval, err = align.Retrieve(ctx, aligned, b, test, f.retrieval)
	return aligned, r, err
}

func (f *alignRun) pairs(a, b *vectors.Set, r *alignment) (pairs []align.Pair, err error) {
	shared, err := align.Shared(a, b, align.SharedOptions{})
	if err != nil {
		return nil, err
	}
	r.Shared = len(shared)
	if f.dictionary != "" {
		r.Dictionary, pairs, err = pairsOf(f.dictionary, a, b, f.letters.rule())
		return pairs, err
	}
	if len(shared) == 0 {
		return nil, errors.New("the models share no words: name pairs of words with --dictionary")
	}
	exclude, err := f.anchors.excluded(f.s.in)
	if err != nil {
		return nil, err
	}
	return align.Shared(a, b, align.SharedOptions{Top: f.anchors.top, Exclude: exclude})
}

func (r *alignment) notes(s streams) {
	s.noteIf(r.Undecided > 0, "the anchors, %d, leave %d of %d dimensions to chance: more anchors are needed", r.Anchors, r.Undecided, r.Dim)
	s.noteUnused(r.Unused)
	r.Dictionary.note(s)
	r.Test.note(s)
	if r.TestSeen > 0 {
		s.note("%s too, which makes the precision look better than it is", wording.Of(r.TestSeen, r.Test.Used, "pair of the test", "pairs of the test", "is an anchor", "are anchors"))
	}
	if r.Retrieval != nil && r.Retrieval.Left > 0 {
		s.note("%s beyond --restrict and left out", wording.Count(r.Retrieval.Left, "pair of the test is", "pairs of the test are"))
	}
}

func (s streams) noteUnused(anchors int) {
	s.noteIf(anchors > 0, "%s zero or not finite, and not used", wording.Count(anchors, "vector of an anchor is", "vectors of anchors are"))
}

func (r *alignment) print(w io.Writer) {
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
	t.Flush()
	if p := r.Retrieval; p != nil {
		fmt.Fprintf(w, "\nprecision of %s among %s\n", wording.Count(p.Words, "word", "words"), wording.Count(p.Candidates, "candidate", "candidates"))
		fmt.Fprintf(t, "\tat 1\tat 5\tat 10\n")
		fmt.Fprintf(t, "cosine\t%.4f\t%.4f\t%.4f\n", p.Cosine.At1, p.Cosine.At5, p.Cosine.At10)
		fmt.Fprintf(t, "CSLS\t%.4f\t%.4f\t%.4f\n", p.CSLS.At1, p.CSLS.At5, p.CSLS.At10)
		t.Flush()
	}
}

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
	whole(flags, 0, &f.options.Most, "top", "k", 20, "print the `K` words that moved most; 0 means all")
	addEnum(flags, &f.options.By, "by", "order of the words", choicesOf(align.Orders(), nil))
	flags.Uint64Var(&f.options.MinCount, "min-count", 50, "leave out words that either model saw less than `N` times")
	whole(flags, 0, &f.show, "neighbors", "", 5, "print `N` neighbours in each model; 0 means none")
	whole(flags, 1, &f.options.Neighbors, "local", "", 25, "the local measures look at `N` nearest words in each model")
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
			f.s.noteUnused(d.Fit.Unused)
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
		words, err := query.New(new, f.letters.rule())
		if err != nil {
			return nil, err
		}
		for i, word := range o.Words {
			o.Words[i], _ = words.Spelling(word)
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

// enough is how many frequent words the default of --min-count must leave.
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
	names := wording.Map(words[:min(shown, len(words))], func(word align.Counted) string { return word.Word })
	return wording.Thousands(len(words)) + when(len(words) > 0, ": %s", strings.Join(names, " ")) + when(len(words) > shown, " …")
}

func wordsOf(near []vectors.Neighbor, between string) string {
	return strings.Join(wording.Map(near, func(w vectors.Neighbor) string { return w.Word }), between)
}
