package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/peers/gensim"
	"github.com/w2v-go/w2v/lab/trainers"
)

// compareLoading measures one question to a model on disk: start, load, answer,
// end. All programs read the same files, which w2v trains for one epoch; its own
// format is what w2v train writes of the same settings.
func (b *bench) compareLoading(ctx context.Context) (result, error) {
	const key = "seconds"
	r := result{
		Title: "One nearest-neighbour query with start-up and load, dim 100",
		Metrics: []metric{
			{Key: key, Title: "wall", show: figures.Shown(figures.Seconds), ratio: smaller},
			{Key: peakKey, Title: "peak memory", show: figures.Shown(figures.Megabytes), ratio: smaller},
		},
	}
	type asked struct {
		*row
		command.Order
	}
	var all []asked
	for _, subwords := range []bool{true, false} {
		kind, file := "words", "words, word2vec's .bin"
		if subwords {
			kind, file = "subwords", "subwords, fastText's .bin"
		}
		model, native := b.path(kind+".bin"), b.path(kind+".w2v")
		word, err := b.modelsToLoad(ctx, subwords, model, native)
		if err != nil {
			return r, err
		}
		ours := &row{Program: "w2v", Setting: file}
		all = append(all, asked{ours, command.Order{Name: b.ours.Path, Args: []string{"nn", model, word}}})
		if b.fast != nil && subwords {
			all = append(all, asked{&row{Program: "fastText", Setting: file, rival: ours},
				command.Order{Name: b.fast.Path, Args: []string{"nn", model, "10"}, Stdin: word + "\n"}})
		}
		if b.gen != nil {
			all = append(all, asked{&row{Program: "gensim", Setting: file, rival: ours},
				command.Order{Name: gensim.Python, Args: []string{"-c", gensimLoad, kind, model, word}}})
		}
		all = append(all, asked{&row{Program: "w2v", Setting: kind + ", its own format"},
			command.Order{Name: b.ours.Path, Args: []string{"nn", native, word}}})
	}
	for _, a := range all {
		r.Rows = append(r.Rows, a.row)
		if _, err := b.Run(ctx, a.Order); err != nil { // so that each finds the file in memory
			return r, err
		}
	}
	for range b.rounds {
		for _, a := range all {
			c, err := b.Run(ctx, a.Order)
			if err != nil {
				return r, err
			}
			a.add(key, c.Wall.Seconds())
			a.add(peakKey, c.Peak)
		}
	}
	return r, nil
}

// modelsToLoad trains for one epoch into each of the files and picks a word that
// they have.
func (b *bench) modelsToLoad(ctx context.Context, subwords bool, models ...string) (word string, err error) {
	counts := b.path("counts.txt")
	s := fixed(trainers.Settings{Dim: 100, Subwords: subwords, Epochs: 1, Threads: 2, Seed: 1})
	for _, model := range models {
		if _, _, err := b.ours.Summarize(ctx, append(b.ours.Arguments(b.text.Path, model, s), "--save-vocab", counts)); err != nil {
			return "", err
		}
	}
	return wordInLine(counts, 100)
}

// wordInLine returns the first word of line n of a file, or of its last line if
// there are fewer.
func wordInLine(path string, n int) (word string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	lines := bufio.NewScanner(file)
	for i := 0; i < n && lines.Scan(); i++ {
		word, _, _ = strings.Cut(strings.ReplaceAll(lines.Text(), "\t", " "), " ")
	}
	if err := lines.Err(); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if word == "" {
		return "", fmt.Errorf("%s has no words", path)
	}
	return word, nil
}
