package terminal

// A Source answers questions about one set of vectors. Its methods are called from several goroutines.
type Source interface {
	// Label names the source in the table's heading.
	Label() string
	// Size returns how many words there are, and how many numbers a vector has.
	Size() (words, dim int)
	// Answer answers a question. It is an error if the set cannot be read any more; a question
	// without an answer is none.
	Answer(Question) (Answer, error)
	// Complete goes on from the word that ends a line. It is an error if the set cannot be read.
	Complete(line string, most int) (Completion, error)
}

// A Question is what is asked of a source.
type Question struct {
	Text   string // as it was typed
	Pinned string // what the answers are compared with, also as it was typed; empty for nothing
}

// A Kind is what a text was read as.
type Kind int

// The kinds of texts.
const (
	Nothing    Kind = iota // the text has no vector
	Word                   // a word of the vocabulary
	Composed               // a word outside of the vocabulary, which n-grams compose
	Expression             // a sum of words
	Analogy                // a : b :: c : ?
)

// An Answer is what a source found.
type Answer struct {
	Question
	Kind        Kind
	Reading     string     // what the text was read as, if it does not say so itself
	Problem     string     // why there is nothing to show; empty if there is
	Lacking     string     // the word without a vector, if that is the problem
	Suggestions []string   // words that may have been meant in its place
	Word        Entry      // of a word of the vocabulary
	Neighbors   []Neighbor // the nearest first
	Parts       []Part     // what composes the word, the largest share first; empty without n-grams
	ToPinned    Cosine     // of the text and what is pinned
	NoPinned    string     // why nothing can be compared with what is pinned; empty if it can
}

// A Cosine is a cosine that may not be known.
type Cosine struct {
	Value float64
	Known bool
}

// An Entry is a word's place in a vocabulary.
type Entry struct {
	Place int    // from 1, the most frequent word first; 0 for a word outside of the vocabulary
	Count uint64 // how often the text had it; 0 where that is not known
}

// A Neighbor is an answer to a question.
type Neighbor struct {
	Word       string
	Similarity float64
	Entry      Entry
	ToPinned   Cosine
}

// A Part is the row of a word or an n-gram that a vector is a sum of.
type Part struct {
	Text  string
	Whole bool    // the row is that of the word as a whole
	Share float64 // of the vector's squared length: the shares of all parts add up to 1
}

// A Completion is words of a vocabulary that a line may go on with.
type Completion struct {
	Start int      // in the line, of what is completed
	Words []string // the most frequent ones
	Total int      // of words that begin so
}
