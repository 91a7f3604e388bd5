package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"gonum.org/v1/gonum/mat"
)

// A SentenceMethod is a way to compute the vector of a sentence: one of pooling.Methods, or SentenceSIFSet.
type SentenceMethod string

// SentenceSIFSet is smooth inverse frequency as Arora, Liang and Ma (2017) compute it: pooling.Weighted, less
// the projection on the first singular vector of the matrix of all sentences of the set.
const SentenceSIFSet SentenceMethod = "sif-set"

// SentenceMethods returns every method.
func SentenceMethods() []SentenceMethod {
	methods := wording.Map(pooling.Methods(), func(m pooling.Method) SentenceMethod { return SentenceMethod(m) })
	return append(methods, SentenceSIFSet)
}

func checkSentences(o *Options) error {
	if o.SentenceMethod != "" && !slices.Contains(SentenceMethods(), o.SentenceMethod) {
		return fmt.Errorf("eval: unknown sentence method %q, want one of %q", o.SentenceMethod, SentenceMethods())
	}
	if err := (pooling.Options{Smoothing: o.Smoothing}).Validate(); err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	return nil
}

func sentenceSettings(o Options) any {
	all := options{"method": cmp.Or(o.SentenceMethod, "of the vectors")}
	if o.Smoothing > 0 {
		all["smoothing"] = o.Smoothing
	}
	return all
}

// scoreSentences correlates the cosines of sentence vectors with the judgements of people, for every method.
// A pair is left out if no word of one of its sentences has a vector.
func scoreSentences(_ context.Context, words *lookup, set Set) (Result, error) {
	var err error
	if words.tokens, err = words.set.Lookup(words.opt.Case); err != nil {
		return Result{}, fmt.Errorf("eval: %w", err)
	}
	e := &sentenceEncoder{lookup: words}
	own, err := pooling.New(words.set, pooling.Options{Smoothing: words.opt.Smoothing})
	if err != nil {
		return Result{}, fmt.Errorf("eval: %w", err)
	}
	if e.poolers, err = words.poolers(own); err != nil {
		return Result{}, err
	}
	r := SentenceResult{
		Set: set.Name, Pairs: len(set.Sentences), Unjudged: set.Unjudged,
		Method: cmp.Or(words.opt.SentenceMethod, SentenceMethod(own.Method())), Smoothing: own.Smoothing(), Probabilities: own.Probabilities(),
	}
	var used []encodedPair
	var unused []SentencePair
	var ofSet [][]float64
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
		ofSet = append(ofSet, a.by[SentenceSIFSet], b.by[SentenceSIFSet])
		if a.composed || b.composed {
			r.Composed++
		}
	}
	removeCommon(ofSet)
	r.Tokens, r.UsedTokens, r.LookedUp = e.tokens, e.used, words.lookedUp()
	r.Used, r.OOV = len(used), len(unused)
	return r.score(used, unused, words.opt), nil
}

type sentenceEncoder struct {
	*lookup
	poolers      []*pooling.Pooler // of each method
	tokens, used int
}

type encodedPair struct {
	human float64
	item  Item
	a, b  encoded
}

type encoded struct {
	by       map[SentenceMethod][]float64 // vectors; of SentenceSIFSet before the common component is removed
	tokens   []string                     // tokens with a vector
	composed bool
	known    bool // a word of the sentence has a vector
}

func (e *sentenceEncoder) encode(sentence string) (found encoded, err error) {
	tokens, err := e.opt.Tokens(sentence)
	var looked []vectors.Token
	for _, token := range tokens {
		e.tokens++
		entry, ok := e.use(token)
		if !ok {
			if entry.missing() { // counts if the model takes a number of tokens
				looked = append(looked, vectors.Token{Word: token, ID: -1})
			}
			continue
		}
		e.used++
		found.tokens = append(found.tokens, token)
		one := vectors.Token{ID: entry.id}
		if entry.composed() {
			one.Word, _ = e.spelling(token)
			found.composed = true
		} else {
			one.Word = e.set.Words().At(entry.id)
		}
		looked = append(looked, one)
	}
	found.known, found.by = len(found.tokens) > 0, make(map[SentenceMethod][]float64)
	v := make([]float32, e.set.Dim())
	for _, p := range e.poolers {
		found.known = p.Text(v, looked) > 0 && found.known
		wide := wording.Map(v, func(x float32) float64 { return float64(x) })
		found.by[SentenceMethod(p.Method())] = wide
		if p.Method() == pooling.Weighted {
			found.by[SentenceSIFSet] = slices.Clone(wide)
		}
	}
	return found, err
}

// poolers returns a pooler of each method; of DBOW, which takes longer and needs context vectors, only if it is asked for.
func (l *lookup) poolers(own *pooling.Pooler) (all []*pooling.Pooler, err error) {
	asked := cmp.Or(l.opt.SentenceMethod, SentenceMethod(own.Method()))
	for _, m := range pooling.Methods() {
		if m == pooling.DBOW && asked != SentenceMethod(m) {
			continue
		}
		p, err := pooling.New(l.set, pooling.Options{Method: m, Smoothing: l.opt.Smoothing})
		if err != nil {
			return nil, fmt.Errorf("eval: %w", err)
		}
		all = append(all, p)
	}
	return all, nil
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

	// Scores of every method; of DBOW only if it is Method.
	Mean     SentenceScores `json:"mean"`
	Weighted SentenceScores `json:"weighted"`
	SIF      SentenceScores `json:"sif"`
	SIFSet   SentenceScores `json:"sif_set"`
	DBOW     SentenceScores `json:"dbow,omitzero"`
	// Smoothing is the number a of all methods but the mean.
	Smoothing float64 `json:"smoothing"`
	// Probabilities is the source of word probabilities: "counts", or "zipf" for vectors without counts.
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
	type kind struct {
		method SentenceMethod
		to     *SentenceScores
	}
	kinds := []kind{
		{SentenceMethod(pooling.Mean), &r.Mean}, {SentenceMethod(pooling.Weighted), &r.Weighted}, {SentenceMethod(pooling.SIF), &r.SIF}, {SentenceSIFSet, &r.SIFSet},
	}
	if r.Method == SentenceMethod(pooling.DBOW) {
		kinds = append(kinds, kind{r.Method, &r.DBOW})
	}
	for _, kind := range kinds {
		var judgements []Judgement
		for _, p := range used {
			judgements = append(judgements, Judgement{Item: p.item, Human: p.human, Model: cosine64(p.a.by[kind.method], p.b.by[kind.method])})
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
		notes = append(notes, zipfNote)
	}
	return notes
}

const zipfNote = "the vectors have no counts of words: all methods but the mean take word probabilities by Zipf's law from the order of the vocabulary"
