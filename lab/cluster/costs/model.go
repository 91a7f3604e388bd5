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
	unit               float64 // tokens of a rank that periods of rows count
	periods            float64 // the longest one
	first              float64 // words, the most frequent ones, whose rows are exchanged; 0 for all
	negativeWorth, gap float64 // what a negative counts in choosing periods; bytes that name a row
}

// usual is a training with the defaults of w2v.
func usual(l law, dim int) training {
	return training{law: l, dim: dim, sample: 3e-4, negatives: 5, noise: 0.7, every: 5000, unit: 5000, worth: 2, periods: 512, negativeWorth: 0.2, gap: 1.3}
}

// between sets how many tokens of a rank are between turns: as many as suit the run, or so many.
func (t *training) between(suits, every float64) {
	t.every, t.unit = suits, suits
	if every > 0 {
		t.every, t.unit = every, math.Min(every, suits)
	}
}

// everyOf is how many tokens w2v lets a rank train between two turns, in a run of so many tokens.
func everyOf(tokens, ranks float64) float64 {
	return math.Max(40_000*math.Sqrt(math.Max(1, tokens/80e6))/ranks, 500)
}

// A turn is what one exchange takes, on each rank.
type turn struct {
	due      float64 // rows that the rank compares with what all ranks know
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
		for expected*t.unit*period*ranks < t.worth && period < t.periods {
			period *= 2
		}
		due := words * math.Min(1, tokens/t.unit/period)
		since := math.Max(tokens, period*t.unit) // the row was exchanged
		all.due += due
		all.changed += due * (1 - math.Exp(-touches*since))
		all.combined += due * (1 - math.Exp(-touches*since*ranks))
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

// memory is the bytes of a rank: two matrices, each with a copy as all ranks know it and a number for each row, the
// vocabulary, and messages.
func (t training) memory(ranks float64) float64 {
	const (
		words = 60      // bytes of a word: its text, its count, its place in a table of hashes
		piece = 1 << 15 // most rows that are exchanged at once
		peer  = 8000    // bytes that the engine has for another rank
	)
	row := 4 * float64(t.dim)
	messages := (3.75 + 2.5/ranks) * math.Min(piece, 2*t.law.words) * (row + 2)
	if ranks < 2 {
		return t.law.words * (2*row + words)
	}
	return t.law.words*(2*(2*row+4)+words) + messages + peer*(ranks-1)
}

// A cluster is machines with a rank each, and as many cores as workers. Ranks of a machine that share a model count as one.
type cluster struct {
	ranks, workers float64
	token          float64 // seconds of a worker for a token of dimension 100
	rows           rows    // seconds of the synchroniser
	link           float64 // bytes a second of a rank, in each direction
	byte           float64 // seconds of the thread that calls MPI, for a byte that is sent and one that is received
	latency        float64 // seconds of an exchange without data
}

// rows are what a turn takes for rows of 100 numbers.
type rows struct{ due, changed, combined float64 }

// of is what a turn takes for all rows.
func (r rows) of(t turn, dim int) float64 {
	return (t.due*r.due + t.changed*r.changed + t.combined*r.combined) * float64(dim) / 100
}

// here has times that were measured on one machine: of a token of dimension 100 and 840,000 words
// (docs/howto/huge-corpora.md), of rows (go test ./sgns/internal/ranks/replica -bench Turn), and of bytes over TCP
// (lab/cluster/exchange).
func here(ranks, workers, link float64) cluster {
	return cluster{
		ranks: ranks, workers: workers, token: 1 / 1.7e6, rows: rows{160e-9, 203e-9, 190e-9},
		link: link, byte: 0.45e-9, latency: 0.5e-3,
	}
}

// perRank is how many tokens a second the workers of a rank train if they do nothing else.
func (c cluster) perRank(dim int) float64 { return c.workers / (c.token * float64(dim) / 100) }

// duration is how long a turn takes, and stolen how much of the cores' time. As many goroutines as workers take part, beside
// the workers, so they have half of the cores. Bytes go no faster than the link, and than the thread that calls MPI.
func (c cluster) duration(t turn, dim int) (all, wire, stolen float64) {
	compute := c.rows.of(t, dim)
	wire = t.bytes * math.Max(1/c.link, c.byte)
	return compute/math.Max(c.workers/2, 1) + wire + 2*c.latency, wire, compute + t.bytes*c.byte
}

// A course is how a training goes on a cluster.
type course struct {
	apart float64 // tokens of a rank between two turns
	turn  turn
	speed float64 // tokens a second of all ranks
	busy  float64 // the part of the cores' time that trains
	sent  float64 // bytes a second of a rank
	cpu   float64 // seconds of all cores for a token
	by    string  // what sets how far turns are apart
}

// ahead is after how many times --sync-every since the last turn began workers wait: twice, and more with less than 8 ranks.
func (c cluster) ahead() float64 { return math.Max(2, math.Floor(80/(c.ranks*c.ranks))) }

// run returns the course of a training. The next turn begins when the last one is over, and not before
// a rank has trained every tokens.
func (c cluster) run(t training) course {
	of, alone := course{apart: t.every}, c.perRank(t.dim)
	if c.ranks < 2 {
		return course{speed: alone, busy: 1, by: "the workers", cpu: c.workers / alone}
	}
	var lasts, stolen float64
	for range 200 {
		of.turn = t.turn(c.ranks, of.apart)
		var wire float64
		lasts, wire, stolen = c.duration(of.turn, t.dim)
		meanwhile := math.Max(0, lasts-stolen/c.workers) * alone // tokens, if workers do not wait
		switch {
		case meanwhile < t.every:
			of.by = "--sync-every"
		case wire > lasts-wire:
			of.by = "the network"
		case 4*c.latency > lasts:
			of.by = "latency"
		default:
			of.by = "the synchroniser"
		}
		// The lead that a turn leaves, up to which workers train on during the next one, has what is trained between the two.
		next := math.Min(math.Max(meanwhile, t.every), c.ahead()*t.every/2)
		if math.Abs(next-of.apart) < of.apart*1e-4 {
			break
		}
		of.apart = (of.apart + next) / 2
	}
	between := math.Max(lasts, of.apart/alone+stolen/c.workers)
	of.speed, of.busy = c.ranks*of.apart/between, of.apart/alone/between
	of.sent, of.cpu = of.turn.bytes/between, (c.workers*of.apart/alone+stolen)/of.apart
	return of
}
