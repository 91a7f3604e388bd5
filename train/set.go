package train

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Set is a similarity or an analogy set that scores vectors while they are trained.
// SetFile and ReadSet make one.
type Set struct {
	path string // the file; empty if the set was read by ReadSet
	name string

	pairs     eval.PairSet
	questions eval.QuestionSet
	analogy   bool
	sum       string // SHA-256 of its text
}

// SetFile is the set in a file: lines of two words and a number are similarities, lines of four
// words are analogies. Run reads the file, which may be compressed.
func SetFile(path string) Set { return Set{path: path, name: path} }

// ReadSet reads a set of either kind from r. Messages speak of it as name.
func ReadSet(name string, r io.Reader) (Set, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Set{}, ofFile(name, err)
	}
	return newSet(name, text)
}

// Name returns the name of the set for reports: that of its file, without folder and
// extension.
func (s Set) Name() string { return eval.SetName(s.name) }

func newSet(name string, text []byte) (Set, error) {
	s := Set{name: name, sum: fmt.Sprintf("%x", sha256.Sum256(text))}
	var err, pairErr error
	if s.questions, err = eval.ReadQuestions(bytes.NewReader(text), name); err == nil {
		s.analogy = true
		return s, nil
	}
	if s.pairs, pairErr = eval.ReadPairs(bytes.NewReader(text), name); pairErr == nil {
		return s, nil
	}
	return s, fmt.Errorf("%s is neither a similarity set (%w) nor an analogy set (%w)", name, pairErr, err)
}

// read reads the file of the set, if it has one.
func (s Set) read() (Set, error) {
	switch {
	case s.path == "" && s.sum == "":
		return s, optionErrorf("%v: a set is empty: SetFile and ReadSet make one", name("eval"))
	case s.path == "":
		return s, nil
	}
	text, err := readFile(s.path, io.ReadAll)
	if err != nil {
		return s, ofFile(s.path, err)
	}
	read, err := newSet(s.name, text)
	read.path = s.path
	return read, err
}

// score scores vectors: Spearman's correlation, or the accuracy.
func (s *Set) score(ctx context.Context, set *vectors.Set) (eval.Score, error) {
	if s.analogy {
		r, err := eval.Analogy(ctx, set, s.questions, eval.AnalogyOptions{Rules: eval.Rules{Resamples: -1}})
		return r.Accuracy, err
	}
	r, err := eval.Similarity(set, s.pairs, eval.SimilarityOptions{Rules: eval.Rules{Resamples: -1}})
	return r.Spearman, err
}

// usable reports whether there is a pair or a question of which the vocabulary has all words,
// as they are or in lower case, by the rules of a language if one is named.
func (s *Set) usable(v *vocab.Vocab, language string) bool {
	known := func(words ...string) bool {
		for _, word := range words {
			_, found := v.ID([]byte(word))
			if !found {
				lower := []byte(strings.ToLower(word))
				if language != "" {
					lower = wordbreak.LowerText(language, []byte(word))
				}
				_, found = v.ID(lower)
			}
			if !found {
				return false
			}
		}
		return true
	}
	for _, p := range s.pairs.Pairs {
		if known(p.A, p.B) {
			return true
		}
	}
	for _, section := range s.questions.Sections {
		for _, q := range section.Questions {
			if known(q[:]...) {
				return true
			}
		}
	}
	return false
}
