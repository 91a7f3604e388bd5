package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/lab/trainers"
)

// A key is all that a result depends on.
type key struct {
	Text      string            `json:"text"`            // hash of the content
	Program   string            `json:"program"`         // what tells it apart from others that train otherwise
	Flags     []string          `json:"flags,omitempty"` // of w2v
	Settings  trainers.Settings `json:"settings"`        // with the seed
	Battery   string            `json:"battery"`         // fingerprint of the sets and of how they are scored
	Processor string            `json:"processor"`       // which the time depends on
}

// file is the name of the result's file.
func (k key) file() (string, error) {
	text, err := json.Marshal(k)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]) + ".json", nil
}

// A result is what a training took and what its vectors are worth.
type result struct {
	Epochs     int             `json:"epochs"`
	Tokens     float64         `json:"tokens"`      // trained, over all epochs
	CPUSeconds float64         `json:"cpu_seconds"` // of training
	PeakBytes  float64         `json:"peak_bytes"`
	Scores     []battery.Score `json:"scores"`
	When       string          `json:"when"`
	Version    string          `json:"version"` // of the program, for people
}

// A cache is a folder of results, a file each. Several programs may use it at a time.
type cache struct{ folder string }

// An entry is what a file has.
type entry struct {
	Key    key    `json:"key"`
	Result result `json:"result"`
}

// load returns the result of a key, if it is there.
func (c cache) load(k key) (_ result, found bool, err error) {
	name, err := k.file()
	if err != nil {
		return result{}, false, err
	}
	path := filepath.Join(c.folder, name)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return result{}, false, nil
	}
	var e entry
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil {
		return result{}, false, fmt.Errorf("%s: %w; delete it, and it is made again", path, err)
	}
	return e.Result, true, nil
}

// save writes a result, whole or not at all.
func (c cache) save(k key, r result) error {
	name, err := k.file()
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(c.folder, name), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(entry{k, r})
	})
}
