package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/w2v-go/w2v/lab/figures"
)

// What all programs train with, besides the settings of a run: the usual settings
// of word2vec and fastText.
const (
	window    = 5
	negatives = 5
	minCount  = 5
	sample    = 1e-3
	minNgram  = 3
	maxNgram  = 6
	buckets   = 2_000_000
)

// settings are those of one training run.
type settings struct {
	dim      int
	cbow     bool
	subwords bool
	epochs   int
	threads  int
	rate     float64 // 0 for what w2v takes by itself
	seed     int
}

func (s settings) String() string {
	ngrams := "words"
	if s.subwords {
		ngrams = fmt.Sprintf("subwords of %d–%d, %d buckets", minNgram, maxNgram, buckets)
	}
	if s.cbow {
		ngrams = "CBOW, " + ngrams
	}
	return fmt.Sprintf("%s, dim %d, window %d, %d negatives, %d epochs, min-count %d, sample %g, threads %d",
		ngrams, s.dim, window, negatives, s.epochs, minCount, sample, s.threads)
}

// A training is what a run took and where its model is.
type training struct {
	tokens  float64 // trained, over all epochs
	seconds float64 // CPU time of training alone
	peak    float64 // bytes that the whole process had resident at most
	model   string
	litter  []string // other files that it wrote
}

// remove deletes the files of the run.
func (t training) remove() error {
	for _, path := range append(t.litter, t.model) {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// A trainer is a program that trains.
type trainer interface {
	title() string
	defaultRate() float64
	train(ctx context.Context, b *bench, s settings) (training, error)
}

// A contestant is a program with a learning rate.
type contestant struct {
	trainer
	rate float64
	row  *row
}

// contestants are w2v and its peers, each peer with its own learning rate and next
// to a w2v with the same.
func (b *bench) contestants(peers []trainer) []contestant {
	rivals := make(map[float64]*row)
	var all []contestant
	add := func(t trainer, rate float64) *row {
		r := &row{Program: t.title(), Setting: fmt.Sprintf("rate %g", rate), rival: rivals[rate]}
		all = append(all, contestant{t, rate, r})
		return r
	}
	if len(peers) == 0 {
		add(b.ours, b.rateOf(b.ours))
	}
	for _, peer := range peers {
		rate := b.rateOf(peer)
		if rivals[rate] == nil {
			rivals[rate] = add(b.ours, rate)
		}
		add(peer, rate)
	}
	return all
}

// rateOf is the learning rate that a program trains with.
func (b *bench) rateOf(t trainer) float64 {
	if b.rate != 0 {
		return b.rate
	}
	return t.defaultRate()
}

const (
	speedKey = "tokens_per_cpu_second"
	peakKey  = "peak_bytes"
)

// compareTraining trains with all programs in turn, round after round.
func (b *bench) compareTraining(ctx context.Context, s settings, peers []trainer) (result, error) {
	s.epochs, s.threads = b.epochs, b.threads
	all := b.contestants(peers)
	if s.cbow { // w2v gives contexts a share of the gradient, and so wants another rate
		all = append(all, contestant{b.ours, 0, &row{Program: b.ours.title(), Setting: "its own rate"}})
	}
	r := result{
		Title: "Training: " + s.String(),
		Metrics: []metric{
			{Key: speedKey, Title: "tokens per CPU-second", show: figures.Shown(figures.Millions), ratio: larger},
			{Key: peakKey, Title: "peak memory", show: figures.Shown(figures.Megabytes), ratio: smaller},
		},
	}
	for _, set := range b.sets {
		r.Metrics = append(r.Metrics, metric{Key: set.name, Title: set.name, show: figures.MeanAndDeviation})
	}
	for _, c := range all {
		r.Rows = append(r.Rows, c.row)
	}
	for round := 1; round <= b.rounds; round++ {
		for _, c := range all {
			s.rate, s.seed = c.rate, round
			if err := b.sampleTraining(ctx, c, s); err != nil {
				return r, err
			}
			last := func(key string) float64 { return c.row.Samples[key][round-1] }
			b.logf("round %d of %d: %s, %s: %s tokens per CPU-second, %s",
				round, b.rounds, c.title(), c.row.Setting, figures.Millions(last(speedKey)), figures.Megabytes(last(peakKey)))
		}
	}
	r.Notes = append(b.coverage(r.Rows), memoryNotes()...)
	return r, nil
}

// sampleTraining trains once, and adds what that took and what came of it to the
// contestant's row.
func (b *bench) sampleTraining(ctx context.Context, c contestant, s settings) error {
	t, err := c.train(ctx, b, s)
	if err != nil {
		return err
	}
	if t.seconds <= 0 {
		return fmt.Errorf("%s: the corpus is too small to measure training", c.title())
	}
	c.row.add(speedKey, t.tokens/t.seconds)
	c.row.add(peakKey, t.peak)
	scores, err := b.score(ctx, t.model)
	if err != nil {
		return err
	}
	for _, score := range scores {
		if score.value != nil {
			c.row.add(score.set, *score.value)
		}
		c.row.add(score.set+" used", float64(score.used))
	}
	return t.remove()
}

// coverage says how many pairs and questions were scored.
func (b *bench) coverage(rows []*row) []string {
	var each []string
	for _, set := range b.sets {
		var used []string
		same := true
		for _, r := range rows {
			n := fmt.Sprintf("%.0f", figures.Median(r.Samples[set.name+" used"]))
			same = same && (len(used) == 0 || n == used[0])
			used = append(used, n)
		}
		if same {
			used = used[:1]
		}
		each = append(each, set.name+" "+strings.Join(used, "/"))
	}
	if len(each) == 0 {
		return nil
	}
	return []string{"Pairs and questions scored, row by row where they differ: " + strings.Join(each, ", ") + "."}
}
