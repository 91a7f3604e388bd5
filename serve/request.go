package serve

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/w2v-go/w2v/serve/internal/models"
)

// A request is what the server notes of a request while it is answered. It is also the writer of
// its response.
type request struct {
	http.ResponseWriter
	model   string // the first one that it used; empty if none
	status  int    // 0 as long as nothing is written
	bytes   int64
	inUse   []*models.Model
	writing func() // called once, before something is written; nil if nobody waits for that
}

type requestKey struct{}

// requestOf returns what the server notes of r.
func requestOf(r *http.Request) *request { return r.Context().Value(requestKey{}).(*request) }

func (q *request) uses(m *models.Model) {
	if q.model == "" {
		q.model = m.Name
	}
	q.inUse = append(q.inUse, m)
}

// release gives back the models that the request used.
func (q *request) release() {
	for _, m := range q.inUse {
		m.Release()
	}
	q.inUse = nil
}

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

// Flush sends what was written so far.
func (q *request) Flush() { _ = http.NewResponseController(q.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
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
			q.release()
			if fault != nil && fault != http.ErrAbortHandler {
				s.panicked(r, fault)
				if q.status == 0 {
					errInternal.write(q)
					fault = nil
				} else {
					fault = http.ErrAbortHandler // the client must not take half an answer for a whole one
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

// admit looks at what all requests must be like. Answered says that nothing else is asked.
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

// errInternal is all that a client is told of what went wrong here.
var errInternal = &problem{Status: http.StatusInternalServerError, Code: "internal_error", Message: "something went wrong in the server; its log says what"}

// fail answers with the problem that err is.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	if p == nil {
		p = errInternal
		method, route := routeOf(r)
		s.config.Log.Error("request failed", "method", method, "route", route, "error", err.Error())
	}
	p.write(w)
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

// methods are those of HTTP.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodConnect, http.MethodOptions, http.MethodTrace}

// routeOf returns what logs and metrics say of a request: its method and the pattern of the path that it was answered by,
// "other" for what the server does not have. A client's own text, which may be a secret, is in neither.
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
