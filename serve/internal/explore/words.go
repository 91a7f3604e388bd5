package explore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/query"
	"golang.org/x/sync/errgroup"
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
	if m.Facts != nil {
		info.Fields = m.Facts.Columns()
	}
	return info
}

// listModels leaves out models with damaged files.
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
	text, err := s.kept(m, "words", func() ([]byte, error) { return json.Marshal(MapWords(m.set(), s.points)) })
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
	body, err := s.kept(m, "counts", func() ([]byte, error) {
		numbers := make([]float64, s.points)
		for i := range numbers {
			numbers[i] = float64(counts[i])
		}
		return LittleEndian(numbers), nil
	})
	return tagged(binaryType, body, "counts", s.checksum, strconv.Itoa(s.points)), err
}

func (e *Explorer) field(r *http.Request, m *Model, s *state) (any, error) {
	name, meta := r.PathValue("field"), m.Facts
	if meta == nil || !slices.ContainsFunc(meta.Columns(), func(c metadata.Column) bool { return c.Name == name }) {
		return nil, notThere("unknown_field", "%s has no field %.200q", m.Name, name)
	}
	text, err := s.kept(m, "field "+name, func() ([]byte, error) {
		fields := meta.Fields(MapWords(m.set(), s.points))
		return json.Marshal(fields[slices.IndexFunc(fields, func(f metadata.Field) bool { return f.Name == name })])
	})
	return body{contentType: jsonType, bytes: text}, err
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
	placing        = 15   // neighbours that give a word its place if it is not on the map
	maxParts       = 300  // bounds the n-grams of a word that are shown
	maxText        = 4096 // bounds words and expressions in requests, in bytes
)

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

// mapOf returns nil if the request names no map, or the map is not ready.
func (e *Explorer) mapOf(r *http.Request, of string, s *state) (*Drawing, error) {
	name := r.FormValue("map")
	if name == "" {
		return nil, nil
	}
	j, err := e.jobOf(r, of, s, name)
	if err != nil {
		return nil, err
	}
	_, d, _ := j.now()
	return d, nil
}

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
		return f, unknownWord(param, m.Words, f)
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
	d, err := e.mapOf(r, m.Name, s)
	if err != nil {
		return nil, err
	}
	may, err := e.filterOf(r, m, s)
	if err != nil {
		return nil, err
	}
	f, err := find(r, m, param, param == "word")
	if err != nil {
		return nil, err
	}
	set := m.set()
	p := placement{Word: f.Asked, FoundAs: f.FoundAs(), Terms: f.Terms, ID: f.ID, Composed: f.Composed()}
	// Where a word is does not depend on which words may answer.
	questions := []vectors.Query{{Vector: f.Vector, K: max(k, 5*placing), Skip: f.IDs(set)}}
	if may.first > 0 || may.among != nil {
		questions = append(questions, vectors.Query{Vector: f.Vector, K: k, First: may.first, Among: may.among, Skip: f.IDs(set)})
	}
	all, err := set.Nearest(r.Context(), questions...)
	if err != nil {
		return nil, err
	}
	p.spot, p.Estimated = placeOf(d, f, all[0])
	near := all[len(all)-1]
	p.Neighbors = placedOf(set, d, near[:min(k, len(near))])
	if f.Terms == nil && set.Subword() != nil {
		p.Parts = partsOf(set, f)
	}
	return p, nil
}

// placeOf returns a word's place, or an estimate from its nearest neighbours; nil if neither is on a map.
func placeOf(d *Drawing, f query.Found, near []vectors.Neighbor) (at *spot, estimated bool) {
	if p := d.at(f.ID); p != nil || d == nil {
		return spotOf(p), false
	}
	var on []vectors.Neighbor
	for _, n := range near {
		if d.at(n.ID) != nil && len(on) < placing {
			on = append(on, n)
		}
	}
	if place, ok := d.Placed.Place(on); ok {
		return spotOf(&place), true
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

type corner struct {
	Role     string `json:"role"` // "a", "b" or "c"
	Word     string `json:"word"` // as it was asked for
	FoundAs  string `json:"found_as,omitempty"`
	ID       int    `json:"id"`
	Composed bool   `json:"composed"`
	*spot
}

type solution struct {
	Word  string  `json:"word"`
	ID    int     `json:"id"`
	Score float32 `json:"score"`
	*spot
}

type analogyInfo struct {
	Method vectors.AnalogyMethod `json:"method"`
	Terms  []corner              `json:"terms"`
	// the fourth corner of the parallelogram of the words on the map; absent if one of them has no place
	Target  *spot      `json:"target,omitempty"`
	Answers []solution `json:"answers"`
}

func (e *Explorer) analogy(r *http.Request, m *Model, s *state) (any, error) {
	k, err := answersOf(r, defaultAnswers)
	if err != nil {
		return nil, err
	}
	may, err := e.filterOf(r, m, s)
	if err != nil {
		return nil, err
	}
	method := cmp.Or(vectors.AnalogyMethod(r.FormValue("method")), vectors.CosAdd)
	if err := method.Validate(); err != nil {
		return nil, badRequest("method", "%v", err)
	}
	d, err := e.mapOf(r, m.Name, s)
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
	answers, err := set.Analogy(r.Context(), vectors.AnalogyOptions{K: k, Method: method, First: may.first, Among: may.among}, words)
	if err != nil {
		return nil, err
	}
	if answers[0].Err != nil {
		return nil, analogyProblem(words, info.Terms, answers[0].Err)
	}
	for _, n := range answers[0].Neighbors {
		info.Answers = append(info.Answers, solution{n.Word, n.ID, n.Similarity, spotOf(d.at(n.ID))})
	}
	return info, nil
}

func cornerPlace(ctx context.Context, set *vectors.Set, d *Drawing, f query.Found) (*spot, error) {
	if d == nil || d.at(f.ID) != nil {
		return spotOf(d.at(f.ID)), nil
	}
	all, err := set.Nearest(ctx, vectors.Query{Vector: f.Vector, K: 5 * placing, Skip: f.IDs(set)})
	if err != nil {
		return nil, err
	}
	at, _ := placeOf(d, f, all[0])
	return at, nil
}

func analogyProblem(words [3]string, terms []corner, err error) error {
	if lacking, ok := errors.AsType[*vectors.MissingWordError](err); ok {
		if i := slices.Index(words[:], lacking.Word); i >= 0 {
			return badRequest(terms[i].Role, "the vector of %.200q has no direction", terms[i].Word)
		}
	}
	return err
}

type onAxis struct {
	Word  string  `json:"word"`
	ID    int     `json:"id"`
	Value float32 `json:"value"`
}

type axisInfo struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Toward  []onAxis `json:"toward"`
	Away    []onAxis `json:"away"`
	Words   []onAxis `json:"words"`
	Missing []string `json:"missing"` // the words that were asked for and have no vector
}

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

const maxAxisWords = 1000 // bounds the words whose place on an axis a request may ask for

func (e *Explorer) axis(r *http.Request, m *Model, s *state) (any, error) {
	k, err := answersOf(r, defaultAnswers)
	if err != nil {
		return nil, err
	}
	may, err := e.filterOf(r, m, s)
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
	near, err := set.Nearest(r.Context(),
		vectors.Query{Vector: axis, K: k, First: may.first, Among: may.among, Skip: skip}, vectors.Query{Vector: back, K: k, First: may.first, Among: may.among, Skip: skip})
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

// cosines are those of all words of the map with a word or an expression; NaN where a word has no direction.
func (e *Explorer) cosines(r *http.Request, m *Model, s *state) (any, error) {
	param := "word"
	if r.FormValue("expr") != "" {
		param = "expr"
	}
	f, err := find(r, m, param, param == "word")
	if err != nil {
		return nil, err
	}
	unit := make([]float32, len(f.Vector))
	if !vectors.Unit(unit, f.Vector) {
		return nil, badRequest(param, "the vector of %.200q has no direction", f.Asked)
	}
	values, err := cosinesWith(r.Context(), m.set(), unit, s.points)
	if err != nil {
		return nil, err
	}
	return tagged(binaryType, LittleEndian(values), "cosines", s.checksum, param, r.FormValue(param), strconv.Itoa(s.points)), nil
}

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
