package eval

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// A SentenceMethod makes the vector of a sentence.
type SentenceMethod string

// The methods.
const (
	// SentenceMean is the mean of the vectors of the words, and of the runs of words if the
	// vectors have rows for them: see [vectors.Set.Sentence].
	SentenceMean SentenceMethod = "mean"
	// SentenceSIF is smooth inverse frequency (Arora, Liang and Ma 2017).
	SentenceSIF SentenceMethod = "sif"
)

// DefaultSmoothing is the number a of SIF where SentenceOptions do not say another.
const DefaultSmoothing = pooling.DefaultSmoothing

// SentenceOptions are the settings of Sentences. The zero value works.
type SentenceOptions struct {
	Rules
	// Method is the one whose Spearman correlation is the score of the result, which has the
	// scores of both methods. Empty means SentenceMean.
	Method SentenceMethod
	// Smoothing is the number a of SIF. 0 means DefaultSmoothing.
	Smoothing float64
	// Tokens cuts a sentence as the text was cut that the vectors were trained on. If it is nil,
	// a sentence is cut at white space, and a token that is not in the vocabulary is replaced
	// by the words in it (by Unicode's word boundaries): "end." by "end".
	// Its error is that of Sentences.
	Tokens func(sentence string) ([]string, error)
}

// Validate returns an error if an option is invalid.
func (o SentenceOptions) Validate() error {
	switch o.Method {
	case "", SentenceMean, SentenceSIF:
	default:
		return fmt.Errorf("eval: unknown sentence method %q, want %s or %s", o.Method, SentenceMean, SentenceSIF)
	}
	if !(o.Smoothing >= 0 && o.Smoothing <= math.MaxFloat64) {
		return fmt.Errorf("eval: smoothing is %v, must be positive, or 0 for %v", o.Smoothing, DefaultSmoothing)
	}
	return o.Rules.Validate()
}

func (o SentenceOptions) orDefaults() SentenceOptions {
	if o.Method == "" {
		o.Method = SentenceMean
	}
	if o.Smoothing == 0 {
		o.Smoothing = DefaultSmoothing
	}
	return o
}

// Sentences correlates the cosines of sentence vectors with the judgements of people, for two kinds
// of vectors:
//
//   - mean: the mean of the vectors of the sentence's words;
//   - SIF: the mean of a/(a + p(w)) · v(w) over the words w, where p(w) is the share of w among the
//     words of the training text; from the vectors of all sentences of the set, their projection
//     on the first principal component (the first right singular vector of the matrix of all,
//     not centred) is subtracted.
//
// p is taken from the counts of the vectors. Vectors without counts have p(w) = 1 / (r · Σ 1/i),
// where r is the rank of w in the vocabulary of n words and the sum is over i = 1…n (Zipf's law);
// SentenceResult.Probabilities says which. A composed word has p = 0.
//
// A pair is left out if no word of one of its sentences has a vector. Sentences returns an error
// if an option is invalid.
func Sentences(s *vectors.Set, set SentenceSet, opt SentenceOptions) (SentenceResult, error) {
	if err := opt.Validate(); err != nil {
		return SentenceResult{}, err
	}
	opt = opt.orDefaults()
	var asked []string
	var err error
	if opt.FoldVocab {
		if asked, err = opt.words(set); err != nil {
			return SentenceResult{}, err
		}
	}
	words, err := newLookup(s, opt.Spelling, asked)
	if err != nil {
		return SentenceResult{}, err
	}
	e := &sentenceEncoder{lookup: words, opt: opt, missing: newWordList(), weights: pooling.NewWeights(s, opt.Smoothing), runs: s.Matrix(vectors.MatrixWordNgrams).Rows > 0}
	result := SentenceResult{
		Set:           set.Name,
		Pairs:         len(set.Pairs),
		Unjudged:      set.Unjudged,
		Method:        opt.Method,
		Smoothing:     opt.Smoothing,
		Probabilities: e.weights.Probabilities(),
		IgnoreCase:    words.ignoresCase(),
		FoldVocab:     opt.FoldVocab,
		Restrict:      opt.Restrict,
	}
	var mean, weighted [][]float64 // two sentences a pair
	var used, unused []int
	var items []Item
	for i, p := range set.Pairs {
		a, okA := e.encode(p.A)
		var b encoded
		var okB bool
		if e.err == nil {
			b, okB = e.encode(p.B)
		}
		if e.err != nil {
			return SentenceResult{}, e.err
		}
		if !okA || !okB {
			unused = append(unused, i)
			continue
		}
		used = append(used, i)
		items = append(items, Item{Key: fmt.Sprintf("%d %s | %s", i, p.A, p.B), Words: append(a.tokens, b.tokens...)})
		mean, weighted = append(mean, a.mean, b.mean), append(weighted, a.weighted, b.weighted)
		if a.composed || b.composed {
			result.Composed++
		}
	}
	removeCommon(weighted)
	result.Tokens, result.UsedTokens, result.Missing = e.tokens, e.used, e.missing.words
	result.Used, result.OOV = len(used), len(unused)
	result.score(set, used, unused, items, [2][][]float64{mean, weighted}, opt.Rules)
	return result, nil
}

// words returns what may be looked up of the sentences.
func (o SentenceOptions) words(set SentenceSet) (all []string, err error) {
	for _, p := range set.Pairs {
		for _, sentence := range []string{p.A, p.B} {
			if o.Tokens != nil {
				tokens, err := o.Tokens(sentence)
				if err != nil {
					return nil, err
				}
				all = append(all, tokens...)
				continue
			}
			all = append(append(all, strings.Fields(sentence)...), wordbreak.Split(sentence)...)
		}
	}
	return all, nil
}

// A sentenceEncoder makes vectors of sentences.
type sentenceEncoder struct {
	*lookup
	opt          SentenceOptions
	missing      *wordList
	weights      *pooling.Weights
	runs         bool // the mean also has rows of word n-grams
	tokens, used int
	err          error // of the last sentence
}

// An encoded is a sentence's vectors.
type encoded struct {
	mean, weighted []float64
	tokens         []string // that have a vector
	composed       bool
}

// encode returns the vectors of a sentence, and false if no word of it has a vector.
func (e *sentenceEncoder) encode(sentence string) (encoded, bool) {
	var found encoded
	found.mean, found.weighted = make([]float64, e.set.Dim()), make([]float64, e.set.Dim())
	var spellings []string
	for _, token := range e.cut(sentence) {
		e.tokens++
		entry := e.find(token)
		if e.opt.lacks(entry) {
			e.missing.add(token)
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
	if len(spellings) == 0 {
		return found, false
	}
	for i := range found.weighted {
		found.weighted[i] /= float64(len(spellings))
		found.mean[i] /= float64(len(spellings))
	}
	if !e.runs {
		return found, true
	}
	mean := make([]float32, e.set.Dim())
	if e.set.Sentence(mean, spellings) == 0 || !finite(mean) {
		return found, false
	}
	for i, x := range mean {
		found.mean[i] = float64(x)
	}
	return found, true
}

// cut returns the tokens of a sentence.
func (e *sentenceEncoder) cut(sentence string) []string {
	if e.opt.Tokens != nil {
		var tokens []string
		tokens, e.err = e.opt.Tokens(sentence)
		return tokens
	}
	return wordbreak.InPlaceOf(strings.Fields(sentence), func(token string) bool { return e.find(token).id >= 0 })
}

// removeCommon subtracts from vectors their projections on the first right singular vector of the
// matrix of all.
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
		return // the numbers are finite, so this does not happen
	}
	var directions mat.Dense
	decomposed.VectorsTo(&directions)
	first := mat.Col(nil, dim-1, &directions) // values are in ascending order
	for _, row := range rows {
		along := dot64(row, first)
		for i := range row {
			row[i] -= float64(along * first[i])
		}
	}
}
