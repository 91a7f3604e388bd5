package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A Record is a result with what others need to verify it: the checksums of the set and of the
// model, all settings, and the version of the program.
type Record struct {
	Summary

	Conventions Conventions `json:"conventions"`
	Bands       []Band      `json:"bands"`    // by the rank of an item's rarest word
	ByWords     []Band      `json:"by_words"` // in vocabulary, composed, missing

	Settings  Settings `json:"settings"`
	SetFile   Source   `json:"set_file"`   // the content of its files, decompressed
	ModelFile Source   `json:"model_file"` // its files as they are stored
	Version   string   `json:"w2v_version"`
	Result    Result   `json:"result,omitzero"` // the whole result of the task
}

// Measure evaluates vectors on a set, as Evaluate does, and records how. The caller sets ModelFile
// and Version.
func Measure(ctx context.Context, s *vectors.Set, set SetFile, opt Options) (Record, error) {
	if err := checkBands(opt.Bands); err != nil {
		return Record{}, err
	}
	result, t, words, err := evaluate(ctx, s, set.Set, opt)
	if err != nil {
		return Record{}, err
	}
	r := Record{Summary: result.Summary, SetFile: set.Source(), Result: result, Settings: t.settingsOf(words)}
	all := words.standings(result.Sample)
	r.Conventions = conventions(result, all, opt, words.composes())
	known := s.Len()
	if opt.Restrict > 0 {
		known = min(known, opt.Restrict)
	}
	r.Bands, r.ByWords = bands(known, result, all, opt)
	return r, nil
}

// Settings are the rules behind a score, with defaults filled in.
type Settings struct {
	Case       string `json:"case"`        // "auto", "ignored" or "kept": see vectors.Case
	IgnoreCase bool   `json:"ignore_case"` // the outcome of "auto": words are also looked up in lower case
	FoldVocab  bool   `json:"fold_vocab"`  // words with the same upper-case form are one word
	// AsTrained says that words are then looked up as the training text has them: see Options.
	AsTrained bool `json:"as_trained,omitempty"`
	Restrict  int  `json:"restrict"` // number of words of the vocabulary that are used; 0 means all
	Composes  bool `json:"composes"` // the model composes words outside the vocabulary
	// Ties describes the treatment of equal values, Normalization the vectors that are compared.
	Ties          string `json:"ties"`
	Normalization string `json:"normalization"`
	Resamples     int    `json:"resamples"` // of bootstrap intervals; 0 means no intervals
	Seed          uint64 `json:"seed"`
	// Options are further settings of the task.
	Options any `json:"options,omitempty"`
	// Vectors says how the model's vectors were changed before. The caller sets it.
	Vectors any `json:"vectors,omitempty"`
}

func (t task) settingsOf(words *lookup) Settings {
	opt := words.opt
	r := Settings{
		Case:          cmp.Or(caseNames[opt.Case], "auto"),
		IgnoreCase:    words.ignoresCase(),
		FoldVocab:     opt.FoldVocab,
		AsTrained:     words.words.AsTrained(),
		Restrict:      opt.Restrict,
		Composes:      words.composes(),
		Ties:          t.ties,
		Normalization: t.normalization,
		Resamples:     max(0, cmp.Or(opt.Resamples, DefaultResamples)),
		Seed:          opt.Seed,
	}
	if t.settings != nil {
		r.Options = t.settings(opt)
	}
	return r
}

var caseNames = map[vectors.Case]string{vectors.CaseIgnored: "ignored", vectors.CaseKept: "kept"}

// A Convention is a score under one rule for words outside the vocabulary.
type Convention struct {
	Used     int      `json:"used"` // items that count
	Score    Score    `json:"score"`
	Interval Interval `json:"interval,omitzero"` // 95 % bootstrap interval of Score
}

// Conventions are the scores of a result under three rules for words outside the vocabulary. Other
// programs use one rule each.
type Conventions struct {
	// InVocabulary covers the items whose words are all in the vocabulary.
	InVocabulary Convention `json:"in_vocabulary"`
	// Composed also covers items with composed words. It is the result's score.
	Composed Convention `json:"composed"`
	// Zero covers all items, without composed words: a pair with a word outside the vocabulary has
	// similarity 0, and a question with such a word is wrong. It is nil for tasks that do not define
	// it.
	Zero *Convention `json:"zero,omitempty"`
	// ComposedZero covers all items, with composed words: only items with words that have no
	// vector at all count as zero or wrong. It is nil for vectors without n-grams, where it is Zero.
	ComposedZero *Convention `json:"composed_zero,omitempty"`
}

func conventions(r Result, all []standing, opt Options, composes bool) Conventions {
	sum := r.Summary
	c := Conventions{Composed: Convention{sum.Used, sum.Score, sum.Interval}}
	c.InVocabulary = c.Composed
	weights, n := weigh(all, known)
	if n < len(all) {
		part := r.Sample.only(weights)
		c.InVocabulary = Convention{n, part.once(), bootstrap(part, opt)}
	}
	if r.zero == nil {
		return c
	}
	c.Zero = &Convention{Used: sum.Items, Score: *r.zero}
	if !composes {
		return c
	}
	c.ComposedZero = &Convention{Used: sum.Items, Score: *r.zero}
	switch {
	case r.unknownZero != nil:
		c.Zero.Score = *r.unknownZero
	case r.Sample.Values != nil:
		c.Zero.Score = Score(share(r.Sample.Score(weights), n, sum.Items))
	default:
		c.Zero = nil // computing it takes the task
	}
	return c
}

func share(mean float64, n, all int) float64 {
	if n == 0 {
		mean = 0
	}
	return mean * float64(n) / float64(all)
}

// A Band is the score of the items whose words are about equally frequent or known.
type Band struct {
	Name string `json:"name"` // "1-1000", …, "in vocabulary", "composed" or "missing"
	// From and To are ranks in the vocabulary, from 1; 0 if the band has no ranks.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	// Items counts the items of the band. Items in the band "missing" are not scored.
	Items int   `json:"items"`
	Score Score `json:"score"`
	// Interval is the 95 % bootstrap interval of Score, if Options.BandIntervals asks for it.
	Interval Interval `json:"interval,omitzero"`
}

// DefaultBands are the last ranks of all frequency bands except the last band, which ends with the
// vocabulary.
func DefaultBands() []int { return []int{1000, 10000, 100000, 1000000} }

func checkBands(ranks []int) error {
	for i, r := range ranks {
		if r < 1 || i > 0 && r <= ranks[i-1] {
			return fmt.Errorf("eval: the last ranks of frequency bands are %v, must be 1 or more and rise", ranks)
		}
	}
	return nil
}

type standing struct {
	rarest   int  // largest id of its words in the vocabulary; -1 if no word is in it
	composed bool // a word was composed of n-grams
}

// standings looks up the words of a sample. Words without vectors do not count.
func (l *lookup) standings(sample Sample) []standing {
	all := make([]standing, len(sample.Items))
	for i, item := range sample.Items {
		all[i].rarest = -1
		for _, word := range item.Words {
			if e := l.find(word); !l.opt.lacks(e) {
				all[i].rarest = max(all[i].rarest, e.id)
				all[i].composed = all[i].composed || e.composed()
			}
		}
	}
	return all
}

func weigh(all []standing, counts func(standing) bool) (weights []float64, n int) {
	weights = make([]float64, len(all))
	for i, s := range all {
		if counts(s) {
			weights[i] = 1
			n++
		}
	}
	return weights, n
}

func bandOf(name string, r Result, all []standing, opt Options, counts func(standing) bool) Band {
	weights, n := weigh(all, counts)
	b := Band{Name: name, Items: n, Score: r.Summary.Score}
	if n < len(all) {
		b.Score = Score(r.Sample.Score(weights))
	}
	switch {
	case !opt.BandIntervals || n == 0:
	case n == len(all):
		b.Interval = r.Summary.Interval
	default:
		b.Interval = bootstrap(r.Sample.only(weights), opt)
	}
	return b
}

// bands scores the items by their rarest word, and by whether words were composed. The frequency
// bands hold the items whose words are all in the vocabulary.
func bands(words int, r Result, all []standing, opt Options) (byRank, byWords []Band) {
	ranks := opt.Bands
	if ranks == nil {
		ranks = DefaultBands()
	}
	from := 0
	for _, to := range append(slices.Clone(ranks), words) {
		if to = min(to, words); from >= to {
			continue
		}
		b := bandOf(fmt.Sprintf("%d-%d", from+1, to), r, all, opt, func(s standing) bool {
			return !s.composed && s.rarest >= from && s.rarest < to
		})
		b.From, b.To = from+1, to
		byRank = append(byRank, b)
		from = to
	}
	return byRank, []Band{
		bandOf("in vocabulary", r, all, opt, known),
		bandOf("composed", r, all, opt, func(s standing) bool { return s.composed }),
		{Name: "missing", Items: r.Summary.Items - r.Summary.Used, Score: undefined()},
	}
}

func known(s standing) bool { return !s.composed }
