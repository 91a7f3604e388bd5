package explorer

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// heartbeat is how often something is sent in a stream at least, so that nothing on the way takes it for dead.
const heartbeat = 15 * time.Second

// events are a stream of server-sent events.
type events struct {
	w     http.ResponseWriter
	flush func() error
}

// newEvents begins a stream. The server's time limits are those of answers, and not of streams.
func newEvents(w http.ResponseWriter) events {
	c := http.NewResponseController(w)
	_ = c.SetWriteDeadline(time.Time{}) // not every writer has one
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // as some proxies need it
	w.WriteHeader(http.StatusOK)
	s := events{w, c.Flush}
	_ = s.flush() // the first event tells whether somebody listens
	return s
}

// send sends an event with data of one line, and tells whether somebody listens.
func (s events) send(kind string, data []byte) bool {
	if _, err := fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", kind, data); err != nil {
		return false
	}
	return s.flush() == nil
}

// beat sends a comment, and tells whether somebody listens.
func (s events) beat() bool {
	if _, err := s.w.Write([]byte(": \n\n")); err != nil {
		return false
	}
	return s.flush() == nil
}

// wait waits for a while, or for a channel, and tells whether to go on: whether the client listens and the
// explorer is open.
func (e *Explorer) wait(ctx context.Context, d time.Duration, early <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-early:
	case <-ctx.Done():
	case <-e.ctx.Done():
	}
	return ctx.Err() == nil && e.ctx.Err() == nil
}
