package interop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scoreWithSklearn scores the clusters that w2v prints as JSON: the words are grouped as we did,
// and the scores are scikit-learn's. Purity, which it does not have, is made of its contingency
// matrix.
const scoreWithSklearn = `
import json, sys
from sklearn.metrics import homogeneity_completeness_v_measure
from sklearn.metrics.cluster import contingency_matrix
words = json.load(sys.stdin)['result']['clusters']
true = [w['category'] for w in words]
found = [w['cluster'] for w in words]
h, c, v = homogeneity_completeness_v_measure(true, found)
m = contingency_matrix(true, found)
print(json.dumps(dict(homogeneity=h, completeness=c, v_measure=v, purity=float(m.max(axis=0).sum() / m.sum()))))
`

// wordsOfCategories writes vectors of words near the middle of their category, and the set of them. With
// spread, the categories run into each other.
func wordsOfCategories(t *testing.T, rng *rand.Rand, spread float64) (model, set string) {
	t.Helper()
	const dim = 8
	names := []string{"rivers", "tools", "clouds", "games"}
	var rows, members strings.Builder
	n := 0
	for i, name := range names {
		middle := make([]float64, dim)
		for d := range middle {
			middle[d] = rng.NormFloat64()
		}
		for w := range 10 + 7*i {
			n++
			fmt.Fprintf(&rows, "%s%d", name, w)
			fmt.Fprintf(&members, "%s%d\t%s\n", name, w, name)
			for d := range dim {
				fmt.Fprintf(&rows, " %v", float32(middle[d]+spread*rng.NormFloat64()))
			}
			rows.WriteByte('\n')
		}
	}
	members.WriteString("nothing\tgames\n") // it has no vector
	dir := t.TempDir()
	model, set = filepath.Join(dir, "words.vec"), filepath.Join(dir, "categories.tsv")
	for path, content := range map[string]string{model: fmt.Sprintf("%d %d\n%s", n, dim, rows.String()), set: members.String()} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return model, set
}

// Purity, homogeneity, completeness and V-measure of our clusters are what scikit-learn computes of
// the same clusters.
func TestSklearnScoresClustersTheSame(t *testing.T) {
	needScipy(t)
	for i, spread := range []float64{0.1, 0.7, 1.5} {
		model, set := wordsOfCategories(t, rand.New(rand.NewPCG(uint64(i), 4)), spread)
		record := output(t, "", w2v, "eval", model, set, "--json")
		var ours struct {
			Task   string
			Result struct {
				Purity, Homogeneity, Completeness float64
				VMeasure                          float64 `json:"v_measure"`
				Used, OOV                         int
			}
		}
		var theirs struct {
			Purity, Homogeneity, Completeness float64
			VMeasure                          float64 `json:"v_measure"`
		}
		decode(t, record, &ours)
		decode(t, output(t, record, python, "-c", scoreWithSklearn), &theirs)
		r := ours.Result
		if ours.Task != "categorization" || r.Used != 82 || r.OOV != 1 {
			t.Errorf("spread %v: %+v", spread, ours)
		}
		for _, x := range [][2]float64{{r.Purity, theirs.Purity}, {r.Homogeneity, theirs.Homogeneity}, {r.Completeness, theirs.Completeness}, {r.VMeasure, theirs.VMeasure}} {
			if !(math.Abs(x[0]-x[1]) < 1e-9) {
				t.Errorf("spread %v: ours %+v, scikit-learn's %+v", spread, r, theirs)
			}
		}
		if i > 0 && r.VMeasure > 0.999 {
			t.Errorf("spread %v: the set tells nothing: %+v", spread, r)
		}
	}
}
