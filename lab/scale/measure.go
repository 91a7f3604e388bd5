package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/lab/synthetic"
)

// summary is what w2v train --json prints.
type summary struct {
	Tokens         uint64  `json:"tokens"`
	Vocab          int     `json:"vocab"`
	Trained        uint64  `json:"trained"`
	CountSeconds   float64 `json:"count_seconds"`
	PrepareSeconds float64 `json:"prepare_seconds"`
	Seconds        float64 `json:"seconds"` // of preparing and training
	CPUSeconds     float64 `json:"cpu_seconds"`
	SaveSeconds    float64 `json:"save_seconds"`
	MemoryBytes    float64 `json:"memory_bytes"` // that the program announces
	Complete       bool    `json:"complete"`
}

// A measurement is what one run took.
type measurement struct {
	summary
	text  float64 // bytes
	wall  float64 // seconds of the whole process
	cpu   float64 // seconds of the whole process
	peak  float64 // bytes resident
	model float64 // bytes of the file
}

// measure makes a text, trains on it, and removes both.
func measure(ctx context.Context, o options, c synthetic.Options, folder string) (m measurement, err error) {
	text, model := filepath.Join(folder, "text.txt"), filepath.Join(folder, "model.w2v")
	if err := makeText(text, c); err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.Remove(text), os.RemoveAll(model)) }()
	m.text = size(text)
	args := append([]string{"train", text, "-o", model, "--json", "--progress", "never", "--cache", folder}, o.train...)
	command := exec.CommandContext(ctx, o.w2v, args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	start := time.Now()
	err = command.Run()
	m.wall = time.Since(start).Seconds()
	if err != nil {
		return m, fmt.Errorf("w2v train: %w\n%s", err, stderr.String())
	}
	used := command.ProcessState
	m.cpu, m.peak = (used.UserTime() + used.SystemTime()).Seconds(), machine.PeakMemory(used)
	m.model = size(model)
	if err := json.Unmarshal(stdout.Bytes(), &m.summary); err != nil {
		return m, fmt.Errorf("w2v train: %w", err)
	}
	if !m.Complete {
		return m, errors.New("w2v train stopped early")
	}
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
	closing := m.wall - m.CountSeconds - m.Seconds - m.SaveSeconds
	return []string{
		figures.Millions(float64(m.Tokens)), figures.Millions(float64(m.Vocab)), figures.Megabytes(m.text),
		figures.Seconds(m.CountSeconds), figures.Seconds(m.PrepareSeconds), figures.Seconds(training),
		figures.Seconds(m.SaveSeconds), figures.Seconds(max(0, closing)),
		figures.Millions(float64(m.Trained) / m.CPUSeconds), figures.Seconds(m.cpu),
		figures.Megabytes(m.peak), figures.Megabytes(m.MemoryBytes), figures.Megabytes(m.model),
	}
}
