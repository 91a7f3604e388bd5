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

// retrieveInPython ranks documents by the vectors of texts that the program has printed, and by BM25, and computes what
// trec_eval computes. Arguments: the folder of the set, and the vectors of its documents and then of its queries.
const retrieveInPython = `
import collections, json, math, re, sys
folder = sys.argv[1]
docs, queries = ([json.loads(line) for line in open(f'{folder}/{name}.jsonl', encoding='utf-8')] for name in ('corpus', 'queries'))
vectors = [json.loads(line)['vector'] for line in open(sys.argv[2])]
qrels = collections.defaultdict(dict)
for line in list(open(f'{folder}/qrels.tsv'))[1:]:
    q, d, grade = line.split()
    qrels[q][d] = int(grade)
words = [re.findall(r'\w+', (d.get('title', '') + ' ' + d['text']).lower()) for d in docs]
df = collections.Counter(w for text in words for w in set(text))
mean = sum(map(len, words)) / len(words)

def bm25(query):
    scores = {}
    for i, text in enumerate(words):
        count = collections.Counter(text)
        x = sum(math.log(1 + (len(docs) - df[w] + 0.5) / (df[w] + 0.5)) * count[w] * 2.2 / (count[w] + 1.2 * (0.25 + 0.75 * len(text) / mean))
                for w in re.findall(r'\w+', query['text'].lower()) if count[w])
        if x:
            scores[i] = x
    return scores

def cosine(a, b):
    return sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))

def dense(query):
    v = vectors[len(docs) + queries.index(query)]
    return {i: cosine(v, vectors[i]) for i in range(len(docs)) if vectors[i]}

def measure(way):
    sums = collections.Counter()
    n = 0
    for query in queries:
        grades = qrels[query['_id']]
        ideal = sorted((g for g in grades.values() if g > 0), reverse=True)
        if not ideal:
            continue
        n += 1
        scores = way(query)
        run = [grades.get(docs[i]['_id'], 0) for i in sorted(scores, key=lambda i: (-scores[i], i))]
        dcg = lambda of: sum(max(0, g) / math.log2(i + 2) for i, g in enumerate(of[:10]))
        hits = [i for i, g in enumerate(run) if g > 0]
        sums['ndcg_10'] += dcg(run) / dcg(ideal)
        sums['map'] += sum((k + 1) / (i + 1) for k, i in enumerate(hits)) / len(ideal)
        sums['mrr_10'] += 1 / (hits[0] + 1) if hits and hits[0] < 10 else 0
        for k in (10, 100):
            sums[f'recall_{k}'] += sum(i < k for i in hits) / len(ideal)
    return {name: x / n for name, x in sums.items()}

print(json.dumps({'mean': measure(dense), 'bm25': measure(bm25)}))
`

// Scores of retrieval are those of a Python program, from the vectors that w2v sentence prints.
func TestPythonRetrievesTheSame(t *testing.T) {
	need(t, python, "-c", "")
	rng := rand.New(rand.NewPCG(39, 1))
	folder := t.TempDir()
	var model, corpus, queries, qrels, texts strings.Builder
	fmt.Fprintln(&model, "80 12")
	for i := range 80 {
		fmt.Fprintf(&model, "w%d", i)
		for range 12 {
			fmt.Fprintf(&model, " %v", float32(rng.NormFloat64()))
		}
		fmt.Fprintln(&model)
	}
	text := func(n int) string {
		var words []string
		for range n {
			words = append(words, fmt.Sprintf("w%d", int(80*rng.Float64()*rng.Float64())))
		}
		return strings.Join(words, " ")
	}
	add := func(to *strings.Builder, id, title, text string) {
		fmt.Fprintf(to, "{\"_id\": %q, \"title\": %q, \"text\": %q}\n", id, title, text)
		fmt.Fprintln(&texts, strings.TrimSpace(title+" "+text))
	}
	for i := range 300 {
		add(&corpus, fmt.Sprint("d", i), text(rng.IntN(3)), text(3+rng.IntN(40)))
	}
	fmt.Fprintln(&qrels, "query-id\tcorpus-id\tscore")
	for i := range 60 {
		add(&queries, fmt.Sprint("q", i), "", text(1+rng.IntN(8)))
		for _, d := range rng.Perm(300)[:1+rng.IntN(30)] {
			fmt.Fprintf(&qrels, "q%d\td%d\t%d\n", i, d, rng.IntN(4))
		}
	}
	vectors := filepath.Join(folder, "vectors.jsonl")
	for name, of := range map[string]*strings.Builder{"m.vec": &model, "corpus.jsonl": &corpus, "queries.jsonl": &queries, "qrels.tsv": &qrels} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(of.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m := filepath.Join(folder, "m.vec")
	if err := os.WriteFile(vectors, []byte(output(t, texts.String(), w2v, "sentence", m, "--pooling", "mean", "--json")), 0o666); err != nil {
		t.Fatal(err)
	}
	var theirs map[string]map[string]float64
	decode(t, output(t, "", python, "-c", retrieveInPython, folder, vectors), &theirs)
	var ours struct {
		Used       int
		Mean, BM25 map[string]struct{ Score float64 }
	}
	decode(t, output(t, "", w2v, "eval", "retrieval", m, folder, "--json"), &ours)
	if ours.Used < 50 {
		t.Errorf("%d queries", ours.Used)
	}
	for way, scores := range map[string]map[string]struct{ Score float64 }{"mean": ours.Mean, "bm25": ours.BM25} {
		if len(theirs[way]) != 5 || len(scores) != 5 {
			t.Errorf("%s: %v, Python has %v", way, scores, theirs[way])
		}
		for metric, x := range theirs[way] {
			if got := scores[metric].Score; !(math.Abs(got-x) < 1e-9) {
				t.Errorf("%s %s: %v, Python has %v", way, metric, got, x)
			}
		}
	}
}
