package train

import (
	"context"
	"strings"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
)

// follows tells whether this process is a rank that writes and tells nothing, because the first one
// does.
func follows(ranks cluster.Comm) bool { return cluster.Several(ranks) && ranks.Rank() > 0 }

// tokensOfAll returns how many tokens the parts of all ranks have.
func tokensOfAll(ctx context.Context, ranks cluster.Comm, ids *corpus.IDs) (uint64, error) {
	if !cluster.Several(ranks) {
		return ids.Tokens(), nil
	}
	sum := []float64{float64(ids.Tokens())}
	err := ranks.AllReduce(ctx, cluster.Sum, sum)
	return uint64(sum[0]), err
}

// follow leaves out what the first rank does for all.
func (r *run) follow() {
	o := &r.options
	o.Output, o.Writer, o.Vocabulary.Save, o.Files = "", nil, "", nil
	r.checkpoints = checkpoints{}
	r.evaluator.sets, r.evaluator.custom = nil, nil
}

// checkDivisible checks that several ranks can do what is asked for, each with its part of the text.
func (r *run) checkDivisible(source *corpus.Source) error {
	if !cluster.Several(r.options.Ranks) {
		return nil
	}
	if r.settings.Phrases.Join {
		return optionErrorf("%v finds phrases in one process, and this run has several ranks: join the phrases first, and train on the text that results", name("phrases"))
	}
	if r.settings.Model.Deterministic {
		return optionErrorf("%v gives the same bits in one process, and this run has several ranks, which exchange what they have trained while they train: leave it out", name("deterministic"))
	}
	if r.settings.Model.Precision != sgns.F32 {
		return optionErrorf("%v trains rows of 16 bits, and this run has several ranks, which exchange rows of 32 bits: leave it out", name("precision"))
	}
	if err := r.checkDivided(); err != nil {
		return err
	}
	if err := source.Divisible(); err != nil {
		return optionErrorf("%v", err)
	}
	return nil
}

// checkDivided checks that the model can be divided over ranks, if that is asked for. The first rank tells
// of what is wrong on all.
func (r *run) checkDivided() error {
	err := r.indivisible()
	if err != nil && follows(r.options.Ranks) {
		return &cluster.EndedError{Rank: 0, Err: err}
	}
	return err
}

// indivisible returns why the model cannot be divided over ranks; nil if it can be, or need not be.
func (r *run) indivisible() error {
	o := &r.options
	if !o.Divide {
		return nil
	}
	if err := r.settings.Model.Divisible(); err != nil {
		return optionErrorf("%s: leave out %v, and each rank has the whole model", strings.TrimPrefix(err.Error(), "sgns: "), name("divide"))
	}
	for _, refused := range []struct {
		is     bool
		option name
		why    string
	}{
		{o.Init.given(), name("init"), "vectors to start from are read by one process"},
		{o.Evaluation.Fraction != 0 || !o.Evaluation.HeldOut.isZero(), name("validate"), "the rows of held-out words are not at hand"},
		{o.SyncBudget > 0, name("sync-budget"), "a rank cannot train before the rows of its text have come: leave it out"},
		{r.settings.Text.File != nil, name("tokenizer"), "rows are written in the order of their counts, not in that of a tokenizer.json"},
	} {
		if refused.is {
			return optionErrorf("%v is not possible with %v: %s", refused.option, name("divide"), refused.why)
		}
	}
	return nil
}
