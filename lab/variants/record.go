package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/w2v-go/w2v/eval"
)

// A result is a row of a table: a model that was trained once, and what it is worth.
type result struct {
	Language string `json:"language"`
	Row      string `json:"row"`
	Seed     uint64 `json:"seed"`
	// Settings are all that the result depends on: one with others does not count.
	Settings string `json:"settings"`
	When     string `json:"when"`
	Machine  string `json:"machine"`
	Program  string `json:"program"`

	Failed string `json:"failed,omitempty"` // why there is nothing
	Note   string `json:"note,omitempty"`

	Tokens     float64 `json:"tokens,omitempty"` // trained, of all epochs
	Seconds    float64 `json:"seconds,omitempty"`
	CPUSeconds float64 `json:"cpu_seconds,omitempty"`
	Took       float64 `json:"took,omitempty"` // seconds of everything, evaluation too

	Parameters uint64 `json:"parameters,omitempty"` // numbers of the model
	Input      uint64 `json:"input,omitempty"`      // of these, those that vectors are made of
	Nominal    uint64 `json:"nominal,omitempty"`    // Input if every word and bucket had a row of its own
	Bytes      uint64 `json:"bytes,omitempty"`      // of a native file

	Scores map[string]score `json:"scores,omitempty"`
}

// A score is that of a model on a set.
type score struct {
	Known     eval.Score    `json:"known"` // where all words are in the vocabulary
	KnownUsed int           `json:"known_used"`
	All       eval.Score    `json:"all"` // where words are composed too
	Used      int           `json:"used"`
	CI95      eval.Interval `json:"ci95"` // of All
}

// A record is a file of results, one JSON object a line. Of two of the same model the
// later one counts.
type record struct {
	file    *os.File
	results map[key]result
}

// A key tells results apart.
type key struct {
	language, row string
	seed          uint64
	settings      string
}

func (r result) key() key { return key{r.Language, r.Row, r.Seed, r.Settings} }

// openRecord reads the results in a file, which there need not be, and goes on behind
// them. What an interrupted run left of a line is cut off.
func openRecord(path string) (_ *record, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	r := &record{file, make(map[key]result)}
	whole := int64(0)
	lines := bufio.NewReader(file)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil { // the end, or half a line
			break
		}
		var x result
		if err := json.Unmarshal(line, &x); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, n, err)
		}
		r.results[x.key()] = x
		whole += int64(len(line))
	}
	if err := file.Truncate(whole); err != nil {
		return nil, err
	}
	_, err = file.Seek(whole, 0)
	return r, err
}

// add writes a result.
func (r *record) add(x result) error {
	var line bytes.Buffer
	if err := json.NewEncoder(&line).Encode(x); err != nil {
		return err
	}
	if _, err := r.file.Write(line.Bytes()); err != nil {
		return err
	}
	r.results[x.key()] = x
	return nil
}

func (r *record) close() error { return r.file.Close() }
