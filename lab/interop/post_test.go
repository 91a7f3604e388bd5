package interop

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// postWithNumpy is a program that post-processes vectors in word2vec's text format as published
// code does: the arguments are the file and the steps, whose result it prints as JSON.
const postWithNumpy = `
import json, sys
import numpy as np
lines = open(sys.argv[1], encoding='utf-8').read().split('\n')[1:-1]
words = [line.split(' ')[0] for line in lines]
x = np.array([[float(n) for n in line.split(' ')[1:]] for line in lines], dtype=np.float32).astype(np.float64)
for step in sys.argv[2:]:
    if step == '--center':
        x = x - x.mean(axis=0)
    elif step.startswith('--abtt='):
        d = int(step[len('--abtt='):])
        x = x - x.mean(axis=0)
        _, _, v = np.linalg.svd(x, full_matrices=False)
        x = x - x @ v[:d].T @ v[:d]
    elif step == '--whiten':
        x = x - x.mean(axis=0)
        values, axes = np.linalg.eigh(np.cov(x, rowvar=False))
        keep = values > 1e-12 * values.max()
        x = x @ (axes[:, keep] / np.sqrt(values[keep])) @ axes[:, keep].T
    elif step == '--normalize':
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
print(json.dumps(dict(zip(words, x.tolist()))))
`

// crowded writes vectors as training leaves them: far from zero, and longer in some directions.
func crowded(t *testing.T, path string, words, dim int) {
	t.Helper()
	random := rand.New(rand.NewPCG(20, 18))
	var text strings.Builder
	fmt.Fprintf(&text, "%d %d\n", words, dim)
	for i := range words {
		fmt.Fprintf(&text, "w%d", i)
		for k := range dim {
			fmt.Fprintf(&text, " %v", float32(0.5+random.NormFloat64()/float64(k+1)))
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Centring, all-but-the-top, whitening and normalisation are numpy's to 1e-5 of a vector's largest number, in
// files that convert writes and in what a query prints.
func TestNumpyPostProcessesTheSame(t *testing.T) {
	need(t, python, "-c", "import numpy")
	dir := t.TempDir()
	model := filepath.Join(dir, "crowded.vec")
	crowded(t, model, 3000, 40)
	for _, steps := range [][]string{
		{"--center"}, {"--abtt=3"}, {"--whiten"}, {"--normalize"}, {"--center", "--normalize"},
		{"--abtt=3", "--whiten"}, {"--center", "--abtt=2", "--whiten", "--normalize"},
	} {
		theirs := map[string][]float64{}
		decode(t, output(t, "", python, append([]string{"-c", postWithNumpy, model}, steps...)...), &theirs)
		written := output(t, "", w2v, append([]string{"convert", model, "-", "--to", "text"}, steps...)...)
		asked := output(t, strings.Join(vocabularyOf(theirs), "\n"), w2v, append([]string{"vector", model, "--json"}, steps...)...)
		ours := map[string][]float64{}
		for line := range strings.Lines(asked) {
			var x struct {
				Word   string
				Vector []float64
			}
			decode(t, line, &x)
			ours[x.Word] = x.Vector
		}
		name := strings.Join(steps, " ")
		worst := 0.0
		_, rows, _ := strings.Cut(written, "\n")
		for row := range strings.Lines(rows) {
			fields := strings.Fields(row)
			want := theirs[fields[0]]
			var scale, apart float64
			for k, text := range fields[1:] {
				x, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				scale = max(scale, math.Abs(want[k]))
				apart = max(apart, math.Abs(x-want[k]), math.Abs(ours[fields[0]][k]-want[k]))
			}
			worst = max(worst, apart/scale)
		}
		if len(theirs) != 3000 || len(ours) != 3000 || !(worst < 1e-5) {
			t.Errorf("%s: %d and %d vectors, apart by up to %g", name, len(theirs), len(ours), worst)
		}
		t.Logf("%s: apart by up to %.2g", name, worst)
	}
}

func vocabularyOf(vectors map[string][]float64) (words []string) {
	for word := range vectors {
		words = append(words, word)
	}
	return words
}

// queryGensim is a program that asks gensim for neighbours of sums of words, for the word that does not match,
// and for distances.
const queryGensim = `
import json, sys
from gensim.models import KeyedVectors
kv = KeyedVectors.load_word2vec_format(sys.argv[1])
result = dict(
    near=kv.most_similar(positive=['w3', 'w40'], negative=['w7'], topn=8),
    weighted=kv.most_similar(positive=[('w3', 0.5), ('w9', -2.0)], topn=8),
    few=kv.most_similar(positive=['w3', 'w40'], negative=['w7'], topn=8, restrict_vocab=50),
    odd=kv.doesnt_match(['w1', 'w2', 'w3', 'w4', 'w5']),
    central=kv.rank_by_centrality(['w1', 'w2', 'w3', 'w4', 'w5']),
    distances=kv.distances('w1', ['w2', 'w3', 'w4']).tolist())
print(json.dumps(result, default=float))
`

func TestGensimAnswersTheSame(t *testing.T) {
	needGensim(t)
	model := filepath.Join(t.TempDir(), "crowded.vec")
	crowded(t, model, 500, 30)
	type pair struct {
		word  string
		score float64
	}
	var theirs struct {
		Near, Weighted, Few [][2]any
		Odd                 string
		Central             [][2]any
		Distances           []float64
	}
	decode(t, output(t, "", python, "-c", queryGensim, model), &theirs)
	compare := func(name string, want [][2]any, got []pair) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %v, gensim has %v", name, got, want)
		}
		for i, g := range got {
			score := want[i][1].(float64)
			if g.word != want[i][0] || math.Abs(g.score-score) > 1e-5 {
				t.Errorf("%s, answer %d: %v, gensim has %v", name, i, g, want[i])
			}
		}
	}
	near := func(args ...string) (found []pair) {
		t.Helper()
		var answer struct {
			Neighbors []struct {
				Word       string
				Similarity float64
			}
		}
		decode(t, output(t, "", w2v, append([]string{"nn", model, "-k", "8", "--json"}, args...)...), &answer)
		for _, n := range answer.Neighbors {
			found = append(found, pair{n.Word, n.Similarity})
		}
		return found
	}
	compare("positive and negative", theirs.Near, near("--positive", "w3,w40", "--negative", "w7"))
	compare("an expression", theirs.Near, near("w3 - w7 + w40"))
	compare("weights", theirs.Weighted, near("0.5*w3 - 2*w9"))
	compare("few words", theirs.Few, near("w3 - w7 + w40", "--restrict", "50"))

	var odd struct {
		Odd   string
		Words []struct {
			Word       string
			Similarity float64
		}
	}
	decode(t, output(t, "", w2v, "doesnt-match", model, "w1", "w2", "w3", "w4", "w5", "--json"), &odd)
	if odd.Odd != theirs.Odd {
		t.Errorf("%s does not match, gensim has %s", odd.Odd, theirs.Odd)
	}
	for i, w := range odd.Words {
		want := theirs.Central[len(theirs.Central)-1-i]
		if w.Word != want[1] || math.Abs(w.Similarity-want[0].(float64)) > 1e-5 {
			t.Errorf("centrality %d: %v, gensim has %v", i, w, want)
		}
	}
	i := 0
	for line := range strings.Lines(output(t, "", w2v, "similarity", model, "--from", "w1", "w2", "w3", "w4", "--distance", "--json")) {
		var d struct{ Distance float64 }
		if err := json.Unmarshal([]byte(line), &d); err != nil || math.Abs(d.Distance-theirs.Distances[i]) > 1e-5 {
			t.Errorf("distance %d: %v, %v, gensim has %v", i, err, d, theirs.Distances[i])
		}
		i++
	}
	if i != 3 {
		t.Errorf("%d distances", i)
	}
}
