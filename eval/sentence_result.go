package eval

import (
	"math"

	"github.com/w2v-go/w2v/internal/wording"
)

// A SentenceResult says how well cosines of sentence vectors agree with the judgements of a
// SentenceSet. Used + OOV = Pairs.
type SentenceResult struct {
	Set      string `json:"set"`
	Pairs    int    `json:"pairs"`
	Used     int    `json:"used"`     // pairs with a known word in both sentences
	OOV      int    `json:"oov"`      // pairs that scores leave out
	Unjudged int    `json:"unjudged"` // further pairs of the file, which have no score

	Method   SentenceMethod `json:"method"`   // of Spearman and Pearson
	Spearman Score          `json:"spearman"` // correlation of ranks over the used pairs
	CI95     Interval       `json:"ci95,omitzero"`
	Pearson  Score          `json:"pearson"` // correlation of values over the used pairs

	// PearsonCI95 is the bootstrap confidence interval of Pearson.
	PearsonCI95 Interval `json:"pearson_ci95,omitzero"`

	Mean SentenceScores `json:"mean"`
	SIF  SentenceScores `json:"sif"`
	// Smoothing is the number a of SIF.
	Smoothing float64 `json:"smoothing"`
	// Probabilities says where those of words are from in SIF: "counts", or "zipf" for vectors
	// without counts.
	Probabilities string `json:"probabilities"`

	Tokens     int  `json:"tokens"`      // of all sentences
	UsedTokens int  `json:"used_tokens"` // tokens that have a vector
	Composed   int  `json:"composed"`    // used pairs with a token that was composed of its n-grams
	IgnoreCase bool `json:"ignore_case"`
	FoldVocab  bool `json:"fold_vocab,omitempty"`
	Restrict   int  `json:"restrict,omitempty"`
	// Missing lists the tokens without vectors, in the order of their first mention.
	Missing []string `json:"missing"`

	judgements  []Judgement // of the method
	missingZero Score
}

// SentenceScores are the correlations of one kind of sentence vectors.
type SentenceScores struct {
	Spearman     Score    `json:"spearman"`
	SpearmanCI95 Interval `json:"spearman_ci95,omitzero"`
	Pearson      Score    `json:"pearson"`
	PearsonCI95  Interval `json:"pearson_ci95,omitzero"`
}

// score fills in what depends on the vectors of the used pairs, two a pair: means, and those of SIF.
func (r *SentenceResult) score(set SentenceSet, used, unused []int, items []Item, vectors [2][][]float64, rules Rules) {
	human := make([]float64, len(used))
	for k, i := range used {
		human[k] = set.Pairs[i].Score
	}
	for _, kind := range []struct {
		method  SentenceMethod
		vectors [][]float64
		to      *SentenceScores
	}{{SentenceMean, vectors[0], &r.Mean}, {SentenceSIF, vectors[1], &r.SIF}} {
		cosines := make([]float64, len(used))
		judgements := make([]Judgement, len(used))
		for k := range used {
			cosines[k] = cosine64(kind.vectors[2*k], kind.vectors[2*k+1])
			judgements[k] = Judgement{Item: items[k], Human: human[k], Model: cosines[k]}
		}
		kind.to.Spearman, kind.to.Pearson = Score(spearman(cosines, human)), Score(pearson(cosines, human))
		kind.to.SpearmanCI95, kind.to.PearsonCI95 = bootstrap(judgedSample(judgements), rules), pearsonInterval(judgements, rules)
		if kind.method == r.Method {
			r.judgements = judgements
			r.Spearman, r.CI95 = kind.to.Spearman, kind.to.SpearmanCI95
			r.Pearson, r.PearsonCI95 = kind.to.Pearson, kind.to.PearsonCI95
			all, zeros := human, cosines
			for _, i := range unused {
				all, zeros = append(all, set.Pairs[i].Score), append(zeros, 0)
			}
			r.missingZero = Score(spearman(zeros, all))
		}
	}
}

// cosine64 is the cosine of two vectors, 0 if one is all zeros.
func cosine64(a, b []float64) float64 {
	lengths := math.Sqrt(dot64(a, a)) * math.Sqrt(dot64(b, b))
	if lengths == 0 {
		return 0
	}
	return min(1, max(-1, dot64(a, b)/lengths))
}

// Judgements returns the used pairs: the set's numbers beside the cosines of the method.
func (r SentenceResult) Judgements() []Judgement { return r.judgements }

// Summary has the method's Spearman correlation as its score, and the correlations of both methods
// as its parts.
func (r SentenceResult) Summary() Summary {
	s := Summary{
		Set: r.Set, Task: TaskSentences, Metric: "spearman", Score: r.Spearman, Interval: r.CI95,
		Items: r.Pairs, Used: r.Used, Composed: r.Composed, Missing: r.Missing,
	}
	for _, kind := range []struct {
		method SentenceMethod
		scores SentenceScores
	}{{SentenceMean, r.Mean}, {SentenceSIF, r.SIF}} {
		s.Parts = append(s.Parts,
			Part{Name: string(kind.method), Metric: "spearman", Score: kind.scores.Spearman, Interval: kind.scores.SpearmanCI95, Items: r.Pairs, Used: r.Used},
			Part{Name: string(kind.method), Metric: "pearson", Score: kind.scores.Pearson, Interval: kind.scores.PearsonCI95, Items: r.Pairs, Used: r.Used})
	}
	return s
}

// Sample has the used pairs as its items, and the method's Spearman correlation as its score.
func (r SentenceResult) Sample() Sample { return judgedSample(r.judgements) }

// zero is the score over all pairs if pairs that are left out have cosine 0.
func (r SentenceResult) zero() Score { return r.missingZero }

// Notes say what of the set and of the vectors is not as SIF wants it.
func (r SentenceResult) Notes() []string {
	var notes []string
	if r.Unjudged > 0 {
		notes = append(notes, wording.Count(r.Unjudged, "pair of the file has no score and is left out", "pairs of the file have no score and are left out"))
	}
	if r.Probabilities == "zipf" {
		notes = append(notes, "the vectors have no counts of words: SIF takes word probabilities by Zipf's law from the order of the vocabulary")
	}
	return notes
}
