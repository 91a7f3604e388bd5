package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"gonum.org/v1/gonum/mat"
)

// A SentenceMethod is a way to compute the vector of a sentence.
type SentenceMethod string

// The methods.
const (
	// SentenceMean is the mean of the word vectors, and of the vectors of word n-grams if the set
	// has rows for them: see [vectors.Set.Sentence].
	SentenceMean SentenceMethod = "mean"
	// SentenceSIF is smooth inverse frequency (Arora, Liang and Ma 2017).
	SentenceSIF SentenceMethod = "sif"
)

func checkSentences(o *Options) error {
	o.SentenceMethod = cmp.Or(o.SentenceMethod, SentenceMean)
	if o.SentenceMethod != SentenceMean && o.SentenceMethod != SentenceSIF {
		return fmt.Errorf("eval: unknown sentence method %q, want %s or %s", o.SentenceMethod, SentenceMean, SentenceSIF)
	}
	if !(o.Smoothing >= 0 && o.Smoothing <= math.MaxFloat64) {
		return fmt.Errorf("eval: smoothing is %v, must be positive, or 0 for %v", o.Smoothing, DefaultSmoothing)
	}
	o.Smoothing = cmp.Or(o.Smoothing, DefaultSmoothing)
	return nil
}

func sentenceSettings(o Options) any {
	tokens := "white space, then word boundaries of what is not in the vocabulary"
	if o.Tokens != nil {
		tokens = "as the text was cut that the vectors were trained on"
	}
	return options{"method": o.SentenceMethod, "smoothing": o.Smoothing, "tokens": tokens}
}

// scoreSentences correlates the cosines of sentence vectors with the judgements of people, for means of
// word vectors and for SIF. A pair is left out if no word of one of its sentences has a vector.
func scoreSentences(_ context.Context, words *lookup, set Set) (Result, error) {
	s, opt := words.set, words.opt
	e := &sentenceEncoder{lookup: words, weights: pooling.NewWeights(s, opt.Smoothing), runs: s.Matrix(vectors.MatrixWordNgrams).Rows > 0}
	r := SentenceResult{
		Set: set.Name, Pairs: len(set.Sentences), Unjudged: set.Unjudged,
		Method: opt.SentenceMethod, Smoothing: opt.Smoothing, Probabilities: e.weights.Probabilities(),
	}
	var used []encodedPair
	var unused []SentencePair
	var weighted [][]float64
	for i, p := range set.Sentences {
		a, errA := e.encode(p.A)
		b, errB := e.encode(p.B)
		if err := cmp.Or(errA, errB); err != nil {
			return Result{}, err
		}
		if !a.known || !b.known {
			unused = append(unused, p)
			continue
		}
		used = append(used, encodedPair{p.Score, Item{Key: fmt.Sprintf("%d %s | %s", i, p.A, p.B), Words: append(a.tokens, b.tokens...)}, a, b})
		weighted = append(weighted, a.weighted, b.weighted)
		if a.composed || b.composed {
			r.Composed++
		}
	}
	removeCommon(weighted)
	r.Tokens, r.UsedTokens, r.LookedUp = e.tokens, e.used, words.lookedUp()
	r.Used, r.OOV = len(used), len(unused)
	return r.score(used, unused, opt), nil
}

type sentenceEncoder struct {
	*lookup
	weights      *pooling.Weights
	runs         bool // the mean includes rows of word n-grams
	tokens, used int
}

type encodedPair struct {
	human float64
	item  Item
	a, b  encoded
}

type encoded struct {
	mean, weighted []float64
	tokens         []string // tokens with a vector
	composed       bool
	known          bool // a word of the sentence has a vector
}

func (e *sentenceEncoder) encode(sentence string) (found encoded, err error) {
	var tokens []string
	if e.opt.Tokens != nil {
		tokens, err = e.opt.Tokens(sentence)
	} else {
		tokens = wordbreak.InPlaceOf(strings.Fields(sentence), func(token string) bool { return e.find(token).id >= 0 })
	}
	found.mean, found.weighted = make([]float64, e.set.Dim()), make([]float64, e.set.Dim())
	var spellings []string
	for _, token := range tokens {
		e.tokens++
		entry, ok := e.use(token)
		if !ok {
			continue
		}
		e.used++
		found.tokens = append(found.tokens, token)
		spelling, weight := "", 1.0
		if entry.composed() {
			spelling, _ = e.lookup.words.Find(token)
			found.composed = true
		} else {
			spelling = e.set.Words().At(entry.id)
			weight = e.weights.Of(entry.id)
		}
		spellings = append(spellings, spelling)
		for i, x := range entry.vector {
			found.mean[i] += float64(x)
			found.weighted[i] += float64(weight * float64(x))
		}
	}
	found.known = len(spellings) > 0
	if !found.known {
		return found, err
	}
	for i := range found.weighted {
		found.weighted[i] /= float64(len(spellings))
		found.mean[i] /= float64(len(spellings))
	}
	if e.runs {
		mean := make([]float32, e.set.Dim())
		found.known = e.set.Sentence(mean, spellings) > 0 && finite(mean)
		for i, x := range mean {
			found.mean[i] = float64(x)
		}
	}
	return found, err
}

// removeCommon subtracts from vectors their projections on the first right singular vector of the
// matrix of all vectors.
func removeCommon(rows [][]float64) {
	if len(rows) == 0 {
		return
	}
	dim := len(rows[0])
	x := mat.NewDense(len(rows), dim, nil)
	for i, row := range rows {
		x.SetRow(i, row)
	}
	var gram mat.SymDense
	gram.SymOuterK(1, x.T())
	var decomposed mat.EigenSym
	if !decomposed.Factorize(&gram, true) {
		return // never happens: the numbers are finite
	}
	var directions mat.Dense
	decomposed.VectorsTo(&directions)
	first := mat.Col(nil, dim-1, &directions) // eigenvalues are in ascending order
	for _, row := range rows {
		along := dot64(row, first)
		for i := range row {
			row[i] -= float64(along * first[i])
		}
	}
}

// A SentenceResult says how well cosines of sentence vectors agree with the judgements of a
// set. Used + OOV = Pairs.
type SentenceResult struct {
	Set      string `json:"set"`
	Pairs    int    `json:"pairs"`
	Used     int    `json:"used"`     // pairs with a known word in each sentence
	OOV      int    `json:"oov"`      // pairs excluded from the scores
	Unjudged int    `json:"unjudged"` // further pairs of the file that have no score

	Method   SentenceMethod `json:"method"`   // used for Spearman and Pearson
	Spearman Score          `json:"spearman"` // correlation of ranks over the used pairs
	CI95     Interval       `json:"ci95,omitzero"`
	Pearson  Score          `json:"pearson"` // correlation of values over the used pairs

	// PearsonCI95 is the bootstrap confidence interval of Pearson.
	PearsonCI95 Interval `json:"pearson_ci95,omitzero"`

	Mean SentenceScores `json:"mean"`
	SIF  SentenceScores `json:"sif"`
	// Smoothing is the number a of SIF.
	Smoothing float64 `json:"smoothing"`
	// Probabilities is the source of word probabilities in SIF: "counts", or "zipf" for vectors
	// without counts.
	Probabilities string `json:"probabilities"`

	Tokens     int `json:"tokens"`      // of all sentences
	UsedTokens int `json:"used_tokens"` // tokens with a vector
	Composed   int `json:"composed"`    // used pairs with a token composed of its n-grams
	LookedUp
}

// SentenceScores are the correlations of one kind of sentence vectors.
type SentenceScores struct {
	Spearman     Score    `json:"spearman"`
	SpearmanCI95 Interval `json:"spearman_ci95,omitzero"`
	Pearson      Score    `json:"pearson"`
	PearsonCI95  Interval `json:"pearson_ci95,omitzero"`
}

func (r SentenceResult) score(used []encodedPair, unused []SentencePair, opt Options) Result {
	result := Result{Summary: Summary{Metric: "spearman", Items: r.Pairs, Used: r.Used, Composed: r.Composed, Missing: r.Missing, Notes: r.notes()}}
	for _, kind := range []struct {
		method SentenceMethod
		of     func(encoded) []float64
		to     *SentenceScores
	}{
		{SentenceMean, func(e encoded) []float64 { return e.mean }, &r.Mean},
		{SentenceSIF, func(e encoded) []float64 { return e.weighted }, &r.SIF},
	} {
		var judgements []Judgement
		for _, p := range used {
			judgements = append(judgements, Judgement{Item: p.item, Human: p.human, Model: cosine64(kind.of(p.a), kind.of(p.b))})
		}
		*kind.to = correlations(judgements, opt)
		if kind.method == r.Method {
			r.Spearman, r.CI95 = kind.to.Spearman, kind.to.SpearmanCI95
			r.Pearson, r.PearsonCI95 = kind.to.Pearson, kind.to.PearsonCI95
			all := slices.Clip(judgements)
			for _, p := range unused {
				all = append(all, Judgement{Human: p.Score})
			}
			result.zero, result.Sample, result.Judgements = new(spearmanOf(all)), judgedSample(judgements), ranked(judgements)
			result.Summary.Score, result.Summary.Interval = r.Spearman, r.CI95
		}
		result.Summary.Parts = append(result.Summary.Parts,
			Part{Name: string(kind.method), Metric: "spearman", Score: kind.to.Spearman, Interval: kind.to.SpearmanCI95, Items: r.Pairs, Used: r.Used},
			Part{Name: string(kind.method), Metric: "pearson", Score: kind.to.Pearson, Interval: kind.to.PearsonCI95, Items: r.Pairs, Used: r.Used})
	}
	result.Details = r
	return result
}

func cosine64(a, b []float64) float64 {
	lengths := math.Sqrt(dot64(a, a)) * math.Sqrt(dot64(b, b))
	if lengths == 0 {
		return 0
	}
	return min(1, max(-1, dot64(a, b)/lengths))
}

func (r SentenceResult) notes() []string {
	var notes []string
	if r.Unjudged > 0 {
		notes = append(notes, wording.Count(r.Unjudged, "pair of the file has no score and is left out", "pairs of the file have no score and are left out"))
	}
	if r.Probabilities == "zipf" {
		notes = append(notes, "the vectors have no counts of words: SIF takes word probabilities by Zipf's law from the order of the vocabulary")
	}
	return notes
}
