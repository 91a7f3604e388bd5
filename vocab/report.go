package vocab

import (
	"fmt"
	"math"
)

// A Report says of a corpus what one needs to know to choose which of its tokens become words.
type Report struct {
	Tokens uint64 `json:"tokens"` // all of them
	Types  uint64 `json:"types"`  // distinct ones
	Most   uint64 `json:"most"`   // the count of the most frequent one

	// Coverage says what share of all tokens the most frequent ones are.
	Coverage []Coverage `json:"coverage"`
	// Drops says what each of some smallest counts would drop.
	Drops []Drop `json:"drops"`
	// Zipf is the slope of the logarithm of the count over that of the rank, near −1 for words of
	// natural language; 0 if there are too few tokens that are seen ten times.
	Zipf float64 `json:"zipf_slope"`
	// Suggestions are settings that suit the corpus.
	Suggestions []Suggestion `json:"suggestions"`
}

// A Coverage says how many of all tokens the most frequent distinct ones are.
type Coverage struct {
	Top    uint64  `json:"top"`    // so many distinct tokens
	Tokens uint64  `json:"tokens"` // are so many in all
	Share  float64 `json:"share"`  // of all tokens
}

// A Drop says what is lost if tokens that are seen less often than MinCount are dropped.
type Drop struct {
	MinCount   uint64  `json:"min_count"`
	Types      uint64  `json:"types"`
	TypeShare  float64 `json:"type_share"`
	Tokens     uint64  `json:"tokens"`
	TokenShare float64 `json:"token_share"`
	Left       uint64  `json:"left"` // distinct tokens that are left
}

// A Suggestion is a value for a setting, by name, and why.
type Suggestion struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
	Reason  string `json:"reason"`
}

// minCounts are those that a report has.
var minCounts = []uint64{1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000}

// Report returns the report on a corpus.
func (t *Tally) Report() Report {
	all := t.falling()
	r := Report{Tokens: t.Tokens(), Types: t.Types(), Zipf: zipf(all)}
	if len(all) == 0 {
		return r
	}
	r.Most = all[0].count
	for top := uint64(100); ; top *= 10 {
		of := min(top, r.Types)
		tokens := covered(all, of)
		r.Coverage = append(r.Coverage, Coverage{of, tokens, float64(tokens) / float64(r.Tokens)})
		if top >= r.Types {
			break
		}
	}
	for _, least := range minCounts {
		d := Drop{MinCount: least}
		for _, f := range all {
			if f.count < least {
				d.Types += f.types
				d.Tokens += f.types * f.count
			}
		}
		d.Left = r.Types - d.Types
		d.TypeShare, d.TokenShare = float64(d.Types)/float64(r.Types), float64(d.Tokens)/float64(r.Tokens)
		r.Drops = append(r.Drops, d)
		if d.Left == 0 {
			break
		}
	}
	r.Suggestions = []Suggestion{r.suggestMinCount(), r.suggestSample(all)}
	return r
}

// covered returns how many tokens the most frequent distinct ones are in all.
func covered(all []frequency, top uint64) (tokens uint64) {
	for _, f := range all {
		n := min(f.types, top)
		tokens += n * f.count
		top -= n
	}
	return tokens
}

// zipf fits a straight line to the logarithms of counts over those of ranks, by least squares.
// Ranks are the powers of 2, so that each part of the line weighs the same, as far as tokens are
// seen ten times: the counts behind them are steps rather than a line.
func zipf(all []frequency) float64 {
	const least, ranks = 10, 4
	var n, x, y, xx, xy float64
	next, end := uint64(1), uint64(0) // the next rank, and the last one so far
	for _, f := range all {
		if f.count < least {
			break
		}
		for end += f.types; next <= end; next *= 2 {
			u, v := math.Log(float64(next)), math.Log(float64(f.count))
			n++
			x, y, xx, xy = x+u, y+v, xx+u*u, xy+u*v
		}
	}
	if n < ranks {
		return 0
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

// What a suggestion of a smallest count goes by: a word that is seen usualMinCount times has
// contexts enough for a vector; fewer are worth it if they are more than rareText of the
// text; and more than manyWords words take memory that rare words are not worth if all of
// those are less than littleText of it.
const (
	usualMinCount = 5
	rareText      = 0.05
	manyWords     = 1_000_000
	littleText    = 0.02
	mostText      = 0.5 // words that are seen once are worth it if they are most of the text
)

// suggestMinCount suggests which tokens are too rare.
func (r *Report) suggestMinCount() Suggestion {
	at := 0
	for i, d := range r.Drops {
		if d.MinCount == usualMinCount {
			at = i
		}
	}
	why := "the usual one"
	for at > 1 && r.Drops[at].TokenShare > rareText || at == 1 && r.Drops[at].TokenShare > mostText {
		at--
		why = fmt.Sprintf("%d would drop %s of the tokens", r.Drops[at+1].MinCount, percent(r.Drops[at+1].TokenShare))
	}
	for at+1 < len(r.Drops) && r.Drops[at].Left > manyWords && r.Drops[at+1].TokenShare <= littleText {
		at++
		why = fmt.Sprintf("%d would leave %d words", r.Drops[at-1].MinCount, r.Drops[at-1].Left)
	}
	d := r.Drops[at]
	return Suggestion{"min-count", fmt.Sprint(d.MinCount), fmt.Sprintf("%s; it drops %s of the tokens and %s of the distinct ones, and leaves %d words", why, percent(d.TokenShare), percent(d.TypeShare), d.Left)}
}

// suggestSample suggests how frequent words are subsampled.
func (r *Report) suggestSample(all []frequency) Suggestion {
	const usual = 3e-4
	var dropped float64
	words := uint64(0) // of which some are dropped
	for _, f := range all {
		if keep := keepProbability(f.count, usual, r.Tokens); keep < 1 {
			words += f.types
			dropped += float64(f.types*f.count) * (1 - keep)
		}
	}
	if words == 0 {
		return Suggestion{"sample", "0", fmt.Sprintf("no token is so frequent that subsampling at %g would drop any", usual)}
	}
	return Suggestion{"sample", fmt.Sprint(usual), fmt.Sprintf("it drops %s of the tokens, all of them among the %d most frequent distinct ones, which say little of their neighbours", percent(dropped/float64(r.Tokens)), words)}
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
