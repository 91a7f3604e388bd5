package eval

import (
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// OutlierOptions are the settings of Outliers. The zero value works.
type OutlierOptions struct {
	Rules
	// Published follows the script that Camacho-Collados and Navigli published with 8-8-8: a
	// word without a vector that has underscores gets the mean of the vectors of its parts, and
	// every other word without a vector gets a vector of zeros, whose cosines are 0. Then all
	// tests are scored.
	Published bool
}

// Outliers tests whether the word that does not belong to a cluster is found (Camacho-Collados and
// Navigli 2016). A test is the words of a cluster and one outlier, n + 1 words together. The
// compactness of a word w among them is
//
//	p(w) = 1/n · Σ_{v≠w} cos(w, v)
//
// which orders words as the mean cosine of all pairs without w does, in reverse. The outlier's
// position is the number of cluster words with a larger p than its own, 0…n. The outlier is found
// if its position is n: if each cluster word has a larger p. Equal p count against the outlier.
// Accuracy is the share of tests whose outlier is found. OPP, the outlier position percentage, is
// the mean of position / n.
//
// A word of a cluster that has no vector is left out of the cluster, as in the script of WikiSem500
// (Blair, Merhav and Barry 2016); a test is not scored if the outlier has no vector, or fewer than
// two words of its cluster have one. OutlierOptions has another rule. Outliers returns an error if
// an option is invalid.
func Outliers(s *vectors.Set, set OutlierSet, opt OutlierOptions) (OutlierResult, error) {
	if err := opt.Validate(); err != nil {
		return OutlierResult{}, err
	}
	words, err := newLookup(s, opt.Spelling, withParts(set.Words(), opt.Published))
	if err != nil {
		return OutlierResult{}, err
	}
	found := &outlierWords{lookup: words, opt: opt, dim: s.Dim(), missing: newWordList()}
	result := OutlierResult{
		Set:        set.Name,
		Published:  opt.Published,
		IgnoreCase: words.ignoresCase(),
		FoldVocab:  opt.FoldVocab,
		Restrict:   opt.Restrict,
		Detections: []OutlierTest{},
	}
	for _, c := range set.Clusters {
		result.Clusters = append(result.Clusters, found.test(c, &result))
	}
	result.Missing = found.missing.words
	result.OOV = result.Tests - result.Used
	result.score(opt.Rules)
	return result, nil
}

// outlierWords finds the words of clusters.
type outlierWords struct {
	*lookup
	opt     OutlierOptions
	dim     int
	missing *wordList
}

// A placed is a word of a test with its unit vector.
type placed struct {
	word     string
	unit     []float64
	composed bool
}

// place returns a word with its vector, if it has one or needs none.
func (f *outlierWords) place(word string) (placed, bool) {
	e := f.find(word)
	if !f.opt.lacks(e) {
		return placed{word, unit64(e.vector), e.composed()}, true
	}
	f.missing.add(word)
	if !f.opt.Published {
		return placed{}, false
	}
	mean := make([]float32, f.dim)
	for _, part := range parts(word) {
		if e := f.find(part); !f.opt.lacks(e) {
			for i, x := range e.vector {
				mean[i] += x
			}
		}
	}
	return placed{word, unit64(mean), true}, true
}

// test scores the outliers of a cluster.
func (f *outlierWords) test(c OutlierCluster, to *OutlierResult) OutlierTally {
	tally := OutlierTally{Name: c.Name, Tests: len(c.Outliers), Words: len(c.Words)}
	to.Tests += len(c.Outliers)
	var cluster []placed
	for _, word := range c.Words {
		if p, ok := f.place(word); ok {
			cluster = append(cluster, p)
		}
	}
	tally.UsedWords = len(cluster)
	within := make([]float64, len(cluster)) // sums of cosines with the other words of the cluster
	for i := range cluster {
		for j := range cluster {
			if i != j {
				within[i] += dot64(cluster[i].unit, cluster[j].unit)
			}
		}
	}
	for _, outlier := range c.Outliers {
		o, ok := f.place(outlier)
		if !ok || len(cluster) < 2 {
			continue
		}
		t := OutlierTest{Cluster: c.Name, Outlier: outlier, Words: len(cluster)}
		cosines, sum := make([]float64, len(cluster)), 0.0
		for i, p := range cluster {
			cosines[i] = dot64(p.unit, o.unit)
			sum += cosines[i]
		}
		least, composed := math.Inf(1), o.composed
		item := Item{Key: c.Name + "\t" + outlier}
		for i, p := range cluster {
			compactness := within[i] + cosines[i]
			// Rounding must not decide between equal values.
			if compactness-sum > 1e-12 {
				t.Position++
			}
			if compactness < least {
				least, t.Instead = compactness, p.word
			}
			composed = composed || p.composed
			item.Words = append(item.Words, p.word)
		}
		if t.Found = t.Position == len(cluster); t.Found {
			t.Instead = ""
			tally.Detected++
		}
		tally.Used++
		tally.positions += float64(t.Position) / float64(len(cluster))
		if composed {
			to.Composed++
		}
		to.Used++
		to.Detections = append(to.Detections, t)
		to.items = append(to.items, Item{Key: item.Key, Words: append(item.Words, outlier)})
	}
	tally.Accuracy = Score(float64(tally.Detected) / float64(tally.Used))
	tally.OPP = Score(tally.positions / float64(tally.Used))
	return tally
}

// dot64 is the cosine of unit vectors.
func dot64(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
