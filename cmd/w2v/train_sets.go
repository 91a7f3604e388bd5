package main

import (
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/vocab"
)

// checkSets says before training which sets of --eval have nothing that words of the
// vocabulary could be scored by. It is an error if --early-stop goes by such a set. Words
// that n-grams compose are not in the vocabulary, and have vectors all the same.
func (f *trainFlags) checkSets(v *vocab.Vocab, report *reporter) error {
	if f.config.Subword != nil {
		return nil
	}
	for i, set := range f.evaluation.sets {
		if set.usable(v) {
			continue
		}
		text := fmt.Sprintf("nothing in %s can be scored: each of its lines has a word that is not in the vocabulary", set.name)
		if i == 0 && f.config.Patience > 0 && f.evaluation.validate == "" {
			return fmt.Errorf("%s, and --early-stop goes by it: put another set first, or use --validate", text)
		}
		report.remark("unusable-set", text)
	}
	return nil
}

// usable reports whether the words of a pair or a question are all in the vocabulary, as
// they are or in lower case.
func (s *trainingSet) usable(v *vocab.Vocab) bool {
	known := func(words ...string) bool {
		for _, word := range words {
			_, found := v.ID([]byte(word))
			if !found {
				_, found = v.ID([]byte(strings.ToLower(word)))
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
