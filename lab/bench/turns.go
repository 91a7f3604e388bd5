package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// A training is a process of w2v train that stands still except in its turns. It begins in its first turn, and again
// when it has ended.
type training struct {
	path string
	args []string

	command *exec.Cmd // nil if there is no process
	speeds  <-chan float64
	last    string // line that was no progress
}

// together gives trainings a turn at once, and returns how many tokens a second they trained in it.
func together(ctx context.Context, all []*training) (speed float64, err error) {
	const attempts = 3 // trainings may end in their turns
	for range attempts {
		speed, err = turn(ctx, all)
		if !errors.Is(err, io.EOF) {
			return speed, err
		}
	}
	return 0, errors.New("training ends within a turn of a second: more -epochs are needed")
}

// turn returns io.EOF if a training has ended in it.
func turn(ctx context.Context, all []*training) (speed float64, err error) {
	for _, t := range all { // so that they go on at the same time
		if err := t.ready(ctx); err != nil {
			return 0, err
		}
	}
	for _, t := range all {
		if err := resume(t.command.Process); err != nil {
			return 0, err
		}
	}
	for _, t := range all {
		own, e := t.second(ctx)
		speed += own
		err = errors.Join(err, e)
	}
	for _, t := range all {
		if t.command != nil {
			err = errors.Join(err, pause(t.command.Process))
		}
	}
	return speed, err
}

// ready starts the training, if there is no process, and pauses it when it trains.
func (t *training) ready(ctx context.Context) error {
	if t.command != nil {
		return nil
	}
	c := exec.CommandContext(ctx, t.path, t.args...)
	log, err := c.StderrPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	speeds := make(chan float64, 64)
	t.command, t.speeds = c, speeds
	go t.read(log, speeds)
	if _, err := t.next(ctx); err != nil {
		return err
	}
	return pause(c.Process)
}

// read sends the speed of each report, the last one excepted: it is that of the whole run.
func (t *training) read(log io.Reader, speeds chan<- float64) {
	defer close(speeds)
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct {
			Event string  `json:"event"`
			Now   float64 `json:"tokens_per_second_now"`
			Final bool    `json:"final"`
		}
		switch err := json.Unmarshal(lines.Bytes(), &line); {
		case err != nil:
			t.last = lines.Text()
		case line.Event == "progress" && !line.Final:
			speeds <- line.Now
		}
	}
}

// second returns the speed of the next whole second. A first report comes at once: it is about the time in which the
// training stood still.
func (t *training) second(ctx context.Context) (speed float64, err error) {
	for len(t.speeds) > 0 { // reported before the training stood still
		<-t.speeds
	}
	for range 2 {
		if speed, err = t.next(ctx); err != nil {
			return 0, err
		}
	}
	return speed, nil
}

// next waits for a report.
func (t *training) next(ctx context.Context) (float64, error) {
	select {
	case speed, ok := <-t.speeds:
		if ok {
			return speed, nil
		}
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	err := t.command.Wait()
	t.command = nil
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, t.last)
	}
	return 0, io.EOF
}

// end ends the process, if there is one.
func (t *training) end() error {
	if t.command == nil {
		return nil
	}
	err := t.command.Process.Kill()
	for range t.speeds {
	}
	t.command.Wait() // it was killed, which is not an error
	t.command = nil
	return err
}
