package serve

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Browsers are told what not to do with every answer.
func TestSecurityHeaders(t *testing.T) {
	s := made(t, oneModel(t))
	for _, path := range []string{"/", "/healthz", "/v1/models", "/nothing", "/v1/models/nothing"} {
		h := s.ask(t, asked{path: path}).Header
		for name, want := range map[string]string{
			"X-Content-Type-Options":       "nosniff",
			"X-Frame-Options":              "DENY",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Access-Control-Allow-Origin":  "",
			"Server":                       "",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %s: %q, want %q", path, name, h.Get(name), want)
			}
		}
		policy := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'self'", "script-src 'self';", "style-src 'self';", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy+";", want) {
				t.Errorf("%s: the policy %q lacks %q", path, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", path, policy)
		}
	}
}

// The page loads without inline scripts and styles, which the policy forbids.
func TestPageObeysThePolicy(t *testing.T) {
	page := bodyOf(t, made(t, oneModel(t)).ask(t, asked{path: "/"}))
	for part := range strings.SplitSeq(page, "<script") {
		tag, after, _ := strings.Cut(part, ">")
		if inline, _, ok := strings.Cut(after, "</script>"); ok && strings.TrimSpace(inline) != "" && !strings.Contains(tag, "application/json") {
			t.Errorf("a script is in the page: %q", inline)
		}
	}
	if strings.Contains(page, "<style") || strings.Contains(page, " style=") || strings.Contains(page, " onload=") {
		t.Errorf("the page has a style or a handler in it: %s", page)
	}
}

func TestTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("first-token\n\n  second~!token \r\n")
	c := oneModel(t)
	c.TokenFile = file
	s := made(t, c)
	for _, test := range []struct {
		path, authorization string
		want                int
	}{
		{"/v1/models", "", 401},
		{"/v1/models", "Bearer first-token", 200},
		{"/v1/models", "bearer second~!token", 200},
		{"/v1/models", "Bearer third-token", 401},
		{"/v1/models", "Bearer ", 401},
		{"/v1/models", "Bearer first-toke", 401},
		{"/v1/models", "Bearer first-token2", 401},
		{"/v1/models", "Basic first-token", 401},
		{"/v1/models", "first-token", 401},
		{"/v1/models?token=first-token", "", 401},
		{"/metrics", "", 401},
		{"/explorer/models", "", 401},
		{"/metrics", "Bearer first-token", 200},
		{"/healthz", "", 200},
		{"/readyz", "", 200},
		{"/", "", 200},
	} {
		res := s.ask(t, asked{path: test.path, header: []string{"Authorization", test.authorization}})
		if res.StatusCode != test.want {
			t.Errorf("%s with %q: %s, want %d", test.path, test.authorization, res.Status, test.want)
		}
		if res.StatusCode == http.StatusUnauthorized && (codeOf(t, res) != "invalid_api_key" || res.Header.Get("WWW-Authenticate") == "") {
			t.Errorf("%s with %q: %v", test.path, test.authorization, res.Header)
		}
	}
	with := func(token string) int {
		return s.ask(t, asked{path: "/v1/models", header: []string{"Authorization", "Bearer " + token}}).StatusCode
	}
	write("third-token\n")
	if err := s.Reload(t.Context()); err != nil || with("first-token") != 401 || with("third-token") != 200 {
		t.Errorf("after a reload: %v, first %d, third %d", err, with("first-token"), with("third-token"))
	}
	write("\n")
	if err := s.Reload(t.Context()); err == nil || with("third-token") != 200 {
		t.Errorf("an empty file: %v, third %d", err, with("third-token"))
	}
}

func TestTokenFilesThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"": "no token", "\n \n": "no token", "two words\n": "line 1", "ok\ncaf\u00e9\n": "line 2", "a\x7fb": "line 1", "a\x00b": "line 1",
	} {
		file := filepath.Join(t.TempDir(), "tokens")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := oneModel(t)
		c.TokenFile = file
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	c := oneModel(t)
	c.TokenFile = filepath.Join(t.TempDir(), "nothing")
	if _, err := New(c); err == nil {
		t.Error("a token file that is not there")
	}
}

// On loopback the server answers to names of this machine alone, so that no page can ask it by a
// name that the page's owner makes an address of this machine.
func TestHosts(t *testing.T) {
	for _, test := range []struct {
		loopback bool
		hosts    []string
		host     string
		want     int
	}{
		{true, nil, "127.0.0.1:8080", 200},
		{true, nil, "127.0.0.1", 200},
		{true, nil, "127.1.2.3:1", 200},
		{true, nil, "localhost:8080", 200},
		{true, nil, "LocalHost.", 200},
		{true, nil, "[::1]:8080", 200},
		{true, nil, "[::1]", 200},
		{true, nil, "evil.example", 403},
		{true, nil, "localhost.evil.example:8080", 403},
		{true, nil, "127.0.0.1.evil.example", 403},
		{true, nil, "192.168.1.1:8080", 403},
		{true, nil, "", 403},
		{true, []string{"words.example"}, "words.example", 200},
		{true, []string{"words.example"}, "Words.Example:443", 200},
		{true, []string{"words.example"}, "a.words.example", 403},
		{true, []string{"words.example"}, "localhost", 200},
		{false, nil, "anything.example", 200},
		{false, []string{"words.example"}, "anything.example", 403},
	} {
		c := oneModel(t)
		c.Hosts = test.hosts
		s := made(t, c)
		s.onlyLoopback.Store(test.loopback)
		r := asked{path: "/healthz"}.request(t)
		r.Host = test.host
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if res := w.Result(); res.StatusCode != test.want {
			t.Errorf("loopback %t, hosts %q: %q: %s, want %d", test.loopback, test.hosts, test.host, res.Status, test.want)
		}
	}
}

func TestCrossOrigin(t *testing.T) {
	const preflight = http.MethodOptions
	for _, test := range []struct {
		origins []string
		method  string
		header  []string
		want    int
		allow   string
	}{
		{nil, "GET", []string{"Origin", "https://a.example"}, 403, ""},
		{nil, "GET", []string{"Origin", "http://127.0.0.1:8080"}, 200, ""},
		{nil, "GET", []string{"Origin", "https://127.0.0.1:8080"}, 200, ""}, // behind a proxy
		{nil, "GET", []string{"Origin", "http://127.0.0.1:8081"}, 403, ""},
		{nil, "GET", []string{"Origin", "http://127.0.0.1"}, 403, ""},
		{nil, "GET", []string{"Origin", "null"}, 403, ""},
		{nil, "GET", []string{"Referer", "https://a.example/"}, 403, ""},
		{nil, "GET", []string{"Referer", "http://127.0.0.1:8080/x?y"}, 200, ""},
		{nil, preflight, []string{"Origin", "https://a.example", "Access-Control-Request-Method", "POST"}, 403, ""},
		{nil, "GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403, ""},
		{nil, "GET", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors"}, 403, ""},
		{nil, "GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403, ""},
		{nil, "GET", []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors"}, 200, ""},
		{nil, "GET", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 200, ""},
		{[]string{"https://a.example"}, "GET", []string{"Origin", "https://a.example", "Sec-Fetch-Site", "cross-site"}, 200, "https://a.example"},
		{[]string{"https://a.example"}, "GET", []string{"Origin", "https://b.example", "Sec-Fetch-Site", "cross-site"}, 403, ""},
		{[]string{"https://a.example"}, "GET", []string{"Origin", "https://a.example.b.example"}, 403, ""},
		{[]string{"https://a.example"}, "GET", []string{"Origin", "http://a.example"}, 403, ""},
		{[]string{"https://a.example"}, "GET", []string{"Origin", "null"}, 403, ""},
		{[]string{"https://a.example", "https://b.example"}, preflight, []string{"Origin", "https://b.example", "Access-Control-Request-Method", "POST"}, 204, "https://b.example"},
		{[]string{"*"}, preflight, []string{"Origin", "https://b.example", "Access-Control-Request-Method", "POST"}, 204, "*"},
		{[]string{"*"}, "GET", []string{"Origin", "https://b.example", "Sec-Fetch-Site", "cross-site"}, 200, "*"},
		{[]string{"*"}, "GET", nil, 200, ""},
	} {
		c := oneModel(t)
		c.Origins = test.origins
		res := made(t, c).ask(t, asked{method: test.method, path: "/v1/models", header: test.header})
		if allow := res.Header.Get("Access-Control-Allow-Origin"); res.StatusCode != test.want || allow != test.allow {
			t.Errorf("%q: %s %q: %s, allowed %q, want %d, %q", test.origins, test.method, test.header, res.Status, allow, test.want, test.allow)
		}
		if vary := strings.Join(res.Header.Values("Vary"), ", "); len(test.origins) > 0 && !strings.Contains(vary, "Origin") {
			t.Errorf("%q: %s %q: Vary is %q", test.origins, test.method, test.header, vary)
		}
	}
}

// What a browser can be made to send by a page elsewhere is refused on every route before anything is computed. What programs, the
// explorer and a person who types an address send is not. The page itself is the only thing that a link elsewhere leads to.
func TestPagesElsewhereCannotAsk(t *testing.T) {
	s := made(t, oneModel(t))
	s.onlyLoopback.Store(true)
	const own, elsewhere, form = "http://127.0.0.1:8080", "https://evil.example", "application/x-www-form-urlencoded"
	refused := map[string][]string{
		"form":         {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Origin", elsewhere, "Content-Type", form},
		"frame":        {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"},
		"image":        {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"},
		"neighbour":    {"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"},
		"unknown":      {"Sec-Fetch-Site", "somewhere"},
		"old script":   {"Origin", elsewhere},
		"sandbox":      {"Origin", "null"},
		"other port":   {"Origin", "http://127.0.0.1:3000"},
		"other scheme": {"Origin", "file://"},
		"old image":    {"Referer", elsewhere + "/page"},
	}
	accepted := map[string][]string{
		"program":   nil,
		"explorer":  {"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty", "Origin", own},
		"typed":     {"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
		"old page":  {"Origin", own, "Referer", own + "/"},
		"localhost": {"Origin", own},
	}
	for _, pattern := range s.patterns {
		method, path, ok := strings.Cut(pattern, " ")
		if !ok {
			method, path = "GET", "/assets/x"
		}
		for _, wild := range []string{"{id}", "{model}"} {
			path = strings.ReplaceAll(path, wild, "one")
		}
		path = strings.NewReplacer("{projection}", "umap", "{what}", "words", "{field}", "x", "{run}", "x").Replace(path)
		for name, header := range refused {
			res := s.ask(t, asked{method: method, path: path, header: header})
			if res.StatusCode != http.StatusForbidden || codeOf(t, res) != "origin_not_allowed" {
				t.Errorf("%s %s by %s: %s", method, path, name, res.Status)
			}
		}
		if strings.HasSuffix(path, "/progress") {
			continue // a stream
		}
		for name, header := range accepted {
			if res := s.ask(t, asked{method: method, path: path, header: header}); res.StatusCode == http.StatusForbidden {
				t.Errorf("%s %s by %s: %s", method, path, name, res.Status)
			}
		}
	}
	for _, test := range []struct {
		asked
		want int
	}{
		{asked{path: "/", header: []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}}, 200},
		{asked{path: "/index.html", header: []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}}, 200},
		{asked{path: "/", header: []string{"Referer", elsewhere}}, 200},
		{asked{path: "/", header: []string{"Origin", elsewhere}}, 403},
		{asked{path: "/", header: refused["frame"]}, 403},
		{asked{path: "/", header: refused["image"]}, 403},
		{asked{method: "POST", path: "/", header: []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}}, 403},
	} {
		if res := s.ask(t, test.asked); res.StatusCode != test.want {
			t.Errorf("%s %s %q: %s, want %d", test.method, test.path, test.header, res.Status, test.want)
		}
	}
}

// A body that says that it is a form's is none for an API in JSON. curl -d says so too, and means none.
func TestForms(t *testing.T) {
	s := made(t, oneModel(t))
	const urlencoded, firefox = "application/x-www-form-urlencoded", "Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0"
	for _, test := range []struct {
		kind, agent string
		want        int
	}{
		{"", "", 200}, {"application/json", firefox, 200}, {"application/json; charset=utf-8", "", 200}, {urlencoded, "curl/8.5.0", 200},
		{urlencoded, firefox, 415}, {"Application/X-WWW-Form-Urlencoded; a=b", firefox, 415}, {"text/plain", "", 415},
		{"text/plain;charset=UTF-8", firefox, 415}, {"text/plain; a=b=c", "", 415}, {"multipart/form-data; boundary=x", "", 415},
	} {
		for path, body := range map[string]string{
			"/v1/neighbors": `{"words":["sun"]}`, "/v1/vectors": `{"words":["sun"]}`, "/v1/similarity": `{"word":"sun","words":["moon"]}`, "/v1/embeddings": `{"input":"sun"}`,
		} {
			res := s.ask(t, asked{method: "POST", path: path, body: body, header: []string{"Content-Type", test.kind, "User-Agent", test.agent}})
			if res.StatusCode != test.want {
				t.Errorf("%s of type %q by %q: %s, want %d", path, test.kind, test.agent, res.Status, test.want)
			}
		}
	}
}

// Who is refused, or asks for a path that is nearly right, is told what to do.
func TestWhatToDo(t *testing.T) {
	c := oneModel(t)
	c.HostAdvice, c.OriginAdvice = ": rename it", ": bless the page"
	s := made(t, c)
	s.onlyLoopback.Store(true)
	for _, test := range []struct {
		asked
		status int
		want   string
	}{
		{asked{path: "/healthz", host: "host.docker.internal:8080"}, 403, ": rename it"},
		{asked{path: "/v1/models", header: []string{"Origin", "https://a.example"}}, 403, ": bless the page"},
		{asked{method: "POST", path: "/embeddings"}, 404, "POST /v1/embeddings"},
		{asked{method: "POST", path: "/v1/embedding"}, 404, "POST /v1/embeddings"},
		{asked{method: "POST", path: "/api/embed"}, 404, "POST /v1/embeddings"},
		{asked{method: "POST", path: "/v1/embeddings/"}, 404, "POST /v1/embeddings"},
		{asked{method: "POST", path: "/v1/v1/Embeddings"}, 404, "POST /v1/embeddings"},
		{asked{method: "POST", path: "//v1/embeddings"}, 404, "POST /v1/embeddings"},
		{asked{path: "/v1/models/"}, 404, "GET /v1/models"},
		{asked{path: "/models"}, 404, "GET /v1/models"},
		{asked{path: "/v1/neighbours"}, 404, "GET /v1/neighbors or POST /v1/neighbors"},
		{asked{path: "/v1/doesnt_match"}, 404, "GET /v1/doesnt-match"},
		{asked{path: "/health"}, 404, "GET /healthz"},
		{asked{path: "/openapi.json"}, 404, "GET /v1/openapi.json"},
		{asked{path: "/explorer"}, 404, "the explorer is at /"},
		{asked{path: "/v1"}, 404, "/v1/openapi.json"},
		{asked{path: "/v1/embeddings"}, 405, "use POST"},
		{asked{method: "PUT", path: "/v1/neighbors"}, 405, "use GET or POST"},
	} {
		res := s.ask(t, test.asked)
		if text := bodyOf(t, res); res.StatusCode != test.status || !strings.Contains(text, test.want) {
			t.Errorf("%s %s: %s %s, want %q", test.method, test.path, res.Status, text, test.want)
		}
	}
}

// What a client asks for in a preflight is allowed, and needs no token: browsers send none there.
func TestPreflight(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := oneModel(t)
	c.Origins, c.TokenFile = []string{"https://a.example"}, file
	res := made(t, c).ask(t, asked{method: http.MethodOptions, path: "/v1/embeddings", header: []string{
		"Origin", "https://a.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,x-stainless-lang"}})
	if res.StatusCode != http.StatusNoContent || res.Header.Get("Access-Control-Allow-Headers") != "authorization,x-stainless-lang" ||
		!strings.Contains(res.Header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("%s: %v", res.Status, res.Header)
	}
}

func TestOriginsThatAreRefused(t *testing.T) {
	for _, origin := range []string{"example.org", "https://example.org/", "https://example.org/path", "https://", "null", "", "https://*.example.org/x"} {
		c := oneModel(t)
		c.Origins = []string{origin}
		if _, err := New(c); err == nil {
			t.Errorf("%q is not an error", origin)
		}
	}
}

// certificate writes a certificate for 127.0.0.1 with a serial number, and its key.
func certificate(t *testing.T, cert, key string, serial int64) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TLS is that of the certificate, from version 1.2 on, with HTTP/2; a reload takes a new certificate.
func TestTLS(t *testing.T) {
	c := oneModel(t)
	folder := t.TempDir()
	c.TLSCert, c.TLSKey = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	certificate(t, c.TLSCert, c.TLSKey, 1)
	s := start(t, c)
	get := func(version uint16) (serial int64, proto string, err error) {
		pool := x509.NewCertPool()
		text, _ := os.ReadFile(c.TLSCert)
		pool.AppendCertsFromPEM(text)
		client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{RootCAs: pool, MaxVersion: version, MinVersion: tls.VersionTLS10}}}
		res, err := client.Get(s.url + "/v1/models")
		if err != nil {
			return 0, "", err
		}
		bodyOf(t, res)
		return res.TLS.PeerCertificates[0].SerialNumber.Int64(), res.Proto, nil
	}
	for version, works := range map[uint16]bool{tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		if serial, proto, err := get(version); (err == nil) != works || works && (serial != 1 || proto != "HTTP/2.0") {
			t.Errorf("%s: certificate %d, %s, %v", tls.VersionName(version), serial, proto, err)
		}
	}
	certificate(t, c.TLSCert, c.TLSKey, 2)
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if serial, _, err := get(tls.VersionTLS13); err != nil || serial != 2 {
		t.Errorf("after a reload: certificate %d, %v", serial, err)
	}
	good, err := os.ReadFile(c.TLSCert)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.TLSCert, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), c.TLSCert) {
		t.Errorf("a damaged certificate: %v", err)
	}
	if err := os.WriteFile(c.TLSCert, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if serial, _, err := get(tls.VersionTLS13); err != nil || serial != 2 {
		t.Errorf("after a reload that failed: certificate %d, %v", serial, err)
	}
}

// Nothing is readable but what belongs to the server.
func TestNoOtherFiles(t *testing.T) {
	c := oneModel(t)
	s := made(t, c)
	folder := filepath.Dir(c.Models[0].Path)
	for _, path := range []string{
		c.Models[0].Path, "/one.w2v", "/../one.w2v", "/assets/../one.w2v", "/..%2fone.w2v", "/%2e%2e/one.w2v", "/assets/..%2f..%2fweb.go",
		"/assets/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "//etc/passwd", "/..\\one.w2v", "/web.go", "/dist/index.html", "/assets", "/assets/", "/.",
		"/index.html/", "/index.html%00", "/v1/../healthz", "/export.html", "/v1/models/..%2f..%2fetc%2fpasswd", "/explorer/..%2fone.w2v/words",
		"/explorer/one/fields/..%2f..%2fone.w2v", "/explorer/runs/" + strings.ReplaceAll(folder, "/", "%2f") + "%2fone.w2v", "/explorer/runs/..%2fone.w2v",
		"/v1/neighbors?word=sun&model=" + c.Models[0].Path, "/v1/neighbors?word=sun&model=../one",
	} {
		if res := s.ask(t, asked{path: path}); res.StatusCode < 400 || res.StatusCode >= 500 {
			t.Errorf("%s: %s: %.100q", path, res.Status, bodyOf(t, res))
		}
	}
}
