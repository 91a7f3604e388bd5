package eval

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// AnalogyOptions are the settings of Analogy. The zero value works.
type AnalogyOptions struct {
	Rules // words that Restrict leaves out cannot be answers either
	// Method scores the candidates; vectors.CosAdd if empty.
	Method vectors.AnalogyMethod
}

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

// An AnalogyResult says how many questions of a QuestionSet were answered correctly. Used + OOV =
// Questions.
type AnalogyResult struct {
	Set string `json:"set"`
	Tally
	Sections []SectionResult `json:"sections"`

	OOV int `json:"oov"` // questions that were not used because a word is missing
	// CI95 is the bootstrap confidence interval of Accuracy.
	CI95 Interval `json:"ci95,omitzero"`
	// Semantic and Syntactic are the usual halves of questions-words. Sections whose
	// names start with "gram" are syntactic. Both are nil if no section has such a name.
	Semantic  *Tally `json:"semantic,omitempty"`
	Syntactic *Tally `json:"syntactic,omitempty"`
	// Composed is the number of used questions with a word that is not in the vocabulary
	// and was composed of its n-grams.
	Composed int `json:"composed"`
	// InVocabulary is the score without those questions. It is nil for vectors without
	// subwords.
	InVocabulary *AnalogyScores `json:"in_vocabulary,omitempty"`

	Method     vectors.AnalogyMethod `json:"method"`
	Restrict   int                   `json:"restrict"`    // 0 for the whole vocabulary
	IgnoreCase bool                  `json:"ignore_case"` // words are also found in another case; see Spelling
	FoldVocab  bool                  `json:"fold_vocab,omitempty"`
	// Missing lists the words because of which questions could not be used, as the set
	// writes them, in the order of their first mention. With Restrict, it includes words
	// that are in the vocabulary but not among the candidates.
	Missing []string `json:"missing"`

	asked []Answered
}

// AnalogyScores are scores over a part of a set's questions.
type AnalogyScores struct {
	Used     int   `json:"used"`
	Correct  int   `json:"correct"`
	Accuracy Score `json:"accuracy"`
}

// Analogy asks every question "a is to b as c is to ?" and counts how often the best answer is
// the fourth word. The three words of a question are never taken as its answer. If two answers
// are equally good, the more frequent word is taken. A fourth word that is not in the vocabulary
// and has slashes, as in "moved/went", stands for several right answers.
//
// Answers are chosen among the candidates: the first Restrict words of the vocabulary. A
// question is used if its answer is a candidate and each of its other words either is a
// candidate or is not in the vocabulary and can be composed of n-grams. As in word2vec and
// gensim, a question is not used if one of its words is in the vocabulary but not a candidate.
// With FoldVocab, words that differ by case alone are the same word, both as answers and as words
// of a question.
//
// The result does not depend on the number of cores. Analogy returns an error if ctx ends or an
// option is invalid.
func Analogy(ctx context.Context, s *vectors.Set, set QuestionSet, opt AnalogyOptions) (AnalogyResult, error) {
	if ctx == nil {
		return AnalogyResult{}, errors.New("eval: there is no context to ask in: it is nil")
	}
	if err := opt.validate(); err != nil {
		return AnalogyResult{}, err
	}
	words, err := newLookup(s, opt.Spelling, set.everyWord())
	if err != nil {
		return AnalogyResult{}, err
	}
	candidates := s.Len()
	if opt.Restrict > 0 {
		candidates = min(candidates, opt.Restrict)
	}
	asked := newSolver(words, candidates, opt.method())
	for section, part := range set.Sections {
		for _, q := range part.Questions {
			asked.add(section, part.Name, q)
		}
	}
	result := AnalogyResult{
		Set:        set.Name,
		Sections:   make([]SectionResult, len(set.Sections)),
		Restrict:   opt.Restrict,
		IgnoreCase: words.ignoresCase(),
		FoldVocab:  opt.FoldVocab,
	}
	for i, part := range set.Sections {
		result.Sections[i].Name = part.Name
		result.Sections[i].Questions = len(part.Questions)
	}
	return result, result.fill(ctx, asked, opt.Rules)
}

func (o AnalogyOptions) validate() error {
	if o.Method == CosAvg || o.Method == LRCos {
		return fmt.Errorf("eval: %s needs relations of many pairs, as in BATS; questions of four words are answered by %s, %s or %s",
			o.Method, vectors.CosAdd, vectors.CosMul, vectors.PairDirection)
	}
	if err := o.Method.Validate(); err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	return o.Validate()
}

// method returns the method, which is CosAdd if none is named.
func (o AnalogyOptions) method() vectors.AnalogyMethod {
	if o.Method == "" {
		return vectors.CosAdd
	}
	return o.Method
}

// fill answers the questions, and adds everything to the result that the answers say.
func (r *AnalogyResult) fill(ctx context.Context, asked *solver, rules Rules) error {
	answers, err := asked.answer(ctx)
	if err != nil {
		return err
	}
	asked.note(answers)
	r.Method, r.Missing, r.asked = asked.method, asked.missing.words, asked.asked
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
	r.CI95 = bootstrap(r.Sample(), rules)
	rest := r.asked
	for i := range r.Sections {
		section := &r.Sections[i]
		section.CI95 = bootstrap(accuracySample(rest[:section.Questions]), rules)
		rest = rest[section.Questions:]
	}
	return nil
}

// total adds the sections up.
func (r *AnalogyResult) total() {
	var semantic, syntactic Tally
	split := false
	for i := range r.Sections {
		part := &r.Sections[i]
		part.finish()
		r.merge(part.Tally)
		if strings.HasPrefix(part.Name, "gram") {
			split = true
			syntactic.merge(part.Tally)
		} else {
			semantic.merge(part.Tally)
		}
	}
	r.finish()
	r.OOV = r.Questions - r.Used
	if split {
		semantic.finish()
		syntactic.finish()
		r.Semantic, r.Syntactic = &semantic, &syntactic
	}
}

// count adds the outcome of a used question.
func (t *Tally) count(right bool) {
	t.Used++
	if right {
		t.Correct++
	}
}

func (t *Tally) merge(part Tally) {
	t.Questions += part.Questions
	t.Used += part.Used
	t.Correct += part.Correct
}

func (t *Tally) finish() {
	// Without used questions this is 0/0, a Score that is not defined.
	t.Accuracy = Score(float64(t.Correct) / float64(t.Used))
}
