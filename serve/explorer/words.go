package explorer

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// A modelInfo says what there is of a model.
type modelInfo struct {
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

func (e *Explorer) info(m *Model) modelInfo {
	set := m.set()
	info := modelInfo{
		Name: m.Name, Format: set.Format(), Words: set.Len(), Dim: set.Dim(), Points: e.points(m),
		Subwords: set.Subword() != nil, Counts: set.Counts() != nil, IgnoresCase: m.Words.IgnoresCase(),
		Training: set.Training(), Fields: []metadata.Column{}, Projections: projections,
	}
	if meta := e.metadata[m.Name]; meta != nil {
		info.Fields = meta.Columns()
	}
	return info
}

func (e *Explorer) listModels(w http.ResponseWriter, r *http.Request) error {
	list := []modelInfo{}
	for _, name := range e.options.Models.Names() {
		m, err := e.options.Models.Use(name)
		if err != nil {
			return err
		}
		err = m.Read(func() error {
			list = append(list, e.info(m))
			return nil
		})
		m.Release()
		if err != nil {
			return err
		}
	}
	return answer{value: list}.send(w, r)
}

func (e *Explorer) words(_ *http.Request, m *Model, s *state) (answer, error) {
	text, err := json.Marshal(mapWords(m.set(), s.points))
	if err != nil {
		return answer{}, err
	}
	return tagged("application/json", text, "words", s.checksum, strconv.Itoa(s.points)), nil
}

// mapWords returns the first n words.
func mapWords(set *vectors.Set, n int) []string {
	words, all := make([]string, n), set.Words()
	for i := range words {
		words[i] = all.At(i)
	}
	return words
}

func (e *Explorer) counts(_ *http.Request, m *Model, s *state) (answer, error) {
	counts := m.set().Counts()
	if counts == nil {
		return answer{}, notThere("no_counts", "%s does not know how often its words were seen", m.Name)
	}
	numbers := make([]float64, s.points)
	for i := range numbers {
		numbers[i] = float64(counts[i])
	}
	return tagged(binaryType, littleEndian(numbers), "counts", s.checksum, strconv.Itoa(s.points)), nil
}

func (e *Explorer) field(r *http.Request, m *Model, s *state) (answer, error) {
	if meta := e.metadata[m.Name]; meta != nil {
		s.fieldsOnce.Do(func() { s.fields = meta.Fields(mapWords(m.set(), s.points)) })
		for _, f := range s.fields {
			if f.Name == r.PathValue("field") {
				return answer{value: f}, nil
			}
		}
	}
	return answer{}, notThere("unknown_field", "%s has no field %.200q", m.Name, r.PathValue("field"))
}
