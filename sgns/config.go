package sgns

import (
	"fmt"
	"runtime"

	"github.com/w2v-go/w2v/subword"
)

// Validate reports the first setting that cannot be trained with.
func (c Config) Validate() error {
	c.Subword = subword.Value(c.Subword)
	if err := Settings().Check(&c); err != nil {
		return fmt.Errorf("sgns: %w", err)
	}
	if err := c.Freeze.Validate(); err != nil {
		return err
	}
	if err := c.Precision.Validate(); err != nil {
		return err
	}
	if err := c.validateWindow(); err != nil {
		return err
	}
	if err := subword.Validate(c.Subword); err != nil {
		return err
	}
	_, err := c.variant()
	return err
}

// workers is how many workers read the corpus, each for itself. A column-parallel group has
// one.
func (c Config) workers() int {
	if c.Deterministic {
		return 1
	}
	return c.threads()
}

// threads is the number of threads asked for.
func (c Config) threads() int {
	if c.Threads > 0 {
		return c.Threads
	}
	return runtime.GOMAXPROCS(0)
}
