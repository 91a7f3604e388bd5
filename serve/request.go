package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// A request is what the server notes of a request, and the writer of its response.
type request struct {
	http.ResponseWriter
	model   string // the first model used; empty if none
	status  int    // 0 until something is written
	bytes   int64
	ends    []func() // called when the request is over: they give back what it used
	writing func()   // called once, before the first write; may be nil
}

type requestKey struct{}

func requestOf(r *http.Request) *request { return r.Context().Value(requestKey{}).(*request) }

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

// outermost counts and logs every request. A panic becomes status 500.
func (s *Server) outermost(next http.Handler) http.Handler {
	answer := func(w http.ResponseWriter, r *http.Request) error {
		answered, err := s.admit(w, r)
		if err == nil && !answered {
			next.ServeHTTP(w, r)
		}
		return err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		q := &request{ResponseWriter: w}
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, q))
		s.metrics.inFlight.Add(1)
		defer func() {
			for _, end := range q.ends {
				end()
			}
			s.metrics.inFlight.Add(-1)
			s.done(r, q, time.Since(start))
		}()
		secure(w.Header())
		s.call(answer, q, r)
	})
}

func (s *Server) admit(w http.ResponseWriter, r *http.Request) (answered bool, err error) {
	if err := s.checkHost(r); err != nil {
		return false, err
	}
	if len(r.RequestURI) > s.config.Limits.URL {
		return false, refusal(http.StatusRequestURITooLong, "url_too_long", "the path and query have %d bytes, and may have %d", len(r.RequestURI), s.config.Limits.URL)
	}
	if escaped := r.URL.EscapedPath(); strings.Contains(escaped, "//") || strings.Contains(escaped+"/", "/./") || strings.Contains(escaped+"/", "/../") {
		return false, s.nowhere(r) // net/http would send the client to a path without these
	}
	return s.crossOrigin(w, r)
}

var errInternal = &problem{
	Status: http.StatusInternalServerError, Code: "internal_error", Message: "something went wrong in the server; its log says what",
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	if p == nil {
		p = errInternal
		method, route := routeOf(r)
		s.config.Log.Error("request failed", "method", method, "route", route, "error", err.Error())
	}
	writeProblem(w, p)
}

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

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodConnect, http.MethodOptions, http.MethodTrace}

// routeOf returns what logs and metrics say of a request, "other" for what is unknown: a client's text may be secret.
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

const smallestCompressed = 1400 // smaller responses fit into one packet anyway

// ordinary reads the body first, so that slow clients delay nobody else, and then waits for a place among the
// computed requests, which is free again when the response begins.
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
		s.call(h, w, r)
	}))
}

// call answers with h, or with the problem of its error or panic, before compression would end half an answer as whole.
func (s *Server) call(h handler, w http.ResponseWriter, r *http.Request) {
	defer func() {
		fault := recover()
		switch fault {
		case nil:
			return
		case http.ErrAbortHandler:
			panic(fault)
		}
		method, route := routeOf(r)
		s.config.Log.Error("panic", "method", method, "route", route, "error", fmt.Sprint(fault), "stack", string(debug.Stack()))
		if requestOf(r).status != 0 {
			panic(http.ErrAbortHandler) // the client must not take half an answer for a whole one
		}
		s.fail(w, r, errInternal)
	}()
	if err := h(w, r); err != nil {
		s.fail(w, r, err)
	}
}

func busy(what string) *problem {
	p := refusal(http.StatusServiceUnavailable, "overloaded", "the server has as many %s as it can take: try again", what)
	p.RetryAfter = 1
	return p
}

func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (held int64, err error) {
	if r.Body == nil || r.Body == http.NoBody {
		return 0, nil
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return 0, refusal(http.StatusUnsupportedMediaType, "encoded_body", "bodies of requests must not be compressed")
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
		return refusal(http.StatusRequestEntityTooLarge, "body_too_large", "the body has more than %d bytes", s.config.Limits.Body)
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return refusal(http.StatusRequestTimeout, "timeout", "the body did not arrive in time")
	}
	return badRequest("", "bad_body", "the body could not be read to its end")
}

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
		s.call(h, w, r.WithContext(ctx))
	})
}

// The explorer loads its own files alone, without inline scripts and styles.
const contentSecurityPolicy = "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data: blob:; " +
	"worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func secure(h http.Header) {
	h.Set("Content-Security-Policy", contentSecurityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
}

func (s *Server) checkHost(r *http.Request) error {
	if !s.onlyLoopback.Load() && len(s.config.Hosts) == 0 {
		return nil
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if slices.ContainsFunc(s.config.Hosts, func(known string) bool { return strings.EqualFold(known, host) }) {
		return nil
	}
	if at, err := netip.ParseAddr(host); host == "localhost" || err == nil && at.Unmap().IsLoopback() {
		return nil
	}
	return refusal(http.StatusForbidden, "host_not_allowed", "this server does not answer to the name %.80q%s", host, s.config.HostAdvice)
}

func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin == "*" || err == nil && u.Scheme != "" && u.Host != "" && origin == u.Scheme+"://"+u.Host {
		return nil
	}
	return fmt.Errorf("%q is not an origin: one is as https://example.org, with the port if it is unusual, or * for all", origin)
}

// crossOrigin handles requests of pages of other origins. It answers preflights.
func (s *Server) crossOrigin(w http.ResponseWriter, r *http.Request) (answered bool, err error) {
	origin := r.Header.Get("Origin")
	all := slices.Contains(s.config.Origins, "*")
	h := w.Header()
	if len(s.config.Origins) > 0 {
		h.Add("Vary", "Origin")
	}
	if !all && !slices.Contains(s.config.Origins, origin) {
		if fromElsewhere(r) && !isPageVisit(r) {
			return false, refusal(http.StatusForbidden, "origin_not_allowed", "this server does not answer to pages of other origins%s", s.config.OriginAdvice)
		}
		return false, nil
	}
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if origin == "" {
		return false, nil
	}
	if all {
		origin = "*"
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ETag, Retry-After")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false, nil
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked) // "*" would not stand for Authorization
		h.Add("Vary", "Access-Control-Request-Headers")
	}
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true, nil
}

// fromElsewhere reports whether a browser asks for a page that is not this server's. An image, a frame or a form of
// such a page asks without being able to read the answer, and what it costs is spent. New browsers say where a request
// comes from, if they trust the connection. Others name the page's origin, or its address. Other programs say nothing.
func fromElsewhere(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none": // none: a person typed the address
		return false
	case "":
		for _, page := range append(r.Header.Values("Origin"), r.Header.Values("Referer")...) {
			if u, err := url.Parse(page); err != nil || !sameHost(u, r) {
				return true
			}
		}
		return false
	default:
		return true
	}
}

// sameHost reports whether an address has the host and port of a request. A proxy may have changed
// http to https.
func sameHost(u *url.URL, r *http.Request) bool {
	name, port := strings.ToLower(u.Hostname()), u.Port()
	asked := url.URL{Host: r.Host}
	if name == "" || name != strings.ToLower(asked.Hostname()) {
		return false
	}
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	return port == asked.Port() || cmp.Or(port, usual) == cmp.Or(asked.Port(), usual)
}

func isPageVisit(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.URL.Path != "/" && r.URL.Path != "/index.html" {
		return false
	}
	if r.Header.Get("Sec-Fetch-Site") == "" {
		return r.Header.Get("Origin") == "" // scripts and forms send Origin, links do not
	}
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// checkForm refuses bodies of the types that a form of any page can send. Programs such as curl may
// send the urlencoded type by mistake, so it is refused only from browsers: no page can change a
// browser's User-Agent.
func checkForm(r *http.Request) error {
	kind, _, _ := strings.Cut(strings.ToLower(r.Header.Get("Content-Type")), ";")
	kind = strings.TrimSpace(kind)
	form := kind == "application/x-www-form-urlencoded" && strings.HasPrefix(r.UserAgent(), "Mozilla/")
	if !form && kind != "multipart/form-data" && kind != "text/plain" {
		return nil
	}
	return refusal(http.StatusUnsupportedMediaType, "form_body", "the body is sent as a form is: it is JSON, with the header Content-Type: application/json")
}

// A file that cannot be read leaves the old content in use.
func (s *Server) readSecrets() error {
	var errs []error
	if s.config.TokenFile != "" {
		t, err := readTokens(s.config.TokenFile)
		if err == nil {
			s.tokens.Store(&t)
		}
		errs = append(errs, err)
	}
	if s.config.TLSCert != "" {
		pair, err := tls.LoadX509KeyPair(s.config.TLSCert, s.config.TLSKey)
		if err == nil {
			s.pair.Store(&pair)
		} else {
			err = fmt.Errorf("certificate %s with key %s: %w", s.config.TLSCert, s.config.TLSKey, err)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// tokens are hashes, whose equal length makes comparison take constant time.
type tokens [][sha256.Size]byte

func readTokens(path string) (tokens, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all tokens
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if bytes.ContainsFunc(line, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, fmt.Errorf("%s: line %d: a token has printable ASCII characters only, and no spaces", path, i+1)
		}
		all = append(all, sha256.Sum256(line))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no token in it: write one a line", path)
	}
	return all, nil
}

// known takes constant time.
func (t tokens) known(token string) bool {
	sum := sha256.Sum256([]byte(token))
	known := 0
	for i := range t {
		known |= subtle.ConstantTimeCompare(sum[:], t[i][:])
	}
	return known == 1
}

func (s *Server) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if t := s.tokens.Load(); t != nil {
			scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			if !strings.EqualFold(scheme, "Bearer") || !t.known(strings.TrimSpace(token)) {
				w.Header().Set("WWW-Authenticate", `Bearer realm="w2v"`)
				writeProblem(w, refusal(http.StatusUnauthorized, "invalid_api_key", "this server wants a token, as in: Authorization: Bearer TOKEN"))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
