package serve

import (
	"fmt"

	"github.com/w2v-go/w2v/serve/internal/facts"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// modelFacts are what the server has been given about a model.
type modelFacts struct {
	table *metadata.Table // nil for none
	words *facts.Facts    // about the words of the model; nil for none
}

// of returns the facts about the words of another set that belongs to the model, for which find is the rule; nil for none.
func (f modelFacts) of(set *vectors.Set, find func(word string) (spelling string, id int)) *facts.Facts {
	if f.table == nil {
		return nil
	}
	return facts.New(f.table.For(find), set)
}

// factsOf returns the facts about a model. They are read when the model is opened, so an error is one of opening it.
func (s *Server) factsOf(m *models.Model) (modelFacts, error) {
	type key struct{}
	return models.Attach(m, key{}, func(m *models.Model) (f modelFacts, err error) {
		path := s.config.Metadata[m.Name]
		if path == "" {
			return f, nil
		}
		if f.table, err = metadata.ReadFile(path); err != nil {
			return f, err
		}
		err = m.Read(func() error { f.words = f.of(m.Set, m.Words.Spelling); return nil })
		if s.config.Note != nil && err == nil {
			for _, note := range f.words.Notes("the model " + m.Name) {
				s.config.Note(note)
			}
		}
		return f, err
	})
}

// checkFacts returns an error if the facts about a model cannot be read.
func (s *Server) checkFacts(m *models.Model) error {
	_, err := s.factsOf(m)
	return err
}

// meeting returns what reports whether a word meets a condition, for each of some conditions on facts about such words.
func meeting(f *facts.Facts, about string, conditions []spelled) (rules []func(id int) bool, err error) {
	for _, condition := range conditions {
		if f == nil {
			return nil, badRequest("where", "no_facts", "the server has no facts about %s", about)
		}
		words, err := f.Where(condition.form)
		if err != nil {
			return nil, badRequest("where", "invalid_value", "%v", err)
		}
		if words.Len() == 0 {
			message := fmt.Sprintf("none of %s meets %q", about, condition.form)
			if why := f.WhyNone(condition.form); why != "" {
				message += ": " + why
			}
			return nil, badRequest("where", "invalid_value", "%s", message)
		}
		rules = append(rules, words.Has)
	}
	return rules, nil
}
