package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/lab/trainers"
)

// A part is something that can be measured alone.
type part struct {
	name   string
	always bool // run unless -runs says otherwise
	run    func(*bench, context.Context) (result, error)
}

// parts are all there are, in the order of running.
func parts() []part {
	training := func(dim int, subwords bool) func(*bench, context.Context) (result, error) {
		return func(b *bench, ctx context.Context) (result, error) {
			return b.compareTraining(ctx, trainers.Settings{Dim: dim, Subwords: subwords}, b.peers)
		}
	}
	cbow := func(b *bench, ctx context.Context) (result, error) {
		return b.compareTraining(ctx, trainers.Settings{Dim: 100, CBOW: true}, b.gensimAlone())
	}
	return []part{
		{"words", true, training(100, false)},
		{"subwords", true, training(100, true)},
		{"cbow", false, cbow},
		{"dim300", false, training(300, false)},
		{"subwords300", false, training(300, true)},
		{"quality", true, (*bench).compareReach},
		{"dictionary", true, (*bench).compareDictionary},
		{"load", true, (*bench).compareLoading},
		{"query", true, (*bench).compareQueries},
		{"product", false, (*bench).compareProducts},
		{"threads", true, (*bench).measureThreads},
		{"deterministic", false, (*bench).measureDeterministic},
		{"checkpoints", false, (*bench).measureCheckpoints},
	}
}

func partNames() []string {
	var names []string
	for _, p := range parts() {
		names = append(names, p.name)
	}
	return names
}

func defaultRuns() string {
	var names []string
	for _, p := range parts() {
		if p.always {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, ",")
}

// chooseParts returns the parts of a list of names, in the order of the list.
func chooseParts(names string) ([]part, error) {
	var chosen []part
	for _, name := range strings.Split(names, ",") {
		i := slices.IndexFunc(parts(), func(p part) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-runs: there is no part %q, but %s", name, strings.Join(partNames(), ", "))
		}
		chosen = append(chosen, parts()[i])
	}
	return chosen, nil
}
