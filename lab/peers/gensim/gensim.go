// Package gensim trains with the Python library of that name, to compare with.
package gensim

import (
	"context"
	_ "embed" // for the scripts
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/lab/command"
)

// Python is Debian's, which is the one that sees Debian's gensim.
const Python = "/usr/bin/python3"

// VersionScript prints what Version reads.
//
//go:embed version.py
var VersionScript string

// TrainScript trains as its argument says, which Training makes, and prints Trained as
// JSON.
//
//go:embed train.py
var TrainScript string

// A Training is what to train, and how. A number that is 0 is gensim's own default.
type Training struct {
	Corpus    string  `json:"corpus"` // a plain file
	Output    string  `json:"output"` // word2vec's binary, or fastText's with subwords
	CBOW      bool    `json:"cbow"`   // else skip-gram
	Dim       int     `json:"dim"`
	Window    int     `json:"window,omitempty"`
	Negatives int     `json:"negatives,omitempty"`
	Epochs    int     `json:"epochs,omitempty"`
	MinCount  int     `json:"min_count,omitempty"`
	Sample    float64 `json:"sample,omitempty"`
	Rate      float64 `json:"rate,omitempty"`
	Threads   int     `json:"threads"`
	Seed      uint64  `json:"seed"`

	// CorpusFile has gensim read the text in its compiled code, and not by a LineSentence.
	CorpusFile bool `json:"corpus_file"`

	Subwords bool `json:"subwords"`
	MinN     int  `json:"min_n,omitempty"`
	MaxN     int  `json:"max_n,omitempty"`
	Buckets  int  `json:"buckets,omitempty"`
}

// Argument is the training as TrainScript takes it.
func (t Training) Argument() string {
	text, _ := json.Marshal(t) // numbers and strings have a JSON
	return string(text)
}

// Trained is what training took.
type Trained struct {
	Tokens     float64 `json:"tokens"` // known ones of the corpus
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds"` // of all threads, in train() alone
	Epochs     int     `json:"epochs"`
}

// Ask runs a script and reads the JSON that it prints into answer. The libraries below gensim get
// one thread.
func Ask(ctx context.Context, r command.Runner, script string, answer any, args ...string) (command.Used, error) {
	c, err := r.Run(ctx, command.Order{Name: Python, Args: append([]string{"-c", script}, args...), Env: command.Threads(1)})
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(c.Stdout, answer); err != nil {
		return c, fmt.Errorf("gensim: %w", err)
	}
	return c, nil
}

// Version says what VersionScript found. It wants compiled training code: without it there
// would be nothing to compare with.
func Version(answer []byte) (string, error) {
	var found struct {
		Gensim string   `json:"gensim"`
		Numpy  string   `json:"numpy"`
		Fast   int      `json:"fast"`
		BLAS   []string `json:"blas"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return "", fmt.Errorf("gensim: %w", err)
	}
	if found.Fast < 0 {
		return "", errors.New("gensim has no compiled code")
	}
	version := fmt.Sprintf("gensim %s with numpy %s", found.Gensim, found.Numpy)
	if len(found.BLAS) > 0 {
		version += " and " + strings.Join(found.BLAS, ", ")
	}
	return version, nil
}
