package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// A request is what the server notes of a request while it is answered. It is also the writer of
// its response.
type request struct {
	http.ResponseWriter
	model   string // the first model used; empty if none
	status  int    // 0 until something is written
	bytes   int64
	ends    []func() // called when the request is over: they give back what it used
	writing func()   // called once, before the first write; may be nil
}

type requestKey struct{}

// requestOf returns what the server notes of r.
func requestOf(r *http.Request) *request { return r.Context().Value(requestKey{}).(*request) }

// WriteHeader notes the status.
func (q *request) WriteHeader(status int) {
	if q.status == 0 && status >= http.StatusOK {
		q.status = status
	}
	if q.writing != nil {
		q.writing()
		q.writing = nil
	}
	q.ResponseWriter.WriteHeader(status)
}

// Write notes how much is written.
func (q *request) Write(p []byte) (int, error) {
	if q.status == 0 {
		q.WriteHeader(http.StatusOK)
	}
	n, err := q.ResponseWriter.Write(p)
	q.bytes += int64(n)
	return n, err
}

func (q *request) Flush() { _ = http.NewResponseController(q.ResponseWriter).Flush() }

// Unwrap serves http.ResponseController.
func (q *request) Unwrap() http.ResponseWriter { return q.ResponseWriter }

// outermost is what every request goes through: it is counted and logged, and a panic becomes
// status 500.
func (s *Server) outermost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		q := &request{ResponseWriter: w}
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, q))
		s.metrics.inFlight.Add(1)
		defer func() {
			fault := recover()
			for _, end := range q.ends {
				end()
			}
			if fault != nil && fault != http.ErrAbortHandler {
				s.panicked(r, fault)
				if q.status == 0 {
					writeProblem(q, errInternal)
					fault = nil
				} else {
					fault = http.ErrAbortHandler // the client must not mistake half an answer for a whole one
				}
			}
			s.metrics.inFlight.Add(-1)
			s.done(r, q, time.Since(start))
			if fault != nil {
				panic(fault)
			}
		}()
		secure(w.Header())
		answered, err := s.admit(q, r)
		switch {
		case err != nil:
			s.fail(q, r, err)
		case !answered:
			next.ServeHTTP(q, r)
		}
	})
}

// admit checks what all requests must satisfy. Answered says that the request needs no handler.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) (answered bool, err error) {
	if err := s.checkHost(r); err != nil {
		return false, err
	}
	if len(r.RequestURI) > s.config.Limits.URL {
		return false, &problem{Status: http.StatusRequestURITooLong, Code: "url_too_long",
			Message: fmt.Sprintf("the path and query have %d bytes, and may have %d", len(r.RequestURI), s.config.Limits.URL)}
	}
	if escaped := r.URL.EscapedPath(); strings.Contains(escaped, "//") || strings.Contains(escaped+"/", "/./") || strings.Contains(escaped+"/", "/../") {
		return false, s.nowhere(r) // net/http would send the client to a path without these
	}
	return s.crossOrigin(w, r)
}

// errInternal is all that a client learns about an internal error.
var errInternal = &problem{Status: http.StatusInternalServerError, Code: "internal_error", Message: "something went wrong in the server; its log says what"}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	if p == nil {
		p = errInternal
		method, route := routeOf(r)
		s.config.Log.Error("request failed", "method", method, "route", route, "error", err.Error())
	}
	writeProblem(w, p)
}

// done counts and logs a request that is over.
func (s *Server) done(r *http.Request, q *request, took time.Duration) {
	if q.status == 0 {
		q.status = http.StatusOK // net/http sends it for a handler that writes nothing
	}
	method, route := routeOf(r)
	s.metrics.answered(method, route, q.model, q.status, took)
	if s.config.Requests == nil {
		return
	}
	s.config.Requests.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "request",
		slog.String("method", method), slog.String("route", route),
		slog.String("model", q.model), slog.Int("status", q.status), slog.Int64("bytes", q.bytes),
		slog.Float64("seconds", took.Seconds()), slog.String("client", r.RemoteAddr))
}

// methods are the methods of HTTP.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodConnect, http.MethodOptions, http.MethodTrace}

// routeOf returns what logs and metrics say of a request: its method and the pattern of its path,
// or "other" for unknown ones. Logs and metrics never hold a client's own text, which may be
// secret.
func routeOf(r *http.Request) (method, route string) {
	method, route = "other", "other"
	if slices.Contains(methods, r.Method) {
		method = r.Method
	}
	if _, path, ok := strings.Cut(r.Pattern, " "); ok {
		route = path
	}
	return method, route
}

// smallestCompressed is the smallest size in bytes of compressed responses. Smaller responses fit
// into one packet anyway.
const smallestCompressed = 1400

// ordinary answers a request with one response: ordinary reads the body first, so that slow clients
// delay nobody else, and then waits for a place among the computed requests. The place is free
// again when the response begins.
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

// call calls h. call turns a panic into an error, before compression would end the partial response
// as if it were complete.
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

func (s *Server) panicked(r *http.Request, fault any) {
	method, route := routeOf(r)
	s.config.Log.Error("panic", "method", method, "route", route, "error", fmt.Sprint(fault), "stack", string(debug.Stack()))
}

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
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
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
		_ = control.SetReadDeadline(time.Time{})  // writers without deadlines, as in tests, need no reset
		_ = control.SetWriteDeadline(time.Time{}) // likewise
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Accel-Buffering", "no") // nginx would buffer events
		if err := s.call(h, w, r.WithContext(ctx)); err != nil {
			s.fail(w, r, err)
		}
	})
}
