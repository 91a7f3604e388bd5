package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
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
	log     *json.Encoder
	logFile io.Closer
	logErr  error
}

func newReporter(s streams, progress, logPath string) (*reporter, error) {
	r := &reporter{
		err:    s.err,
		bar:    progress == "always" || progress == "auto" && s.errTerminal,
		narrow: s.errWidth > 0 && s.errWidth < 100,
		loss:   math.NaN(),
	}
	switch logPath {
	case "":
	case "-":
		r.log = json.NewEncoder(s.err)
		r.bar = false // they would write over each other
	default:
		file, err := os.Create(logPath)
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
		r.current = r.newBar(-1)
	}
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

// planned says what training is going to take.
func (r *reporter) planned(p sgns.Plan) {
	fmt.Fprintf(r.err, "training takes %s of memory: %s input and %s output rows\n",
		megabytes(int64(p.Bytes)), thousands(uint64(p.Rows)), thousands(uint64(p.Words)))
}

// trained shows and logs a report of training.
func (r *reporter) trained(p sgns.Progress) {
	if r.log != nil && r.logErr == nil {
		r.logErr = r.log.Encode(logLine{
			Tokens:          p.Tokens,
			Total:           p.Total,
			LearningRate:    p.LearningRate,
			Loss:            number(p.Loss),
			TokensPerSecond: number(p.TokensPerSecond),
			Elapsed:         p.Elapsed.Seconds(),
			ETA:             p.Remaining.Seconds(),
			Final:           p.Final,
		})
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
	_ = r.current.Set64(int64(p.Tokens))
	r.current.Describe(r.line(p))
}

// line is what stands beside the bar.
func (r *reporter) line(p sgns.Progress) string {
	loss := "-" // nothing trained yet
	if !math.IsNaN(r.loss) {
		loss = fmt.Sprintf("%.4f", r.loss)
	}
	done, total, speed, left := float64(p.Tokens)/1e6, float64(p.Total)/1e6, p.TokensPerSecond/1e6, p.Remaining.Round(time.Second)
	if r.narrow {
		return fmt.Sprintf("%.0f/%.0f M, %.1f M/s, loss %.5s, ETA %s", done, total, speed, loss, left)
	}
	return fmt.Sprintf("%.1f/%.1f M tokens, %.2f M/s, lr %.5f, loss %s, ETA %s", done, total, speed, p.LearningRate, loss, left)
}

// logLine is a line of --log-json. Its fields are read by scripts.
type logLine struct {
	Tokens          uint64   `json:"tokens"`            // trained, of all epochs
	Total           uint64   `json:"total"`             // to train, of all epochs
	LearningRate    float64  `json:"lr"`                // now
	Loss            *float64 `json:"loss"`              // mean since the last line; in the final one of the last epoch; null if nothing was trained
	TokensPerSecond *float64 `json:"tokens_per_second"` // on the average
	Elapsed         float64  `json:"elapsed"`           // seconds
	ETA             float64  `json:"eta"`               // seconds
	Final           bool     `json:"final"`
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
