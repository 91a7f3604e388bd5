package serve

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// malformed are requests that no client should send.
var malformed = []asked{
	{path: "/v1/neighbors"},
	{path: "/v1/neighbors?word="},
	{path: "/v1/neighbors?word=sun&k=0"},
	{path: "/v1/neighbors?word=sun&k=-1"},
	{path: "/v1/neighbors?word=sun&k=1001"},
	{path: "/v1/neighbors?word=sun&k=99999999999999999999"},
	{path: "/v1/neighbors?word=sun&k=ten"},
	{path: "/v1/neighbors?word=sun&k=1e3"},
	{path: "/v1/neighbors?word=sun&k=NaN"},
	{path: "/v1/neighbors?word=sun&model=two"},
	{path: "/v1/neighbors?word=sun&restrict=-1"},
	{path: "/v1/neighbors?word=sun&restrict=x"},
	{path: "/v1/neighbors?word=%ff%fe"},
	{path: "/v1/neighbors?word=%zz"},
	{path: "/v1/neighbors?word=sun;k=1"},
	{path: "/v1/neighbors?word=" + strings.Repeat("x", 10000)},
	{path: "/v1/neighbors?expr=" + url.QueryEscape(`"`)},
	{path: "/v1/neighbors?expr=" + url.QueryEscape("sun - - moon")},
	{path: "/v1/neighbors?" + strings.Repeat("word=sun&", 500) + "k=x"},
	{path: "/v1/vectors"},
	{path: "/v1/vectors?word=%00"},
	{path: "/v1/analogy?a=sun&b=moon"},
	{path: "/v1/analogy?a=sun&b=moon&c=sun&method=magic"},
	{path: "/v1/analogy?a=sun&b=moon&c=sun&k=x"},
	{path: "/v1/similarity?a=sun"},
	{path: "/v1/similarity?a=sun&b="},
	{path: "/v1/models/two"},
	{path: "/v1/nothing"},
	{path: "/v2/models"},
	{path: "/v1"},
	{path: "/explorer/two/words"},
	{path: "/explorer/one/maps/x"},
	{path: "/explorer/one/place"},
	{path: "/explorer/one/axis?from=sun"},
	{path: "/explorer/one/fields/x"},
	{path: "/explorer/compare?old=one&new=two"},
	{path: "/explorer/runs/x"},
	{path: "/%"},
	{path: "/v1/neighbors%00?word=sun"},
	{method: "POST", path: "/v1/neighbors?word=sun"},
	{method: "DELETE", path: "/v1/models"},
	{method: "TRACE", path: "/v1/models"},
	{method: "CONNECT", path: "/"},
	{method: "POST", path: "/"},
	{method: "POST", path: "/v1/embeddings"},
	{method: "GET", path: "/v1/embeddings"},
	{method: "POST", path: "/v1/embeddings", body: "{"},
	{method: "POST", path: "/v1/embeddings", body: "null"},
	{method: "POST", path: "/v1/embeddings", body: `{"input":[null]}`},
	{method: "POST", path: "/v1/embeddings", body: `{"input":[[null]]}`},
	{method: "POST", path: "/v1/embeddings", body: `{"input":[[1],null]}`},
	{method: "POST", path: "/v1/embeddings?input=sun", body: `{"input":"sun"}`},
	{method: "POST", path: "/v1/embeddings", body: "[]"},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one"}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":[]}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":{}}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":[[-1]]}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":[99999999]}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":[1.5]}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":"sun","encoding_format":"hex"}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":"sun","dimensions":0}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":"sun","dimensions":3}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":7,"input":"sun"}`},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":"sun"} trailing`},
	{method: "POST", path: "/v1/embeddings", body: strings.Repeat("[", 100000)},
	{method: "POST", path: "/v1/embeddings", body: `{"model":"one","input":[` + strings.Repeat(`"sun",`, 3000) + `"sun"]}`},
	{method: "POST", path: "/v1/embeddings", body: "\xff\xfe\x00"},
	{method: "POST", path: "/v1/neighbors", body: `{"words":[]}`},
	{method: "POST", path: "/v1/neighbors", body: `{"words":["sun"],"k":-5}`},
	{method: "POST", path: "/v1/neighbors", body: `{"words":"sun","k":"x"}`},
	{method: "POST", path: "/v1/similarity", body: `{"word":"sun"}`},
	{path: "/healthz", host: "evil.example"},
	{path: "/v1/models", header: []string{"Sec-Fetch-Site", "cross-site"}},
}

// What makes no sense gets status 4xx and says why, in one shape.
func TestMalformedRequests(t *testing.T) {
	s := made(t, oneModel(t))
	s.onlyLoopback.Store(true)
	for _, a := range malformed {
		w := httptest.NewRecorder()
		r := a.tolerant()
		s.Handler().ServeHTTP(w, r)
		res := w.Result()
		if res.StatusCode < 400 || res.StatusCode > 499 || codeOf(t, res) == "" {
			t.Errorf("%s %.80s %.60q: %s: %.200s", a.method, a.path, a.body, res.Status, w.Body)
		}
	}
}

// tolerant is request, of a path that need not be one.
func (a asked) tolerant() *http.Request {
	method := a.method
	if method == "" {
		method = http.MethodGet
	}
	r := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(a.body))
	r.Method, r.RequestURI = method, a.path
	if u, err := url.ParseRequestURI(a.path); err == nil {
		r.URL = u
	} else { // net/http would refuse it
		path, query, _ := strings.Cut(a.path, "?")
		r.URL = &url.URL{Path: path, RawQuery: query}
	}
	r.Host = "localhost"
	if a.host != "" {
		r.Host = a.host
	}
	for i := 0; i+1 < len(a.header); i += 2 {
		r.Header.Add(a.header[i], a.header[i+1])
	}
	return r
}

// No request makes the server panic, or fail for a reason of its own.
func FuzzRequests(f *testing.F) {
	for _, a := range malformed {
		f.Add(a.method, a.path, a.body)
	}
	f.Add("GET", "/v1/neighbors?word=sun&expr=sun-moon&k=3", "")
	f.Add("POST", "/v1/embeddings", `{"model":"one","input":["sun moon","moon"],"encoding_format":"base64","dimensions":1}`)
	f.Add("POST", "/v1/neighbors", `{"model":"one","expressions":["sun - moon"],"k":2}`)
	f.Add("GET", "/explorer/one/axis?from=sun&to=moon&words=sun,moon", "")
	s, err := New(oneModel(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(s.Close)
	f.Fuzz(func(t *testing.T, method, path, body string) {
		if strings.HasSuffix(strings.SplitN(path, "?", 2)[0], "/progress") {
			return // a stream, which ends when it likes
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, asked{method: method, path: path, body: body}.tolerant())
		if w.Code == http.StatusInternalServerError || w.Code == 0 {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}
