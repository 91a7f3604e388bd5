package trainers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/w2v-go/w2v/lab/command"
)

// W2V is the program of this repository, with flags or without.
type W2V struct {
	Path  string
	Label string   // "w2v" if empty
	Name  string   // with its version
	Flags []string // of w2v train, which settings go before
	// Extension is that of models: ".w2v" if it is empty. The format of ".bin" is fastText's with
	// subwords, else word2vec's.
	Extension string

	command.Runner
	fingerprint string
}

// NewW2V returns a program by its path.
func NewW2V(path, version string, r command.Runner) (*W2V, error) {
	sum, err := hashFile(path)
	if err != nil {
		return nil, err
	}
	return &W2V{Path: path, Name: version, Runner: r, fingerprint: sum + " " + os.Getenv("W2V_SIMD")}, nil
}

// With returns the same program with other flags of w2v train, by a name for tables.
func (w *W2V) With(label string, flags []string) *W2V {
	other := *w
	other.Label, other.Flags = label, flags
	return &other
}

// Title is the label.
func (w *W2V) Title() string {
	if w.Label == "" {
		return "w2v"
	}
	return w.Label
}

// Version is the name with its version.
func (w *W2V) Version() string { return w.Name }

// Fingerprint is a checksum of the program with the kernels that the environment asks for.
func (w *W2V) Fingerprint() string { return w.fingerprint }

// Lacks is always empty: w2v has all settings.
func (*W2V) Lacks(Settings) string { return "" }

// Seeded is true.
func (*W2V) Seeded() bool { return true }

// Arguments are those of w2v train.
func (w *W2V) Arguments(text, model string, s Settings) []string {
	args := []string{
		"train", text, "-o", model, "--json", "--progress", "never", "--cache", filepath.Dir(model),
		"--dim", strconv.Itoa(s.Dim), "--threads", strconv.Itoa(s.Threads), "--seed", strconv.FormatUint(s.Seed, 10),
	}
	args = append(args, w.Flags...)
	args = flag(args, "--window", s.Window)
	args = flag(args, "--negatives", s.Negatives)
	args = flag(args, "--epochs", s.Epochs)
	args = flag(args, "--min-count", s.MinCount)
	args = flag(args, "--sample", s.Sample)
	args = flag(args, "--lr", s.Rate)
	if s.CBOW {
		args = append(args, "--arch", "cbow")
	}
	if s.Subwords {
		args = append(args, "--subwords", "fasttext")
		args = flag(args, "--minn", s.MinN)
		args = flag(args, "--maxn", s.MaxN)
		args = flag(args, "--buckets", s.Buckets)
	}
	return args
}

// A Summary is what w2v train --json prints.
type Summary struct {
	Tokens         uint64  `json:"tokens"`
	Vocab          int     `json:"vocab"`
	Epochs         int     `json:"epochs"`
	Trained        uint64  `json:"trained"`
	Seconds        float64 `json:"seconds"`     // of preparing and training
	CPUSeconds     float64 `json:"cpu_seconds"` // of preparing and training
	CountSeconds   float64 `json:"count_seconds"`
	PrepareSeconds float64 `json:"prepare_seconds"`
	SaveSeconds    float64 `json:"save_seconds"`
	MemoryBytes    float64 `json:"memory_bytes"` // that the program announces
	Complete       bool    `json:"complete"`

	TokensPerSecond float64 `json:"tokens_per_second"`
}

// Summarize trains with arguments and returns what the program says of it.
func (w *W2V) Summarize(ctx context.Context, args []string) (Summary, command.Used, error) {
	var s Summary
	c, err := w.Run(ctx, command.Order{Name: w.Path, Args: args})
	if err != nil {
		return s, c, err
	}
	if err := json.Unmarshal(c.Stdout, &s); err != nil {
		return s, c, fmt.Errorf("w2v train: %w", err)
	}
	if !s.Complete {
		return s, c, errors.New("w2v train stopped early")
	}
	return s, c, nil
}

// Train takes the program's own word for the CPU time of training, which starts when the corpus
// is counted and cached and ends before the model is written.
func (w *W2V) Train(ctx context.Context, text Text, model string, s Settings) (Trained, error) {
	t := Trained{Model: model + ".w2v"}
	if w.Extension != "" {
		t.Model = model + w.Extension
	}
	done, c, err := w.Summarize(ctx, w.Arguments(text.Path, t.Model, s))
	t.Tokens, t.Epochs = float64(done.Tokens)*float64(done.Epochs), done.Epochs
	t.Seconds, t.Peak = done.CPUSeconds, c.Peak
	return t, err
}
