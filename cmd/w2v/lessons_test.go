package main

import (
	"io"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/serve/lessons"
)

// The commands of lessons are commands of the program, with flags that these have.
func TestCommandsOfLessons(t *testing.T) {
	for _, l := range lessons.All() {
		args := strings.Fields(l.Command)
		c, rest, err := newRoot(streams{out: io.Discard, err: io.Discard}, "").Find(args[1:])
		if err != nil || args[0] != "w2v" || !c.Runnable() {
			t.Errorf("%s: %s: %v", l.Name, l.Command, err)
			continue
		}
		if err := c.ParseFlags(rest); err != nil {
			t.Errorf("%s: %s: %v", l.Name, l.Command, err)
		} else if err := c.ValidateArgs(c.Flags().Args()); err != nil {
			t.Errorf("%s: %s: %v", l.Name, l.Command, err)
		}
	}
}
