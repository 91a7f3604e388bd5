package serve

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// instruments are what the server counts for /metrics. Labels have few values: routes are patterns, models are
// those that are served, and codes are those of HTTP.
type instruments struct {
	bodies, usable func() float64 // the server's bytes of bodies, and its models that can be used
	began          time.Time
	inFlight       atomic.Int64

	mu               sync.Mutex
	requests         map[counted]uint64
	seconds          map[timed]*histogram
	refused, reloads map[string]uint64
}

// timed are the labels of w2v_request_seconds, and counted those of w2v_requests_total.
type (
	timed   struct{ method, route string }
	counted struct {
		timed
		model string
		code  int
	}
)

// secondBuckets are the upper bounds of the buckets of w2v_request_seconds.
var secondBuckets = [...]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// A histogram counts times by the first bucket that they fit into; the last one is for those that fit into none.
type histogram struct {
	counts [len(secondBuckets) + 1]uint64
	sum    float64
}

func newInstruments(s *Server) *instruments {
	return &instruments{
		bodies:   func() float64 { return float64(s.bodies.Load()) },
		usable:   func() float64 { return float64(s.usable()) },
		began:    time.Now(),
		requests: map[counted]uint64{}, seconds: map[timed]*histogram{},
		// What has not happened yet is 0.
		refused: map[string]uint64{"bodies": 0, "requests": 0, "streams": 0, "vectors": 0},
		reloads: map[string]uint64{"done": 0, "failed": 0},
	}
}

// handler returns what answers requests for the metrics: in the text format of Prometheus, or in that of OpenMetrics
// for a client that accepts it.
func (m *instruments) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exposition{open: strings.Contains(r.Header.Get("Accept"), "application/openmetrics-text")}
		x.process(m.began)
		m.expose(x)
		w.Header().Set("Content-Type", x.contentType())
		_, _ = w.Write(x.end()) // if the client is gone, there is nobody to tell
	})
}

// expose writes all metrics of the server, in the order of their names.
func (m *instruments) expose(x *exposition) {
	bodies, usable := m.bodies(), m.usable()
	m.mu.Lock()
	defer m.mu.Unlock()
	x.metric("w2v_body_bytes", gauge, "Bytes of requests' bodies that are being held.", bodies)
	x.metric("w2v_models", gauge, "Models that can be used.", usable)
	x.family("w2v_refused_total", counter, "Requests that a limit of the whole server refused, by that limit.")
	for _, limit := range slices.Sorted(maps.Keys(m.refused)) {
		x.sample("w2v_refused_total", float64(m.refused[limit]), "limit", limit)
	}
	x.family("w2v_reloads_total", counter, "Reloads of single models, by result.")
	for _, result := range slices.Sorted(maps.Keys(m.reloads)) {
		x.sample("w2v_reloads_total", float64(m.reloads[result]), "result", result)
	}
	x.family("w2v_request_seconds", "histogram", "Time from a request's headers to the end of its response.")
	for _, key := range slices.SortedFunc(maps.Keys(m.seconds), timed.compare) {
		m.seconds[key].expose(x, "w2v_request_seconds", "method", key.method, "route", key.route)
	}
	x.metric("w2v_requests_in_flight", gauge, "Requests that have no complete response yet, streams among them.", float64(m.inFlight.Load()))
	x.family("w2v_requests_total", counter, "Requests that were answered.")
	for _, key := range slices.SortedFunc(maps.Keys(m.requests), counted.compare) {
		x.sample("w2v_requests_total", float64(m.requests[key]),
			"code", strconv.Itoa(key.code), "method", key.method, "model", key.model, "route", key.route)
	}
}

func (t timed) compare(u timed) int {
	return cmp.Or(cmp.Compare(t.route, u.route), cmp.Compare(t.method, u.method))
}

func (c counted) compare(d counted) int {
	return cmp.Or(c.timed.compare(d.timed), cmp.Compare(c.model, d.model), cmp.Compare(c.code, d.code))
}

// expose writes the samples of a histogram with these labels. Each bucket counts what the smaller ones do, too.
func (h *histogram) expose(x *exposition, name string, labels ...string) {
	var count uint64
	for i, n := range h.counts {
		count += n
		bound := "+Inf"
		if i < len(secondBuckets) {
			bound = x.number(secondBuckets[i])
		}
		x.sample(name+"_bucket", float64(count), append(slices.Clone(labels), "le", bound)...)
	}
	x.sample(name+"_sum", h.sum, labels...)
	x.sample(name+"_count", float64(count), labels...)
}

// answered counts a request that is over.
func (m *instruments) answered(method, route, model string, code int, took time.Duration) {
	key := counted{timed{method, route}, model, code}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[key]++
	h := m.seconds[key.timed]
	if h == nil {
		h = new(histogram)
		m.seconds[key.timed] = h
	}
	bucket, _ := slices.BinarySearch(secondBuckets[:], took.Seconds())
	h.counts[bucket]++
	h.sum += took.Seconds()
}

// refuse counts a request that a limit refused.
func (m *instruments) refuse(limit string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused[limit]++
}

func (m *instruments) reloaded(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		m.reloads["failed"]++
	} else {
		m.reloads["done"]++
	}
}
