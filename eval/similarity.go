package eval

import (
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// SimilarityOptions are the settings of Similarity. The zero value works.
type SimilarityOptions struct {
	Rules
}

// A SimilarityResult says how well cosines agree with the judgements of a PairSet. Used + OOV =
// Pairs.
type SimilarityResult struct {
	Set      string `json:"set"`
	Pairs    int    `json:"pairs"`
	Used     int    `json:"used"`     // pairs whose words both have vectors
	OOV      int    `json:"oov"`      // pairs with a missing word, which scores leave out
	Spearman Score  `json:"spearman"` // correlation of ranks over the used pairs
	Pearson  Score  `json:"pearson"`  // correlation of values over the used pairs

	// CI95 and PearsonCI95 are the bootstrap confidence intervals of Spearman and of Pearson.
	CI95        Interval `json:"ci95,omitzero"`
	PearsonCI95 Interval `json:"pearson_ci95,omitzero"`
	// Composed is the number of used pairs with a word that is not in the vocabulary and was
	// composed of its n-grams.
	Composed int `json:"composed"`
	// InVocabulary has the scores without those pairs. It is nil for vectors without
	// subwords.
	InVocabulary *SimilarityScores `json:"in_vocabulary,omitempty"`
	// IgnoreCase says that words are also found in another case; see Spelling.
	IgnoreCase bool `json:"ignore_case"`
	FoldVocab  bool `json:"fold_vocab,omitempty"`
	Restrict   int  `json:"restrict,omitempty"` // 0 for the whole vocabulary
	// Missing lists the words without vectors, as the set writes them, in the order of their
	// first mention.
	Missing []string `json:"missing"`

	used        []Judgement // the used pairs
	missingZero Score       // Spearman over all pairs if those with missing words have cosine 0
	unknownZero Score       // the same if those with composed words have cosine 0, too
}

// SimilarityScores are scores over a part of a set's pairs.
type SimilarityScores struct {
	Used     int   `json:"used"`
	Spearman Score `json:"spearman"`
	Pearson  Score `json:"pearson"`
}

// Similarity correlates the cosines of word pairs with the judgements of people. Pairs with
// composed words are used like others. Pairs with a missing word are left out, so look at Used
// too. Similarity returns an error if an option is invalid.
func Similarity(s *vectors.Set, set PairSet, opt SimilarityOptions) (SimilarityResult, error) {
	if err := opt.Validate(); err != nil {
		return SimilarityResult{}, err
	}
	words, err := newLookup(s, opt.Spelling, set.Words())
	if err != nil {
		return SimilarityResult{}, err
	}
	missing := newWordList()
	var all, inVocabulary, everyPair, uncomposed judged
	var used []Judgement
	for i, p := range set.Pairs {
		a, b := words.find(p.A), words.find(p.B)
		noA, noB := opt.lacks(a), opt.lacks(b)
		if noA {
			missing.add(p.A)
		}
		if noB {
			missing.add(p.B)
		}
		if noA || noB {
			everyPair.add(0, p.Score)
			uncomposed.add(0, p.Score)
			continue
		}
		x := vectors.Cosine(a.vector, b.vector)
		if math.IsNaN(x) {
			x = 0 // a vector is all zeros
		}
		all.add(x, p.Score)
		everyPair.add(x, p.Score)
		used = append(used, Judgement{Item: newItem(i, p.A, p.B), Human: p.Score, Model: x})
		if !a.composed() && !b.composed() {
			inVocabulary.add(x, p.Score)
			uncomposed.add(x, p.Score)
		} else {
			uncomposed.add(0, p.Score)
		}
	}
	scores := all.scores()
	result := SimilarityResult{
		Set:        set.Name,
		Pairs:      len(set.Pairs),
		Used:       scores.Used,
		OOV:        len(set.Pairs) - scores.Used,
		Spearman:   scores.Spearman,
		Pearson:    scores.Pearson,
		Composed:   scores.Used - len(inVocabulary.cosines),
		IgnoreCase: words.ignoresCase(),
		FoldVocab:  opt.FoldVocab,
		Restrict:   opt.Restrict,
		Missing:    missing.words,

		used:        used,
		missingZero: everyPair.scores().Spearman,
		unknownZero: uncomposed.scores().Spearman,
	}
	if words.composes() {
		known := inVocabulary.scores()
		result.InVocabulary = &known
	}
	result.CI95 = bootstrap(result.Sample(), opt.Rules)
	result.PearsonCI95 = pearsonInterval(used, opt.Rules)
	return result, nil
}

// judged holds the cosines of pairs beside the judgements of people.
type judged struct {
	cosines, human []float64
}

func (j *judged) add(cosine, score float64) {
	j.cosines = append(j.cosines, cosine)
	j.human = append(j.human, score)
}

func (j *judged) scores() SimilarityScores {
	return SimilarityScores{
		Used:     len(j.cosines),
		Spearman: Score(spearman(j.cosines, j.human)),
		Pearson:  Score(pearson(j.cosines, j.human)),
	}
}
