package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/query"
)

type evalCommand struct {
	options     eval.Options
	task        eval.Task // task of all sets; empty for any
	words       spellingFlags
	post        postFlags
	tasks       *taskFlags // nil in commands for one task
	answers     answersFlags
	report      reportFlags
	showMissing bool
	bands       []int // nil without --bands

	// print prints the records for people; nil for printRecords.
	print func(w io.Writer, records []eval.Record)
}

func (f *evalCommand) add(c *cobra.Command) {
	f.post.add(c)
	f.words.add(c)
	c.Flags().BoolVar(&f.showMissing, "show-missing", false, "list the words of each set that have no vector")
	f.addBands(c)
	f.report.add(c)
}

func (f *evalCommand) addOptions(c *cobra.Command) {
	f.tasks.add(c, &f.options)
	f.answers.add(c, eval.RelationMethods())
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals, clusterings, permutations, and of the other words of lrcos")
	addRestrict(c, &f.options.Restrict, ", in sets and as answers")
}

// read reads the sets at the paths; without paths they are the built-in ones.
func (f *evalCommand) read(s streams, paths []string) (sets []eval.SetFile, unread, err error) {
	if len(paths) > 0 {
		return readSets(s, paths, f.task)
	}
	sets, err = builtinSets(f.task)
	return sets, nil, err
}

func (f *evalCommand) prepare(wrong error) error {
	if o := &f.options; f.tasks != nil {
		for _, x := range []*float64{&o.MaxLost, &o.BM25.K1, &o.BM25.B} {
			if *x == 0 {
				*x = -1 // 0 is the default there
			}
		}
		if o.Samples == 0 {
			o.Samples = -1
		}
	}
	f.options.Bands, f.options.Method, f.options.RelationMethod = f.bands, f.answers.method, f.answers.method
	f.options.Case, f.options.FoldVocab = f.words.letters.rule(), f.words.fold
	for i, rank := range f.bands {
		if rank < 1 || i > 0 && rank <= f.bands[i-1] {
			return misuse(errors.Join(wrong, fmt.Errorf("--bands must be ranks of 1 or more that rise, are %v", f.bands)))
		}
	}
	return misuse(wrong)
}

func (f *evalCommand) run(c *cobra.Command, s streams, args []string) error {
	if err := f.prepare(nil); err != nil {
		return err
	}
	model := args[0]
	if _, none := os.Stat(model); none != nil && nearCommand(c, model) {
		return misuse(unknownCommand(c, model))
	}
	sets, unread, err := f.read(s, args[1:])
	if err != nil {
		return err
	}
	f.answers.split(s, &f.options, sets)
	records, err := f.measure(c, s, model, sets)
	if err != nil {
		return err
	}
	lines := wording.Map(records, func(r eval.Record) recordLine { return recordLine{r} })
	page := report.NewEvaluation(filepath.Base(model), records)
	page.ListMissing = f.showMissing
	if err := writeReport(&f.report, s.out, page, lines, func(w io.Writer) { f.printTable(w, records) }); err != nil {
		return err
	}
	if err := f.answers.write(records); err != nil {
		return err
	}
	notes(s, "", records)
	return errors.Join(unusable(records), unread)
}

func (f *evalCommand) measure(c *cobra.Command, s streams, path string, sets []eval.SetFile) (records []eval.Record, err error) {
	err = s.open(c.Context(), path, scored(&f.post), func(words *finder) error {
		set := words.set
		if f.tasks != nil {
			if set, err = query.WithTokenizer(set, f.tasks.tokenizer); err != nil {
				return ofModel(path, err)
			}
		}
		hash := sync.OnceValues(func() (eval.Source, error) { return hashModel(path, set) })
		go hash() // while sets are scored
		for _, of := range sets {
			if t := of.Set.Task; set.Len() == 0 && (t == eval.TaskAnalogy || t == eval.TaskRelation) {
				return errNoAnswers(path)
			}
			r, err := eval.Measure(c.Context(), set, of, f.options)
			if err != nil {
				return noTokenizer(path, err)
			}
			r.Version = version()
			if post := f.post.settings(); post != (postSettings{}) {
				r.Settings.Vectors = post
			}
			records = append(records, r)
		}
		source, err := hash()
		for i := range records {
			records[i].ModelFile = source
		}
		return err
	})
	return records, err
}

func (f *evalCommand) command(s streams, name string, wanted cobra.PositionalArgs) *cobra.Command {
	return command(name, func(c *cobra.Command, args []string) error { return fileCalled(c, args, usage(wanted)(c, args)) },
		func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) })
}

// fileCalled mentions a file with the name of the command in an error about arguments: it may be meant.
func fileCalled(c *cobra.Command, args []string, err error) error {
	if _, none := os.Stat(c.Name()); err == nil || none != nil {
		return err
	}
	if len(args) > 1 {
		if _, foreign := format.Detect(args[0]); foreign == nil {
			return err // the arguments are valid
		}
	}
	return fmt.Errorf("%w; for the model in the file %s, say w2v eval ./%[2]s", err, c.Name())
}

func resultsOf[R any](records []eval.Record) (results []R) {
	for _, r := range records {
		if result, ok := r.Result.Details.(R); ok {
			results = append(results, result)
		}
	}
	return results
}

// nearCommand reports whether the model argument is rather a misspelt subcommand of c.
func nearCommand(c *cobra.Command, model string) bool {
	return !strings.ContainsAny(model, `./\`) && slices.ContainsFunc(c.Commands(), func(sub *cobra.Command) bool {
		return wording.Nearest(model, []string{sub.Name()}) != ""
	})
}

// hashModel returns no checksums of a model that is not a file: a pipe cannot be read twice.
func hashModel(path string, set *vectors.Set) (eval.Source, error) {
	candidates, err := format.TargetFiles(path, format.Format(set.Format()))
	if err != nil || len(candidates) == 0 {
		candidates = []string{path} // a read-only format
	}
	var files []string
	for _, file := range candidates {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return eval.Source{}, nil
	}
	return eval.Hash(files...)
}

// readSets reads all sets before anything is scored. It notes files that are no sets; unread is the error of invalid ones.
func readSets(s streams, paths []string, task eval.Task) (sets []eval.SetFile, unread, err error) {
	sets, skipped, err := eval.ReadSets(paths, eval.ReadOptions{Stdin: s.in, Task: task})
	if err != nil {
		return nil, nil, sayTask(err)
	}
	var none []string
	for _, file := range skipped {
		switch _, broken := errors.AsType[*eval.ParseError](file.Err); {
		case errors.Is(file.Err, eval.ErrLayout):
			none = append(none, file.Path)
		case broken:
			unread = errors.Join(unread, sayTask(file.Err))
		default:
			s.note("%s is skipped: %v", file.Path, file.Err)
		}
	}
	if len(none) > 0 {
		what := either(task != "", fmt.Sprintf("sets of the task %s", task), "evaluation sets")
		s.note("skipped, because they are not %s: %s", what, strings.Join(none, ", "))
	}
	return sets, unread, nil
}

func setsOf(s streams, paths []string, task eval.Task) ([]eval.Set, error) {
	files, unread, err := readSets(s, paths, task)
	if err = errors.Join(err, unread); err != nil {
		return nil, err
	}
	var sets []eval.Set
	for _, f := range files {
		f.Set.Name = eval.SetName(f.Set.Name)
		sets = append(sets, f.Set)
	}
	return sets, nil
}

func sayTask(err error) error {
	if errors.Is(err, eval.ErrAmbiguous) {
		return fmt.Errorf("%w; say which one with --task", err)
	}
	return err
}

type runsFlags struct {
	all  bool
	sets pathsFlag
}

func (f *runsFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.all, "runs", false, "score several models of one setting that differ by their seeds: mean, deviation and interval")
	f.sets.add(c, "sets", "with --runs, evaluation sets and folders of them: all arguments that follow")
	checked(c, func([]string) error {
		return broken(rule{!f.all && c.Flags().Changed("sets"), "--sets goes with --runs: without it, sets follow the one model"})
	})
}

func (f *evalCommand) runModels(c *cobra.Command, s streams, r *runsFlags, args []string) error {
	models, paths, err := r.sets.split(args)
	if f.showMissing || f.bands != nil || c.Flags().Changed("answers") {
		err = errors.Join(err, errors.New("--show-missing, --bands and --answers are about one model, and --runs is about several"))
	}
	measured, unread, err := f.measureAll(c, s, models, paths, err)
	if err != nil {
		return err
	}
	all, err := eval.Runs(measured)
	if err != nil {
		return err
	}
	if err := writeReport(&f.report, s.out, report.NewRuns(measured, all), all, func(w io.Writer) { printRuns(w, all) }); err != nil {
		return err
	}
	for _, m := range measured {
		if e := unusable(m.Records); e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", m.Name, e))
		}
	}
	return errors.Join(err, unread)
}

func printRuns(w io.Writer, all []eval.RunScores) {
	tabulate(w, "set\tmetric\truns\tmean\tdeviation\t95 % of the mean\tlowest\thighest", all, func(t io.Writer, r eval.RunScores) {
		lowest, highest := r.Mean, r.Mean
		for _, x := range r.Scores {
			if x.Defined() {
				lowest, highest = min(lowest, x), max(highest, x)
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Metric, r.Runs, score(r.Mean), score(r.Deviation), interval(r.Interval), score(lowest), score(highest))
	})
}

type taskFlags struct{ tokenizer string }

func (f *taskFlags) add(c *cobra.Command, o *eval.Options) {
	flags := c.Flags()
	grouped(flags, "Task", func() {
		whole(flags, 1, &o.Repeats, "repeats", "", eval.DefaultRepeats, "`N` clusterings of words or texts, of which the one with the smallest inertia is scored, or classifiers, of which the mean is scored")
		whole(flags, 0, &o.Samples, "samples", "", eval.DefaultSamples, "train each classifier of texts on up to `N` texts a label; 0 trains one on all")
		flags.BoolVar(&o.Published, "published", false, "score outliers as the script published with 8-8-8 does: words outside the vocabulary are means of their parts between underscores, or zeros")
		flags.Float64Var(&o.MaxLost, "max-lost", eval.DefaultMaxLost, "the largest `SHARE` of its words that a list of WEAT may lose")
		whole(flags, 1, &o.Permutations, "permutations", "", eval.DefaultPermutations, "partitions of a WEAT test to draw if there are more than `N`; else p is exact")
		limit(flags, 0, 1, "max-lost")
	})
	f.addTexts(c, o, eval.SentenceMethods())
}

// addTexts adds the flags of tasks of texts.
func (f *taskFlags) addTexts(c *cobra.Command, o *eval.Options, methods []eval.SentenceMethod) {
	flags := c.Flags()
	grouped(flags, "Task", func() {
		addEnum(flags, &o.SentenceMethod, "sentences", "the vectors of sentences, queries and documents that give the score, by default those of w2v sentence", choicesOf(methods, map[eval.SentenceMethod]string{
			eval.SentenceSIFSet: "less the first singular vector of the sentences of the set",
		}))
		flags.StringVar(&f.tokenizer, "tokenizer", "", "the `FILE` tokenizer.json that the model was trained with, for sets of texts")
		o.With = eval.WithNone
		addEnum(flags, &o.With, "with", "what finds documents together with vectors", []choice{{eval.WithNone, "vectors alone"}, {eval.WithBM25, "the words of texts"}})
		usual := eval.DefaultBM25()
		flags.Float64Var(&o.BM25.K1, "bm25-k1", usual.K1, "`K1` of BM25: how soon further occurrences of a word stop to count")
		flags.Float64Var(&o.BM25.B, "bm25-b", usual.B, "`B` of BM25: how much the length of a document counts, from 0 to 1")
		flags.Float64Var(&o.HybridWeight, "hybrid-weight", 0, fmt.Sprintf("how much vectors count beside BM25, `W`; BM25 counts the rest of 1 (default %v for models that record how vectors of texts are made, such as those of w2v pairs, else %v)", eval.TextHybridWeight, eval.DefaultHybridWeight))
		limit(flags, 0, math.MaxFloat32, "bm25-k1")
		limit(flags, 0, 1, "bm25-b")
		limit(flags, 0.01, 1, "hybrid-weight")
	})
}

func notes(s streams, whose string, records []eval.Record) {
	for _, r := range records {
		for _, note := range r.Notes {
			s.notes(whose + r.Set + ": " + note)
		}
	}
}

func unusable(records []eval.Record) error {
	var unknown, unequal, noted []string
	for _, r := range records {
		items := itemsOf(r.Task)
		if r.Items == 1 {
			items = strings.Replace(strings.TrimSuffix(items, "s"), "querie", "query", 1)
		}
		described := fmt.Sprintf("%s (%s %s)", r.Set, wording.Thousands(r.Items), items)
		switch {
		case !r.Score.Defined() && r.Task != eval.TaskSentences && len(r.Notes) > 0:
			noted = append(noted, described)
		case r.Used == 0:
			unknown = append(unknown, described)
		case !r.Score.Defined():
			unequal = append(unequal, described)
		}
	}
	var all error
	say := func(sets []string, format string) {
		if len(sets) > 0 {
			all = errors.Join(all, fmt.Errorf(format, strings.Join(sets, ", ")))
		}
	}
	say(unknown, "nothing could be scored of %s: each has a word that the model has no vector for, or that --restrict leaves out")
	say(unequal, "there is no correlation in %s: it takes two pairs with vectors, with different numbers and cosines")
	say(noted, "there is no score of %s: the notes say why")
	return all
}

func itemsOf(t eval.Task) string {
	switch t {
	case eval.TaskSimilarity, eval.TaskSentences:
		return "pairs"
	case eval.TaskAnalogy, eval.TaskRelation:
		return "questions"
	case eval.TaskRetrieval:
		return "queries"
	case eval.TaskCategorization:
		return "words"
	case eval.TaskClassification, eval.TaskClustering:
		return "texts"
	}
	return "items"
}

func printTask[R any](w io.Writer, records []eval.Record, header string, rows func(io.Writer, R)) {
	if results := resultsOf[R](records); len(results) > 0 {
		fmt.Fprintln(w)
		tabulate(w, header, results, rows)
	}
}

type compareCommand struct {
	evalCommand
	how  eval.CompareOptions
	sets pathsFlag
}

func newCompare(s streams) *cobra.Command {
	f := &compareCommand{evalCommand: evalCommand{tasks: &taskFlags{}}}
	c := command("compare", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	flags := c.Flags()
	f.sets.add(c, "sets", "evaluation sets, and folders of them: all arguments that follow")
	flags.BoolVar(&f.how.OwnVocabulary, "own-vocabulary", false, "score each model on all items that it can score, not only on those of both")
	flags.BoolVar(&f.how.AllPairs, "all-pairs", false, "compare each two models, not all with the first")
	whole(flags, 1, &f.how.Resamples, "resamples", "", eval.DefaultResamples, "draw the items this many times")
	flags.Uint64Var(&f.how.Seed, "seed", 0, "seed of the draws")
	f.post.add(c)
	f.words.add(c)
	f.report.add(c)
	addTask(c, &f.task)
	f.tasks.add(c, &f.options)
	f.answers.addMethod(c, eval.RelationMethods())
	addRestrict(c, &f.options.Restrict, ", in sets and as answers")
	return c
}

func (f *compareCommand) run(c *cobra.Command, s streams, args []string) error {
	models, paths, err := f.sets.split(args)
	f.evalCommand.options.Seed = f.how.Seed
	if err == nil && len(models) < 2 {
		err = errors.New("name two models or more before the sets")
	}
	measured, unread, err := f.measureAll(c, s, models, paths, err)
	if err != nil {
		return err
	}
	all, err := eval.Compare(measured, f.how)
	if err != nil {
		return err
	}
	if err := writeReport(&f.report, s.out, report.NewComparison(measured, all), all, func(w io.Writer) { printComparisons(w, all) }); err != nil {
		return err
	}
	for _, c := range all {
		if !c.Difference.Defined() {
			err = errors.Join(err, fmt.Errorf("%s: no scores of %s and %s to compare: they can both score %d of its %s items",
				c.Set, c.A, c.B, c.Items, wording.Thousands(c.SetItems)))
		}
	}
	return errors.Join(err, unread)
}

// measureAll scores models on the same sets, one model at a time. wrong is the error of the command so far.
func (f *evalCommand) measureAll(c *cobra.Command, s streams, models, paths []string, wrong error) (all []eval.Measured, unread, err error) {
	if err := f.prepare(wrong); err != nil {
		return nil, nil, err
	}
	f.options.Resamples = -1 // the scores' own intervals are not needed
	sets, unread, err := readSets(s, paths, f.task)
	if err != nil {
		return nil, nil, err
	}
	for _, model := range models {
		m := eval.Measured{Name: model}
		if m.Records, err = f.measure(c, s, model, sets); err != nil {
			return nil, nil, err
		}
		notes(s, model+": ", m.Records)
		all = append(all, m)
	}
	return all, unread, nil
}

func printComparisons(w io.Writer, all []eval.Comparison) {
	for first := 0; first < len(all); {
		end := first
		for end < len(all) && all[end].A == all[first].A && all[end].B == all[first].B {
			end++
		}
		if first > 0 {
			fmt.Fprintln(w)
		}
		printPair(w, all[first:end], "set")
		first = end
	}
	if len(all) == 0 {
		return
	}
	tested, words := 0, caseNote(all[0].Settings.IgnoreCase, all[0].Settings.FoldVocab, all[0].Settings.AsTrained)
	for _, c := range all {
		if c.SettingsB != nil && (c.SettingsB.IgnoreCase != c.Settings.IgnoreCase || c.SettingsB.AsTrained != c.Settings.AsTrained) {
			words = "words looked up by the rules of each model"
		}
		if c.PValue.Defined() {
			tested++
		}
	}
	over := either(all[0].OwnVocabulary, "the items that each can score", "items that both can score")
	fmt.Fprintf(w, "scores over %s; %s paired resamples; Holm's correction for %s; %s\n", over,
		wording.Thousands(all[0].Settings.Resamples), wording.Count(tested, "comparison", "comparisons"), words)
}

// printPair prints the differences of two models, on sets or in metrics.
func printPair(w io.Writer, all []eval.Comparison, of string) {
	fmt.Fprintf(w, "a = %s\nb = %s\n", all[0].A, all[0].B)
	const higher, lower, alone, noise, untested = "b is higher", "b is lower", "not significant after Holm", "noise", "-"
	n := map[string]int{}
	tabulate(w, "set\tmetric\titems\tcompared\ta\tb\tb − a\t95 %\tp\tp (Holm)\tresult", all, func(t io.Writer, c eval.Comparison) {
		result, interval := noise, fmt.Sprintf("%+.3f…%+.3f", c.Interval.Low, c.Interval.High)
		switch {
		case !c.PValue.Defined():
			result, interval = untested, "-"
		case c.Differs && c.Difference > 0:
			result = higher
		case c.Differs:
			result = lower
		case c.Interval.Excludes(0):
			result = alone
		}
		n[result]++
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Set, c.Metric, c.SetItems, c.Items,
			score(c.ScoreA), score(c.ScoreB), signed(c.Difference), interval, pValue(c.PValue), pValue(c.HolmPValue), result)
	})
	fmt.Fprintf(w, "b is higher on %s and lower on %s; %s noise", wording.Count(n[higher], of, of+"s"), wording.Count(n[lower], of, of+"s"), wording.Count(n[noise], of+" is", of+"s are"))
	if n[alone] > 0 {
		fmt.Fprintf(w, "; %s an interval that excludes 0, and a difference that is not significant after Holm's correction", wording.Count(n[alone], of+" has", of+"s have"))
	}
	if n[untested] > 0 {
		fmt.Fprintf(w, "; %s no p-value", wording.Count(n[untested], of+" has", of+"s have"))
	}
	fmt.Fprintln(w)
}

func signed(s eval.Score) string { return either(s.Defined(), fmt.Sprintf("%+.4f", float64(s)), "-") }

// pValue formats a p-value. Resampling cannot resolve smaller values.
func pValue(p eval.Score) string {
	switch {
	case !p.Defined():
		return "-"
	case p < 0.001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", float64(p))
}
