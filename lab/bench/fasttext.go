package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// fastText is the program of that name.
type fastText struct {
	path    string
	version string
}

// findFastText looks for fasttext in PATH.
func (b *bench) findFastText(ctx context.Context) *fastText {
	path, err := exec.LookPath("fasttext")
	if err != nil {
		b.notes = append(b.notes, "fastText is not here")
		return nil
	}
	return &fastText{path, "fastText " + b.debianVersion(ctx, "fasttext", path)}
}

// debianVersion is that of a package, or the path of its program where dpkg does
// not know.
func (b *bench) debianVersion(ctx context.Context, name, path string) string {
	c, err := b.run(ctx, order{name: "dpkg-query", args: []string{"-W", "-f", "${Version}", name}})
	if err != nil {
		return "(" + path + ")"
	}
	return strings.TrimSpace(string(c.stdout)) + " of Debian"
}

func (*fastText) title() string        { return "fastText" }
func (*fastText) defaultRate() float64 { return 0.05 }

// flags are the arguments of fasttext skipgram. It appends .bin and .vec to model.
func (*fastText) flags(text, model string, s settings) []string {
	args := []string{
		"skipgram", "-input", text, "-output", model,
		"-dim", strconv.Itoa(s.dim), "-ws", strconv.Itoa(window), "-neg", strconv.Itoa(negatives), "-loss", "ns",
		"-epoch", strconv.Itoa(s.epochs), "-minCount", strconv.Itoa(minCount), "-t", fmt.Sprint(sample),
		"-lr", strconv.FormatFloat(s.rate, 'g', -1, 64), "-thread", strconv.Itoa(s.threads), "-seed", strconv.Itoa(s.seed),
	}
	if !s.subwords {
		return append(args, "-maxn", "0")
	}
	return append(args, "-minn", strconv.Itoa(minNgram), "-maxn", strconv.Itoa(maxNgram), "-bucket", strconv.Itoa(buckets))
}

// train runs the program twice, with 0 epochs and with all: the difference of
// their CPU times is training. What both do is start, count, make the matrices and
// write them.
//
// The program goes on until it has seen epochs × all tokens of the file, an end of
// line for each line among them, but counts only known words on the way. So it
// trains more than its epochs, and is credited with all of it.
func (f *fastText) train(ctx context.Context, b *bench, s settings) (training, error) {
	model := b.path("fasttext-model")
	t := training{model: model + ".bin", litter: []string{model + ".vec"}}
	none := s
	none.epochs = 0
	base, err := b.run(ctx, order{name: f.path, args: f.flags(b.text.path, model, none)})
	if err != nil {
		return t, err
	}
	full, err := b.run(ctx, order{name: f.path, args: f.flags(b.text.path, model, s)})
	if err != nil {
		return t, err
	}
	t.tokens = float64(b.text.Tokens+b.text.Lines) * float64(s.epochs)
	t.seconds, t.peak = (full.cpu - base.cpu).Seconds(), full.peak
	return t, nil
}
