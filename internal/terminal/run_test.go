package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// Run ends when ctx does, and when somebody quits. It returns when questions have been answered, and lets no
// more through to a source that may be closed by then.
func TestRun(t *testing.T) {
	for _, end := range []string{"ctx", "ctrl-c", "end of input"} {
		t.Run(end, func(t *testing.T) {
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			in, keys := io.Pipe()
			asked, over := make(chan Question), false
			source := silent{"model", func(q Question) (Answer, error) {
				if over {
					t.Error("asked after the end")
				}
				asked <- q
				return echo(q)
			}}
			ended := make(chan error)
			go func() {
				err := Run(ctx, Options{In: in, Out: io.Discard, Environment: []string{"TERM=xterm"}}, source)
				over = true
				ended <- err
			}()
			if _, err := io.WriteString(keys, "king"); err != nil {
				t.Fatal(err)
			}
			if q := <-asked; !strings.HasPrefix("king", q.Text) {
				t.Errorf("asked %q", q.Text)
			}
			switch end {
			case "ctx":
				stop()
			case "ctrl-c":
				go io.WriteString(keys, "\x03")
			default:
				keys.Close()
				stop() // a terminal that goes away sends SIGHUP, too
			}
			for {
				select {
				case <-asked:
					continue
				case err := <-ended:
					if err != nil {
						t.Errorf("Run: %v", err)
					}
				}
				break
			}
		})
	}
}

func TestGate(t *testing.T) {
	var g gate
	source := gated{silent{"model", echo}, &g}
	if a, err := source.Answer(Question{Text: "x"}); err != nil || len(a.Neighbors) != 1 {
		t.Errorf("before the end: %+v, %v", a, err)
	}
	g.shut()
	if _, err := source.Answer(Question{Text: "x"}); !errors.Is(err, errOver) {
		t.Errorf("an answer after the end: %v", err)
	}
	if _, err := source.Complete("x", 1); !errors.Is(err, errOver) {
		t.Errorf("a completion after the end: %v", err)
	}
}
