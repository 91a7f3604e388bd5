// Package demo generates a small text in which words mean something, and questions to ask of vectors of its words.
package demo

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Neighbours returns words whose nearest neighbours are worth showing.
func Neighbours() []string {
	return []string{"paris", "dog", "king", "bread", "carpenter", "violin", "bigger", "january"}
}

// Showcase returns analogies worth showing: the first word is to the second as the third is to the answer.
func Showcase() [][3]string {
	return [][3]string{
		{"france", "paris", "japan"}, {"sweden", "swedish", "russia"}, {"russia", "ruble", "japan"},
		{"man", "woman", "king"}, {"waiter", "waitress", "actor"}, {"cow", "calf", "horse"}, {"baker", "bakery", "doctor"},
		{"dog", "dogs", "wolf"}, {"quick", "quicker", "loud"}, {"read", "reading", "write"}, {"drive", "drove", "ride"},
		{"happy", "unhappy", "lucky"},
	}
}

// OutOfVocabulary returns words of which [Corpus] contains the parts alone, for n-grams to compose.
func OutOfVocabulary() []string {
	return []string{"unhappiness", "parisian", "gardening", "bakeries", "guitarist", "grandparent", "brightness", "sleepless"}
}

// DefaultSentences and DefaultSeed are the arguments of [Corpus] for which
// [Analogies] and [Similarities] are made.
const (
	DefaultSentences = 130_000
	DefaultSeed      = 1
)

const (
	minLineWords = 5
	maxLineWords = 60

	chunkSize = 32 << 10
)

// Corpus returns a text of so many sentences. One to four of one topic share a line of 5 to 60 words in lower case, without
// punctuation. The text is generated while it is read and depends on the arguments only, not on the machine.
func Corpus(sentences int, seed uint64) io.Reader {
	lex := newLexicon()
	w := &writer{lexicon: lex, dice: newDice(seed), remaining: sentences, bound: make([]int, len(lex.tables)*maxCopies)}
	for _, topic := range parseSections(topicsText) {
		var compiled []sentence
		for _, line := range topic.lines {
			compiled = append(compiled, lex.compile(line))
		}
		_, weight, _ := strings.Cut(topic.name, " ")
		n, err := strconv.ParseUint(weight, 10, 64)
		if err != nil {
			panic(err)
		}
		w.topics = append(w.topics, compiled)
		w.weights.add(n)
	}
	return w
}

//go:embed topics.txt
var topicsText string

const unbound = -1

type writer struct {
	lexicon *lexicon
	topics  [][]sentence
	weights sums // of the topics

	dice      *dice
	remaining int

	bound  []int // the row that each entity of the line stands for
	line   []byte
	text   []byte
	offset int
}

func (w *writer) Read(p []byte) (int, error) {
	if w.offset == len(w.text) {
		w.text, w.offset = w.text[:0], 0
		for len(w.text) < chunkSize && w.remaining > 0 {
			w.appendLine()
		}
		if len(w.text) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(p, w.text[w.offset:])
	w.offset += n
	return n, nil
}

var lengths = [...]int{1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4}

func (w *writer) appendLine() {
	for i := range w.bound {
		w.bound[i] = unbound
	}
	w.line = w.line[:0]
	topic := w.topics[w.weights.draw(w.dice)]
	want := lengths[w.dice.below(uint64(len(lengths)))]
	previous := -1
	for words := 0; want > 0 || words < minLineWords; want-- {
		next := int(w.dice.below(uint64(len(topic))))
		if next == previous || !w.bindSparse(topic[next].sparse) {
			continue
		}
		end := len(w.line)
		w.appendNodes(topic[next].nodes)
		if words = bytes.Count(w.line, []byte(" ")); words > maxLineWords {
			w.line = w.line[:end]
			break
		}
		previous = next
		w.remaining--
	}
	w.text = append(w.text, w.line...)
	w.text[len(w.text)-1] = '\n'
}

// bindSparse chooses entities that have all that the slots need. It fails if those chosen before lack something.
func (w *writer) bindSparse(slots []slot) bool {
	for _, s := range slots {
		if row := w.bound[s.entity]; row != unbound && !w.complete(s.entity, row, slots) {
			return false
		}
	}
	for _, s := range slots {
		for w.bound[s.entity] == unbound {
			if row := w.drawRow(s.entity); w.complete(s.entity, row, slots) {
				w.bound[s.entity] = row
			}
		}
	}
	return true
}

func (w *writer) complete(entity, row int, slots []slot) bool {
	return !slices.ContainsFunc(slots, func(s slot) bool {
		return s.entity == entity && len(w.lexicon.tables[entity/maxCopies].rows[row][s.column]) == 0
	})
}

func (w *writer) drawRow(entity int) int {
	first := entity - entity%maxCopies
	for {
		row := w.lexicon.tables[entity/maxCopies].draw(w.dice)
		if !slices.Contains(w.bound[first:first+maxCopies], row) {
			return row
		}
	}
}

func (w *writer) appendNodes(nodes []node) {
	for _, n := range nodes {
		switch {
		case n.word != "":
			w.appendWord(n.word)
		case n.options != nil:
			w.appendNodes(n.options[w.dice.below(uint64(len(n.options)))])
		default:
			if w.bound[n.slot.entity] == unbound {
				w.bound[n.slot.entity] = w.drawRow(n.slot.entity)
			}
			cell := w.lexicon.tables[n.slot.entity/maxCopies].rows[w.bound[n.slot.entity]][n.slot.column]
			w.appendWord(cell[w.dice.below(uint64(len(cell)))])
		}
	}
}

func (w *writer) appendWord(word string) {
	afterA := string(w.line) == "a " || bytes.HasSuffix(w.line, []byte(" a "))
	if afterA && startsWithVowel(word) {
		w.line = append(w.line[:len(w.line)-1], "n "...)
	}
	w.line = append(w.line, word...)
	w.line = append(w.line, ' ')
}

func startsWithVowel(word string) bool {
	begins := func(with string) bool { return strings.HasPrefix(word, with) }
	if slices.ContainsFunc([]string{"uni", "use", "usu", "eu", "ukr", "uru", "one"}, begins) {
		return false
	}
	return slices.ContainsFunc([]string{"a", "e", "i", "o", "u", "honest", "hour", "heir"}, begins)
}

const maxCopies = 2 // how many entities of one table a line may speak of

// {animal} is the first column of an animal's row, {animal.plural} another one, {animal2} another animal.
type slot struct {
	entity int // table index times maxCopies plus the copy
	column int
}

// A node is a word, or a choice between sequences if it has options, or else a slot.
type node struct {
	word    string
	options [][]node
	slot    slot
}

type sentence struct {
	nodes  []node
	sparse []slot // slots of columns that are empty in some rows: only some entities have them all
}

// Templates are part of the program, so a mistake in one is a bug.
func (l *lexicon) compile(template string) sentence {
	p := parser{lexicon: l, rest: template}
	nodes := p.sequence()
	if p.rest != "" {
		panic(fmt.Sprintf("demo: template %q is not understood from %q", template, p.rest))
	}
	return sentence{nodes, p.sparse}
}

type parser struct {
	lexicon *lexicon
	rest    string
	sparse  []slot
}

func (p *parser) sequence() []node {
	var nodes []node
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		if p.rest == "" {
			return nodes
		}
		switch p.rest[0] {
		case '|', ')':
			return nodes
		case '(':
			nodes = append(nodes, p.choice())
		case '<':
			nodes = append(nodes, p.phrase(p.quoted('>')))
		case '{':
			nodes = append(nodes, node{slot: p.slot(p.quoted('}'))})
		default:
			rest := strings.TrimLeftFunc(p.rest, func(r rune) bool { return !strings.ContainsRune(" |)({<", r) })
			nodes = append(nodes, node{word: strings.TrimSuffix(p.rest, rest)})
			p.rest = rest
		}
	}
}

func (p *parser) choice() node {
	var n node
	for {
		p.rest = p.rest[1:]
		n.options = append(n.options, p.sequence())
		if p.rest[0] == ')' {
			p.rest = p.rest[1:]
			return n
		}
	}
}

func (p *parser) quoted(end byte) string {
	i := strings.IndexByte(p.rest, end)
	name := p.rest[1:i]
	p.rest = p.rest[i+1:]
	return name
}

func (p *parser) phrase(name string) node {
	for _, row := range p.lexicon.phrase.rows {
		if row[0][0] != name {
			continue
		}
		var n node
		for _, words := range row[1] {
			n.options = append(n.options, p.lexicon.compile(words).nodes)
		}
		return n
	}
	panic(fmt.Sprintf("demo: no phrase %q", name))
}

func (p *parser) slot(name string) slot {
	entity, column, hasColumn := strings.Cut(name, ".")
	entity, second := strings.CutSuffix(entity, "2")
	index := p.lexicon.index(entity)
	s := slot{entity: index * maxCopies}
	if second {
		s.entity++
	}
	t := p.lexicon.tables[index]
	if hasColumn {
		s.column = t.column(column)
	}
	if slices.ContainsFunc(t.rows, func(row [][]string) bool { return len(row[s.column]) == 0 }) {
		p.sparse = append(p.sparse, s)
	}
	return s
}
