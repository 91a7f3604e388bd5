package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/synthetic"
	"github.com/w2v-go/w2v/lab/trainers"
)

// A measurement is what one run took.
type measurement struct {
	trainers.Summary
	used  command.Used // by the whole process
	text  float64      // bytes
	model float64      // bytes of the file
}

// measure makes a text, trains on it, and removes both.
func measure(ctx context.Context, w *trainers.W2V, o options, c synthetic.Options, folder string) (m measurement, err error) {
	text, model := filepath.Join(folder, "text.txt"), filepath.Join(folder, "model.w2v")
	if err := makeText(text, c); err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.Remove(text), os.RemoveAll(model)) }()
	m.text = size(text)
	args := append([]string{"train", text, "-o", model, "--json", "--progress", "never", "--cache", folder}, o.train...)
	if c.First > 0 {
		words := filepath.Join(folder, "words.txt")
		if err := makeVocabulary(words, c); err != nil {
			return m, err
		}
		defer func() { err = errors.Join(err, os.Remove(words)) }()
		args = append(args, "--vocab", words)
	}
	if m.Summary, m.used, err = w.Summarize(ctx, args); err != nil {
		return m, err
	}
	m.model = size(model)
	return m, nil
}

// size is the size of a file, 0 if there is none.
func size(path string) float64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return float64(info.Size())
}

// head is the head of the table.
func head() []string {
	return []string{
		"tokens", "words", "text", "counting", "preparing", "training", "saving", "closing",
		"tokens per CPU-second", "CPU", "peak memory", "announced", "model",
	}
}

// cells are a line of the table.
func (m measurement) cells() []string {
	training := m.Seconds - m.PrepareSeconds
	closing := m.used.Wall.Seconds() - m.CountSeconds - m.Seconds - m.SaveSeconds
	return []string{
		figures.Millions(float64(m.Tokens)), figures.Millions(float64(m.Vocab)), figures.Megabytes(m.text),
		figures.Seconds(m.CountSeconds), figures.Seconds(m.PrepareSeconds), figures.Seconds(training),
		figures.Seconds(m.SaveSeconds), figures.Seconds(max(0, closing)),
		figures.Millions(float64(m.Trained) / m.CPUSeconds), figures.Seconds(m.used.CPU.Seconds()),
		figures.Megabytes(m.used.Peak), figures.Megabytes(m.MemoryBytes), figures.Megabytes(m.model),
	}
}
