package serve

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// contentSecurityPolicy lets the explorer load its own files alone, and blocks inline scripts and
// styles.
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

// checkHost refuses host names that do not belong to this server.
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
	return &problem{Status: http.StatusForbidden, Code: "host_not_allowed",
		Message: fmt.Sprintf("this server does not answer to the name %.80q", host) + s.config.HostAdvice}
}

// checkOrigin checks that a string has the form of an origin that browsers send.
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin == "*" || err == nil && u.Scheme != "" && u.Host != "" && origin == u.Scheme+"://"+u.Host {
		return nil
	}
	return fmt.Errorf("%q is no origin: one is as https://example.org, with the port if it is unusual, or * for all", origin)
}

// crossOrigin handles what browsers ask for pages of other origins. It reports whether the request
// was a preflight, which is then answered.
func (s *Server) crossOrigin(w http.ResponseWriter, r *http.Request) (answered bool, err error) {
	origin := r.Header.Get("Origin")
	all := slices.Contains(s.config.Origins, "*")
	h := w.Header()
	if len(s.config.Origins) > 0 {
		h.Add("Vary", "Origin")
	}
	if !all && !slices.Contains(s.config.Origins, origin) {
		if fromElsewhere(r) && !isPageVisit(r) {
			return false, &problem{Status: http.StatusForbidden, Code: "origin_not_allowed",
				Message: "this server does not answer to pages of other origins" + s.config.OriginAdvice}
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

// isPageVisit reports whether a person follows a link from elsewhere to a page of the server.
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
	return &problem{Status: http.StatusUnsupportedMediaType, Code: "form_body", Message: "the body is sent as a form is: it is JSON, with the header Content-Type: application/json"}
}

// readSecrets reads the files of tokens and of the certificate. A file that cannot be read leaves
// the old content in use.
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

// tlsConfig uses the certificate that was read last.
// tokens are hashes of the tokens that clients must send. All hashes have the same length, so
// comparing them takes constant time.
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

// known reports whether a token is one of t, in constant time.
func (t tokens) known(token string) bool {
	sum := sha256.Sum256([]byte(token))
	known := 0
	for i := range t {
		known |= subtle.ConstantTimeCompare(sum[:], t[i][:])
	}
	return known == 1
}

// authenticated requires a token, if the server has any.
func (s *Server) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if t := s.tokens.Load(); t != nil {
			scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			if !strings.EqualFold(scheme, "Bearer") || !t.known(strings.TrimSpace(token)) {
				w.Header().Set("WWW-Authenticate", `Bearer realm="w2v"`)
				writeProblem(w, &problem{Status: http.StatusUnauthorized, Code: "invalid_api_key",
					Message: "this server wants a token, as in: Authorization: Bearer TOKEN"})
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
