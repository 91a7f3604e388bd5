package pairs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A census is the words of texts and how often they occur.
type census struct {
	words  []string
	counts []uint64
	ids    map[string]uint32
}

// count counts a word, and returns its number.
func (c *census) count(word string) uint32 {
	id, ok := c.ids[word]
	if !ok {
		id = uint32(len(c.words))
		word = strings.Clone(word)
		c.ids[word] = id
		c.words, c.counts = append(c.words, word), append(c.counts, 0)
	}
	c.counts[id]++
	return id
}

// A lexicon is the words of a model and the rows that they are made of.
type lexicon struct {
	words      []string // with rows of their own, which come first
	counts     []uint64
	bucketRows []int32 // nil without n-grams
	lists      lists   // the rows of these words, and then of others in the texts, which have n-grams alone
	rows       int
	tokens     int // from here on, words are the further tokens of a tokenizer.json
}

// newLexicon returns the words that are frequent enough, the most frequent first, then those of the set to start from, and then
// all other tokens of a tokenizer.json, which formats that hold it have rows for. It also returns the number of each word of the texts,
// or none. A set that is a checkpoint has all words.
func (r *census) newLexicon(o Settings, checkpoint bool) (*lexicon, []uint32, error) {
	l := &lexicon{}
	number := make([]uint32, len(r.words)) // of the words of the texts
	order := make([]uint32, 0, len(r.words))
	for id, n := range r.counts {
		if number[id] = none; n >= uint64(o.MinCount) {
			order = append(order, uint32(id))
		}
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(r.counts[b], r.counts[a]) })
	add := func(word string, id uint32, known bool, count uint64) {
		if known {
			number[id] = uint32(len(l.words))
			count += r.counts[id]
		}
		l.words, l.counts = append(l.words, word), append(l.counts, count)
	}
	if !checkpoint {
		for _, id := range order {
			add(r.words[id], id, true, 0)
		}
	}
	if o.Init != nil {
		counts := o.Init.Counts()
		for id, word := range o.Init.Words().All() {
			count := uint64(0)
			if counts != nil {
				count = counts[id]
			}
			of, known := r.ids[word]
			switch {
			case checkpoint:
				if known {
					number[of] = uint32(len(l.words))
				}
				l.words, l.counts = append(l.words, word), append(l.counts, count)
			case known && number[of] != none:
				l.counts[number[of]] += count
			default:
				add(word, of, known, count)
			}
		}
	}
	if l.tokens = len(l.words); o.Text.Text.File != nil && !checkpoint {
		tokens, err := o.Text.Text.File.Tokens()
		if err != nil {
			return nil, nil, err
		}
		has := make(map[string]bool, len(l.words))
		for _, word := range l.words {
			has[word] = true
		}
		for _, token := range tokens {
			if token != "" && len(token) <= corpus.MaxToken && !has[token] {
				of, known := r.ids[token]
				add(token, of, known, 0)
				has[token] = true
			}
		}
	}
	l.lists.Starts = []uint64{0}
	indexer := o.indexer()
	l.rows = len(l.words)
	switch {
	case checkpoint:
		l.bucketRows, l.rows = o.Init.BucketRows(), o.Init.Input().Rows
	case indexer != nil:
		l.bucketRows = slices.Repeat([]int32{-1}, indexer.Rows())
		if o.Init != nil && subword.Same(o.Init.Subword(), indexer) { // words outside of the vocabulary may need them
			for b := range l.bucketRows {
				if o.Init.BucketRow(uint32(b)) >= 0 {
					l.bucketRows[b] = int32(l.rows)
					l.rows++
				}
			}
		}
	}
	var terms subword.Terms
	list := func(own int, word string) bool {
		pieces := 0
		if indexer != nil {
			subword.CompositionOf(indexer).Terms(&terms, indexer, word, own >= 0)
			pieces = len(terms.Buckets)
		}
		n := pieces
		if own >= 0 {
			n++
		}
		if n == 0 {
			return false
		}
		weight := 1 / float32(n)
		if own >= 0 {
			l.lists.Rows, l.lists.Weights = append(l.lists.Rows, uint32(own)), append(l.lists.Weights, weight)
		}
		if pieces > 0 {
			for _, b := range terms.Buckets {
				if l.bucketRows[b] < 0 {
					l.bucketRows[b] = int32(l.rows)
					l.rows++
				}
				l.lists.Rows, l.lists.Weights = append(l.lists.Rows, uint32(l.bucketRows[b])), append(l.lists.Weights, weight)
			}
		}
		l.lists.Starts = append(l.lists.Starts, uint64(len(l.lists.Rows)))
		return true
	}
	for id, word := range l.words {
		list(id, word)
	}
	for id, word := range r.words {
		if number[id] == none && indexer != nil && list(-1, word) {
			number[id] = uint32(len(l.lists.Starts) - 2)
		}
	}
	if l.rows == 0 {
		return nil, nil, fmt.Errorf("pairs: no word occurs %d times", o.MinCount)
	}
	if l.rows > math.MaxInt32 {
		return nil, nil, fmt.Errorf("pairs: %d rows, at most %d are possible", l.rows, math.MaxInt32)
	}
	r.words, r.counts, r.ids = nil, nil, nil
	return l, number, nil
}

// none is no word.
const none = math.MaxUint32

// renumber replaces words by their numbers, and leaves those out that have none.
func (t *texts) renumber(number []uint32) {
	kept, first := t.words[:0], uint64(0)
	for i, end := range t.starts[1:] {
		for _, word := range t.words[first:end] {
			if n := number[word]; n != none {
				kept = append(kept, n)
			}
		}
		first, t.starts[i+1] = end, uint64(len(kept))
	}
	t.words = kept
}

// useful returns the examples that something can be learned of, and counts the others.
func (r *reading) useful(c *Contents, scored bool) (kept []example) {
	for _, e := range r.examples {
		e.negatives = slices.DeleteFunc(slices.Clone(e.negatives), func(text uint32) bool { return len(r.texts.of(text)) == 0 })
		switch {
		case len(r.texts.of(e.a)) == 0 || len(r.texts.of(e.b)) == 0:
			c.Empty++
		case e.a == e.b && !scored:
			c.Same++
		default:
			kept = append(kept, e)
		}
	}
	return kept
}

// startSmoothing is a in the weight a/(a+p) at which a row starts, where p is the share of the row's word among all words.
// It is the weight of smooth inverse frequency: see vectors/pooling.
const startSmoothing = 1e-3

// start sets the rows of a new run.
func (t *table) start(l *lexicon, o Settings) error {
	random := rand.New(rand.NewPCG(o.Seed, 0))
	var total float64
	for _, n := range l.counts {
		total += float64(n)
	}
	share := make([]float64, l.rows) // of each row
	for word := range l.words {
		rows := l.lists.Rows[l.lists.Starts[word]:l.lists.Starts[word+1]]
		for _, row := range rows {
			share[row] += float64(l.counts[word]) / max(total, 1)
		}
	}
	for row := range l.rows {
		v := t.row(uint32(row))
		for k := range v {
			v[k] = float32(random.NormFloat64())
		}
		normalize(v)
		t.weights[row] = float32(startSmoothing / (startSmoothing + share[row]))
	}
	for word := l.tokens; word < len(l.words); word++ {
		if l.counts[word] == 0 { // nothing trains its row: it is zeros in the model
			t.weights[word] = 0
		}
	}
	if o.Init == nil {
		return nil
	}
	return o.Init.Guard(func() error { return t.startFrom(l, o) })
}

// The architectures that models of this package record.
const (
	archPairs   = "pairs"
	archDistill = "distill"
)

func (t *table) startFrom(l *lexicon, o Settings) error {
	set := o.Init
	arch := set.Training().Text("arch")
	own := arch == archPairs || arch == archDistill
	alike := o.MaxN > 0 && subword.Same(set.Subword(), o.indexer()) && set.OwnRows() && set.Composes()
	input := set.Input()
	v := make([]float32, set.Dim())
	usual := float32(1) // length of a row
	if alike && !own {  // whose rows have lengths that count in the vectors of words
		var sum float64
		for id := range set.Len() {
			input.Read(v, set.OwnRow(id))
			sum += float64(norm(v))
		}
		usual = float32(sum / float64(set.Len()))
	}
	take := func(row uint32) error {
		length := norm(v)
		if !(length > 0 && length <= math.MaxFloat32) {
			if length != 0 {
				return errors.New("pairs: the vectors to start from have numbers that are not finite")
			}
			return nil
		}
		to := t.row(row)
		by := float32(1)
		if rest := to[len(v):]; len(rest) > 0 {
			by = float32(math.Sqrt(float64(len(v)) / float64(len(to))))
		}
		for k, x := range v {
			to[k] = x / length * by
		}
		switch {
		case own:
			t.weights[row] = length / by
		case alike:
			t.weights[row] *= length / usual
		}
		return nil
	}
	for id, word := range l.words {
		switch at, known := set.ID(word); {
		case known && alike:
			input.Read(v, set.OwnRow(at))
		case !set.Vector(v, word):
			continue
		}
		if err := take(uint32(id)); err != nil {
			return err
		}
	}
	if alike {
		for b, row := range l.bucketRows {
			if from := set.BucketRow(uint32(b)); row >= 0 && from >= 0 {
				input.Read(v, from)
				if err := take(uint32(row)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func norm(v []float32) float32 { return float32(math.Sqrt(float64(dot(v, v)))) }

// weigh sets dst to the rows times their weights, in the scale of the model.
func (r *run) weigh(dst []float32) {
	t := r.table
	for row, weight := range t.weights {
		weight *= r.stepper.scale
		to := dst[row*t.dim:][:t.dim]
		for k, x := range t.row(uint32(row)) {
			to[k] = x * weight
		}
	}
}

// model returns the model so far.
func (r *run) model() (*vectors.Set, error) {
	rows := make([]float32, len(r.table.numbers))
	r.weigh(rows)
	return r.set(rows)
}

// set returns the model of rows that are times their weights.
func (r *run) set(rows []float32) (*vectors.Set, error) {
	l, o := r.lexicon, r.Settings
	input := matrix(rows, l.rows)
	p := vectors.Parts{Words: vectors.NewWords(l.words...), Counts: l.counts, Input: input, Subword: o.indexer(), BucketRows: l.bucketRows}
	p.Training = vectors.NewTraining(
		"arch", "", "loss", "", vectors.FactPooling, "", "epochs", o.Epochs, "min_count", o.MinCount, "lr", o.LearningRate, "seed", o.Seed, "tokens", r.contents.Tokens,
		"pooling", "mean", "text_norm", !r.stepper.mean, r.task.examples(), r.contents.Pairs, "batch_size", o.BatchSize,
		"nested", nestedText(o.Nested, o.Dim))
	if o.Patience > 0 {
		p.Training.Set("patience", o.Patience)
		p.Training.Set("metric", string(cmp.Or(o.Metric, LossMetric)))
	}
	r.task.describe(&p.Training)
	text := o.Text
	if err := text.Describe(&p.Training); err != nil {
		return nil, err
	}
	return vectors.New(p)
}

func nestedText(nested []int, dim int) string {
	if len(nested) == 0 {
		return ""
	}
	text := ""
	for _, d := range append(slices.Clone(nested), dim) {
		text += fmt.Sprintf(",%d", d)
	}
	return text[1:]
}
