package vectors

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"strings"
	"sync"
	"unsafe"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// MaxWord is the largest length of a word in bytes, the same as that of a token of a corpus.
const MaxWord = wordbreak.MaxBytes

// Words are the words of a set, in the order of their ids. The zero value is empty. The bytes of all words
// are one block, which can lie in a mapped file.
type Words struct{ list *wordList }

type wordList struct {
	text    string
	offsets []uint64      // word i is text[offsets[i]:offsets[i+1]]
	mapped  bool          // text and offsets lie in a file that may be unmapped
	behind  *backing.File // the file, once the set is open; nil for words in memory

	slots  []uint32 // see WordTable
	hashed sync.Once
	given  []uint32 // the slots of the file
}

// NewWords returns the given words.
func NewWords(words ...string) Words {
	var b WordsBuilder
	for _, w := range words {
		b.Add(w)
	}
	return b.Words()
}

// Len returns the number of words.
func (w Words) Len() int {
	if w.list == nil {
		return 0
	}
	return len(w.list.offsets) - 1
}

// At returns word id.
func (w Words) At(id int) (word string) {
	if w.list == nil {
		panic(fmt.Sprintf("vectors: word %d of a set of none", id))
	}
	if !w.list.mapped {
		return w.list.word(id)
	}
	w.list.behind.Guard(func() { word = strings.Clone(w.list.word(id)) })
	return word
}

// All yields every word and its id.
func (w Words) All() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for id := range w.Len() {
			if !yield(id, w.At(id)) {
				return
			}
		}
	}
}

// Strings returns the words as a slice.
func (w Words) Strings() []string {
	words := make([]string, w.Len())
	for id := range words {
		words[id] = w.At(id)
	}
	return words
}

// String formats the words like a slice of strings.
func (w Words) String() string { return fmt.Sprint(w.Strings()) }

// Find returns the id of a word, the lowest if the word occurs twice, or -1, and whether it was found.
func (w Words) Find(word string) (id int, ok bool) {
	id = -1 // stays if the words cannot be read
	if w.Len() > 0 {
		w.list.behind.Guard(func() { id, ok = w.find(word) })
	}
	return id, ok
}

// Distinct returns the number of different words.
func (w Words) Distinct() (n int) {
	if w.Len() > 0 {
		w.list.behind.Guard(func() {
			for _, slot := range w.slots() {
				if slot != 0 {
					n++
				}
			}
		})
	}
	return n
}

func (w Words) find(word string) (id int, ok bool) {
	if w.Len() == 0 {
		return -1, false
	}
	id, _ = w.search(w.slots(), word)
	return id, id >= 0
}

// search returns the id of a word, or -1 if slots do not lead to it, and the number of slots visited.
func (w Words) search(slots []uint32, word string) (id, looked int) {
	at := slotOf(word, len(slots))
	for looked = range slots { // a bound for tables without an empty slot
		switch id := int64(slots[at]) - 1; {
		case id < 0:
			return -1, looked + 1
		case id < int64(w.Len()) && w.list.word(int(id)) == word:
			return int(id), looked + 1
		}
		at = (at + 1) & (len(slots) - 1)
	}
	return -1, len(slots)
}

// word returns word id without a copy, or an empty word if the offsets of an unchecked file are invalid.
func (l *wordList) word(id int) string {
	from, to := l.offsets[id], l.offsets[id+1]
	if from > to || to > uint64(len(l.text)) {
		return ""
	}
	return l.text[from:to]
}

// slots returns the hash table of w, which must not be empty. The first call makes the table.
func (w Words) slots() []uint32 {
	w.list.hashed.Do(func() {
		if w.list.slots = w.list.given; w.list.slots == nil {
			w.list.slots = hashSlots(w)
		}
	})
	return w.list.slots
}

// hashSlots makes the hash table of the words. At least a third of its slots is empty.
func hashSlots(w Words) []uint32 {
	n := w.Len()
	if n == 0 {
		return nil
	}
	slots := make([]uint32, 1<<bits.Len(uint(n+n/2)))
	hashes := make([]uint32, n) // tell most words apart
	for id := range n {
		word := w.list.word(id)
		hash := hashOf(word)
		hashes[id] = uint32(hash >> 32)
		at := int(hash & uint64(len(slots)-1))
		for slots[at] != 0 && (hashes[slots[at]-1] != hashes[id] || w.list.word(int(slots[at])-1) != word) {
			at = (at + 1) & (len(slots) - 1)
		}
		if slots[at] == 0 {
			slots[at] = uint32(id + 1)
		}
	}
	return slots
}

// slotOf returns the slot at which the search for a word begins, in a table of this size.
func slotOf(word string, slots int) int { return int(hashOf(word) & uint64(slots-1)) }

func hashOf(word string) uint64 {
	first, _ := hashing.Murmur3(unsafe.Slice(unsafe.StringData(word), len(word)), 0)
	return first
}

// A WordTable is words in the layout of a file that is used in place.
type WordTable struct {
	Text    []byte   // the bytes of all words, which must not be changed
	Offsets []uint64 // word i is Text[Offsets[i]:Offsets[i+1]]; a single 0 if there are no words
	// Slots is a hash table with linear probing: a slot has a word's id + 1, or 0 if it is empty. A word is
	// in the first free slot from its hash on. The number of slots is a power of two. If Slots is empty, the
	// table is made on the first search.
	Slots  []uint32
	Mapped bool // Text and Offsets lie in a file that may be unmapped
}

// WordsOf returns the words of a table. It checks nothing: see Check.
func WordsOf(t WordTable) Words {
	return Words{&wordList{text: unsafe.String(unsafe.SliceData(t.Text), len(t.Text)), offsets: t.Offsets, given: t.Slots, mapped: t.Mapped}}
}

// Table returns the table of the words, and makes Slots if they are missing. Text and Offsets may lie in a
// mapped file: use them within Set.Guard.
func (w Words) Table() WordTable {
	if w.list == nil {
		return WordTable{Offsets: []uint64{0}}
	}
	l := w.list
	t := WordTable{Text: unsafe.Slice(unsafe.StringData(l.text), len(l.text)), Offsets: l.offsets, Mapped: l.mapped}
	if w.Len() > 0 {
		l.behind.Guard(func() { t.Slots = w.slots() })
	}
	return t
}

// Check reports invalid offsets.
func (w Words) Check() error {
	if w.list == nil {
		return nil
	}
	return w.list.behind.Guarded(w.check)
}

func (w Words) check() error {
	offsets, size := w.list.offsets, uint64(len(w.list.text))
	if offsets[0] != 0 || offsets[len(offsets)-1] != size {
		return fmt.Errorf("expected words from byte 0 to %d, found %d to %d", size, offsets[0], offsets[len(offsets)-1])
	}
	for i, from := range offsets[:len(offsets)-1] {
		to := offsets[i+1]
		if from > to || to > size {
			return fmt.Errorf("word %d goes from byte %d to %d of %d", i, from, to, size)
		}
		if to-from > MaxWord {
			return fmt.Errorf("word %d, %.40q, has %d bytes, at most %d are possible", i, w.list.text[from:to], to-from, MaxWord)
		}
	}
	return nil
}

// checkTable reports words that the hash table of the file does not lead to, or only after too many slots.
func (w Words) checkTable() error {
	if w.list == nil || w.list.given == nil {
		return nil
	}
	const enough = 50 // slots visited for a word, on average; 2 are usual
	budget := enough * int64(w.Len())
	for id := range w.Len() {
		first, looked := w.search(w.list.given, w.list.word(id))
		if first < 0 || first > id { // of equal words the table has the first
			return fmt.Errorf("word %d is not where the table of words should have it", id)
		}
		if budget -= int64(looked); budget < 0 {
			return errors.New("the table of words takes too long to search")
		}
	}
	return nil
}

// A WordsBuilder collects words.
type WordsBuilder struct {
	text    []byte
	offsets []uint64
}

// Grow makes room for n more words.
func (b *WordsBuilder) Grow(n int64) {
	b.offsets = append(make([]uint64, 0, int64(len(b.offsets))+n+1), b.offsets...)
}

// Add appends a word, which is copied.
func (b *WordsBuilder) Add(word string) {
	if len(b.offsets) == 0 {
		b.offsets = append(b.offsets, 0)
	}
	b.text = append(b.text, word...)
	b.offsets = append(b.offsets, uint64(len(b.text)))
}

// Len returns the number of words so far.
func (b *WordsBuilder) Len() int { return max(0, len(b.offsets)-1) }

// Words returns the words that were added. Do not use the builder afterwards.
func (b *WordsBuilder) Words() Words {
	if len(b.offsets) == 0 {
		return Words{}
	}
	return Words{&wordList{text: unsafe.String(unsafe.SliceData(b.text), len(b.text)), offsets: b.offsets}}
}
