package serve

import (
	"log"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Prometheus reads the metrics, each with what it is and what it means.
func TestMetrics(t *testing.T) {
	s := made(t, oneModel(t))
	for _, path := range []string{"/v1/neighbors?word=sun", "/v1/neighbors?word=sun", "/nothing"} {
		bodyOf(t, s.ask(t, asked{path: path}))
	}
	s.metrics.refuse("streams")
	res := s.ask(t, asked{path: "/metrics"})
	text := bodyOf(t, res)
	if kind := res.Header.Get("Content-Type"); kind != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("the metrics are %s", kind)
	}
	_, own, _ := strings.Cut(text, "# HELP w2v_body_bytes")
	// Times differ, so that their buckets and sums do.
	seconds := regexp.MustCompile(`(?m)^w2v_request_seconds_(bucket|sum).*\n`)
	buckets := seconds.FindAllString(own, -1)
	if got, want := len(buckets), 2*(len(secondBuckets)+1+1); got != want {
		t.Errorf("%d lines of the histogram, want %d for two routes", got, want)
	}
	first := slices.DeleteFunc(buckets, func(line string) bool { return !strings.Contains(line, `{route="other",le=`) })
	for i, bound := range []string{"0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "30", "+Inf"} {
		if want := `w2v_request_seconds_bucket{route="other",le="` + bound + `"} `; i >= len(first) || !strings.HasPrefix(first[i], want) {
			t.Errorf("the buckets are\n%s\nwant %q as number %d", strings.Join(first, ""), want, i+1)
		}
	}
	want := `# HELP w2v_body_bytes Bytes of requests' bodies that are being held.
# TYPE w2v_body_bytes gauge
w2v_body_bytes 0
# HELP w2v_models Models that can be used.
# TYPE w2v_models gauge
w2v_models 1
# HELP w2v_refused_total Requests that a limit of the whole server refused, by that limit.
# TYPE w2v_refused_total counter
w2v_refused_total{limit="bodies"} 0
w2v_refused_total{limit="requests"} 0
w2v_refused_total{limit="streams"} 1
w2v_refused_total{limit="vectors"} 0
# HELP w2v_reloads_total Reloads of single models, by result.
# TYPE w2v_reloads_total counter
w2v_reloads_total{result="done"} 0
w2v_reloads_total{result="failed"} 0
# HELP w2v_request_seconds Time from a request's headers to the end of its response.
# TYPE w2v_request_seconds histogram
w2v_request_seconds_count{route="GET /v1/neighbors"} 2
w2v_request_seconds_count{route="other"} 1
# HELP w2v_requests_in_flight Requests that have no complete response yet, streams among them.
# TYPE w2v_requests_in_flight gauge
w2v_requests_in_flight 1
# HELP w2v_requests_total Requests that were answered.
# TYPE w2v_requests_total counter
w2v_requests_total{code="200",model="one",route="GET /v1/neighbors"} 2
w2v_requests_total{code="404",model="",route="other"} 1
`
	if got := "# HELP w2v_body_bytes" + seconds.ReplaceAllString(own, ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, name := range []string{"go_goroutines ", "go_memstats_heap_alloc_bytes "} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestLabelsAreEscaped(t *testing.T) {
	if got, want := labelled("a", "b", "c", "d", "quote \" and \\ and\nline\xff"), `a{b="c",d="quote \" and \\ and\nline`+"\ufffd"+`"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The library takes every name of a model that is escaped: it panics at others.
func TestLabelsOfAllModels(t *testing.T) {
	m := newInstruments(made(t, oneModel(t)))
	for _, name := range []string{`"`, `\`, `\"`, `"\`, `a",b="c`, "{}", "a\nb", "\xff", "=", ","} {
		m.answered("GET /v1/words/{word}", name, 200, 0)
		if want := labelled("w2v_requests_total", "code", "200", "model", name, "route", "GET /v1/words/{word}"); !slices.Contains(m.requests.ListMetricNames(), want) {
			t.Errorf("%q: %q is not among %q", name, want, m.requests.ListMetricNames())
		}
	}
}

// The package metrics is initialised while the logger is silent, and only then: see the package silence.
func TestStartIsSilent(t *testing.T) {
	if log.Writer() != os.Stderr {
		t.Error("the logger is silent")
	}
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := c.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, path := range []string{"github.com/w2v-go/w2v/serve/internal/silence", "github.com/VictoriaMetrics/metrics", "github.com/w2v-go/w2v/serve"} {
		next := strings.Index(string(trace[at:]), "init "+path+" @")
		if next < 0 {
			t.Fatalf("%s is not initialised in its turn:\n%s", path, trace)
		}
		at += next
	}
}
