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
	c.AddCommand(newEvalSimilarity(s), newEvalAnalogy(s), newEvalRelation(s), newEvalBuiltin(s))
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
	c := command("eval-analogy", modelAndSets, func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) })
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
	c := command("eval-relation", modelAndSets, func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) })
	f.answers.add(c, eval.RelationMethods())
	addRestrict(c, &f.options.Restrict, ", in pairs and as answers")
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals and of the other words of lrcos")
	f.add(c)
	return c
}

func newEvalSimilarity(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskSimilarity, print: printSimilarity}
	c := command("eval-similarity", modelAndSets, func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) })
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
	c := command("eval-builtin", func(c *cobra.Command, args []string) error {
		if len(args) == 0 && folder != "" {
			return nil
		}
		return fileCalled(c, args, usage(cobra.ExactArgs(1))(c, args))
	}, func(c *cobra.Command, args []string) error {
		if folder != "" {
			if err := writeBuiltin(folder); err != nil {
				return err
			}
		}
		if len(args) == 0 {
			return nil
		}
		return fileCalled(c, args, f.run(c, s, args))
	})
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
