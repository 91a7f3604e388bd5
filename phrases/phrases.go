// Package phrases finds collocations in a corpus, such as "new york", and joins them to one token.
//
// [Learn] counts tokens and pairs of neighbouring tokens, and scores the pairs. The result is a [Table],
// which joins the phrases of any text: Table.Apply for a corpus that is trained on, Table.WriteText for a
// corpus that is written, Table.Join for one sentence. [Read] reads a table that Table.WriteTo has written.
//
// Counts and scores are those of word2phrase and of gensim's Phrases, without pruning. As in these programs,
// joined tokens are counted: if the text contains "new_york" as one token, it counts like the pair.
package phrases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
)

// A Scoring measures how strongly two tokens belong together. Its value is its name on the command line.
type Scoring string

const (
	// Default is (n(ab) − m) · V / (n(a) · n(b)) (Mikolov et al. 2013), with counts n, the
	// smallest count m, and the number V of distinct tokens and pairs.
	Default Scoring = "default"
	// NPMI is normalised pointwise mutual information, from −1 to 1 (Bouma 2009).
	NPMI Scoring = "npmi"
)

// Scorings returns every scoring, the default first.
func Scorings() []Scoring { return []Scoring{Default, NPMI} }

// Help says in a few words what the scoring is.
func (s Scoring) Help() string {
	if s == NPMI {
		return "normalised pointwise mutual information, from -1 to 1"
	}
	return "how often a pair is seen, over what its words' counts would give"
}

// Options say which pairs are phrases. The zero value works.
type Options struct {
	Scoring Scoring // empty means Default
	// Threshold is the score that a phrase must exceed. 0 means 10, or 0.5 with NPMI. For a threshold of zero
	// with NPMI, use math.SmallestNonzeroFloat64.
	Threshold float64
	MinCount  int // rarer pairs are not phrases; 0 means 5
	// Passes is the number of passes over the corpus. Two passes also find phrases of three and four words. 0
	// means 1.
	Passes int
	// Delimiter stands between the words of a phrase; empty means "_".
	Delimiter string
	// Connectors are words that may occur inside a phrase but not at its ends, such as "of" in "bank of
	// england". Pairs reach over connectors, and connectors are not counted.
	Connectors []string

	Threads int // number of workers; 0 means GOMAXPROCS
	// Memory and Folder are those of vocab.Options: the memory for counts, and the folder for counts that do
	// not fit. Tokens and pairs that occur MinCount times are always in memory.
	Memory uint64
	Folder string
	// Force counts even if memory seems too small.
	Force bool
	// Progress, if not nil, is called from time to time with about how many tokens have been
	// read in all passes. Calls come from several goroutines.
	Progress func(tokens uint64)
	// Counted, if not nil, is called after each pass with the number of different tokens and pairs, and of those that occur
	// MinCount times.
	Counted func(different uint64, frequent int)
	// TooLong, if not nil, is called if tokens were left out because they are longer than
	// corpus.MaxToken.
	TooLong func(corpus.TooLong)
}

const (
	maxPasses    = 10
	maxDelimiter = 64
)

func (o Options) complete() Options {
	o.Scoring = cmp.Or(o.Scoring, Default)
	usual := 10.0
	if o.Scoring == NPMI {
		usual = 0.5
	}
	o.Threshold, o.MinCount, o.Passes = cmp.Or(o.Threshold, usual), cmp.Or(o.MinCount, 5), cmp.Or(o.Passes, 1)
	o.Delimiter = cmp.Or(o.Delimiter, "_")
	o.Connectors = slices.Compact(slices.Sorted(slices.Values(o.Connectors)))
	return o
}

// Validate returns an error if an option has an invalid value.
func (o Options) Validate() error {
	o = o.complete()
	switch {
	case !slices.Contains(Scorings(), o.Scoring):
		return fmt.Errorf("phrases: scoring %q is not known: %s and %s are", string(o.Scoring), Default, NPMI)
	case o.Scoring == Default && !(o.Threshold > 0 && o.Threshold <= math.MaxFloat64):
		return fmt.Errorf("phrases: a threshold of %v is not above 0", o.Threshold)
	case o.Scoring == NPMI && !(o.Threshold >= -1 && o.Threshold <= 1):
		return fmt.Errorf("phrases: a threshold of %v is not from -1 to 1, as the scores of %s are", o.Threshold, NPMI)
	case o.MinCount < 1:
		return fmt.Errorf("phrases: a smallest count of %d is not 1 or more", o.MinCount)
	case o.Passes < 1 || o.Passes > maxPasses:
		return fmt.Errorf("phrases: %d passes are not from 1 to %d", o.Passes, maxPasses)
	case o.Threads < 0:
		return fmt.Errorf("phrases: %d threads are not 0 or more", o.Threads)
	}
	return validateWords(o.Delimiter, o.Connectors)
}

// separators are the bytes that separate tokens of text.
const separators = " \n\r\t\v\f\x00"

func validateWords(delimiter string, connectors []string) error {
	if delimiter == "" || strings.ContainsAny(delimiter, separators) || len(delimiter) > maxDelimiter {
		return fmt.Errorf("phrases: the delimiter %.40q is not from 1 to %d bytes without white space", delimiter, maxDelimiter)
	}
	if slices.Contains(connectors, "") {
		return errors.New("phrases: a connector word is empty")
	}
	return nil
}

func (o Options) score(first, last, pair, types, tokens uint64) float64 {
	if o.Scoring == Default {
		return (float64(pair) - float64(o.MinCount)) / (float64(first) * float64(last)) * float64(types)
	}
	all := float64(tokens)
	p := float64(pair) / all
	return math.Log(p/(float64(first)/all*(float64(last)/all))) / -math.Log(p)
}

// A Phrase is a collocation.
type Phrase struct {
	Phrase string `json:"phrase"` // its words with delimiters
	// First and Last are the ends of the phrase, with connectors between them. After the first pass, the ends
	// may be phrases themselves.
	First string  `json:"first"`
	Last  string  `json:"last"`
	Pass  int     `json:"pass"` // pass that found the phrase, from 1
	Count uint64  `json:"count"`
	Score float64 `json:"score"`
}

// A Table is the phrases of a corpus. It is immutable and may be used from several goroutines.
// The zero value has no phrases.
type Table struct{ passes []*pass }

type pass struct {
	delimiter  string
	connectors map[string]bool
	longest    int // longest connector
	phrases    map[string][]pair
}

type pair struct {
	first, last int // the lengths of the ends
	count       uint64
	score       float64
}

func newPass(o Options) *pass {
	p := &pass{delimiter: o.Delimiter, connectors: make(map[string]bool), phrases: make(map[string][]pair)}
	for _, word := range o.Connectors {
		p.connectors[word] = true
		p.longest = max(p.longest, len(word))
	}
	return p
}

func (p *pass) isConnector(token []byte) bool {
	return len(token) <= p.longest && p.connectors[string(token)]
}

func (p *pass) has(joined []byte, first, last int) bool {
	for _, of := range p.phrases[string(joined)] {
		if of.first == first && of.last == last {
			return true
		}
	}
	return false
}

// Len returns the number of phrases.
func (t *Table) Len() (n int) {
	for _, p := range t.passes {
		for _, pairs := range p.phrases {
			n += len(pairs)
		}
	}
	return n
}

// Phrases returns all phrases by pass, then by falling score, falling count and bytes.
func (t *Table) Phrases() (all []Phrase) {
	for i, p := range t.passes {
		for joined, pairs := range p.phrases {
			for _, of := range pairs {
				all = append(all, Phrase{joined, joined[:of.first], joined[len(joined)-of.last:], i + 1, of.count, of.score})
			}
		}
	}
	slices.SortFunc(all, func(a, b Phrase) int {
		return cmp.Or(cmp.Compare(a.Pass, b.Pass), cmp.Compare(b.Score, a.Score), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Phrase, b.Phrase), cmp.Compare(a.First, b.First))
	})
	return all
}

// Apply returns a corpus whose phrases are joined while it is read.
func (t *Table) Apply(src *corpus.Source) *corpus.Source {
	for _, stage := range t.Stages() {
		src = src.Through(stage)
	}
	return src
}

// Stages returns the stages that join phrases, a stage for each pass: see corpus.Options.Tokens.
func (t *Table) Stages() (stages []func() corpus.Stage) {
	for _, p := range t.passes {
		stages = append(stages, func() corpus.Stage { return &joiner{pass: p} })
	}
	return stages
}

// Join returns the tokens of a sentence with its phrases joined. It drops empty tokens and tokens longer than
// corpus.MaxToken.
func (t *Table) Join(sentence []string) (tokens []string) {
	shards, err := t.Apply(corpus.Sentences("the sentence", [][]string{sentence}, corpus.Options{})).Shards(1)
	if err != nil {
		return nil
	}
	for token := range shards[0].Tokens(context.Background()) { // sentences in memory have no errors
		if len(token) > 0 {
			tokens = append(tokens, string(token))
		}
	}
	return tokens
}

// A joiner joins the phrases of sentences. It goes from left to right. It joins a token that can begin a
// phrase with the next token that can end one, and the connectors between, if the two form a phrase.
type joiner struct {
	*pass
	first  int    // length of the token that may begin a phrase; 0 for none
	joined []byte // that token and the connectors after it, with delimiters
	ends   []int  // where the connectors end
}

// Token takes a token.
func (j *joiner) Token(out *corpus.Staged, token []byte) {
	connector := j.isConnector(token)
	switch {
	case j.first == 0 && connector:
		out.Add(token)
	case j.first == 0:
		j.begin(token)
	case len(j.joined)+len(j.delimiter)+len(token) > corpus.MaxToken: // too long for a phrase
		j.End(out)
		j.Token(out, token)
	case connector:
		j.add(token)
		j.ends = append(j.ends, len(j.joined))
	default:
		before := len(j.joined)
		if j.add(token); j.has(j.joined, j.first, len(token)) {
			out.Add(j.joined)
			j.forget()
			return
		}
		j.joined = j.joined[:before]
		j.End(out)
		j.begin(token)
	}
}

func (j *joiner) begin(token []byte) {
	j.joined, j.first = append(j.joined[:0], token...), len(token)
}

func (j *joiner) add(token []byte) {
	j.joined = append(append(j.joined, j.delimiter...), token...)
}

func (j *joiner) forget() { j.joined, j.ends, j.first = j.joined[:0], j.ends[:0], 0 }

// End puts out the tokens that are not part of a phrase.
func (j *joiner) End(out *corpus.Staged) {
	if j.first > 0 {
		out.Add(j.joined[:j.first])
		at := j.first
		for _, end := range j.ends {
			out.Add(j.joined[at+len(j.delimiter) : end])
			at = end
		}
	}
	j.forget()
}
