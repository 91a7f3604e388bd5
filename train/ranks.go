package train

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/buildinfo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// follows reports whether this is a rank that writes no files and reports nothing: not the first.
func follows(ranks cluster.Comm) bool { return cluster.Several(ranks) && ranks.Rank() > 0 }

func tokensOfAll(ctx context.Context, ranks cluster.Comm, ids *vocab.IDs) (uint64, error) {
	if !cluster.Several(ranks) {
		return ids.Tokens(), nil
	}
	sum := []float64{float64(ids.Tokens())}
	err := ranks.AllReduce(ctx, cluster.Sum, sum)
	return uint64(sum[0]), err
}

func (r *run) checkDivisible(source *corpus.Source) error {
	switch {
	case !cluster.Several(r.options.Ranks):
		return nil
	case r.settings.Phrases.Join && r.settings.joined == nil:
		return optionErrorf("%v finds phrases in one process, and this run has several ranks: join the phrases first, and train on the text that results", name("phrases"))
	case r.settings.Model.Deterministic:
		return optionErrorf("%v gives the same bits in one process, and this run has several ranks, which exchange what they have trained while they train: leave it out", name("deterministic"))
	case r.settings.Model.Precision != sgns.F32:
		return optionErrorf("%v trains rows of 16 bits, and this run has several ranks, which exchange rows of 32 bits: leave it out", name("precision"))
	}
	if err := r.indivisible(); err != nil && follows(r.options.Ranks) { // all ranks get the first rank's error
		return &cluster.EndedError{Rank: 0, Err: err}
	} else if err != nil {
		return err
	}
	if err := source.Divisible(); err != nil {
		return optionErrorf("%v", err)
	}
	return nil
}

// indivisible returns why a model that is to be divided over ranks cannot be.
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

// uncounted returns an error for options that are impossible with a loss of counts.
func (r *run) uncounted() error {
	o, m := &r.options, &r.settings.Model
	if !m.Counts() {
		return nil
	}
	for _, refused := range []struct {
		is     bool
		option name
		why    string
	}{
		{o.Init.UpdateVocab, name("update-vocab"), "it starts from counts of its text, and not from vectors"},
		{m.Freeze != sgns.FreezeNone, name("freeze"), "it starts from counts of its text, and not from vectors"},
		{o.Init.given(), name("init"), "it starts from counts of its text, and not from vectors"},
		{o.Evaluation.Fraction != 0 || !o.Evaluation.HeldOut.isZero(), name("validate"), "it has no loss of held-out text, and evaluation sets score its vectors"},
	} {
		if refused.is {
			return optionErrorf("%v is not possible with %v: %s", refused.option, name("loss").to(string(m.Loss)), refused.why)
		}
	}
	if cluster.Several(o.Ranks) {
		return r.alone()
	}
	return nil
}

// alone returns the error of a run on several ranks with a loss of counts.
func (r *run) alone() error {
	return optionErrorf("%v is trained by one process, and this run has several ranks", name("loss").to(string(r.settings.Model.Loss)))
}

// A told is an option and its value, as ranks send them to each other.
type told struct{ Option, Value string }

// checkAlike checks that ranks have the same options, or they would wait for each other in vain.
func (r *run) checkAlike(ctx context.Context) error {
	ranks := r.options.Ranks
	if !cluster.Several(ranks) {
		return nil
	}
	own, err := json.Marshal(r.told())
	if err != nil {
		return err
	}
	received, err := ranks.AllToAll(context.WithoutCancel(ctx), slices.Repeat([][]byte{own}, ranks.Size()))
	if err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	for rank, text := range received {
		switch {
		case slices.Equal(text, received[0]):
		case ranks.Rank() > 0:
			return &cluster.EndedError{Rank: 0, Err: unlikeFirst(rank, received[0], text)}
		default:
			return unlikeFirst(rank, received[0], text)
		}
	}
	return nil
}

func unlikeFirst(rank int, firstText, otherText []byte) error {
	var all, others []told
	if json.Unmarshal(firstText, &all) == nil && json.Unmarshal(otherText, &others) == nil {
		for i := range min(len(all), len(others)) {
			first, other, option := all[i], others[i], name(all[i].Option)
			what := messagef("%v, and rank 0 %v", option.to(other.Value), option.to(first.Value))
			switch {
			case first.Option != other.Option:
				return errVersions(rank)
			case first.Value == other.Value:
				continue
			case first.Option == version:
				return errorf("rank %d is w2v %s, and rank 0 is %s: all ranks must run the same program", rank, other.Value, first.Value)
			case other.Value == given:
				what = messagef("%v, and rank 0 has not", option)
			case first.Value == given:
				what = messagef("no %v, and rank 0 has", option)
			}
			return optionErrorf("rank %d has %v: all ranks must get the same command line", rank, what)
		}
	}
	return errVersions(rank)
}

func errVersions(rank int) error {
	return errorf("rank %d is another version of the program than rank 0: all ranks must run the same", rank)
}

const given = "given" // replaces the value of an option that may differ between machines, such as a path

const version = "" // the name under which ranks send the program's version, before all options

func program() string {
	f := buildinfo.Read()
	text := f.Version
	if f.Commit != "" && !strings.Contains(text, f.Commit[:12]) {
		text += " of commit " + f.Commit[:12]
	}
	if f.Modified != nil && *f.Modified {
		text += ", modified"
	}
	return fmt.Sprintf("%s, revision %d, built by %s", text, sgns.Revision, f.Go)
}

// told returns the options that must be the same on all ranks, not those of files of rank 0.
func (r *run) told() (all []told) {
	o, s := &r.options, &r.settings
	whether := func(is bool) string {
		if is {
			return given
		}
		return ""
	}
	var joined vectors.Training
	_ = s.pipeline().Describe(&joined) // reading the text reports an error
	all = append(all, told{version, program()})
	for _, row := range table() {
		if row.Name != "threads" {
			all = append(all, told{row.Name, row.Text(s)})
		}
	}
	for _, option := range []struct {
		name  string
		value any
	}{
		{"subwords", s.kind()},
		{"divide", o.Divide},
		{"sync-every", o.SyncEvery},
		{"sync-budget", o.SyncBudget},
		{"no-cache", o.NoCache},
		{"cache", whether(o.Cache != "")},
		{"force", o.Force},
		{"vocab", whether(o.Vocabulary.given())},
		{"phrase-table", joined.Text("phrase_table")},
		{"init", whether(o.Init.given())},
		{"update-vocab", o.Init.UpdateVocab},
		{"resume", whether(o.Checkpoint.Resume != "")},
		{"extend-epochs", o.Checkpoint.ExtendEpochs},
		{"validate", o.Evaluation.Fraction},
		{"validate", whether(!o.Evaluation.HeldOut.isZero())},
	} {
		all = append(all, told{option.name, fmt.Sprint(option.value)})
	}
	return all
}
