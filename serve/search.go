package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/w2v-go/w2v/serve/internal/facts"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/index"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

type searchQuestion struct {
	Model     string          `json:"model" help:"Whose index is searched. It can be left out if the server has only one model."`
	Input     *embeddingInput `json:"input" max:"Inputs" help:"Texts, or token ids, whose vectors the model makes, as POST /v1/embeddings does."`
	Vectors   vectorInput     `json:"vectors" max:"Inputs" help:"Vectors, each of as many numbers as the index has dimensions."`
	K         int             `json:"k" default:"10" min:"1" max:"Answers" help:"How many answers. The server has a limit, by default 1000."`
	Effort    int             `json:"effort" default:"64" min:"1" max:"65536" help:"How many entries a search keeps on its way: more find more, and take time. From the number of entries on, the search is exact."`
	Threshold *float64        `json:"threshold" help:"Leave out answers with a lower cosine."`
	Among     []spelled       `json:"among" max:"Inputs" help:"Only these entries may answer."`
	Exclude   []spelled       `json:"exclude" max:"Inputs" help:"These entries may not answer. Names that no entry has are ignored."`
	Where     []spelled       `json:"where" max:"64" help:"Only entries that meet all of these conditions may answer. A condition is a column of the facts that the server has about entries, one of = != < <= > >= and a value, as in country=France or year>=1990."`
}

type searchAnswer struct {
	Object string     `json:"object" const:"list"`
	Model  string     `json:"model" help:"Name of the model."`
	Data   []searched `json:"data" help:"In the order of the queries."`
}

type searched struct {
	Index     int           `json:"index" min:"0" help:"Position of the query."`
	Neighbors []nearEntry   `json:"neighbors" help:"The nearest first."`
	Error     *problemError `json:"error,omitempty"` // why there are no neighbours
}

type nearEntry struct {
	Name       string  `json:"name" help:"Of the entry: a word, a text, or the name of a text."`
	Similarity float32 `json:"similarity" help:"Cosine, from -1 to 1."`
}

// A vectorInput is several vectors.
type vectorInput [][]float32

// UnmarshalJSON reads an array of arrays of numbers.
func (in *vectorInput) UnmarshalJSON(text []byte) error {
	var rows []*[]*float32
	if err := json.Unmarshal(text, &rows); err != nil {
		return errVectorKind
	}
	if rows == nil {
		return nil
	}
	*in = make(vectorInput, len(rows))
	for i, row := range rows {
		if row == nil {
			return errVectorKind
		}
		var err error
		if (*in)[i], err = values(*row); err != nil {
			return errVectorKind
		}
	}
	return nil
}

var errVectorKind = &problem{
	Status: http.StatusBadRequest, Param: "vectors", Code: "invalid_value", Message: "vectors must be an array of arrays of numbers of float32",
}

func (in vectorInput) check(most int) *problem {
	if in != nil && len(in) == 0 {
		return badRequest("vectors", "invalid_value", "vectors is empty")
	}
	return checkCount("vectors", len(in), most)
}

const (
	maxEffort = 1 << 22        // the largest effort of all queries of a request together
	maxNames  = 4 * maxNumbers // the largest size of all names in an answer, in bytes
)

func (s *Server) postSearch(r *http.Request, q *searchQuestion) (any, error) {
	param, n := "input", 0
	switch {
	case q.Input == nil && q.Vectors == nil:
		return nil, missing(param)
	case q.Input != nil && q.Vectors != nil:
		return nil, badRequest("vectors", "invalid_value", "input and vectors ask different questions: give one of them")
	case q.Input != nil:
		n = len(q.Input.texts) + len(q.Input.ids)
	default:
		param, n = "vectors", len(q.Vectors)
	}
	switch {
	case n*q.K > maxAnswers:
		return nil, badRequest("k", "too_many_answers", "%d queries with %d answers each are %d answers, and a request can have %d", n, q.K, n*q.K, maxAnswers)
	case n*q.Effort > maxEffort:
		return nil, badRequest("effort", "invalid_value", "%d queries with an effort of %d each are %d, and a request can have %d", n, q.Effort, n*q.Effort, maxEffort)
	}
	m, err := s.use(r, q.Model)
	if err != nil {
		return nil, err
	}
	x, err := s.indexOf(m)
	if err != nil {
		return nil, err
	}
	dim := x.Set().Dim()
	for i, v := range q.Vectors {
		if len(v) != dim {
			return nil, badRequest(param, "invalid_value", "vectors[%d] has %d numbers, and the index has %d dimensions", i, len(v), dim)
		}
	}
	if err := s.hold(r, param, n, dim+answerNumbers*q.K); err != nil {
		return nil, err
	}
	asked := [][]float32(q.Vectors)
	if q.Input != nil {
		if asked, err = s.encoded(m, q.Input); err != nil {
			return nil, err
		}
	}
	a := searchAnswer{"list", m.Name, make([]searched, n)}
	return a, x.read(func() error {
		among, err := x.among(q)
		if err != nil {
			return err
		}
		queries := make([]index.Query, n)
		for i, v := range asked {
			queries[i] = index.Query{Vector: v, K: q.K, Effort: q.Effort, Among: among}
			if q.Threshold != nil {
				queries[i].Least = float32(*q.Threshold)
			}
		}
		found, err := x.Search(r.Context(), queries...)
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return errGone
		}
		if err != nil {
			return err
		}
		return a.fill(q, param, asked, found)
	})
}

// encoded returns the vectors that a model makes of inputs.
func (s *Server) encoded(m *models.Model, in *embeddingInput) (all [][]float32, err error) {
	e, err := s.textsOf(m)
	if err != nil {
		return nil, err
	}
	err = m.Read(func() error {
		tokens, _, err := in.tokens(e)
		for _, of := range tokens {
			v := make([]float32, m.Set.Dim())
			if _, err := e.encode(v, of); err != nil {
				return err
			}
			all = append(all, v)
		}
		return err
	})
	return all, err
}

// fill writes what is found into an answer.
func (a searchAnswer) fill(q *searchQuestion, param string, asked [][]float32, found [][]vectors.Neighbor) error {
	size, rules := 0, answerRules{Threshold: q.Threshold}
	for i, near := range found {
		a.Data[i] = searched{Index: i, Neighbors: []nearEntry{}}
		if !vectors.Unit(make([]float32, len(asked[i])), asked[i]) {
			why := "no token of it has a vector, or they cancel out"
			if param == "vectors" {
				why = "it is zero"
			}
			a.Data[i].Error = inJSON(&problem{Status: http.StatusUnprocessableEntity, Code: "no_direction", Param: param,
				Message: fmt.Sprintf("%s[%d] has no direction: %s", param, i, why)})
		}
		for _, e := range rules.cut(near) {
			size += len(e.Word)
			a.Data[i].Neighbors = append(a.Data[i].Neighbors, nearEntry{e.Word, e.Similarity})
		}
		if size > maxNames {
			return badRequest("k", "too_many_answers", "the names of answers up to those of %s[%d] have %d bytes, and a response can have %d", param, i, size, maxNames)
		}
	}
	return nil
}

// A servedIndex is the index of a model, with facts about its entries.
type servedIndex struct {
	*index.Index
	read  func(func() error) error // as models.Model.Read
	facts *facts.Facts             // nil for none
}

// among returns the entries that may answer a question; nil for all.
func (x *servedIndex) among(q *searchQuestion) (*index.Some, error) {
	if q.Among == nil && len(q.Exclude) == 0 && len(q.Where) == 0 {
		return nil, nil
	}
	some, without := make(map[int]bool), make(map[int]bool)
	for _, name := range q.Among {
		id, ok := x.Set().ID(name.form)
		if !ok {
			return nil, badRequest("among", "invalid_value", "no entry of the index has the name %.80q", name.form)
		}
		some[id] = true
	}
	for _, name := range q.Exclude {
		if id, ok := x.Set().ID(name.form); ok {
			without[id] = true
		}
	}
	conditions, err := meeting(x.facts, "the entries of this index", q.Where)
	if err != nil {
		return nil, err
	}
	among := x.Among(facts.All(append(conditions, func(id int) bool { return (q.Among == nil || some[id]) && !without[id] })...))
	if among.Len() == 0 {
		param := "among"
		if q.Among == nil && len(q.Where) > 0 {
			param = "where"
		}
		return nil, badRequest(param, "invalid_value", "no entry may answer: among, exclude and where leave out all of them")
	}
	return among, nil
}

// indexOf returns the index of a model. That there is none is a problem of the request.
func (s *Server) indexOf(m *models.Model) (*servedIndex, error) {
	type key struct{}
	spec := s.specOf(m)
	if spec.Index == "" {
		p := badRequest("model", "no_index", "the model %q has no index to search", m.Name)
		for _, other := range s.config.Models {
			if other.Index != "" {
				p.Suggestions = append(p.Suggestions, other.Name)
			}
		}
		return nil, p
	}
	return models.Attach(m, key{}, func(m *models.Model) (*servedIndex, error) {
		e, err := s.textsOf(m)
		if err != nil {
			return nil, err
		}
		x, err := index.Open(spec.Index)
		if err != nil {
			return nil, err
		}
		read, err := m.Keep(x.Set(), spec.Index)
		if err == nil {
			err = m.Read(func() error { return read(func() error { return fits(x, e) }) })
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", spec.Index, err)
		}
		if s.config.Note != nil && !x.Set().InFile() {
			s.config.Note(fmt.Sprintf("%s: cannot be mapped, so all of it is read into memory: about %d MB",
				spec.Index, (4*x.About.Entries*(x.About.Dim+x.About.Degree)+999_999)/1e6))
		}
		about, err := s.factsOf(m)
		if err != nil {
			return nil, err
		}
		find := m.Words.Spelling
		if x.About.Of != "words" {
			names, err := query.New(x.Set(), s.config.Case)
			if err != nil {
				return nil, err
			}
			find = names.Spelling
		}
		served := &servedIndex{x, read, nil}
		err = m.Read(func() error {
			return read(func() error { served.facts = about.of(x.Set(), find); return nil })
		})
		return served, err
	})
}

// fits returns an error if an index is damaged, or was not made of a model.
func fits(x *index.Index, e *encoder) error {
	if err := x.Verify(); err != nil {
		return err
	}
	if x.Set().Dim() != e.set.Dim() {
		return fmt.Errorf("the index has %d dimensions, and the model has %d", x.Set().Dim(), e.set.Dim())
	}
	if x.About.Of == "texts" && e.cannot != nil {
		return e.cannot
	}
	other := errors.New("the model gives other vectors than the index has: name the model that it was made of")
	if x.About.Of == "words" {
		if !x.MadeOf(e.words, e.pooler) {
			return other
		}
		return nil
	}
	own, err := pooling.New(e.set, pooling.Options{})
	if err != nil {
		return err
	}
	switch of := x.PoolerOf(e.words, own); {
	case of == nil:
		return other
	case of.Method() != e.pooler.Method():
		return fmt.Errorf("the index has vectors of texts by the rule %s, and the server was started with %s", of.Method(), e.pooler.Method())
	}
	return nil
}

// checkIndex returns an error if a model has an index that cannot be searched.
func (s *Server) checkIndex(m *models.Model) error {
	if s.specOf(m).Index == "" {
		return nil
	}
	_, err := s.indexOf(m)
	return err
}
