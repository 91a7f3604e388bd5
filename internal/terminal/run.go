package terminal

import (
	"context"
	"errors"
	"io"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Options say where a screen is shown.
type Options struct {
	In          io.Reader // the terminal's keys
	Out         io.Writer // the terminal
	Environment []string  // of the terminal, as os.Environ has it
}

// Run shows a screen that asks these sources until somebody quits or ctx ends, and leaves the terminal as
// it was. It returns when no source is asked any more. The error is one of the terminal.
func Run(ctx context.Context, o Options, sources ...Source) error {
	var g gate
	for i, source := range sources {
		sources[i] = gated{source, &g}
	}
	program := tea.NewProgram(NewScreen(sources...), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Environment), tea.WithoutSignalHandler())
	stop := context.AfterFunc(ctx, program.Quit)
	defer stop()
	_, err := program.Run()
	g.shut()
	return err
}

// errOver is the answer to questions that come too late for anybody to see.
var errOver = errors.New("the screen is gone")

// A gate lets questions to sources through until it is shut: somebody may close the files behind sources then.
type gate struct {
	mu   sync.RWMutex
	over bool
}

// shut waits for the answers to all questions that went through.
func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
}

// gated is a source behind a gate.
type gated struct {
	Source
	gate *gate
}

func (s gated) Answer(q Question) (Answer, error) {
	s.gate.mu.RLock()
	defer s.gate.mu.RUnlock()
	if s.gate.over {
		return Answer{}, errOver
	}
	return s.Source.Answer(q)
}

func (s gated) Complete(line string, most int) (Completion, error) {
	s.gate.mu.RLock()
	defer s.gate.mu.RUnlock()
	if s.gate.over {
		return Completion{}, errOver
	}
	return s.Source.Complete(line, most)
}
