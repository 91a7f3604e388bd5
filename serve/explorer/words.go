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
		Subwords: set.Subword() != nil, Counts: set.SharedParts().Counts != nil, IgnoresCase: m.Words.IgnoresCase(),
		Training: set.Training(), Fields: []metadata.Column{}, Projections: projections,
	}
	if meta := e.metadata[m.Name]; meta != nil {
		info.Fields = meta.Columns()
	}
	return info
}

// listModels lists the models that can be used: one whose file is damaged must not hide the others.
func (e *Explorer) listModels(w http.ResponseWriter, r *http.Request) error {
	list := []modelInfo{}
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
	return answer{value: list}.send(w, r)
}

func (e *Explorer) words(_ *http.Request, m *Model, s *state) (answer, error) {
	text, err := kept(m, &s.wordsText, func() ([]byte, error) { return json.Marshal(mapWords(m.set(), s.points)) })
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
	body, err := kept(m, &s.countBytes, func() ([]byte, error) {
		numbers := make([]float64, s.points)
		for i := range numbers {
			numbers[i] = float64(counts[i])
		}
		return littleEndian(numbers), nil
	})
	return tagged(binaryType, body, "counts", s.checksum, strconv.Itoa(s.points)), err
}

func (e *Explorer) field(r *http.Request, m *Model, s *state) (answer, error) {
	name := r.PathValue("field")
	if meta := e.metadata[m.Name]; meta != nil {
		texts, err := kept(m, &s.fieldTexts, func() (map[string][]byte, error) { return fieldTexts(meta, mapWords(m.set(), s.points)) })
		if err != nil {
			return answer{}, err
		}
		if text := texts[name]; text != nil {
			return answer{contentType: "application/json", body: text}, nil
		}
	}
	return answer{}, notThere("unknown_field", "%s has no field %.200q", m.Name, name)
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
