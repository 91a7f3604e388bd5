package arch

import (
	"math"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vocab"
)

// MeanContexts returns how many contexts a centre has on the average, if a part kept of all
// tokens is left of each sentence.
func MeanContexts(ids *corpus.IDs, window int, mode settings.WindowMode, kept float64) float64 {
	var sentences [corpus.MaxSentence + 1]int // by length
	r := ids.Reader()
	for i := range ids.Chunks() {
		length := 0
		for _, piece := range r.Chunk(i) {
			for _, id := range piece {
				length++
				if id&corpus.EndOfSentence != 0 {
					sentences[length]++
					length = 0
				}
			}
		}
	}
	if mode != settings.Dynamic {
		return meanByDistance(&sentences, window, mode, kept)
	}
	var centres, contexts float64
	for length, n := range sentences {
		left := math.Round(kept * float64(length))
		if n == 0 || left < 2 {
			continue // and no centre of it has a context
		}
		whole := min(float64(window), left-1) // windows up to here differ
		pairs := left*whole*(whole+1) - whole*(whole+1)*(2*whole+1)/6 - whole*(whole+1)/2
		pairs += (float64(window) - whole) * left * (left - 1)
		centres += float64(n) * left
		contexts += float64(n) * pairs / float64(window)
	}
	return contexts / max(centres, 1)
}

// meanByDistance is MeanContexts, given how many sentences have which length: each pair of two
// tokens counts with the probability that a window reaches from one to the other.
func meanByDistance(sentences *[corpus.MaxSentence + 1]int, window int, mode settings.WindowMode, kept float64) float64 {
	var centres, contexts float64
	for length, n := range sentences {
		left := math.Round(kept * float64(length))
		if n == 0 || left < 2 {
			continue
		}
		var pairs float64
		for d := 1; d <= window && float64(d) < left; d++ {
			pairs += 2 * (left - float64(d)) * mode.Reaches(d, window)
		}
		centres += float64(n) * left
		contexts += float64(n) * pairs
	}
	return contexts / max(centres, 1)
}

// KeptOf returns what part of tokens is kept, if each word is with probability keep.
func KeptOf(v *vocab.Vocab, keep []float64) float64 {
	var kept, all float64
	for w, p := range keep {
		kept += p * float64(v.Count(w))
		all += float64(v.Count(w))
	}
	return kept / max(all, 1)
}
