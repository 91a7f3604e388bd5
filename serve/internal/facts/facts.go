// Package facts keeps which words of a set meet conditions on facts about them.
package facts

import (
	"crypto/sha256"
	"sync"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// Facts are a table, and the words of the set that it is about. Several goroutines may call the methods.
type Facts struct {
	*metadata.Table
	words vectors.Words

	mu   sync.Mutex
	kept map[[sha256.Size]byte]*condition // by checksums of the texts: these may be long
}

// kept is how many conditions have the words that meet them kept. A set of 1,000,000 words takes 8 MB for them.
const kept = 64

type condition struct {
	scanning sync.Mutex
	met      *Words // nil before the scan
}

// New returns the facts of a table about the words of a set.
func New(table *metadata.Table, set *vectors.Set) *Facts {
	return &Facts{Table: table, words: set.Words(), kept: map[[sha256.Size]byte]*condition{}}
}

// Where returns the words that meet a condition: see metadata.Table.Where, which has its errors. The words are read once for
// a condition. Those who ask for other conditions do not wait meanwhile. Call it inside Guard of the set.
func (f *Facts) Where(text string) (*Words, error) {
	meets, err := f.Table.Where(text)
	if err != nil {
		return nil, err
	}
	c := f.condition(sha256.Sum256([]byte(text)))
	c.scanning.Lock()
	defer c.scanning.Unlock()
	if c.met != nil {
		return c.met, nil
	}
	met := &Words{bits: make([]uint64, (f.words.Len()+63)/64)}
	for id := range f.words.Len() {
		if meets(f.words.At(id)) {
			met.bits[id>>6] |= 1 << (id & 63)
			met.n++
		}
	}
	c.met = met // not before: a set whose file is cut short ends the scan by a panic
	return met, nil
}

func (f *Facts) condition(key [sha256.Size]byte) *condition {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.kept[key]
	if c == nil {
		if len(f.kept) >= kept {
			clear(f.kept)
		}
		c = new(condition)
		f.kept[key] = c
	}
	return c
}

// Words are some of the words of a set, with a bit for each word of the set.
type Words struct {
	bits []uint64
	n    int
}

// Len returns how many words they are.
func (w *Words) Len() int { return w.n }

// Has reports whether a word of the set is one of them.
func (w *Words) Has(id int) bool { return w.bits[id>>6]>>(id&63)&1 != 0 }

// All returns what reports whether a word meets all rules, or nil if there is none.
func All(rules ...func(id int) bool) func(id int) bool {
	if len(rules) == 0 {
		return nil
	}
	return func(id int) bool {
		for _, meets := range rules {
			if !meets(id) {
				return false
			}
		}
		return true
	}
}
