package ranks

import (
	"runtime"
	"runtime/metrics"
	"sort"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/ranks/divided"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// A dividedPlan is how a run's rows are divided, and what the part of a rank takes.
type dividedPlan struct {
	layout divided.Layout
	limits divided.Limits
	turn   int         // tokens of a rank between two turns of the head
	ahead  int         // turns that may be late before workers wait
	list   params.List // of the working set
}

// DividedSizes are sizes of divided runs.
type DividedSizes struct {
	Head   int // words, at least
	Ranks  int // for which turn and tokens are; fewer ranks have more of both
	Turn   int // tokens that a rank trains between two turns of the head
	Tokens int // of a round, at least
	Most   int // tokens of a round that are reached only where an epoch has a thousand rounds
	Rounds int // of an epoch, at least
	Words  int // beyond the head in a round for which there is room, at least
	Pool   int // how many tokens of a round there are for each word that is drawn into the pool
}

// Dividing are the sizes of all runs. Tests change them. docs/scale.md has the measurements.
var Dividing = DividedSizes{Head: 4096, Ranks: 8, Turn: 20_000, Tokens: 50_000, Most: 1_000_000, Rounds: 10, Words: 1 << 13, Pool: 6}

// usualTurn is how many tokens a rank trains between two turns of the head, if nothing else is asked for.
func usualTurn(ranks int) int { return Dividing.Turn * max(Dividing.Ranks/ranks, 1) }

// Plan plans what this rank has of the model.
func (d *Divided) Plan(of *plan.Planner) (plan.Plan, error) {
	v, c := of.Vocab, of.Config
	of.Table = subword.NewTable(v.Tokens(), nil, subword.TableOptions{})
	of.Division = engine.Divide(of.Variant, v, of.Table, of.Keep, plan.Given(c, of.Sizes))
	subsampled := len(engine.Thresholds(of.Keep)) // of the most frequent words
	p := &d.plan
	words, ranks := v.Len(), d.comm.Size()
	part := int(d.tokens / uint64(ranks))
	fewer := max(Dividing.Ranks/ranks, 1) // ranks of fewer may train more tokens before they hear of each other
	p.turn = usualTurn(ranks)
	if every := d.options.Every; every > 0 {
		p.turn = int(min(max(every, leastEvery), mostEvery))
	}
	p.ahead = int(betweenTurns*mostAhead(ranks)/(uint64(ranks)*uint64(p.turn))) - 1 // as far as where all have the whole model
	p.ahead = max(p.ahead, 0)
	p.limits.Tokens = max(min(part/Dividing.Rounds, max(Dividing.Tokens*fewer, p.turn, min(part/1000, Dividing.Most))), 500)
	p.layout = divided.Layout{Self: d.comm.Rank(), Ranks: ranks, Words: words, Cols: c.Dim}
	often := sort.Search(words, func(w int) bool { // a word that is in each round is no rare one
		return float64(v.Count(w))*float64(p.limits.Tokens) < float64(v.Total())
	})
	p.layout.Head = min(max(Dividing.Head, subsampled, often), words)
	beyond := words - p.layout.Head
	p.limits.Words = min(beyond, max(Dividing.Words, beyond/(8*ranks))) + vocab.MaxSentence
	p.limits.Pool = min(p.limits.Tokens/Dividing.Pool, beyond)
	inputs := p.layout.Head + min(p.limits.Words, beyond)
	outputs := p.layout.Head + min(p.limits.Words+p.limits.Pool, beyond)
	p.list = of.Variant.Matrices(outputs, inputs, nil)
	runtime.GC() // garbage, as of a run before, is no use of memory
	inUse := float64(sysinfo.MemoryInUse())
	row := step.RowBytes(c.Dim)
	slots := float64(inputs + outputs)
	own := 2 * float64(p.layout.Owned()) * row
	working := slots * row * 2                              // what is trained, and what it was
	messages := 5 * slots * (float64(c.Dim) + 4)            // changes and rows, that are sent and that came
	index := 4*float64(words) + 16*float64(p.limits.Tokens) // slots of words, text of two rounds
	expected := 28 * float64(words)                         // touches of rows, while the run is prepared
	text := min(2*float64(d.Run.Data.IDs.Tokens()), vocab.ResidentBytes)
	each := engine.Bytes(of.Variant, of.Division, p.list, v, of.Table)
	bytes := inUse + own + working + messages + index + expected + text + each*float64(of.Workers) + of.Variant.PreparedBytes(v)
	const name = 80
	if d.comm.Rank() == 0 {
		bytes += name * float64(words)
	}
	if d.Run.Hooks.Evaluate != nil { // sets of analogies want all input vectors
		bytes += float64(words) * row
	}
	bytes += garbage(bytes)
	planned := plan.Plan{
		Words: words, Rows: words, Bytes: uint64(bytes), Added: uint64(bytes) - uint64(inUse),
		Threads: of.Workers, Matrices: plan.Shapes(of.Variant.Matrices(words, words, nil)),
	}
	return planned, plan.Fits(c, bytes)
}

// dividedOptions say how the model is divided.
func (d *Divided) dividedOptions() divided.Options {
	r, size := d.Run, d.comm.Size()
	o := divided.Options{Limits: d.plan.limits, Threads: len(r.Counters), Ahead: d.plan.ahead, Head: replica.Defaults()}
	o.Head.Worth = float64(size) // a touch by each
	o.Head.Threads = o.Threads   // which may all wait meanwhile
	o.Head.Every = uint64(d.plan.turn)
	o.Head.Rate = func(trained uint64) float64 {
		return r.Config.LearningRate * max(0, 1-float64(trained)*float64(size)/float64(r.Whole()))
	}
	table := r.Model.Table
	list := r.Model.Variant.Matrices(table.Words(), table.Rows(), table)
	words := wordsOf(r.Config, r.Data.Vocab, r.Sample())
	for i, name := range []string{r.Model.Variant.Input(), model.OutputName} {
		m, _ := list.Find(name)
		o.Touches[i] = touchesOf(list, m, words)
	}
	return o
}

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
