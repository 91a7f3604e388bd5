package interop

import (
	"context"
	"encoding/binary"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/projection"
)

func needUMAP(t *testing.T) { need(t, python, "-c", "import umap, sklearn") }

// numbers writes float32 numbers to a file that numpy reads by fromfile.
func numbers(t *testing.T, values any) string {
	t.Helper()
	data, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "numbers")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// dense returns the vectors of a set without gaps.
func dense(s *vectors.Set) []float32 {
	rows := make([]float32, 0, s.Len()*s.Dim())
	for i := range s.Len() {
		rows = append(rows, s.Vectors().Row(i)...)
	}
	return rows
}

// grouped returns a set of random vectors in groups.
func grouped(t *testing.T, seed uint64, words, dim int) *vectors.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 17))
	rows := vectors.NewMatrix(words, dim)
	names := make([]string, words)
	centres := make([]float64, 12*dim)
	for i := range centres {
		centres[i] = r.NormFloat64()
	}
	for i := range words {
		names[i] = "w" + strconv.Itoa(i)
		for k := range rows.Row(i) {
			rows.Row(i)[k] = float32(centres[i%12*dim+k] + r.NormFloat64())
		}
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const trustworthinessBySklearn = `
import sys, numpy as np
from sklearn.manifold import trustworthiness
x = np.fromfile(sys.argv[1], dtype='<f4').reshape(-1, int(sys.argv[3])).astype(float)
p = np.fromfile(sys.argv[2], dtype='<f4').reshape(-1, 2).astype(float)
print([trustworthiness(x, p, n_neighbors=k, metric='cosine') for k in map(int, sys.argv[4:])])
`

// Trustworthiness is scikit-learn's, by cosine, to 1e-9.
func TestScikitLearnTrustsMapsTheSame(t *testing.T) {
	need(t, python, "-c", "import sklearn")
	for seed := range uint64(3) {
		s := grouped(t, seed, 500, 20)
		m, err := projection.PCA(context.Background(), s, projection.PCAOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var want []float64
		ks := []int{1, 5, 15, 100}
		args := []string{"-c", trustworthinessBySklearn, numbers(t, dense(s)), numbers(t, m.Points), "20"}
		for _, k := range ks {
			args = append(args, strconv.Itoa(k))
		}
		decode(t, output(t, "", python, args...), &want)
		for i, k := range ks {
			got, err := projection.Trustworthiness(context.Background(), s, m.Points, projection.TrustworthinessOptions{Neighbors: k})
			if err != nil || math.Abs(got.Value-want[i]) > 1e-9 {
				t.Errorf("seed %d, %d neighbours: %.12f, %v, scikit-learn says %.12f", seed, k, got.Value, err, want[i])
			}
		}
	}
}

const graphByUMAPLearn = `
import sys, json, numpy as np
from umap.umap_ import fuzzy_simplicial_set
x = np.fromfile(sys.argv[1], dtype='<f4').reshape(-1, int(sys.argv[2])).astype(float)
k = int(sys.argv[3])
x /= np.linalg.norm(x, axis=1, keepdims=True)
d = np.maximum(0, 1 - x @ x.T)
np.fill_diagonal(d, 0)
ids = np.argsort(d, axis=1, kind='stable')[:, :k]
near = np.take_along_axis(d, ids, axis=1).astype(np.float32)
g = fuzzy_simplicial_set(x, k, np.random.RandomState(1), 'cosine', knn_indices=ids, knn_dists=near)[0].tocoo()
print(json.dumps([[int(i), int(j), float(w)] for i, j, w in zip(g.row, g.col, g.data) if i < j and w > 0]))
`

// The graph is umap-learn's fuzzy simplicial set: the same edges, with the same weights to 1e-3, which is what its float32
// distances and the ends of both bisections leave.
func TestUMAPLearnMakesTheSameGraph(t *testing.T) {
	needUMAP(t)
	s := grouped(t, 5, 400, 16)
	for _, k := range []int{5, 15} {
		var theirs [][3]float64
		decode(t, output(t, "", python, "-c", graphByUMAPLearn, numbers(t, dense(s)), "16", strconv.Itoa(k)), &theirs)
		want := map[[2]int]float64{}
		for _, e := range theirs {
			want[[2]int{int(e[0]), int(e[1])}] = e[2]
		}
		g, err := projection.NewGraph(context.Background(), s, projection.UMAPOptions{Neighbors: k})
		if err != nil {
			t.Fatal(err)
		}
		edges := 0
		for e, w := range g.Edges() {
			edges++
			if math.Abs(float64(w)-want[e]) > 1e-3 {
				t.Errorf("%d neighbours: edge %v has weight %v, umap-learn's %v", k, e, w, want[e])
			}
		}
		if edges != len(want) {
			t.Errorf("%d neighbours: %d edges, umap-learn has %d", k, edges, len(want))
		}
	}
}

const mapByUMAPLearn = `
import sys, warnings, numpy as np
warnings.simplefilter('ignore')
import umap
x = np.fromfile(sys.argv[1], dtype='<f4').reshape(-1, int(sys.argv[2]))
umap.UMAP(n_neighbors=15, min_dist=0.1, metric='cosine', random_state=1).fit_transform(x).astype('<f4').tofile(sys.argv[3])
`

var mapped = flag.String("map-model", "", "the model of TestUMAPIsAsTrustworthyAsUMAPLearn; empty trains a small one")

// UMAP of a trained model keeps neighbours as well as umap-learn does: trustworthiness of 15 neighbours is not more than
// 0.02 lower.
func TestUMAPIsAsTrustworthyAsUMAPLearn(t *testing.T) {
	needUMAP(t)
	dir := t.TempDir()
	model := *mapped
	if model == "" {
		model = filepath.Join(dir, "model.w2v")
		output(t, "", w2v, "train", corpus(t, dir), "-o", model, "--dim", "50", "--epochs", "10", "--min-count", "2", "--seed", "1")
	}
	s, err := format.Open(model)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	theirs := filepath.Join(dir, "theirs")
	output(t, "", python, "-c", mapByUMAPLearn, numbers(t, dense(s)), strconv.Itoa(s.Dim()), theirs)
	data, err := os.ReadFile(theirs)
	if err != nil {
		t.Fatal(err)
	}
	points := make([]projection.Point, s.Len())
	if _, err := binary.Decode(data, binary.LittleEndian, points); err != nil {
		t.Fatal(err)
	}
	trust := func(points []projection.Point, sample int) float64 {
		found, err := projection.Trustworthiness(context.Background(), s, points, projection.TrustworthinessOptions{Sample: sample})
		if err != nil {
			t.Fatal(err)
		}
		return found.Value
	}
	const sample = 10_000
	want := trust(points, sample)
	m, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := trust(m.Points, sample)
	pca, err := projection.PCA(context.Background(), s, projection.PCAOptions{Unit: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d words × %d: trustworthiness %.4f, umap-learn's %.4f, of PCA %.4f", s.Len(), s.Dim(), got, want, trust(pca.Points, 3000))
	if got < want-0.02 {
		t.Errorf("trustworthiness %.4f, umap-learn's is %.4f", got, want)
	}
}
