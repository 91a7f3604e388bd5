package sgns

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vocab"
)

// A WindowMode says how wide the window around a centre is, given the largest distance W. Its
// value is the name that the command line knows it by.
type WindowMode string

const (
	// WindowDynamic draws the width uniformly from 1 to W, as word2vec does: a context at
	// distance d counts with probability (W−d+1)/W. It is the default.
	WindowDynamic WindowMode = ""
	// WindowFixed always takes W.
	WindowFixed WindowMode = "fixed"
	// WindowHarmonic draws the width so that a context at distance d counts with probability
	// 1/d, which is its weight in GloVe.
	WindowHarmonic WindowMode = "harmonic"
)

// windowLine is what a model says of its window mode if contexts were drawn from whole lines, as
// a window of 0 would say that nothing is known of it.
const windowLine = "line"

// recordedWindowMode is what a model says of its windows, nothing if they are as usual.
func (c Config) recordedWindowMode() string {
	if c.Window == 0 {
		return windowLine
	}
	return string(c.WindowMode)
}

// windowDynamic is the name of WindowDynamic.
const windowDynamic = "dynamic"

func windowModes() []setting.Choice {
	return []setting.Choice{
		{Value: windowDynamic, Meaning: "any width up to that"},
		{Value: string(WindowFixed), Meaning: "always that wide"},
		{Value: string(WindowHarmonic), Meaning: "contexts at distance d count 1/d"},
	}
}

// Validate reports a value that means nothing.
func (m WindowMode) Validate() error {
	switch m {
	case WindowDynamic, WindowFixed, WindowHarmonic:
		return nil
	}
	return fmt.Errorf("sgns: window mode: %q is not known; %q and %q are", string(m), string(WindowFixed), string(WindowHarmonic))
}

// validateWindow reports a window that makes no sense.
func (c Config) validateWindow() error {
	if err := c.WindowMode.Validate(); err != nil {
		return err
	}
	if c.Window == 0 && c.WindowMode != WindowDynamic {
		return fmt.Errorf("sgns: window mode %s is one of windows, and with a window of 0 the whole line is the context", c.WindowMode)
	}
	return nil
}

// meanWindow returns the dynamic window that gives a centre, far from the ends of its line, as
// many contexts as the run's does on the average.
func (c Config) meanWindow() float64 {
	switch {
	case c.Window == 0:
		return float64(Defaults().Window)
	case c.WindowMode == WindowDynamic:
		return float64(min(c.Window, vocab.MaxSentence))
	}
	var mean float64 // on one side
	most := min(c.Window, vocab.MaxSentence)
	for d := 1; d <= most; d++ {
		mean += settings.WindowMode(c.WindowMode).Reaches(d, most)
	}
	return 2*mean - 1
}

// windowMode is a WindowMode as text, which has a name for the default.
type windowMode WindowMode

func (m *windowMode) String() string { return cmp.Or(string(*m), windowDynamic) }

// Type is how a flag's help calls the value.
func (m *windowMode) Type() string { return "name" }

// Set takes a name.
func (m *windowMode) Set(name string) error {
	if name == windowDynamic {
		name = string(WindowDynamic)
	}
	if WindowMode(name).Validate() != nil {
		return errors.New("is not dynamic, fixed or harmonic")
	}
	*m = windowMode(name)
	return nil
}
