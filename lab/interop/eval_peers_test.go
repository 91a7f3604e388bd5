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

func needScipy(t *testing.T) { need(t, python, "-c", "import scipy, sklearn") }

// correlateWithScipy scores the pairs of a set by vectors in word2vec's text format, with numpy's
// cosines and scipy's correlations: the arguments are the file and the set. A pair with a word that
// the file does not have is left out.
const correlateWithScipy = `
import json, sys
import numpy as np
from scipy.stats import spearmanr, pearsonr
rows = {}
with open(sys.argv[1], encoding='utf-8') as f:
    next(f)
    for line in f:
        word, *numbers = line.rstrip('\n').split(' ')
        rows[word] = np.array(numbers, dtype=np.float32).astype(np.float64)
human, cosines = [], []
with open(sys.argv[2], encoding='utf-8') as f:
    for line in f:
        a, b, number = line.rstrip('\n').split('\t')
        if a in rows and b in rows:
            x, y = rows[a], rows[b]
            human.append(float(number))
            cosines.append(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))
print(json.dumps(dict(used=len(human), spearman=float(spearmanr(cosines, human)[0]), pearson=float(pearsonr(cosines, human)[0]))))
`

// judgedPairs writes vectors of words, and pairs of them that somebody might have judged: numbers
// that follow the cosines loosely, many of them equal, some pairs twice, some words unknown.
func judgedPairs(t *testing.T, rng *rand.Rand) (model, set string) {
	t.Helper()
	const words, dim = 300, 20
	rows := make([][]float64, words)
	var text, pairs strings.Builder
	fmt.Fprintf(&text, "%d %d\n", words, dim)
	for i := range rows {
		fmt.Fprintf(&text, "word%d", i)
		for range dim {
			x := rng.NormFloat64()
			rows[i] = append(rows[i], x)
			fmt.Fprintf(&text, " %v", float32(x))
		}
		text.WriteByte('\n')
	}
	for range 500 {
		a, b := rng.IntN(words), rng.IntN(words)
		if a == b {
			continue
		}
		dot, na, nb := 0.0, 0.0, 0.0
		for i := range dim {
			dot += rows[a][i] * rows[b][i]
			na += rows[a][i] * rows[a][i]
			nb += rows[b][i] * rows[b][i]
		}
		judged := math.Round(10 * (1 + dot/math.Sqrt(na*nb) + rng.NormFloat64()/4) / 2)
		fmt.Fprintf(&pairs, "word%d\tword%d\t%v\n", a, b, judged)
		switch rng.IntN(10) {
		case 0:
			fmt.Fprintf(&pairs, "word%d\tword%d\t%v\n", a, b, judged+1)
		case 1:
			fmt.Fprintf(&pairs, "word%d\tnobody%d\t%v\n", a, b, judged)
		}
	}
	dir := t.TempDir()
	model, set = filepath.Join(dir, "words.vec"), filepath.Join(dir, "judged.tsv")
	for path, content := range map[string]string{model: text.String(), set: pairs.String()} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return model, set
}

// A score of similarity is scipy's.
func TestScipyCorrelatesTheSame(t *testing.T) {
	needScipy(t)
	for seed := range uint64(5) {
		model, set := judgedPairs(t, rand.New(rand.NewPCG(seed, 5)))
		var theirs, ours struct {
			Used              int
			Spearman, Pearson float64
		}
		decode(t, output(t, "", python, "-c", correlateWithScipy, model, set), &theirs)
		decode(t, output(t, "", w2v, "eval", "similarity", model, set, "--ignore-case=false", "--json"), &ours)
		if ours.Used != theirs.Used || ours.Used < 400 {
			t.Errorf("seed %d: %d pairs are used, scipy got %d", seed, ours.Used, theirs.Used)
		}
		if d := math.Max(math.Abs(ours.Spearman-theirs.Spearman), math.Abs(ours.Pearson-theirs.Pearson)); !(d < 1e-9) {
			t.Errorf("seed %d: ours %+v, scipy's %+v", seed, ours, theirs)
		}
		if ours.Spearman < 0.2 || ours.Spearman > 0.9 {
			t.Errorf("seed %d: the set tells nothing: %v", seed, ours.Spearman)
		}
	}
}

// On WordSim-353, where it is, a score is that of gensim's evaluate_word_pairs. The vectors are
// random: what is compared is arithmetic and the rules about words.
func TestGensimScoresWordSimTheSame(t *testing.T) {
	needGensim(t)
	set := filepath.Join("..", "..", "..", "shared", "data", "eval", "en", "sim", "ws353.tsv")
	content, err := os.ReadFile(set)
	if err != nil {
		t.Skipf("no real evaluation sets here: %v", err)
	}
	rng := rand.New(rand.NewPCG(353, 1))
	seen := map[string]bool{}
	var rows strings.Builder
	words := 0
	for line := range strings.Lines(string(content)) {
		fields := strings.Split(line, "\t")
		for _, word := range fields[:min(2, len(fields))] {
			if seen[word] || rng.IntN(20) == 0 {
				continue
			}
			seen[word] = true
			words++
			rows.WriteString(word)
			for range 30 {
				fmt.Fprintf(&rows, " %v", float32(rng.NormFloat64()))
			}
			rows.WriteByte('\n')
		}
	}
	model := filepath.Join(t.TempDir(), "words.vec")
	if err := os.WriteFile(model, []byte(fmt.Sprintf("%d 30\n%s", words, rows.String())), 0o666); err != nil {
		t.Fatal(err)
	}
	var theirs, ours struct {
		Spearman, Pearson, OOV float64
		Pairs                  int
	}
	decode(t, output(t, "", python, "-c", evaluateWithGensim, model, "similarity", set, "300000", "True"), &theirs)
	decode(t, output(t, "", w2v, "eval", "similarity", model, set, "--fold-vocab", "--restrict", "300000", "--json"), &ours)
	for _, x := range [][2]float64{{ours.Spearman, theirs.Spearman}, {ours.Pearson, theirs.Pearson}, {100 * ours.OOV / float64(ours.Pairs), theirs.OOV}} {
		if !(math.Abs(x[0]-x[1]) < 1e-6) { // gensim's vectors of length 1 are float32
			t.Errorf("ours %+v, gensim's %+v", ours, theirs)
		}
	}
	if ours.OOV == 0 || ours.Pairs < 300 {
		t.Errorf("the vectors tell nothing: %+v", ours)
	}
}
