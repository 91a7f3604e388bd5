package main

import (
	"context"
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

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

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
	final   bool // the vectors of the end are kept, and not the best ones
	recipe  bool // models are parts of one
	several bool // ranks train the model
	// estimates says that the first report of progress tells how long training takes.
	estimates bool
	last      struct {
		file   string // a checkpoint of this run; empty before the first one
		tokens uint64
	}

	spell func(name, value string) string // names settings as the command line has them
}

// wideTerminal is from how many columns on a terminal has room for a long line beside the bar.
const wideTerminal = 100

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
		return nil
	case "-":
		said, ok := r.err.(*messages)
		if !ok {
			said = &messages{w: r.err, json: true}
		}
		r.log, r.err, r.logOnly, r.bar = said, said, true, false
		return nil
	}
	if err := checkLog(path); err != nil {
		return err
	}
	mode := either(goesOn, os.O_APPEND, os.O_TRUNC)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|mode, 0o666)
	if err != nil {
		return compression.Named(path, err)
	}
	r.log, r.logFile = json.NewEncoder(file), file
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
	start, err := io.ReadAll(io.LimitReader(file, int64(len(logStart))))
	if err != nil {
		return compression.Named(path, err)
	}
	if !strings.HasPrefix(logStart, string(start)) {
		return fmt.Errorf("%s: is not a log of w2v train, and --log-json would replace it: name another file, or move it away", path)
	}
	return nil
}

func (r *reporter) encode(event any) {
	if r.log != nil && r.logErr == nil {
		r.logErr = r.log.Encode(event)
	}
}

// say prints a line in place of the bar, which the next report draws again. The caller has locked r.
func (r *reporter) say(format string, args ...any) {
	if r.current != nil {
		_ = r.current.Clear() // a bar that cannot be drawn must not stop training
	}
	fmt.Fprintf(r.err, format+"\n", args...)
}

// tell prints what is an event, too. The caller has locked r.
func (r *reporter) tell(format string, args ...any) {
	if !r.logOnly {
		r.say(format, args...)
	}
}

// event logs an event, and tells of it.
func (r *reporter) event(event any, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(event)
	r.tell(format, args...)
}

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

func (r *reporter) every() time.Duration { return either(r.bar, 200*time.Millisecond, time.Second) }

func (r *reporter) newBar(total int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(drawing(r.err)),
		progressbar.OptionUseANSICodes(r.columns != nil), // spaces over the last line would wrap where it is narrower now
		progressbar.OptionSetWidth(barWidth[r.narrow]),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionClearOnFinish(),
	)
}

var barWidth = map[bool]int{true: 8, false: 20}

func (r *reporter) counted(tokens uint64) { r.count(tokens, "reading: %.1f M tokens") }

func (r *reporter) count(done uint64, format string) {
	if !r.bar {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.current == nil {
		r.current, r.read = r.newBar(-1), 0
	}
	if done < r.read {
		return // another goroutine was faster
	}
	r.read = done
	r.draw(int64(done), -1, func() string { return fmt.Sprintf(format, float64(done)/1e6) })
}

// besideText is how many columns a line has at most beside the bar and the text.
const besideText = 13

// draw draws the bar with a text beside it, both as wide as the terminal is now.
func (r *reporter) draw(done, total int64, text func() string) {
	columns := 0
	if r.columns != nil {
		columns = r.columns()
	}
	if narrow := columns < wideTerminal; columns > 0 && narrow != r.narrow {
		_ = r.current.Clear() // a bar that cannot be drawn must not stop training
		r.narrow = narrow
		r.current = r.newBar(total)
	}
	line := text()
	if columns > 0 {
		line = terminal.Cut(line, max(1, columns-besideText-barWidth[r.narrow]))
	}
	r.current.Describe(line) // before the bar is drawn with the text of a wider terminal
	_ = r.current.Set64(done)
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

func (r *reporter) trained(p sgns.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(progressEvent{
		Event: "progress", Tokens: p.Tokens, Total: p.Total, LearningRate: p.LearningRate,
		Loss: number(p.Loss), TokensPerSecond: number(p.TokensPerSecond), Recent: number(p.Recent),
		Elapsed: p.Elapsed.Seconds(), ETA: p.Remaining.Seconds(), Final: p.Final,
	})
	if r.estimates && p.Tokens > 0 {
		if r.estimates = false; p.Remaining > time.Minute {
			r.tell("training takes about %s", (p.Elapsed + p.Remaining).Round(time.Second))
		}
	}
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
	r.draw(int64(p.Tokens), int64(p.Total), func() string { return r.line(p) })
}

func (r *reporter) line(p sgns.Progress) string {
	loss := either(!math.IsNaN(r.loss), fmt.Sprintf("%.4f", r.loss), "-") // nothing trained yet
	done, total, speed, left := float64(p.Tokens)/1e6, float64(p.Total)/1e6, p.Recent/1e6, p.Remaining.Round(time.Second)
	if r.narrow {
		return fmt.Sprintf("%.0f/%.0f M, %.1f M/s, loss %.5s, ETA %s", done, total, speed, loss, left)
	}
	return fmt.Sprintf("%.1f/%.1f M tokens, %.2f M/s, lr %.5f, loss %s, ETA %s", done, total, speed, p.LearningRate, loss, left)
}

// logStart is how every line of --log-json begins.
const logStart = `{"event":"`

// The events are the lines of --log-json: see docs/reliability.md. Their fields are read by scripts.
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
		Loss    *float64      `json:"loss"`             // mean of training since the evaluation before; null if none was measured
		HeldOut *float64      `json:"held_out_loss"`    // null without held-out text
		Scores  []train.Score `json:"scores"`           // null without sets
		Best    bool          `json:"best"`             // so far
		Merged  bool          `json:"merged,omitempty"` // of the merged model of a recipe, which best says nothing of
		Seconds float64       `json:"seconds"`          // that it took
		Epoch   uint64        `json:"epoch"`            // that has ended, with --epoch-models; else 0
		Model   string        `json:"model"`            // at its end, with --epoch-models; else empty
		Error   string        `json:"error"`            // why there is no such model; empty if there is one
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
		Epochs  int    `json:"epochs"` // of which Total is
		Words   int    `json:"words"`
		Resumed bool   `json:"resumed"`
	}
	partEvent struct { // of a recipe: it comes before what is about the part
		Event string `json:"event"`
		Part  int    `json:"part"`
		Of    int    `json:"of"`
		Name  string `json:"name"`
		Dim   int    `json:"dim"`
		File  string `json:"file"` // its checkpoints; empty if there are none
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

// summary is what train prints at its end. Its JSON is read by scripts.
type summary struct {
	Recipe          train.Recipe `json:"recipe,omitempty"` // of which the other numbers are sums over all models
	Parts           []partResult `json:"parts,omitempty"`  // of the recipe
	Tokens          uint64       `json:"tokens"`           // of the corpus, in the vocabulary
	Vocab           int          `json:"vocab"`
	Epochs          int          `json:"epochs,omitempty"`  // a recipe's parts have theirs
	Seconds         float64      `json:"seconds"`           // of preparing and training
	CPUSeconds      float64      `json:"cpu_seconds"`       // of preparing and training
	CountSeconds    float64      `json:"count_seconds"`     // of reading and counting before it
	PrepareSeconds  float64      `json:"prepare_seconds"`   // of seconds, before the first token was trained
	SaveSeconds     float64      `json:"save_seconds"`      // of writing the model
	MemoryBytes     uint64       `json:"memory_bytes"`      // that the run was going to take, as was said when it began
	Ranks           int          `json:"ranks"`             // processes that trained together
	SentBytes       uint64       `json:"sent_bytes"`        // to each other, by all ranks
	NetworkBytes    uint64       `json:"network_bytes"`     // the part of sent_bytes that went from one machine to another
	TokensPerSecond *float64     `json:"tokens_per_second"` // trained, of all epochs
	Loss            *float64     `json:"loss"`              // mean of a true pair and its negatives, over the last epoch; null if there was none, and of a recipe, whose parts have theirs
	Output          string       `json:"output"`            // empty if there is only a checkpoint
	Complete        bool         `json:"complete"`          // false if interrupted
	Error           string       `json:"error"`             // what could not be saved, and why; empty if all was
	Early           bool         `json:"early"`             // ended by --early-stop
	Trained         uint64       `json:"trained"`           // tokens, of all epochs
	Checkpoint      string       `json:"checkpoint"`        // of the end; empty if there is none

	Texts     uint64 `json:"texts,omitempty"`         // that a classifier was trained on
	HeldOut   uint64 `json:"held_out,omitempty"`      // texts that it was measured on instead
	Labels    int    `json:"labels,omitempty"`        // of a classifier
	Unlabeled uint64 `json:"without_label,omitempty"` // texts that are left out of it

	Calibration *calibration `json:"calibration,omitempty"` // of a classifier

	Best    *bestEvaluation `json:"best"`     // of which the vectors are, with --early-stop; else null
	LeftOut []string        `json:"left_out"` // of the model, by the format of Output
	Remarks []remark        `json:"remarks"`  // on the corpus and the vectors

	TooLong *tooLong  `json:"too_long"`      // tokens that are left out; null if there are none
	Cut     *cutTexts `json:"cut,omitempty"` // texts of a classifier whose last words are left out

	UnseenRows []string `json:"unseen_rows,omitempty"` // of a tokenizer.json, that the corpus has no token of

	total       uint64        // tokens to train, of all epochs
	why         string        // it is not complete
	sameAnswers bool          // of a classifier the format leaves out some settings of the training alone
	goOn        string        // what to add to the command line to go on
	format      format.Format // of Output
}

type partResult struct {
	Name    string          `json:"name"`
	Dim     int             `json:"dim"`
	Epochs  int             `json:"epochs"`
	Trained uint64          `json:"trained"` // tokens, of all epochs
	Loss    *float64        `json:"loss"`
	Early   bool            `json:"early,omitempty"` // ended by --early-stop
	Best    *bestEvaluation `json:"best,omitempty"`  // of which its vectors are, with --early-stop
}

type tooLong struct {
	Tokens  uint64 `json:"tokens"`
	Longest uint64 `json:"longest"` // bytes
	File    string `json:"file"`    // with the first one
	Line    uint64 `json:"line"`    // of the first one
}

type cutTexts struct {
	Texts   int    `json:"texts"`
	Tokens  uint64 `json:"tokens"`  // left out
	Longest int    `json:"longest"` // tokens of a text
	File    string `json:"file"`    // with the first one
	Line    uint64 `json:"line"`    // of the first one
}

func newSummary(ctx context.Context, result *train.Result, spell func(name, value string) string) summary {
	p := result.Progress
	sum := summary{
		Tokens: result.Tokens, Vocab: result.Words, UnseenRows: result.Unseen, Epochs: result.Settings.Model.Epochs,
		Seconds: result.Training.Seconds(), CPUSeconds: result.CPU.Seconds(), CountSeconds: result.Counting.Seconds(),
		PrepareSeconds: result.Preparing.Seconds(), SaveSeconds: result.Saving.Seconds(), MemoryBytes: result.Planned,
		TokensPerSecond: number(p.TokensPerSecond), Loss: number(p.Loss),
		Output: result.Output, Complete: result.Complete, Early: p.Early, Trained: p.Tokens, Checkpoint: result.Checkpoint,
		Ranks: result.Ranks, SentBytes: result.Sent, NetworkBytes: result.Network,
		LeftOut: append([]string{}, result.LeftOut...), Remarks: []remark{}, // not null
		format: result.Format, why: "stopped", total: result.Tokens * uint64(result.Settings.Model.Epochs),
	}
	if ctx.Err() != nil {
		sum.why = "interrupted"
	}
	for _, made := range result.Remarks {
		sum.Remarks = append(sum.Remarks, remark{made.Kind, made.Spell(spell)})
	}
	for _, of := range result.Parts {
		sum.Epochs, sum.Loss = 0, nil
		sum.Parts = append(sum.Parts, partResult{of.Name, of.Dim, of.Epochs, of.Trained, number(of.Loss), of.Early, bestOf(of.Best)})
	}
	if left := result.TooLong; left.Tokens > 0 {
		sum.TooLong = &tooLong{Tokens: left.Tokens, Longest: left.Longest, File: left.Name, Line: left.Line}
	}
	sum.Best = bestOf(result.Best)
	return sum
}

type remark struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

type bestEvaluation struct {
	Tokens  uint64   `json:"tokens"`
	HeldOut *float64 `json:"held_out_loss"`
	Score   *float64 `json:"score"`
}

func bestOf(e *sgns.Evaluation) *bestEvaluation {
	if e == nil {
		return nil
	}
	return &bestEvaluation{e.Tokens, number(e.Loss), number(e.Score)}
}

func (s summary) text() string {
	of := fmt.Sprintf("%s of %s tokens", wording.Thousands(s.Trained), wording.Thousands(s.total))
	texts := when(s.Texts > 0, "%s of ", wording.Count(s.Texts, "text", "texts"))
	what := fmt.Sprintf("trained: %s%s × %s", texts, wording.Count(s.Tokens, "token", "tokens"), wording.Count(s.Epochs, "epoch", "epochs")) +
		when(s.HeldOut > 0, ", %s held out", wording.Count(s.HeldOut, "text", "texts"))
	switch {
	case !s.Complete:
		what = s.why + ": trained " + of
	case s.Recipe != "":
		what = fmt.Sprintf("trained and merged by the recipe %s: %s", s.Recipe, wording.Count(s.Tokens, "token", "tokens"))
	case s.Early:
		what = fmt.Sprintf("ended early: trained %s, the best vectors are those of %s", of, wording.Thousands(s.Best.Tokens))
	case s.Best != nil && s.Best.Tokens != s.Trained:
		what += fmt.Sprintf(", the best vectors are those of %s", wording.Thousands(s.Best.Tokens))
	}
	words := wording.Count(s.Vocab, "word", "words") + when(s.Labels > 0, ", %s", wording.Count(s.Labels, "label", "labels"))
	text := fmt.Sprintf("%s, %s, %.1f s (%.1f s CPU)", what, words, s.Seconds, s.CPUSeconds)
	if s.TokensPerSecond != nil && *s.TokensPerSecond > 0 {
		text += fmt.Sprintf(", %s tokens/s", wording.Thousands(uint64(*s.TokensPerSecond)))
	}
	if s.Loss != nil {
		text += fmt.Sprintf(", loss %.4f", *s.Loss)
	}
	text += when(s.Ranks > 1, ", %d ranks exchanged %s", s.Ranks, megabytes(int64(s.SentBytes)))
	if s.Cut != nil {
		text += fmt.Sprintf(", %s cut", wording.Count(s.Cut.Texts, "text", "texts"))
	}
	if left := s.TooLong; left != nil {
		text += fmt.Sprintf(", tokens of more than %d bytes left out: %s", corpus.MaxToken, wording.Thousands(left.Tokens))
	}
	if s.goOn != "" {
		text += "; to go on: " + s.goOn
	} else if s.Output != "" {
		text += ": " + s.Output + when(s.Checkpoint != "", ", checkpoint %s", s.Checkpoint)
	}
	if s.sameAnswers {
		return text + fmt.Sprintf("\nnote: the format %s has no place for some settings of the training; predictions are the same\n", s.format)
	}
	return text + "\n" + when(len(s.LeftOut) > 0, "note: the format %s leaves out %s; a .w2v file keeps all of it\n", s.format, strings.Join(s.LeftOut, "; "))
}

// number is x for JSON, which has null for what is not a number.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// often is the time between lines about a computation where there is no bar.
const often = 10 * time.Second

// computation shows a long computation: by a bar on a terminal, by a line now and then elsewhere. End ends the bar.
func computation(s streams, force bool) (how transform.Computation, end func()) {
	r := newReporter(s, progressAuto)
	said := time.Now()
	how = transform.Computation{Force: force, Progress: func(what string, done float64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case r.bar:
			if r.current == nil {
				r.current = r.newBar(1000)
			}
			_ = r.current.Set64(int64(min(999, 1000*done))) // a bar that cannot be drawn must not stop the work
			r.current.Describe(what)
		case time.Since(said) >= often:
			said = time.Now()
			fmt.Fprintf(r.err, "%s: %.0f %% done\n", what, 100*done)
		}
	}}
	return how, r.countingDone
}
