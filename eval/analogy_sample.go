package eval

// Answered is a question and the answer that the vectors give.
type Answered struct {
	Section string
	Words   [4]string // as the set writes them; with several right answers, the fourth has slashes
	Used    bool      // false if a word of the question is missing; nothing else is set then
	Answer  string    // the best candidate; empty if none has a direction
	Score   float64   // of the answer, by the method; 0 without one
	// Probability is that of the answer being one of the relation; only for LRCos.
	Probability float64
	Correct     bool
	item        Item
}

// Answers returns every question of the set in its order, with the answer of the vectors. A result
// that was read from JSON has none.
func (r AnalogyResult) Answers() []Answered { return r.asked }

// Summary returns what results of every task have. The score is the accuracy, and the parts are
// the sections.
func (r AnalogyResult) Summary() Summary {
	s := Summary{
		Set:      r.Set,
		Task:     TaskAnalogy,
		Metric:   "accuracy",
		Score:    r.Accuracy,
		Interval: r.CI95,
		Items:    r.Questions,
		Used:     r.Used,
		Composed: r.Composed,
		Missing:  r.Missing,
	}
	for _, section := range r.Sections {
		s.Parts = append(s.Parts, section.part())
	}
	return s
}

func (r SectionResult) part() Part {
	return Part{Name: r.Name, Metric: "accuracy", Score: r.Accuracy, Interval: r.CI95, Items: r.Questions, Used: r.Used}
}

// Sample returns the used questions, and the accuracy over them. A result that was read from JSON
// has none.
func (r AnalogyResult) Sample() Sample { return accuracySample(r.asked) }

// zero returns the score if questions with missing words count as wrong.
func (r AnalogyResult) zero() Score { return Score(float64(r.Correct) / float64(r.Questions)) }

// accuracySample returns the used questions among some, and the accuracy over them.
func accuracySample(asked []Answered) Sample {
	var s Sample
	for _, a := range asked {
		if !a.Used {
			continue
		}
		right := 0.0
		if a.Correct {
			right = 1
		}
		s.Items, s.Values = append(s.Items, a.item), append(s.Values, right)
	}
	s.Score = weightedMean(s.Values)
	return s
}
