package scorer

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/topk"
)

// A Predictor reads texts and finds their labels, with the scratch memory of one goroutine. After Read it has what is exported
// of the text, and after Predict its labels.
type Predictor struct {
	N       int       // rows that count, those that are zeros too
	Content bool      // a word that is not EndOfLine, or an n-gram of characters, is known
	Labels  []int     // ids of the line's own labels
	Vector  []float32 // of the text, once Average was called
	Best    topk.Heap // labels with the logarithms of their probabilities, the best first
	Unknown bool      // no label is probable enough
	Doubt   float32   // the probability that the best one is wrong
	Err     error     // of cutting the line

	m       *Model
	spelled [together]spelling
	waiting int      // of them
	rows    []uint32 // of the input
	apart   []uint32 // of a matrix of runs
	hashes  []uint64 // of words, for runs

	trace *trace // nil unless a prediction is explained

	*extremes // nil if the vector of a text is the mean
	summed

	text    []byte
	lists   simd.Lists
	scratch []float32
	scores  []float32
	open    []topk.Entry // nodes of a tree that are not visited yet
}

// NewPredictor returns a predictor of a model.
func NewPredictor(m *Model) *Predictor {
	return &Predictor{
		m: m, Vector: make([]float32, m.width), scratch: make([]float32, m.input.Cols), extremes: newExtremes(m),
		lists: simd.Lists{Starts: []uint64{0, 0}},
	}
}

// EndOfLine is the word that a newline is.
const EndOfLine = "</s>"

var lineEnd = []byte(EndOfLine)

// IsBlank reports what separates words for fastText.
func IsBlank(c byte) bool { return c <= ' ' && (c == ' ' || c >= '\t' && c <= '\r' || c == 0) }

// Begin forgets the line before.
func (p *Predictor) Begin() {
	p.waiting, p.rows, p.apart, p.hashes, p.Labels = 0, p.rows[:0], p.apart[:0], p.hashes[:0], p.Labels[:0]
	p.N, p.Content, p.Err = 0, false, nil
	p.summed.begin(p.m.sums)
}

// End finds what needs all tokens of the line.
func (p *Predictor) End() {
	p.lookUp()
	p.addSums()
	p.addRuns()
}

// Read finds the rows and labels of the first line of data, and returns how many bytes it has. As in fastText,
// a newline is the word EndOfLine, and so is that word itself: what follows it is another line. A single text
// ends at the end of data, as if a newline followed, and its newlines are blanks.
func (p *Predictor) Read(data []byte, single bool) (n int) {
	p.Begin()
	if p.m.cut != nil {
		n = p.cut(data, single)
	} else {
		n = p.split(data, single)
	}
	p.End()
	return n
}

// split is Read for a model whose words stand between blanks.
func (p *Predictor) split(data []byte, single bool) int {
	for i := 0; i < len(data); {
		switch {
		case data[i] == '\n' && !single:
			p.Token(lineEnd)
			return i + 1
		case IsBlank(data[i]):
			i++
			continue
		}
		n, hash := spell(data[i:])
		token := data[i:][:n]
		i += n
		p.spell(token, hash)
		if string(token) == EndOfLine && !single {
			if i < len(data) && data[i] != '\n' {
				i++
			}
			return i
		}
	}
	if single {
		p.Token(lineEnd)
	}
	return len(data)
}

// cut is Read for a model that records how its text was cut. What is cut is what training cuts: the line without its
// labels, with the blanks around these.
func (p *Predictor) cut(data []byte, single bool) int {
	line, n := data, len(data)
	if i := bytes.IndexByte(data, '\n'); i >= 0 && !single {
		line, n = data[:i], i+1
	}
	p.text = corpus.CutLabels(p.text[:0], line, string(p.m.prefix), p.Token)
	tokens, _, err := p.m.cut.Cut(string(p.text))
	p.Err = err
	p.words(tokens)
	p.Token(lineEnd)
	return n
}

// ReadWords is Read for a text that is cut already.
func (p *Predictor) ReadWords(words []string) {
	p.Begin()
	p.words(words)
	p.End()
}

func (p *Predictor) words(words []string) {
	for _, word := range words {
		p.Token([]byte(word))
	}
}

// isLabel reports whether a token is a label that the model does not know.
func (m *Model) isLabel(token []byte) bool {
	return m.prefix != nil && bytes.HasPrefix(token, m.prefix)
}

// A spelling is a token that is not looked up yet.
type spelling struct {
	token []byte
	hash  uint64
}

// together is how many tokens are looked up at once.
const together = 64

// Token adds a token, which must not change before the line ends.
func (p *Predictor) Token(token []byte) { p.spell(token, hashOf(token)) }

func (p *Predictor) spell(token []byte, hash uint64) {
	if p.waiting == together {
		p.lookUp()
	}
	p.spelled[p.waiting] = spelling{token, hash}
	p.waiting++
}

// lookUp adds the tokens that are spelled.
func (p *Predictor) lookUp() {
	spelled := p.spelled[:p.waiting]
	before := len(p.rows)
	p.ask(spelled)
	for i := range spelled {
		p.add(spelled[i].token, spelled[i].hash)
	}
	if p.m.lists == nil { // otherwise each word asks for its rows
		p.fetch(before)
	}
	p.waiting = 0
}

// cachedSlots are so few that what their entries are is in the cache unasked.
const cachedSlots = 1 << 15

// ask asks for all that is read for tokens.
func (p *Predictor) ask(spelled []spelling) {
	var places [together]uint32
	d, at := &p.m.table, places[:len(spelled)]
	for i := range spelled {
		at[i] = uint32(d.slot(spelled[i].hash))
	}
	simd.PrefetchAt(d.slots, at)
	if p.m.lists == nil && len(d.slots) <= cachedSlots {
		return
	}
	for i, slot := range at { // a slot of another entry has its neighbour in the same line, mostly
		at[i] = max(d.slots[slot].id, 1) - 1
	}
	simd.PrefetchAt(d.offsets, at)
	for i, id := range at { // labels are behind the words
		if int(id) >= p.m.words {
			at[i] = 0
		}
	}
	if l := p.m.lists; p.useSums {
		simd.PrefetchAt(p.m.sums.state, at)
		simd.Prefetch(p.m.sums.rows, p.m.width, at, p.m.width)
	} else if l != nil {
		simd.PrefetchAt(l.places, at)
		for _, id := range at {
			first, rows, _ := l.place(id)
			simd.PrefetchItems(l.rows, first, rows)
		}
	}
}

func (p *Predictor) add(token []byte, hash uint64) {
	id := p.m.table.find(hash, token)
	content := id >= 0
	switch {
	case id >= p.m.words:
		p.Labels = append(p.Labels, id-p.m.words)
		return
	case id >= 0:
		p.word(id)
	case p.m.isLabel(token):
		return
	case p.m.subs != nil:
		before := len(p.rows)
		p.rows = p.m.ngrams(p.rows, string(token))
		p.count(before)
		content = len(p.rows) > before
	}
	p.Content = p.Content || content && string(token) != EndOfLine
	if p.trace != nil {
		p.traceWord(string(token), id)
		p.trace.words = append(p.trace.words, string(token))
	}
	if p.m.runs.Buckets > 0 {
		p.hashes = append(p.hashes, uint64(int64(int32(hashing.FastText(token)))))
	}
}

func (p *Predictor) word(id int) {
	switch {
	case p.m.lists == nil:
		p.rows, p.N = append(p.rows, uint32(p.m.set.OwnRow(id))), p.N+1
		return
	case p.useSums:
		p.addKnown(id)
		return
	}
	l, before := p.m.lists, len(p.rows)
	first, rows, n := l.place(uint32(id))
	if n > 0 {
		p.rows, p.N = append(p.rows, l.rows[first:][:rows]...), p.N+n
		p.fetch(before)
		return
	}
	p.rows = p.m.rowsOf(p.rows, id)
	n = p.count(before)
	l.keep(id, p.rows[before:], n)
}

// rowsOf appends the rows of a word of a model with n-grams.
func (m *Model) rowsOf(rows []uint32, id int) []uint32 {
	if m.own {
		rows = append(rows, uint32(m.set.OwnRow(id)))
	}
	return m.ngrams(rows, string(m.table.at(id)))
}

// traceWord remembers the rows of a word, whose id is -1 if it is not in the vocabulary.
func (p *Predictor) traceWord(word string, id int) {
	m := p.m
	if id >= 0 && m.own {
		p.trace.add(Part{Text: word, Kind: Word}, &m.input, uint32(m.set.OwnRow(id)))
	}
	if m.subs == nil {
		return
	}
	rows := m.ngrams(nil, word)
	for i, ngram := range m.subs.Ngrams(word) {
		p.trace.add(Part{Text: ngram, Kind: Ngram, Of: word}, &m.input, rows[i])
	}
}

// zeros stands for a row of zeros in lists of rows.
const zeros = ^uint32(0)

// count counts the rows from before on, takes those out that are zeros, and asks for the others.
func (p *Predictor) count(before int) (n int) {
	n = len(p.rows) - before
	p.N += n
	p.rows = withoutZeros(p.rows, before)
	p.fetch(before)
	return n
}

// fetch asks for the rows from before on.
func (p *Predictor) fetch(before int) {
	if p.m.dense != nil {
		simd.Prefetch(p.m.dense, p.m.stride, p.rows[before:], p.m.input.Cols)
	}
}

// withoutZeros takes zeros out of the rows from before on.
func withoutZeros(rows []uint32, before int) []uint32 {
	kept := slices.DeleteFunc(rows[before:], func(r uint32) bool { return r == zeros })
	return rows[:before+len(kept)]
}

// ngrams appends the rows of a word's n-grams.
func (m *Model) ngrams(rows []uint32, word string) []uint32 {
	before := len(rows)
	rows = m.subs.Append(rows, word)
	for i, bucket := range rows[before:] {
		rows[before+i] = uint32(m.bucketRow(bucket)) // untrained becomes zeros
	}
	return rows
}

func (p *Predictor) addRuns() {
	runs := &p.m.runs
	if runs.Buckets == 0 {
		return
	}
	to, of := &p.rows, &p.m.input
	if runs.separate.Rows > 0 {
		to, of = &p.apart, &runs.separate
	}
	before := len(*to)
	for first, run := range p.hashes {
		for i, word := range p.hashes[first+1 : first+min(runs.MaxN, len(p.hashes)-first)] {
			run = runs.Next(run, word)
			switch row := runs.row(runs.Bucket(run)); row {
			case leftOut:
			case untrained:
				p.N++
			default:
				p.N++
				*to = append(*to, uint32(row))
				if p.trace != nil {
					p.trace.add(Part{Text: strings.Join(p.trace.words[first:first+i+2], " "), Kind: Run}, of, uint32(row))
				}
			}
		}
	}
	if of.Data != nil {
		simd.Prefetch(of.Data, of.Stride, (*to)[before:], of.Cols)
	}
}

// Average sets Vector to the vector of the line.
func (p *Predictor) Average() {
	m, mean := p.m, p.Vector[:p.m.input.Cols]
	switch {
	case p.useSums:
		p.gather(mean, m.sums.rows, len(mean), p.known)
		if len(p.rows) > 0 {
			p.gather(p.scratch, m.dense, m.stride, p.rows)
			add(mean, p.scratch)
		}
	case m.dense != nil && len(p.rows) > 0:
		p.gather(mean, m.dense, m.stride, p.rows)
	default:
		clear(mean)
		for _, r := range p.rows {
			add(mean, m.input.View(p.scratch, int(r)))
		}
	}
	for _, r := range p.apart {
		add(mean, p.rowApart(r))
	}
	by := float32(1 / float64(p.N))
	for k := range mean {
		mean[k] *= by
	}
	if p.extremes != nil {
		p.addExtremes()
	}
}

// rowApart returns a row of the matrix of runs.
func (p *Predictor) rowApart(r uint32) []float32 {
	of := &p.m.runs.separate
	if of.Data != nil { // the file is guarded
		return of.Data[int(r)*of.Stride:][:of.Cols]
	}
	return of.View(p.scratch, int(r))
}

// gather sets sum to the sum of rows of a matrix, from the first to the last.
func (p *Predictor) gather(sum, data []float32, stride int, rows []uint32) {
	if n := len(rows); len(p.lists.Weights) < n {
		p.lists.Weights = slices.Repeat([]float32{1}, n+n/8)
	}
	p.lists.Rows, p.lists.Starts[1] = rows, uint64(len(rows))
	one := [1]uint32{}
	simd.GatherLists(simd.Block{Data: sum, Rows: 1, Cols: len(sum), Stride: len(sum)}, data, stride, p.lists, one[:])
}

func add(sum, row []float32) {
	row = row[:len(sum)]
	for k, x := range row {
		sum[k] += x
	}
}

// Predict finds the k best labels of the line that was read, all if k is less than 1, of at least that probability.
func (p *Predictor) Predict(k int, threshold float32) error {
	if p.sure {
		return nil
	}
	p.Best, p.Unknown, p.Doubt = p.Best[:0], false, 1
	if p.Err != nil {
		return p.Err
	}
	if p.N == 0 {
		p.Unknown = p.m.unknown > 0
		return nil
	}
	if k < 1 {
		k = infinite
	}
	p.Average()
	if p.m.unknown == 0 {
		return p.m.score.Best(p, k, threshold)
	}
	err := p.m.score.Best(p, k, 0)
	if len(p.Best) > 0 && p.Content {
		p.Doubt = max(0, 1-exp32(p.Best[0].Score))
	}
	p.Unknown = len(p.Best) == 0 || !p.Content || exp32(p.Best[0].Score) < p.m.unknown
	p.Drop(threshold)
	return err
}

// Drop takes the labels away whose probability is less than threshold.
func (p *Predictor) Drop(threshold float32) {
	for least := logOf(threshold); len(p.Best) > 0 && p.Best[len(p.Best)-1].Score < least; {
		p.Best = p.Best[:len(p.Best)-1]
	}
}

// infinite is k for all labels.
const infinite = math.MaxInt
