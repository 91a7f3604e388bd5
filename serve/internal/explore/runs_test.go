package explore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/serve/internal/explore"
)

// A browser sees a run from its beginning, while it goes on, and after the log was begun anew.
func TestFollowRun(t *testing.T) {
	models := &shelf{}
	models.put("m", compass(t))
	path := filepath.Join(t.TempDir(), "run.jsonl")
	s, _ := serve(t, explore.Options{Models: models, Logs: []string{path}})
	steps := []struct{ write, want string }{ // the log after the event before, and the next event
		{"{\"event\":\"start\"}\n{\"ev", `record {"event":"start"}`},
		{"{\"event\":\"start\"}\n{\"event\":\"progress\"}\n", `record {"event":"progress"}`},
		{"{\"event\":\"other\"}\n", `restart {}`},
		{"", `record {"event":"other"}`},
		{"{\"event\":\"other\"}\n{\"event\":\"done\"}\n", `record {"event":"done"}`},
		{"{\"event\":\"other\"}\n{\"event\":\"done\"}\n{\"event\":\"start\"}\n", `record {"event":"start"}`}, // which goes on
	}
	next, there := 0, ""
	put := func() {
		text := steps[next].write
		if text == "" {
			return
		}
		added, goesOn := strings.CutPrefix(text, there)
		there = text
		flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
		if goesOn {
			flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
		} else {
			added = text
		}
		f, err := os.OpenFile(path, flags, 0o600)
		if err == nil {
			_, err = f.WriteString(added)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}
	put()
	follow(t, s, "runs/run", func(kind, data string) bool {
		if got := fmt.Sprint(kind, " ", data); got != steps[next].want {
			t.Errorf("event %d is %s, want %s", next, got, steps[next].want)
			return true
		}
		if next++; next == len(steps) {
			return true
		}
		put()
		return false
	})
	if next != len(steps) {
		t.Errorf("the stream ended after %d events", next)
	}
}
