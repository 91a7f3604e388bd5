package sgns

import (
	"errors"

	"github.com/w2v-go/w2v/sgns/internal/loss"
)

// Divisible returns why models of this configuration cannot be divided over ranks; nil if they can
// be. See Data.Divide.
func (c Config) Divisible() error {
	v, err := c.variant()
	if err != nil {
		return err
	}
	_, pooled := v.Loss.(loss.Pooled)
	why := v.Indivisible()
	return firstRefusal([]refusal{
		{why != "", why},
		{!pooled, "the loss draws its words from all rows"},
		{c.Deterministic, "a deterministic run has one order of steps, and the threads of ranks have none"},
		{c.Freeze != FreezeNone, "frozen vectors need vectors to start from"},
		{c.Patience > 0, "early stopping keeps a copy of the best vectors"},
	})
}

// A refusal is a reason why a run's rows cannot be divided, if it is one.
type refusal struct {
	is  bool
	why string
}

// firstRefusal returns the first one as an error.
func firstRefusal(list []refusal) error {
	for _, r := range list {
		if r.is {
			return errors.New("sgns: the model cannot be divided over ranks: " + r.why)
		}
	}
	return nil
}

// divisible returns why the rows of a run cannot be divided; nil if they can be.
func (d Data) divisible(c Config) error {
	err := c.Divisible()
	if err == nil {
		err = firstRefusal([]refusal{
			{d.Init != nil, "vectors to start from are read by one process"},
			{d.HeldOut != nil, "the rows of held-out words would have to be fetched too"},
			{d.SyncBudget > 0, "a rank must have the rows of its text before it trains it, so it cannot keep to a budget of bytes"},
		})
	}
	return ofAll(d.Ranks, err)
}
