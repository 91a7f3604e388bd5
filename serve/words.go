package serve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/serve/internal/facts"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/query"
)

type vectorsQuestion struct {
	ofModel
	askedWords
}

type manyVectorsQuestion struct {
	ofModel
	Words []spelled `json:"words" required:"true" max:"Inputs"`
}

type vectorsAnswer struct {
	Model      string       `json:"model" help:"Name of the model."`
	Dimensions int          `json:"dimensions"`
	Data       []wordVector `json:"data"`
}

type wordVector struct {
	Word     string        `json:"word" help:"The word or expression that was asked for."`
	FoundAs  string        `json:"found_as,omitempty" help:"How the model spells the word. It is another spelling than that of the request if the word was looked up in lower case."`
	Terms    []term        `json:"terms,omitempty" help:"Words of an expression."`
	Composed bool          `json:"composed" help:"The word is not in the vocabulary: its vector is composed of n-grams."`
	Vector   query.Vector  `json:"vector" help:"Null if there is none. Numbers that are not finite are null."`
	Error    *problemError `json:"error,omitempty"`
}

func (s *Server) getVectors(r *http.Request, q *vectorsQuestion) (any, error) {
	asked, err := q.one()
	if err != nil {
		return nil, err
	}
	return s.vectors(r, q.Model, asked)
}

func (s *Server) postVectors(r *http.Request, q *manyVectorsQuestion) (any, error) {
	return s.vectors(r, q.Model, queries{"words", q.Words, word, false})
}

// For a single query, a missing vector is the problem of the response; for several, the error of an entry.
func (s *Server) vectors(r *http.Request, name string, q queries) (any, error) {
	a := vectorsAnswer{Data: make([]wordVector, len(q.asked))}
	err := s.read(r, name, func(m *models.Model) error {
		a.Model, a.Dimensions = m.Name, m.Set.Dim()
		if err := s.hold(r, q.param, len(q.asked), m.Set.Dim()); err != nil {
			return err
		}
		near := m.Words.Suggester(searches)
		for i, asked := range q.asked {
			w, err := q.find(m.Words, make([]float32, m.Set.Dim()), asked)
			if err != nil {
				return err
			}
			f := findingOf(w)
			a.Data[i] = wordVector{Word: f.Query, FoundAs: f.FoundAs, Terms: f.Terms, Composed: f.Composed, Vector: w.Vector}
			if wrong := lacking(w, q.param, near); wrong != nil && q.alone {
				return wrong
			} else if wrong != nil {
				a.Data[i].Error = inJSON(wrong)
			}
		}
		return nil
	})
	return a, err
}

type analogyMethod string

func (analogyMethod) choices() (names []string) {
	for _, m := range vectors.AnalogyMethods() {
		names = append(names, string(m))
	}
	return names
}

type analogyPrompt struct {
	ofModel
	A      spelled       `json:"a" required:"true" help:"A word."`
	B      spelled       `json:"b" required:"true" help:"A word."`
	C      spelled       `json:"c" required:"true" help:"A word."`
	Method analogyMethod `json:"method" default:"3cosadd" help:"How answers are scored."`
	answerRules
	answerWords
}

type analogyAnswer struct {
	Model   string        `json:"model" help:"Name of the model."`
	Query   [3]string     `json:"query" help:"a, b and c."`
	FoundAs [3]string     `json:"found_as" help:"How the model spells them."`
	Method  analogyMethod `json:"method"`
	Answers []answer      `json:"answers" help:"The best first. The three words are not among them."`
}

type answer struct {
	Word  string  `json:"word"`
	ID    int     `json:"id" min:"0"`
	Score float32 `json:"score" help:"Larger is better; a cosine but for 3cosmul."`
	Count *uint64 `json:"count,omitempty" help:"How often training saw the word, if the model knows."`
}

func (s *Server) getAnalogy(r *http.Request, q *analogyPrompt) (any, error) {
	m, err := s.use(r, q.Model)
	if err != nil {
		return nil, err
	}
	a := analogyAnswer{Model: m.Name, Method: q.Method, Answers: []answer{}}
	about, err := s.factsOf(m)
	if err != nil {
		return nil, err
	}
	var allowed func(id int) bool
	err = m.Read(func() error {
		among, exclude, err := q.ids(m.Words, about.words)
		if err != nil {
			return err
		}
		if allowed = among; len(exclude) > 0 {
			allowed = func(id int) bool { return (among == nil || among(id)) && !slices.Contains(exclude, id) }
		}
		found, err := directed(m, "abc", q.A, q.B, q.C)
		for i, w := range found {
			a.Query[i], a.FoundAs[i] = w.Asked, w.Spelling
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	asked := analogyQuestion{a.FoundAs, vectors.AnalogyMethod(q.Method), q.K, q.first(), allowed}
	answers, err := together(r.Context(), m, batched/3, []analogyQuestion{asked}, solve)
	if err != nil {
		return nil, err
	}
	if answers[0].Err != nil {
		return nil, answers[0].Err
	}
	err = m.Read(func() error {
		for _, n := range q.cut(answers[0].Neighbors) {
			a.Answers = append(a.Answers, answer{n.Word, n.ID, n.Similarity, countOf(m.Set, n.ID)})
		}
		return nil
	})
	return a, err
}

type analogyQuestion struct {
	words    [3]string // as the model spells them
	method   vectors.AnalogyMethod
	k, first int
	allowed  func(id int) bool // nil for all words
}

func solve(set *vectors.Set, questions []analogyQuestion) ([]vectors.Answer, error) {
	type kind struct {
		method vectors.AnalogyMethod
		first  int
		alone  int // a question whose answers have rules of their own
	}
	alike := make(map[kind][]int)
	for i, q := range questions {
		of := kind{q.method, q.first, -1}
		if q.allowed != nil {
			of.alone = i
		}
		alike[of] = append(alike[of], i)
	}
	answers := make([]vectors.Answer, len(questions))
	for of, ids := range alike {
		var words [][3]string
		k := 0
		for _, i := range ids {
			words = append(words, questions[i].words)
			k = max(k, questions[i].k)
		}
		found, err := set.Analogy(context.Background(), vectors.AnalogyOptions{K: k, Method: of.method, First: of.first, Among: questions[ids[0]].allowed}, words...)
		if err != nil {
			return nil, err
		}
		for j, i := range ids {
			found[j].Neighbors = found[j].Neighbors[:min(questions[i].k, len(found[j].Neighbors))]
			answers[i] = found[j]
		}
	}
	return answers, nil
}

type similarityQuestion struct {
	ofModel
	A spelled `json:"a" required:"true" help:"A word."`
	B spelled `json:"b" required:"true" help:"A word."`
}

type similarityAnswer struct {
	Model      string   `json:"model" help:"Name of the model."`
	A          string   `json:"a"`
	B          string   `json:"b"`
	FoundAs    []string `json:"found_as" help:"How the model spells them."`
	Similarity float64  `json:"similarity" help:"Cosine, from -1 to 1."`
}

func (s *Server) getSimilarity(r *http.Request, q *similarityQuestion) (any, error) {
	var a similarityAnswer
	err := s.read(r, q.Model, func(m *models.Model) error {
		found, err := directed(m, "ab", q.A, q.B)
		if err != nil {
			return err
		}
		x, y := found[0], found[1]
		a = similarityAnswer{m.Name, x.Asked, y.Asked, []string{x.Spelling, y.Spelling}, vectors.Cosine(x.Vector, y.Vector)}
		if math.IsNaN(a.Similarity) {
			return fmt.Errorf("the words %q and %q of %s have no cosine", a.A, a.B, m.Name)
		}
		return nil
	})
	return a, err
}

type similaritiesQuestion struct {
	ofModel
	Word  spelled   `json:"word" required:"true"`
	Words []spelled `json:"words" required:"true" max:"Inputs"`
}

type similaritiesAnswer struct {
	Model   string       `json:"model" help:"Name of the model."`
	Word    string       `json:"word"`
	FoundAs string       `json:"found_as" help:"How the model spells the word. It is another spelling than that of the request if the word was looked up in lower case."`
	Results []similarity `json:"results"`
}

type similarity struct {
	Word       string        `json:"word"`
	FoundAs    string        `json:"found_as,omitempty" help:"How the model spells the word. It is another spelling than that of the request if the word was looked up in lower case."`
	Similarity *float64      `json:"similarity" help:"Cosine, from -1 to 1; null if the word has no vector."`
	Error      *problemError `json:"error,omitempty"`
}

func (s *Server) postSimilarity(r *http.Request, q *similaritiesQuestion) (any, error) {
	a := similaritiesAnswer{Word: q.Word.form, Results: make([]similarity, len(q.Words))}
	err := s.read(r, q.Model, func(m *models.Model) error {
		a.Model = m.Name
		near := m.Words.Suggester(searches)
		one, err := word(m.Words, make([]float32, m.Set.Dim()), q.Word)
		if err != nil {
			return err
		}
		if wrong := undirected(one, "word", near); wrong != nil {
			return wrong
		}
		a.FoundAs = one.Spelling
		v := make([]float32, m.Set.Dim())
		for i, asked := range q.Words {
			found, err := word(m.Words, v, asked)
			if err != nil {
				return err
			}
			a.Results[i].Word = found.Asked
			if wrong := undirected(found, "words", near); wrong != nil {
				a.Results[i].Error = inJSON(wrong)
				continue
			}
			a.Results[i].FoundAs, a.Results[i].Similarity = found.Spelling, new(vectors.Cosine(one.Vector, v))
		}
		return nil
	})
	return a, err
}

type oddQuestion struct {
	ofModel
	Words []spelled `json:"word" required:"true" max:"Inputs" help:"Three words or more."`
}

type oddAnswer struct {
	Model   string            `json:"model" help:"Name of the model."`
	Odd     *string           `json:"odd" help:"That word; null if fewer than three have vectors."`
	Words   []ranked          `json:"words" help:"The worst match first."`
	FoundAs map[string]string `json:"found_as" help:"Other spellings of words."`
	Missing []string          `json:"missing" help:"Words without a vector."`
}

type ranked struct {
	Word       string  `json:"word"`
	Similarity float32 `json:"similarity" help:"Cosine with the mean of all."`
}

func (s *Server) getDoesntMatch(r *http.Request, q *oddQuestion) (any, error) {
	if len(q.Words) < 3 {
		return nil, badRequest("word", "invalid_value", "it takes three words or more to tell which one matches the others least, and there are %d", len(q.Words))
	}
	a := oddAnswer{Words: []ranked{}, Missing: []string{}}
	err := s.read(r, q.Model, func(m *models.Model) error {
		a.Model = m.Name
		words := make([]string, len(q.Words))
		for i, asked := range q.Words {
			words[i] = knownReading(m.Words, asked)
		}
		ranking, err := m.Words.DoesntMatch(words)
		if err != nil {
			return err
		}
		if odd, ok := ranking.Odd(); ok {
			a.Odd = &odd
		}
		for _, w := range ranking.Words {
			a.Words = append(a.Words, ranked(w))
		}
		a.FoundAs = ranking.FoundAs
		a.Missing = append(a.Missing, ranking.Missing...)
		return nil
	})
	return a, err
}

type listedModel struct {
	ID          string        `json:"id" help:"Name by which requests call the model."`
	Object      string        `json:"object" const:"model"`
	Created     int64         `json:"created" help:"When the server opened the model, in seconds since 1970."`
	OwnedBy     string        `json:"owned_by"`
	Format      string        `json:"format" help:"Format of the file."`
	Words       int           `json:"words" help:"Size of the vocabulary."`
	Dimensions  int           `json:"dimensions" help:"Numbers of a vector."`
	Subwords    bool          `json:"subwords" help:"Words outside the vocabulary have vectors that are composed of n-grams."`
	IgnoresCase bool          `json:"ignores_case" help:"Words are looked up as they are, and then in lower case."`
	Counts      bool          `json:"counts" help:"The model knows how often training saw each word."`
	Pooling     string        `json:"pooling" enum:"mean weighted sif dbow" help:"How vectors of words become that of a text."`
	Nested      []int         `json:"nested" help:"Sizes for dimensions that the model was trained for. Others are principal axes."`
	Loaded      string        `json:"loaded" format:"date-time" help:"When the server opened the model."`
	Classifier  *listedLabels `json:"classifier,omitempty" help:"What the model classifies texts into, if it does: see POST /v1/classify."`
	Index       *listedIndex  `json:"index,omitempty" help:"What is searched for texts and vectors, if the server was given an index: see POST /v1/search."`
	Facts       []string      `json:"facts,omitempty" help:"Columns that the server knows facts about words in, for conditions in where."`
	Notes       []string      `json:"notes,omitempty" help:"What is unusual about the words, or about how vectors of texts are made."`
}

type listedLabels struct {
	Labels int    `json:"labels" help:"How many labels the model knows."`
	Loss   string `json:"loss" help:"How labels were told apart: softmax or hs, whose probabilities sum to 1, or ova or ns, which have one for each label."`
}

type listedIndex struct {
	Entries int      `json:"entries" help:"How many vectors the index has."`
	Of      string   `json:"of" help:"What the names of entries are: words, texts, or ids, which are names of texts."`
	Facts   []string `json:"facts,omitempty" help:"Columns that the server knows facts about entries in, for conditions in where."`
}

type modelList struct {
	Object string        `json:"object" const:"list"`
	Data   []listedModel `json:"data"`
}

type modelQuestion struct {
	ID string `path:"id" help:"Name of the model."`
}

type ofModel struct {
	Model string `json:"model" help:"Name of the model. It can be left out if the server has only one."`
}

func (s *Server) specOf(m *models.Model) ModelSpec {
	return s.config.Models[slices.IndexFunc(s.config.Models, func(spec ModelSpec) bool { return spec.Name == m.Name })]
}

func (s *Server) textsOf(m *models.Model) (*encoder, error) {
	type key struct{}
	return models.Attach(m, key{}, func(m *models.Model) (e *encoder, err error) {
		spec := s.specOf(m)
		err = m.Read(func() error {
			e, err = newEncoder(m.Words, spec.Pooling, spec.Tokenizer, s.config.Case)
			return err
		})
		return e, err
	})
}

func (s *Server) list(r *http.Request, name string) (listed listedModel, err error) {
	err = s.read(r, name, func(m *models.Model) error {
		t, err := s.textsOf(m)
		if err != nil {
			return err
		}
		listed = listedModel{
			ID: m.Name, Object: "model", Created: m.Loaded.Unix(), OwnedBy: "w2v",
			Format: m.Set.Format(), Words: m.Set.Len(), Dimensions: m.Set.Dim(),
			Subwords: m.Set.Subword() != nil, IgnoresCase: m.Words.IgnoresCase(), Counts: len(m.Set.SharedParts().Counts) > 0,
			Pooling: string(t.pooler.Method()), Nested: append([]int{}, t.nested...), Loaded: m.Loaded.UTC().Format(time.RFC3339),
			Notes: slices.DeleteFunc(append(slices.Clone(m.Set.Notes()), t.pooler.Note()), func(note string) bool { return note == "" }),
		}
		if l := m.Set.Labels(); l != nil {
			listed.Classifier = &listedLabels{l.Names.Len(), m.Set.Training().Text("loss")}
		}
		if s.specOf(m).Index != "" {
			x, err := s.indexOf(m)
			if err != nil {
				return err
			}
			listed.Index = &listedIndex{Entries: x.About.Entries, Of: x.About.Of}
			if x.facts != nil {
				listed.Index.Facts = columnsOf(x.facts)
			}
		}
		about, err := s.factsOf(m)
		if err != nil {
			return err
		}
		if about.words != nil {
			listed.Facts = columnsOf(about.words)
			if known, rows := about.words.Known(); known < rows {
				listed.Notes = append(listed.Notes, wording.Of(known, rows, "word that the server has facts about", "words that the server has facts about", "is in the vocabulary", "are in the vocabulary"))
			}
		}
		if lacks := m.Words.Lacks(); lacks != "" {
			listed.Notes = append(slices.Clone(listed.Notes), lacks)
		}
		return nil
	})
	return listed, err
}

func columnsOf(about *facts.Facts) []string {
	return wording.Map(about.Columns(), func(c metadata.Column) string { return c.Name })
}

// listModels answers GET /v1/models. A model that cannot be used is not in the list.
func (s *Server) listModels(r *http.Request, _ *nothing) (any, error) {
	all := modelList{"list", []listedModel{}}
	for _, name := range s.models.Names() {
		listed, err := s.list(r, name)
		if _, unavailable := errors.AsType[*models.UnavailableError](err); unavailable {
			continue
		}
		if err != nil {
			return nil, err
		}
		all.Data = append(all.Data, listed)
	}
	return all, nil
}

func (s *Server) oneModel(r *http.Request, q *modelQuestion) (any, error) { return s.list(r, q.ID) }
