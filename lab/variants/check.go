package main

import (
	"fmt"
	"iter"
	"math"

	"github.com/w2v-go/w2v/lab/figures"
)

// A check is something that the variants have to show, and what they do.
type check struct {
	claim   string
	figures string
	holds   bool
}

// What is asked of the variants.
const (
	hashWithin   = 0.03 // Spearman, below n-grams
	hashShare    = 0.1  // of n-grams' parameters
	gensimSpeed  = 8    // times
	nestedWithin = 0.02
)

// checks are all that can be told from the results that are there.
func checks(find finder) []check {
	c := checker{find: find}
	for _, row := range []string{"hash", "hash-small"} {
		c.hash(row)
	}
	for _, row := range []string{"gensim", "gensim-0.05"} {
		c.gensim(row)
	}
	c.atLeast(english, "CBOW with n-grams and position weights above CBOW, "+questions,
		"cbow-ngrams-positions", "cbow", questions, 0, true)
	for language, sets := range eachLanguage(map[string][]string{
		english: {ws353, simlex, rareWords, questions},
		german:  {gur350, questionsInDE},
	}) {
		for _, set := range sets {
			c.atLeast(language, fmt.Sprintf("the first 32 of 128 nested dimensions within %.2f of dim 32, %s", nestedWithin, set),
				"nested32", "dim32", set, nestedWithin, false)
		}
	}
	return c.checks
}

// eachLanguage walks through a map by languages, in their order.
func eachLanguage[V any](of map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, language := range languages {
			if v, ok := of[language]; ok && !yield(language, v) {
				return
			}
		}
	}
}

// A checker makes checks of results.
type checker struct {
	find   finder
	checks []check
}

func (c *checker) add(claim, figures string, holds bool) {
	c.checks = append(c.checks, check{claim, figures, holds})
}

// atLeast checks that a row's mean score over known words is that of another, or at most so
// much less; or that it is more, if it has to be above.
func (c *checker) atLeast(language, claim, row, than, set string, within float64, above bool) {
	c.compare(claim, mean(c.found(language, row).known(set)), mean(c.found(language, than).known(set)), within, above)
}

func (c *checker) compare(claim string, ours, theirs, within float64, above bool) {
	if math.IsNaN(ours) || math.IsNaN(theirs) { // one is not there
		return
	}
	holds := ours >= theirs-within
	if above {
		holds = ours > theirs
	}
	c.add(claim, fmt.Sprintf("%.3f against %.3f", ours, theirs), holds)
}

// found are the results of a row that have not failed.
func (c *checker) found(language, row string) results {
	r := c.find(language, row)
	if len(r) == 0 || r[0].Failed != "" {
		return nil
	}
	return r
}

// hash checks hash embeddings: how small they are, and how much they lose.
func (c *checker) hash(row string) {
	for _, language := range languages {
		hash, ngrams := c.found(language, row), c.found(language, "ngrams")
		if hash == nil || ngrams == nil {
			continue
		}
		in := fmt.Sprintf("%s (%s): ", row, language)
		for _, of := range []struct {
			what  string
			input uint64
		}{
			{"of fastText's rows, words and buckets", ngrams[0].Nominal},
			{"of the rows that are left when equal ones are shared", ngrams[0].Input},
		} {
			share := float64(hash[0].Input) / float64(of.input)
			c.add(in+"a tenth of the input parameters "+of.what, fmt.Sprintf("%s of %s: %.1f %%", millions(hash[0].Input), millions(of.input), 100*share), share <= hashShare)
		}
		within := fmt.Sprintf("within %.2f of n-grams, ", hashWithin)
		if language == english {
			c.compare(in+within+ws353, mean(hash.known(ws353)), mean(ngrams.known(ws353)), hashWithin, false)
			continue
		}
		c.compare(in+within+gur350+", known words", mean(hash.known(gur350)), mean(ngrams.known(gur350)), hashWithin, false)
		c.compare(in+within+gur350+", all pairs", mean(hash.all(gur350)), mean(ngrams.all(gur350)), hashWithin, false)
	}
}

// gensim checks that CBOW is as good as gensim's, and how much faster.
func (c *checker) gensim(row string) {
	for language, sets := range eachLanguage(map[string][]string{
		english: {ws353, simlex, rareWords, questions},
		german:  {gur350, questionsInDE},
	}) {
		ours, theirs := c.found(language, "cbow"), c.found(language, row)
		if ours == nil || theirs == nil {
			continue
		}
		in := fmt.Sprintf("CBOW (%s) ", language)
		for _, set := range sets {
			c.atLeast(language, in+"at least as good as "+row+", "+set, "cbow", row, set, 0, false)
		}
		cpu := func(r result) float64 { return r.CPUSeconds }
		fast, slow := ours.speed(cpu), theirs.speed(cpu)
		c.add(fmt.Sprintf("%s%d times %s's tokens per CPU-second", in, gensimSpeed, row),
			fmt.Sprintf("%s against %s: %s ×", figures.Millions(fast), figures.Millions(slow), figures.Significant(fast/slow)), fast >= gensimSpeed*slow)
	}
}

// checkTable shows checks.
func checkTable(checks []check) string {
	t := figures.Table{{"what", "figures", "holds"}}
	for _, c := range checks {
		holds := "no"
		if c.holds {
			holds = "yes"
		}
		t = append(t, []string{c.claim, c.figures, holds})
	}
	return t.Markdown()
}
