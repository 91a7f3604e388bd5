package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
)

// anchorFlags say which words a rotation is fitted to, and how.
type anchorFlags struct {
	top     int
	exclude string
	steps   []string
}

func (f *anchorFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.top, "anchors", 0, "take the `N` shared words that are most frequent in both models as anchors; 0 means all")
	flags.StringVar(&f.exclude, "exclude", "", "words in `FILE`, one a line, are no anchors")
	flags.StringSliceVar(&f.steps, "steps", nil, "before the fit, do `STEPS` to the anchors in turn: unit, center")
}

// check looks for what makes no sense before anything is read.
func (f *anchorFlags) check() error {
	if f.top < 0 {
		return fmt.Errorf("--anchors must be 0 (all) or more, is %d", f.top)
	}
	for _, step := range f.options().Steps {
		if step != align.Unit && step != align.Center {
			return fmt.Errorf("--steps: %q is not known; known are %s, %s", string(step), align.Unit, align.Center)
		}
	}
	return nil
}

// options returns how the rotation is fitted.
func (f *anchorFlags) options() align.Options {
	var o align.Options
	for _, step := range f.steps {
		o.Steps = append(o.Steps, align.Step(step))
	}
	return o
}

// excluded reads the words that are no anchors.
func (f *anchorFlags) excluded(stdin io.Reader) ([]string, error) {
	if f.exclude == "" {
		return nil, nil
	}
	l := wordList{file: f.exclude, missing: missingSkip}
	list, err := l.read(stdin)
	if err != nil {
		return nil, err
	}
	return list.Words, nil
}

// readDictionary reads the dictionary at path.
func readDictionary(path string) (align.Dictionary, error) {
	file, err := os.Open(path)
	if err != nil {
		return align.Dictionary{}, named(path, err)
	}
	defer file.Close()
	return align.ReadDictionary(file, path)
}

// pairsOf returns the pairs of a dictionary that two models have.
func pairsOf(path string, a, b *vectors.Set, rule vectors.Case) (*dictionaryUse, []align.Pair, error) {
	dictionary, err := readDictionary(path)
	if err != nil {
		return nil, nil, err
	}
	pairs, missing, err := dictionary.Pairs(a, b, rule)
	if err != nil {
		return nil, nil, err
	}
	use := &dictionaryUse{File: path, Entries: len(dictionary.Entries), Used: len(pairs), Missing: missing.Entries,
		MissingWords: append([]string{}, missing.Words...), MissingTranslations: append([]string{}, missing.Translations...)}
	if len(pairs) == 0 {
		return nil, nil, fmt.Errorf("%s: none of its %d entries is in both models: the first column has words of A, the second of B; not in A: %s; not in B: %s",
			path, use.Entries, some(missing.Words), some(missing.Translations))
	}
	return use, pairs, nil
}

// withWords is withWholeModel for commands that compare words of models.
func (s streams) withWords(path string, use func(*vectors.Set) error) error {
	return s.withWholeModel(path, func(set *vectors.Set) error {
		if set.Len() == 0 {
			return errNoWords(path)
		}
		return use(set)
	})
}

// errNoWords says that a model has nothing to compare.
func errNoWords(path string) error {
	return fmt.Errorf("%s: the model has no list of words to compare, only n-grams that compose the words one asks for", path)
}

// errNoShared says that two models have no words in common.
var errNoShared = errors.New("the models share no words: name pairs of words with --dictionary")

// A dictionaryUse is what became of a dictionary.
type dictionaryUse struct {
	File                string   `json:"file"`
	Entries             int      `json:"entries"`
	Used                int      `json:"used"`
	Missing             int      `json:"missing"` // entries with a word that its model has not
	MissingWords        []string `json:"missing_words"`
	MissingTranslations []string `json:"missing_translations"`
}

// note says which entries are missing; it is empty if none is.
func (d *dictionaryUse) note() string {
	if d == nil || d.Missing == 0 {
		return ""
	}
	var missing []string
	if len(d.MissingWords) > 0 {
		missing = append(missing, "not in A: "+some(d.MissingWords))
	}
	if len(d.MissingTranslations) > 0 {
		missing = append(missing, "not in B: "+some(d.MissingTranslations))
	}
	return fmt.Sprintf("%d of %d entries of %s are not in both models; %s", d.Missing, d.Entries, d.File, strings.Join(missing, "; "))
}
