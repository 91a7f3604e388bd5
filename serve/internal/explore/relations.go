package explore

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"runtime"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
	"golang.org/x/sync/errgroup"
)

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

func (e *Explorer) analogy(r *http.Request, m *Model, s *state) (any, error) {
	k, err := answersOf(r, defaultAnswers)
	if err != nil {
		return nil, err
	}
	method := cmp.Or(vectors.AnalogyMethod(r.FormValue("method")), vectors.CosAdd)
	if err := method.Validate(); err != nil {
		return nil, badRequest("method", "%v", err)
	}
	d, err := s.mapOf(r)
	if err != nil {
		return nil, err
	}
	set := m.set()
	info := analogyInfo{Method: method, Answers: []solution{}}
	var words [3]string
	var places [3]*spot
	for i, role := range []string{"a", "b", "c"} {
		f, err := find(r, m, role, true)
		if err != nil {
			return nil, err
		}
		if places[i], err = cornerPlace(r.Context(), set, d, f); err != nil {
			return nil, err
		}
		words[i] = f.Spelling
		info.Terms = append(info.Terms, corner{role, f.Asked, f.FoundAs(), f.ID, f.Composed(), places[i]})
	}
	if a, b, c := places[0], places[1], places[2]; a != nil && b != nil && c != nil {
		info.Target = &spot{c.X + b.X - a.X, c.Y + b.Y - a.Y}
	}
	answers, err := set.Analogy(r.Context(), vectors.AnalogyOptions{K: k, Method: method}, words)
	if err != nil {
		return nil, err
	}
	if err := answers[0].Err; err != nil {
		return nil, analogyProblem(words, info.Terms, err)
	}
	for _, n := range answers[0].Neighbors {
		info.Answers = append(info.Answers, solution{n.Word, n.ID, n.Similarity, spotOf(d.at(n.ID))})
	}
	return info, nil
}

// cornerPlace is placeOf for a word whose neighbours are not known yet.
func cornerPlace(ctx context.Context, set *vectors.Set, d *Drawing, f query.Found) (*spot, error) {
	var near []vectors.Neighbor
	if d.at(f.ID) == nil && d != nil {
		all, err := set.Nearest(ctx, vectors.Query{Vector: f.Vector, K: 5 * placing, Skip: f.IDs(set)})
		if err != nil {
			return nil, err
		}
		near = all[0]
	}
	at, _ := placeOf(d, f, near)
	return spotOf(at), nil
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

// An onAxis is a word and the cosine of its vector with an axis, from −1 to 1.
type onAxis struct {
	Word  string  `json:"word"`
	ID    int     `json:"id"`
	Value float32 `json:"value"`
}

// axisInfo is the words at both ends of an axis, and those that were asked for.
type axisInfo struct {
	From   string   `json:"from"`
	To     string   `json:"to"`
	Toward []onAxis `json:"toward"`
	Away   []onAxis `json:"away"`
	Words  []onAxis `json:"words"`
	// Missing are the words that were asked for and have no vector.
	Missing []string `json:"missing"`
}

// axisOf returns the difference of the unit vectors of the words that a request names, scaled to length 1.
func axisOf(r *http.Request, m *Model) (axis []float32, ends [2]query.Found, err error) {
	dim := m.set().Dim()
	axis = make([]float32, dim)
	unit := make([]float32, dim)
	for i, param := range []string{"from", "to"} {
		if ends[i], err = find(r, m, param, false); err != nil {
			return nil, ends, err
		}
		if !vectors.Unit(unit, ends[i].Vector) {
			return nil, ends, badRequest(param, "the vector of %.200q has no direction", ends[i].Asked)
		}
		for k, x := range unit {
			axis[k] += float32(2*i-1) * x
		}
	}
	if !vectors.Unit(axis, axis) {
		return nil, ends, badRequest("to", "there is no axis between words of one direction")
	}
	return axis, ends, nil
}

// maxAxisWords bounds the words whose place on an axis a request may ask for.
const maxAxisWords = 1000

func (e *Explorer) axis(r *http.Request, m *Model, _ *state) (any, error) {
	k, err := answersOf(r, defaultAnswers)
	if err != nil {
		return nil, err
	}
	axis, ends, err := axisOf(r, m)
	if err != nil {
		return nil, err
	}
	set := m.set()
	a := axisInfo{From: ends[0].Asked, To: ends[1].Asked, Words: []onAxis{}, Missing: []string{}}
	skip := append(ends[0].IDs(set), ends[1].IDs(set)...)
	back := make([]float32, len(axis))
	for i, x := range axis {
		back[i] = -x
	}
	near, err := set.Nearest(r.Context(), vectors.Query{Vector: axis, K: k, Skip: skip}, vectors.Query{Vector: back, K: k, Skip: skip})
	if err != nil {
		return nil, err
	}
	a.Toward, a.Away = alongAxis(near[0], 1), alongAxis(near[1], -1)
	var asked []string
	for _, list := range r.Form["words"] {
		if _, id := m.Words.Spelling(list); id >= 0 { // which may have commas
			asked = append(asked, list)
			continue
		}
		for word := range strings.SplitSeq(list, ",") {
			if word = strings.TrimSpace(word); word != "" {
				asked = append(asked, word)
			}
		}
	}
	if len(asked) > maxAxisWords {
		return nil, badRequest("words", "%d words, and there may be %d", len(asked), maxAxisWords)
	}
	v := make([]float32, set.Dim())
	for _, word := range asked {
		f, err := m.Words.Word(v, word)
		if err != nil {
			return nil, err
		}
		cosine := vectors.Cosine(v, axis)
		if f.Missing() || math.IsNaN(cosine) {
			a.Missing = append(a.Missing, word)
			continue
		}
		a.Words = append(a.Words, onAxis{word, f.ID, float32(cosine)})
	}
	return a, set.Err()
}

func alongAxis(near []vectors.Neighbor, sign float32) []onAxis {
	list := make([]onAxis, len(near))
	for i, n := range near {
		list[i] = onAxis{n.Word, n.ID, 0 + sign*n.Similarity} // without a sign of zero
	}
	return list
}

// axisValues are the cosines of all words of the map with an axis; NaN where a word has no direction.
func (e *Explorer) axisValues(r *http.Request, m *Model, s *state) (any, error) {
	axis, _, err := axisOf(r, m)
	if err != nil {
		return nil, err
	}
	values, err := cosinesWith(r.Context(), m.set(), axis, s.points)
	if err != nil {
		return nil, err
	}
	return tagged(binaryType, LittleEndian(values), "axis", s.checksum, r.FormValue("from"), r.FormValue("to"), strconv.Itoa(s.points)), nil
}

// cosinesWith returns the cosines of the first n words with a unit vector.
func cosinesWith(ctx context.Context, set *vectors.Set, unit []float32, n int) ([]float32, error) {
	rows, inverse := set.Directions()
	values := make([]float32, n)
	g, ctx := errgroup.WithContext(ctx)
	const block = 4096
	g.SetLimit(runtime.GOMAXPROCS(0))
	for first := 0; first < n; first += block {
		g.Go(func() error {
			return set.Guard(func() error {
				row := make([]float32, set.Dim())
				for id := first; id < min(n, first+block); id++ {
					rows.Read(row, id)
					var dot float32
					for k, x := range row {
						dot += x * unit[k]
					}
					values[id] = min(1, max(-1, dot*inverse[id]))
				}
				return ctx.Err()
			})
		})
	}
	return values, g.Wait()
}
