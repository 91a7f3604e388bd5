package main

import (
	"fmt"
	"io"
	"math"
)

// A division is how a model is divided over ranks: see docs/scale.md, divided mode.
type division struct {
	training
	turn, round float64 // tokens of a rank in each
	head, pool  float64 // words
}

// divided is a division with the sizes that w2v chooses for so many ranks, and tokens of each.
func divided(t training, ranks, part float64) division {
	fewer := math.Max(math.Floor(8/ranks), 1)
	d := division{training: t, turn: 20_000 * fewer, round: math.Max(50_000*fewer, math.Min(part/1000, 1e6)), head: 4096}
	d.round = math.Min(d.round, part/10)
	d.pool = d.round / 6
	often := 0.0
	for c := range t.classes() {
		if c.share*d.round >= 1 {
			often += c.words
		}
	}
	d.head = math.Min(math.Max(d.head, often), t.words)
	d.between(d.turn, 0)
	d.worth = ranks // a touch by each
	return d
}

// working is rows of one round, and of turns.
type working struct {
	text, pool float64 // words whose rows a round needs: for its text, and for its pool alone
	turn       turn    // of the head
}

// rows returns the rows that a rank fetches and sends.
func (d division) rows(ranks float64) (w working) {
	first, noise := 0.0, 0.0
	var tail []class
	for c := range d.classes() {
		if first += c.words; first > d.head {
			tail = append(tail, c)
			noise += c.words * math.Pow(c.share, d.noise)
		}
	}
	for _, c := range tail {
		absent := math.Exp(-c.share * d.round)
		w.text += c.words * (1 - absent)
		w.pool += c.words * absent * (1 - math.Exp(-d.pool*math.Pow(c.share, d.noise)/noise))
	}
	head := d.training
	head.first = d.head
	w.turn = head.turn(ranks, d.every)
	return w
}

// bytes is how many bytes all ranks send for each token.
func (d division) bytes(ranks float64) float64 {
	w := d.rows(ranks)
	row, others := float64(4+d.dim), (ranks-1)/ranks
	round := 2*row*(2*w.text+w.pool) + d.gap*(w.text+w.pool) // there and back; and their numbers
	return others*round/d.round + w.turn.bytes/d.every
}

// memory is the bytes of a rank: its rows, the head with a copy as all ranks know it, the rows of a round with a
// copy and as they travel, and the vocabulary.
func (d division) memory(ranks float64) float64 {
	const vocabulary = 200 // bytes of a word
	w := d.rows(ranks)
	row := 4 * float64(d.dim)
	slots := 2*w.text + w.pool
	return 2*row*(d.words-d.head)/ranks + 4*row*d.head + slots*(2*row+5*float64(4+d.dim)) + vocabulary*d.words
}

// speed is how many tokens a second all ranks train, and what sets it. Workers wait for turns; the rows of
// rounds arrive while they train.
func (c cluster) speed(d division) (speed float64, by string) {
	w := d.rows(c.ranks)
	worker := c.token * float64(d.dim) / 100 / c.workers
	rounds := (2*w.text + w.pool) / d.round * (c.rows.changed + c.rows.combined) * float64(d.dim) / 100 / c.workers
	turn := (c.rows.of(w.turn, d.dim)/c.workers + 2*c.latency + w.turn.bytes*math.Max(1/c.link, c.byte)) / d.every // the workers stand still
	link := d.bytes(c.ranks) * math.Max(1/c.link, c.byte)
	switch busy := worker + rounds + turn; {
	case link > busy:
		return c.ranks / link, "the network"
	case turn > worker+rounds:
		return c.ranks / busy, "turns"
	default:
		return c.ranks / busy, "the workers"
	}
}

// dividedTable writes the costs of an epoch of a trillion tokens with a model that is divided.
func dividedTable(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "\n| words | ranks × workers | link | --sync-every | bytes a token | set by | hours | memory of a rank |\n|---|---|---|---:|---:|---|---:|---:|\n"); err != nil {
		return err
	}
	const dim = 128
	for _, words := range []float64{1e6, 1e8} {
		t := usual(law{words, wikipedia.shift, wikipedia.exponent}, dim)
		for _, size := range [][2]float64{{8, 8}, {64, 64}} {
			for _, link := range []float64{10, 100} {
				for _, every := range []float64{20_000, 200_000} {
					c, d := here(size[0], size[1], link*1e9/8), divided(t, size[0], trillion/size[0])
					d.turn = every
					d.between(every, 0)
					speed, by := c.speed(d)
					_, err := fmt.Fprintf(w, "| %s | %.0f × %.0f | %.0f Gbit/s | %s | %.0f | %s | %.2g | %.3g GB |\n",
						short(words), size[0], size[1], link, short(every), d.bytes(size[0]), by, trillion/speed/3600, d.memory(size[0])/1e9)
					if err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
