package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
)

func newEval(s streams) *cobra.Command {
	f := &evalCommand{tasks: &taskFlags{}}
	runs := &runsFlags{}
	c := command("eval", func(c *cobra.Command, args []string) error {
		least := either(runs.sets.from >= 0, 1, 2) // the set is with the flag
		return cobra.MinimumNArgs(least)(c, args)
	}, func(c *cobra.Command, args []string) error {
		if runs.all {
			return f.runModels(c, s, runs, args)
		}
		return f.run(c, s, args)
	})
	f.add(c)
	f.addOptions(c)
	runs.add(c)
	addTask(c, &f.task)
	c.AddCommand(newEvalSimilarity(s), newEvalAnalogy(s), newEvalRelation(s), newEvalRetrieval(s), newEvalBuiltin(s))
	return c
}

type spellingFlags struct {
	letters caseFlag
	fold    bool
}

func (f *spellingFlags) add(c *cobra.Command) {
	f.letters.add(c)
	c.Flags().BoolVar(&f.fold, "fold-vocab", false, "treat words with the same upper-case form as one word, in sets and in the vocabulary, where the first one counts: gensim's case_insensitive=True")
	checked(c, func([]string) error {
		return broken(rule{f.fold && f.letters.flag.Changed, "--fold-vocab and --ignore-case exclude each other: the one is about the vocabulary, the other about the words of the set"})
	})
}

func addRestrict(c *cobra.Command, to *int, what string) {
	whole(c.Flags(), 0, to, "restrict", "", 0, "use only the `N` most frequent words"+what+"; 0 uses all")
}

func eachJSON[T any](w io.Writer, items []T) error {
	for _, item := range items {
		if err := printJSON(w, item); err != nil {
			return err
		}
	}
	return nil
}

// score writes a score for people: 0.1234, or - for an undefined score.
func score(s eval.Score) string { return either(s.Defined(), fmt.Sprintf("%.4f", float64(s)), "-") }

func caseNote(ignored, folded, asTrained bool) string {
	how := "words looked up as they are"
	switch {
	case folded:
		how = "words and vocabulary in upper case"
	case ignored:
		how += ", then in lower case"
	}
	return how + when(asTrained, ", then as the training text has them")
}

func interval(i eval.Interval) string {
	return either(i.Known, fmt.Sprintf("%.3f…%.3f", i.Low, i.High), "-")
}

func newEvalAnalogy(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskAnalogy, print: eachOf(printAnalogy)}
	c := f.command(s, "eval-analogy", cobra.MinimumNArgs(2))
	f.answers.add(c, vectors.AnalogyMethods())
	addRestrict(c, &f.options.Restrict, ", in questions and as answers")
	f.add(c)
	return c
}

func printAnalogy(w io.Writer, r eval.AnalogyResult) {
	t := newTable(w)
	fmt.Fprintln(t, "section\tquestions\tused\tcorrect\taccuracy")
	row := func(name string, tally *eval.Tally) {
		if tally != nil {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\n", name, tally.Questions, tally.Used, tally.Correct, score(tally.Accuracy))
		}
	}
	for _, section := range r.Sections {
		row(section.Name, &section.Tally)
	}
	row("semantic", r.Semantic)
	row("syntactic", r.Syntactic)
	row(r.Set, &r.Tally)
	t.Flush()
	among := either(r.Restrict > 0, fmt.Sprintf("the %s most frequent words", wording.Thousands(r.Restrict)), "all words")
	fmt.Fprintf(w, "%s among %s, 95 %% interval %s; %s left out; %s\n",
		r.Method, among, interval(r.CI95), wording.Count(r.OOV, "question", "questions"), caseNote(r.IgnoreCase, r.FoldVocab, r.AsTrained))
	if v := r.InVocabulary; v != nil && r.Composed > 0 {
		fmt.Fprintf(w, "without the %s with composed words: %d of %d, %s\n", wording.Count(r.Composed, "question", "questions"), v.Correct, v.Used, score(v.Accuracy))
	}
}

func newEvalRelation(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskRelation, print: eachOf(printRelation)}
	c := f.command(s, "eval-relation", cobra.MinimumNArgs(2))
	f.answers.add(c, eval.RelationMethods())
	addRestrict(c, &f.options.Restrict, ", in pairs and as answers")
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals and of the other words of lrcos")
	f.add(c)
	return c
}

func newEvalRetrieval(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskRetrieval, tasks: new(taskFlags)}
	c := f.command(s, "eval-retrieval", cobra.MinimumNArgs(2))
	f.tasks.addTexts(c, &f.options, wording.Map(pooling.Methods(), func(m pooling.Method) eval.SentenceMethod { return eval.SentenceMethod(m) }))
	addRestrict(c, &f.options.Restrict, "")
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals")
	f.add(c)
	return c
}

func newEvalSimilarity(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskSimilarity, print: printSimilarity}
	c := f.command(s, "eval-similarity", cobra.MinimumNArgs(2))
	addRestrict(c, &f.options.Restrict, "")
	f.add(c)
	return c
}

func printSimilarity(w io.Writer, records []eval.Record) {
	results := resultsOf[eval.SimilarityResult](records)
	tabulate(w, "set\tpairs\tused\tmissing\tcomposed\tspearman\t95 %\tpearson\tspearman in vocabulary", results, func(t io.Writer, r eval.SimilarityResult) {
		inVocabulary := score(r.Spearman)
		if r.InVocabulary != nil {
			inVocabulary = fmt.Sprintf("%s (%s)", score(r.InVocabulary.Spearman), wording.Count(r.InVocabulary.Used, "pair", "pairs"))
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", r.Set, r.Pairs, r.Used, r.OOV, r.Composed,
			score(r.Spearman), interval(r.CI95), score(r.Pearson), inVocabulary)
	})
	among := when(results[0].Restrict > 0, ", among the %s most frequent", wording.Thousands(results[0].Restrict))
	fmt.Fprintln(w, caseNote(results[0].IgnoreCase, results[0].FoldVocab, results[0].AsTrained)+among)
}

func newEvalBuiltin(s streams) *cobra.Command {
	var folder string
	f := &evalCommand{tasks: new(taskFlags)}
	c := f.command(s, "eval-builtin", func(c *cobra.Command, args []string) error {
		return cobra.RangeArgs(either(folder != "", 0, 1), 1)(c, args)
	})
	score := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := writeBuiltin(folder); err != nil || len(args) == 0 {
			return err
		}
		return score(c, args)
	}
	f.add(c)
	f.addOptions(c)
	addEnum(c.Flags(), &f.task, "task", "score the set of this task alone", choicesOf(eval.Tasks(), nil))
	c.Flags().StringVar(&folder, "write", "", "write the sets as files to `FOLDER`")
	return c
}

func builtinSets(task eval.Task) ([]eval.SetFile, error) {
	contents := wording.Map(demo.Sets(), func(s demo.Set) eval.Content { return eval.Content{Path: "builtin/" + s.Path, Text: []byte(s.Text)} })
	all, err := eval.ReadContents(contents, "")
	if err != nil || task == "" {
		return all, err
	}
	for _, s := range all {
		if s.Set.Task == task {
			return []eval.SetFile{s}, nil
		}
	}
	return nil, fmt.Errorf("there is no built-in set of the task %s", task)
}

func writeBuiltin(folder string) error {
	if folder == "" {
		return nil
	}
	for _, set := range demo.Sets() {
		path := filepath.Join(folder, filepath.FromSlash(set.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return compression.Named(folder, err)
		}
		err := atomicfile.Write(path, func(w io.Writer) error {
			_, err := io.WriteString(w, set.Text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func builtinFiles(_ *cobra.Command, folder string) (all []string) {
	return wording.Map(demo.Sets(), func(set demo.Set) string { return filepath.Join(folder, filepath.FromSlash(set.Path)) })
}

func addTask(c *cobra.Command, to *eval.Task) {
	addEnum(c.Flags(), to, "task", "the task of all sets, instead of recognising it", choicesOf(eval.Tasks(), nil))
}

func (f *evalCommand) printTable(w io.Writer, records []eval.Record) {
	either(f.print != nil, f.print, printRecords)(w, records)
	if f.tasks != nil {
		printDetails(w, records)
	}
	if f.bands != nil {
		printBands(w, records)
	}
	for _, r := range records {
		if f.showMissing && len(r.Missing) > 0 {
			fmt.Fprintf(w, "missing in %s: %s\n", r.Set, strings.Join(r.Missing, ", "))
		}
	}
}

func printRecords(w io.Writer, records []eval.Record) {
	tabulate(w, "set\ttask\titems\tused\tcomposed\tmetric\tscore\t95 %\tin vocabulary\tmissing as zero", records, func(t io.Writer, r eval.Record) {
		zero := "-"
		if r.Conventions.Zero != nil {
			zero = score(r.Conventions.Zero.Score)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Task, r.Items, r.Used, r.Composed,
			r.Metric, score(r.Score), interval(r.Interval), score(r.Conventions.InVocabulary.Score), zero)
	})
	t := newTable(w)
	fmt.Fprintln(w)
	for _, rule := range report.Rules(records) {
		fmt.Fprintf(t, "%s\t%s\n", rule.Name, rule.Value)
	}
	t.Flush()
}

func printBands(w io.Writer, records []eval.Record) {
	fmt.Fprintln(w)
	tabulate(w, "set\trank of the rarest word\titems\tscore", records, func(t io.Writer, r eval.Record) {
		for _, b := range slices.Concat(r.Bands, r.ByWords) {
			fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", r.Set, b.Name, b.Items, score(b.Score))
		}
	})
}

func printDetails(w io.Writer, records []eval.Record) {
	printTask(w, records, "categories\twords\tclusters\tpurity\tV-measure\t95 %\thomogeneity\tcompleteness", categoryRow)
	printTask(w, records, "outliers\ttests\tdetected\tOPP\t95 %", outlierRows)
	printTask(w, records, "WEAT test\teffect size\t95 %\tp\tRND of A\tRND of B\twords of X, Y, A, B", biasRows)
	printTask(w, records, "sentences\tpairs\tpooling\tSpearman\t95 %\tPearson\tmean\tweighted\tsif\tsif-set", sentenceRow)
	printTask(w, records, "retrieval\tdocuments\tqueries\tfound by\tnDCG@10\t95 %\tMAP\tMRR@10\trecall@10\trecall@100", retrievalRows)
	printTask(w, records, "classification\ttexts\tlabels\ttrained on\tpooling\taccuracy\t95 %\tmacro F1\t95 %", classificationRow)
	printTask(w, records, "clustering\ttexts\tclusters\tpooling\tV-measure\t95 %\thomogeneity\tcompleteness\tpurity", clusteringRow)
}

func classificationRow(t io.Writer, r eval.ClassificationResult) {
	samples := either(r.Samples > 0, fmt.Sprintf("%d × %d a label", r.Repeats, r.Samples), "all")
	fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Used, r.Labels, samples, r.Method, score(r.Accuracy), interval(r.CI95), score(r.MacroF1), interval(r.MacroF1CI95))
}

func clusteringRow(t io.Writer, r eval.ClusteringResult) {
	fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Used, r.Labels, r.Method, score(r.VMeasure), interval(r.CI95), score(r.Homogeneity), score(r.Completeness), score(r.Purity))
}

func categoryRow(t io.Writer, r eval.CategoryResult) {
	fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Used, r.Categories, score(r.Purity), score(r.VMeasure), interval(r.VMeasureCI95), score(r.Homogeneity), score(r.Completeness))
}

const mostClusters = 20

func outlierRows(t io.Writer, r eval.OutlierResult) {
	detected := 0
	for _, c := range r.Clusters {
		detected += c.Detected
		if len(r.Clusters) <= mostClusters {
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t-\n", c.Name, c.Used, c.Detected, score(c.OPP))
		}
	}
	fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\n", r.Set, r.Used, detected, score(r.OPP), interval(r.OPPCI95))
}

func biasRows(t io.Writer, r eval.BiasResult) {
	rnd := func(l eval.BiasList) string {
		if l.RND == nil {
			return "-"
		}
		return score(l.RND.Mean)
	}
	for _, b := range r.Tests {
		effect, p := score(b.EffectSize), score(b.P)
		if b.Refused != "" {
			effect = "refused"
		}
		if b.EffectSize.Defined() && b.P == 0 {
			p = fmt.Sprintf("< %.2g", float64(b.PWithTies))
		}
		used := wording.Map([]eval.BiasList{b.X, b.Y, b.A, b.B}, func(l eval.BiasList) string { return fmt.Sprintf("%d/%d", l.Used, l.Words) })
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", b.Name, effect, interval(b.CI95), p, rnd(b.A), rnd(b.B), strings.Join(used, ", "))
	}
}

func sentenceRow(t io.Writer, r eval.SentenceResult) {
	fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Used, r.Method, score(r.Spearman), interval(r.CI95), score(r.Pearson),
		score(r.Mean.Spearman), score(r.Weighted.Spearman), score(r.SIF.Spearman), score(r.SIFSet.Spearman))
}

func retrievalRows(t io.Writer, r eval.RetrievalResult) {
	type way struct {
		name string
		eval.RetrievalScores
	}
	ways := []way{{"mean", r.Mean}, {"weighted", r.Weighted}, {"sif", r.SIF}}
	if r.Method == eval.SentenceMethod(pooling.DBOW) {
		ways = append(ways, way{string(r.Method), r.DBOW})
	}
	for _, way := range append(ways, way{"bm25", r.BM25}, way{"hybrid of " + string(r.Method) + " and bm25", r.Hybrid}) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Documents, r.Used, way.name, score(way.NDCG10.Score), interval(way.NDCG10.CI95),
			score(way.MAP.Score), score(way.MRR10.Score), score(way.Recall10.Score), score(way.Recall100.Score))
	}
}

type reportFlags struct {
	json, csv, markdown bool
	html                string
}

func (f *reportFlags) add(c *cobra.Command) {
	grouped(c.Flags(), "Report", func() {
		addJSON(c, &f.json)
		c.Flags().BoolVar(&f.csv, "csv", false, "print results as CSV with a header")
		c.Flags().BoolVar(&f.markdown, "markdown", false, "print results as Markdown tables")
		c.Flags().StringVar(&f.html, "html", "", "also write the results as a page of HTML to `FILE`; - is standard output")
	})
	before(c, func([]string) error { return f.check(c) })
}

func (f *reportFlags) check(c *cobra.Command) error {
	if c.Flags().Changed("html") && f.html == "" {
		return misuse(errors.New("--html is empty, want the name of a file, or - for standard output"))
	}
	var forms []string
	for _, form := range []struct {
		flag  string
		asked bool
	}{{"--json", f.json}, {"--csv", f.csv}, {"--markdown", f.markdown}, {"--html -", f.html == "-"}} {
		if form.asked {
			forms = append(forms, form.flag)
		}
	}
	if len(forms) > 1 {
		return misuse(fmt.Errorf("%s exclude each other: each is what is printed", strings.Join(forms, " and ")))
	}
	if f.html == "" || f.html == "-" {
		return nil
	}
	return atomicfile.Check(f.html)
}

// writeReport writes the page and prints the results in the selected form: a line of JSON each, or a table.
func writeReport[T any](f *reportFlags, out io.Writer, doc report.Document, results []T, table func(io.Writer)) (err error) {
	var page error
	if f.html != "" && f.html != "-" {
		page = atomicfile.Write(f.html, doc.HTML)
	}
	switch {
	case f.json:
		err = eachJSON(out, results)
	case f.csv:
		err = doc.CSV(out)
	case f.markdown:
		err = doc.Markdown(out)
	case f.html == "-":
		err = doc.HTML(out)
	default:
		table(out)
	}
	return errors.Join(err, page)
}

type answersFlags struct {
	method vectors.AnalogyMethod
	path   string
}

func (f *answersFlags) add(c *cobra.Command, methods []vectors.AnalogyMethod) {
	grouped(c.Flags(), "Task", func() {
		f.addMethod(c, methods)
		c.Flags().StringVar(&f.path, "answers", "", "also write every analogy question with the model's answer to `FILE`, in columns separated by tabs")
	})
	before(c, func([]string) error {
		switch {
		case f.path != "":
			return atomicfile.Check(f.path)
		case c.Flags().Changed("answers"):
			return misuse(errors.New("--answers is empty, want the name of a file"))
		}
		return nil
	})
}

func (f *answersFlags) addMethod(c *cobra.Command, methods []vectors.AnalogyMethod) {
	f.method = vectors.CosAdd
	addEnum(c.Flags(), &f.method, "method", "how answers to analogies are scored; 3cosavg and lrcos need relations, as in BATS", choicesOf(methods, nil))
}

// split answers questions of four words by another method if the chosen one is for relations alone.
func (f *answersFlags) split(s streams, o *eval.Options, sets []eval.SetFile) {
	has := func(t eval.Task) bool {
		return slices.ContainsFunc(sets, func(s eval.SetFile) bool { return s.Set.Task == t })
	}
	if !slices.Contains(vectors.AnalogyMethods(), f.method) && has(eval.TaskRelation) && has(eval.TaskAnalogy) {
		o.Method = vectors.CosAdd
		s.note("--method %s is for relations: questions of four words are answered with %s", f.method, vectors.CosAdd)
	}
}

func (f *answersFlags) write(records []eval.Record) error {
	if f.path == "" {
		return nil
	}
	exact := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return atomicfile.Write(f.path, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprintln(out, "set\tsection\ta\tb\tc\texpected\tanswer\toutcome\tscore\tprobability")
		for _, r := range records {
			for _, a := range r.Result.Answers {
				outcome, score, probability := "missing", "", ""
				if a.Used {
					outcome, score = "wrong", exact(a.Score)
				}
				if a.Correct {
					outcome = "right"
				}
				if a.Probability > 0 {
					probability = exact(a.Probability)
				}
				fmt.Fprintln(out, strings.Join([]string{r.Set, a.Section, a.Words[0], a.Words[1], a.Words[2], a.Words[3], a.Answer, outcome, score, probability}, "\t"))
			}
		}
		return out.Flush()
	})
}

func (f *evalCommand) addBands(c *cobra.Command) {
	c.Flags().IntSliceVar(&f.bands, "bands", nil, "print the scores of items by the rank of their rarest word; =`RANKS` are the last ranks of the bands")
	ranks := strings.Trim(strings.ReplaceAll(fmt.Sprint(eval.DefaultBands()), " ", ","), "[]")
	c.Flags().Lookup("bands").NoOptDefVal = ranks
}

// A recordLine is a record as a line of JSON: the fields of its result, then those that the result lacks.
type recordLine struct{ eval.Record }

func (r recordLine) MarshalJSON() ([]byte, error) {
	var has map[string]json.RawMessage
	line, err := json.Marshal(r.Result)
	more, errMore := json.Marshal(r.Record)
	if err := errors.Join(err, errMore, json.Unmarshal(line, &has)); err != nil {
		return nil, err
	}
	line = line[:len(line)-1]
	fields := json.NewDecoder(bytes.NewReader(more))
	_, err = fields.Token() // the brace
	for err == nil && fields.More() {
		var value json.RawMessage
		name, _ := fields.Token()
		if err = fields.Decode(&value); err == nil && has[name.(string)] == nil {
			if len(line) > 1 {
				line = append(line, ',')
			}
			line = fmt.Appendf(line, "%q:%s", name, value)
		}
	}
	return append(line, '}'), err
}

func eachOf[R any](print func(io.Writer, R)) func(io.Writer, []eval.Record) {
	return func(w io.Writer, records []eval.Record) {
		for _, r := range resultsOf[R](records) {
			print(w, r)
		}
	}
}

func printRelation(w io.Writer, r eval.RelationResult) {
	printAnalogy(w, r.AnalogyResult)
	fmt.Fprintf(w, "%s, of which %s a missing word\n", wording.Count(r.Pairs, "pair", "pairs"), wording.Count(r.Unpaired, "has", "have"))
}
