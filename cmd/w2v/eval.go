package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

func newEval(s streams) *cobra.Command {
	f := &evalCommand{tasks: &taskFlags{}}
	runs := &runsFlags{}
	c := &cobra.Command{
		Use:   "eval [flags] MODEL SET|FOLDER...",
		Short: "Score a model on evaluation sets of any task",
		Long: `Score MODEL on each SET, whose task is recognised by its content: word similarity,
analogies, relations of pairs (BATS), categories, outliers, word lists of WEAT, and sentence similarity. Of a
FOLDER, all sets below it are used; other files are named and skipped. Files may be
compressed; - is standard input.

Each score has the number of items that were used, and of words without vectors, by
name with --show-missing. With --json, a line for each set records the score, the
conventions about missing words side by side, all settings, and the checksums of the
set and of the model. docs/evaluation.md defines every score.

The exit code is 1 if a set could not be read, or if nothing of a set could be scored.
A model in a file called like one of the commands below is ./NAME.

` + runsHelp + "\n\n" + taskHelp + "\n\n" + foldHelp + "\n\n" + postHelp + "\n\n" + reportHelp,
		Example: `  w2v eval model.w2v wordsim353.tsv questions-words.txt
  w2v eval --runs seed1.w2v seed2.w2v seed3.w2v --sets sets/
  w2v eval model.w2v sets/ --json > record.jsonl
  w2v eval model.w2v sets/ --restrict 300000 --fold-vocab
  w2v eval similarity nested.w2v wordsim353.tsv --first 32`,
		Args: func(c *cobra.Command, args []string) error {
			least := either(runs.sets.from >= 0, 1, 2) // the set is with the flag
			return usage(cobra.MinimumNArgs(least))(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if runs.all {
				return f.runModels(c, s, runs, args)
			}
			return f.run(c, s, args)
		},
	}
	f.add(c)
	f.addOptions(c)
	runs.add(c)
	addTask(c, &f.task)
	c.AddCommand(newEvalSimilarity(s), newEvalAnalogy(s), newEvalRelation(s), newEvalBuiltin(s))
	return c
}

type spellingFlags struct {
	letters caseFlag
	fold    bool
}

const foldHelp = `--fold-vocab treats words with the same upper-case form as one word; the first of
them in the vocabulary gives the vector. This is gensim's default.`

func (f *spellingFlags) add(c *cobra.Command) {
	f.letters.add(c)
	c.Flags().BoolVar(&f.fold, "fold-vocab", false, "treat words with the same upper-case form as one word, in sets and in the vocabulary, where the first one counts: gensim's case_insensitive=True")
	checked(c, func([]string) error {
		return broken(rule{f.fold && f.letters.flag.Changed, "--fold-vocab and --ignore-case exclude each other: the one is about the vocabulary, the other about the words of the set"})
	})
}

func addRestrict(c *cobra.Command, to *int, what string) {
	c.Flags().IntVar(to, "restrict", 0, "use only the `N` most frequent words"+what+"; 0 uses all")
	limit(c.Flags(), 0, math.Inf(1), "restrict")
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

func caseNote(ignored, folded bool) string {
	switch {
	case folded:
		return "words and vocabulary in upper case"
	case ignored:
		return "words looked up as they are, then in lower case"
	}
	return "words looked up as they are"
}

func interval(i eval.Interval) string {
	return either(i.Known, fmt.Sprintf("%.3f…%.3f", i.Low, i.High), "-")
}

func newEvalAnalogy(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskAnalogy, print: eachOf(printAnalogy)}
	c := &cobra.Command{
		Use:   "analogy [flags] MODEL SET...",
		Short: "Score a model on analogy questions",
		Long: `For each SET and its sections, print how many questions "a is to b as c is to d" the
model answers with d. Each line of a set has four words; sections begin with
": name". Several right answers are written d1/d2. Words outside the vocabulary are composed from n-grams if the model has
them. A question is counted as missing and not scored if a word has no vector or is
not among the --restrict most frequent words. The exit code is 1 if no question of a
set could be scored. --answers writes the model's answer to every question.

` + foldHelp,
		Example: `  w2v eval analogy model.w2v questions-words.txt --restrict 30000
  w2v eval analogy model.w2v questions-words.txt --fold-vocab --restrict 300000`,
		Args: modelAndSets,
		RunE: func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) },
	}
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
		r.Method, among, interval(r.CI95), wording.Count(r.OOV, "question", "questions"), caseNote(r.IgnoreCase, r.FoldVocab))
	if v := r.InVocabulary; v != nil && r.Composed > 0 {
		fmt.Fprintf(w, "without the %s with composed words: %d of %d, %s\n", wording.Count(r.Composed, "question", "questions"), v.Correct, v.Used, score(v.Accuracy))
	}
}

func newEvalRelation(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskRelation, print: eachOf(printRelation)}
	c := &cobra.Command{
		Use:   "relation [flags] MODEL SET|FOLDER...",
		Short: "Score a model on relations of word pairs, as in BATS",
		Long: `For each relation of each SET, print how many questions about its pairs the model
answers. A file has one relation; a line has a word, a tab, and its answers, with
slashes between several right ones. The files of a FOLDER are one set.

With 3cosadd, 3cosmul and pairdirection, each two pairs make two questions, "a is to b
as c is to ?". With 3cosavg and lrcos, each pair makes one: what is to its word as in
all other pairs. lrcos learns which words are answers by logistic regression; the
words that it takes as examples of other words depend on --seed and are in the JSON.
--answers writes the model's answer to every question.

` + foldHelp,
		Example: `  w2v eval relation model.w2v BATS/ --method 3cosavg
  w2v eval relation model.w2v capitals.txt --method lrcos --answers answers.tsv`,
		Args: modelAndSets,
		RunE: func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) },
	}
	f.answers.add(c, eval.RelationMethods())
	addRestrict(c, &f.options.Restrict, ", in pairs and as answers")
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals and of the other words of lrcos")
	f.add(c)
	return c
}

func newEvalSimilarity(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskSimilarity, print: printSimilarity}
	c := &cobra.Command{
		Use:   "similarity [flags] MODEL SET...",
		Short: "Score a model on word pairs with human judgements",
		Long: `For each SET, print the Spearman and Pearson correlation of cosines with the set's
numbers. Each line of a set has two words and a number. Words outside the vocabulary
are composed from n-grams if the model has them. A pair with a word that has no
vector is counted as missing and not scored. The exit code is 1 if no pair of a set
could be scored.

` + foldHelp,
		Example: `  w2v eval similarity model.w2v wordsim353.tsv simlex999.tsv
  w2v eval similarity model.w2v wordsim353.tsv --fold-vocab --restrict 300000`,
		Args: modelAndSets,
		RunE: func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) },
	}
	addRestrict(c, &f.options.Restrict, "")
	f.add(c)
	return c
}

func printSimilarity(w io.Writer, records []eval.Record) {
	results := resultsOf[eval.SimilarityResult](records)
	t := newTable(w)
	fmt.Fprintln(t, "set\tpairs\tused\tmissing\tcomposed\tspearman\t95 %\tpearson\tspearman in vocabulary")
	for _, r := range results {
		inVocabulary := score(r.Spearman)
		if r.InVocabulary != nil {
			inVocabulary = fmt.Sprintf("%s (%s)", score(r.InVocabulary.Spearman), wording.Count(r.InVocabulary.Used, "pair", "pairs"))
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", r.Set, r.Pairs, r.Used, r.OOV, r.Composed,
			score(r.Spearman), interval(r.CI95), score(r.Pearson), inVocabulary)
	}
	t.Flush()
	among := when(results[0].Restrict > 0, ", among the %s most frequent", wording.Thousands(results[0].Restrict))
	fmt.Fprintln(w, caseNote(results[0].IgnoreCase, results[0].FoldVocab)+among)
}

func newEvalBuiltin(s streams) *cobra.Command {
	var folder string
	f := &evalCommand{tasks: new(taskFlags)}
	f.read = func(streams, []string) ([]eval.SetFile, error, error) {
		sets, err := builtinSets(f.task)
		return sets, nil, err
	}
	c := &cobra.Command{
		Use:   "builtin [flags] MODEL",
		Short: "Score a model on the built-in sets",
		Long: `Score MODEL on sets that are part of w2v, one of each task: English words of every day,
their kinds, forms and attributes. They are made of the tables of facts that the demo's
text is made of. No person judged the pairs of the similarity set: the number of a pair
counts what its words have in common. docs/evaluation.md says how. The sets show in
seconds whether a model has learned English words; published sets are for comparing
models.

--write FOLDER writes the sets as files, for other programs. With it, MODEL may be left
out.

` + taskHelp + "\n\n" + foldHelp + "\n\n" + postHelp + "\n\n" + reportHelp,
		Example: `  w2v eval builtin model.w2v
  w2v eval builtin --write sets`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && folder != "" {
				return nil
			}
			return fileCalled(c, args, usage(cobra.ExactArgs(1))(c, args))
		},
		RunE: func(c *cobra.Command, args []string) error {
			if folder != "" {
				if err := writeBuiltin(folder); err != nil {
					return err
				}
			}
			if len(args) == 0 {
				return nil
			}
			return fileCalled(c, args, f.run(c, s, args))
		},
	}
	f.add(c)
	f.addOptions(c)
	addEnum(c.Flags(), &f.task, "task", "score the set of this task alone", choicesOf(eval.Tasks(), nil))
	c.Flags().StringVar(&folder, "write", "", "write the sets as files to `FOLDER`")
	return c
}

func builtinSets(task eval.Task) ([]eval.SetFile, error) {
	contents := mapped(demo.Sets(), func(s demo.Set) eval.Content { return eval.Content{Path: "builtin/" + s.Path, Text: []byte(s.Text)} })
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
	return mapped(demo.Sets(), func(set demo.Set) string { return filepath.Join(folder, filepath.FromSlash(set.Path)) })
}

func addTask(c *cobra.Command, to *eval.Task) {
	addEnum(c.Flags(), to, "task", "the task of all sets, instead of recognising it", choicesOf(eval.Tasks(), nil))
}
