package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// A Tally counts questions.
type Tally struct {
	Questions int   `json:"questions"`
	Used      int   `json:"used"`     // questions whose words were all found
	Correct   int   `json:"correct"`  // used questions whose answer came first
	Accuracy  Score `json:"accuracy"` // Correct / Used, from 0 to 1
}

// A SectionResult is the score of a section of a set.
type SectionResult struct {
	Name string `json:"name"`
	Tally
	CI95 Interval `json:"ci95,omitzero"` // bootstrap confidence interval of Accuracy
}

// An AnalogyResult says how many questions of a set were answered correctly. Used + OOV =
// Questions.
type AnalogyResult struct {
	Set string `json:"set"`
	Tally
	Sections []SectionResult `json:"sections"`

	OOV int `json:"oov"` // questions not used because a word is missing
	// CI95 is the bootstrap confidence interval of Accuracy.
	CI95 Interval `json:"ci95,omitzero"`
	// Semantic and Syntactic split the sections as is usual for questions-words. Sections whose
	// names start with "gram" are syntactic. Both are nil if no section has such a name.
	Semantic  *Tally `json:"semantic,omitempty"`
	Syntactic *Tally `json:"syntactic,omitempty"`
	// Composed is the number of used questions with a word composed of its n-grams.
	Composed int `json:"composed"`
	// InVocabulary is the score without the questions counted in Composed. It is nil for vectors
	// without subwords.
	InVocabulary *AnalogyScores `json:"in_vocabulary,omitempty"`

	Method     vectors.AnalogyMethod `json:"method"`
	Restrict   int                   `json:"restrict"`    // 0 for the whole vocabulary
	IgnoreCase bool                  `json:"ignore_case"` // words are also found in another case; see Options
	FoldVocab  bool                  `json:"fold_vocab,omitempty"`
	AsTrained  bool                  `json:"as_trained,omitempty"` // words are also found as the training text has them; see Options
	// Missing lists the words that kept questions from being used, as the set spells them, in the
	// order of their first mention. With Restrict, it includes words that are in the vocabulary but
	// not among the candidates.
	Missing []string `json:"missing"`
}

// AnalogyScores are scores over a part of a set's questions.
type AnalogyScores struct {
	Used     int   `json:"used"`
	Correct  int   `json:"correct"`
	Accuracy Score `json:"accuracy"`
}

// scoreAnalogy asks every question "a is to b as c is to ?" and counts how often the best candidate is
// the fourth word. A question is used if its answer is a candidate and each of its other words either is
// a candidate or is not in the vocabulary and can be composed of n-grams: as in word2vec and gensim, a
// word of the vocabulary that is not a candidate is missing.
func scoreAnalogy(ctx context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	asked := newSolver(words, opt, opt.Method)
	r := AnalogyResult{Sections: make([]SectionResult, len(set.Sections))}
	for i, part := range set.Sections {
		for _, q := range part.Questions {
			asked.add(i, part.Name, q)
		}
		r.Sections[i].Name = part.Name
		r.Sections[i].Questions = len(part.Questions)
	}
	result, err := r.fill(ctx, set.Name, asked, opt)
	result.Details = r
	return result, err
}

func checkAnalogy(o *Options) error {
	if o.Method == CosAvg || o.Method == LRCos {
		return fmt.Errorf("eval: %s needs relations of many pairs, as in BATS; questions of four words are answered by %s, %s or %s",
			o.Method, vectors.CosAdd, vectors.CosMul, vectors.PairDirection)
	}
	if err := o.Method.Validate(); err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	o.Method = cmp.Or(o.Method, vectors.CosAdd)
	return nil
}

// fill answers the questions and computes all scores. It returns the result without its details.
func (r *AnalogyResult) fill(ctx context.Context, name string, asked *solver, opt Options) (Result, error) {
	answers, err := asked.answer(ctx)
	if err != nil {
		return Result{}, err
	}
	asked.note(answers)
	r.Set, r.Method, r.Missing = name, asked.method, asked.words.missing.words
	r.Restrict, r.IgnoreCase, r.FoldVocab, r.AsTrained = opt.Restrict, asked.words.ignoresCase(), opt.FoldVocab, asked.words.words.AsTrained()
	var known Tally
	for i := range asked.problems {
		p := &asked.problems[i]
		right := asked.right(p, answers.id[i])
		r.Sections[p.section].count(right)
		if p.composed {
			r.Composed++
		} else {
			known.count(right)
		}
	}
	r.total()
	if asked.words.composes() {
		known.finish()
		r.InVocabulary = &AnalogyScores{Used: known.Used, Correct: known.Correct, Accuracy: known.Accuracy}
	}
	sample := accuracySample(asked.asked)
	r.CI95 = bootstrap(sample, opt)
	sum := Summary{
		Metric: "accuracy", Score: r.Accuracy, Interval: r.CI95, Items: r.Questions, Used: r.Used, Composed: r.Composed, Missing: r.Missing,
	}
	rest := asked.asked
	for i := range r.Sections {
		section := &r.Sections[i]
		section.CI95 = bootstrap(accuracySample(rest[:section.Questions]), opt)
		rest = rest[section.Questions:]
		sum.Parts = append(sum.Parts, Part{Name: section.Name, Metric: "accuracy", Score: section.Accuracy, Interval: section.CI95, Items: section.Questions, Used: section.Used})
	}
	return Result{Summary: sum, Sample: sample, Answers: asked.asked, zero: new(Score(float64(r.Correct) / float64(r.Questions)))}, nil
}

func (r *AnalogyResult) total() {
	var parts [2]Tally // semantic, syntactic
	split := false
	for i := range r.Sections {
		section := &r.Sections[i]
		section.finish()
		r.merge(section.Tally)
		of := 0
		if strings.HasPrefix(section.Name, "gram") {
			of, split = 1, true
		}
		parts[of].merge(section.Tally)
	}
	r.finish()
	r.OOV = r.Questions - r.Used
	if split {
		r.Semantic, r.Syntactic = parts[0].finish(), parts[1].finish()
	}
}

func (t *Tally) count(right bool) {
	t.Used++
	t.Correct += int(oneIf(right))
}

func (t *Tally) merge(part Tally) {
	t.Questions += part.Questions
	t.Used += part.Used
	t.Correct += part.Correct
}

func (t *Tally) finish() *Tally {
	// Without used questions this is 0/0: the Score is undefined.
	t.Accuracy = Score(float64(t.Correct) / float64(t.Used))
	return t
}

// A Question is an analogy of four words: the first is to the second as the third is to the
// fourth. The fourth word is the answer.
type Question [4]string

// A QuestionSection is a named part of an analogy set.
type QuestionSection struct {
	Name      string
	Questions []Question
}

// UnnamedSection is the name of the section for questions before the first section line.
const UnnamedSection = "questions"

// readQuestions reads an analogy set in the form of questions-words.txt. A question is a line of
// four words. A line of a colon and a name starts a section, or continues the section of that
// name: in files of the MSR set, every question is preceded by its section.
func readQuestions(t *text, set *Set) error {
	current := -1
	enter := func(title string) {
		current = slices.IndexFunc(set.Sections, func(s QuestionSection) bool { return s.Name == title })
		if current < 0 {
			current = len(set.Sections)
			set.Sections = append(set.Sections, QuestionSection{Name: title})
		}
	}
	return t.eachLine(func(line string) error {
		if title, ok := strings.CutPrefix(line, ":"); ok {
			title = strings.TrimSpace(title)
			if title == "" {
				return errors.New("want the name of a section after the colon")
			}
			enter(title)
			return nil
		}
		words := strings.Fields(line)
		if len(words) != 4 {
			return fmt.Errorf("want four words or a colon and the name of a section, not %q", excerpt(line))
		}
		if current < 0 {
			enter(UnnamedSection)
		}
		part := &set.Sections[current]
		part.Questions = append(part.Questions, Question(words))
		return checkWords(words...)
	})
}

func alternatives(word string) []string {
	var parts []string
	for part := range strings.SplitSeq(word, "/") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// Answered is a question and the vectors' answer.
type Answered struct {
	Section string
	Words   [4]string // as the set spells them; slashes separate several right answers in the fourth
	Used    bool      // false if a word of the question is missing; the fields below are then unset
	Answer  string    // the best candidate; empty if no candidate has a direction
	Score   float64   // of the answer, by the method; 0 without an answer
	// Probability is the probability that the answer belongs to the relation; only for LRCos.
	Probability float64
	Correct     bool
	item        Item
}

func accuracySample(asked []Answered) Sample {
	var items []Item
	var values []float64
	for _, a := range asked {
		if a.Used {
			items, values = append(items, a.item), append(values, oneIf(a.Correct))
		}
	}
	return meanSample(items, values)
}
