package ranks

import (
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
