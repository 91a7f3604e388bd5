package serve

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"github.com/w2v-go/w2v/serve/internal/silence"
)

func init() { silence.End() }

// instruments are what /metrics says. Labels have few values: routes are patterns, models are those
// that are served, and codes are those of HTTP.
type instruments struct {
	families []family // in the order of their names

	requests, seconds, refused, reloads *metrics.Set

	inFlight *metrics.Gauge
}

// A family is the metrics of one name.
type family struct {
	name, help, kind string
	set              *metrics.Set
}

// secondBuckets are the upper bounds of the buckets of w2v_request_seconds.
var secondBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newInstruments(s *Server) *instruments {
	m := &instruments{}
	add := func(kind, name, help string) *metrics.Set {
		set := metrics.NewSet()
		m.families = append(m.families, family{name, help, kind, set})
		return set
	}
	add("gauge", "w2v_body_bytes", "Bytes of requests' bodies that are being held.").
		NewGauge("w2v_body_bytes", func() float64 { return float64(s.bodies.Load()) })
	add("gauge", "w2v_models", "Models that can be used.").
		NewGauge("w2v_models", func() float64 { return float64(s.usable()) })
	m.refused = add("counter", "w2v_refused_total", "Requests that a limit of the whole server refused, by that limit.")
	m.reloads = add("counter", "w2v_reloads_total", "Reloads of single models, by result.")
	m.seconds = add("histogram", "w2v_request_seconds", "Time from a request's headers to the end of its response.")
	m.inFlight = add("gauge", "w2v_requests_in_flight", "Requests that have no complete response yet, streams among them.").
		NewGauge("w2v_requests_in_flight", nil)
	m.requests = add("counter", "w2v_requests_total", "Requests that were answered.")
	// What has not happened yet is 0.
	for _, result := range []string{"done", "failed"} {
		m.reloads.NewCounter(labelled("w2v_reloads_total", "result", result))
	}
	for _, limit := range []string{"bodies", "requests", "streams", "vectors"} {
		m.refused.NewCounter(labelled("w2v_refused_total", "limit", limit))
	}
	return m
}

// labelled returns the name of a metric with labels, which are pairs of a name and a value.
func labelled(name string, labels ...string) string {
	var b strings.Builder
	b.WriteString(name)
	separator := byte('{')
	for i := 0; i < len(labels); i += 2 {
		b.WriteByte(separator)
		fmt.Fprintf(&b, `%s="%s"`, labels[i], labelEscapes.Replace(strings.ToValidUTF8(labels[i+1], "\ufffd")))
		separator = ','
	}
	b.WriteByte('}')
	return b.String()
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// handler returns what answers requests for the metrics.
func (m *instruments) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		var b bytes.Buffer
		metrics.WriteProcessMetrics(&b)
		metrics.WriteFDMetrics(&b)
		for _, f := range m.families {
			f.write(&b)
		}
		_, _ = w.Write(b.Bytes()) // if the client is gone, there is nobody to tell
	})
}

// write writes the metrics of a family below what they are, or nothing if there are none yet.
func (f family) write(w io.Writer) {
	var b bytes.Buffer
	f.set.WritePrometheus(&b)
	if b.Len() > 0 {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s", f.name, f.help, f.name, f.kind, b.Bytes())
	}
}

func (m *instruments) answered(route, model string, status int, took time.Duration) {
	m.requests.GetOrCreateCounter(labelled("w2v_requests_total", "code", strconv.Itoa(status), "model", model, "route", route)).Inc()
	m.seconds.GetOrCreatePrometheusHistogramExt(labelled("w2v_request_seconds", "route", route), secondBuckets).Update(took.Seconds())
}

// refuse counts a request that a limit refused.
func (m *instruments) refuse(limit string) {
	m.refused.GetOrCreateCounter(labelled("w2v_refused_total", "limit", limit)).Inc()
}

func (m *instruments) reloaded(err error) {
	result := "done"
	if err != nil {
		result = "failed"
	}
	m.reloads.GetOrCreateCounter(labelled("w2v_reloads_total", "result", result)).Inc()
}

// routeOf returns the pattern that a request was answered by; "other" if it was none.
func routeOf(r *http.Request) string {
	if r.Pattern == "" || r.Pattern == "/" {
		return "other"
	}
	return r.Pattern
}
