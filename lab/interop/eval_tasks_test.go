package interop

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// vectorsForTasks writes a model in word2vec's text format: the words w0, w1, … with vectors that
// have something in common, as those of real models do.
func vectorsForTasks(t *testing.T, dir string, rng *rand.Rand, words, dim int) string {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "%d %d\n", words, dim)
	for i := range words {
		fmt.Fprintf(&text, "w%d", i)
		for d := range dim {
			x := rng.NormFloat64()
			if d == i%7 {
				x += 2
			}
			fmt.Fprintf(&text, " %v", float32(x+0.3))
		}
		text.WriteByte('\n')
	}
	return writeFile(t, dir, "words.vec", text.String())
}

func writeFile(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// readVectors is the beginning of programs that read vectors in word2vec's text format.
const readVectors = `
import itertools, json, sys
import numpy as np
rows = {}
with open(sys.argv[1], encoding='utf-8') as f:
    next(f)
    for line in f:
        word, *numbers = line.rstrip('\n').split(' ')
        rows[word] = np.array(numbers, dtype=np.float32).astype(np.float64)
unit = {word: v / np.linalg.norm(v) for word, v in rows.items()}
def cos(a, b): return float(np.dot(rows[a], rows[b]) / (np.linalg.norm(rows[a]) * np.linalg.norm(rows[b])))
`

// scoreBias computes WEAT and RND as the papers define them, with all partitions.
const scoreBias = readVectors + `
results = []
for test in json.load(open(sys.argv[2]))['tests']:
    X, Y, A, B = ([w for w in test[role] if w in rows] for role in 'xyab')
    s = {w: np.mean([cos(w, a) for a in A]) - np.mean([cos(w, b) for b in B]) for w in X + Y}
    x, y, both = ([s[w] for w in words] for words in (X, Y, X + Y))
    given = sum(x) - sum(y)
    larger = total = 0
    for chosen in itertools.combinations(range(len(both)), len(x)):
        statistic = sum(v if i in chosen else -v for i, v in enumerate(both))
        larger += statistic > given + 1e-12
        total += 1
    mx, my = (np.mean([unit[w] for w in words], axis=0) for words in (X, Y))
    rnd = [sum(np.linalg.norm(unit[w] - mx) - np.linalg.norm(unit[w] - my) for w in words) for words in (A, B)]
    results.append(dict(effect_size=(np.mean(x) - np.mean(y)) / np.std(both), effect_size_sample=(np.mean(x) - np.mean(y)) / np.std(both, ddof=1),
                        statistic=given, p_value=larger / total, partitions=total, rnd_a=rnd[0], rnd_b=rnd[1]))
print(json.dumps(results))
`

func TestNumpyBiasIsTheSame(t *testing.T) {
	needNumpy(t)
	rng := rand.New(rand.NewPCG(31, 7))
	dir := t.TempDir()
	model := vectorsForTasks(t, dir, rng, 140, 12)
	type list = []string
	var tests []map[string]list
	for _, n := range []int{2, 5, 6, 7} {
		test := map[string]list{}
		order := rng.Perm(140)
		for i, role := range []string{"x", "y", "a", "b"} {
			for k := range n {
				test[role] = append(test[role], fmt.Sprintf("w%d", order[i*n+k]))
			}
		}
		if n == 6 {
			test["y"] = append(test["y"], "nowhere") // X and Y lose the balance, and 1 of 7 is lost
		}
		tests = append(tests, test)
	}
	content, err := json.Marshal(map[string]any{"tests": tests})
	if err != nil {
		t.Fatal(err)
	}
	set := writeFile(t, dir, "bias.json", string(content))
	var theirs []struct {
		EffectSize       float64 `json:"effect_size"`
		EffectSizeSample float64 `json:"effect_size_sample"`
		Statistic        float64
		P                float64 `json:"p_value"`
		Partitions       int
		A                float64 `json:"rnd_a"`
		B                float64 `json:"rnd_b"`
	}
	var ours struct {
		Result struct {
			Tests []struct {
				EffectSize       float64 `json:"effect_size"`
				EffectSizeSample float64 `json:"effect_size_sample"`
				Statistic        float64
				P                float64 `json:"p_value"`
				Partitions       int
				Exact, Complete  bool
				A, B             struct{ RND struct{ Sum float64 } }
			}
		}
	}
	decode(t, output(t, "", python, "-c", scoreBias, model, set), &theirs)
	decode(t, output(t, "", w2v, "eval", model, set, "--json"), &ours)
	if len(theirs) != 4 || len(ours.Result.Tests) != 4 {
		t.Fatalf("%d tests of w2v, %d of numpy", len(ours.Result.Tests), len(theirs))
	}
	for i, b := range theirs {
		a := ours.Result.Tests[i]
		for _, x := range [][2]float64{
			{a.EffectSize, b.EffectSize}, {a.EffectSizeSample, b.EffectSizeSample}, {a.Statistic, b.Statistic}, {a.P, b.P}, {a.A.RND.Sum, b.A}, {a.B.RND.Sum, b.B},
		} {
			if !(math.Abs(x[0]-x[1]) <= 1e-6) {
				t.Errorf("test %d: ours %+v, numpy's %+v", i, a, b)
			}
		}
		if a.Partitions != b.Partitions || !a.Exact || a.Complete != (i != 2) {
			t.Errorf("test %d: ours %+v, numpy's %+v", i, a, b)
		}
	}
}

// scoreOutliers ranks by the compactness of what is left without each word, as the paper defines
// it: not by the sum of a word's own similarities.
const scoreOutliers = readVectors + `
found, positions = [], []
for line in open(sys.argv[2], encoding='utf-8'):
    cluster = json.loads(line)
    words = [w for w in cluster['words'] if w in rows]
    for outlier in cluster['outliers']:
        if outlier not in rows:
            continue
        every = words + [outlier]
        def compactness(without):
            rest = [w for w in every if w != without]
            return np.mean([cos(a, b) for a, b in itertools.permutations(rest, 2)])
        c = {w: compactness(w) for w in every}
        position = sum(c[w] < c[outlier] - 1e-12 for w in words)
        positions.append(position / len(words))
        found.append(position == len(words))
print(json.dumps(dict(accuracy=float(np.mean(found)), opp=float(np.mean(positions)), used=len(found))))
`

func TestNumpyOutliersAreTheSame(t *testing.T) {
	needNumpy(t)
	rng := rand.New(rand.NewPCG(8, 88))
	dir := t.TempDir()
	model := vectorsForTasks(t, dir, rng, 140, 12)
	var set strings.Builder
	for c := range 7 {
		words, outliers := []string{fmt.Sprintf("nowhere%d", c)}, []string{"nobody"}
		for k := range 7 {
			words = append(words, fmt.Sprintf("w%d", c+7*k))
			outliers = append(outliers, fmt.Sprintf("w%d", 70+rng.IntN(70)))
		}
		line, err := json.Marshal(map[string]any{"category": fmt.Sprint(c), "words": words, "outliers": outliers})
		if err != nil {
			t.Fatal(err)
		}
		set.Write(append(line, '\n'))
	}
	path := writeFile(t, dir, "outliers.jsonl", set.String())
	type scores struct {
		Accuracy, OPP float64
		Used          int
	}
	var theirs scores
	var ours struct{ Result scores }
	decode(t, output(t, "", python, "-c", scoreOutliers, model, path), &theirs)
	decode(t, output(t, "", w2v, "eval", model, path, "--json"), &ours)
	if o := ours.Result; o.Used != theirs.Used || o.Used == 0 || math.Abs(o.Accuracy-theirs.Accuracy) > 1e-9 || math.Abs(o.OPP-theirs.OPP) > 1e-9 {
		t.Errorf("ours %+v, numpy's %+v", o, theirs)
	}
	if theirs.Accuracy == 0 || theirs.Accuracy == 1 {
		t.Errorf("the set tells nothing: %+v", theirs)
	}
}

// scoreSentences takes p(w) from Zipf's law, as the model has no counts.
const scoreSentences = readVectors + `
from scipy.stats import pearsonr, spearmanr
harmonic = sum(1 / (i + 1) for i in range(len(rows)))
p = {w: 1 / ((i + 1) * harmonic) for i, w in enumerate(rows)}
human, mean, weighted = [], [], []
for line in open(sys.argv[2], encoding='utf-8'):
    score, *sentences = line.rstrip('\n').split('\t')
    cut = [[w for w in s.lower().rstrip('.').split() if w in rows] for s in sentences]
    if not all(cut):
        continue
    human.append(float(score))
    for words in cut:
        mean.append(np.mean([rows[w] for w in words], axis=0))
        weighted.append(np.mean([2e-4 / (2e-4 + p[w]) * rows[w] for w in words], axis=0))
weighted = np.array(weighted)
u = np.linalg.svd(weighted, full_matrices=False)[2][0]
sif = weighted - np.outer(weighted @ u, u)
def scores(vectors):
    c = [float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b))) for a, b in zip(vectors[::2], vectors[1::2])]
    return dict(spearman=float(spearmanr(c, human)[0]), pearson=float(pearsonr(c, human)[0]))
print(json.dumps(dict(used=len(human), mean=scores(mean), weighted=scores(weighted), sif_set=scores(sif))))
`

func TestScipySentencesAreTheSame(t *testing.T) {
	needScipy(t)
	rng := rand.New(rand.NewPCG(4, 44))
	dir := t.TempDir()
	model := vectorsForTasks(t, dir, rng, 140, 12)
	var set strings.Builder
	sentence := func(theme int) string {
		var words []string
		for range 3 + rng.IntN(6) {
			w := rng.IntN(140)
			if rng.IntN(2) == 0 {
				w = w/7*7 + theme
			}
			words = append(words, fmt.Sprintf("w%d", min(w, 139)))
		}
		words[0] = strings.ToUpper(words[0])
		return strings.Join(words, " ") + "."
	}
	for range 300 {
		a, b := rng.IntN(7), rng.IntN(7)
		score := float64(rng.IntN(4))
		if a == b {
			score += 1.5
		}
		fmt.Fprintf(&set, "%v\t%s\t%s\n", score, sentence(a), sentence(b))
	}
	set.WriteString("3\tno word of it\tis known here\n")
	path := writeFile(t, dir, "sts.tsv", set.String())
	type scores struct{ Spearman, Pearson float64 }
	type result struct {
		Used           int
		Mean, Weighted scores
		SIF            scores `json:"sif_set"`
		Probabilities  string
	}
	var theirs result
	var ours struct{ Result result }
	decode(t, output(t, "", python, "-c", scoreSentences, model, path), &theirs)
	decode(t, output(t, "", w2v, "eval", model, path, "--json"), &ours)
	o := ours.Result
	if o.Used != 300 || theirs.Used != 300 || o.Probabilities != "zipf" {
		t.Errorf("ours %+v, scipy's %+v", o, theirs)
	}
	for _, x := range [][2]float64{
		{o.Mean.Spearman, theirs.Mean.Spearman}, {o.Mean.Pearson, theirs.Mean.Pearson}, {o.Weighted.Spearman, theirs.Weighted.Spearman}, {o.Weighted.Pearson, theirs.Weighted.Pearson}, {o.SIF.Spearman, theirs.SIF.Spearman}, {o.SIF.Pearson, theirs.SIF.Pearson},
	} {
		if !(math.Abs(x[0]-x[1]) <= 1e-6) {
			t.Errorf("ours %+v, scipy's %+v", o, theirs)
		}
	}
	if math.Abs(o.Mean.Pearson-o.SIF.Pearson) < 1e-6 {
		t.Errorf("mean and SIF are the same: %+v", o)
	}
}
