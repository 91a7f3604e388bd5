package trainers

import (
	"context"
	"fmt"
	"strconv"

	"github.com/w2v-go/w2v/lab/command"
)

// word2vecEpochs is the default of word2vec and of pWord2Vec.
const word2vecEpochs = 5

// Word2Vec is Google's word2vec, or a program with the same flags.
type Word2Vec struct {
	Path        string
	title       string
	fingerprint string
	cbow        bool // it has flags for the architecture
	command.Runner
}

// FindWord2Vec looks for word2vec in PATH.
func FindWord2Vec(r command.Runner) (*Word2Vec, error) { return findWord2Vec("word2vec", true, r) }

// FindPWord2Vec looks for pWord2Vec in PATH, which trains in small matrix products.
func FindPWord2Vec(r command.Runner) (*Word2Vec, error) { return findWord2Vec("pWord2Vec", false, r) }

func findWord2Vec(name string, cbow bool, r command.Runner) (*Word2Vec, error) {
	path, sum, err := find(name)
	if err != nil {
		return nil, err
	}
	return &Word2Vec{path, name, sum, cbow, r}, nil
}

// Title is the program's name.
func (w *Word2Vec) Title() string { return w.title }

// Version is the name with the path: the program does not say its version.
func (w *Word2Vec) Version() string { return w.title + " (" + w.Path + ")" }

// Fingerprint is a checksum of the program.
func (w *Word2Vec) Fingerprint() string { return w.fingerprint }

// Lacks says that there are no n-grams, and in pWord2Vec no CBOW.
func (w *Word2Vec) Lacks(s Settings) string {
	switch {
	case s.Subwords:
		return "n-grams"
	case s.CBOW && !w.cbow:
		return "CBOW"
	}
	return ""
}

// Seeded is false: the generators begin with the numbers of the threads.
func (*Word2Vec) Seeded() bool { return false }

// Arguments are those of word2vec, for so many epochs.
func (w *Word2Vec) Arguments(text, model string, epochs int, s Settings) []string {
	args := []string{
		"-train", text, "-output", model, "-binary", "1", "-debug", "0",
		"-size", strconv.Itoa(s.Dim), "-iter", strconv.Itoa(epochs), "-threads", strconv.Itoa(s.Threads),
	}
	if w.cbow {
		args = append(args, "-cbow", map[bool]string{false: "0", true: "1"}[s.CBOW])
	}
	args = flag(args, "-window", s.Window)
	args = flag(args, "-negative", s.Negatives)
	args = flag(args, "-min-count", s.MinCount)
	args = flag(args, "-sample", s.Sample)
	return flag(args, "-alpha", s.Rate)
}

// Train runs the program twice, with other numbers of epochs: the difference of their CPU times
// is training.
func (w *Word2Vec) Train(ctx context.Context, text Text, model string, s Settings) (Trained, error) {
	if lacks := w.Lacks(s); lacks != "" {
		return Trained{}, fmt.Errorf("%s has no %s", w.title, lacks)
	}
	t := Trained{Model: model + ".bin", Epochs: s.Epochs}
	if t.Epochs == 0 {
		t.Epochs = word2vecEpochs
	}
	return trainTwice(t, text, func(epochs int) (command.Used, error) {
		return w.Run(ctx, command.Order{Name: w.Path, Args: w.Arguments(text.Path, t.Model, epochs, s), Env: command.Threads(1)})
	})
}

// trainTwice trains t.Epochs epochs after another number of epochs: the difference of the CPU
// times is training. Both numbers are at least 1, because not all programs can train none.
func trainTwice(t Trained, text Text, train func(epochs int) (command.Used, error)) (Trained, error) {
	other := 1
	if t.Epochs == 1 {
		other = 2
	}
	part, err := train(other)
	if err != nil {
		return t, err
	}
	full, err := train(t.Epochs)
	if err != nil {
		return t, err
	}
	t.Tokens = float64(text.Tokens) * float64(t.Epochs)
	t.Seconds = trainingSeconds(full.CPU.Seconds(), part.CPU.Seconds(), t.Epochs, other, t.Epochs)
	t.Peak = full.Peak
	return t, nil
}
