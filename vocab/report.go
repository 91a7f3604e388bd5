package vocab

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// A Report summarizes the counts of a corpus, to choose which of its tokens become words.
type Report struct {
	Tokens uint64 `json:"tokens"` // number of all tokens
	Types  uint64 `json:"types"`  // number of distinct tokens
	Most   uint64 `json:"most"`   // count of the most frequent token

	// Coverage is the share of the most frequent tokens in all tokens.
	Coverage []Coverage `json:"coverage"`
	// Drops lists what several values of MinCount would drop.
	Drops []Drop `json:"drops"`
	// Zipf is the slope of log count over log rank, near −1 for words of natural language. It is 0 if too few
	// tokens occur ten times.
	Zipf float64 `json:"zipf_slope"`
	// Suggestions are settings that suit the corpus.
	Suggestions []Suggestion `json:"suggestions"`
}

// A Coverage is the share of the most frequent tokens in the text.
type Coverage struct {
	Top    uint64  `json:"top"`    // number of the most frequent distinct tokens
	Tokens uint64  `json:"tokens"` // sum of their counts
	Share  float64 `json:"share"`  // share of all tokens
}

// A Drop describes the loss if tokens with counts below MinCount are dropped.
type Drop struct {
	MinCount   uint64  `json:"min_count"`
	Types      uint64  `json:"types"`
	TypeShare  float64 `json:"type_share"`
	Tokens     uint64  `json:"tokens"`
	TokenShare float64 `json:"token_share"`
	Left       uint64  `json:"left"` // remaining distinct tokens
}

// A Suggestion is a value for a setting, with the reason.
type Suggestion struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
	Reason  string `json:"reason"`
}

var minCounts = []uint64{1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000}

func (t tally) report() Report {
	all := t.falling()
	r := Report{Most: all[0].count, Zipf: zipf(all)}
	for _, f := range all {
		r.Types += f.types
		r.Tokens += f.types * f.count
	}
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

func covered(all []frequency, top uint64) (tokens uint64) {
	for _, f := range all {
		n := min(f.types, top)
		tokens += n * f.count
		top -= n
	}
	return tokens
}

// zipf fits a straight line to log count over log rank by least squares. It takes ranks that are powers of 2,
// so that each part of the line has the same weight, and stops at tokens that occur less than ten times:
// beyond them, counts form steps and not a line.
func zipf(all []frequency) float64 {
	const least, ranks = 10, 4
	var n, x, y, xx, xy float64
	next, end := uint64(1), uint64(0) // next rank to take, and last rank so far
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

// Rules for suggesting a MinCount. A word that occurs usualMinCount times has enough contexts for a vector.
// Rarer words are worth training if they make up more than rareText of the text. If there are more than
// manyWords words, rare words are not worth the memory if they make up less than littleText of the text.
const (
	usualMinCount = 5
	rareText      = 0.05
	manyWords     = 1_000_000
	littleText    = 0.02
	mostText      = 0.5 // words that occur once are worth training if they make up most of the text
)

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

func (r *Report) suggestSample(all []frequency) Suggestion {
	const usual = 3e-4
	var dropped float64
	words := uint64(0) // number of words that are subsampled
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

// A tally is how many distinct tokens have each count. A nil tally counts nothing.
type tally map[uint64]uint64

func (t tally) add(count uint64) {
	if t != nil {
		t[count]++
	}
}

type frequency struct{ count, types uint64 }

func (t tally) falling() []frequency {
	var all []frequency
	for count, types := range t {
		all = append(all, frequency{count, types})
	}
	slices.SortFunc(all, func(a, b frequency) int { return cmp.Compare(b.count, a.count) })
	return all
}

// A RareError says that no token of a corpus is frequent enough.
type RareError struct {
	MinCount int    // the count that a token needs
	Most     uint64 // the count of the most frequent token
	Distinct int    // number of distinct tokens
	Tokens   uint64 // number of tokens in all
}

func (e *RareError) add(count uint64) {
	e.Most = max(e.Most, count)
	e.Distinct++
	e.Tokens += count
}

func (e *RareError) Error() string {
	return fmt.Sprintf("no token is seen %d times, the least asked for: the most frequent of %d distinct tokens (%d in all) is seen %d times",
		e.MinCount, e.Distinct, e.Tokens, e.Most)
}

// A Spelling describes how the tokens of a vocabulary are written. It counts distinct tokens that suggest
// that the text was not prepared: punctuation on words, words in different case, program text.
type Spelling struct {
	Tokens int    // number of tokens examined: the 200,000 most frequent ones, or all
	Total  uint64 // sum of the counts of all tokens
	// Punctuated is the number of tokens with letters that begin with opening punctuation or
	// a quotation mark, or end with punctuation. Apostrophes do not count as punctuation.
	Punctuated int
	// Known is the number of Punctuated tokens whose form without punctuation is in the
	// vocabulary too.
	Known int
	// Cased is the number of tokens that have another form in the vocabulary that differs only by case. A
	// form with capitals counts only if the first letter or all letters are capitals, as in words. In codes
	// such as aB3x, case has a meaning.
	Cased int
	// Symbolic is the number of tokens with letters that contain, between other characters, a
	// sign that does not occur in words. Program text, paths and addresses have such tokens.
	Symbolic int
	// Example is the most frequent of the Known tokens.
	Example string
}

const (
	spelled        = 200_000 // number of tokens that are examined
	fewTokens      = 30      // with fewer distinct tokens, such as letters or bases, spelling has no meaning
	fewSeen        = 100     // a corpus with few distinct tokens and a smaller total is just short
	someTokens     = 1000    // a vocabulary of this size has the usual share of Cased tokens
	muchPunctuated = 0.08
	leastKnown     = 0.25 // minimum share of Known tokens among Punctuated ones
	muchSymbolic   = 0.2
	muchCased      = 0.12
	nearlyHalf     = 0.4
)

// IsPunctuated reports whether punctuation was left on words: at least 8 % of the tokens are Punctuated, a
// quarter of these are Known, and less than 20 % are Symbolic. In text as people write it, 10 % to 24 % of
// the tokens seen 20 or 5 times are Punctuated; in text without punctuation, hardly any are.
func (s Spelling) IsPunctuated() bool {
	return s.Tokens >= fewTokens && s.share(s.Punctuated) >= muchPunctuated &&
		float64(s.Known) >= leastKnown*float64(s.Punctuated) && s.share(s.Symbolic) < muchSymbolic
}

// IsCased reports whether many words occur both in lower case and in upper case: at least 12 %
// of the tokens are Cased, or 40 % if there are fewer than 1,000 tokens. In English 13 % to 24 %
// are, and in German, where case has more meaning, 4 % to 8 %.
func (s Spelling) IsCased() bool {
	much := muchCased
	if s.Tokens < someTokens {
		much = nearlyHalf
	}
	return s.Tokens >= fewTokens && s.share(s.Cased) >= much && s.share(s.Symbolic) < muchSymbolic
}

// IsFew reports whether the corpus has as few distinct tokens as an alphabet has letters: from 2 to 29, which
// occur at least 100 times in all.
func (s Spelling) IsFew() bool { return s.Tokens > 1 && s.Tokens < fewTokens && s.Total >= fewSeen }

func (s Spelling) share(n int) float64 { return float64(n) / float64(s.Tokens) }

// Spelling examines how the vocabulary's tokens are written.
func (v *Vocab) Spelling() Spelling {
	s := Spelling{Tokens: min(v.Len(), spelled), Total: v.Total()}
	spellings := make(map[string]int) // number of capitalized tokens by lower-case form
	var lower []byte
	for id := range s.Tokens {
		token := v.tokens.token(uint32(id))
		core, symbolic := coreOf(token)
		if symbolic {
			s.Symbolic++
		}
		if core != nil && len(core) < len(token) {
			s.Punctuated++
			if _, ok := v.ID(core); ok {
				if s.Known++; s.Known == 1 {
					s.Example = string(token)
				}
			}
		}
		if lower = wordbreak.AppendLower(lower[:0], token); string(lower) != string(token) && isCapitalized(token) {
			spellings[string(lower)]++
		}
	}
	for form, n := range spellings {
		if id, ok := v.ID([]byte(form)); ok && int(id) < s.Tokens {
			s.Cased += n + 1
		} else if n > 1 {
			s.Cased += n
		}
	}
	return s
}

// isCapitalized reports whether a token has capitals as words have: the first letter, or all letters.
func isCapitalized(token []byte) bool {
	upper, letters := 0, 0
	for i, r := range string(token) {
		switch {
		case unicode.IsDigit(r) || i == 0 && unicode.IsLower(r):
			return false
		case unicode.IsLetter(r):
			letters++
			if !unicode.IsLower(r) {
				upper++
			}
		}
	}
	return upper == 1 || upper == letters
}

// coreOf returns a token with letters without punctuation at its ends, and whether it has other signs.
func coreOf(token []byte) (core []byte, symbolic bool) {
	core = bytes.TrimFunc(token, func(r rune) bool { return closes(r) || opens(r) })
	if !bytes.ContainsFunc(core, unicode.IsLetter) {
		return nil, false
	}
	return core, bytes.ContainsFunc(core, isSign)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

func closes(r rune) bool {
	return unicode.In(r, unicode.Po, unicode.Pe, unicode.Pf, unicode.Pi) && !strings.ContainsRune(`#%&*/@\§¶†‡·`, r) && !isApostrophe(r)
}

func opens(r rune) bool {
	return unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pf) && !isApostrophe(r) || r == '"' || r == '¿' || r == '¡'
}

func isSign(r rune) bool { return strings.ContainsRune(`().,;:_=<>{}[]/\|&*+$^~@#"`, r) }
