package eval_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// folderOf writes files into a folder.
func folderOf(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "set")
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		data := []byte(text)
		if strings.HasSuffix(name, ".gz") {
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			_, err := w.Write(data)
			if err := errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			data = packed.Bytes()
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const (
	twoDocuments = `{"_id": "d1", "title": "A title", "text": "the text"}` + "\n\n" + `{"_id": 2, "text": "no \u0074itle", "metadata": {"x": 1}}` + "\n"
	twoQueries   = "\ufeff" + `{"_id": "q1", "text": "one"}` + "\n" + `{"_id": "q2", "title": null, "text": "two"}`
	qrels        = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\t2\t0\nq2\tgone\t1\n"
)

func TestReadRetrieval(t *testing.T) {
	documents := []eval.Document{{ID: "d1", Title: "A title", Text: "the text"}, {ID: "2", Text: "no title"}}
	judged := []eval.Query{{ID: "q1", Text: "one", Grades: map[string]int{"d1": 2, "2": 0}}, {ID: "q2", Text: "two", Grades: map[string]int{"gone": 1}}}
	of := func(more map[string]string) map[string]string {
		more["corpus.jsonl"], more["queries.jsonl"] = twoDocuments, twoQueries
		return more
	}
	for _, test := range []struct {
		name  string
		files map[string]string
		path  string
		want  []string // names of the sets
	}{
		{"BEIR", of(map[string]string{"qrels.tsv": qrels, "README.md": "# x\n"}), "", []string{"set"}},
		{"splits", of(map[string]string{"qrels/train.tsv": qrels, "qrels/test.tsv": qrels, "qrels/.hidden.tsv": "x"}), "", []string{"set/test", "set/train"}},
		{"a split", of(map[string]string{"qrels/train.tsv": "bad", "qrels/test.tsv": qrels}), "qrels/test.tsv", []string{"set/test"}},
		{"a file of judgements", of(map[string]string{"qrels.dev.tsv": qrels, "qrels.tsv": "bad"}), "qrels.dev.tsv", []string{"set"}},
		{"trec_eval", of(map[string]string{"qrels.txt": "q1 0 d1 2\nq1 0 2 0\n\nq2  0 gone 1\r\n"}), "", []string{"set"}},
		{"compressed", map[string]string{"corpus.jsonl.gz": twoDocuments, "queries.jsonl.gz": twoQueries, "qrels/test.tsv.gz": qrels}, "", []string{"set/test"}},
		{"beside other sets", map[string]string{"b/corpus.jsonl": twoDocuments, "b/queries.jsonl": twoQueries, "b/qrels.tsv": qrels, "sim.tsv": "cat\tdog\t5\nsun\tmoon\t3\n"}, "", []string{"b", "sim"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			sets, _, err := eval.ReadSets([]string{filepath.Join(folderOf(t, test.files), test.path)}, eval.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, s := range sets {
				names = append(names, s.Set.Name)
				if s.Set.Task == eval.TaskSimilarity {
					continue
				}
				if s.Set.Task != eval.TaskRetrieval || !slices.Equal(s.Set.Documents, documents) || fmt.Sprint(s.Set.Queries) != fmt.Sprint(judged) {
					t.Errorf("%+v", s.Set)
				}
				if len(s.Files) != 3 || s.Files[0].Bytes != int64(len(twoDocuments)) || len(s.Source().SHA256) != 64 {
					t.Errorf("%+v", s.Files)
				}
			}
			if !slices.Equal(names, test.want) {
				t.Errorf("sets %q, want %q", names, test.want)
			}
		})
	}
}

func TestReadRetrievalErrors(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"no queries", "queries.jsonl", "", `queries.jsonl: the file is empty: want lines of {"_id": "…", "text": "…"}`},
		{"no JSON", "corpus.jsonl", "{\n", `corpus.jsonl:1: want {"_id": "…", "text": "…"}: unexpected EOF`},
		{"no _id", "corpus.jsonl", twoDocuments + `{"text": "x"}`, `corpus.jsonl:4: want {"_id": "…", "text": "…"}, not "{\"text\": \"x\"}"`},
		{"no text", "queries.jsonl", `{"_id": "a"}`, `queries.jsonl:1: want {"_id": "…", "text": "…"}, not "{\"_id\": \"a\"}"`},
		{"an _id twice", "corpus.jsonl", twoDocuments + `{"_id": "2", "text": "x"}`, `corpus.jsonl:4: the _id "2" is that of line 3 too`},
		{"no judgements", "qrels.tsv", "query-id\tcorpus-id\tscore\n", "qrels.tsv: there are no judgements: want lines of a query, a document and a grade"},
		{"two columns", "qrels.tsv", "q1\td1\n", `qrels.tsv:1: want a query, a document and a grade, not "q1\td1"`},
		{"a fraction", "qrels.tsv", qrels + "q1\td2\t0.5\n", `qrels.tsv:5: want a whole number as grade, not "0.5"`},
		{"no number", "qrels.tsv", qrels + "q1\td2\tyes\n", `qrels.tsv:5: want a whole number as grade, not "yes"`},
		{"an unknown query", "qrels.tsv", "q1\td1\t1\nq9\td1\t1\n", `qrels.tsv:2: the query "q9" is not in queries.jsonl`},
		{"two grades", "qrels.tsv", "q1\td1\t1\nq1\td1\t2\n", `qrels.tsv:2: document "d1" of query "q1" has the grade 1 too`},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"corpus.jsonl": twoDocuments, "queries.jsonl": twoQueries, "qrels.tsv": qrels}
			files[test.file] = test.text
			folder := folderOf(t, files)
			_, _, err := eval.ReadSets([]string{folder}, eval.ReadOptions{})
			if err == nil || err.Error() != filepath.Join(folder, test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
			if _, ok := errors.AsType[*eval.ParseError](err); !ok {
				t.Errorf("%T", err)
			}
		})
	}
	const layout = "a retrieval set is a folder with corpus.jsonl, queries.jsonl, and qrels.tsv or qrels/*.tsv, as in BEIR"
	folder := folderOf(t, map[string]string{"corpus.jsonl": twoDocuments, "queries.jsonl": twoQueries})
	for path, want := range map[string]string{
		folder:                                folder + ": the folder has corpus.jsonl and no judgements: " + layout,
		filepath.Join(folder, "corpus.jsonl"): filepath.Join(folder, "corpus.jsonl: ") + layout,
		folderOf(t, map[string]string{"corpus.jsonl": twoDocuments}): "the folder has corpus.jsonl and no queries.jsonl: " + layout,
	} {
		if _, _, err := eval.ReadSets([]string{path}, eval.ReadOptions{}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := eval.ReadSet(strings.NewReader("x\n"), "x.txt", eval.TaskRetrieval); err == nil || err.Error() != "x.txt: "+layout {
		t.Errorf("a file: %v", err)
	}
}

// retrievalSet is random texts of few words, of which some have no vector, with random grades.
func retrievalSet(seed uint64, documents, queries int) (*vectors.Set, eval.Set) {
	g := rand.New(rand.NewPCG(seed, 1))
	var words []string
	var rows [][]float32
	counts := make([]uint64, 60)
	for i := range counts {
		words, counts[i] = append(words, fmt.Sprintf("w%d", i)), uint64(2000/(i+1))
		rows = append(rows, []float32{float32(g.NormFloat64()), float32(g.NormFloat64()), float32(g.NormFloat64())})
	}
	text := func(n int) string {
		var all []string
		for range n {
			all = append(all, fmt.Sprintf("w%d", int(70*g.Float64()*g.Float64())))
		}
		return strings.Join(all, " ")
	}
	set := eval.Set{Name: "random", Task: eval.TaskRetrieval}
	for i := range documents {
		d := eval.Document{ID: fmt.Sprintf("d%d", i), Text: text(g.IntN(30))}
		if i%3 == 0 {
			d.Title = "W7 " + text(3)
		}
		set.Documents = append(set.Documents, d)
	}
	for i := range queries {
		q := eval.Query{ID: fmt.Sprintf("q%d", i), Text: text(1 + g.IntN(6)), Grades: map[string]int{"absent": i % 2}}
		if i%20 == 7 {
			q.Text = "w65 w66"
		}
		for range g.IntN(12) {
			q.Grades[fmt.Sprintf("d%d", g.IntN(documents))] = g.IntN(4) - 1
		}
		set.Queries = append(set.Queries, q)
	}
	of := wordSet(words, rows...)
	s, err := vectors.New(vectors.Parts{Words: of.Words(), Counts: counts, Input: of.Input()})
	if err != nil {
		panic(err)
	}
	return s, set
}

// A found is a document and its score.
type found struct {
	id    string
	score float64
}

func sorted(all []found) []found {
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	return all[:min(1000, len(all))]
}

// plainMetrics computes what trec_eval computes, by its definitions.
func plainMetrics(q eval.Query, run []found) map[string]float64 {
	relevant, dcg, ideal := 0.0, 0.0, 0.0
	var grades []int
	for _, grade := range q.Grades {
		if grade > 0 {
			relevant++
			grades = append(grades, grade)
		}
	}
	slices.Sort(grades)
	slices.Reverse(grades)
	for i, grade := range grades {
		if i < 10 {
			ideal += float64(grade) / math.Log2(float64(i)+2)
		}
	}
	precision, hits, first, in10, in100 := 0.0, 0.0, 0.0, 0.0, 0.0
	for i, f := range run {
		grade := float64(q.Grades[f.id])
		if grade <= 0 {
			continue
		}
		hits++
		precision += hits / float64(i+1)
		if i < 10 {
			dcg += grade / math.Log2(float64(i)+2)
			in10++
			if first == 0 {
				first = 1 / float64(i+1)
			}
		}
		if i < 100 {
			in100++
		}
	}
	return map[string]float64{"ndcg@10": dcg / ideal, "map": precision / relevant, "mrr@10": first, "recall@10": in10 / relevant, "recall@100": in100 / relevant}
}

func whole(d eval.Document) string { return strings.TrimSpace(d.Title + " " + d.Text) }

func cosines(t *testing.T, s *vectors.Set, set eval.Set, q eval.Query, m pooling.Method) (all []found, known bool) {
	t.Helper()
	p, err := pooling.New(s, pooling.Options{Method: m})
	if err != nil {
		t.Fatal(err)
	}
	vector := func(text string) (v []float32, used int) {
		v = make([]float32, s.Dim())
		var tokens []vectors.Token
		for _, word := range strings.Fields(strings.ToLower(text)) {
			tokens = append(tokens, s.Token(word))
		}
		return v, p.Text(v, tokens)
	}
	a, used := vector(q.Text)
	for _, d := range set.Documents {
		if b, n := vector(whole(d)); n > 0 {
			all = append(all, found{d.ID, vectors.Cosine(a, b)})
		}
	}
	return sorted(all), used > 0
}

func plainBM25(set eval.Set, q eval.Query, k1, b float64) (all []found) {
	n := float64(len(set.Documents))
	words := func(d eval.Document) []string { return strings.Fields(strings.ToLower(whole(d))) }
	mean := 0.0
	for _, d := range set.Documents {
		mean += float64(len(words(d))) / n
	}
	for _, d := range set.Documents {
		f := found{id: d.ID}
		for _, word := range strings.Fields(q.Text) {
			df, tf := 0.0, 0.0
			for _, other := range set.Documents {
				if slices.Contains(words(other), word) {
					df++
				}
			}
			for _, w := range words(d) {
				if w == word {
					tf++
				}
			}
			f.score += math.Log(1+(n-df+0.5)/(df+0.5)) * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(len(words(d)))/mean))
		}
		if f.score > 0 {
			all = append(all, f)
		}
	}
	return sorted(all)
}

func plainHybrid(set eval.Set, dense, lexical []found, weight float64) (all []found) {
	standard := func(run []found, n int) map[string]float64 {
		mean, variance := 0.0, 0.0
		for _, f := range run {
			mean += f.score / float64(n)
		}
		for i := range n {
			x := 0.0
			if i < len(run) {
				x = run[i].score
			}
			variance += (x - mean) * (x - mean) / float64(n)
		}
		scores := make(map[string]float64)
		for _, f := range run {
			scores[f.id] = f.score / math.Sqrt(variance)
		}
		return scores
	}
	a, b := standard(dense, len(dense)), standard(lexical, len(set.Documents))
	for _, d := range set.Documents {
		_, inA := a[d.ID]
		if _, inB := b[d.ID]; inA || inB {
			all = append(all, found{d.ID, weight*a[d.ID] + (1-weight)*b[d.ID]})
		}
	}
	return sorted(all)
}

// Scores are those of plain formulas over all documents.
func TestRetrieval(t *testing.T) {
	s, set := retrievalSet(3, 90, 70)
	opt := eval.Options{With: eval.WithBM25, BM25: eval.BM25{K1: 0.9, B: 0.4}, HybridWeight: 0.6, SentenceMethod: "mean", Resamples: 200}
	got, err := eval.Evaluate(t.Context(), s, set, opt)
	if err != nil {
		t.Fatal(err)
	}
	r := got.Details.(eval.RetrievalResult)
	sums := make(map[string]map[string]float64)
	used, irrelevant, absent := 0, 0, 0
	for _, q := range set.Queries {
		relevant := false
		for _, grade := range q.Grades {
			relevant = relevant || grade > 0
		}
		if !relevant {
			irrelevant++
			continue
		}
		absent += q.Grades["absent"]
		runs := make(map[string][]found)
		known := true
		for _, m := range []pooling.Method{pooling.Mean, pooling.Weighted, pooling.SIF} {
			runs[string(m)], known = cosines(t, s, set, q, m)
		}
		if !known {
			continue
		}
		used++
		runs["bm25"] = plainBM25(set, q, 0.9, 0.4)
		runs["hybrid"] = plainHybrid(set, runs["mean"], runs["bm25"], 0.6)
		for name, run := range runs {
			if sums[name] == nil {
				sums[name] = make(map[string]float64)
			}
			for metric, x := range plainMetrics(q, run) {
				sums[name][metric] += x
			}
		}
	}
	if len(got.Summary.Parts) != 25 {
		t.Errorf("%d parts", len(got.Summary.Parts))
	}
	for _, p := range got.Summary.Parts {
		if want := sums[p.Name][p.Metric] / float64(used); math.Abs(float64(p.Score)-want) > 1e-12 || !p.Interval.Known || p.Interval.Excludes(want) {
			t.Errorf("%s %s: %v, want %v", p.Name, p.Metric, p.Score, want)
		}
	}
	if used == 0 || irrelevant == 0 || absent == 0 || r.Used != used || r.Irrelevant != irrelevant || r.Absent != absent || r.OOV == 0 || r.Used+r.OOV != r.Queries || r.Unknown == 0 {
		t.Errorf("%d used, %+v", used, r)
	}
	if r.With != "bm25" || r.NDCG10 != r.Hybrid.NDCG10 || got.Summary.Score != r.Hybrid.NDCG10.Score || r.Recall100.Score != got.Summary.Parts[24].Score {
		t.Errorf("%+v", r)
	}
	for _, notes := range []string{"no relevant document", "not in the corpus", "vectors cannot find"} {
		if !slices.ContainsFunc(got.Summary.Notes, func(note string) bool { return strings.Contains(note, notes) }) {
			t.Errorf("no note %q: %q", notes, got.Summary.Notes)
		}
	}
	alone, err := eval.Evaluate(t.Context(), s, set, eval.Options{Resamples: -1})
	if err != nil {
		t.Fatal(err)
	}
	if r := alone.Details.(eval.RetrievalResult); r.Method != "weighted" || r.NDCG10 != r.Weighted.NDCG10 || r.BM25.MAP.Score == float64OfPart(got, "bm25", "map") {
		t.Errorf("%+v", r)
	}
}

func float64OfPart(r eval.Result, name, metric string) eval.Score {
	i := slices.IndexFunc(r.Summary.Parts, func(p eval.Part) bool { return p.Name == name && p.Metric == metric })
	return r.Summary.Parts[i].Score
}

// More documents than are ranked or in memory at a time, with equal scores.
func TestRetrievalOfManyDocuments(t *testing.T) {
	s, set := retrievalSet(5, 9000, 3)
	for i := range set.Documents {
		set.Documents[i].Title, set.Documents[i].Text = "", fmt.Sprintf("w%d w%d", i%7, i%5)
	}
	for i := range set.Queries {
		set.Queries[i] = eval.Query{ID: fmt.Sprint(i), Text: fmt.Sprintf("w%d w%d", i, i+1), Grades: map[string]int{}}
		for k := range 900 {
			set.Queries[i].Grades[fmt.Sprintf("d%d", k*10+i)] = 1
		}
	}
	got, err := eval.Evaluate(t.Context(), s, set, eval.Options{Resamples: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []pooling.Method{pooling.Mean, pooling.Weighted, pooling.SIF} {
		want := make(map[string]float64)
		for _, q := range set.Queries {
			run, _ := cosines(t, s, set, q, m)
			for i := range run {
				run[i].score = float64(float32(run[i].score)) // equal vectors have equal scores
			}
			for metric, x := range plainMetrics(q, sorted(run)) {
				want[metric] += x / 3
			}
		}
		for metric, x := range want {
			if got := float64OfPart(got, string(m), metric); math.Abs(float64(got)-x) > 1e-12 {
				t.Errorf("%s %s: %v, want %v", m, metric, got, x)
			}
		}
	}
}

func TestRetrievalOptions(t *testing.T) {
	s, set := retrievalSet(3, 40, 30)
	for want, opt := range map[string]eval.Options{
		`eval: sif-set is for pairs of sentences, and retrieval takes ["mean" "weighted" "sif" "dbow"]`: {SentenceMethod: eval.SentenceSIFSet},
		`eval: documents are found with "tfidf", want "none" or "bm25"`:                                 {With: "tfidf"},
		"eval: the weight of vectors in a hybrid is 2, must be up to 1, or 0 for that of the vectors":   {HybridWeight: 2},
		"eval: k1 and b of BM25 are 1.2 and 1.5, must be numbers, and b up to 1":                        {BM25: eval.BM25{B: 1.5}},
		"eval: k1 and b of BM25 are NaN and 0.75, must be numbers, and b up to 1":                       {BM25: eval.BM25{K1: math.NaN()}},
		`eval: unknown sentence method "max", want one of ["mean" "weighted" "sif" "dbow" "sif-set"]`:   {SentenceMethod: "max"},
	} {
		if _, err := eval.Evaluate(t.Context(), s, set, opt); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := eval.Evaluate(ended, s, set, eval.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	broken := errors.New("broken")
	if _, err := eval.Evaluate(t.Context(), s, set, eval.Options{Tokens: func(text string) ([]string, error) {
		if text == set.Documents[20].Title+" "+set.Documents[20].Text || text == set.Documents[20].Text {
			return nil, broken
		}
		return strings.Fields(text), nil
	}}); !errors.Is(err, broken) || !strings.Contains(err.Error(), "document d20: ") {
		t.Errorf("a text that cannot be cut: %v", err)
	}
	// Words beyond the most frequent do not count; FoldVocab finds words in another case.
	few, err := details[eval.RetrievalResult](t.Context(), s, set, eval.Options{Restrict: 5, Resamples: -1})
	if err != nil || few.OOV == 0 || !slices.Contains(few.Missing, "w9") {
		t.Errorf("%+v, %v", few, err)
	}
	upper := set
	upper.Queries = slices.Clone(set.Queries)
	for i := range upper.Queries {
		upper.Queries[i].Text = strings.ToUpper(upper.Queries[i].Text)
	}
	want, err := details[eval.RetrievalResult](t.Context(), s, set, eval.Options{Resamples: -1})
	folded, err2 := details[eval.RetrievalResult](t.Context(), s, upper, eval.Options{FoldVocab: true, Resamples: -1})
	if err != nil || err2 != nil || folded.RetrievalScores != want.RetrievalScores || folded.BM25 != want.BM25 {
		t.Errorf("%+v, want %+v, %v %v", folded, want, err, err2)
	}
}

// Queries are independent: words that they share say nothing.
func TestCompareRetrieval(t *testing.T) {
	s, set := retrievalSet(3, 60, 80)
	other, _ := retrievalSet(4, 60, 80)
	var models []eval.Measured
	for _, m := range []*vectors.Set{s, other} {
		r, err := eval.Measure(t.Context(), m, eval.SetFile{Set: set}, eval.Options{Resamples: 100})
		if err != nil {
			t.Fatal(err)
		}
		if r.Conventions.Zero == nil || math.Abs(float64(r.Conventions.Zero.Score)-float64(r.Score)*float64(r.Used)/float64(r.Items)) > 1e-12 {
			t.Errorf("%+v", r.Conventions)
		}
		models = append(models, eval.Measured{Name: "m", Records: []eval.Record{r}})
	}
	all, err := eval.Compare(models, eval.CompareOptions{Resamples: 1000})
	if err != nil || len(all) != 1 || !all[0].PValue.Defined() || !all[0].Interval.Known {
		t.Fatalf("%+v, %v", all, err)
	}
	c := all[0]
	if c.Items == 0 || math.Abs(float64(c.Difference-(c.ScoreB-c.ScoreA))) > 1e-12 {
		t.Errorf("%+v", c)
	}
}

func FuzzReadRetrieval(f *testing.F) {
	f.Add(twoDocuments, twoQueries, qrels)
	f.Add(`{"_id": [], "text": ""}`, `{"_id": 1e999, "text": "\ud800"}`, "a b c d\n")
	f.Fuzz(func(t *testing.T, corpus, queries, judgements string) {
		sets, _, err := eval.ReadSets([]string{folderOf(t, map[string]string{"corpus.jsonl": corpus, "queries.jsonl": queries, "qrels.tsv": judgements})}, eval.ReadOptions{})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		s := wordSet([]string{"one", "text"}, []float32{1, 0}, []float32{0, 1})
		if _, err := eval.Evaluate(t.Context(), s, sets[0].Set, eval.Options{Resamples: 10}); err != nil {
			t.Error(err)
		}
	})
}
