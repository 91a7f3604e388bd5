package main

import (
	"math"
	"testing"
)

// The model agrees with the bytes that ranks sent in training: see docs/scale.md, replicated mode. They
// trained the first 8 million tokens of English Wikipedia, dim 100.
func TestBytes(t *testing.T) {
	for _, m := range []struct {
		ranks, apart, worth, bytes float64
	}{
		{8, 5000, 8, 179},
		{8, 5000, 32, 65},
	} {
		of := usual(wikipedia, 100)
		of.worth = m.worth
		of.between(m.apart, 0)
		got := of.bytes(m.ranks, m.apart)
		t.Logf("%v ranks, rows sent after %v touches: %.0f bytes a token, measured %.0f", m.ranks, m.worth, got, m.bytes)
		if math.Abs(got/m.bytes-1) > 0.15 {
			t.Errorf("%v ranks, rows sent after %v touches: %.0f bytes a token, and %.0f were measured", m.ranks, m.worth, got, m.bytes)
		}
	}
}

// Classes of a law have all words and all tokens.
func TestClasses(t *testing.T) {
	for _, l := range []law{wikipedia, {1e8, 1, 1.06}} {
		words, share := 0.0, 0.0
		for c := range l.classes() {
			words += c.words
			share += c.words * c.share
		}
		if words != l.words || math.Abs(share-1) > 1e-9 {
			t.Errorf("%v words, %v of all tokens, of %v", words, share, l.words)
		}
	}
}

// A slower link or more workers make turns rarer, of 4 ranks up to 2.5 times --sync-every, and of 8 ranks not at all. From then on workers wait.
func TestRun(t *testing.T) {
	of := usual(wikipedia, 100)
	of.between(10_000, 0)
	fast, slow := here(4, 1, 12.5e9).run(of), here(4, 1, 12.5e6).run(of)
	if fast.apart < of.every || slow.apart <= fast.apart || slow.by != "the network" || slow.sent > 12.5e6*1.001 {
		t.Errorf("fast %+v, slow %+v", fast, slow)
	}
	if slow.apart > 2.5*of.every*1.001 || slow.busy > 0.5 || fast.busy <= slow.busy {
		t.Errorf("fast %+v, slow %+v", fast, slow)
	}
	if many := here(4, 64, 12.5e9).run(of); many.apart <= fast.apart {
		t.Errorf("64 workers %+v, one %+v", many, fast)
	}
	of.between(5000, 0)
	if wait := here(8, 1, 12.5e6).run(of); wait.apart > of.every*1.001 || wait.busy > 0.5 {
		t.Errorf("8 ranks %+v", wait)
	}
	of.between(5000, 1e6)
	if seldom := here(8, 1, 12.5e9).run(of); seldom.apart != of.every || seldom.busy < 0.9 || seldom.by != "--sync-every" {
		t.Errorf("%+v", seldom)
	}
}

// A run whose turns take nothing is as many times as fast as it has ranks, but for the slow one.
func TestReplay(t *testing.T) {
	of := usual(wikipedia, 100)
	c := here(4, 1, math.Inf(1))
	c.rows, c.byte, c.latency = rows{}, 0, 0
	for slow, want := range map[float64]float64{1: 4, 2: 3.5} {
		got := replay{c, of, 1e7, slow}.run()
		if speed := 1e7 / got.seconds / c.perRank(of.dim); math.Abs(speed-want) > 0.02 || got.turns < 400 {
			t.Errorf("the slowest rank takes %v times as long: %+v is %v times one rank, want %v", slow, got, speed, want)
		}
	}
	slow := replay{here(8, 8, 12.5e6), of, 1e7, 1}.run()
	if whole := here(8, 8, 12.5e6).run(of); math.Abs(1e7/slow.seconds/whole.speed-1) > 0.1 || slow.waited == 0 {
		t.Errorf("%+v trains %v tokens a second, and the model says %v", slow, 1e7/slow.seconds, whole.speed)
	}
}

// The model agrees with what divided ranks sent: they trained the first 4 and 16 million tokens of English
// Wikipedia, dim 100.
func TestDividedBytes(t *testing.T) {
	for _, m := range []struct{ words, tokens, ranks, bytes float64 }{
		{34_231, 4e6, 8, 122},
		{71_278, 16e6, 4, 95},
		{71_278, 16e6, 8, 134},
	} {
		of := divided(usual(law{m.words, wikipedia.shift, wikipedia.exponent}, 100), m.ranks, m.tokens/m.ranks)
		got := of.bytes(m.ranks)
		t.Logf("%v ranks, %v words: %.0f bytes a token, measured %.0f: %+v", m.ranks, m.words, got, m.bytes, of.rows(m.ranks))
		if math.Abs(got/m.bytes-1) > 0.2 {
			t.Errorf("%v ranks, %v words: %.0f bytes a token, and %.0f were measured", m.ranks, m.words, got, m.bytes)
		}
	}
}
