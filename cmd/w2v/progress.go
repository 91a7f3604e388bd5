package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/w2v-go/w2v/sgns"
)

// reporter shows how training is doing: a bar for people, JSON lines for programs.
type reporter struct {
	mu      sync.Mutex
	err     io.Writer
	bar     bool
	narrow  bool    // the terminal has no room for a long line
	loss    float64 // the last one that is a number
	current *progressbar.ProgressBar
	read    uint64                               // tokens, of those that are counted
	log     interface{ Encode(event any) error } // nil for none
	logOnly bool                                 // stderr is the log: what is an event is not said besides
	logFile io.Closer
	logErr  error
	scores  []setScore // of the evaluation that is under way
	summed  bool       // the summary is logged
	remarks []remark   // that were made
}

// newReporter returns a reporter that logs to logPath, behind what is there if the run
// goes on.
func newReporter(s streams, progress, logPath string, goesOn bool) (*reporter, error) {
	r := &reporter{
		err:    s.err,
		bar:    progress == progressAlways || progress == progressAuto && s.errTerminal,
		narrow: s.errTerminal && s.errWidth < 100, // also if the width is not known
		loss:   math.NaN(),
	}
	switch logPath {
	case "":
	case "-":
		said, ok := s.err.(*messages)
		if !ok {
			said = &messages{w: s.err, json: true}
		}
		r.log, r.err, r.logOnly = said, said, true
		r.bar = false
	default:
		mode := os.O_TRUNC
		if goesOn {
			mode = os.O_APPEND
		}
		file, err := os.OpenFile(logPath, os.O_WRONLY|os.O_CREATE|mode, 0o666)
		if err != nil {
			return nil, named(logPath, err)
		}
		r.log, r.logFile = json.NewEncoder(file), file
	}
	return r, nil
}

// every is the time between reports of training.
func (r *reporter) every() time.Duration {
	if r.bar {
		return 200 * time.Millisecond
	}
	return time.Second
}

func (r *reporter) newBar(total int64) *progressbar.ProgressBar {
	width := 20
	if r.narrow {
		width = 8
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(r.err),
		progressbar.OptionSetWidth(width),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionClearOnFinish(),
	)
}

// counted shows how many tokens have been read. It may be called from several
// goroutines.
func (r *reporter) counted(tokens uint64) {
	if !r.bar {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.current == nil {
		r.current, r.read = r.newBar(-1), 0
	}
	if tokens < r.read {
		return // another goroutine was faster
	}
	r.read = tokens
	_ = r.current.Set64(int64(tokens)) // a bar that cannot be drawn must not stop training
	r.current.Describe(fmt.Sprintf("reading: %.1f M tokens", float64(tokens)/1e6))
}

func (r *reporter) countingDone() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endBar()
}

func (r *reporter) endBar() {
	if r.current != nil {
		_ = r.current.Finish()
		r.current = nil
	}
}

// planned says what training is going to take: so much memory, for such rows.
func (r *reporter) planned(bytes uint64, rows string) {
	fmt.Fprintf(r.err, "training takes %s of memory: %s\n", megabytes(int64(bytes)), rows)
}

// encode logs an event. The reporter is locked.
func (r *reporter) encode(event any) {
	if r.log != nil && r.logErr == nil {
		r.logErr = r.log.Encode(event)
	}
}

// say prints a line in place of the bar, which comes back with the next report. The
// reporter is locked.
func (r *reporter) say(format string, args ...any) {
	if r.current != nil {
		_ = r.current.Clear() // a bar that cannot be drawn must not stop training
	}
	fmt.Fprintf(r.err, format+"\n", args...)
}

// tell says what is an event as well. The reporter is locked.
func (r *reporter) tell(format string, args ...any) {
	if !r.logOnly {
		r.say(format, args...)
	}
}

// note prints a line.
func (r *reporter) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.say(format, args...)
}

// trained shows and logs a report of training.
func (r *reporter) trained(p sgns.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(progressEvent{
		Event:           "progress",
		Tokens:          p.Tokens,
		Total:           p.Total,
		LearningRate:    p.LearningRate,
		Loss:            number(p.Loss),
		TokensPerSecond: number(p.TokensPerSecond),
		Recent:          number(p.Recent),
		Elapsed:         p.Elapsed.Seconds(),
		ETA:             p.Remaining.Seconds(),
		Final:           p.Final,
	})
	if !r.bar {
		return
	}
	if r.current == nil {
		r.current = r.newBar(int64(p.Total))
	}
	if p.Final {
		r.endBar()
		return
	}
	if !math.IsNaN(p.Loss) {
		r.loss = p.Loss
	}
	_ = r.current.Set64(int64(p.Tokens))
	r.current.Describe(r.line(p))
}

// evaluated tells of an evaluation.
func (r *reporter) evaluated(e sgns.Evaluation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(evaluationEvent{
		Event:   "evaluation",
		Tokens:  e.Tokens,
		Elapsed: e.Elapsed.Seconds(),
		HeldOut: number(e.Loss),
		Scores:  r.scores,
		Best:    e.Best,
		Seconds: e.Took.Seconds(),
	})
	text := fmt.Sprintf("after %s tokens:", thousands(e.Tokens))
	if !math.IsNaN(e.Loss) {
		text += fmt.Sprintf(" held-out loss %.4f,", e.Loss)
	}
	for _, s := range r.scores {
		text += fmt.Sprintf(" %s %s,", s.Set, score(s.Score))
	}
	best := "no better"
	if e.Best {
		best = "the best so far"
	}
	r.tell("%s %s", text, best)
	r.scores = nil
}

// checkpointed tells of a checkpoint. What went wrong with one is said, because training
// goes on.
func (r *reporter) checkpointed(path string, point *sgns.Checkpoint, took time.Duration, size int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	event := checkpointEvent{
		Event:  "checkpoint",
		Tokens: point.Tokens,
		Pause:  point.Pause.Seconds(),
		Write:  took.Seconds(),
		Bytes:  size,
		Path:   path,
	}
	if err != nil {
		event.Error = err.Error()
		before := "there is none"
		if _, err := os.Stat(path); err == nil {
			before = "the one before stays as it is"
		}
		r.tell("note: no checkpoint of %s tokens could be written, %s: %v", thousands(point.Tokens), before, err)
	}
	r.encode(event)
}

// diverged tells that training diverged and went back.
func (r *reporter) diverged(d sgns.Divergence) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(divergenceEvent{"divergence", d.Tokens, d.BackTo, d.LearningRate})
	r.tell("training diverged at %s tokens: back to %s, and on at half the learning rate, %v",
		thousands(d.Tokens), thousands(d.BackTo), d.LearningRate)
}

// started logs that training begins, or goes on if there is a checkpoint.
func (r *reporter) started(words int, total uint64, from *sgns.Checkpoint) {
	r.mu.Lock()
	defer r.mu.Unlock()
	event := startEvent{Event: "start", Time: time.Now().Format(time.RFC3339), Total: total, Words: words}
	if from != nil {
		event.Resumed, event.Tokens, event.Total = true, from.Tokens, from.Total
	}
	r.encode(event)
}

// ended logs why the command ends without all that it was to make, if it does. An
// interruption is in the summary, if there was anything to sum up. On stderr it is said
// once, by the program.
func (r *reporter) ended(err error) {
	if err = unlessClosed(err); err == nil {
		return
	}
	line, interrupted := ending(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.logOnly && (!interrupted || !r.summed) {
		r.encode(failedEvent{"failed", line})
	}
}

// done prints and logs the summary.
func (r *reporter) done(sum summary) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell("%s", strings.TrimSuffix(sum.text(), "\n"))
	for _, remark := range sum.Remarks[len(r.remarks):] { // the others have been said
		r.tell("note: %s", remark.Text)
	}
	r.encode(doneEvent{"done", sum})
	r.summed = true
}

// line is what stands beside the bar.
func (r *reporter) line(p sgns.Progress) string {
	loss := "-" // nothing trained yet
	if !math.IsNaN(r.loss) {
		loss = fmt.Sprintf("%.4f", r.loss)
	}
	done, total, speed, left := float64(p.Tokens)/1e6, float64(p.Total)/1e6, p.Recent/1e6, p.Remaining.Round(time.Second)
	if r.narrow {
		return fmt.Sprintf("%.0f/%.0f M, %.1f M/s, loss %.5s, ETA %s", done, total, speed, loss, left)
	}
	return fmt.Sprintf("%.1f/%.1f M tokens, %.2f M/s, lr %.5f, loss %s, ETA %s", done, total, speed, p.LearningRate, loss, left)
}

// number is x for JSON, which has null for what is not a number.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// close ends the log.
func (r *reporter) close() error {
	r.countingDone()
	err := r.logErr
	if r.logFile != nil {
		err = errors.Join(err, r.logFile.Close())
	}
	if err != nil {
		return fmt.Errorf("progress log: %w", err)
	}
	return nil
}
