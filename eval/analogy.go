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
	Spelling
	// Method scores the candidates; vectors.CosAdd if empty.
	Method vectors.AnalogyMethod
	// Restrict makes only the first so many words of the vocabulary candidates for
	// answers, which are the most frequent ones; 0 means all words.
	Restrict int
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
}

// An AnalogyResult says how many questions of a QuestionSet were answered correctly. Used + OOV =
// Questions.
type AnalogyResult struct {
	Set string `json:"set"`
	Tally
	Sections []SectionResult `json:"sections"`

	OOV int `json:"oov"` // questions that were not used because a word is missing
	// CI95 is the confidence interval of Accuracy; see Wilson 1927.
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
}

// AnalogyScores are scores over a part of a set's questions.
type AnalogyScores struct {
	Used     int   `json:"used"`
	Correct  int   `json:"correct"`
	Accuracy Score `json:"accuracy"`
}

// Analogy asks every question "a is to b as c is to ?" and counts how often the best answer is
// the fourth word. The three words of a question are never taken as its answer. If two answers
// are equally good, the more frequent word is taken.
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
	if err := opt.Method.Validate(); err != nil {
		return AnalogyResult{}, fmt.Errorf("eval: %w", err)
	}
	if opt.Restrict < 0 {
		return AnalogyResult{}, fmt.Errorf("eval: restrict is %d, must be 0 (all words) or more", opt.Restrict)
	}
	words, err := newLookup(s, opt.Spelling, set.Words())
	if err != nil {
		return AnalogyResult{}, err
	}
	candidates := s.Len()
	if opt.Restrict > 0 {
		candidates = min(candidates, opt.Restrict)
	}
	asked := newSolver(words, candidates)
	for section, part := range set.Sections {
		for _, q := range part.Questions {
			asked.add(section, q)
		}
	}
	answers, err := asked.answer(ctx, opt.Method)
	if err != nil {
		return AnalogyResult{}, err
	}

	result := AnalogyResult{
		Set:        set.Name,
		Sections:   make([]SectionResult, len(set.Sections)),
		Method:     opt.Method,
		Restrict:   opt.Restrict,
		IgnoreCase: words.ignoresCase(),
		FoldVocab:  opt.FoldVocab,
		Missing:    asked.missing.words,
	}
	if result.Method == "" {
		result.Method = vectors.CosAdd
	}
	for i, part := range set.Sections {
		result.Sections[i].Name = part.Name
		result.Sections[i].Questions = len(part.Questions)
	}
	var known Tally
	for i, p := range asked.problems {
		right := words.same(answers[i]) == p.answer
		result.Sections[p.section].count(right)
		if p.composed {
			result.Composed++
		} else {
			known.count(right)
		}
	}
	result.total()
	if words.composes() {
		known.finish()
		result.InVocabulary = &AnalogyScores{Used: known.Used, Correct: known.Correct, Accuracy: known.Accuracy}
	}
	return result, nil
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
	r.CI95 = wilsonInterval(r.Correct, r.Used)
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
