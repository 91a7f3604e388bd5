package train

import (
	"cmp"
	"math"
	"slices"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// deepest is how far down the list of neighbours ranks and cosines are kept.
const deepest = 1000

// nearby collects the nearest neighbours of words in all runs. The models have one vocabulary, so
// words are ids.
type nearby struct {
	vocab *vocab.Vocab
	ids   []int
	k     int
	runs  [][]found // [word][run]
}

// found are the neighbours of a word in a run.
type found struct {
	nearest []int            // the ids of the k nearest
	at      map[int]neighbor // those of the deepest, by their ids
}

type neighbor struct {
	rank   int // from 1
	cosine float64
}

// newNearby looks words up. It returns an error that names those that the vocabulary does not have.
func newNearby(v *vocab.Vocab, words []string, k int) (*nearby, error) {
	n := &nearby{vocab: v, k: k, runs: make([][]found, len(words))}
	var unknown []string
	for _, word := range words {
		id, ok := v.ID([]byte(word))
		if !ok {
			unknown = append(unknown, word)
		}
		n.ids = append(n.ids, int(id))
	}
	if unknown != nil {
		return nil, errorf("%v: not in the vocabulary: %s", name("bootstrap-words"), list(unknown))
	}
	return n, nil
}

// list names the first words of a list.
func list(words []string) string {
	const most = 10
	text := ""
	for i, word := range words {
		if i == most {
			return text + " …"
		}
		if i > 0 {
			text += ", "
		}
		text += word
	}
	return text
}

// add takes the neighbours in a model.
func (n *nearby) add(s *vectors.Set) {
	if len(n.ids) == 0 {
		return
	}
	queries, skip := vectors.NewMatrix(len(n.ids), s.Dim()), make([][]int, len(n.ids))
	rows, _ := s.Directions()
	for i, id := range n.ids {
		rows.Read(queries.Row(i), id)
		skip[i] = []int{id}
	}
	for i, near := range s.NearestBatch(queries, max(n.k, deepest), skip) {
		f := found{at: make(map[int]neighbor, len(near))}
		for rank, x := range near {
			f.at[x.ID] = neighbor{rank + 1, float64(x.Similarity)}
			if rank < n.k {
				f.nearest = append(f.nearest, x.ID)
			}
		}
		n.runs[i] = append(n.runs[i], f)
	}
}

// words summarises the neighbours of all words.
func (n *nearby) words() []BootstrapWord {
	all := []BootstrapWord{}
	for i, id := range n.ids {
		runs := n.runs[i]
		times := make(map[int]int)
		for _, run := range runs {
			for _, near := range run.nearest {
				times[near]++
			}
		}
		w := BootstrapWord{Word: string(n.vocab.Tokens()[id]), Count: n.vocab.Count(id), Jaccard: stability(runs), Neighbors: []BootstrapNeighbor{}}
		for near, count := range times {
			x := BootstrapNeighbor{Word: string(n.vocab.Tokens()[near]), Share: float64(count) / float64(len(runs))}
			var cosines []float64
			for _, run := range runs {
				if at, ok := run.at[near]; ok {
					cosines = append(cosines, at.cosine)
					x.MeanRank += float64(at.rank)
				}
			}
			x.MeanRank /= float64(len(cosines))
			x.Spread = newSpread(cosines)
			w.Neighbors = append(w.Neighbors, x)
		}
		slices.SortFunc(w.Neighbors, func(a, b BootstrapNeighbor) int {
			return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.MeanRank, b.MeanRank), cmp.Compare(a.Word, b.Word))
		})
		all = append(all, w)
	}
	return all
}

// stability is the mean Jaccard similarity of the nearest neighbours of each two runs.
func stability(runs []found) eval.Score {
	sum, pairs := 0.0, 0.0
	for i, a := range runs {
		for _, b := range runs[:i] {
			both := 0
			for _, id := range a.nearest {
				if slices.Contains(b.nearest, id) {
					both++
				}
			}
			if union := len(a.nearest) + len(b.nearest) - both; union > 0 {
				sum, pairs = sum+float64(both)/float64(union), pairs+1
			}
		}
	}
	if pairs == 0 {
		return eval.Score(math.NaN())
	}
	return eval.Score(sum / pairs)
}
