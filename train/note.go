package train

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/w2v-go/w2v/corpus"
)

// note is what a checkpoint keeps for Run besides the state of training: how text became
// tokens, and what the caller asked for. There are no paths in it.
type note struct {
	Tokenizer       string  `json:"tokenizer"`
	Lowercase       bool    `json:"lowercase"`
	Threads         int     `json:"threads"` // that were asked for
	MinCount        int     `json:"min_count"`
	MaxVocab        int     `json:"max_vocab"`
	Vocabulary      bool    `json:"vocabulary"` // given, not counted
	Fraction        float64 `json:"fraction,omitempty"`
	HeldOut         bool    `json:"held_out"` // in a file
	Sets            []noted `json:"sets"`     // of evaluation
	Extended        int     `json:"extended"` // by so many epochs, by the last command that did
	LearningRate    float64 `json:"lr"`       // that was asked for; 0 for what suits the corpus
	CheckpointEvery string  `json:"checkpoint_every"`
}

// noted is what is known of an evaluation set.
type noted struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// readNote reads the note of a checkpoint.
func readNote(text json.RawMessage) (n note, tokenizer corpus.Tokenizer, err error) {
	if err := json.Unmarshal(text, &n); err != nil {
		return n, tokenizer, fmt.Errorf("its note on how text became tokens: %w", err)
	}
	return n, tokenizer, tokenizer.UnmarshalText([]byte(n.Tokenizer))
}

// note returns what the checkpoints of a run keep.
func (r *run) note() (json.RawMessage, error) {
	k := &r.options.Checkpoint
	was := note{}
	if r.resumed != nil {
		was = r.resumed.note
	}
	return json.Marshal(note{
		Tokenizer:       r.settings.Text.Tokenizer.String(),
		Lowercase:       r.settings.Text.Lowercase,
		Threads:         r.asked.threads,
		MinCount:        r.settings.MinCount,
		MaxVocab:        r.settings.MaxVocab,
		Vocabulary:      r.options.Vocabulary.given() || r.options.Init.UpdateVocab || was.Vocabulary && r.from != nil,
		Fraction:        r.evaluator.fraction,
		HeldOut:         !r.evaluator.heldOut.isZero(),
		Sets:            r.evaluator.noted(),
		Extended:        cmp.Or(k.ExtendEpochs, was.Extended),
		LearningRate:    r.asked.rate,
		CheckpointEvery: r.checkpoints.every.String(),
	})
}
