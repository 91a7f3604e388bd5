package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// RelationOptions are the settings of Relations. The zero value works.
type RelationOptions struct {
	Rules // words that Restrict leaves out cannot be answers either
	// Method scores the candidates: one of RelationMethods; vectors.CosAdd if empty.
	Method vectors.AnalogyMethod
}

// RelationMethods returns the methods that answer questions about relations.
func RelationMethods() []vectors.AnalogyMethod {
	return append(vectors.AnalogyMethods(), CosAvg, LRCos)
}

func (o RelationOptions) validate() error {
	if o.Method != "" && !slices.Contains(RelationMethods(), o.Method) {
		return fmt.Errorf("eval: unknown analogy method %q, want one of %q", string(o.Method), RelationMethods())
	}
	return o.Validate()
}

// A RelationResult says how many questions about a RelationSet were answered correctly. Its
// sections are the relations.
type RelationResult struct {
	AnalogyResult
	Pairs int `json:"pairs"`
	// Unpaired is the number of pairs that have no question, because a word is missing.
	Unpaired int `json:"unpaired"`
	// Negatives are, for LRCos, the words of the vocabulary that are drawn for each relation as
	// examples of what is no answer.
	Negatives map[string][]string `json:"negatives,omitempty"`
	Seed      uint64              `json:"seed,omitempty"` // of the negatives
}

// Summary returns what results of every task have. The score is the accuracy over the questions of
// all relations, which are the parts.
func (r RelationResult) Summary() Summary {
	s := r.AnalogyResult.Summary()
	s.Task = TaskRelation
	return s
}

// Relations asks questions about the pairs of each relation, and counts how often the best
// candidate is one of the right answers.
//
// With vectors.CosAdd, CosMul and PairDirection, every ordered pair of two pairs (a, b) and (c, d)
// of a relation is a question "a is to b as c is to ?". Of several answers, b is the first one
// that is a candidate. The words a and c and all answers to a cannot be the answer. With CosAvg
// and LRCos, every pair (c, d) is a question, which is answered by what all other pairs have in
// common; only c cannot be the answer. See Gladkova, Drozd and Matsuoka 2016, and Drozd, Gladkova
// and Matsuoka 2016.
//
// A pair is used if its word is a candidate, or is not in the vocabulary and can be composed of
// n-grams, and if one of its answers is a candidate. Case, Restrict and ties are as in Analogy.
func Relations(ctx context.Context, s *vectors.Set, set RelationSet, opt RelationOptions) (RelationResult, error) {
	if ctx == nil {
		return RelationResult{}, errors.New("eval: there is no context to ask in: it is nil")
	}
	if err := opt.validate(); err != nil {
		return RelationResult{}, err
	}
	words, err := newLookup(s, opt.Spelling, set.Words())
	if err != nil {
		return RelationResult{}, err
	}
	candidates := s.Len()
	if opt.Restrict > 0 {
		candidates = min(candidates, opt.Restrict)
	}
	asked := newSolver(words, candidates, AnalogyOptions{Method: opt.Method}.method())
	result := RelationResult{AnalogyResult: AnalogyResult{
		Set:        set.Name,
		Restrict:   opt.Restrict,
		IgnoreCase: words.ignoresCase(),
		FoldVocab:  opt.FoldVocab,
	}}
	if asked.method == LRCos {
		result.Negatives, result.Seed = make(map[string][]string), opt.Seed
	}
	for i, relation := range set.Relations {
		pairs := asked.usable(relation)
		result.Pairs += len(relation.Pairs)
		result.Unpaired += len(relation.Pairs) - len(pairs)
		before := len(asked.asked)
		switch asked.method {
		case CosAvg:
			asked.addMeans(i, relation, pairs)
		case LRCos:
			negatives, err := asked.addClasses(ctx, i, relation, pairs, opt.Seed)
			if err != nil {
				return RelationResult{}, err
			}
			result.Negatives[relation.Name] = negatives
		default:
			asked.addPairs(i, relation, pairs)
		}
		section := SectionResult{Name: relation.Name}
		section.Questions = len(asked.asked) - before
		result.Sections = append(result.Sections, section)
	}
	if result.Sections == nil {
		result.Sections = []SectionResult{}
	}
	return result, result.fill(ctx, asked, opt.Rules)
}

// A usablePair is a pair of a relation whose words have vectors.
type usablePair struct {
	at       int // in the relation
	word     entry
	a, b     int    // rows of units: the word and its first answer that is a candidate
	answer   string // that answer
	accepted []int
}

// usable returns the pairs of a relation that can be used.
func (x *solver) usable(relation PairedRelation) []usablePair {
	var pairs []usablePair
	for i, p := range relation.Pairs {
		e, ok := x.find(p.Word)
		accepted := x.acceptAll(p.Answers)
		if len(accepted) == 0 {
			for _, answer := range p.Answers {
				x.missing.add(answer)
			}
			ok = false
		}
		if !ok {
			continue
		}
		answer := p.Answers[slices.IndexFunc(p.Answers, func(word string) bool { return len(x.acceptAll([]string{word})) > 0 })]
		pairs = append(pairs, usablePair{at: i, word: e, a: x.unit(p.Word), b: x.unit(answer), answer: answer, accepted: accepted})
	}
	return pairs
}

// addPairs adds a question for every ordered pair of two pairs.
func (x *solver) addPairs(section int, relation PairedRelation, pairs []usablePair) {
	used := make(map[int]usablePair)
	for _, p := range pairs {
		used[p.at] = p
	}
	for i, given := range relation.Pairs {
		from, ok := used[i]
		for j, asked := range relation.Pairs {
			if i == j {
				continue
			}
			to, both := used[j]
			b := given.Answers[0]
			if ok {
				b = from.answer
			}
			at := x.ask(relation.Name, [4]string{given.Word, b, asked.Word, written(asked)})
			if !ok || !both {
				continue
			}
			x.solve(problem{
				own: [3]int{from.word.id, -1, to.word.id}, also: from.accepted, accepted: to.accepted,
				section: section, question: at, composed: from.word.composed() || to.word.composed(),
			}, given.Word, b, asked.Word)
		}
	}
}

// written returns the answers as a set writes them.
func written(p RelationPair) string {
	text := ""
	for i, answer := range p.Answers {
		if i > 0 {
			text += "/"
		}
		text += answer
	}
	return text
}
