package main

import (
	"iter"
	"math"
)

// A law is the frequencies of words by Zipf and Mandelbrot: the word of rank r has a share of
// (r+shift)^-exponent of all tokens, but for a factor.
type law struct {
	words           float64
	shift, exponent float64
}

// wikipedia is the law that fits the first 8 million tokens of English Wikipedia in lower case best: by
// least squares of logarithms over ranks that grow by half.
var wikipedia = law{49_557, 1, 1.06}

// A class is words of about the same frequency.
type class struct {
	words float64 // how many
	share float64 // of each, of all tokens
}

// classes yields the words from the most frequent to the rarest.
func (l law) classes() iter.Seq[class] {
	const single, wider = 1000, 1.01
	at := func(yield func(words, rank float64) bool) {
		for r := 1.0; r <= l.words; {
			n := 1.0
			if r > single {
				n = math.Min(math.Ceil(r*(wider-1)), l.words-r+1)
			}
			if !yield(n, r+(n-1)/2) {
				return
			}
			r += n
		}
	}
	sum := 0.0
	for n, rank := range at {
		sum += n * math.Pow(rank+l.shift, -l.exponent)
	}
	return func(yield func(class) bool) {
		for n, rank := range at {
			if !yield(class{n, math.Pow(rank+l.shift, -l.exponent) / sum}) {
				return
			}
		}
	}
}

// A training is what ranks train, and how they exchange it.
type training struct {
	law
	dim                int
	sample             float64
	negatives          float64
	noise              float64 // exponent
	every, worth       float64 // tokens of a rank between turns, and touches by all ranks that are worth sending
	periods            float64 // the longest one
	first              float64 // words, the most frequent ones, whose rows are exchanged; 0 for all
	negativeWorth, gap float64 // what a negative counts in choosing periods; bytes that name a row
}

// usual is a training with the defaults of w2v.
func usual(l law, dim int) training {
	return training{law: l, dim: dim, sample: 3e-4, negatives: 5, noise: 0.7, every: 5000, worth: 2, periods: 512, negativeWorth: 0.2, gap: 1.3}
}

// everyOf is how many tokens w2v lets a rank train between two turns, in a run of so many tokens.
func everyOf(tokens, ranks float64) float64 {
	return math.Max(40_000*math.Sqrt(math.Max(1, tokens/80e6))/ranks, 500)
}

// A turn is what one exchange takes, on each rank.
type turn struct {
	changed  float64 // rows that the rank has changed, and sends to their owners
	combined float64 // rows that any rank has changed, and that come back
	bytes    float64 // that the rank sends
}

// turn returns an exchange of so many ranks, each of which has trained so many tokens since the last.
func (t training) turn(ranks, tokens float64) turn {
	kept, noise := 0.0, 0.0
	keep := func(c class) float64 {
		if t.sample == 0 {
			return c.share
		}
		x := t.sample / c.share
		return math.Min(1, math.Sqrt(x)+x) * c.share
	}
	for c := range t.classes() {
		kept += c.words * keep(c)
		noise += c.words * math.Pow(c.share, t.noise)
	}
	var all turn
	add := func(words, expected, touches float64) {
		period := 1.0
		for expected*t.every*period*ranks < t.worth && period < t.periods {
			period *= 2
		}
		all.changed += words / period * (1 - math.Exp(-touches*tokens*period))
		all.combined += words / period * (1 - math.Exp(-touches*tokens*period*ranks))
	}
	words := 0.0
	for c := range t.classes() {
		if words += c.words; t.first > 0 && words > t.first {
			break
		}
		k := keep(c)
		drawn := t.negatives * math.Pow(c.share, t.noise) / noise * kept
		add(c.words, k, k)
		add(c.words, k+t.negativeWorth*drawn, k+t.negativeWorth*drawn) // of negatives, only these move a row enough to be sent
	}
	row := float64(4+t.dim) + t.gap
	others := (ranks - 1) / ranks
	all.bytes = row * others * (all.changed + all.combined)
	return all
}

// bytes is how many bytes all ranks send for each token, if turns are so many tokens of a rank apart.
func (t training) bytes(ranks, tokens float64) float64 { return t.turn(ranks, tokens).bytes / tokens }

// memory is the bytes of a rank: two matrices, each with a copy as all ranks know it, and the
// vocabulary.
func (t training) memory() float64 {
	const words = 60 // bytes of a word: its text, its count, its place in a table of hashes
	return t.law.words * (2*2*4*float64(t.dim) + words)
}

// A cluster is machines with a rank each.
type cluster struct {
	ranks, workers float64
	token          float64 // seconds of a worker for a token
	row            float64 // seconds of the synchroniser for a row that was changed
	link           float64 // bytes a second of a rank, in each direction
	latency        float64 // seconds of an exchange without data
}

// here has times that were measured on one machine: of a token of dimension 100 and 840,000 words
// (docs/howto/huge-corpora.md), and of a row of 100 numbers (go test ./sgns/internal/ranks/replica -bench Turn).
func here(ranks, workers, link float64) cluster {
	return cluster{ranks: ranks, workers: workers, token: 1 / 1.7e6, row: 350e-9, link: link, latency: 0.5e-3}
}

// A course is how a training goes on a cluster.
type course struct {
	apart float64 // tokens of a rank between two turns
	turn  turn
	speed float64 // tokens a second of all ranks
	busy  float64 // the part of the time that workers train, and do not wait for turns
	sent  float64 // bytes a second of a rank
	by    string  // what sets how far turns are apart
}

// run returns the course of a training. The next turn begins when the last one is over, and not before
// a rank has trained every tokens. Workers wait when they have trained some times as many: twice, and more
// with less than 8 ranks.
func (c cluster) run(t training) course {
	perRank := c.workers / (c.token * float64(t.dim) / 100)
	row := c.row * float64(t.dim) / 100 / math.Max(math.Floor(c.workers/8), 1) // of the goroutines that take part in a turn
	ahead := math.Max(2, math.Floor(80/(c.ranks*c.ranks)))
	of := course{apart: t.every}
	for range 100 {
		of.turn = t.turn(c.ranks, of.apart)
		compute, wire := of.turn.changed*row, of.turn.bytes/c.link
		meanwhile := (compute + wire + 2*c.latency) * perRank // tokens, if workers do not wait
		of.busy = math.Min(1, ahead*t.every/meanwhile)
		switch {
		case meanwhile < t.every:
			of.by = "--sync-every"
		case wire > compute+2*c.latency:
			of.by = "the network"
		case 2*c.latency > compute+wire:
			of.by = "latency"
		default:
			of.by = "the synchroniser"
		}
		next := math.Min(math.Max(meanwhile, t.every), ahead*t.every)
		if math.Abs(next-of.apart) < of.apart*1e-4 {
			break
		}
		of.apart = (of.apart + next) / 2
	}
	of.speed = perRank * c.ranks * of.busy
	of.sent = of.turn.bytes / of.apart * perRank * of.busy
	return of
}
