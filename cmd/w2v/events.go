package main

import "github.com/w2v-go/w2v/train"

// logStart is how every line of --log-json begins.
const logStart = `{"event":"`

// The events are the lines of --log-json, described in docs/reliability.md. Their fields
// are read by scripts.
type (
	progressEvent struct {
		Event           string   `json:"event"`
		Tokens          uint64   `json:"tokens"`                // trained, of all epochs
		Total           uint64   `json:"total"`                 // to train, of all epochs
		LearningRate    float64  `json:"lr"`                    // now
		Loss            *float64 `json:"loss"`                  // mean since the last line; in the final one of the last epoch; null if nothing was trained
		TokensPerSecond *float64 `json:"tokens_per_second"`     // on the average
		Recent          *float64 `json:"tokens_per_second_now"` // since the last line
		Elapsed         float64  `json:"elapsed"`               // seconds
		ETA             float64  `json:"eta"`                   // seconds
		Final           bool     `json:"final"`
	}
	evaluationEvent struct {
		Event   string        `json:"event"`
		Tokens  uint64        `json:"tokens"`
		Elapsed float64       `json:"elapsed"`
		HeldOut *float64      `json:"held_out_loss"` // null without held-out text
		Scores  []train.Score `json:"scores"`        // null without sets
		Best    bool          `json:"best"`          // so far
		Seconds float64       `json:"seconds"`       // that it took
	}
	checkpointEvent struct {
		Event  string  `json:"event"`
		Tokens uint64  `json:"tokens"`
		Pause  float64 `json:"pause_seconds"` // for which workers stood still
		Write  float64 `json:"write_seconds"`
		Bytes  int64   `json:"bytes"`
		Path   string  `json:"path"`
		Error  string  `json:"error"` // why there is none; empty if there is one
	}
	divergenceEvent struct {
		Event        string  `json:"event"`
		Tokens       uint64  `json:"tokens"`
		BackTo       uint64  `json:"back_to"` // tokens
		LearningRate float64 `json:"lr"`      // at the start, from now on
	}
	startEvent struct {
		Event   string `json:"event"`
		Time    string `json:"time"`   // RFC 3339
		Tokens  uint64 `json:"tokens"` // trained before, of a run that is resumed
		Total   uint64 `json:"total"`
		Words   int    `json:"words"`
		Resumed bool   `json:"resumed"`
	}
	noteEvent struct { // a remark, or, with --log-json -, what else is said to a person
		Event string `json:"event"`
		Kind  string `json:"kind"` // of a remark; empty if it is none
		Text  string `json:"text"`
	}
	failedEvent struct {
		Event string `json:"event"`
		Error string `json:"error"`
	}
	doneEvent struct {
		Event string `json:"event"`
		summary
	}
)
