package trainers

import (
	"context"
	"fmt"
	"strconv"

	"github.com/w2v-go/w2v/lab/command"
)

// koanEpochs are five, as of the other programs. The program's own default is one.
const koanEpochs = 5

// Koan is the program of that name.
type Koan struct {
	Path        string
	fingerprint string
	command.Runner
}

// FindKoan looks for koan in PATH.
func FindKoan(r command.Runner) (*Koan, error) {
	path, sum, err := find("koan")
	if err != nil {
		return nil, err
	}
	return &Koan{path, sum, r}, nil
}

// Title is koan.
func (*Koan) Title() string { return "koan" }

// Version is the name with the path: the program does not say its version.
func (k *Koan) Version() string { return "koan (" + k.Path + ")" }

// Fingerprint is a checksum of the program.
func (k *Koan) Fingerprint() string { return k.fingerprint }

// Lacks says that there are no n-grams.
func (*Koan) Lacks(s Settings) string {
	if s.Subwords {
		return "n-grams"
	}
	return ""
}

// Seeded is false.
func (*Koan) Seeded() bool { return false }

// Arguments are those of koan, for so many epochs.
func (k *Koan) Arguments(text, model string, epochs int, s Settings) []string {
	args := []string{
		"--files", text, "--embedding-path", model, "--no-progress", "--cbow", strconv.FormatBool(s.CBOW),
		"--dim", strconv.Itoa(s.Dim), "--epochs", strconv.Itoa(epochs), "--threads", strconv.Itoa(s.Threads),
	}
	args = flag(args, "--context-size", s.Window)
	args = flag(args, "--negatives", s.Negatives)
	args = flag(args, "--min-count", s.MinCount)
	args = flag(args, "--downsample-threshold", s.Sample)
	return flag(args, "--learning-rate", s.Rate)
}

// Train runs the program twice, with other numbers of epochs: the difference of their CPU times
// is training.
func (k *Koan) Train(ctx context.Context, text Text, model string, s Settings) (Trained, error) {
	if lacks := k.Lacks(s); lacks != "" {
		return Trained{}, fmt.Errorf("koan has no %s", lacks)
	}
	t := Trained{Model: model + ".txt", Epochs: s.Epochs}
	t.litter = []string{t.Model + ".vocab"}
	if t.Epochs == 0 {
		t.Epochs = koanEpochs
	}
	return trainTwice(t, text, func(epochs int) (command.Used, error) {
		return k.Run(ctx, command.Order{Name: k.Path, Args: k.Arguments(text.Path, t.Model, epochs, s)})
	})
}
