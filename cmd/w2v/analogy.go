package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// An analogy is what w2v analogy prints. Its JSON is read by scripts.
type analogy struct {
	A       string             `json:"a"`
	B       string             `json:"b"`
	C       string             `json:"c"`
	FoundAs map[string]string  `json:"found_as,omitempty"` // the other spellings of a, b and c
	Answers []vectors.Neighbor `json:"answers"`
	err     error              // if a word has no vector
}

func newAnalogy(s streams) *cobra.Command {
	var f analogyRun
	c := &cobra.Command{
		Use:   "analogy [flags] MODEL [A B C]",
		Short: `Answer "A is to B as C is to …"`,
		Long: `Print the words that are to C as B is to A, best first. A, B and C cannot be
answers. Without words, read them from standard input, three a line; if words contain
spaces, separate them with tabs. ` + caseHelp + `
Words outside the vocabulary are composed from n-grams if the model has them. The
exit code is 1 if a word has no vector.

` + answerHelp + `

` + postHelp + `

` + interactiveHelp,
		Example: `  w2v analogy model.w2v france paris italy
  w2v analogy model.w2v france paris italy --among cities.txt --center
  w2v analogy model.w2v -k 1 --json < triples.txt`,
		Args: usage(func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 4 {
				return errors.New("words come by three")
			}
			return nil
		}),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkLength(args[1:]...); err != nil {
				return err
			}
			return s.open(c.Context(), args[0], f.answers.opening(&f.modelFlags), func(words *finder) error {
				from, err := f.answers.answerer(s, args[0], words)
				if err != nil {
					return err
				}
				if len(args) == 1 {
					return f.analogies(c.Context(), s, args[0], words, from)
				}
				results, err := words.answer(c.Context(), [][]string{args[1:]}, from, f.method)
				if err == nil {
					err = results[0].err
				}
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				return s.print(f.asJSON, results[0], func(w io.Writer) { printNeighbors(w, "", results[0].Answers) })
			})
		},
	}
	f.answers.add(c, "answers", 10, func(args []string) bool { return len(args) == 1 })
	addAnalogyMethod(c, &f.method)
	f.modelFlags.add(c)
	addJSON(c, &f.asJSON)
	return c
}

type analogyRun struct {
	modelFlags
	answers answerFlags
	method  vectors.AnalogyMethod
	asJSON  bool
}

// analogies answers the questions of standard input.
func (f *analogyRun) analogies(ctx context.Context, s streams, path string, words *finder, from answerer) error {
	absent := newMissing(s, path, words.set)
	absent.one, absent.what, absent.lack = "analogy", "analogies", "answer"
	in := s.queries(words.Finder, nil)
	queries := batches(nil, in, 4*vectors.MaxWord, together(from.k), absent.tooLong)
	return answerEach(words, absent, queries, func(batch []string) error {
		questions, bad := threes(batch)
		if again := s.edited(in); again != nil && bad != nil {
			fmt.Fprintf(again, "w2v: %v\n", bad)
			bad = nil
		}
		results, err := words.answer(ctx, questions, from, f.method)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, r := range results {
			absent.all++
			if r.err != nil {
				absent.n++
				fmt.Fprintf(s.err, "w2v: %s: %v\n", path, r.err)
			}
			switch {
			case f.asJSON:
				if err := printJSON(words.out, r); err != nil {
					return err
				}
			case r.err == nil:
				fmt.Fprintf(words.out, "%s %s %s\n", r.A, r.B, r.C)
				printNeighbors(words.out, "  ", r.Answers)
			}
		}
		return bad
	})
}

// threes splits lines into three words each, up to the first line that does not have three words.
func threes(lines []string) (questions [][]string, err error) {
	for _, line := range lines {
		words := fields(line, 3)
		if len(words) != 3 {
			return questions, fmt.Errorf("standard input: expected three words, found %d in %.60q", len(words), line)
		}
		questions = append(questions, words)
	}
	return questions, nil
}

// answer answers each question: the first word is to the second as the third is to the answer.
func (f *finder) answer(ctx context.Context, asked [][]string, from answerer, method vectors.AnalogyMethod) ([]analogy, error) {
	results := make([]analogy, len(asked))
	questions := make([][3]string, len(asked))
	for i, words := range asked {
		r := analogy{A: words[0], B: words[1], C: words[2], FoundAs: map[string]string{}}
		for j, word := range words {
			questions[i][j] = f.spelling(word)
			if questions[i][j] != word {
				r.FoundAs[string("abc"[j])] = questions[i][j]
			}
		}
		results[i] = r
	}
	answers, err := f.set.Analogy(ctx, vectors.AnalogyOptions{K: from.k, Method: method, Among: from.set}, questions...)
	if err != nil {
		return nil, err
	}
	for i, a := range answers {
		results[i].Answers, results[i].err = from.cut(a.Neighbors), a.Err
		e, ok := errors.AsType[*vectors.MissingWordError](a.Err)
		if !ok {
			continue
		}
		results[i].Answers = []vectors.Neighbor{}
		at := slices.Index(questions[i][:], e.Word)
		e.Word = asked[i][at]
		if _, known := f.set.ID(questions[i][at]); !known {
			results[i].err = fmt.Errorf("%w%s", e, orElse(f.suggestions.Word(e.Word)))
		}
	}
	return results, nil
}
