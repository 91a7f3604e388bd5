package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
)

// answersFlags say how questions are answered, and where the answers go.
type answersFlags struct {
	method vectors.AnalogyMethod
	path   string
}

// add adds the flags. The methods are those of relations, or only those of four-word questions.
func (f *answersFlags) add(c *cobra.Command, methods []vectors.AnalogyMethod) {
	grouped(c.Flags(), "Task", func() {
		f.addMethod(c, methods)
		c.Flags().StringVar(&f.path, "answers", "", "also write every analogy question with the model's answer to `FILE`, in columns separated by tabs")
	})
}

// addMethod adds the flag about how questions are answered.
func (f *answersFlags) addMethod(c *cobra.Command, methods []vectors.AnalogyMethod) {
	f.method = vectors.CosAdd
	addEnum(c.Flags(), &f.method, "method", "how answers to analogies are scored; 3cosavg and lrcos need relations, as in BATS", choicesOf(methods, nil))
}

// apply sets the method of all tasks.
func (f *answersFlags) apply(o *eval.Options) {
	o.Analogy.Method, o.Relation.Method = f.method, f.method
}

// split takes another method for questions of four words if the method is for relations alone, and
// there are sets of both.
func (f *answersFlags) split(s streams, o *eval.Options, sets []eval.SetFile) {
	has := func(t eval.Task) bool {
		return slices.ContainsFunc(sets, func(s eval.SetFile) bool { return s.Set.Task() == t })
	}
	if !slices.Contains(vectors.AnalogyMethods(), f.method) && has(eval.TaskRelation) && has(eval.TaskAnalogy) {
		o.Analogy.Method = vectors.CosAdd
		s.note(fmt.Sprintf("--method %s is for relations: questions of four words are answered with %s", f.method, vectors.CosAdd))
	}
}

// check returns an error if the file cannot be written.
func (f *answersFlags) check(c *cobra.Command) error {
	if f.path == "" {
		if c.Flags().Changed("answers") {
			return &usageError{c.CommandPath(), fmt.Errorf("--answers is empty, want the name of a file")}
		}
		return nil
	}
	return atomicfile.Check(f.path)
}

// write writes the answers of all results that have some.
func (f *answersFlags) write(records []eval.Record) error {
	if f.path == "" {
		return nil
	}
	return atomicfile.Write(f.path, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprintln(out, "set\tsection\ta\tb\tc\texpected\tanswer\toutcome\tscore\tprobability")
		for _, r := range records {
			asked, ok := r.Result.(interface{ Answers() []eval.Answered })
			if !ok {
				continue
			}
			for _, a := range asked.Answers() {
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
				fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Set, a.Section,
					a.Words[0], a.Words[1], a.Words[2], a.Words[3], a.Answer, outcome, score, probability)
			}
		}
		return out.Flush()
	})
}

// exact writes a number with all digits.
func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
