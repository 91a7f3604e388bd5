package eval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors"
)

// A SimilarityResult says how well cosines agree with the judgements of a set of pairs. Used + OOV
// = Pairs.
type SimilarityResult struct {
	Set      string `json:"set"`
	Pairs    int    `json:"pairs"`
	Used     int    `json:"used"`     // pairs whose words both have vectors
	OOV      int    `json:"oov"`      // pairs with a missing word, excluded from the scores
	Spearman Score  `json:"spearman"` // correlation of ranks over the used pairs
	Pearson  Score  `json:"pearson"`  // correlation of values over the used pairs

	// CI95 and PearsonCI95 are the bootstrap confidence intervals of Spearman and of Pearson.
	CI95        Interval `json:"ci95,omitzero"`
	PearsonCI95 Interval `json:"pearson_ci95,omitzero"`
	// Composed is the number of used pairs with a word composed of its n-grams.
	Composed int `json:"composed"`
	// InVocabulary has the scores without the pairs counted in Composed. It is nil for vectors
	// without subwords.
	InVocabulary *SimilarityScores `json:"in_vocabulary,omitempty"`
	LookedUp
}

// SimilarityScores are scores over a part of a set's pairs.
type SimilarityScores struct {
	Used     int   `json:"used"`
	Spearman Score `json:"spearman"`
	Pearson  Score `json:"pearson"`
}

// scoreSimilarity correlates the cosines of word pairs with the judgements of people. Pairs with
// composed words are used like others. Pairs with a missing word are left out.
func scoreSimilarity(_ context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	var used, known, everyPair, uncomposed []Judgement // everyPair has cosine 0 for missing words, uncomposed also for composed words
	for i, p := range set.Pairs {
		j := Judgement{Item: newItem(i, p.A, p.B), Human: p.Score}
		zero := j
		a, okA := words.use(p.A)
		b, okB := words.use(p.B)
		if okA && okB {
			if x := vectors.Cosine(a.vector, b.vector); !math.IsNaN(x) { // else a vector is all zeros
				j.Model = x
			}
			used = append(used, j)
			if !a.composed() && !b.composed() {
				zero = j
				known = append(known, j)
			}
		}
		everyPair, uncomposed = append(everyPair, j), append(uncomposed, zero)
	}
	scores, sample := correlations(used, opt), judgedSample(used)
	r := SimilarityResult{
		Set: set.Name, Pairs: len(set.Pairs), Used: len(used), OOV: len(set.Pairs) - len(used), Composed: len(used) - len(known),
		Spearman: scores.Spearman, CI95: scores.SpearmanCI95, Pearson: scores.Pearson, PearsonCI95: scores.PearsonCI95,
		LookedUp: words.lookedUp(),
	}
	if words.composes() {
		r.InVocabulary = &SimilarityScores{len(known), spearmanOf(known), pearsonOf(known)}
	}
	return Result{
		Summary: Summary{
			Metric: "spearman", Score: r.Spearman, Interval: r.CI95, Items: r.Pairs, Used: r.Used, Composed: r.Composed, Missing: r.Missing,
			Parts: []Part{{Name: "pearson", Metric: "pearson", Score: r.Pearson, Interval: r.PearsonCI95, Items: r.Pairs, Used: r.Used}},
		},
		Sample: sample, Judgements: ranked(used), Details: r, zero: new(spearmanOf(everyPair)), unknownZero: new(spearmanOf(uncomposed)),
	}, nil
}

func correlations(all []Judgement, opt Options) SentenceScores {
	return SentenceScores{spearmanOf(all), bootstrap(judgedSample(all), opt), pearsonOf(all), pearsonInterval(all, opt)}
}

func spearmanOf(all []Judgement) Score {
	_, model, human := columns(all)
	return Score(Spearman(model, human))
}

func pearsonOf(all []Judgement) Score {
	_, model, human := columns(all)
	return Score(pearson(model, human))
}

// A Pair is two words and a score: how similar or related people judged them to be.
type Pair struct {
	A, B  string
	Score float64 // larger means more similar, on the set's own scale
}

// readPairs reads lines of two words and a number. Columns are separated by tabs or, in a line without
// tabs, by the first of semicolons, commas, colons and white space that gives two words and a number. The
// score is the third column, with two exceptions that published sets need: a header may call
// another column the score, mean, average, gold or human value (in MSimLex999_German the average
// follows the scores of 13 people), and a part of speech may precede the score (SimVerb-3500,
// SimLex-999). The words are the first two columns, unless a header has columns such as word1 and
// word2 further on. If every word ends with the tag of a part of speech, as sun-n in MEN, the tags
// are removed.
func readPairs(t *text, set *Set) error {
	layout := pairLayout{score: -1}
	first := true
	err := t.eachLine(func(line string) error {
		if first {
			first = false
			if header, ok := readHeader(line); ok {
				layout = header
				return nil
			}
		}
		p, ok := layout.read(line)
		if !ok {
			return fmt.Errorf("want two words and a number, separated by tab, semicolon, comma or space, not %q", excerpt(line))
		}
		set.Pairs = append(set.Pairs, p)
		return checkWords(p.A, p.B)
	})
	if !slices.ContainsFunc(set.Pairs, func(p Pair) bool { return untagged(p.A) == p.A || untagged(p.B) == p.B }) {
		for i, p := range set.Pairs {
			set.Pairs[i].A, set.Pairs[i].B = untagged(p.A), untagged(p.B)
		}
	}
	return err
}

type pairLayout struct {
	first int // column of the first word; the second word follows
	score int // column; -1 means the column after the words, or the next one if that is a part of speech
}

func (l pairLayout) read(line string) (Pair, bool) {
	for columns := range splits(line) {
		if p, ok := l.pair(columns); ok {
			return p, true
		}
	}
	return Pair{}, false
}

func (l pairLayout) pair(columns []string) (Pair, bool) {
	if len(columns) < l.first+3 || columns[l.first] == "" || columns[l.first+1] == "" {
		return Pair{}, false
	}
	at := l.score
	if at < 0 {
		at = l.first + 2
		if isPartOfSpeech(columns[at]) {
			at++
		}
	}
	if at >= len(columns) {
		return Pair{}, false
	}
	score, ok := parseScore(columns[at])
	return Pair{A: columns[l.first], B: columns[l.first+1], Score: score}, ok
}

// splits yields the columns of a line for every separator that the line may have.
func splits(line string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		if strings.Contains(line, "\t") {
			// Tabs are never part of a word. Trying other separators too would take
			// "New York\t5" for two words.
			yield(trimmed(strings.Split(line, "\t")))
			return
		}
		for _, separator := range []string{";", ",", ":"} {
			if strings.Contains(line, separator) && !yield(trimmed(strings.Split(line, separator))) {
				return
			}
		}
		yield(trimmed(strings.Fields(line)))
	}
}

func trimmed(columns []string) []string {
	for i, c := range columns {
		c = strings.TrimSpace(c)
		if len(c) >= 2 && c[0] == '"' && c[len(c)-1] == '"' {
			c = c[1 : len(c)-1]
		}
		columns[i] = c
	}
	return columns
}

func parseScore(s string) (float64, bool) {
	x, err := decimal.Float(strings.Replace(s, ",", ".", 1))
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// isPartOfSpeech reports whether s is a tag such as N, v, ADJ or NNS.
func isPartOfSpeech(s string) bool {
	upper := strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	lower := len(s) == 1 && s[0] >= 'a' && s[0] <= 'z'
	return s != "" && len(s) <= 4 && (upper || lower)
}

// readHeader reports whether the first line is a header, and returns its layout. A line is a header
// if no column after the first two starts like a number; or if the first two columns differ only in
// a final 1 and 2, and not all others are numbers.
func readHeader(line string) (pairLayout, bool) {
	for columns := range splits(line) {
		if len(columns) >= 3 && isHeader(columns) {
			return pairLayout{first: wordColumn(columns), score: scoreColumn(columns)}, true
		}
	}
	return pairLayout{}, false
}

func isHeader(columns []string) bool {
	numbers := 0
	for _, c := range columns[2:] {
		if c != "" && strings.ContainsRune("+-.,0123456789", rune(c[0])) {
			numbers++
		}
	}
	_, numbered := numberedNames(columns[0], columns[1])
	return numbers == 0 || numbered && numbers < len(columns)-2
}

// numberedNames reports whether two names differ only in a final 1 and 2, and returns what they share.
func numberedNames(a, b string) (shared string, ok bool) {
	shared, one := strings.CutSuffix(a, "1")
	other, two := strings.CutSuffix(b, "2")
	return shared, one && two && strings.EqualFold(shared, other)
}

// wordColumn returns the first of two neighbouring columns whose names differ only in a final 1 and
// 2, such as word1 and word2, or 0. A number or a topic may precede the words.
func wordColumn(header []string) int {
	for i := range header[:len(header)-2] {
		if shared, ok := numberedNames(header[i], header[i+1]); ok && shared != "" {
			return i
		}
	}
	return 0
}

func scoreColumn(header []string) int {
	names := []string{"score", "mean", "average", "gold", "human"}
	for i, column := range header {
		if i >= 2 && slices.ContainsFunc(names, func(name string) bool { return strings.Contains(strings.ToLower(column), name) }) {
			return i
		}
	}
	return -1
}

func newItem(i int, words ...string) Item {
	return Item{Key: strconv.Itoa(i) + " " + strings.Join(words, " "), Words: words}
}

func judgedSample(judgements []Judgement) Sample {
	items, model, human := columns(judgements)
	return Sample{Items: items, Score: newRankCorrelation(model, human).score}
}

func columns(judgements []Judgement) (items []Item, model, human []float64) {
	for _, j := range judgements {
		items, model, human = append(items, j.Item), append(model, j.Model), append(human, j.Human)
	}
	return items, model, human
}

// A Judgement is a pair judged by people and by vectors: a point of a scatter plot.
type Judgement struct {
	Item  Item
	Human float64 // the set's score
	Model float64 // the cosine
	// HumanRank and ModelRank are the ranks of these numbers, from 1 for the smallest. Equal numbers
	// share the mean of their ranks, as in Spearman's correlation.
	HumanRank, ModelRank float64
}

func ranked(all []Judgement) []Judgement {
	_, model, human := columns(all)
	model, human = ranks(model), ranks(human)
	for i := range all {
		all[i].ModelRank, all[i].HumanRank = model[i], human[i]
	}
	return all
}
