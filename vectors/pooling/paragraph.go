package pooling

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// Paragraph vectors (Le and Mikolov, "Distributed Representations of Sentences and Documents", 2014). The vector of a
// text is what predicts its words best, by the context vectors of the model, which stay as they are:
//
//	u(s) = argmax  Σ w(i)·log σ(u·o(i)) / Σ w(i)  +  K/M · Σ log σ(−u·n(j))  −  λ/2 · |u|²
//
// i runs over the words of the text, o are context vectors, and w(i) is the share of the occurrences of a word that
// subsampling keeps. The M negatives n divide the noise distribution of training evenly. The function is concave, so the
// vector of a text depends on nothing but the text and the model: no numbers are drawn.

const (
	negativesOfText = 128  // M
	prior           = 8    // λ
	rounds          = 6    // steps of gradient ascent
	sampleOfText    = 3e-4 // the threshold of subsampling
)

// A predictor makes paragraph vectors.
type predictor struct {
	contexts  vectors.Matrix
	keep      []float64 // for each word, the share of its occurrences that counts; 0 if its context vector is not finite
	negatives []float32 // rows, one after the other
	stride    int
	weight    float32 // K/M
	curvature float32 // of the negatives
	free      sync.Pool
}

// A guess is the memory for one text.
type guess struct {
	rows, scores, weights []float32
	numbers               []uint32
	shares                []float64
	at                    map[int]int
	gradient              []float32
}

// errNoContexts is why a set has no paragraph vectors.
var errNoContexts = errors.New("pooling dbow predicts the words of a text by context vectors, and the model has none: train with negative sampling and keep the .w2v file")

func newPredictor(s *vectors.Set, w *weights) (*predictor, error) {
	p := &predictor{contexts: s.Output(), keep: make([]float64, s.Len())}
	if p.contexts.Rows != s.Len() || s.Len() == 0 {
		return nil, errNoContexts
	}
	t := s.Training()
	if loss := t.Text("loss"); loss != "" && t.Int("negatives") == 0 {
		return nil, fmt.Errorf("pooling dbow tells the words of a text from negatives, and the model was trained without them, with the loss %s: train with negative sampling", loss)
	}
	exponent, negatives := 0.75, 5
	if slices.Contains(t.Known(), "ns_exponent") {
		exponent = t.Float("ns_exponent")
	}
	if n := t.Int("negatives"); n > 0 {
		negatives = n
	}
	dim := p.contexts.Cols
	p.stride = (dim + simd.Lanes - 1) / simd.Lanes * simd.Lanes
	row, noise := make([]float32, dim), make([]float64, s.Len())
	var total float64
	zero := true // as in fastText's .bin of a model without context vectors
	for id := range noise {
		if p.contexts.Read(row, id); !vectors.Finite(row) {
			continue
		}
		zero = zero && squared(row) == 0
		of := w.probability(id)
		noise[id] = math.Pow(of, exponent)
		total += noise[id]
		p.keep[id] = 1
		if ratio := sampleOfText / of; of > 0 {
			p.keep[id] = min(1, math.Sqrt(ratio)+ratio)
		}
	}
	if total == 0 {
		return nil, errors.New("pooling dbow: no context vector of the model is finite")
	}
	if zero {
		return nil, errNoContexts
	}
	p.negatives = vectors.NewMatrix(negativesOfText, p.stride).Data[:negativesOfText*p.stride]
	p.weight = float32(negatives) / negativesOfText
	id, sum := 0, noise[0]
	for j := range negativesOfText {
		for at := (float64(j) + 0.5) / negativesOfText * total; sum < at && id < len(noise)-1; {
			id++
			sum += noise[id]
		}
		for noise[id] == 0 { // rounding has passed the last word that is ever drawn
			id--
		}
		to := p.negatives[j*p.stride:][:dim]
		p.contexts.Read(to, id)
		p.curvature += p.weight * squared(to)
	}
	p.free.New = func() any {
		g := &guess{at: map[int]int{}, gradient: make([]float32, p.stride)}
		g.rows = append(g.rows, p.negatives...)
		return g
	}
	return p, nil
}

func squared(row []float32) (sum float32) {
	for _, x := range row {
		sum += x * x
	}
	return sum
}

// text writes the vector of a text to dst, and returns how many tokens contribute.
func (p *predictor) text(dst []float32, tokens []vectors.Token) (used int) {
	clear(dst)
	g := p.free.Get().(*guess)
	defer p.free.Put(g)
	clear(g.at)
	const m = negativesOfText
	g.rows, g.shares = g.rows[:m*p.stride], g.shares[:0]
	var sum float64
	curvature := p.curvature
	for _, token := range tokens {
		if token.ID < 0 || p.keep[token.ID] == 0 {
			continue
		}
		used++
		share := p.keep[token.ID]
		at, ok := g.at[token.ID]
		if !ok {
			at = len(g.shares)
			g.at[token.ID] = at
			n := len(g.rows)
			for range p.stride {
				g.rows = append(g.rows, 0)
			}
			p.contexts.Read(g.rows[n:][:len(dst)], token.ID)
			g.shares = append(g.shares, 0)
		}
		g.shares[at] += share
		sum += share
	}
	if used == 0 {
		return 0
	}
	all := m + len(g.shares)
	for len(g.numbers) < all {
		g.numbers = append(g.numbers, uint32(len(g.numbers)))
		g.scores, g.weights = append(g.scores, 0), append(g.weights, 0)
	}
	for i, share := range g.shares {
		g.shares[i] = share / sum
		curvature += float32(g.shares[i]) * squared(g.rows[(m+i)*p.stride:][:len(dst)])
	}
	rate := 1 / (prior + curvature/4) // no step goes too far
	scores, weights := g.scores[:all], g.weights[:all]
	for round := range rounds {
		if clear(scores); round > 0 {
			simd.Dots(scores, all, dst, len(dst), 1, g.rows, p.stride, all, len(dst))
		}
		for j, score := range scores[:m] {
			weights[j] = -p.weight * sigmoid(score)
		}
		for i, score := range scores[m:] {
			weights[m+i] = float32(g.shares[i]) * sigmoid(-score)
		}
		simd.Gather(g.gradient[:len(dst)], g.rows, p.stride, g.numbers[:all], weights)
		for k, x := range g.gradient[:len(dst)] {
			dst[k] += rate * (x - prior*dst[k])
		}
	}
	return used
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
