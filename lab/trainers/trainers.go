// Package trainers trains with w2v and with the programs that it is compared with, and says what
// each training took.
package trainers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/w2v-go/w2v/lab/command"
)

// Settings are those of one training. A number that is 0 is the program's own default.
type Settings struct {
	Dim       int     `json:"dim"`
	Window    int     `json:"window,omitempty"`
	Negatives int     `json:"negatives,omitempty"`
	Epochs    int     `json:"epochs,omitempty"`
	MinCount  int     `json:"min_count,omitempty"`
	Sample    float64 `json:"sample,omitempty"`
	Rate      float64 `json:"rate,omitempty"`
	Threads   int     `json:"threads"`
	Seed      uint64  `json:"seed"`

	CBOW     bool `json:"cbow,omitempty"` // else skip-gram
	Subwords bool `json:"subwords,omitempty"`
	MinN     int  `json:"min_n,omitempty"`
	MaxN     int  `json:"max_n,omitempty"`
	Buckets  int  `json:"buckets,omitempty"`
}

// A Text is a plain file, with a sentence a line and tokens between white space.
type Text struct {
	Path   string
	Tokens uint64 // known words or not
	Lines  uint64
}

// Trained is what a training took and where its model is.
type Trained struct {
	Tokens  float64 // trained, over all epochs
	Epochs  int     // 0 if the program does not say
	Seconds float64 // CPU time of training alone
	Peak    float64 // bytes that the whole process had resident at most
	Model   string  // a file that w2v can open
	litter  []string
}

// Remove deletes the model and the other files of the training.
func (t Trained) Remove() error {
	errs := []error{os.Remove(t.Model)}
	for _, path := range t.litter {
		errs = append(errs, os.Remove(path))
	}
	return errors.Join(errs...)
}

// A Trainer is a program that trains.
type Trainer interface {
	// Title is the name in tables, Version the name with what tells versions apart.
	Title() string
	Version() string

	// Fingerprint tells programs apart that may make other vectors, or take other time.
	Fingerprint() string

	// Lacks says which of the settings the program does not have, or is empty.
	Lacks(Settings) string

	// Seeded reports whether the program has a seed. One that has none ignores Settings.Seed.
	Seeded() bool

	// Train trains on a text. The files that it writes begin with the path model. Their folder
	// must be there.
	Train(ctx context.Context, text Text, model string, s Settings) (Trained, error)
}

// PeerNames are the titles of all programs that w2v is compared with.
func PeerNames() []string { return []string{"fastText", "gensim", "pWord2Vec", "word2vec", "koan"} }

// FindPeer looks for a program by its title.
func FindPeer(ctx context.Context, title string, r command.Runner) (Trainer, error) {
	switch title {
	case "fastText":
		return FindFastText(ctx, r)
	case "gensim":
		return FindGensim(ctx, r)
	case "pWord2Vec":
		return FindPWord2Vec(r)
	case "word2vec":
		return FindWord2Vec(r)
	case "koan":
		return FindKoan(r)
	}
	return nil, fmt.Errorf("there is no program %q, but %s", title, strings.Join(PeerNames(), ", "))
}

// find looks for a program in PATH and makes its fingerprint.
func find(name string) (path, fingerprint string, err error) {
	if path, err = exec.LookPath(name); err != nil {
		return "", "", err
	}
	fingerprint, err = hashFile(path)
	return path, fingerprint, err
}

// hashFile makes a checksum of a file.
func hashFile(path string) (_ string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// flag appends a flag with its value, unless the value is 0.
func flag[T int | uint64 | float64](args []string, name string, value T) []string {
	if value == 0 {
		return args
	}
	return append(args, name, fmt.Sprint(value))
}

// trainingSeconds is the CPU time of training alone, of two whole runs of other numbers of
// epochs: what both do besides training is start, count and write.
func trainingSeconds(cpuA, cpuB float64, epochsA, epochsB, epochs int) float64 {
	return (cpuA - cpuB) / float64(epochsA-epochsB) * float64(epochs)
}
