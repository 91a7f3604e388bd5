package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/trainers"
)

// Keys of what the part threads measures in a round, in tokens a second.
const (
	oneThread    = "tokens_per_second_1"
	hogwild      = "tokens_per_second_2_hogwild"
	copies       = "tokens_per_second_2"
	twoProcesses = "tokens_per_second_processes"
)

// leastTokens is how many tokens a training of the part threads reads in all epochs, so that it lasts for
// several turns.
const leastTokens = 5e7

// measureThreads lets trainings take turns of a second: with one thread, with two threads that share all rows
// (Hogwild) and with two that have copies of some, and with one thread in each of two processes at once. Two
// processes share no rows, so they show how much more the machine could do at that moment.
//
// The host of a virtual machine may run its two cores near each other or far apart by turns. So rounds are
// divided by what two Hogwild threads did just before and just after the turn of those with copies.
func (b *bench) measureThreads(ctx context.Context) (result, error) {
	r := result{
		Title: "Two threads of w2v against one, wall",
		Metrics: []metric{
			{Key: "rounds", Title: "rounds", show: func(x []float64) string { return fmt.Sprint(len(x)) }},
			{Key: oneThread, Title: "tokens/s, one thread", show: figures.Shown(figures.Millions)},
			{Key: hogwild, Title: "two, Hogwild", show: figures.Shown(figures.Millions)},
			{Key: copies, Title: "two, copies", show: figures.Shown(figures.Millions)},
			{Key: "ratio_hogwild", Title: "Hogwild ÷ one, median (range)", show: figures.MedianAndRange},
			{Key: "ratio", Title: "copies ÷ one, median (range)", show: figures.MedianAndRange},
			{Key: "ratio_of_processes", Title: "two processes ÷ one, median (range)", show: figures.MedianAndRange},
			{Key: "ratio_to_processes", Title: "copies ÷ two processes, median (range)", show: figures.MedianAndRange},
		},
		Notes: []string{
			"Trainings take turns of a second; the others stand still meanwhile. Needs two free cores: what else runs shows here first.",
			fmt.Sprintf("Fast: two Hogwild threads were at least %v × one, before and after those with copies. Slow: less, both times. "+
				"Changing: once each. Disturbed: two processes were not %v to %v × one, so other work had a part of the cores.", fastFrom, undisturbedFrom, undisturbedTo),
		},
	}
	for _, s := range []trainers.Settings{{Dim: 100}, {Dim: 300}, {Dim: 100, Subwords: true}, {Dim: 300, Subwords: true}} {
		rounds, err := b.roundsOfThreads(ctx, s)
		if err != nil {
			return r, err
		}
		name := fmt.Sprintf("words, dim %d", s.Dim)
		if s.Subwords {
			name = fmt.Sprintf("subwords, dim %d", s.Dim)
		}
		for _, class := range []string{fast, slow, changing, disturbed} {
			own := &row{Program: "w2v", Setting: name + ", " + class}
			for _, x := range rounds {
				if x.class() == class {
					x.addTo(own)
				}
			}
			if len(own.Samples) > 0 {
				r.Rows = append(r.Rows, own)
			}
		}
	}
	return r, nil
}

// Classes of rounds.
const (
	fast      = "fast"
	slow      = "slow"
	changing  = "changing"
	disturbed = "disturbed"

	fastFrom = 1.65
	// Two processes are about twice as fast as one, unless other work had a part of the cores in one of the turns.
	undisturbedFrom, undisturbedTo = 1.8, 2.2
)

// A threadRound is what trainings did in turns of a second each, in tokens a second.
type threadRound struct{ one, before, copies, after, processes float64 }

func (x threadRound) class() string {
	before, after := x.before >= fastFrom*x.one, x.after >= fastFrom*x.one
	switch apart := x.processes / x.one; {
	case apart < undisturbedFrom || apart > undisturbedTo:
		return disturbed
	case before && after:
		return fast
	case before || after:
		return changing
	}
	return slow
}

func (x threadRound) addTo(r *row) {
	mean := (x.before + x.after) / 2
	r.add("rounds", 1)
	r.add(oneThread, x.one)
	r.add(hogwild, mean)
	r.add(hogwild+"_before", x.before)
	r.add(hogwild+"_after", x.after)
	r.add(copies, x.copies)
	r.add(twoProcesses, x.processes)
	r.add("ratio_hogwild", mean/x.one)
	r.add("ratio", x.copies/x.one)
	r.add("ratio_of_processes", x.processes/x.one)
	r.add("ratio_to_processes", x.copies/x.processes)
}

// roundsOfThreads measures rounds with some settings.
func (b *bench) roundsOfThreads(ctx context.Context, s trainers.Settings) (rounds []threadRound, err error) {
	s.Epochs, s.Seed = max(b.epochs, 1+int(leastTokens/b.text.Tokens)), 1
	of := func(threads int, name string, flags ...string) *training {
		s := s
		s.Threads = threads
		w := b.ours.With(name, append(append([]string{}, b.ours.Flags...), flags...))
		args := append(w.Arguments(b.text.Path, b.path("threads-"+name+".w2v"), fixed(s)), "--log-json", "-")
		return &training{path: w.Path, args: args}
	}
	one, other := of(1, "one"), of(1, "other")
	shared, copied := of(2, "hogwild", "--sharing", "hogwild"), of(2, "copies")
	all := []*training{one, other, shared, copied}
	defer func() {
		for _, t := range all {
			err = errors.Join(err, t.end())
		}
	}()
	for range b.threadRuns {
		var x threadRound
		for _, turn := range []struct {
			speed *float64
			of    []*training
		}{
			{&x.one, []*training{one}}, {&x.before, []*training{shared}}, {&x.copies, []*training{copied}},
			{&x.after, []*training{shared}}, {&x.processes, []*training{one, other}},
		} {
			if *turn.speed, err = together(ctx, turn.of); err != nil {
				return rounds, fmt.Errorf("%s: %w", strings.Join(turn.of[0].args, " "), err)
			}
		}
		b.logf("%s: one thread %.2f M tokens/s, Hogwild %.2f and %.2f, copies %.2f, two processes %.2f", x.class(),
			x.one/1e6, x.before/1e6, x.after/1e6, x.copies/1e6, x.processes/1e6)
		rounds = append(rounds, x)
	}
	return rounds, nil
}
