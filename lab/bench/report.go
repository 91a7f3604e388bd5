package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/lab/machine"
)

// A report is everything that a run measured, and where.
type report struct {
	Machine  machine.Machine `json:"machine"`
	Command  []string        `json:"command"`
	Programs []string        `json:"programs"`
	Corpus   string          `json:"corpus"`
	Tokens   uint64          `json:"tokens"` // of the corpus, known words or not
	Lines    uint64          `json:"lines"`
	Results  []result        `json:"results"`
}

// preamble says what the tables are of.
func (r report) preamble() string {
	return fmt.Sprintf("%s\n%s; %s.\n%s: %d tokens in %d lines.\n`%s`\n\n"+
		"Medians over rounds; × is how many times better w2v was, median of the ratios within a round (range).\n",
		r.Machine.When, r.Machine, strings.Join(r.Programs, "; "), r.Corpus, r.Tokens, r.Lines, strings.Join(r.Command, " "))
}

// save writes the report as JSON.
func (r report) save(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(r)
	})
}
