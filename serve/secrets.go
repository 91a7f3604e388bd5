package serve

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// readSecrets reads the files of tokens and of the certificate. One that cannot be read stays as
// it was.
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

// tlsConfig has the certificate as it was read last.
func (s *Server) tlsConfig() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.pair.Load(), nil },
	}
}

// tokens are hashes of what clients have to know. Hashes have one length, whatever the tokens'
// lengths are, so that comparing them takes one time.
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

// known reports whether a token is one of t, in a time that does not depend on how much of it is
// right.
func (t tokens) known(token string) bool {
	sum := sha256.Sum256([]byte(token))
	known := 0
	for i := range t {
		known |= subtle.ConstantTimeCompare(sum[:], t[i][:])
	}
	return known == 1
}

// authenticated asks for a token, if the server has any.
func (s *Server) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if t := s.tokens.Load(); t != nil {
			scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			if !strings.EqualFold(scheme, "Bearer") || !t.known(strings.TrimSpace(token)) {
				w.Header().Set("WWW-Authenticate", `Bearer realm="w2v"`)
				p := &problem{Status: http.StatusUnauthorized, Code: "invalid_api_key",
					Message: "this server wants a token, as in: Authorization: Bearer TOKEN"}
				p.write(w)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
