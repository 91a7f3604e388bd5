package main

import (
	"fmt"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/sgns"
)

// every is the time between reports of training.
func (r *reporter) every() time.Duration {
	if r.bar {
		return 200 * time.Millisecond
	}
	return time.Second
}

func (r *reporter) newBar(total int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(drawing(r.err)),
		progressbar.OptionUseANSICodes(r.columns != nil), // spaces over the last line would wrap where it is narrower now
		progressbar.OptionSetWidth(r.barWidth()),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionClearOnFinish(),
	)
}

// counted shows how many tokens have been read. It may be called from several
// goroutines.
func (r *reporter) counted(tokens uint64) { r.count(tokens, "reading: %.1f M tokens") }

// count shows how many things have been done, in millions, as a format says.
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

// barWidth is the width of the bar alone.
func (r *reporter) barWidth() int {
	if r.narrow {
		return 8
	}
	return 20
}

// besideText is how many columns a line has at most beside the bar and the text.
const besideText = 13

// draw draws the bar with a text beside it, both as wide as the terminal is now.
func (r *reporter) draw(done, total int64, text func() string) {
	columns := 0
	if r.columns != nil {
		columns = r.columns()
	}
	if narrow := columns > 0 && columns < wideTerminal; columns > 0 && narrow != r.narrow {
		_ = r.current.Clear() // a bar that cannot be drawn must not stop training
		r.narrow = narrow
		r.current = r.newBar(total)
	}
	line := text()
	if columns > 0 {
		line = terminal.Cut(line, max(1, columns-besideText-r.barWidth()))
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
	r.draw(int64(p.Tokens), int64(p.Total), func() string { return r.line(p) })
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
