package eval

// A Judgement is a pair that people and vectors judged: what a scatter plot shows.
type Judgement struct {
	Item  Item
	Human float64 // the number of the set
	Model float64 // the cosine
}

// Judged is implemented by results of sets with judgements of people.
type Judged interface {
	// Judgements returns the used pairs in the order of the set.
	Judgements() []Judgement
}

// JudgementRanks returns the ranks of the numbers of people and of those of the model, from 1 for
// the smallest. Equal numbers share the mean of their ranks, as in Spearman's correlation.
func JudgementRanks(all []Judgement) (human, model []float64) {
	human, model = make([]float64, len(all)), make([]float64, len(all))
	for i, j := range all {
		human[i], model[i] = j.Human, j.Model
	}
	return ranks(human), ranks(model)
}
