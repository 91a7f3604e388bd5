package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// smallestCompressed is the size in bytes from which on responses are compressed. Smaller ones
// fit into one packet anyway.
const smallestCompressed = 1400

// compression compresses responses as clients accept it.
func compression() (func(http.Handler) http.HandlerFunc, error) {
	return gzhttp.NewWrapper(gzhttp.MinSize(smallestCompressed))
}

// ordinary answers a request with one response: the body is read first, so that slow clients
// wait for no one but themselves, and then a place is needed among the requests that are being
// computed. The place is free again when the response begins.
func (s *Server) ordinary(h handler) http.Handler {
	return s.compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held, err := s.readBody(w, r)
		defer func() { s.bodies.Add(-held) }()
		if err != nil {
			s.fail(w, r, err)
			return
		}
		select {
		case s.computing <- struct{}{}:
		default:
			s.metrics.refuse("requests")
			s.fail(w, r, busy("requests"))
			return
		}
		leave := sync.OnceFunc(func() { <-s.computing })
		defer leave()
		requestOf(r).writing = leave
		if err := s.call(h, w, r); err != nil {
			s.fail(w, r, err)
		}
	}))
}

// call calls h. A panic becomes an error here, before compression would take what was written until
// then for a whole response.
func (s *Server) call(h handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if fault := recover(); fault == http.ErrAbortHandler { //nolint:errorlint // it is compared as net/http does
			panic(fault)
		} else if fault != nil {
			s.panicked(r, fault)
			if requestOf(r).status != 0 {
				panic(http.ErrAbortHandler) // the client must not take half an answer for a whole one
			}
			err = errInternal
		}
	}()
	return h(w, r)
}

// panicked logs a panic, with where it was.
func (s *Server) panicked(r *http.Request, fault any) {
	method, route := routeOf(r)
	s.config.Log.Error("panic", "method", method, "route", route, "error", fmt.Sprint(fault), "stack", string(debug.Stack()))
}

// busy is the problem that there is no place for one more.
func busy(what string) *problem {
	return &problem{Status: http.StatusServiceUnavailable, Code: "overloaded", RetryAfter: 1,
		Message: fmt.Sprintf("the server has as many %s as it can take: try again", what)}
}

// readBody reads the body of a request, and returns how many bytes are held for it.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (held int64, err error) {
	if r.Body == nil || r.Body == http.NoBody {
		return 0, nil
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return 0, &problem{Status: http.StatusUnsupportedMediaType, Code: "encoded_body", Message: "bodies of requests must not be compressed"}
	}
	if err := checkForm(r); err != nil {
		return 0, err
	}
	in := http.MaxBytesReader(w, r.Body, s.config.Limits.Body)
	var body bytes.Buffer
	for {
		n, err := io.CopyN(&body, in, 32<<10)
		held += n
		if total := s.bodies.Add(n); total > s.config.Limits.Bodies {
			s.metrics.refuse("bodies")
			return held, busy("bodies of requests")
		}
		switch {
		case errors.Is(err, io.EOF):
			r.Body = io.NopCloser(&body)
			return held, nil
		case err != nil:
			return held, s.bodyProblem(err)
		}
	}
}

func (s *Server) bodyProblem(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &problem{Status: http.StatusRequestEntityTooLarge, Code: "body_too_large",
			Message: fmt.Sprintf("the body has more than %d bytes", s.config.Limits.Body)}
	}
	if timeout, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err); ok && timeout.Timeout() {
		return &problem{Status: http.StatusRequestTimeout, Code: "timeout", Message: "the body did not arrive in time"}
	}
	return &problem{Status: http.StatusBadRequest, Code: "bad_body", Message: "the body could not be read to its end"}
}

// streaming sends events to a client until its request or the server ends.
func (s *Server) streaming(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.streams <- struct{}{}:
			defer func() { <-s.streams }()
		default:
			s.metrics.refuse("streams")
			s.fail(w, r, busy("streams"))
			return
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(s.stopping, cancel)()
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Time{})  // a writer without deadlines, as in tests, ends nothing
		_ = control.SetWriteDeadline(time.Time{}) // likewise
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Accel-Buffering", "no") // nginx would wait for more
		if err := s.call(h, w, r.WithContext(ctx)); err != nil {
			s.fail(w, r, err)
		}
	})
}
