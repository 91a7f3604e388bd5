package serve

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// contentSecurityPolicy lets the explorer load its own files alone, and run no script or style
// that is written into a page.
const contentSecurityPolicy = "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data: blob:; " +
	"worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secure sets the headers that tell browsers what not to do.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", contentSecurityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
}

// checkHost refuses names that do not belong to this server.
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

// checkOrigin looks whether an origin is one that browsers send.
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin == "*" || err == nil && u.Scheme != "" && u.Host != "" && origin == u.Scheme+"://"+u.Host {
		return nil
	}
	return fmt.Errorf("%q is no origin: one is as https://example.org, with the port if it is unusual, or * for all", origin)
}

// crossOrigin handles what browsers ask for pages of other origins. It reports whether the
// request was a question about that alone, and is answered.
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
	case "same-origin", "none": // none is what a person typed
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

// sameHost reports whether an address is one of the host that a request calls, at the same port. A proxy may have changed
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

// isPageVisit reports whether a person goes to a page of the server, by a link elsewhere.
func isPageVisit(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.URL.Path != "/" && r.URL.Path != "/index.html" {
		return false
	}
	if r.Header.Get("Sec-Fetch-Site") == "" {
		return r.Header.Get("Origin") == "" // which scripts and forms send, and links do not
	}
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// checkForm refuses bodies of the types that a form of any page can send. What comes from a program
// such as curl may have the type of a form by mistake: browsers have a name that no page can change.
func checkForm(r *http.Request) error {
	kind, _, _ := strings.Cut(strings.ToLower(r.Header.Get("Content-Type")), ";")
	kind = strings.TrimSpace(kind)
	form := kind == "application/x-www-form-urlencoded" && strings.HasPrefix(r.UserAgent(), "Mozilla/")
	if !form && kind != "multipart/form-data" && kind != "text/plain" {
		return nil
	}
	return &problem{Status: http.StatusUnsupportedMediaType, Code: "form_body", Message: "the body is sent as a form is: it is JSON, with the header Content-Type: application/json"}
}
