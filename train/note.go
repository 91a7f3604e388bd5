package train

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/w2v-go/w2v/internal/setting"
)

// note is what a checkpoint keeps for Run besides the state of training: how text became
// tokens, and what the caller asked for. There are no paths in it.
type note struct {
	Settings Settings // those of text; the state of training has those of the model
	Threads  int      // that were asked for
	noteOfRun
}

// noteOfRun is what of a note is no setting.
type noteOfRun struct {
	Input           string  `json:"input,omitempty"` // what sentences are made of; empty in older checkpoints
	Vocabulary      bool    `json:"vocabulary"`      // given, not counted
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

// notedFirst is the order in which notes have the settings that they had before there was a
// table; further ones come after these.
var notedFirst = []string{"tokenizer", "lowercase", "threads", "min_count", "max_vocab"}

// notedSettings are the settings that a note has: those of text, and the threads.
func notedSettings() setting.Table[note] {
	text := setting.Of(func(n *note) *Settings { return &n.Settings }, textSettings())
	return append(text, setting.Setting[note]{Name: "threads", At: func(n *note) any { return &n.Threads }})
}

// MarshalJSON writes the settings, and then all else, into one object.
func (n note) MarshalJSON() ([]byte, error) {
	settings, err := notedSettings().Marshal(&n, notedFirst)
	if err != nil {
		return nil, err
	}
	run, err := json.Marshal(n.noteOfRun)
	if err != nil {
		return nil, err
	}
	return slices.Concat(settings[:len(settings)-1], []byte(","), run[1:]), nil
}

// UnmarshalJSON reads what MarshalJSON wrote, in this version or an older one.
func (n *note) UnmarshalJSON(text []byte) error {
	*n = note{} // a setting that is not there is zero, as in the model
	if err := notedSettings().Unmarshal(text, n); err != nil {
		return err
	}
	return json.Unmarshal(text, &n.noteOfRun)
}

// note returns what the checkpoints of a run keep.
func (r *run) note() (json.RawMessage, error) {
	k := &r.options.Checkpoint
	was := note{}
	if r.resumed != nil {
		was = r.resumed.note
	}
	return json.Marshal(note{
		Settings: r.settings,
		Threads:  r.asked.threads,
		noteOfRun: noteOfRun{
			Input:           r.input,
			Vocabulary:      r.options.Vocabulary.given() || r.options.Init.UpdateVocab || was.Vocabulary && r.from != nil,
			Fraction:        r.evaluator.fraction,
			HeldOut:         !r.evaluator.heldOut.isZero() || r.evaluator.file,
			Sets:            r.evaluator.noted(),
			Extended:        cmp.Or(k.ExtendEpochs, was.Extended),
			LearningRate:    r.asked.rate,
			CheckpointEvery: r.checkpoints.every.String(),
		},
	})
}
