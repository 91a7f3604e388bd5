package trainers

import (
	"context"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/lab/command"
)

// fastTextEpochs is the program's default.
const fastTextEpochs = 5

// FastTextThreads are how many threads the program needs at least: ten parts of its matrix are
// filled at the start, by a thread each, and the other parts remain zeros.
const FastTextThreads = 12

// FastText is the program of that name.
type FastText struct {
	Path        string
	name        string
	fingerprint string
	command.Runner
}

// FindFastText looks for fasttext in PATH.
func FindFastText(ctx context.Context, r command.Runner) (*FastText, error) {
	path, sum, err := find("fasttext")
	if err != nil {
		return nil, err
	}
	name := "fastText (" + path + ")"
	// Where dpkg knows the program's package, that has a version.
	if c, err := r.Run(ctx, command.Order{Name: "dpkg-query", Args: []string{"-W", "-f", "${Version}", "fasttext"}}); err == nil {
		name = "fastText " + strings.TrimSpace(string(c.Stdout)) + " of Debian"
	}
	return &FastText{path, name, sum, r}, nil
}

// Title is fastText.
func (*FastText) Title() string { return "fastText" }

// Version is the name with the version of Debian's package, or with the path.
func (f *FastText) Version() string { return f.name }

// Fingerprint is a checksum of the program.
func (f *FastText) Fingerprint() string { return f.fingerprint }

// Lacks is always empty.
func (*FastText) Lacks(Settings) string { return "" }

// Seeded is true.
func (*FastText) Seeded() bool { return true }

// Arguments are those of fasttext, for so many epochs, which may be 0. The program appends .bin
// and .vec to model.
func (f *FastText) Arguments(text, model string, epochs int, s Settings) []string {
	architecture := "skipgram"
	if s.CBOW {
		architecture = "cbow"
	}
	args := []string{
		architecture, "-input", text, "-output", model, "-loss", "ns",
		"-dim", strconv.Itoa(s.Dim), "-epoch", strconv.Itoa(epochs), "-thread", strconv.Itoa(s.Threads),
		"-seed", strconv.FormatUint(s.Seed, 10),
	}
	args = flag(args, "-ws", s.Window)
	args = flag(args, "-neg", s.Negatives)
	args = flag(args, "-minCount", s.MinCount)
	args = flag(args, "-t", s.Sample)
	args = flag(args, "-lr", s.Rate)
	if !s.Subwords {
		return append(args, "-maxn", "0")
	}
	args = flag(args, "-minn", s.MinN)
	args = flag(args, "-maxn", s.MaxN)
	return flag(args, "-bucket", s.Buckets)
}

// Train runs the program twice, with 0 epochs and with all: the difference of their CPU times is
// training. What both do is start, count, make the matrices and write them.
//
// The program goes on until it has seen epochs × all tokens of the file, an end of line for each
// line among them, but counts only known words on the way. So it trains more than its epochs, and
// is credited with all of it.
func (f *FastText) Train(ctx context.Context, text Text, model string, s Settings) (Trained, error) {
	t := Trained{Model: model + ".bin", Epochs: s.Epochs, litter: []string{model + ".vec"}}
	if t.Epochs == 0 {
		t.Epochs = fastTextEpochs
	}
	base, err := f.Run(ctx, command.Order{Name: f.Path, Args: f.Arguments(text.Path, model, 0, s)})
	if err != nil {
		return t, err
	}
	full, err := f.Run(ctx, command.Order{Name: f.Path, Args: f.Arguments(text.Path, model, t.Epochs, s)})
	if err != nil {
		return t, err
	}
	t.Tokens = float64(text.Tokens+text.Lines) * float64(t.Epochs)
	t.Seconds, t.Peak = (full.CPU - base.CPU).Seconds(), full.Peak
	return t, nil
}
