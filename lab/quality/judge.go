package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/product"
	"github.com/w2v-go/w2v/lab/trainers"
)

// minCount is how often a word must be seen: the default of most of the programs.
const minCount = 5

// peerEpochs are those of the programs that w2v is compared with.
const peerEpochs = 5

// A judge has what all trainings need.
type judge struct {
	options
	folder    string // of models and texts
	texts     []text
	cache     cache
	processor string
	batteries map[string]battery.Battery // by language
	hashes    map[string]string          // fingerprints of the batteries
	ours      []*trainers.W2V            // without flags, and then with those of the settings
	peers     []trainers.Trainer
	notes     []string // which peers are missing
}

// readBatteries reads the sets of the texts' languages.
func (j *judge) readBatteries(ctx context.Context) (err error) {
	j.batteries, j.hashes = make(map[string]battery.Battery), make(map[string]string)
	for _, t := range j.texts {
		b, err := battery.Read(filepath.Join(j.eval, t.language), t.language)
		if err != nil {
			return err
		}
		j.batteries[t.language] = b
		if j.hashes[t.language], err = b.Fingerprint(ctx); err != nil {
			return err
		}
	}
	return nil
}

// findPrograms builds or finds w2v, and finds its peers as far as they are here. It wants to know
// of each name in -only what it means.
func (j *judge) findPrograms(ctx context.Context) error {
	runner := command.Runner{Limit: j.limit}
	ours, err := findW2V(ctx, j.w2v, j.folder, runner)
	if err != nil {
		return err
	}
	known := []string{"w2v"}
	if has(j.only.programs, "w2v") {
		j.ours = append(j.ours, ours)
	}
	for _, s := range j.settings {
		known = append(known, s.label)
		if has(j.only.programs, s.label) {
			j.ours = append(j.ours, ours.With(s.label, s.flags))
		}
	}
	names := trainers.PeerNames()
	for _, name := range names {
		known = append(known, name)
		if !has(j.only.programs, name) {
			continue
		}
		peer, err := trainers.FindPeer(ctx, name, runner)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			j.notes = append(j.notes, name+" is not here")
			continue
		}
		j.peers = append(j.peers, peer)
	}
	for _, name := range j.only.programs {
		if !slices.Contains(known, name) {
			return fmt.Errorf("-only: %q is none of %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

// findW2V finds the program at a path, or builds it from this repository. Its file does not
// depend on commits, so that what is the same program has the same results.
func findW2V(ctx context.Context, path, folder string, r command.Runner) (*trainers.W2V, error) {
	if path != "" {
		return trainers.NewW2V(path, "w2v: "+path, r)
	}
	path = filepath.Join(folder, product.FileName())
	if err := product.Build(ctx, path, "-buildvcs=false"); err != nil {
		return nil, err
	}
	return trainers.NewW2V(path, product.Version(ctx), r)
}

// versions names all programs that take part, and those that are missing.
func (j *judge) versions() []string {
	var all []string
	if len(j.ours) > 0 {
		all = append(all, j.ours[0].Version())
	}
	for _, p := range j.peers {
		all = append(all, p.Version())
	}
	return append(all, j.notes...)
}

// runAll trains all that is not in the cache, and returns what is known of all contests. A
// training that fails is an error too, and the others go on.
func (j *judge) runAll(ctx context.Context) ([]*contest, error) {
	var all []*contest
	var errs []error
	for _, t := range j.texts {
		for _, kind := range []string{words, ngrams} {
			for _, dim := range j.dims {
				if !has(j.only.kinds, kind) {
					continue
				}
				c := &contest{Text: t.name, Tokens: t.Tokens, Kind: kind, Dim: dim, Sets: j.batteries[t.language].Names()}
				all = append(all, c)
				errs = append(errs, j.hold(ctx, c, t))
				if ctx.Err() != nil {
					return all, fmt.Errorf("%w: the same command goes on from here", context.Cause(ctx))
				}
			}
		}
	}
	return all, errors.Join(errs...)
}

// hold fills a contest.
func (j *judge) hold(ctx context.Context, c *contest, t text) error {
	var errs []error
	for _, w := range j.ours {
		r := &row{Program: w.Title(), Ours: true}
		c.Rows = append(c.Rows, r)
		errs = append(errs, j.trainSeeds(ctx, c, t, w, 0, &r.Runs))
		for _, epochs := range j.epochs {
			if len(r.Runs) > 0 && r.Runs[0].Epochs == epochs {
				continue // these are the program's own
			}
			errs = append(errs, j.trainSeeds(ctx, c, t, w, epochs, &r.Longer))
		}
	}
	for _, p := range j.peers {
		if p.Lacks(j.settingsOf(c, p)) != "" {
			continue
		}
		r := &row{Program: p.Title()}
		c.Rows = append(c.Rows, r)
		errs = append(errs, j.trainSeeds(ctx, c, t, p, peerEpochs, &r.Runs))
	}
	return errors.Join(errs...)
}

// settingsOf are those of a contest for a program, but for epochs and seed.
func (j *judge) settingsOf(c *contest, p trainers.Trainer) trainers.Settings {
	s := trainers.Settings{Dim: c.Dim, MinCount: minCount, Threads: j.threads, Subwords: c.Kind == ngrams}
	if _, ok := p.(*trainers.FastText); ok {
		s.Threads = max(s.Threads, trainers.FastTextThreads)
	}
	return s
}

// trainSeeds appends the results of all seeds, or of one if the program has no seed.
func (j *judge) trainSeeds(ctx context.Context, c *contest, t text, p trainers.Trainer, epochs int, to *[]result) error {
	seeds := j.seeds
	if !p.Seeded() {
		seeds = []uint64{0}
	}
	var errs []error
	for _, seed := range seeds {
		s := j.settingsOf(c, p)
		s.Epochs, s.Seed = epochs, seed
		r, found, err := j.train(ctx, t, p, s)
		switch {
		case ctx.Err() != nil:
			return nil // runAll says so
		case err != nil:
			errs = append(errs, fmt.Errorf("%s, %s, dim %d, %s: %w", c.Text, c.Kind, c.Dim, p.Title(), err))
		case found:
			*to = append(*to, r)
		}
	}
	return errors.Join(errs...)
}

// train trains and scores, unless the result is there. With -cached it may be found nowhere.
func (j *judge) train(ctx context.Context, t text, p trainers.Trainer, s trainers.Settings) (_ result, found bool, err error) {
	k := key{Text: t.hash, Program: p.Fingerprint(), Settings: s, Battery: j.hashes[t.language], Processor: j.processor}
	if w, ok := p.(*trainers.W2V); ok {
		k.Flags = w.Flags
	}
	r, found, err := j.cache.load(k)
	if found || err != nil || j.cached {
		return r, found, err
	}
	trained, err := p.Train(ctx, t.Text, filepath.Join(j.folder, "model"), s)
	if err != nil {
		return r, false, err
	}
	r = result{
		Epochs: trained.Epochs, Tokens: trained.Tokens, CPUSeconds: trained.Seconds, PeakBytes: trained.Peak,
		When: time.Now().UTC().Format(time.RFC3339), Version: p.Version(),
	}
	r.Scores, err = j.batteries[t.language].ScoreFile(ctx, trained.Model)
	if err := errors.Join(err, trained.Remove()); err != nil {
		return r, false, err
	}
	logf("%s, dim %d, %s, %d epochs, seed %d: %.3f in %.1f CPU-seconds", t.name, s.Dim, p.Title(), r.Epochs, s.Seed, battery.Mean(r.Scores), r.CPUSeconds)
	return r, true, j.cache.save(k, r)
}
