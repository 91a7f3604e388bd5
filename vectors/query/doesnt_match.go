package query

// A Ranking says how well each of some words matches all of them together.
type Ranking struct {
	Words   []Ranked          // that have a direction, the worst match first
	FoundAs map[string]string // spellings of the set, where they are others than those of Words
	Missing []string          // words without a vector, or with one that is zero or not finite
}

// A Ranked is a word and its cosine with the mean of the directions of all words of the ranking.
type Ranked struct {
	Word       string  `json:"word"` // as it was asked for
	Similarity float32 `json:"similarity"`
}

// Odd returns the word that matches the others least. There is none among fewer than three words.
func (r Ranking) Odd() (word string, ok bool) {
	if len(r.Words) < 3 {
		return "", false
	}
	return r.Words[0].Word, true
}

// DoesntMatch ranks words by how well they match all of them, see vectors.Set.Centrality. It is an error
// if the file behind the set could not be read.
func (f *Finder) DoesntMatch(words []string) (Ranking, error) {
	r := Ranking{Words: []Ranked{}, FoundAs: map[string]string{}}
	spelt := make([]string, len(words))
	asked := map[string][]string{} // how each spelling was asked for, in turn
	for i, word := range words {
		spelt[i], _ = f.Spelling(word)
		asked[spelt[i]] = append(asked[spelt[i]], word)
		if spelt[i] != word {
			r.FoundAs[word] = spelt[i]
		}
	}
	next := func(spelling string) string {
		first := asked[spelling][0]
		asked[spelling] = asked[spelling][1:]
		return first
	}
	ranked, missing := f.set.Centrality(spelt)
	if err := f.set.Err(); err != nil {
		return Ranking{}, err
	}
	for _, spelling := range missing {
		word := next(spelling)
		r.Missing = append(r.Missing, word)
		delete(r.FoundAs, word)
	}
	for i := len(ranked) - 1; i >= 0; i-- {
		r.Words = append(r.Words, Ranked{next(ranked[i].Word), ranked[i].Similarity})
	}
	return r, nil
}
