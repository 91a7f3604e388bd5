package serve

import (
	"net/http/httptest"
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
	first := slices.DeleteFunc(buckets, func(line string) bool { return !strings.Contains(line, `{method="GET",route="other",le=`) })
	for i, bound := range []string{"0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "30", "+Inf"} {
		if want := `w2v_request_seconds_bucket{method="GET",route="other",le="` + bound + `"} `; i >= len(first) || !strings.HasPrefix(first[i], want) {
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
w2v_request_seconds_count{method="GET",route="/v1/neighbors"} 2
w2v_request_seconds_count{method="GET",route="other"} 1
# HELP w2v_requests_in_flight Requests that have no complete response yet, streams among them.
# TYPE w2v_requests_in_flight gauge
w2v_requests_in_flight 1
# HELP w2v_requests_total Requests that were answered.
# TYPE w2v_requests_total counter
w2v_requests_total{code="200",method="GET",model="one",route="/v1/neighbors"} 2
w2v_requests_total{code="404",method="GET",model="",route="other"} 1
`
	if got := "# HELP w2v_body_bytes" + seconds.ReplaceAllString(own, ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, name := range []string{"go_goroutines ", "go_memstats_heap_alloc_bytes ", "process_start_time_seconds "} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("there is no %s", name)
		}
	}
}

// Every sample follows what it is and what it means, is there once, and has the form of its format's grammar. No name of a model, method
// or path breaks that.
func TestMetricsAreOfTheirFormat(t *testing.T) {
	c := oneModel(t)
	c.Models[0].Name = "a \"b\"\\ {}\n\xff=,c"
	s := made(t, c)
	for _, a := range []asked{{path: "/v1/neighbors?word=sun"}, {path: "/v1/models/x"}, {path: "/x y"}, {method: "BR\"EW", path: "/"}, {method: "POST", path: "/v1/models"}} {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, a.tolerant())
	}
	const label = `[a-z_][a-z0-9_]*="([^"\\\n]|\\[\\"n])*"`
	sample := regexp.MustCompile(`^([a-z_:][a-z0-9_:]*)(\{` + label + `(,` + label + `)*\})? ([0-9.]+)$`)
	for accept, kind := range map[string]string{
		"*/*": "text/plain; version=0.0.4; charset=utf-8",
		"application/openmetrics-text;version=1.0.0,text/plain;q=0.5": "application/openmetrics-text; version=1.0.0; charset=utf-8",
	} {
		res := s.ask(t, asked{path: "/metrics", header: []string{"Accept", accept}})
		if got := res.Header.Get("Content-Type"); got != kind {
			t.Errorf("%s gets %s", accept, got)
		}
		open := strings.Contains(kind, "openmetrics")
		lines := strings.Split(strings.TrimSuffix(bodyOf(t, res), "\n"), "\n")
		if open {
			if last := lines[len(lines)-1]; last != "# EOF" {
				t.Errorf("the last line is %q", last)
			}
			lines = lines[:len(lines)-1]
		}
		var name, typ string // of the family
		seen := map[string]bool{}
		for i, line := range lines {
			if help, ok := strings.CutPrefix(line, "# HELP "); ok {
				name, _, _ = strings.Cut(help, " ")
				typ, ok = strings.CutPrefix(lines[i+1], "# TYPE "+name+" ")
				if !ok || seen[name] {
					t.Errorf("%q is followed by %q", line, lines[i+1])
				}
				seen[name] = true
				continue
			}
			if strings.HasPrefix(line, "# TYPE ") && strings.HasPrefix(lines[i-1], "# HELP "+name+" ") {
				continue
			}
			parts := sample.FindStringSubmatch(line)
			if parts == nil {
				t.Errorf("%q is no sample", line)
				continue
			}
			suffix, ok := strings.CutPrefix(parts[1], name)
			switch typ {
			case "histogram":
				ok = ok && slices.Contains([]string{"_bucket", "_sum", "_count"}, suffix)
			case "counter":
				ok = ok && strings.HasSuffix(parts[1], "_total") && (suffix == "_total") == open
			case "gauge":
				ok = ok && suffix == ""
			default:
				ok = false
			}
			if key := strings.TrimSuffix(line, parts[len(parts)-1]); !ok || seen[key] {
				t.Errorf("%q is there twice, or does not belong to the %s %s", line, typ, name)
			} else {
				seen[key] = true
			}
		}
	}
}

func TestLabelsAreEscaped(t *testing.T) {
	var x exposition
	x.sample("a", 1.5, "b", "c", "d", "quote \" and \\ and\nline\xff")
	if got, want := x.text.String(), `a{b="c",d="quote \" and \\ and\nline`+"\ufffd"+`"} 1.5`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
