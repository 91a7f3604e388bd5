package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// A Document is a text that queries may find: its title, if it has one, a blank and its text.
type Document struct {
	ID, Title, Text string
}

func (d Document) whole() string {
	if d.Title == "" {
		return d.Text
	}
	return d.Title + " " + d.Text
}

// A Query is a text, and how relevant documents are for it.
type Query struct {
	ID, Text string
	// Grades are those of the judged documents, by ID. A document with a grade above 0 is relevant.
	Grades map[string]int
}

// What finds documents together with vectors: see Options.With.
const (
	WithNone = "none"
	WithBM25 = "bm25"
)

func checkRetrieval(o *Options) error {
	if o.SentenceMethod == SentenceSIFSet {
		return fmt.Errorf("eval: %s is for pairs of sentences, and retrieval takes %q", SentenceSIFSet, pooling.Methods())
	}
	if o.With = cmp.Or(o.With, WithNone); o.With != WithNone && o.With != WithBM25 {
		return fmt.Errorf("eval: documents are found with %q, want %q or %q", o.With, WithNone, WithBM25)
	}
	if !(o.HybridWeight >= 0 && o.HybridWeight <= 1) {
		return fmt.Errorf("eval: the weight of vectors in a hybrid is %v, must be up to 1, or 0 for that of the vectors", o.HybridWeight)
	}
	if o.BM25 = o.BM25.complete(); !(o.BM25.B <= 1 && o.BM25.K1 <= math.MaxFloat32) {
		return fmt.Errorf("eval: k1 and b of BM25 are %v and %v, must be numbers, and b up to 1", o.BM25.K1, o.BM25.B)
	}
	return checkSentences(o)
}

func retrievalSettings(o Options) any {
	all := sentenceSettings(o).(options)
	all["bm25_k1"], all["bm25_b"], all["hybrid_weight"], all["with"] = o.BM25.K1, o.BM25.B, o.HybridWeight, o.With
	if o.HybridWeight == 0 {
		all["hybrid_weight"] = "of the vectors"
	}
	return all
}

// A RetrievalScore is the mean of a metric over the used queries.
type RetrievalScore struct {
	Score Score    `json:"score"`
	CI95  Interval `json:"ci95,omitzero"`
}

// RetrievalScores are those of one way to find documents. docs/evaluation.md has the formulas.
type RetrievalScores struct {
	NDCG10    RetrievalScore `json:"ndcg_10"`
	MAP       RetrievalScore `json:"map"`
	MRR10     RetrievalScore `json:"mrr_10"`
	Recall10  RetrievalScore `json:"recall_10"`
	Recall100 RetrievalScore `json:"recall_100"`
}

func (s *RetrievalScores) fields() []*RetrievalScore {
	return []*RetrievalScore{&s.NDCG10, &s.MAP, &s.MRR10, &s.Recall10, &s.Recall100}
}

// A RetrievalResult says how well the cosines of queries and documents find the relevant documents. Used + OOV = Queries.
type RetrievalResult struct {
	Set       string `json:"set"`
	Documents int    `json:"documents"`
	Queries   int    `json:"queries"` // with a relevant document
	Used      int    `json:"used"`    // queries with a known word
	OOV       int    `json:"oov"`     // queries excluded from all scores
	// Unknown is the number of documents without a known word, which vectors cannot find.
	Unknown int `json:"unknown_documents"`
	// Irrelevant counts queries without a relevant document, which are no items of the set. Absent counts relevant documents
	// that are not in the set, which nothing can find.
	Irrelevant int `json:"queries_without_relevant"`
	Absent     int `json:"absent_documents"`

	Method SentenceMethod `json:"method"` // of the vectors that find documents
	With   string         `json:"with"`   // "bm25" if the score is that of Hybrid, else "none"
	RetrievalScores

	// Scores of vectors by each method (of DBOW only if it is Method), of BM25, and of BM25 with the vectors by Method.
	Mean     RetrievalScores `json:"mean"`
	Weighted RetrievalScores `json:"weighted"`
	SIF      RetrievalScores `json:"sif"`
	DBOW     RetrievalScores `json:"dbow,omitzero"`
	BM25     RetrievalScores `json:"bm25"`
	Hybrid   RetrievalScores `json:"hybrid"`

	HybridWeight float64 `json:"hybrid_weight"` // of vectors in Hybrid

	Smoothing     float64 `json:"smoothing"`
	Probabilities string  `json:"probabilities"`
	LookedUp              // words of queries
}

// scoreRetrieval ranks all documents for each query with a relevant one. A query is left out if no word of it has a vector.
func scoreRetrieval(ctx context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	if opt.HybridWeight == 0 {
		opt.HybridWeight = DefaultHybridWeight
		if words.set.Training().Text("pooling") != "" {
			opt.HybridWeight = TextHybridWeight
		}
	}
	f, err := newTextFinder(words)
	if err != nil {
		return Result{}, err
	}
	r := RetrievalResult{
		Set: set.Name, Documents: len(set.Documents), With: opt.With, HybridWeight: opt.HybridWeight,
		Method: cmp.Or(opt.SentenceMethod, SentenceMethod(f.own.Method())), Smoothing: f.own.Smoothing(), Probabilities: f.own.Probabilities(),
	}
	number := make(map[string]int32, len(set.Documents))
	for i, d := range set.Documents {
		number[d.ID] = int32(i)
	}
	var used []Query
	var judgements []judged
	var items []Item
	for _, q := range set.Queries {
		j := judged{grades: make(map[int32]int)}
		absent := 0
		for id, grade := range q.Grades {
			if grade <= 0 {
				continue
			}
			j.ideal = append(j.ideal, grade)
			if i, ok := number[id]; ok {
				j.grades[i] = grade
			} else {
				absent++
			}
		}
		if len(j.ideal) == 0 {
			r.Irrelevant++
			continue
		}
		slices.SortFunc(j.ideal, func(a, b int) int { return b - a })
		r.Queries++
		r.Absent += absent
		item, composed, err := f.item(q)
		if err != nil {
			return Result{}, fmt.Errorf("query %s: %w", q.ID, err)
		}
		if len(item.Words) == 0 {
			r.OOV++
			continue
		}
		if composed {
			f.composed++
		}
		used, judgements, items = append(used, q), append(judgements, j), append(items, item)
	}
	r.Used, r.LookedUp = len(used), words.lookedUp()
	index, err := newSparse(ctx, opt.BM25, set.Documents, used)
	if err != nil {
		return Result{}, err
	}
	dense, err := f.find(ctx, set.Documents, used)
	if err != nil {
		return Result{}, err
	}
	r.Unknown = int(f.unknown.Load())
	ways := r.ways(opt)
	at := slices.IndexFunc(f.poolers, func(p *pooling.Pooler) bool { return SentenceMethod(p.Method()) == r.Method })
	err = inParts(ctx, len(used), func(first, end int) error {
		for q := first; q < end; q++ {
			lexical := index.find(used[q].Text)
			rankings := wording.Map(dense, func(of []top) ranking { return of[q].of(len(set.Documents) - r.Unknown) })
			for k, w := range ways {
				found := lexical.hits
				switch {
				case k < len(dense):
					found = rankings[k].hits
				case w.hybrid:
					found = fused(rankings[at], lexical, opt.HybridWeight)
				}
				for m, metric := range retrievalMetrics {
					w.values[m][q] = metric.of(&judgements[q], found)
				}
			}
		}
		return nil
	})
	return r.score(ways, items, f.composed, opt), err
}

// A way is one way to find documents.
type way struct {
	name   string
	to     *RetrievalScores
	hybrid bool
	scored bool        // gives the score of the result
	values [][]float64 // of each metric and query
}

func (r *RetrievalResult) ways(opt Options) []way {
	all := []way{
		{name: string(pooling.Mean), to: &r.Mean}, {name: string(pooling.Weighted), to: &r.Weighted}, {name: string(pooling.SIF), to: &r.SIF},
	}
	if r.Method == SentenceMethod(pooling.DBOW) {
		all = append(all, way{name: string(r.Method), to: &r.DBOW})
	}
	all = append(all, way{name: "bm25", to: &r.BM25}, way{name: "hybrid", to: &r.Hybrid, hybrid: true})
	for i := range all {
		w := &all[i]
		w.scored = w.name == string(r.Method) && opt.With == WithNone || w.hybrid && opt.With == WithBM25
		for range retrievalMetrics {
			w.values = append(w.values, make([]float64, r.Used))
		}
	}
	return all
}

func (r *RetrievalResult) score(ways []way, items []Item, composed int, opt Options) Result {
	sum := Summary{Metric: retrievalMetrics[0].name, Items: r.Queries, Used: r.Used, Composed: composed, Missing: r.Missing, Notes: r.notes()}
	result := Result{}
	for _, w := range ways {
		for m, metric := range retrievalMetrics {
			sample := meanSample(items, w.values[m])
			s := w.to.fields()[m]
			s.Score, s.CI95 = sample.once(), bootstrap(sample, opt)
			if w.scored && m == 0 {
				result.Sample, sum.Score, sum.Interval = sample, s.Score, s.CI95
				result.zero = new(Score(share(float64(s.Score), r.Used, r.Queries)))
			}
			sum.Parts = append(sum.Parts, Part{Name: w.name, Metric: metric.name, Score: s.Score, Interval: s.CI95, Items: r.Queries, Used: r.Used})
		}
		if w.scored {
			r.RetrievalScores = *w.to
		}
	}
	result.Summary, result.Details = sum, *r
	return result
}

func (r RetrievalResult) notes() (notes []string) {
	add := func(n int, one, many string) {
		if n > 0 {
			notes = append(notes, wording.Count(n, one, many))
		}
	}
	add(r.Irrelevant, "query has no relevant document and is left out", "queries have no relevant document and are left out")
	add(r.Absent, "relevant document is not in the corpus and counts as not found", "relevant documents are not in the corpus and count as not found")
	add(r.Unknown, "document has no word with a vector, so that vectors cannot find it", "documents have no word with a vector, so that vectors cannot find them")
	if r.Probabilities == "zipf" {
		notes = append(notes, zipfNote)
	}
	return notes
}

// A textFinder finds texts by the cosines of their vectors.
type textFinder struct {
	*lookup
	own      *pooling.Pooler
	poolers  []*pooling.Pooler // of each method
	folding  sync.Mutex        // folded is for one goroutine
	composed int               // queries with a composed word
	unknown  atomic.Int64      // documents
}

func newTextFinder(words *lookup) (f *textFinder, err error) {
	f = &textFinder{lookup: words}
	if words.tokens, err = words.set.Lookup(words.opt.Case); err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	if f.own, err = pooling.New(words.set, pooling.Options{Smoothing: words.opt.Smoothing}); err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	f.poolers, err = words.poolers(f.own)
	return f, err
}

// item returns a query as an item, whose words are those with vectors.
func (f *textFinder) item(q Query) (item Item, composed bool, err error) {
	item = Item{Key: q.ID, Independent: true}
	tokens, err := f.opt.Tokens(q.Text)
	for _, token := range tokens {
		if e, ok := f.use(token); ok {
			item.Words = append(item.Words, token)
			composed = composed || e.composed()
		}
	}
	return item, composed, err
}

// cut returns the tokens of a text, looked up. Words beyond Options.Restrict are left out.
func (f *textFinder) cut(text string) (found []vectors.Token, err error) {
	tokens, err := f.opt.Tokens(text)
	if f.folded != nil {
		f.folding.Lock()
		defer f.folding.Unlock()
	}
	for _, token := range tokens {
		spelling, id := f.foundAs(token)
		if n := f.opt.Restrict; n == 0 || id < n {
			found = append(found, vectors.Token{Word: spelling, ID: id})
		}
	}
	return found, err
}

// pool makes row i of each matrix the vector of a text, of length 1, by each method. A text without a vector has zeros.
func (f *textFinder) pool(to []vectors.Matrix, i int, text string) (known bool, err error) {
	tokens, err := f.cut(text)
	for m, p := range f.poolers {
		row := to[m].Row(i)
		if p.Text(row, tokens) > 0 && vectors.Unit(row, row) {
			known = true
		} else {
			clear(row)
		}
	}
	return known, err
}

func (f *textFinder) matrices(rows int) []vectors.Matrix {
	return wording.Map(f.poolers, func(*pooling.Pooler) vectors.Matrix { return vectors.NewMatrix(rows, f.set.Dim()) })
}

const (
	documentBlock = 1 << 13 // documents whose vectors are in memory
	queryBlock    = 16
)

// find returns the best documents for each method and query. It keeps the vectors of some documents at a time.
func (f *textFinder) find(ctx context.Context, documents []Document, queries []Query) ([][]top, error) {
	best := make([][]top, len(f.poolers))
	for m := range best {
		best[m] = make([]top, len(queries))
	}
	asked, block := f.matrices(len(queries)), f.matrices(min(documentBlock, len(documents)))
	err := inParts(ctx, len(queries), func(first, end int) (err error) {
		for i := first; i < end && err == nil; i++ {
			_, err = f.pool(asked, i, queries[i].Text)
		}
		return err
	})
	for begin := 0; begin < len(documents) && err == nil; begin += documentBlock {
		some := documents[begin:min(begin+documentBlock, len(documents))]
		unknown := make([][]bool, len(f.poolers))
		for m := range unknown {
			unknown[m] = make([]bool, len(some))
		}
		err = inParts(ctx, len(some), func(first, end int) error {
			for i := first; i < end; i++ {
				known, err := f.pool(block, i, some[i].whole())
				if err != nil {
					return fmt.Errorf("document %s: %w", some[i].ID, err)
				}
				if !known {
					f.unknown.Add(1)
				}
				for m := range block {
					unknown[m][i] = !slices.ContainsFunc(block[m].Row(i), func(x float32) bool { return x != 0 })
				}
			}
			return nil
		})
		if err = cmp.Or(err, f.set.Err()); err != nil {
			break
		}
		err = each(ctx, (len(queries)+queryBlock-1)/queryBlock, func(part int) {
			first := part * queryBlock
			n := min(queryBlock, len(queries)-first)
			products := make([]float32, n*len(some))
			for m, docs := range block {
				q := asked[m]
				simd.Dots(products, len(some), q.Data[first*q.Stride:], q.Stride, n, docs.Data, docs.Stride, len(some), q.Cols)
				for k := range n {
					to := &best[m][first+k]
					for i, x := range products[k*len(some):][:len(some)] {
						if !unknown[m][i] {
							to.offer(hit{int32(begin + i), x})
						}
					}
				}
			}
		})
	}
	return best, err
}

// inParts is parallel with errors and a context.
func inParts(ctx context.Context, n int, work func(first, end int) error) error {
	const part = 64
	failed := make([]error, (n+part-1)/part)
	err := each(ctx, len(failed), func(i int) { failed[i] = work(i*part, min(n, (i+1)*part)) })
	if i := slices.IndexFunc(failed, func(err error) bool { return err != nil }); i >= 0 {
		return failed[i]
	}
	return err
}

var errNoCollection = errors.New("a retrieval set is a folder with corpus.jsonl, queries.jsonl, and qrels.tsv or qrels/*.tsv, as in BEIR")
