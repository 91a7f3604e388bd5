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

	"github.com/schollz/progressbar/v3"
)

// reporter shows how training is doing: a bar for people, JSON lines for programs.
type reporter struct {
	mu      sync.Mutex
	err     io.Writer
	bar     bool
	narrow  bool       // the terminal has no room for a long line
	columns func() int // of the terminal now; nil if that is not known
	loss    float64    // the last one that is a number
	current *progressbar.ProgressBar
	read    uint64                               // tokens, of those that are counted
	log     interface{ Encode(event any) error } // nil for none
	logOnly bool                                 // stderr is the log: what is an event is not printed besides
	logFile io.Closer
	logErr  error
	summed  bool // the summary is logged
	remarks int  // that were made
	last    struct {
		file   string // a checkpoint of this run; empty before the first one
		tokens uint64
	}

	spell func(name, value string) string // names settings as the command line has them
}

// wideTerminal is from how many columns on a terminal has room for a long line beside the bar.
const wideTerminal = 100

// newReporter returns a reporter without a log.
func newReporter(s streams, progress string) *reporter {
	return &reporter{
		err:     s.err,
		bar:     progress == progressAlways || progress == progressAuto && s.errTerminal,
		narrow:  s.errTerminal && s.errWidth < wideTerminal, // also if the width is not known
		columns: s.errColumns,
		loss:    math.NaN(),
		spell:   asFlag,
	}
}

// logTo makes the reporter log to path, behind what is there if the run goes on; - is stderr.
func (r *reporter) logTo(path string, goesOn bool) error {
	switch path {
	case "":
	case "-":
		said, ok := r.err.(*messages)
		if !ok {
			said = &messages{w: r.err, json: true}
		}
		r.log, r.err, r.logOnly = said, said, true
		r.bar = false
	default:
		if err := checkLog(path); err != nil {
			return err
		}
		mode := os.O_TRUNC
		if goesOn {
			mode = os.O_APPEND
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|mode, 0o666)
		if err != nil {
			return named(path, err)
		}
		r.log, r.logFile = json.NewEncoder(file), file
	}
	return nil
}

// checkLog returns an error if there is a file at path that is not a log of training.
func checkLog(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // what else is wrong with it is found when it is opened
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	start := make([]byte, len(logStart))
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return named(path, err)
	}
	if string(start[:n]) != logStart[:n] {
		return fmt.Errorf("%s: is not a log of w2v train, and --log-json would replace it: name another file, or move it away", path)
	}
	return nil
}

// encode logs an event. The caller has locked the reporter.
func (r *reporter) encode(event any) {
	if r.log != nil && r.logErr == nil {
		r.logErr = r.log.Encode(event)
	}
}

// say prints a line in place of the bar, which the next report draws again. The caller has
// locked the reporter.
func (r *reporter) say(format string, args ...any) {
	if r.current != nil {
		_ = r.current.Clear() // a bar that cannot be drawn must not stop training
	}
	fmt.Fprintf(r.err, format+"\n", args...)
}

// tell prints what is an event, too. The caller has locked the reporter.
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

// ended logs why a command ends without its result, if it does. The summary tells of an
// interruption, if there is a summary. On stderr the program says it once.
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
	for _, remark := range sum.Remarks[r.remarks:] { // the others have been said
		r.tell("note: %s", remark.Text)
	}
	r.encode(doneEvent{"done", sum})
	r.summed = true
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
