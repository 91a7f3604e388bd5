package ranks

import (
	"math"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/run"
	"github.com/w2v-go/w2v/sgns/internal/trial"
)

// Ranks exchange more seldom what more of them train together, and in longer runs, but never for nothing.
func TestEveryOf(t *testing.T) {
	for _, test := range []struct {
		tokens uint64
		ranks  int
		want   uint64
	}{{1_000, 2, 20_000}, {80_000_000, 8, 5_000}, {8_000_000_000, 8, 50_000}, {5_000_000_000_000, 64, 156_250}, {1_000, 1_000, 500}} {
		if got := Between(test.tokens, test.ranks); got != test.want {
			t.Errorf("%d tokens on %d ranks: every %d, want %d", test.tokens, test.ranks, got, test.want)
		}
		if usual := Usual(test.tokens, test.ranks); usual < test.want || (usual > test.want) != (test.ranks == 2) {
			t.Errorf("%d tokens on %d ranks: usually every %d", test.tokens, test.ranks, usual)
		}
	}
}

// Few ranks may be far apart without a remark, and many may not, also in a run that ends early.
func TestRemarkApart(t *testing.T) {
	for _, test := range []struct {
		ranks int
		apart uint64
		early bool
		want  string
	}{
		{2, 700_000, true, ""},
		{2, 900_000, false, "ranks exchanged changes every 900,000 tokens of each, 45 times as far apart as suits the run (20,000), which costs quality"},
		{8, 45_000, false, ""},
		{8, 450_000, true, "ranks exchanged changes every 450,000 tokens of each, 90 times as far apart as suits the run (5,000), which costs quality"},
	} {
		_, ids := trial.Indexed(t, "a b")
		err := ranktest.Each(test.ranks, func(c cluster.Comm) error {
			m := &Replicated{member: member{comm: c, tokens: 1_000_000}, early: test.early, machine: &machine{count: test.ranks}}
			run.New(run.Data{IDs: ids}, config.Config{Epochs: 1}, nil, run.Hooks{}, m)
			m.apart.add(test.apart)
			remarks, err := m.End(t.Context(), nil)
			var got string
			for _, r := range remarks {
				got += r.String()
			}
			if got != test.want {
				t.Errorf("%+v: %s", test, got)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Turns that take no time begin when they are due. Others are further apart, up to what workers wait for.
func TestCourse(t *testing.T) {
	for _, test := range []struct {
		speed, seconds float64
		apart          float64 // late in the run
	}{{0, 1, 10_000}, {1e6, 0, 11_000}, {1e6, 0.01, 12_000}, {1e6, 1, 25_000}} {
		c := course{every: 10_000, least: 10_000, ahead: 5, speed: test.speed}
		c.turn = func(apart float64) (bytes, seconds float64) { return apart, test.seconds }
		turns, bytes := c.run(1e7)
		if apart := 1e7 / turns; math.Abs(apart-test.apart) > 0.02*test.apart || math.Abs(bytes-1e7) > 0.01*1e7 {
			t.Errorf("%+v: %.0f turns are %.0f tokens apart, and send %.0f", test, turns, apart, bytes)
		}
	}
	young := course{every: 1e6, least: 10_000, ahead: 2, turn: func(float64) (bytes, seconds float64) { return 1, 0 }}
	if turns, bytes := young.run(1e9); turns < 1005 || turns > 1030 || bytes != turns {
		t.Errorf("%.1f turns, %.1f bytes", turns, bytes)
	}
}
