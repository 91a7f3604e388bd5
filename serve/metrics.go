package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics says. Labels have few values: routes are patterns, models are those
// that are served, and codes are those of HTTP.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	refused  *prometheus.CounterVec
	reloads  *prometheus.CounterVec
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "w2v_requests_total", Help: "Requests that were answered."}, []string{"route", "model", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "w2v_request_seconds", Help: "Time from a request's headers to the end of its response.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "w2v_requests_in_flight", Help: "Requests that have no complete response yet, streams among them."}),
		refused:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "w2v_refused_total", Help: "Requests that a limit of the whole server refused, by that limit."}, []string{"limit"}),
		reloads:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "w2v_reloads_total", Help: "Reloads of single models, by result."}, []string{"result"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.inFlight, m.refused, m.reloads,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "w2v_models", Help: "Models that can be used."}, func() float64 { return float64(s.usable()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "w2v_body_bytes", Help: "Bytes of requests' bodies that are being held."}, func() float64 { return float64(s.bodies.Load()) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, result := range []string{"done", "failed"} {
		m.reloads.WithLabelValues(result)
	}
	return m
}

// handler returns what answers requests for the metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
}

func (m *metrics) answered(route, model string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, model, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

func (m *metrics) reloaded(err error) {
	result := "done"
	if err != nil {
		result = "failed"
	}
	m.reloads.WithLabelValues(result).Inc()
}

// routeOf returns the pattern that a request was answered by; "other" if it was none.
func routeOf(r *http.Request) string {
	if r.Pattern == "" || r.Pattern == "/" {
		return "other"
	}
	return r.Pattern
}
