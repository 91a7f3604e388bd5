package sgns

import (
	"runtime"
	"runtime/metrics"
	"sort"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/divided"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/replica"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// A dividedPlan is how a run's rows are divided, and what the part of a rank takes.
type dividedPlan struct {
	Plan
	layout divided.Layout
	limits divided.Limits
	turn   int         // tokens of a rank between two turns of the head
	ahead  int         // turns that may be late before workers wait
	list   params.List // of the working set
	bytes  float64
}

// dividedSizes are sizes of divided runs.
type dividedSizes struct {
	head   int // words, at least
	ranks  int // for which turn and tokens are; fewer ranks have more of both
	turn   int // tokens that a rank trains between two turns of the head
	tokens int // of a round, at least
	most   int // tokens of a round that are reached only where an epoch has a thousand rounds
	rounds int // of an epoch, at least
	words  int // beyond the head in a round for which there is room, at least
	pool   int // how many tokens of a round there are for each word that is drawn into the pool
}

// dividing are those of all runs. Tests change them. docs/scale.md has the measurements.
var dividing = dividedSizes{head: 4096, ranks: 8, turn: 20_000, tokens: 50_000, most: 1_000_000, rounds: 10, words: 1 << 13, pool: 6}

// usualTurn is how many tokens a rank trains between two turns of the head, if nothing else is asked for.
func usualTurn(ranks int) int { return dividing.turn * max(dividing.ranks/ranks, 1) }

// planDivided plans a run. So many of the most frequent words are subsampled.
func planDivided(r *dividedRun, subsampled int, d step.Division, table *subword.Table) (p dividedPlan) {
	v := r.data.Vocab
	words, ranks := v.Len(), r.comm.Size()
	part := int(r.corpus.all / uint64(ranks))
	fewer := max(dividing.ranks/ranks, 1) // ranks of fewer may train more tokens before they hear of each other
	p.turn = usualTurn(ranks)
	if every := r.data.SyncEvery; every > 0 {
		p.turn = int(min(max(every, leastEvery), mostEvery))
	}
	p.ahead = int(betweenTurns*mostAhead(ranks)/(uint64(ranks)*uint64(p.turn))) - 1 // as far as where all have the whole model
	p.ahead = max(p.ahead, 0)
	p.limits.Tokens = max(min(part/dividing.rounds, max(dividing.tokens*fewer, p.turn, min(part/1000, dividing.most))), 500)
	p.layout = divided.Layout{Self: r.comm.Rank(), Ranks: ranks, Words: words, Cols: r.config.Dim}
	often := sort.Search(words, func(w int) bool { // a word that is in each round is no rare one
		return float64(v.Count(w))*float64(p.limits.Tokens) < float64(v.Total())
	})
	p.layout.Head = min(max(dividing.head, subsampled, often), words)
	beyond := words - p.layout.Head
	p.Threads = r.config.threads()
	p.limits.Words = min(beyond, max(dividing.words, beyond/(8*ranks))) + vocab.MaxSentence
	p.limits.Pool = min(p.limits.Tokens/dividing.pool, beyond)
	inputs := p.layout.Head + min(p.limits.Words, beyond)
	outputs := p.layout.Head + min(p.limits.Words+p.limits.Pool, beyond)
	p.list = r.variant.Matrices(outputs, inputs, nil)
	runtime.GC() // garbage, as of a run before, is no use of memory
	inUse := float64(sysinfo.MemoryInUse())
	row := step.RowBytes(r.config.Dim)
	slots := float64(inputs + outputs)
	own := 2 * float64(p.layout.Owned()) * row
	working := slots * row * 2                              // what is trained, and what it was
	messages := 5 * slots * (float64(r.config.Dim) + 4)     // changes and rows, that are sent and that came
	index := 4*float64(words) + 16*float64(p.limits.Tokens) // slots of words, text of two rounds
	expected := 28 * float64(words)                         // touches of rows, while the run is prepared
	text := min(2*float64(r.corpus.own), vocab.ResidentBytes)
	each := engine.Bytes(r.variant, d, p.list, r.data.Vocab, table)
	p.bytes = inUse + own + working + messages + index + expected + text + each*float64(p.Threads) + r.variant.PreparedBytes(r.data.Vocab)
	const name = 80
	if r.comm.Rank() == 0 {
		p.bytes += name * float64(words)
	}
	if r.hooks.Evaluate != nil { // sets of analogies want all input vectors
		p.bytes += float64(words) * row
	}
	p.Words, p.Rows = words, words
	p.Bytes = uint64(p.bytes + garbage(p.bytes))
	p.Added = p.Bytes - uint64(inUse)
	p.Matrices = shapes(r.variant.Matrices(words, words, nil))
	return p
}

// options say how the model is divided.
func (r *dividedRun) options(table *subword.Table) divided.Options {
	o := divided.Options{Limits: r.plan.limits, Threads: r.plan.Threads, Ahead: r.plan.ahead, Head: replica.Defaults()}
	o.Head.Worth = float64(r.comm.Size()) // a touch by each
	o.Head.Threads = r.plan.Threads       // which may all wait meanwhile
	o.Head.Every = uint64(r.plan.turn)
	o.Head.Rate = func(trained uint64) float64 {
		return r.config.LearningRate * max(0, 1-float64(trained)*float64(r.comm.Size())/float64(r.total()))
	}
	list := r.variant.Matrices(table.Words(), table.Rows(), table)
	words := wordsOf(r.config, r.data.Vocab, r.corpus.all)
	for i, name := range []string{r.variant.Input(), outputName} {
		m, _ := list.Find(name)
		o.Touches[i] = touchesOf(list, m, words)
	}
	return o
}

// allocate allocates the matrices of the working set.
func (p *dividedPlan) allocate() *params.Values { return params.Allocate(p.list) }

// garbage is how much garbage messages leave, of so many bytes in use, before it is collected. There is
// less where it would not fit.
func garbage(inUse float64) float64 {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	have, _ := sysinfo.MemoryLimit()
	if percent[0].Value.Kind() != metrics.KindUint64 || percent[0].Value.Uint64() > 1000 { // it is off
		return 0
	}
	most := max(float64(have)-inUse, 0)
	if have == 0 {
		most = inUse
	}
	return min(inUse*float64(percent[0].Value.Uint64())/100, most)
}
