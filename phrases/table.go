package phrases

import (
	"cmp"
	"slices"

	"github.com/w2v-go/w2v/corpus"
)

// A Table is the phrases of a corpus. It is immutable and may be used from several goroutines.
// The zero value has no phrases.
type Table struct{ passes []*pass }

// A pass is the phrases of one pass.
type pass struct {
	delimiter  string
	connectors map[string]bool
	longest    int // connector
	phrases    map[string][]pair
}

// A pair is two ends that are a phrase together.
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

// has reports whether two ends of these lengths are a phrase.
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

// Phrases returns all phrases: those of the first pass first, and of one pass by falling score,
// falling count and bytes.
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
	for _, p := range t.passes {
		src = src.Through(func() corpus.Stage { return &joiner{pass: p} })
	}
	return src
}

// Join returns the tokens of a sentence with its phrases joined. Empty tokens are left out, and so
// are those that are longer than corpus.MaxToken.
func (t *Table) Join(sentence []string) []string {
	return joinAll(t.Apply(corpus.Sentences("the sentence", [][]string{sentence}, corpus.Options{})))
}

// A joiner joins the phrases of sentences. From left to right, a token that can begin a phrase is
// joined with the next one that can end one if they are a phrase, with the connectors between them.
type joiner struct {
	*pass
	first  int    // the length of the token that may begin a phrase; 0 for none
	joined []byte // this token, and the connectors behind it, with delimiters
	ends   []int  // of the connectors
}

// Token takes a token.
func (j *joiner) Token(out *corpus.Staged, token []byte) {
	connector := j.isConnector(token)
	switch {
	case j.first == 0 && connector:
		out.Add(token)
	case j.first == 0:
		j.begin(token)
	case len(j.joined)+len(j.delimiter)+len(token) > corpus.MaxToken: // no phrase is so long
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

// End puts out the tokens that have become no phrase.
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
