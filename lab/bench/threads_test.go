package main

import (
	"context"
	"math"
	"runtime"
	"strings"
	"testing"
)

// Rounds are told apart by what Hogwild did before and after, and by two processes.
func TestClassOfRound(t *testing.T) {
	for _, test := range []struct {
		round threadRound
		want  string
	}{
		{threadRound{one: 4, before: 7.6, after: 7.5, copies: 1, processes: 8}, fast},
		{threadRound{one: 4, before: 4.6, after: 5.5, copies: 8, processes: 8}, slow},
		{threadRound{one: 4, before: 7.6, after: 4.5, processes: 8}, changing},
		{threadRound{one: 4, before: 4.5, after: 7.6, processes: 8}, changing},
		{threadRound{one: 4, before: 4.5, after: 4.6, processes: 6}, disturbed},
		{threadRound{one: 2, before: 7.5, after: 7.6, processes: 8}, disturbed}, // one thread was slow
	} {
		if got := test.round.class(); got != test.want {
			t.Errorf("%+v is %s, want %s", test.round, got, test.want)
		}
	}
	var r row
	threadRound{one: 4, before: 4, after: 6, copies: 7, processes: 8}.addTo(&r)
	for key, want := range map[string]float64{hogwild: 5, "ratio_hogwild": 1.25, "ratio": 1.75, "ratio_of_processes": 2, "ratio_to_processes": 0.875} {
		if got := r.Samples[key]; len(got) != 1 || math.Abs(got[0]-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
}

// fakeTraining is a process that reports as w2v train does, at once.
func fakeTraining(t *testing.T, script string) *training {
	if runtime.GOOS == "windows" {
		t.Skip("processes are paused on Unix")
	}
	return &training{path: "/bin/sh", args: []string{"-c", script}}
}

// What a training reported before its turn, and first in it, is left out: the time in which it stood still is in it.
func TestTurns(t *testing.T) {
	forever := `i=100
while :; do i=$((i+1)); echo "{\"event\":\"progress\",\"tokens_per_second_now\":$i}" >&2; sleep 0.05; done`
	one, other := fakeTraining(t, forever), fakeTraining(t, forever)
	before := 0.0
	for range 3 {
		speed, err := together(t.Context(), []*training{one, other})
		if err != nil {
			t.Fatal(err)
		}
		if !(speed >= before+4) || speed != math.Trunc(speed) {
			t.Errorf("two trainings have %v after %v: want two reports later of each", speed, before)
		}
		before = speed
	}
	for _, x := range []*training{one, other} {
		if err := x.end(); err != nil {
			t.Error(err)
		}
	}
}

func TestTurnsOfTrainingsThatEnd(t *testing.T) {
	for script, want := range map[string]string{
		`echo '{"event":"progress","tokens_per_second_now":1}' >&2; sleep 0.1`: "more -epochs",
		`echo 'w2v: no such file' >&2; exit 1`:                                 "no such file",
	} {
		_, err := together(context.Background(), []*training{fakeTraining(t, script)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", script, err, want)
		}
	}
}
