package transform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"gonum.org/v1/gonum/blas/blas64"
)

// A MergeMethod says how the vectors of several sets become one vector. Its value is its name on the command
// line.
type MergeMethod string

const (
	// MergeConcat joins the weighted unit vectors of a word end to end, and takes the first principal axes of the
	// joined vectors: their best approximation with that many dimensions (Eckart and Young 1936).
	MergeConcat MergeMethod = "concat"
	// MergeAverage rotates the unit vectors of each set onto those of the first one (Schönemann 1966), and takes
	// their weighted mean.
	MergeAverage MergeMethod = "average"
)

// MergeMethods returns every method.
func MergeMethods() []MergeMethod { return []MergeMethod{MergeConcat, MergeAverage} }

// MergeOptions say how Merge works. The zero value joins the sets with equal weights.
type MergeOptions struct {
	Method MergeMethod // empty means MergeConcat
	// Dim is the number of dimensions of the result; 0 means that of the first set. It is at most the number of
	// dimensions of all sets together, with MergeAverage of the first one.
	Dim int
	// Weights are the weights of the sets, one for each, 0 or more and not all 0; nil means equal weights.
	Weights []float64
	// Power is how much each axis of the result counts: by the power of its singular value, more than 0 and at most 1.
	// 0 and 1 keep dot products as well as they can be kept; less gives more to the later axes, of which joined
	// vectors that say the same twice have too little (Levy, Goldberg and Dagan, "Improving Distributional Similarity", 2015).
	Power float64
	// Score, if not nil, chooses the weights: those of which the merged set scores highest. Weights then is where
	// the search starts: the weights of all sets but the first are doubled and halved, and then changed by less,
	// as long as the score rises.
	Score func(context.Context, *vectors.Set) (float64, error)
	// Tried, if not nil, is told of each score.
	Tried func(weights []float64, score float64)
	// Union keeps words that some sets have no vector of. Otherwise only words that all sets have, or compose,
	// are kept.
	Union bool
	// Names are the names of the sets, for the training record; nil if they have none.
	Names       []string
	Computation Computation
}

func (o *MergeOptions) validate(parts []*vectors.Set) error {
	all, fewest := 0, math.MaxInt
	for _, s := range parts {
		all, fewest = all+s.Dim(), min(fewest, s.Dim())
	}
	method := cmp.Or(o.Method, MergeConcat)
	switch {
	case len(parts) < 2:
		return fmt.Errorf("%d sets to merge, must be at least 2", len(parts))
	case len(parts) > maxParts:
		return fmt.Errorf("%d sets to merge, at most %d can be merged at once", len(parts), maxParts)
	case !slices.Contains(MergeMethods(), method):
		return fmt.Errorf("the method %q is not known; known are %s, %s", string(o.Method), MergeConcat, MergeAverage)
	case o.Dim < 0:
		return fmt.Errorf("%d dimensions asked for, must be at least 1", o.Dim)
	case method == MergeAverage && all != len(parts)*parts[0].Dim():
		return fmt.Errorf("the method %s needs equal dimensions: the method %s takes any", MergeAverage, MergeConcat)
	case method == MergeAverage && o.Dim > parts[0].Dim():
		return fmt.Errorf("%d dimensions asked for, a mean of vectors has %d", o.Dim, parts[0].Dim())
	case o.Dim > all:
		return fmt.Errorf("%d dimensions asked for, there are %d together", o.Dim, all)
	case all > MaxReduced:
		return fmt.Errorf("%d dimensions together, at most %d can be merged: reduce them before", all, MaxReduced)
	case !(o.Power >= 0 && o.Power <= 1):
		return fmt.Errorf("the power of singular values is %v, must be more than 0 and at most 1", o.Power)
	case o.Weights != nil && len(o.Weights) != len(parts):
		return fmt.Errorf("%d weights for %d sets", len(o.Weights), len(parts))
	}
	some := o.Weights == nil
	for i, w := range o.Weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("weight %d is %v, must be 0 or more", i+1, w)
		}
		some = some || w > 0
	}
	if !some {
		return errors.New("all weights are 0: at least one set must count")
	}
	return nil
}

// maxParts limits the number of combinations of sets that words can have vectors in.
const maxParts = 32

// A PartError is an error of one of the sets to be merged.
type PartError struct {
	Part int // from 0
	Err  error
}

func (e *PartError) Error() string { return fmt.Sprintf("set %d: %v", e.Part+1, e.Err) }

// Unwrap returns Err.
func (e *PartError) Unwrap() error { return e.Err }

// Merged says what Merge has done.
type Merged struct {
	Method  MergeMethod  `json:"method"`
	Dim     int          `json:"dim"`
	Power   float64      `json:"power"` // of the singular values of the axes, see MergeOptions
	Words   int          `json:"words"`
	Shared  int          `json:"shared_words"` // words with a finite vector in every set, of which the map was computed
	Parts   []MergedPart `json:"parts"`        // one for each set
	Ngrams  string       `json:"ngrams"`       // the n-grams that compose other words, as subword.Describe says; empty if there are none
	Kept    float64      `json:"energy_kept"`  // share of the squares of the shared words' joined or averaged vectors that the dimensions keep
	Score   *float64     `json:"score,omitempty"`
	Tried   int          `json:"tried,omitempty"` // number of weights that MergeOptions.Score was asked about
	Dropped []string     `json:"left_out"`        // what the result lacks of its parts
}

// A MergedPart says what one set has contributed.
type MergedPart struct {
	Words     int     `json:"words"` // in its vocabulary
	Dim       int     `json:"dim"`
	Weight    float64 `json:"weight"`
	Scale     float64 `json:"scale"`     // root mean square of the lengths of the shared words' vectors
	Composed  int     `json:"composed"`  // words of the result that are not in its vocabulary, and that its n-grams compose
	Estimated int     `json:"estimated"` // words of the result of which it has no vector, see Merge
	Omitted   int     `json:"omitted"`   // words of its vocabulary that the result lacks
	Composes  bool    `json:"composes"`  // its n-grams compose words outside the vocabulary of the result
}

// Merge returns one set of the words of several sets, whose vectors are made of the vectors of these: joined
// and reduced, or rotated and averaged, see MergeMethod. Every vector counts by its direction and the weight of
// its set: it is scaled to length 1 before. Afterwards the vector of a word is multiplied by the weighted mean of
// its lengths, each divided by the root mean square of the lengths in its set, and by that of the first set. So
// frequent words stay as short beside others as they were. All sums are in float64, exact for any number of
// words, and do not depend on the number of cores. Memory grows with the square of all dimensions and with the
// numbers of words and n-grams, and not with the vectors: rows are computed on demand, so close the sets after
// the result.
//
// Words are those that every set has or composes of n-grams, in the order of the first set; or with
// MergeOptions.Union those of any set, the most frequent first if all sets have counts. A count is the largest
// count of a set. Of a word that a set has no vector of, the set's part is estimated from the other parts by
// least squares over the shared words, so such a word lies where words of all sets lie.
//
// Words outside the vocabulary stay known if a set composes them: the result has the n-grams of the first set
// whose n-grams have plain rows, and of others that cut words alike. Its rows are the images of these rows, and
// since a composed vector is a mean of rows, its direction is that of a word with the vectors of one such set
// alone. Of several sets that compose together, vectors are scaled by the root mean squares. Vectors of words
// in the vocabulary are whole rows. N-grams of hash embeddings, whose vectors are not means of
// rows, compose no other words. Context vectors and all else that only training uses are left out.
//
// The record of training has what the records of all sets agree on. Where these say that text was cut in
// different ways, Merged.Dropped says so: the vectors of texts depend on it.
func Merge(ctx context.Context, parts []*vectors.Set, o MergeOptions) (*vectors.Set, *Merged, error) {
	if err := o.validate(parts); err != nil {
		return nil, nil, err
	}
	m := &merger{options: o, what: "merging"}
	m.options.Method = cmp.Or(o.Method, MergeConcat)
	m.options.Dim, m.options.Power = cmp.Or(o.Dim, parts[0].Dim()), cmp.Or(o.Power, 1)
	all := 0
	for _, s := range parts {
		all += s.Dim()
	}
	const copies = 4 // of the matrix of second moments: itself, axes, maps
	if err := o.Computation.affords(copies*axesBytes(all), fmt.Sprintf("merging vectors of %d dimensions together", all), "reduce the dimensions before"); err != nil {
		return nil, nil, err
	}
	for i, s := range parts {
		if err := s.Check(); err != nil {
			return nil, nil, &PartError{i, err}
		}
		m.parts = append(m.parts, &mergePart{set: s, first: m.dim, dim: s.Dim()})
		m.dim += s.Dim()
	}
	if err := guardAll(parts, m.choose); err != nil {
		return nil, nil, err
	}
	if err := m.measure(ctx); err != nil {
		return nil, nil, err
	}
	weights := o.Weights
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(parts))
	}
	if o.Score == nil {
		return m.merged(ctx, weights)
	}
	weights, score, tried, err := searchWeights(weights, func(weights []float64) (float64, error) {
		set, _, err := m.merged(ctx, weights)
		if err != nil {
			return 0, err
		}
		score, err := o.Score(ctx, set)
		if err = cmp.Or(err, set.Err(), ctx.Err()); err == nil && o.Tried != nil {
			o.Tried(weights, score)
		}
		return score, err
	})
	if err == nil && math.IsNaN(score) {
		err = errors.New("the score is not a number, whatever the weights are")
	}
	if err != nil {
		return nil, nil, err
	}
	set, done, err := m.merged(ctx, weights)
	if err == nil {
		done.Score, done.Tried = &score, tried
	}
	return set, done, err
}

// searchWeights looks for the weights of the highest score: it multiplies and divides the weight of each set but the first
// by 2, then by √2 and by ⁴√2, as long as that raises the score.
func searchWeights(start []float64, score func([]float64) (float64, error)) (best []float64, highest float64, tried int, err error) {
	known := map[string]bool{}
	try := func(weights []float64) (better bool, err error) {
		key := fmt.Sprint(weights)
		if known[key] {
			return false, nil
		}
		known[key] = true
		tried++
		s, err := score(weights)
		if better = err == nil && (best == nil || s > highest || math.IsNaN(highest) && !math.IsNaN(s)); better {
			best, highest = weights, s
		}
		return better, err
	}
	if _, err := try(start); err != nil {
		return nil, 0, tried, err
	}
	const rounds = 8 // weights beyond 2⁸ leave nothing of the others
	for _, by := range []float64{2, math.Sqrt2, math.Sqrt(math.Sqrt2)} {
		for round, better := 0, true; better && round < rounds; round++ {
			better = false
			for i := 1; i < len(start); i++ {
				for _, by := range []float64{by, 1 / by} {
					weights := slices.Clone(best)
					weights[i] = round6(weights[i] * by)
					raised, err := try(weights)
					if err != nil {
						return nil, 0, tried, err
					}
					better = better || raised
				}
			}
		}
	}
	return best, highest, tried, nil
}

// round6 rounds to six digits, so that there and back is the same weight.
func round6(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return rounded
}

// guardAll calls do within guards of all sets.
func guardAll(sets []*vectors.Set, do func() error) error {
	if len(sets) == 0 {
		return do()
	}
	return sets[0].Guard(func() error { return guardAll(sets[1:], do) })
}

// A merger merges the same sets with several weights.
type merger struct {
	options MergeOptions
	what    string // for progress
	parts   []*mergePart
	dim     int // of all parts together
	words   vectors.Words
	counts  []uint64
	special int
	classes []uint32       // of each word: bit i is set if part i has a vector of it
	moments blas64.General // sums of products of the joined vectors of words that all parts have
	shared  int
}

type mergePart struct {
	set        *vectors.Set
	first, dim int     // its place in joined vectors
	places     []int32 // the id of each word of the result, or composed, or nowhere
	scale      float64
	done       MergedPart
}

var errNothingShared = errors.New("no word has a vector in each of them, and so it is unknown how their vectors go together")

func (m *merger) complete() uint32 { return 1<<len(m.parts) - 1 }

// choose finds the words of the result.
func (m *merger) choose() error {
	type entry struct {
		word  string
		count uint64
		class uint32
	}
	var entries []entry
	counted, more := true, false // every word has a count; there are words that the first set lacks
	places := make([]int32, len(m.parts))
	var scratch []float32
	for i, p := range m.parts {
		for id, word := range p.set.Words().All() {
			if first, _ := p.set.ID(word); first != id || slices.ContainsFunc(m.parts[:i], func(p *mergePart) bool { _, has := p.set.ID(word); return has }) {
				continue
			}
			e := entry{word: word}
			known := false
			for j, of := range m.parts {
				id := find(of.set, word)
				if id == composed {
					scratch = slices.Grow(scratch[:0], of.dim)[:of.dim]
					if !of.set.Vector(scratch, word) {
						id = nowhere
					}
				}
				places[j] = int32(id)
				if id != nowhere {
					e.class |= 1 << j
				}
				if counts := of.set.SharedParts().Counts; id >= 0 && counts != nil {
					known, e.count = true, max(e.count, counts[id])
				}
			}
			if !m.options.Union && e.class != m.complete() {
				continue
			}
			counted, more = counted && known, more || i > 0
			if i == 0 && id == m.special && id < p.set.SharedParts().Specials {
				m.special++
			}
			entries = append(entries, e)
			for j, of := range m.parts {
				of.places = append(of.places, places[j])
			}
		}
	}
	switch {
	case !slices.ContainsFunc(m.parts, func(p *mergePart) bool { return p.set.Len() > 0 }): // tables of n-grams
		return errors.New("none of them has a list of words, which says of which words vectors are merged")
	case len(entries) == 0:
		return errNothingShared
	}
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	if counted && more {
		slices.SortStableFunc(order[m.special:], func(a, b int) int { return cmp.Compare(entries[b].count, entries[a].count) })
	}
	var words vectors.WordsBuilder
	words.Grow(int64(len(order)))
	for _, i := range order {
		words.Add(entries[i].word)
		m.classes = append(m.classes, entries[i].class)
		if counted {
			m.counts = append(m.counts, entries[i].count)
		}
	}
	m.words = words.Words()
	for _, p := range m.parts {
		places := p.places
		p.places = make([]int32, len(order))
		known := 0
		for k, i := range order {
			p.places[k] = places[i]
			switch places[i] {
			case composed:
				p.done.Composed++
			case nowhere:
				p.done.Estimated++
			default:
				known++
			}
		}
		p.done.Words, p.done.Dim, p.done.Omitted = p.set.Len(), p.dim, p.set.Words().Distinct()-known
	}
	return nil
}

// merged returns the set with these weights.
func (m *merger) merged(ctx context.Context, weights []float64) (*vectors.Set, *Merged, error) {
	joint, kept, err := m.joint(ctx, weights)
	if err != nil {
		return nil, nil, err
	}
	done := &Merged{Method: m.options.Method, Dim: joint.Cols, Power: m.options.Power, Words: m.words.Len(), Shared: m.shared, Kept: kept}
	file := m.behind()
	rows := &mergedRows{of: m, weights: weights, maps: map[uint32]blas64.General{}, cols: joint.Cols, failed: file.Fail}
	for _, class := range m.classes {
		if _, known := rows.maps[class]; !known {
			if rows.maps[class], err = m.mapOf(ctx, class, joint); err != nil {
				return nil, nil, err
			}
		}
	}
	p := vectors.Parts{Words: m.words, Counts: m.counts, Specials: m.special, Source: file}
	var class uint32
	p.Subword, p.BucketRows, class = rows.addNgrams()
	if p.Subword != nil {
		p.Composition, done.Ngrams = wholeRows, subword.Describe(p.Subword)
		if rows.composes, err = m.mapOf(ctx, class, joint); err != nil {
			return nil, nil, err
		}
	}
	p.Input = vectors.Stored(m.words.Len()+len(rows.buckets), joint.Cols, rows)
	p.Training = m.training(weights)
	for i, part := range m.parts {
		of := part.done
		of.Weight, of.Scale, of.Composes = weights[i], part.scale, class&(1<<i) != 0
		done.Parts = append(done.Parts, of)
	}
	done.Dropped = m.dropped(class)
	set, err := vectors.New(p)
	return set, done, err
}

func (m *merger) dropped(composing uint32) []string {
	var context, training, ngrams bool
	for i, p := range m.parts {
		context = context || p.set.Output().Rows > 0
		training = training || len(p.set.Matrices()) > 0 || p.set.Labels() != nil || p.set.SharedParts().State != nil
		ngrams = ngrams || p.set.Subword() != nil && composing&(1<<i) == 0
	}
	list := []string{}
	for _, part := range []struct {
		has  bool
		name string
	}{{ngrams, "n-grams of a set that cuts words in another way, or weighs its rows"}, {context, "context vectors"}, {training, "what only training or labels need"}} {
		if part.has {
			list = append(list, part.name)
		}
	}
	if names := m.disputed(); len(names) > 0 {
		list = append(list, "how text is cut, on which their records disagree: "+strings.Join(names, ", "))
	}
	return list
}

// ofCutting are facts about how a text is cut into tokens, and where vectors of texts end.
var ofCutting = []string{
	"lowercase", "lowercase_language", "tokenizer", "normalize", "strip_accents", "digits", "punctuation", "sentences",
	"kmers", "kmer_stride", "kmer_alphabet", "kmer_canonical", "kmer_join", "phrases", "phrase_delimiter", "text_characters", "text_tokens",
}

// disputed returns the names of what cuts text and is not the same in the records of all parts that have one.
func (m *merger) disputed() (names []string) {
	var records []vectors.Training
	for _, p := range m.parts {
		if t := p.set.Training(); len(t.Known()) > 0 {
			records = append(records, t)
		}
	}
	differ := func(of func(vectors.Training) string) bool {
		return slices.ContainsFunc(records, func(t vectors.Training) bool { return of(t) != of(records[0]) })
	}
	for _, name := range ofCutting {
		if differ(func(t vectors.Training) string { return maps.Collect(t.All())[name] }) {
			names = append(names, name)
		}
	}
	for _, name := range vectors.Attachments() {
		if differ(func(t vectors.Training) string { return string(t.Attached(name)) }) {
			names = append(names, map[string]string{vectors.AttachedTokenizer: "tokenizer.json", vectors.AttachedPhrases: "the table of phrases"}[name])
		}
	}
	return names
}

// ofMatrices are facts about matrices that a merged set does not have.
var ofMatrices = []string{"tied", "nested", "word_ngrams", vectors.FactPooling, "labels_apart", "label_prefix", "several_labels", "own_weight", "power"}

// training returns the facts that all parts with a training record agree on, and how they were merged.
func (m *merger) training(weights []float64) (t vectors.Training) {
	first := true
	for _, p := range m.parts {
		of := p.set.Training()
		if len(of.Known()) == 0 {
			continue
		}
		if first {
			t, first = of, false
			continue
		}
		values := map[string]string{}
		for name, value := range of.All() {
			values[name] = value
		}
		for name, value := range t.All() {
			if values[name] != value {
				t.Set(name, "")
			}
		}
		for _, name := range vectors.Attachments() {
			if !slices.Equal(t.Attached(name), of.Attached(name)) {
				t.Attach(name, nil)
			}
		}
	}
	for _, name := range ofMatrices {
		t.Set(name, "")
	}
	if t.Int("epochs") == 0 { // the parts had different numbers
		t.Set("epochs_auto", false)
	}
	t.Set("merge", string(m.options.Method))
	t.Set("merge_parts", strings.Join(m.options.Names, ", "))
	var texts []string
	for _, w := range weights {
		texts = append(texts, strconv.FormatFloat(w, 'g', -1, 64))
	}
	t.Set("merge_weights", strings.Join(texts, ","))
	if m.options.Power != 1 {
		t.Set("merge_power", m.options.Power)
	}
	return t
}
