package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	var answers answerFlags
	var method vectors.AnalogyMethod
	var asJSON bool
	var letters caseFlag
	var post postFlags
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
			if err := cmp.Or(misuse(errors.Join(answers.check(c, len(args) == 1), post.check(c))), checkLength(args[1:]...)); err != nil {
				return err
			}
			o := opening{rule: letters.rule(c), post: &post, whole: true, leftOut: true}
			if answers.among.file == "" {
				o.empty = errNoAnswers
			}
			return s.open(c.Context(), args[0], o, func(words *finder) error {
				from, err := answers.answerer(c, s, words)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				if len(args) == 1 {
					return words.analogies(c.Context(), s, args[0], from, method, asJSON)
				}
				results, err := words.answer(c.Context(), [][]string{args[1:]}, from, method)
				if err == nil {
					err = results[0].err
				}
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				if asJSON {
					return printJSON(s.out, results[0])
				}
				return printNeighbors(s.out, "", results[0].Answers)
			})
		},
	}
	answers.add(c, "answers", 10)
	addAnalogyMethod(c, &method)
	letters.add(c)
	post.add(c)
	addJSON(c, &asJSON)
	return c
}

// analogies answers the questions of standard input.
func (f *finder) analogies(ctx context.Context, s streams, path string, from answerer, method vectors.AnalogyMethod, asJSON bool) (err error) {
	out := newBuffered(s.out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	absent := newMissing(s, path, f.set)
	absent.one, absent.what, absent.lack = "analogy", "analogies", "answer"
	in := s.queries(f.Finder, nil)
	for batch, err := range batches(nil, in, 4*vectors.MaxWord, together(from.k), absent.tooLong) {
		if err != nil {
			return errors.Join(err, absent.err())
		}
		questions, bad := threes(batch)
		if again := s.edited(in); again != nil && bad != nil {
			fmt.Fprintf(again, "w2v: %v\n", bad)
			bad = nil
		}
		results, err := f.answer(ctx, questions, from, method)
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
			case asJSON:
				err = printJSON(out, r)
			case r.err == nil:
				fmt.Fprintf(out, "%s %s %s\n", r.A, r.B, r.C)
				err = printNeighbors(out, "  ", r.Answers)
			}
			if err != nil {
				return err
			}
		}
		if err := errors.Join(out.Flush(), bad); err != nil { // another program may be waiting for the answers
			return err
		}
	}
	return absent.err()
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
