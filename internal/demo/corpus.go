package demo

import (
	"bytes"
	"io"
	"strings"
)

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

// Corpus returns a text of the given number of sentences. One to four sentences
// about one topic share a line of 5 to 60 words, which are in lower case and
// divided by single spaces, without punctuation. The text is generated while it
// is read and depends on the arguments only, not on the machine.
func Corpus(sentences int, seed uint64) io.Reader {
	lex := newLexicon()
	w := &writer{
		lexicon:   lex,
		dice:      newDice(seed),
		remaining: sentences,
		bound:     make([]int, len(lex.tables)*maxCopies),
	}
	g := newGrammar(lex)
	for _, t := range topics() {
		var compiled []sentence
		for line := range strings.Lines(strings.TrimSpace(t.sentences)) {
			compiled = append(compiled, g.compile(strings.TrimSpace(line)))
		}
		w.topics = append(w.topics, compiled)
		w.weight += uint64(t.weight)
		w.reach = append(w.reach, w.weight)
	}
	return w
}

const unbound = -1

// A writer is the state of a text that is being generated.
type writer struct {
	lexicon *lexicon
	topics  [][]sentence
	reach   []uint64 // running sum of the topics' weights
	weight  uint64

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

// lengths is how many sentences a line has, the frequent numbers more than once.
var lengths = [...]int{1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4}

func (w *writer) appendLine() {
	for i := range w.bound {
		w.bound[i] = unbound
	}
	w.line = w.line[:0]
	topic := w.drawTopic()
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

func (w *writer) drawTopic() []sentence {
	at := w.dice.below(w.weight)
	for i, reach := range w.reach {
		if at < reach {
			return w.topics[i]
		}
	}
	panic("demo: topic out of range")
}

// bindSparse chooses entities that have all that the slots need, and reports
// whether those that were chosen before have it.
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
	for _, s := range slots {
		if s.entity == entity && len(w.lexicon.tables[entity/maxCopies].rows[row][s.column]) == 0 {
			return false
		}
	}
	return true
}

// drawRow draws a row that no other entity of the line stands for.
func (w *writer) drawRow(entity int) int {
	first := entity - entity%maxCopies
	for {
		row := w.lexicon.tables[entity/maxCopies].draw(w.dice)
		taken := false
		for _, other := range w.bound[first : first+maxCopies] {
			taken = taken || other == row
		}
		if !taken {
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

// appendWord adds a word, or several in the case of some cells.
func (w *writer) appendWord(word string) {
	afterA := string(w.line) == "a " || bytes.HasSuffix(w.line, []byte(" a "))
	if afterA && startsWithVowel(word) {
		w.line = append(w.line[:len(w.line)-1], "n "...)
	}
	w.line = append(w.line, word...)
	w.line = append(w.line, ' ')
}

// startsWithVowel goes by sound as far as the words of the tables need it.
func startsWithVowel(word string) bool {
	for _, prefix := range [...]string{"uni", "use", "usu", "eu", "ukr", "uru", "one"} {
		if strings.HasPrefix(word, prefix) {
			return false
		}
	}
	return strings.IndexByte("aeiou", word[0]) >= 0 || strings.HasPrefix(word, "honest") || strings.HasPrefix(word, "hour") || strings.HasPrefix(word, "heir")
}
