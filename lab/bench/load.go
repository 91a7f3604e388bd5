package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/peers/gensim"
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
		order
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
		all = append(all, asked{ours, order{name: b.ours.path, args: []string{"nn", model, word}}})
		if b.fast != nil && subwords {
			all = append(all, asked{&row{Program: "fastText", Setting: file, rival: ours},
				order{name: b.fast.path, args: []string{"nn", model, "10"}, stdin: word + "\n"}})
		}
		if b.gen != nil {
			all = append(all, asked{&row{Program: "gensim", Setting: file, rival: ours},
				order{name: gensim.Python, args: []string{"-c", gensimLoad, kind, model, word}}})
		}
		all = append(all, asked{&row{Program: "w2v", Setting: kind + ", its own format"},
			order{name: b.ours.path, args: []string{"nn", native, word}}})
	}
	for _, a := range all {
		r.Rows = append(r.Rows, a.row)
		if _, err := b.run(ctx, a.order); err != nil { // so that each finds the file in memory
			return r, err
		}
	}
	for range b.rounds {
		for _, a := range all {
			c, err := b.run(ctx, a.order)
			if err != nil {
				return r, err
			}
			a.add(key, c.wall.Seconds())
			a.add(peakKey, c.peak)
		}
	}
	r.Notes = memoryNotes()
	return r, nil
}

// modelsToLoad trains for one epoch into each of the files and picks a word that
// they have.
func (b *bench) modelsToLoad(ctx context.Context, subwords bool, models ...string) (word string, err error) {
	counts := b.path("counts.txt")
	s := settings{dim: 100, subwords: subwords, epochs: 1, threads: 2, rate: b.ours.defaultRate(), seed: 1}
	for _, model := range models {
		if _, _, err := b.ours.run(ctx, b, append(b.ours.flags(b, s, model), "--save-vocab", counts)); err != nil {
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
