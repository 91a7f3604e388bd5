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

// A RelationPair is a word and its answers by a relation, such as a country and its languages.
type RelationPair struct {
	Word    string
	Answers []string // all are right; the usual answer is first
}

// A Relation is a list of pairs that share one relation.
type Relation struct {
	Name  string
	Pairs []RelationPair
}

// readRelations reads a relation in the layout of BATS: a line has a word and its answers, which
// slashes separate. A tab or white space stands between the word and the answers. A line of a
// colon and a name starts another relation; the relation before the first such line has the name
// of the set without folder and extensions.
func readRelations(t *text, set *Set) error {
	return t.eachLine(func(line string) error {
		if title, ok := strings.CutPrefix(line, ":"); ok {
			if title = strings.TrimSpace(title); title == "" {
				return errors.New("want the name of a relation after the colon")
			}
			set.Relations = append(set.Relations, Relation{Name: title})
			return nil
		}
		p, ok := readRelationPair(line)
		if !ok {
			return fmt.Errorf("want a word, a tab, and its answers with slashes between them, not %q", excerpt(line))
		}
		if len(set.Relations) == 0 {
			set.Relations = append(set.Relations, Relation{Name: SetName(t.name)})
		}
		last := &set.Relations[len(set.Relations)-1]
		last.Pairs = append(last.Pairs, p)
		return checkWords(append([]string{p.Word}, p.Answers...)...)
	})
}

func readRelationPair(line string) (RelationPair, bool) {
	columns := strings.Fields(line)
	if strings.Contains(line, "\t") {
		columns = strings.Split(line, "\t")
	}
	if len(columns) != 2 {
		return RelationPair{}, false
	}
	p := RelationPair{Word: strings.TrimSpace(columns[0]), Answers: alternatives(columns[1])}
	return p, p.Word != "" && len(p.Answers) > 0
}

// sniffRelations recognises lines of a word and its answers. Lines of a word and a category are not
// relations: several words share a category, and no category has slashes.
func sniffRelations(t *text) bool {
	answers, slashes, pairs := make(map[string]bool), 0, 0
	fits := t.most(func(line string) bool {
		if strings.HasPrefix(line, ":") {
			return true
		}
		p, ok := readRelationPair(line)
		if !ok || isNumber(p.Answers[0]) || wordsIn(p.Word) > 3 || wordsIn(p.Answers[0]) > 3 {
			return false
		}
		pairs++
		answers[p.Answers[0]] = true
		if len(p.Answers) > 1 {
			slashes++
		}
		return true
	})
	return fits && pairs > 0 && (slashes > 0 || 2*len(answers) >= pairs) && !sniffCategories(t)
}

// RelationMethods returns the methods that answer questions about relations.
func RelationMethods() []vectors.AnalogyMethod {
	return append(vectors.AnalogyMethods(), CosAvg, LRCos)
}

func checkRelation(o *Options) error {
	o.RelationMethod = cmp.Or(o.RelationMethod, vectors.CosAdd)
	if !slices.Contains(RelationMethods(), o.RelationMethod) {
		return fmt.Errorf("eval: unknown analogy method %q, want one of %q", string(o.RelationMethod), RelationMethods())
	}
	return nil
}

// A RelationResult says how many questions about relations were answered correctly. Its
// sections are the relations.
type RelationResult struct {
	AnalogyResult
	Pairs int `json:"pairs"`
	// Unpaired is the number of pairs left out because a word is missing.
	Unpaired int `json:"unpaired"`
	// Negatives are words of the vocabulary that LRCos draws for each relation as examples of wrong
	// answers.
	Negatives map[string][]string `json:"negatives,omitempty"`
	Seed      uint64              `json:"seed,omitempty"` // of the negatives
}

// scoreRelations asks questions about the pairs of each relation (Gladkova, Drozd and Matsuoka 2016): with
// CosAvg and LRCos one for each pair, answered from all other pairs, else one for any two pairs, in either
// order. A pair is used if its word is a candidate, or is not in the vocabulary and can be composed of
// n-grams, and if one of its answers is a candidate.
func scoreRelations(ctx context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	asked := newSolver(words, opt, opt.RelationMethod)
	r := RelationResult{AnalogyResult: AnalogyResult{Sections: []SectionResult{}}}
	if asked.method == LRCos {
		r.Negatives, r.Seed = make(map[string][]string), opt.Seed
	}
	for i, relation := range set.Relations {
		pairs := asked.usable(relation)
		r.Pairs += len(relation.Pairs)
		r.Unpaired += len(relation.Pairs) - len(pairs)
		before := len(asked.asked)
		switch asked.method {
		case CosAvg:
			asked.addMeans(i, relation, pairs)
		case LRCos:
			negatives, err := asked.addClasses(ctx, i, relation, pairs, opt.Seed)
			if err != nil {
				return Result{}, err
			}
			r.Negatives[relation.Name] = negatives
		default:
			asked.addPairs(i, relation, pairs)
		}
		section := SectionResult{Name: relation.Name}
		section.Questions = len(asked.asked) - before
		r.Sections = append(r.Sections, section)
	}
	result, err := r.fill(ctx, set.Name, asked, opt)
	result.Details = r
	return result, err
}

type usablePair struct {
	at       int // index in the relation
	word     entry
	a, b     int    // rows of units: the word, and its first answer that is a candidate
	answer   string // the answer of row b
	accepted []int
}

func (x *solver) usable(relation Relation) []usablePair {
	var pairs []usablePair
	for i, p := range relation.Pairs {
		e, ok := x.find(p.Word)
		accepted := x.acceptAll(p.Answers)
		if len(accepted) == 0 {
			for _, answer := range p.Answers {
				x.words.missing.add(answer)
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

// addPairs adds a question for any two pairs, in either order.
func (x *solver) addPairs(section int, relation Relation, pairs []usablePair) {
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
			at := x.ask(relation.Name, [4]string{given.Word, b, asked.Word, strings.Join(asked.Answers, "/")})
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
