package eval

// A Task is what an evaluation set asks of vectors.
type Task string

// The tasks.
const (
	TaskSimilarity     Task = "similarity"     // pairs of words and the judgements of people: PairSet
	TaskAnalogy        Task = "analogy"        // "a is to b as c is to ?": QuestionSet
	TaskRelation       Task = "relation"       // pairs of words in one relation, as in BATS
	TaskCategorization Task = "categorization" // words and their categories
	TaskOutliers       Task = "outliers"       // which word does not belong
	TaskBias           Task = "bias"           // word lists whose associations are compared
	TaskSentences      Task = "sentences"      // pairs of sentences and the judgements of people
)

// A Set is an evaluation set: the items of one task.
type Set interface {
	// Title names the set in reports and errors.
	Title() string
	Task() Task
	// Words returns the words of all items, with repetitions.
	Words() []string
	// named returns the set with another title.
	named(name string) Set
}

// Title returns the set's name.
func (p PairSet) Title() string { return p.Name }

// Task returns TaskSimilarity.
func (p PairSet) Task() Task { return TaskSimilarity }

// Title returns the set's name.
func (q QuestionSet) Title() string { return q.Name }

// Task returns TaskAnalogy.
func (q QuestionSet) Task() Task { return TaskAnalogy }

func (p PairSet) named(name string) Set     { p.Name = name; return p }
func (q QuestionSet) named(name string) Set { q.Name = name; return q }
