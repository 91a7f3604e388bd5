package train

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/cluster"
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
	var first, other []told
	for rank, text := range received {
		if slices.Equal(text, received[0]) {
			continue
		}
		err := unlike(rank, "another version of the program")
		if json.Unmarshal(received[0], &first) == nil && json.Unmarshal(text, &other) == nil {
			if i := firstOther(first, other); i >= 0 {
				err = unlike(rank, difference(first[i], other[i]))
			}
		}
		if ranks.Rank() > 0 {
			return &cluster.EndedError{Rank: 0, Err: err}
		}
		return err
	}
	return nil
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

// told returns the options that must be the same on all ranks. What rank 0 alone writes need not be.
func (r *run) told() (all []told) {
	o, s := &r.options, &r.settings
	whether := func(is bool) string {
		if is {
			return given
		}
		return ""
	}
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
