package serve

import (
	"sync"

	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// facts are what the server has been given about the words of a model, or the entries of its index.
type facts[T any] struct {
	of    string          // the words, or the entries
	table *metadata.Table // nil for none

	mu  sync.Mutex
	met map[string]T // those that meet conditions that were asked
}

// keptConditions is how many conditions have those that meet them kept.
const keptConditions = 64

// readFacts reads facts from a file; an empty path stands for none.
func readFacts[T any](of, path string) (*facts[T], error) {
	if path == "" {
		return &facts[T]{of: of}, nil
	}
	table, err := metadata.ReadFile(path)
	return &facts[T]{of: of, table: table}, err
}

// where returns those that meet a condition, which the caller must not change. choose makes them of a function that says
// which do.
func (f *facts[T]) where(condition string, choose func(meets func(word string) bool) T) (all T, err error) {
	if f.table == nil {
		return all, badRequest("where", "no_facts", "the server has no facts about %s", f.of)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if all, ok := f.met[condition]; ok {
		return all, nil
	}
	meets, err := f.table.Where(condition)
	if err != nil {
		return all, badRequest("where", "invalid_value", "%v", err)
	}
	if len(f.met) >= keptConditions || f.met == nil {
		f.met = make(map[string]T)
	}
	all = choose(meets)
	f.met[condition] = all
	return all, nil
}

// factsOf returns the facts about the words of a model. Words that meet a condition are in rising order.
func (s *Server) factsOf(m *models.Model) (*facts[[]int], error) {
	type key struct{}
	return models.Attach(m, key{}, func(m *models.Model) (*facts[[]int], error) {
		return readFacts[[]int]("the words of this model", s.config.Metadata[m.Name])
	})
}
