package explore

import (
	"net/http"
	"strconv"

	"github.com/w2v-go/w2v/serve/internal/facts"
	"github.com/w2v-go/w2v/vectors/projection"
)

// A filter says which words may answer.
type filter struct {
	first int               // so many first words of the vocabulary; 0 for all
	among func(id int) bool // nil for all
}

const maxConditions = 64 // bounds the conditions and the clusters of a request

// filterOf reads the parameters restrict, where (conditions on the model's metadata, all of which a word must meet) and
// cluster (numbers of the clusters of the map by UMAP, in one of which it must be).
func (e *Explorer) filterOf(r *http.Request, m *Model, s *state) (f filter, err error) {
	if text := r.FormValue("restrict"); text != "" {
		if f.first, err = strconv.Atoi(text); err != nil || f.first < 1 {
			return f, badRequest("restrict", "restrict must be a number from 1, is %.40q", text)
		}
	}
	conditions, clusters := r.Form["where"], r.Form["cluster"]
	if len(conditions)+len(clusters) > maxConditions {
		return f, badRequest("where", "%d conditions and clusters, and there may be %d", len(conditions)+len(clusters), maxConditions)
	}
	var meet []func(id int) bool
	for _, condition := range conditions {
		if m.Facts == nil {
			return f, badRequest("where", "%s has no fields", m.Name)
		}
		words, err := m.Facts.Where(condition)
		if err != nil {
			return f, badRequest("where", "%v", err)
		}
		meet = append(meet, words.Has)
	}
	if len(clusters) > 0 {
		in := map[int]bool{}
		for _, text := range clusters {
			c, err := strconv.Atoi(text)
			if err != nil || c < 0 {
				return f, badRequest("cluster", "cluster must be a number from 0, is %.40q", text)
			}
			in[c] = true
		}
		_, d, _ := s.maps[string(projection.MethodUMAP)].now()
		if d == nil {
			return f, &Problem{Status: http.StatusConflict, Code: "not_ready", Param: "cluster", Message: "the clusters are not known before the map by umap is ready"}
		}
		meet = append(meet, func(id int) bool { return id < len(d.ClusterOf) && in[int(d.ClusterOf[id])] })
	}
	f.among = facts.All(meet...)
	return f, nil
}
