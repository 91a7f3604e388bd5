package explore

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/query"
)

// A ModelInfo describes a model.
type ModelInfo struct {
	Name        string            `json:"name"`
	Format      string            `json:"format"`
	Words       int               `json:"words"`
	Dim         int               `json:"dim"`
	Points      int               `json:"points"`
	Subwords    bool              `json:"subwords"`
	Counts      bool              `json:"counts"`
	IgnoresCase bool              `json:"ignores_case"`
	Training    vectors.Training  `json:"training"`
	Fields      []metadata.Column `json:"fields"`
	Projections []string          `json:"projections"`
}

func (e *Explorer) info(m *Model) ModelInfo {
	set := m.set()
	info := ModelInfo{
		Name: m.Name, Format: set.Format(), Words: set.Len(), Dim: set.Dim(), Points: e.points(m),
		Subwords: set.Subword() != nil, Counts: set.SharedParts().Counts != nil, IgnoresCase: m.Words.IgnoresCase(),
		Training: set.Training(), Fields: []metadata.Column{}, Projections: projections,
	}
	if meta := e.metadata[m.Name]; meta != nil {
		info.Fields = meta.Columns()
	}
	return info
}

// listModels lists the models that can be used: a model with a damaged file must not hide the
// others.
func (e *Explorer) listModels(w http.ResponseWriter, r *http.Request) error {
	list := []ModelInfo{}
	var wrong []error
	for _, name := range e.options.Models.Names() {
		m, err := e.options.Models.Use(name)
		if err == nil {
			err = m.Read(func() error {
				list = append(list, e.info(m))
				return nil
			})
			m.Release()
		}
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(list) == 0 && len(wrong) > 0 {
		return wrong[0]
	}
	return sendJSON(w, http.StatusOK, list)
}

func (e *Explorer) words(_ *http.Request, m *Model, s *state) (any, error) {
	text, err := kept(m, &s.wordsText, func() ([]byte, error) { return json.Marshal(MapWords(m.set(), s.points)) })
	if err != nil {
		return nil, err
	}
	return tagged(jsonType, text, "words", s.checksum, strconv.Itoa(s.points)), nil
}

// MapWords returns the first n words.
func MapWords(set *vectors.Set, n int) []string {
	words, all := make([]string, n), set.Words()
	for i := range words {
		words[i] = all.At(i)
	}
	return words
}

func (e *Explorer) counts(_ *http.Request, m *Model, s *state) (any, error) {
	counts := m.set().Counts()
	if counts == nil {
		return nil, notThere("no_counts", "%s does not know how often its words were seen", m.Name)
	}
	body, err := kept(m, &s.countBytes, func() ([]byte, error) {
		numbers := make([]float64, s.points)
		for i := range numbers {
			numbers[i] = float64(counts[i])
		}
		return LittleEndian(numbers), nil
	})
	return tagged(binaryType, body, "counts", s.checksum, strconv.Itoa(s.points)), err
}

func (e *Explorer) field(r *http.Request, m *Model, s *state) (any, error) {
	name := r.PathValue("field")
	if meta := e.metadata[m.Name]; meta != nil {
		texts, err := kept(m, &s.fieldTexts, func() (map[string][]byte, error) { return fieldTexts(meta, MapWords(m.set(), s.points)) })
		if err != nil {
			return nil, err
		}
		if text := texts[name]; text != nil {
			return body{contentType: jsonType, bytes: text}, nil
		}
	}
	return nil, notThere("unknown_field", "%s has no field %.200q", m.Name, name)
}

// fieldTexts returns JSON of the facts about words, by their names.
func fieldTexts(meta *metadata.Table, words []string) (map[string][]byte, error) {
	texts := map[string][]byte{}
	for _, f := range meta.Fields(words) {
		text, err := json.Marshal(f)
		if err != nil {
			return nil, err
		}
		texts[f.Name] = text
	}
	return texts, nil
}

// Checksum returns a checksum of the words of a set, their counts and their vectors. Sets that are alike in these
// look the same in the explorer, whatever files they come from. It reads all vectors.
func Checksum(s *vectors.Set) (string, error) {
	h := sha256.New()
	text := make([]byte, 0, 4*s.Dim()+256)
	words := s.Words()
	err := s.Guard(func() error {
		for _, n := range s.Counts() {
			_, _ = h.Write(binary.LittleEndian.AppendUint64(text[:0], n)) // cannot fail
		}
		for id, v := range s.All() {
			word := words.At(id)
			text = binary.AppendUvarint(text[:0], uint64(len(word)))
			text = append(text, word...)
			for _, x := range v {
				text = binary.LittleEndian.AppendUint32(text, math.Float32bits(x))
			}
			_, _ = h.Write(text) // cannot fail
		}
		return s.Err()
	})
	return hex.EncodeToString(h.Sum(nil)[:16]), err
}

const (
	defaultAnswers = 10
	maxAnswers     = 1000 // per request
	// placing is the number of neighbours on the map that give a word its place if it is not on the
	// map.
	placing = 15
	// maxParts bounds the n-grams of a word that are shown.
	maxParts = 300
	// maxText bounds words and expressions in requests, in bytes.
	maxText = 4096
)

// A spot is a point of a map.
type spot struct {
	X float32 `json:"x"`
	Y float32 `json:"y"`
}

func spotOf(p *projection.Point) *spot {
	if p == nil {
		return nil
	}
	return &spot{p.X, p.Y}
}

// A placed word is an answer, with its place if it is on the map.
type placed struct {
	Word       string  `json:"word"`
	ID         int     `json:"id"`
	Similarity float32 `json:"similarity"`
	Count      *uint64 `json:"count,omitempty"`
	*spot
}

type part struct {
	Name string  `json:"name"`
	Kind string  `json:"kind"` // "word" for a row of the word's own, or "ngram"
	Norm float64 `json:"norm"`
	// Share is the part's share of the vector's length, along the vector: all shares sum up to 1.
	Share float64 `json:"share"`
}

// A placement is the place of a word or an expression, real or estimated.
type placement struct {
	Word     string       `json:"word"`               // as requested
	FoundAs  string       `json:"found_as,omitempty"` // the model's spelling, if different
	Terms    []query.Term `json:"terms,omitempty"`    // of an expression
	ID       int          `json:"id"`                 // -1 if it is not in the vocabulary
	Composed bool         `json:"composed"`
	*spot
	Estimated bool     `json:"estimated"` // the place is estimated from neighbours
	Neighbors []placed `json:"neighbors"`
	Parts     []part   `json:"parts,omitempty"`
}

// answersOf returns the number of answers that a request asks for, or the usual one.
func answersOf(r *http.Request, usual int) (int, error) {
	text := r.FormValue("k")
	if text == "" {
		return usual, nil
	}
	k, err := strconv.Atoi(text)
	if err != nil || k < 1 || k > maxAnswers {
		return 0, badRequest("k", "k must be a number from 1 to %d, is %.40q", maxAnswers, text)
	}
	return k, nil
}

// textOf returns a parameter that must be given.
func textOf(r *http.Request, param string) (string, error) {
	switch text := r.FormValue(param); {
	case text == "":
		return "", &Problem{Status: http.StatusBadRequest, Code: "missing_parameter", Param: param, Message: "the parameter " + param + " is missing"}
	case len(text) > maxText:
		return "", badRequest(param, "%s is longer than %d bytes", param, maxText)
	default:
		return text, nil
	}
}

// mapOf returns the map that a request names, or nil if it names none or the map is not ready.
func (s *state) mapOf(r *http.Request) (*Drawing, error) {
	name := r.FormValue("map")
	if name == "" {
		return nil, nil
	}
	j, err := s.jobOf(name)
	if err != nil {
		return nil, err
	}
	_, d, _ := j.now()
	return d, nil
}

// find returns the word or expression in a parameter, with its vector.
func find(r *http.Request, m *Model, param string, isWord bool) (query.Found, error) {
	var f query.Found
	text, err := textOf(r, param)
	if err != nil {
		return f, err
	}
	v := make([]float32, m.set().Dim())
	if isWord {
		f, err = m.Words.Word(v, text)
	} else {
		e, wrong := m.Words.ParseCompact(text)
		if wrong != nil {
			return f, badRequest(param, "%v", wrong)
		}
		f, err = m.Words.Express(v, text, e)
	}
	if err != nil {
		return f, err
	}
	if f.Missing() {
		return f, unknownWord(param, m.set(), f)
	}
	return f, nil
}

func (e *Explorer) place(r *http.Request, m *Model, s *state) (any, error) {
	k, err := answersOf(r, defaultAnswers)
	if err != nil {
		return nil, err
	}
	param := "word"
	if r.FormValue("expr") != "" {
		param = "expr"
	}
	d, err := s.mapOf(r)
	if err != nil {
		return nil, err
	}
	f, err := find(r, m, param, param == "word")
	if err != nil {
		return nil, err
	}
	set := m.set()
	p := placement{Word: f.Asked, FoundAs: f.FoundAs(), Terms: f.Terms, ID: f.ID, Composed: f.Composed()}
	all, err := set.Nearest(r.Context(), vectors.Query{Vector: f.Vector, K: max(k, 5*placing), Skip: f.IDs(set)})
	if err != nil {
		return nil, err
	}
	near := all[0]
	at, estimated := placeOf(d, f, near)
	p.spot, p.Estimated = spotOf(at), estimated
	p.Neighbors = placedOf(set, d, near[:min(k, len(near))])
	if f.Terms == nil && set.Subword() != nil {
		p.Parts = partsOf(set, f)
	}
	return p, nil
}

// placeOf returns a word's place on a map, or an estimate from its nearest neighbours. It is nil
// without a map, or if no neighbour is on the map.
func placeOf(d *Drawing, f query.Found, near []vectors.Neighbor) (p *projection.Point, estimated bool) {
	if p = d.at(f.ID); p != nil || d == nil {
		return p, false
	}
	var on []vectors.Neighbor
	for _, n := range near {
		if d.at(n.ID) != nil && len(on) < placing {
			on = append(on, n)
		}
	}
	if place, ok := d.Placed.Place(on); ok {
		return &place, true
	}
	return nil, false
}

func placedOf(set *vectors.Set, d *Drawing, near []vectors.Neighbor) []placed {
	list := make([]placed, len(near))
	counts := set.Counts()
	for i, n := range near {
		list[i] = placed{Word: n.Word, ID: n.ID, Similarity: n.Similarity, spot: spotOf(d.at(n.ID))}
		if counts != nil {
			list[i].Count = new(counts[n.ID]) // a copy: the file behind the set may change before it is sent
		}
	}
	return list
}

func partsOf(set *vectors.Set, f query.Found) []part {
	all := set.WordParts(f.Spelling)
	parts := make([]part, 0, min(len(all), maxParts))
	for _, p := range all[:min(len(all), maxParts)] {
		one := part{Name: p.Text, Kind: "ngram"}
		if p.Own {
			one.Kind = "word"
		}
		var squares float64
		for _, x := range p.Vector {
			squares += float64(x) * float64(x)
		}
		one.Norm, one.Share = finite(math.Sqrt(squares)), finite(p.Share(f.Vector))
		parts = append(parts, one)
	}
	return parts
}
