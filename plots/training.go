package plots

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/chart"
)

// An Against is the quantity on the horizontal axis of training curves. Its value is the name on the command
// line.
type Against string

// Axes of a training.
const (
	AgainstTokens  Against = "tokens"  // tokens trained in all epochs
	AgainstShare   Against = "share"   // share of all tokens to train
	AgainstSeconds Against = "seconds" // seconds of training
)

// Axes returns all axes.
func Axes() []Against { return []Against{AgainstTokens, AgainstShare, AgainstSeconds} }

// A Training shows the curves of runs: loss, held-out loss, scores, learning rate and speed, as far as the
// logs have them.
type Training struct {
	Title   string  `json:"-"`
	Against Against `json:"against"`
	Runs    []*Run  `json:"runs"`
}

// NewTraining returns the picture of at least one run.
func NewTraining(runs []*Run, against Against) (*Training, error) {
	switch {
	case len(runs) == 0:
		return nil, errors.New("plots: there are no runs")
	case against == "":
		against = AgainstTokens
	case !slices.Contains(Axes(), against):
		return nil, errors.New("plots: there is no such axis of a training: " + string(against))
	}
	return &Training{Against: against, Runs: runs}, nil
}

func (t *Training) x(r *Run, tokens uint64, seconds float64) float64 {
	switch {
	case t.Against == AgainstSeconds:
		return seconds
	case t.Against == AgainstShare && r.Total > 0:
		return float64(tokens) / float64(r.Total)
	case t.Against == AgainstShare:
		return math.NaN()
	}
	return float64(tokens)
}

const most = 600 // more points would not fit side by side

func thinned(all []chart.Point) []chart.Point {
	if len(all) <= most {
		return all
	}
	size := (len(all) + most - 1) / most
	var few []chart.Point
	for chunk := range slices.Chunk(all, size) {
		var x, y, n float64
		for _, p := range chunk {
			x += p.X
			if !math.IsNaN(p.Y) {
				y, n = y+p.Y, n+1
			}
		}
		few = append(few, chart.Point{X: x / float64(len(chunk)), Y: y / n})
	}
	return few
}

func (t *Training) chart() chart.Picture {
	c := chart.Panels{Title: t.Title, FromZero: true, X: map[Against]string{AgainstTokens: "tokens trained", AgainstShare: "share of the training", AgainstSeconds: "seconds of training"}[t.Against]}
	type add func(tokens uint64, seconds float64, y *float64) // adds a point to a curve
	panel := func(p chart.Panel, curve func(r *Run, to add)) {
		some := false
		for i, r := range t.Runs {
			var points []chart.Point
			curve(r, func(tokens uint64, seconds float64, y *float64) {
				if y != nil && !math.IsNaN(*y) {
					points = append(points, chart.Point{X: t.x(r, tokens, seconds), Y: *y})
				}
			})
			points = thinned(points)
			some = some || len(points) > 0
			p.Lines = append(p.Lines, chart.Line{Series: i, Points: points, Dots: len(points) <= 25})
		}
		if some {
			c.Panels = append(c.Panels, p)
		}
	}
	progress := func(p chart.Panel, of func(Progress) *float64) {
		panel(p, func(r *Run, to add) {
			for _, p := range r.Progress {
				to(p.Tokens, p.Seconds, of(p))
			}
		})
	}
	progress(chart.Panel{Y: "loss"}, func(p Progress) *float64 { return p.Loss })
	panel(chart.Panel{Y: "held-out loss"}, func(r *Run, to add) {
		for _, e := range r.Evaluations {
			to(e.Tokens, e.Seconds, e.HeldOut)
		}
	})
	for _, set := range t.sets() {
		panel(chart.Panel{Y: set}, func(r *Run, to add) {
			for _, e := range r.Evaluations {
				if i := slices.IndexFunc(e.Scores, func(s Score) bool { return s.Set == set }); i >= 0 {
					to(e.Tokens, e.Seconds, e.Scores[i].Score)
				}
			}
		})
	}
	progress(chart.Panel{Y: "learning rate", FromZero: true}, func(p Progress) *float64 { return &p.LearningRate })
	progress(chart.Panel{Y: "tokens/s", FromZero: true}, func(p Progress) *float64 { return p.Speed })
	for i, r := range t.Runs {
		if len(t.Runs) > 1 { // with one run, the title names it
			c.Series = append(c.Series, r.Name)
		}
		for _, e := range r.Events {
			c.Marks = append(c.Marks, chart.Mark{X: t.x(r, e.Tokens, e.Seconds), Series: i, Label: string(e.Kind)})
		}
	}
	slices.SortStableFunc(c.Marks, func(a, b chart.Mark) int { return cmp.Compare(a.X, b.X) })
	return c
}

const maxSets = 6

func (t *Training) sets() (names []string) {
	for _, r := range t.Runs {
		for _, e := range r.Evaluations {
			for _, s := range e.Scores {
				if !slices.Contains(names, s.Set) && len(names) < maxSets {
					names = append(names, s.Set)
				}
			}
		}
	}
	return names
}

// A Run is a training run read from its log, from the start through all interruptions to the end.
type Run struct {
	Name        string       `json:"run"`
	Total       uint64       `json:"total"` // tokens to train in all epochs
	Words       int          `json:"words"`
	Progress    []Progress   `json:"progress"`
	Evaluations []Evaluation `json:"evaluations"`
	Events      []Event      `json:"events"`
	Done        bool         `json:"done"` // the model was written
}

// A Progress is the state of training at one moment. A resumed run continues from its checkpoint.
type Progress struct {
	Tokens       uint64   `json:"tokens"`
	Seconds      float64  `json:"seconds"` // of training in all sessions, without lost work
	LearningRate float64  `json:"lr"`
	Loss         *float64 `json:"loss"`              // since the Progress before
	Speed        *float64 `json:"tokens_per_second"` // since the Progress before
}

// An Evaluation has the scores of one evaluation during training.
type Evaluation struct {
	Tokens  uint64   `json:"tokens"`
	Seconds float64  `json:"seconds"`
	HeldOut *float64 `json:"held_out_loss"`
	Scores  []Score  `json:"scores"`
}

// A Score is a score on one set.
type Score struct {
	Set   string   `json:"set"`
	Score *float64 `json:"score"`
}

// An EventKind is the kind of an Event.
type EventKind string

// Kinds of events.
const (
	Resumed  EventKind = "resumed"
	Diverged EventKind = "diverged"
	Failed   EventKind = "failed"
)

// An Event is something that happened in a run.
type Event struct {
	Kind    EventKind `json:"kind"`
	Tokens  uint64    `json:"tokens"`
	Seconds float64   `json:"seconds"`
}

const maxLine = 1 << 24

type entry struct {
	Event   string   `json:"event"`
	Tokens  uint64   `json:"tokens"`
	Total   uint64   `json:"total"`
	Words   int      `json:"words"`
	Resumed bool     `json:"resumed"`
	Rate    float64  `json:"lr"`
	Loss    *float64 `json:"loss"`
	Recent  *float64 `json:"tokens_per_second_now"`
	Elapsed float64  `json:"elapsed"`
	Final   bool     `json:"final"`
	HeldOut *float64 `json:"held_out_loss"`
	Scores  []Score  `json:"scores"`
	BackTo  uint64   `json:"back_to"`
}

const eventStart = `{"event":"`

// parse takes the last event of a line: a run may have been killed while it wrote what is before it.
func (e *entry) parse(line []byte) error {
	err := json.Unmarshal(line, e)
	if at := bytes.LastIndex(line, []byte(eventStart)); err != nil && at > 0 {
		*e = entry{}
		if json.Unmarshal(line[at:], e) == nil {
			return nil
		}
	}
	return err
}

// ReadRuns reads a training log in JSON lines. A resumed session continues the run before it from the checkpoint; what was
// trained behind that is dropped. Several runs are named "NAME 1", "NAME 2" and so on. Unknown events and fields and
// incomplete lines are skipped: the last one, and one that a resumed run continued. Any other line that is not JSON is an
// error with the line's number.
func ReadRuns(r io.Reader, name string) ([]*Run, error) {
	var runs []*Run
	var reader runReader
	in := bufio.NewReaderSize(r, 1<<16)
	complete := true
	for number := 1; complete; number++ {
		var line []byte
		var err error
		if line, complete, err = readLine(in); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, number, err)
		}
		line = bytes.TrimSpace(line)
		var e entry
		if err := e.parse(line); err != nil {
			if complete && len(line) > 0 {
				return nil, fmt.Errorf("%s: line %d is not an event of a training log: %w", name, number, err)
			}
			continue
		}
		if reader.run == nil || e.Event == "start" && !e.Resumed {
			if e.Event != "start" && e.Event != "progress" && e.Event != "evaluation" {
				continue // remarks can precede the start
			}
			reader = runReader{run: &Run{Progress: []Progress{}, Evaluations: []Evaluation{}, Events: []Event{}}}
			runs = append(runs, reader.run)
		}
		reader.add(e)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s: there is no training in it: expected lines such as {\"event\":\"start\",…}", name)
	}
	for i, run := range runs {
		if run.Name = name; len(runs) > 1 {
			run.Name += fmt.Sprintf(" %d", i+1)
		}
	}
	return runs, nil
}

func readLine(in *bufio.Reader) (line []byte, complete bool, err error) {
	for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		var part []byte
		part, err = in.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLine {
			return nil, false, errors.New("the line is too long for a training log")
		}
	}
	if errors.Is(err, io.EOF) {
		return line, false, nil
	}
	return line, err == nil, err
}

type runReader struct {
	run    *Run
	before float64 // seconds in the sessions before this one
}

func (r *runReader) add(e entry) {
	seconds := r.before + max(0, e.Elapsed)
	switch e.Event {
	case "start":
		r.run.Total, r.run.Words = e.Total, e.Words
		if e.Resumed {
			r.back(e.Tokens)
			r.before = r.last().Seconds
			r.run.Events = append(r.run.Events, Event{Resumed, e.Tokens, r.before})
			r.run.Done = false
		}
	case "progress":
		if e.Final && len(r.run.Progress) > 0 {
			e.Loss, e.Recent = nil, nil // they describe the last epoch and the whole run
		}
		if r.run.Total == 0 {
			r.run.Total = e.Total
		}
		r.run.Progress = append(r.run.Progress, Progress{e.Tokens, seconds, e.Rate, e.Loss, e.Recent})
	case "evaluation":
		r.run.Evaluations = append(r.run.Evaluations, Evaluation{e.Tokens, seconds, e.HeldOut, e.Scores})
	case "divergence":
		r.run.Events = append(r.run.Events, Event{Diverged, e.BackTo, r.at(e.BackTo)})
		r.back(e.BackTo)
	case "failed":
		r.run.Events = append(r.run.Events, Event{Failed, r.last().Tokens, r.last().Seconds})
	case "done":
		r.run.Done = true
	}
}

// back drops what was trained behind so many tokens, which rise.
func (r *runReader) back(tokens uint64) {
	r.run.Progress = slices.DeleteFunc(r.run.Progress, func(p Progress) bool { return p.Tokens > tokens })
	r.run.Evaluations = slices.DeleteFunc(r.run.Evaluations, func(e Evaluation) bool { return e.Tokens > tokens })
}

func (r *runReader) last() Progress {
	if n := len(r.run.Progress); n > 0 {
		return r.run.Progress[n-1]
	}
	return Progress{Seconds: r.before}
}

func (r *runReader) at(tokens uint64) float64 {
	at := r.before
	for _, p := range r.run.Progress {
		if p.Tokens <= tokens {
			at = p.Seconds
		}
	}
	return at
}
