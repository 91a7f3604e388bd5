package train

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/buildinfo"
	"github.com/w2v-go/w2v/sgns"
)

// A told is an option and its value, as ranks tell them to each other.
type told struct{ Option, Value string }

// checkAlike checks that all ranks have the same options, where they must: ranks that do not would wait
// for each other in vain, or train parts of different models.
func (r *run) checkAlike(ctx context.Context) error {
	ranks := r.options.Ranks
	if !cluster.Several(ranks) {
		return nil
	}
	own, err := json.Marshal(r.told())
	if err != nil {
		return err
	}
	received, err := ranks.AllToAll(slices.Repeat([][]byte{own}, ranks.Size())).Wait(context.WithoutCancel(ctx))
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

// unlikeFirst says how what a rank has told differs from what the first one has.
func unlikeFirst(rank int, firstText, otherText []byte) error {
	var first, other []told
	if json.Unmarshal(firstText, &first) == nil && json.Unmarshal(otherText, &other) == nil {
		switch i := firstOther(first, other); {
		case i == 0 && first[0].Option == version:
			return errorf("rank %d is w2v %s, and rank 0 is %s: all ranks must run the same program", rank, other[0].Value, first[0].Value)
		case i >= 0:
			return unlike(rank, difference(first[i], other[i]))
		}
	}
	return errorf("rank %d is another version of the program than rank 0: all ranks must run the same", rank)
}

func unlike(rank int, what any) error {
	return optionErrorf("rank %d has %v: all ranks must get the same command line", rank, what)
}

// difference says how an option of another rank differs from that of the first.
func difference(first, other told) Message {
	option := name(first.Option)
	switch {
	case other.Value == given:
		return messagef("%v, and rank 0 has not", option)
	case first.Value == given:
		return messagef("no %v, and rank 0 has", option)
	}
	return messagef("%v, and rank 0 %v", option.to(other.Value), option.to(first.Value))
}

// given is the value of an option whose values may differ from machine to machine, as paths do.
const given = "given"

// firstOther is the first place where two lists of the same options differ; -1 for none.
func firstOther(a, b []told) int {
	for i := range min(len(a), len(b)) {
		if a[i].Option != b[i].Option {
			return -1
		}
		if a[i].Value != b[i].Value {
			return i
		}
	}
	return -1
}

// version is what the version of the program is told as, before all options.
const version = ""

// program says which version of the program this is.
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

// told returns the options that must be the same on all ranks. What rank 0 alone writes need not be.
func (r *run) told() (all []told) {
	o, s := &r.options, &r.settings
	whether := func(is bool) string {
		if is {
			return given
		}
		return ""
	}
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
