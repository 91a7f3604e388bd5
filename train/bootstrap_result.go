package train

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/w2v-go/w2v/eval"
)

// A BootstrapResult says how much scores and neighbours depend on the documents of a corpus.
type BootstrapResult struct {
	Tokens uint64           `json:"tokens"` // of the corpus
	Words  int              `json:"words"`  // of its vocabulary
	Runs   []BootstrapRun   `json:"runs"`
	Scores []BootstrapScore `json:"scores"` // one a set
	// Neighbors is the number of nearest neighbours that are compared, and Nearest has the words
	// whose neighbours they are.
	Neighbors int             `json:"neighbors"`
	Nearest   []BootstrapWord `json:"nearest"`
}

// A BootstrapScore is the scores of all runs on a set.
type BootstrapScore struct {
	Set     string      `json:"set"`
	Task    eval.Task   `json:"task"`
	Metric  string      `json:"metric"`
	Items   int         `json:"items"`
	Used    int         `json:"used"` // in the last run
	SetFile eval.Source `json:"set_file"`
	Spread              // of the score
}

// A BootstrapWord has the neighbours of a word in all runs.
type BootstrapWord struct {
	Word  string `json:"word"`
	Count uint64 `json:"count"` // in the corpus
	// Jaccard is the mean of the Jaccard similarities of the nearest neighbours of each two runs:
	// 1 if all runs have the same, 0 if no two have one in common; NaN, null in JSON, for one run.
	Jaccard   eval.Score          `json:"jaccard"`
	Neighbors []BootstrapNeighbor `json:"neighbors"` // the most frequent ones first
}

// A BootstrapNeighbor is a word that is among the nearest neighbours in a run.
type BootstrapNeighbor struct {
	Word string `json:"word"`
	// Share is the share of runs in which it is among the nearest neighbours.
	Share float64 `json:"share"`
	// MeanRank is the mean of its ranks, 1 for the nearest, and Spread is of its cosines, in the
	// runs in which it is among the 1000 nearest.
	MeanRank float64 `json:"mean_rank"`
	Spread
}

// A Spread is what runs make of a number.
type Spread struct {
	Runs      int        `json:"runs_used"` // in which there is a number
	Mean      eval.Score `json:"mean"`
	Deviation eval.Score `json:"deviation"` // the bootstrap's estimate of the standard error
	// Interval is where the number of another corpus of such documents is expected with 95 %:
	// the mean ± Student's 97.5 % point times the deviation, at most from −1 to 1.
	Interval eval.Interval `json:"interval,omitzero"`
}

// newSpread is the spread of numbers from −1 to 1; those that are NaN do not count.
func newSpread(x []float64) Spread {
	var numbers []float64
	for _, v := range x {
		if !math.IsNaN(v) {
			numbers = append(numbers, v)
		}
	}
	s := Spread{Runs: len(numbers), Mean: eval.Score(math.NaN()), Deviation: eval.Score(math.NaN())}
	if len(numbers) > 0 {
		s.Mean = eval.Score(stat.Mean(numbers, nil))
	}
	if len(numbers) > 1 {
		deviation := stat.StdDev(numbers, nil)
		half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(numbers) - 1)}.Quantile(0.975) * deviation
		s.Deviation, s.Interval = eval.Score(deviation), eval.Between(max(-1, float64(s.Mean)-half), min(1, float64(s.Mean)+half))
	}
	return s
}

// result summarises the runs that there are.
func (b *bootstrap) result(text *Text) *BootstrapResult {
	r := &BootstrapResult{
		Tokens: text.IDs.Tokens(), Words: text.Vocab.Len(), Runs: b.runs,
		Scores: []BootstrapScore{}, Neighbors: b.options.Neighbors, Nearest: b.near.words(),
	}
	for i, of := range b.options.Sets {
		sum := b.sums[i]
		var scores []float64
		for _, run := range b.runs {
			scores = append(scores, float64(run.Scores[i]))
		}
		r.Scores = append(r.Scores, BootstrapScore{
			Set: sum.Set, Task: sum.Task, Metric: sum.Metric, Items: sum.Items, Used: sum.Used, SetFile: of.Source(), Spread: newSpread(scores),
		})
	}
	return r
}
