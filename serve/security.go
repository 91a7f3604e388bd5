package serve

import (
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
		Message: fmt.Sprintf("this server does not answer to the name %q", host)}
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
	allowed := slices.Contains(s.config.Origins, "*") || origin != "" && slices.Contains(s.config.Origins, origin)
	h := w.Header()
	if len(s.config.Origins) > 0 {
		h.Add("Vary", "Origin")
	}
	if !allowed {
		// An image or a form of a page elsewhere can ask without reading the answer. Browsers tell.
		site := r.Header.Get("Sec-Fetch-Site")
		if (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			return false, &problem{Status: http.StatusForbidden, Code: "origin_not_allowed",
				Message: "this server does not answer to pages of other origins"}
		}
		return false, nil
	}
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if origin == "" {
		return false, nil
	}
	if slices.Contains(s.config.Origins, "*") {
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
