// Package scorer turns texts into scores of labels. A text becomes rows of a classifier's matrices, the rows a vector, and the
// vector a score for each label, in the order of sums and with the rounding that fastText has.
package scorer

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync/atomic"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A Model has the words, rows and labels that texts are scored with. It does not change, except that it remembers the rows
// and sums of words, and several goroutines may use it.
type Model struct {
	set    *vectors.Set
	words  int // ids from here on are labels
	table  dictionary
	ids    dictionary         // of labels
	prefix []byte             // of what is a label in a text although the model does not know it; nil for texts without labels
	cut    *pipeline.Pipeline // nil for a model whose words stand between blanks

	input  vectors.Matrix
	dense  []float32 // the numbers of input; nil if rows are decoded one by one
	stride int
	width  int // of the vector of a text
	subs   subword.Indexer
	own    bool // words have rows of their own
	runs   wordRuns
	lists  *rowLists // of words; nil without n-grams
	rowOf  []int32   // of buckets; nil if they lie side by side. It may lie in the file
	sums   *sums     // nil if there are none

	score   Head
	unknown float32 // the least probability of a label; 0 for none
}

// FactUnknown names the fact of a model's training that is the least probability of a label; 0 for none.
const FactUnknown = "unknown_threshold"

// ErrNaN says that a score is not a number.
var ErrNaN = errors.New("the score of a label is not a number: the model has diverged, or its file is damaged")

// denseMost is how many numbers are decoded when a model is opened, rather than again for each text.
const denseMost = 1 << 26

// New returns the model of a set with labels, which must stay open. A text is cut as the set records; without a record, at
// white space as in fastText.
func New(set *vectors.Set) (*Model, error) {
	l := set.Labels()
	m := &Model{set: set, words: set.Len(), input: set.Input(), subs: set.Subword(), own: set.OwnRows()}
	if set.Learned().Any() || m.subs != nil && !set.Composes() {
		return nil, fmt.Errorf("words are not the mean of their rows (%s), which classification needs", subword.TitleOf(m.subs))
	}
	var err error
	lists := []vectors.Words{set.Words()}
	if !set.Training().Bool("labels_apart") {
		lists, m.prefix = append(lists, l.Names), []byte(cmp.Or(set.Training().Text("label_prefix"), corpus.DefaultPrefix))
	}
	if m.table, err = newDictionary(lists...); err == nil {
		m.ids, err = newDictionary(l.Names)
	}
	if err != nil {
		return nil, err
	}
	if m.subs != nil {
		m.lists = newRowLists(set)
	}
	cut, err := pipeline.Of(set.Training())
	if err != nil {
		return nil, err
	}
	if cuts(cut) {
		m.cut = cut
	}
	m.rowOf = set.SharedParts().BucketRows
	if m.runs, err = m.runsOf(l); err != nil {
		return nil, err
	}
	err = set.Guard(func() error {
		if m.input.Data == nil && m.input.Rows*m.input.Cols <= denseMost {
			m.input = InMemory(m.input)
		}
		m.dense, m.stride = m.input.Data, m.input.Stride
		m.width = m.input.Cols * vectors.PooledParts(set.Training().Text(vectors.FactPooling))
		m.runs.join(m.input)
		var err error
		m.score, err = NewHead(set.Training().Text("loss"), l)
		m.sums = newSums(m)
		return err
	})
	if err != nil {
		return nil, err
	}
	m.unknown = float32(set.Training().Float(FactUnknown))
	return m, nil
}

// cuts reports whether a pipeline does more than to cut a text at blanks. Which part of a row is the text is for
// the caller to know.
func cuts(p *pipeline.Pipeline) bool {
	plain := p.Text
	plain.TextColumn, plain.Header, plain.JSONField, plain.GroupBy = "", false, "", ""
	return p.Kmers != nil || p.Phrases != nil || p.Lacks != "" || !reflect.DeepEqual(plain, corpus.Options{})
}

// InMemory returns a matrix whose numbers are in memory.
func InMemory(m vectors.Matrix) vectors.Matrix {
	to := vectors.NewMatrix(m.Rows, m.Cols)
	for r := range m.Rows {
		m.Read(to.Row(r), r)
	}
	return to
}

// rowLists are the rows of known words with n-grams, once they are needed. They lie in one piece of memory, so that those of
// several words can be asked for at once.
type rowLists struct {
	rows   []uint32        // without those that are zeros; of words one after the other, as many as there is room for
	used   atomic.Uint64   // how many of them are taken, more than there are if room was missing
	places []atomic.Uint64 // of words: the first row, how many follow, and how many count, also those that are zeros; 0 if not kept
}

const (
	listsMost = 1 << 26 // rows that are kept
	usualRows = 32      // of a word, if they cannot be counted before
)

func newRowLists(set *vectors.Set) *rowLists {
	room := float64(set.Len()) + cmp.Or(subword.CountPieces(subword.Value(set.Subword()), set.Words().Strings()), usualRows*float64(set.Len()))
	return &rowLists{rows: make([]uint32, int(min(room, listsMost))), places: make([]atomic.Uint64, set.Len())}
}

// place returns where the rows of a word are, and how many of them count; 0 for a word whose rows are not kept.
func (l *rowLists) place(id uint32) (first, rows, n int) {
	of := l.places[id].Load()
	return int(of >> 32), int(of >> 16 & math.MaxUint16), int(of & math.MaxUint16)
}

// keep keeps the rows of a word, n with those that are zeros, if there is room. Other goroutines may keep them too.
func (l *rowLists) keep(id int, rows []uint32, n int) {
	if n > math.MaxUint16 {
		return
	}
	end := l.used.Add(uint64(len(rows)))
	if first := end - uint64(len(rows)); end <= uint64(len(l.rows)) {
		copy(l.rows[first:], rows)
		l.places[id].Store(first<<32 | uint64(len(rows))<<16 | uint64(n))
	}
}

// Head returns what turns the vector of a text into scores.
func (m *Model) Head() Head { return m.score }

// LabelID returns the id of a label, or -1.
func (m *Model) LabelID(label string) int {
	return m.ids.find(hashOf([]byte(label)), []byte(label))
}

// A dictionary finds words, and labels behind them. Of equal words or labels it finds the last, as fastText does. A label
// that is a word too, which has no prefix then, is that word wherever it stands in a text.
type dictionary struct {
	text    []byte
	offsets []uint32 // entry i is text[offsets[i]:offsets[i+1]]
	slots   []slot   // open addressing by hashOf
}

// A slot has what tells most entries apart without a look at them.
type slot struct {
	hash   uint64
	length uint32
	id     uint32 // 1 more than the entry's; 0 for an empty slot
}

func newDictionary(lists ...vectors.Words) (d dictionary, err error) {
	n, bytes := 0, 0
	for _, list := range lists {
		n += list.Len()
		for _, entry := range list.All() {
			bytes += len(entry)
		}
	}
	if uint64(bytes) > math.MaxUint32 {
		return d, fmt.Errorf("words and labels of %d bytes, at most %d are possible", bytes, uint32(math.MaxUint32))
	}
	size := 1
	for size < n+n/2+1 {
		size *= 2
	}
	d = dictionary{make([]byte, 0, bytes), make([]uint32, 1, n+1), make([]slot, size)}
	hashes := make([]uint64, 0, n)
	for _, list := range lists {
		for _, entry := range list.All() {
			first := len(d.text)
			d.text = append(d.text, entry...)
			d.offsets = append(d.offsets, uint32(len(d.text)))
			hashes = append(hashes, hashOf(d.text[first:]))
		}
	}
	words := lists[0].Len()
	for first := 0; first < n; first += together {
		some := hashes[first:min(first+together, n)]
		d.ask(some)
		for i, hash := range some {
			id := first + i
			at, before := d.search(hash, d.at(id))
			if id < words || before < 0 || before >= words {
				d.slots[at] = slot{hash, uint32(len(d.at(id))), uint32(id + 1)}
			}
		}
	}
	return d, nil
}

func (d *dictionary) at(id int) []byte { return d.text[d.offsets[id]:d.offsets[id+1]] }

// find returns the id of an entry with that hash, or -1.
func (d *dictionary) find(hash uint64, entry []byte) int {
	_, id := d.search(hash, entry)
	return id
}

// slot returns where the search for a hash begins.
func (d *dictionary) slot(hash uint64) int { return int(uint32(hash)) & (len(d.slots) - 1) }

// ask asks for where the search for hashes begins, of at most together ones.
func (d *dictionary) ask(hashes []uint64) {
	var places [together]uint32
	for i, hash := range hashes {
		places[i] = uint32(d.slot(hash))
	}
	simd.PrefetchAt(d.slots, places[:len(hashes)])
}

func (d *dictionary) search(hash uint64, entry []byte) (at, id int) {
	slots := d.slots
	for at = d.slot(hash); ; at = (at + 1) & (len(slots) - 1) {
		s := &slots[at]
		if s.id == 0 || s.hash == hash && int(s.length) == len(entry) && (len(entry) < 8 || string(d.at(int(s.id-1))) == string(entry)) {
			return at, int(s.id) - 1
		}
	}
}

// wordRuns are the rows of word n-grams.
type wordRuns struct {
	subword.WordNgrams                   // Buckets is 0 if there are none
	row                func(uint32) int  // the row of a bucket; -1 for one that was never trained, -2 for one left out
	separate           vectors.Matrix    // their matrix; without rows they are rows of the input
	kept               map[uint32]uint32 // rows by buckets, of a pruned model
}

const (
	untrained = -1 // counts, and is zeros
	leftOut   = -2 // does not count
)

func (m *Model) runsOf(l *vectors.Labels) (r wordRuns, err error) {
	set := m.set
	n := set.Training().Int("word_ngrams")
	own := set.Matrix(vectors.MatrixWordNgrams)
	if n < 2 {
		return r, nil
	}
	keep := func(buckets []uint32, first int) {
		r.kept = make(map[uint32]uint32, len(buckets))
		for row, bucket := range buckets {
			r.kept[bucket] = uint32(row)
		}
		r.row = func(bucket uint32) int {
			if row, ok := r.kept[bucket]; ok {
				return first + int(row)
			}
			return leftOut
		}
	}
	r.MaxN = n
	buckets, kept, shared := subword.HashedBuckets(set.Subword())
	switch {
	case own.Rows > 0:
		r.Buckets, r.separate = own.Rows, own
		r.row = func(bucket uint32) int { return int(bucket) }
	case l.Buckets > 0:
		r.Buckets, r.separate = l.Buckets, l.Runs
		keep(l.RunBuckets, 0)
	case kept != nil:
		r.Buckets = buckets
		keep(kept, set.Len())
	case shared:
		r.Buckets = buckets
		r.row = m.bucketRow
	case set.Subword() != nil:
		return r, fmt.Errorf("runs of words have no rows, and cannot share those of %s", subword.TitleOf(set.Subword()))
	}
	return r, nil
}

// bucketRow is vectors.Set.BucketRow for what is guarded already.
func (m *Model) bucketRow(bucket uint32) int {
	switch {
	case m.rowOf != nil:
		if row := int(m.rowOf[bucket]); row >= 0 && row < m.input.Rows {
			return row
		}
		return untrained
	case m.own:
		return m.words + int(bucket)
	}
	return int(bucket)
}

// join makes rows of a matrix that lies behind the input in memory rows of the input.
func (r *wordRuns) join(input vectors.Matrix) {
	s := r.separate
	at := input.Rows * input.Stride
	if s.Rows == 0 || input.Data == nil || s.Data == nil || s.Stride != input.Stride || len(input.Data) <= at || &input.Data[at] != &s.Data[0] {
		if s.Rows > 0 && s.Data == nil && s.Rows*s.Cols <= denseMost {
			r.separate = InMemory(s)
		}
		return
	}
	row, first := r.row, input.Rows
	r.row, r.separate = func(bucket uint32) int {
		if of := row(bucket); of >= 0 {
			return first + of
		} else {
			return of
		}
	}, vectors.Matrix{}
}
