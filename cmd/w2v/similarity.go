package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A pairSimilarity is what w2v similarity prints of two words. Its JSON is read by scripts.
type pairSimilarity struct {
	A           string              `json:"a"`
	B           string              `json:"b"`
	FoundAs     map[string]string   `json:"found_as,omitempty"`    // the other spellings of a and b
	Similarity  *float64            `json:"similarity"`            // cosine; null if a word has no vector, or one without direction
	Distance    *float64            `json:"distance,omitempty"`    // 1 less the cosine, with --distance
	Composed    []string            `json:"composed,omitempty"`    // a, b: those that n-grams were composed to
	Missing     []string            `json:"missing,omitempty"`     // a, b: those that have no vector
	Suggestions map[string][]string `json:"suggestions,omitempty"` // for what is missing
}

func newSimilarity(s streams) *cobra.Command {
	var f modelFlags
	var asJSON, distance, one bool
	var from string
	c := command("similarity", cobra.MinimumNArgs(1), s.asking(f.opening, func(_ context.Context, words *finder, args []string) error {
		in := s.queries(words.Finder, args)
		together, check := 2, args
		cut := func(line string) ([]string, string) {
			pair := fields(line, 2)
			return pair, when(len(pair) != 2, "two words")
		}
		if one {
			together, check = 1, append(args, from)
			cut = func(line string) ([]string, string) {
				if word := strings.Trim(line, white); word != "" {
					return []string{from, word}, ""
				}
				return nil, ""
			}
		}
		if err := words.checkExpressions(check...); err != nil {
			return err
		}
		words.absent.one, words.absent.what = "pair", "pairs"
		return answerEach(words, questions(args, together, in, s.edited(in), cut), func(pair []string) error {
			words.absent.all++
			if len(pair) == 1 {
				pair = []string{from, pair[0]}
			}
			r, err := words.similarity([2]string(pair))
			if err != nil {
				return err
			}
			if distance && r.Similarity != nil {
				r.Distance = new(1 - *r.Similarity)
			}
			if asJSON {
				return printJSON(words.out, r)
			}
			if r.Similarity != nil {
				fmt.Fprintln(words.out, r.line())
			}
			return nil
		})
	}))
	c.Flags().StringVar(&from, "from", "", "compare this `WORD` with each of the others")
	c.Flags().BoolVar(&distance, "distance", false, "print the cosine distance, 1 less the cosine")
	f.add(c)
	addJSON(c, &asJSON)
	before(c, func(args []string) error {
		if one = c.Flags().Changed("from"); !one && len(args)%2 == 0 {
			return misuse(fmt.Errorf("words come in pairs, and %q is alone", args[len(args)-1]))
		}
		return checkLength(append(args[1:], from)...)
	})
	return c
}

func (f *finder) similarity(pair [2]string) (pairSimilarity, error) {
	r := pairSimilarity{A: pair[0], B: pair[1], FoundAs: map[string]string{}, Suggestions: map[string][]string{}}
	var found [2]query.Found
	absent := f.absent
	for i, word := range pair {
		name := string("ab"[i])
		w, err := f.find(make([]float32, f.set.Dim()), word, nil)
		if err != nil {
			return r, err
		}
		found[i] = w
		switch {
		case w.Missing():
			r.Missing = append(r.Missing, name)
			near := f.suggestions.For(w)
			if len(near) > 0 {
				r.Suggestions[name] = near
			}
			absent.sayFound(w, near)
		case w.Composed():
			r.Composed = append(r.Composed, name)
		}
		if as := w.FoundAs(); as != "" {
			r.FoundAs[name] = as
		}
	}
	if len(r.Missing) > 0 {
		absent.count(found[0].Wrong != nil || found[1].Wrong != nil)
		return r, nil
	}
	x := vectors.Cosine(found[0].Vector, found[1].Vector)
	if math.IsNaN(x) {
		absent.n++
		fmt.Fprintf(absent.to, "w2v: %s: %.80q and %.80q have no cosine: a vector is zero or not finite\n", absent.model, pair[0], pair[1])
		return r, nil
	}
	r.Similarity = &x
	return r, nil
}

func (r pairSimilarity) line() string {
	x := *r.Similarity
	if r.Distance != nil {
		x = *r.Distance
	}
	space := either(strings.Contains(r.A+r.B, " "), "\t", " ")
	text := fmt.Sprintf("%s%s%s%s%.4f", r.A, space, r.B, space, x)
	composed := map[string]string{"a": r.A, "b": r.B, "ab": "both"}[strings.Join(r.Composed, "")]
	return text + when(composed != "", " (%s composed from n-grams)", composed)
}

// An oddOne is what w2v doesnt-match prints of some words. Its JSON is read by scripts.
type oddOne struct {
	Odd     *string           `json:"odd"`                // null if fewer than three words have vectors
	Words   []query.Ranked    `json:"words"`              // words with vectors, the odd one first
	FoundAs map[string]string `json:"found_as,omitempty"` // the other spellings of words
	Missing []string          `json:"missing,omitempty"`
}

func newDoesntMatch(s streams) *cobra.Command {
	var f modelFlags
	var asJSON bool
	c := command("doesnt-match", cobra.MinimumNArgs(1), s.asking(f.opening, func(_ context.Context, words *finder, args []string) error {
		cut := func(line string) ([]string, string) {
			asked := strings.FieldsFunc(line, isWhite)
			if strings.Contains(line, "\t") {
				asked = fields(line, strings.Count(strings.Trim(line, white), "\t")+1)
			}
			return asked, when(len(asked) < 3, "three words or more")
		}
		in := s.queries(words.Finder, args)
		return answerEach(words, questions(args, max(1, len(args)), in, s.edited(in), cut), func(asked []string) error {
			odd, err := words.odd(asked)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(words.out, odd)
			}
			odd.print(words.out, len(args) > 0)
			return nil
		})
	}))
	f.add(c)
	addJSON(c, &asJSON)
	checked(c, func(args []string) error {
		const few = "it takes three words or more to tell which one matches the others least, and there "
		return broken(rule{len(args) == 2, few + "is one"}, rule{len(args) == 3, few + "are 2"})
	})
	noLongWords(c)
	return c
}

func (f *finder) odd(asked []string) (oddOne, error) {
	absent := f.absent
	for _, word := range asked {
		f.spelling(word) // records the spelling
	}
	ranking, err := f.DoesntMatch(asked)
	if err != nil {
		return oddOne{}, err
	}
	absent.all += len(asked)
	for _, word := range ranking.Missing {
		if _, id := f.Spelling(word); id >= 0 {
			absent.noDirection(word)
		} else {
			absent.add(word, f.suggestions.Word(word)...)
		}
	}
	r := oddOne{Words: ranking.Words, FoundAs: ranking.FoundAs, Missing: ranking.Missing}
	if odd, ok := ranking.Odd(); ok {
		r.Odd = &odd
	} else {
		fmt.Fprintf(absent.to, "w2v: %s: %s, and it takes three to tell which one matches the others least\n", absent.model, wording.Of(len(ranking.Words), len(asked), "word", "words", "has a vector", "have vectors"))
	}
	return r, nil
}

func (r oddOne) print(out io.Writer, alone bool) {
	if r.Odd == nil {
		return
	}
	indent := ""
	if !alone {
		fmt.Fprintf(out, "%s\n", *r.Odd)
		indent = "  "
	}
	list := wording.Map(r.Words, func(w query.Ranked) vectors.Neighbor { return vectors.Neighbor{Word: w.Word, Similarity: w.Similarity} })
	printNeighbors(out, indent, list)
}

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
	c := command("analogy", func(_ *cobra.Command, args []string) error {
		if len(args) != 1 && len(args) != 4 {
			return errors.New("words come by three")
		}
		return nil
	}, s.asking(func() opening { return f.answers.opening(&f.modelFlags) }, func(ctx context.Context, words *finder, args []string) error {
		from, err := f.answers.answerer(s, words)
		if err != nil {
			return err
		}
		if len(args) == 0 {
			return f.analogies(ctx, s, words, from)
		}
		results, err := words.answer(ctx, [][]string{args}, from, f.method)
		if err == nil {
			err = results[0].err
		}
		if err != nil {
			return fmt.Errorf("%s: %w", words.path, err)
		}
		return s.print(f.asJSON, results[0], func(w io.Writer) { printNeighbors(w, "", results[0].Answers) })
	}))
	f.answers.add(c, "answers", "words", 10, func(args []string) bool { return len(args) == 1 })
	addAnalogyMethod(c, &f.method)
	f.modelFlags.add(c)
	addJSON(c, &f.asJSON)
	noLongWords(c)
	return c
}

type analogyRun struct {
	modelFlags
	answers answerFlags
	method  vectors.AnalogyMethod
	asJSON  bool
}

func (f *analogyRun) analogies(ctx context.Context, s streams, words *finder, from answerer) error {
	absent := words.absent
	absent.one, absent.what, absent.lack = "analogy", "analogies", "answer"
	in := s.queries(words.Finder, nil)
	queries := batches(nil, in, 4*vectors.MaxWord, together(from.k), absent.tooLong)
	return answerEach(words, queries, func(batch []string) error {
		questions, bad := threes(batch)
		if again := s.edited(in); again != nil && bad != nil {
			fmt.Fprintf(again, "w2v: %v\n", bad)
			bad = nil
		}
		results, err := words.answer(ctx, questions, from, f.method)
		if err != nil {
			return fmt.Errorf("%s: %w", words.path, err)
		}
		for _, r := range results {
			absent.all++
			if r.err != nil {
				absent.n++
				fmt.Fprintf(s.err, "w2v: %s: %v\n", words.path, r.err)
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
	answers, err := f.set.Analogy(ctx, vectors.AnalogyOptions{K: from.k, Method: method, Candidates: from.set}, questions...)
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
