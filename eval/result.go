package eval

// A Result says what vectors are worth on one set. Its JSON is the whole record of the task.
type Result interface {
	// Summary is what results of every task have.
	Summary() Summary
	// Sample holds the scored items, of which intervals and comparisons are made.
	Sample() Sample
}

// A Summary is the part of a result that every task has: one line of a report.
type Summary struct {
	Set      string
	Task     Task
	Metric   string // what Score is: "spearman", "accuracy", "purity", …
	Score    Score
	Interval Interval // 95 % bootstrap interval of Score
	Items    int      // pairs, questions, words, … of the set
	Used     int      // items that were scored
	Composed int      // used items with a word that is not in the vocabulary
	Missing  []string // words without vectors
	Parts    []Part   // sections of the set, or further scores
}

// A Part is a section of a set or a further score of a result.
type Part struct {
	Name     string
	Metric   string
	Score    Score
	Interval Interval
	Items    int
	Used     int
}

// A Sample holds the scored items of a set, and its score as a function of them.
type Sample struct {
	// Items are the used items, in the order of the set.
	Items []Item
	// Score returns the score if item i counts weights[i] ≥ 0 times; NaN if there is none.
	// Goroutines may call it at the same time. It does not change weights.
	Score func(weights []float64) float64
	// Values has a number for each item if Score is their weighted mean, as in an accuracy; else
	// it is nil.
	Values []float64
}

// An Item is one pair, question, word, … of a set.
type Item struct {
	// Key names the item within its set, the same for every model.
	Key string
	// Words are the words of the item. Items that share a word are not independent.
	Words []string
}
