package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

// summary is what train prints at its end. Its JSON is read by scripts.
type summary struct {
	Tokens          uint64   `json:"tokens"` // of the corpus, in the vocabulary
	Vocab           int      `json:"vocab"`
	Epochs          int      `json:"epochs"`
	Seconds         float64  `json:"seconds"`           // of preparing and training
	CPUSeconds      float64  `json:"cpu_seconds"`       // of preparing and training
	CountSeconds    float64  `json:"count_seconds"`     // of reading and counting before it
	PrepareSeconds  float64  `json:"prepare_seconds"`   // of seconds, before the first token was trained
	SaveSeconds     float64  `json:"save_seconds"`      // of writing the model
	MemoryBytes     uint64   `json:"memory_bytes"`      // that the run was going to take, as was said when it began
	Ranks           int      `json:"ranks"`             // processes that trained together
	SentBytes       uint64   `json:"sent_bytes"`        // to each other, by all ranks
	TokensPerSecond *float64 `json:"tokens_per_second"` // trained, of all epochs
	Loss            *float64 `json:"loss"`              // mean of a true pair and its negatives, over the last epoch; null if there was none
	Output          string   `json:"output"`            // empty if there is only a checkpoint
	Complete        bool     `json:"complete"`          // false if interrupted
	Error           string   `json:"error"`             // what could not be saved, and why; empty if all was
	Early           bool     `json:"early"`             // ended by --early-stop
	Trained         uint64   `json:"trained"`           // tokens, of all epochs
	Checkpoint      string   `json:"checkpoint"`        // of the end; empty if there is none

	Best    *bestEvaluation `json:"best"`     // of which the vectors are, with --early-stop; else null
	LeftOut []string        `json:"left_out"` // of the model, by the format of Output
	Remarks []remark        `json:"remarks"`  // on the corpus and the vectors

	TooLong *tooLong `json:"too_long"` // tokens that are left out; null if there are none

	UnseenRows []string `json:"unseen_rows,omitempty"` // of a tokenizer.json, that the corpus has no token of

	why    string        // it is not complete
	goOn   string        // what to add to the command line to go on
	format format.Format // of Output
}

// tooLong is corpus.TooLong for JSON.
type tooLong struct {
	Tokens  uint64 `json:"tokens"`
	Longest uint64 `json:"longest"` // bytes
	File    string `json:"file"`    // with the first one
	Line    uint64 `json:"line"`    // of the first one
}

// newSummary returns the summary of a result, with settings named by spell.
func newSummary(result *train.Result, spell func(name, value string) string) summary {
	p := result.Progress
	sum := summary{
		Tokens:          result.Tokens,
		Vocab:           result.Words,
		UnseenRows:      result.Unseen,
		Epochs:          result.Settings.Model.Epochs,
		Seconds:         result.Training.Seconds(),
		CPUSeconds:      result.CPU.Seconds(),
		CountSeconds:    result.Counting.Seconds(),
		PrepareSeconds:  result.Preparing.Seconds(),
		SaveSeconds:     result.Saving.Seconds(),
		MemoryBytes:     result.Planned,
		TokensPerSecond: number(p.TokensPerSecond),
		Loss:            number(p.Loss),
		Output:          result.Output,
		Complete:        result.Complete,
		Early:           p.Early,
		Trained:         p.Tokens,
		Checkpoint:      result.Checkpoint,
		Ranks:           result.Ranks,
		SentBytes:       result.Sent,
		LeftOut:         append([]string{}, result.LeftOut...), // not null
		Remarks:         []remark{},
		format:          result.Format,
	}
	for _, made := range result.Remarks {
		sum.Remarks = append(sum.Remarks, remark{made.Kind, made.Spell(spell)})
	}
	if left := result.TooLong; left.Tokens > 0 {
		sum.TooLong = &tooLong{left.Tokens, left.Longest, left.Name, left.Line}
	}
	if best := result.Best; best != nil {
		sum.Best = &bestEvaluation{best.Tokens, number(best.Loss), number(best.Score)}
	}
	return sum
}

// remark is a train.Remark for JSON.
type remark struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// bestEvaluation is when vectors were the best, and how good.
type bestEvaluation struct {
	Tokens  uint64   `json:"tokens"`
	HeldOut *float64 `json:"held_out_loss"`
	Score   *float64 `json:"score"`
}

func (s summary) text() string {
	of := fmt.Sprintf("%s of %s tokens", wording.Thousands(s.Trained), wording.Thousands(s.Tokens*uint64(s.Epochs)))
	what := fmt.Sprintf("trained: %s × %s", wording.Count(s.Tokens, "token", "tokens"), wording.Count(s.Epochs, "epoch", "epochs"))
	switch {
	case !s.Complete:
		what = s.why + ": trained " + of
	case s.Early:
		what = fmt.Sprintf("ended early: trained %s, the best vectors are those of %s", of, wording.Thousands(s.Best.Tokens))
	case s.Best != nil && s.Best.Tokens != s.Trained:
		what += fmt.Sprintf(", the best vectors are those of %s", wording.Thousands(s.Best.Tokens))
	}
	text := fmt.Sprintf("%s, %s, %.1f s (%.1f s CPU)", what, wording.Count(s.Vocab, "word", "words"), s.Seconds, s.CPUSeconds)
	if s.TokensPerSecond != nil && *s.TokensPerSecond > 0 {
		text += fmt.Sprintf(", %s tokens/s", wording.Thousands(uint64(*s.TokensPerSecond)))
	}
	if s.Loss != nil {
		text += fmt.Sprintf(", loss %.4f", *s.Loss)
	}
	if s.Ranks > 1 {
		text += fmt.Sprintf(", %d ranks exchanged %s", s.Ranks, megabytes(int64(s.SentBytes)))
	}
	if left := s.TooLong; left != nil {
		text += fmt.Sprintf(", tokens of more than %d bytes left out: %s", corpus.MaxToken, wording.Thousands(left.Tokens))
	}
	switch {
	case s.goOn != "":
		text += "; to go on: " + s.goOn
	case s.Output != "" && s.Checkpoint != "":
		text += fmt.Sprintf(": %s, checkpoint %s", s.Output, s.Checkpoint)
	case s.Output != "":
		text += ": " + s.Output
	}
	text += "\n"
	if len(s.LeftOut) > 0 {
		text += fmt.Sprintf("note: the format %s leaves out %s; a .w2v file keeps all of it\n", s.format, strings.Join(s.LeftOut, "; "))
	}
	return text
}

// number is x for JSON, which has null for what is not a number.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
