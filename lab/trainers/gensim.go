package trainers

import (
	"context"

	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/peers/gensim"
)

// Gensim is the Python library of that name.
type Gensim struct {
	name string
	command.Runner
}

// FindGensim looks for gensim in Debian's Python.
func FindGensim(ctx context.Context, r command.Runner) (*Gensim, error) {
	c, err := r.Run(ctx, command.Order{Name: gensim.Python, Args: []string{"-c", gensim.VersionScript}})
	if err != nil {
		return nil, err
	}
	version, err := gensim.Version(c.Stdout)
	if err != nil {
		return nil, err
	}
	return &Gensim{version, r}, nil
}

// Title is gensim.
func (*Gensim) Title() string { return "gensim" }

// Version has the versions of gensim and of the libraries below it.
func (g *Gensim) Version() string { return g.name }

// Fingerprint is the version with the script that trains.
func (g *Gensim) Fingerprint() string { return g.name + gensim.TrainScript }

// Lacks is always empty.
func (*Gensim) Lacks(Settings) string { return "" }

// Seeded is true.
func (*Gensim) Seeded() bool { return true }

// Ask runs a script and reads the JSON that it prints into answer.
func (g *Gensim) Ask(ctx context.Context, script string, answer any, args ...string) (command.Used, error) {
	return gensim.Ask(ctx, g.Runner, script, answer, args...)
}

// Train measures the process's CPU time around train(), after build_vocab(), in a script of its
// own. The libraries below it get one thread: gensim has its own.
func (g *Gensim) Train(ctx context.Context, text Text, model string, s Settings) (Trained, error) {
	t := Trained{Model: model + ".bin", Epochs: s.Epochs}
	var answer gensim.Trained
	c, err := g.Ask(ctx, gensim.TrainScript, &answer, gensim.Training{
		Corpus: text.Path, Output: t.Model, CBOW: s.CBOW,
		Dim: s.Dim, Window: s.Window, Negatives: s.Negatives, Epochs: s.Epochs, MinCount: s.MinCount, Sample: s.Sample,
		Rate: s.Rate, Threads: s.Threads, Seed: s.Seed,
		Subwords: s.Subwords, MinN: s.MinN, MaxN: s.MaxN, Buckets: s.Buckets,
	}.Argument())
	t.Epochs = answer.Epochs
	t.Tokens, t.Seconds, t.Peak = answer.Tokens*float64(t.Epochs), answer.CPUSeconds, c.Peak
	return t, err
}
