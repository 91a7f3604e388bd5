package explorer

import (
	"errors"
	"net/http"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A corner is a word of an analogy, with where it is or would be.
type corner struct {
	Role     string `json:"role"` // "a", "b" or "c"
	Word     string `json:"word"` // as it was asked for
	FoundAs  string `json:"found_as,omitempty"`
	ID       int    `json:"id"`
	Composed bool   `json:"composed"`
	*spot
}

// A solution is an answer to an analogy.
type solution struct {
	Word  string  `json:"word"`
	ID    int     `json:"id"`
	Score float32 `json:"score"`
	*spot
}

// An analogyInfo is "a is to b as c is to ?" with what there is to draw.
type analogyInfo struct {
	Method vectors.AnalogyMethod `json:"method"`
	Terms  []corner              `json:"terms"`
	// Target is the fourth corner of the parallelogram of the words on the map; absent if one of them has
	// no place.
	Target  *spot      `json:"target,omitempty"`
	Answers []solution `json:"answers"`
}

func (e *Explorer) analogy(r *http.Request, m *Model, s *state) (answer, error) {
	k, err := answersOf(r)
	if err != nil {
		return answer{}, err
	}
	method := vectors.AnalogyMethod(r.FormValue("method"))
	if err := method.Validate(); err != nil {
		return answer{}, badRequest("method", "%v", err)
	}
	if method == "" {
		method = vectors.CosAdd
	}
	d, err := s.mapOf(r)
	if err != nil {
		return answer{}, err
	}
	set := m.set()
	info := analogyInfo{Method: method, Answers: []solution{}}
	var words [3]string
	var places [3]*spot
	for i, role := range []string{"a", "b", "c"} {
		text, err := textOf(r, role)
		if err != nil {
			return answer{}, err
		}
		f, err := find(m, role, text, true)
		if err != nil {
			return answer{}, err
		}
		words[i] = f.Spelling
		c := corner{Role: role, Word: text, FoundAs: f.FoundAs(), ID: f.ID, Composed: f.Composed()}
		c.spot = cornerPlace(set, d, f)
		places[i] = c.spot
		info.Terms = append(info.Terms, c)
	}
	if a, b, c := places[0], places[1], places[2]; a != nil && b != nil && c != nil {
		info.Target = &spot{c.X + b.X - a.X, c.Y + b.Y - a.Y}
	}
	answers, err := set.Analogy(words[0], words[1], words[2], k, method)
	if err != nil {
		return answer{}, analogyProblem(words, info.Terms, err)
	}
	for _, n := range answers {
		one := solution{Word: n.Word, ID: n.ID, Score: n.Similarity}
		one.spot = spotOf(d.at(n.ID))
		info.Answers = append(info.Answers, one)
	}
	return answer{value: info}, nil
}

// cornerPlace is placeOf for a word whose neighbours are not known yet.
func cornerPlace(set *vectors.Set, d *drawing, f query.Found) *spot {
	var near []vectors.Neighbor
	if d.at(f.ID) == nil && d != nil {
		near = set.Nearest(f.Vector, 5*placing, f.IDs(set)...)
	}
	at, _ := placeOf(d, f, near)
	return spotOf(at)
}

// analogyProblem is the problem of a word whose vector has no direction.
func analogyProblem(words [3]string, terms []corner, err error) error {
	lacking, ok := errors.AsType[*vectors.MissingWordError](err)
	if !ok {
		return err
	}
	for i, word := range words {
		if word == lacking.Word {
			return badRequest(terms[i].Role, "the vector of %.200q has no direction", terms[i].Word)
		}
	}
	return err
}
