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

// classify is a program that computes with scikit-learn what LRCos answers with. Its input is JSON: the
// path of vectors in word2vec's text format, the pairs of a relation, the negatives, and w2v's answer to
// each question. It prints for each solver the probability of each of these answers, and the best word by
// the probability times the cosine.
const classify = `
import json, sys
import numpy as np
from sklearn.linear_model import LogisticRegression
task = json.load(sys.stdin)
words, rows = [], []
with open(task['model'], encoding='utf-8') as f:
    next(f)
    for line in f:
        word, *numbers = line.split()
        words.append(word)
        rows.append(np.array(numbers, dtype=np.float32).astype(np.float64))
X = np.array(rows)
X /= np.linalg.norm(X, axis=1)[:, None]
at = {w: i for i, w in enumerate(words)}
pairs = task['pairs']
out = {}
for solver, tol in (('newton-cholesky', 1e-12), ('lbfgs', 1e-12)):
    found = []
    for i, (word, answer) in enumerate(pairs):
        others = pairs[:i] + pairs[i+1:]
        x = [at[a] for _, a in others] + [at[w] for w, _ in others] + [at[n] for n in task['negatives']]
        y = [1] * len(others) + [0] * (len(others) + len(task['negatives']))
        m = LogisticRegression(C=1, solver=solver, tol=tol, max_iter=100000).fit(X[x], y)
        p = m.predict_proba(X)[:, 1]
        score = p * (X @ X[at[word]])
        score[at[word]] = -np.inf
        given = at[task['answers'][i]]
        found.append(dict(probability=p[given], score=score[given], best=words[int(np.argmax(score))]))
    out[solver] = found
json.dump(out, sys.stdout)
`

// relationModel writes vectors of words w0, w1, …, in which w2i+1 is to w2i nearly the same for each i, and the
// relation of these words.
func relationModel(t *testing.T, dir string, rng *rand.Rand, words, dim, pairs int) (model, set string, relation [][2]string) {
	t.Helper()
	rows := make([][]float64, words)
	for i := range rows {
		rows[i] = make([]float64, dim)
		for k := range rows[i] {
			rows[i][k] = rng.NormFloat64() * (1 + float64(i%5))
			if i%2 == 1 && i < 2*pairs {
				rows[i][k] = rows[i-1][k] + float64(k%4) - 1 + 0.5*rng.NormFloat64()
			}
		}
	}
	var text, lines strings.Builder
	fmt.Fprintf(&text, "%d %d\n", words, dim)
	for i, row := range rows {
		fmt.Fprintf(&text, "w%d", i)
		for _, x := range row {
			fmt.Fprintf(&text, " %v", float32(x))
		}
		text.WriteByte('\n')
	}
	for i := range pairs {
		word, answer := fmt.Sprint("w", 2*i), fmt.Sprint("w", 2*i+1)
		relation = append(relation, [2]string{word, answer})
		fmt.Fprintf(&lines, "%s\t%s/nobody\n", word, answer)
	}
	model, set = filepath.Join(dir, "model.vec"), filepath.Join(dir, "relation.txt")
	for path, content := range map[string]string{model: text.String(), set: lines.String()} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return model, set, relation
}

// answered reads what --answers writes: a row of columns for each question.
func answered(t *testing.T, path string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:] {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

// The columns of answers.
const (
	columnA = iota + 2
	columnB
	columnC
	columnExpected
	columnAnswer
	columnOutcome
	columnScore
	columnProbability
)

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// LRCos is scikit-learn's logistic regression to 1e-9 with the solver that converges so far, and to 1e-5 with
// lbfgs, which ends earlier.
func TestLRCosIsScikitLearns(t *testing.T) {
	need(t, python, "-c", "import sklearn")
	for _, size := range []struct{ words, dim, pairs int }{{300, 12, 20}, {400, 100, 30}} {
		dir := t.TempDir()
		model, set, relation := relationModel(t, dir, rand.New(rand.NewPCG(41, uint64(size.dim))), size.words, size.dim, size.pairs)
		file := filepath.Join(dir, "answers.tsv")
		var ours struct{ Negatives map[string][]string }
		decode(t, output(t, "", w2v, "eval", "relation", model, set, "--method", "lrcos", "--seed", "3", "--answers", file, "--json"), &ours)
		rows := answered(t, file)
		task := map[string]any{"model": model, "pairs": relation, "negatives": ours.Negatives["relation"]}
		var answers []string
		for _, row := range rows {
			answers = append(answers, row[columnAnswer])
		}
		task["answers"] = answers
		input, err := json.Marshal(task)
		if err != nil || len(rows) != size.pairs || len(ours.Negatives["relation"]) != size.pairs {
			t.Fatalf("%d questions and %d negatives, want %d: %v", len(rows), len(ours.Negatives["relation"]), size.pairs, err)
		}
		var theirs map[string][]struct {
			Probability, Score float64
			Best               string
		}
		decode(t, output(t, string(input), python, "-c", classify), &theirs)
		for solver, tolerance := range map[string]float64{"newton-cholesky": 1e-9, "lbfgs": 1e-5} {
			worst := 0.0
			for i, row := range rows {
				their := theirs[solver][i]
				if row[columnAnswer] != their.Best {
					t.Errorf("%s: answer to %s is %s, scikit-learn's %s", solver, row[columnC], row[columnAnswer], their.Best)
				}
				worst = max(worst, math.Abs(number(t, row[columnProbability])-their.Probability), math.Abs(number(t, row[columnScore])-their.Score))
			}
			if worst > tolerance {
				t.Errorf("%s, %d dimensions: probabilities differ by %g", solver, size.dim, worst)
			}
			t.Logf("%s, %d dimensions: probabilities differ by at most %.2g", solver, size.dim, worst)
		}
	}
}

// accuracy is a program that answers questions by the rules of word2vec's compute-accuracy, as they are
// published, in numpy: unit vectors; the words of the vocabulary and of the questions in upper case (a to z);
// questions with a word that is not in the vocabulary are left out; the best word starts at a score of 0 and must
// be larger; a, b and c are not answers. It prints the answer to each question, or null.
const accuracy = `
import sys
import json
import numpy as np
path, questions, restrict = sys.argv[1:]
fold = lambda w: ''.join(c.upper() if 'a' <= c <= 'z' else c for c in w)
words, rows = [], []
with open(path, encoding='utf-8') as f:
    next(f)
    for line in f:
        if restrict != '0' and len(words) == int(restrict):
            break
        word, *numbers = line.split()
        words.append(word)
        rows.append(np.array(numbers, dtype=np.float32))
M = np.array(rows)
M = M / np.sqrt((M * M).sum(axis=1))[:, None]
at = {}
for i, w in enumerate(words):
    at.setdefault(fold(w), i)
out = []
for line in open(questions, encoding='utf-8'):
    if line.startswith(':'):
        continue
    ids = [at.get(fold(w)) for w in line.split()]
    if None in ids:
        out.append(None)
        continue
    a, b, c, d = ids
    scores = M @ (M[b] - M[a] + M[c])
    scores[[a, b, c]] = -1
    best = int(np.argmax(scores))
    out.append(words[best] if scores[best] > 0 else '')
print(json.dumps(out))
`

// Word for word, --answers are those of compute-accuracy.
func TestAnswersAreWord2vecs(t *testing.T) {
	need(t, python, "-c", "import numpy")
	dir := t.TempDir()
	model, _, _ := relationModel(t, dir, rand.New(rand.NewPCG(43, 44)), 600, 20, 150)
	rng := rand.New(rand.NewPCG(45, 46))
	var text strings.Builder
	const asked = 3000
	for i := range asked {
		if i%500 == 0 {
			fmt.Fprintf(&text, ": part%d\n", i)
		}
		a, c := 2*rng.IntN(150), 2*rng.IntN(150)
		format := []string{"w%d w%d w%d w%d\n", "W%d w%d w%d W%d\n"}[rng.IntN(2)]
		if rng.IntN(10) == 0 {
			c += 1000 // nobody
		}
		fmt.Fprintf(&text, format, a, a+1, c, c+1)
	}
	questions := filepath.Join(dir, "questions.txt")
	if err := os.WriteFile(questions, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, restrict := range []string{"0", "250"} {
		file := filepath.Join(dir, "answers.tsv")
		output(t, "", w2v, "eval", "analogy", model, questions, "--fold-vocab", "--restrict", restrict, "--answers", file)
		var theirs []*string
		decode(t, output(t, "", python, "-c", accuracy, model, questions, restrict), &theirs)
		rows := answered(t, file)
		if len(rows) != asked || len(theirs) != asked {
			t.Fatalf("%d answers, compute-accuracy has %d, want %d", len(rows), len(theirs), asked)
		}
		outcomes := map[string]int{}
		for i, row := range rows {
			outcomes[row[columnOutcome]]++
			their := ""
			if theirs[i] != nil {
				their = *theirs[i]
			}
			if missing := row[columnOutcome] == "missing"; missing != (theirs[i] == nil) || row[columnAnswer] != their {
				t.Errorf("restrict %s: %s is to %s as %s is to %q (%s), by compute-accuracy to %q", restrict,
					row[columnA], row[columnB], row[columnC], row[columnAnswer], row[columnOutcome], their)
			}
		}
		if outcomes["right"] == 0 || outcomes["wrong"] == 0 || outcomes["missing"] == 0 {
			t.Errorf("the set tells nothing: %v", outcomes)
		}
		t.Logf("restrict %s: %v", restrict, outcomes)
	}
}
