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

// alignWithScipy rotates the vectors of a model onto those of another one, in word2vec's text
// format, by scipy's solution of the orthogonal Procrustes problem: the arguments are the two files,
// what is to be done to the vectors of the shared words before it (unit, center), joined by commas,
// and the file that w2v wrote. It prints the largest difference, and scipy's scale.
const alignWithScipy = `
import json, sys
import numpy as np
from scipy.linalg import orthogonal_procrustes
def load(path):
    words, rows = [], []
    with open(path, encoding='utf-8') as f:
        next(f)
        for line in f:
            word, *numbers = line.rstrip('\n').split(' ')
            words.append(word)
            rows.append(np.array(numbers, dtype=np.float32).astype(np.float64))
    return words, np.array(rows)
def prepare(m, steps):
    for step in steps:
        m = m / np.linalg.norm(m, axis=1, keepdims=True) if step == 'unit' else m - m.mean(axis=0)
    return m
a, A = load(sys.argv[1])
b, B = load(sys.argv[2])
steps = [s for s in sys.argv[3].split(',') if s]
place = {word: i for i, word in enumerate(b)}
both = [(i, place[word]) for i, word in enumerate(a) if word in place]
X, Y = A[[i for i, _ in both]], B[[j for _, j in both]]
R, scale = orthogonal_procrustes(prepare(X, steps), prepare(Y, steps))
words, C = load(sys.argv[4])
assert words == a
rotated = X @ R
cosines = (rotated * Y).sum(axis=1) / np.linalg.norm(rotated, axis=1) / np.linalg.norm(Y, axis=1)
print(json.dumps(dict(anchors=len(both), difference=float(np.abs(A @ R - C).max()), scale=float(scale), cosine=float(cosines.mean()))))
`

// periods writes the vectors of two models that share most words: those of the second are those of
// the first, with noise, in another space.
func periods(t *testing.T, rng *rand.Rand) (a, b string) {
	t.Helper()
	const words, dim = 900, 40
	mix := make([][]float64, dim)
	for i := range mix {
		mix[i] = make([]float64, dim)
		for k := range mix[i] {
			mix[i][k] = rng.NormFloat64() / math.Sqrt(dim)
		}
	}
	var texts [2]strings.Builder
	var counts [2]int
	for id := range words {
		row, other := make([]float64, dim), make([]float64, dim)
		size := math.Exp(rng.NormFloat64() / 2)
		for k := range row {
			row[k] = size * (rng.NormFloat64() + 0.3)
		}
		for k := range other {
			for i, x := range row {
				other[k] += x * mix[i][k]
			}
			other[k] += rng.NormFloat64() / 3
		}
		for side, numbers := range [][]float64{row, other} {
			if rng.IntN(10) == 0 {
				continue // a word of the other model alone
			}
			counts[side]++
			fmt.Fprintf(&texts[side], "word%d", id)
			for _, x := range numbers {
				fmt.Fprintf(&texts[side], " %v", float32(x))
			}
			texts[side].WriteByte('\n')
		}
	}
	dir := t.TempDir()
	paths := [2]string{filepath.Join(dir, "a.vec"), filepath.Join(dir, "b.vec")}
	for side, path := range paths {
		content := fmt.Sprintf("%d %d\n%s", counts[side], dim, texts[side].String())
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return paths[0], paths[1]
}

// The rotation is that of scipy.linalg.orthogonal_procrustes on the same vectors.
func TestScipyAlignsTheSame(t *testing.T) {
	needScipy(t)
	for seed, steps := range []string{"", "unit", "center", "unit,center,unit"} {
		a, b := periods(t, rand.New(rand.NewPCG(uint64(seed), 5)))
		c := filepath.Join(t.TempDir(), "c.vec")
		var ours struct {
			Anchors int
			Scale   float64
			Cosine  float64 `json:"mean_cosine"`
		}
		var theirs struct {
			Anchors                   int
			Difference, Scale, Cosine float64
		}
		decode(t, output(t, "", w2v, "align", a, b, "-o", c, "--steps", steps, "--json"), &ours)
		decode(t, output(t, "", python, "-c", alignWithScipy, a, b, steps, c), &theirs)
		if ours.Anchors != theirs.Anchors || ours.Anchors < 500 {
			t.Errorf("%q: %d anchors, scipy got %d", steps, ours.Anchors, theirs.Anchors)
		}
		if !(theirs.Difference < 1e-6) || !(math.Abs(ours.Scale/theirs.Scale-1) < 1e-9) || !(math.Abs(ours.Cosine-theirs.Cosine) < 1e-9) {
			t.Errorf("%q: ours %+v, scipy's %+v", steps, ours, theirs)
		}
		if ours.Cosine < 0.4 || ours.Cosine > 0.99 {
			t.Errorf("%q: the models tell nothing: %v", steps, ours.Cosine)
		}
	}
}

// measureWithNumpy measures vectors in word2vec's text format as w2v info --stats does: the
// argument is the file.
const measureWithNumpy = `
import json, sys
import numpy as np
from scipy.stats import skew
with open(sys.argv[1], encoding='utf-8') as f:
    next(f)
    m = np.array([line.rstrip('\n').split(' ')[1:] for line in f], dtype=np.float32).astype(np.float64)
norms = np.linalg.norm(m, axis=1)
u = m / norms[:, None]
cosines = u @ u.T
off = cosines[~np.eye(len(u), dtype=bool)]
values = np.linalg.eigvalsh(np.cov(m.T))
np.fill_diagonal(cosines, -2)
near = np.argsort(-cosines, axis=1, kind='stable')[:, :10]
n = np.bincount(near.ravel(), minlength=len(u))
print(json.dumps(dict(mean=off.mean(), deviation=off.std(), ratio=values.sum()**2 / (values**2).sum(), median=float(np.median(norms)),
    q95=float(np.quantile(norms, 0.95)), skewness=float(skew(n)), never=int((n == 0).sum()), most=int(n.max()))))
`

// Norms, isotropy and hubs are what numpy and scipy make of the same vectors.
func TestNumpyMeasuresTheSame(t *testing.T) {
	needScipy(t)
	a, _ := periods(t, rand.New(rand.NewPCG(1, 6)))
	var theirs struct {
		Mean, Deviation, Ratio, Median, Q95, Skewness float64
		Never, Most                                   int
	}
	var ours struct {
		Stats struct {
			Norms    struct{ Q50, Q95 float64 }
			Isotropy struct {
				Mean      float64 `json:"mean_cosine"`
				Deviation float64 `json:"cosine_deviation"`
				Ratio     float64 `json:"participation_ratio"`
			}
			Hubs struct {
				Skewness float64
				Never    int
				Top      []struct{ Occurrences int }
			}
		}
	}
	decode(t, output(t, "", w2v, "info", "--stats", "--json", a), &ours)
	decode(t, output(t, "", python, "-c", measureWithNumpy, a), &theirs)
	for what, x := range map[string][2]float64{
		"mean cosine": {ours.Stats.Isotropy.Mean, theirs.Mean}, "deviation": {ours.Stats.Isotropy.Deviation, theirs.Deviation},
		"participation ratio": {ours.Stats.Isotropy.Ratio, theirs.Ratio}, "median norm": {ours.Stats.Norms.Q50, theirs.Median},
		"norm": {ours.Stats.Norms.Q95, theirs.Q95}, "skewness": {ours.Stats.Hubs.Skewness, theirs.Skewness},
	} {
		if !(math.Abs(x[0]-x[1]) <= 1e-9*max(1, math.Abs(x[1]))) {
			t.Errorf("%s is %v, numpy's is %v", what, x[0], x[1])
		}
	}
	if hubs := ours.Stats.Hubs; hubs.Never != theirs.Never || hubs.Top[0].Occurrences != theirs.Most {
		t.Errorf("%d words never and %d times at most, numpy has %d and %d", hubs.Never, hubs.Top[0].Occurrences, theirs.Never, theirs.Most)
	}
}
