package sweep

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vocab"
)

// A Trial is a point trained with a seed.
type Trial struct {
	// Key stands for everything that the result depends on: the settings, the seed, the
	// corpus, the sets. Points that are skipped have none.
	Key string `json:"key,omitempty"`
	// Revision is that of the algorithm, sgns.Revision, and 0 in results of before there was
	// one. Points that are skipped have none.
	Revision int      `json:"revision,omitempty"`
	Point    int      `json:"point"`              // its number; 0 for a baseline
	Variant  string   `json:"variant,omitempty"`  // its name
	Baseline Baseline `json:"baseline,omitempty"` // which
	Settings Settings `json:"settings"`
	Seed     uint64   `json:"seed"`
	Skipped  string   `json:"skipped,omitempty"` // why there can be no such model
	Failed   string   `json:"failed,omitempty"`  // why there is none
}

// A Result is what came of a trial: a line of results.jsonl, which scripts read.
type Result struct {
	Trial
	Scores // of a model, if there is one
}

// MarshalJSON writes the trial, and the scores if there is a model.
func (r Result) MarshalJSON() ([]byte, error) {
	if !r.done() {
		return json.Marshal(r.Trial)
	}
	type bare Result // without this method
	return json.Marshal(bare(r))
}

// Scores are what is known of a model.
type Scores struct {
	Words int `json:"words"`
	Dim   int `json:"dim"`
	// Parameters are the numbers that words' vectors are made of, and Bytes what a native
	// file of them takes. TrainedParameters and TrainedBytes have context vectors and what else
	// was trained, too.
	Parameters        uint64 `json:"parameters"`
	Bytes             uint64 `json:"bytes"`
	TrainedParameters uint64 `json:"trained_parameters"`
	TrainedBytes      uint64 `json:"trained_bytes"`

	Tokens          uint64   `json:"tokens"`            // trained, of all epochs
	Threads         int      `json:"threads"`           // 0 for one a core
	Seconds         float64  `json:"seconds"`           // of training alone, as the next two
	CPUSeconds      float64  `json:"cpu_seconds"`       //
	TokensPerSecond float64  `json:"tokens_per_second"` //
	Loss            *float64 `json:"loss"`              // of the last epoch; null if there was none

	Evaluations []Evaluation `json:"evaluations"`
	Model       string       `json:"model,omitempty"` // the file, if it was kept
}

// An Evaluation is what a set says of a model.
type Evaluation struct {
	Set       string        `json:"set"`
	Kind      Kind          `json:"kind"`
	Score     eval.Score    `json:"score"` // Spearman's correlation, or the accuracy
	CI95      eval.Interval `json:"ci95,omitzero"`
	Questions int           `json:"questions"` // or pairs
	Used      int           `json:"used"`
	// InVocabulary is the score without questions or pairs that have a composed word; nil
	// for a model without n-grams, which has none.
	InVocabulary *InVocabulary `json:"in_vocabulary,omitempty"`
}

// InVocabulary is a score over some of the questions or pairs of a set.
type InVocabulary struct {
	Score eval.Score `json:"score"`
	Used  int        `json:"used"`
}

// A Kind is what a set asks for.
type Kind string

// The kinds of sets.
const (
	Similarity Kind = "similarity"
	Analogy    Kind = "analogy"
)

// done reports whether there is a model.
func (r Result) done() bool { return r.Skipped == "" && r.Failed == "" }

// keyOf returns the key of a point trained with a seed.
func keyOf(p Point, seed uint64, corpus, sets string) (string, error) {
	what, err := json.Marshal(struct {
		Corpus, Sets string
		Random       bool
		Settings     Settings
		Seed         uint64
	}{corpus, sets, p.Baseline == RandomVectors, p.Settings.sorted(), seed})
	return short(sha256.Sum256(what)), err
}

// short is enough of a hash to tell things apart.
func short(sum [sha256.Size]byte) string { return fmt.Sprintf("%x", sum[:10]) }

// fingerprint tells a corpus and its vocabulary from others.
func fingerprint(ids *corpus.IDs, v *vocab.Vocab) string {
	h := sha256.New()
	number(h, ids.Tokens())
	number(h, uint64(v.Len()))
	for _, sum := range ids.Checksums() {
		number(h, uint64(sum))
	}
	for id, token := range v.Tokens() {
		number(h, v.Count(id))
		number(h, uint64(len(token)))
		h.Write([]byte(token)) // a hash takes everything
	}
	return short([sha256.Size]byte(h.Sum(nil)))
}

func number(h hash.Hash, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	h.Write(b[:])
}
