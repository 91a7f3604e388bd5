package serve

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
)

// instruments are what the server counts for /metrics. Labels have few values.
type instruments struct {
	server   *Server
	began    time.Time
	inFlight atomic.Int64

	mu               sync.Mutex
	requests         map[counted]uint64
	seconds          map[timed]*histogram
	refused, reloads map[string]uint64
}

type (
	timed   struct{ method, route string }
	counted struct {
		timed
		model string
		code  int
	}
)

var secondBuckets = [...]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// A histogram counts each time in the first bucket that it fits into; the last one is for all longer times.
type histogram struct {
	counts [len(secondBuckets) + 1]uint64
	sum    float64
}

func newInstruments(s *Server) *instruments {
	return &instruments{
		server: s, began: time.Now(),
		requests: map[counted]uint64{}, seconds: map[timed]*histogram{},
		// Write zeros for events that have not happened yet.
		refused: map[string]uint64{"bodies": 0, "requests": 0, "streams": 0, "vectors": 0},
		reloads: map[string]uint64{"done": 0, "failed": 0},
	}
}

// handle answers in the text format of Prometheus, or in that of OpenMetrics for a client that accepts it.
func (m *instruments) handle(w http.ResponseWriter, r *http.Request) error {
	x := &exposition{open: strings.Contains(r.Header.Get("Accept"), "application/openmetrics-text")}
	x.process(m.began)
	m.expose(x)
	kind := "text/plain; version=0.0.4; charset=utf-8"
	if x.open {
		kind = "application/openmetrics-text; version=1.0.0; charset=utf-8"
		x.text.WriteString("# EOF\n")
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(x.text.Bytes()) // if the client is gone, there is nobody to tell
	return nil
}

func (m *instruments) expose(x *exposition) {
	usable := 0
	for _, name := range m.server.models.Names() {
		if m.server.look(name) == nil {
			usable++
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	x.metric("w2v_body_bytes", gauge, "Bytes of requests' bodies that are being held.", float64(m.server.bodies.Load()))
	x.metric("w2v_models", gauge, "Models that can be used.", float64(usable))
	x.counters("w2v_refused_total", "Requests that a limit of the whole server refused, by that limit.", "limit", m.refused)
	x.counters("w2v_reloads_total", "Reloads of single models, by result.", "result", m.reloads)
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

// Each bucket includes the counts of smaller ones.
func (h *histogram) expose(x *exposition, name string, labels ...string) {
	var count uint64
	for i, n := range h.counts {
		count += n
		bound := "+Inf"
		if i < len(secondBuckets) {
			bound = strconv.FormatFloat(secondBuckets[i], 'f', -1, 64)
			if x.open && !strings.Contains(bound, ".") { // OpenMetrics has no whole numbers there
				bound += ".0"
			}
		}
		x.sample(name+"_bucket", float64(count), append(slices.Clone(labels), "le", bound)...)
	}
	x.sample(name+"_sum", h.sum, labels...)
	x.sample(name+"_count", float64(count), labels...)
}

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

func (m *instruments) refuse(limit string) { m.count(m.refused, limit) }

func (m *instruments) count(in map[string]uint64, label string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	in[label]++
}

const gauge, counter = "gauge", "counter"

// An exposition is metrics as Prometheus reads them. A metric's samples come after its family.
type exposition struct {
	text bytes.Buffer
	open bool // in the format of OpenMetrics, else in the older format of Prometheus
}

func (x *exposition) family(name, kind, help string) {
	if x.open && kind == counter {
		name = strings.TrimSuffix(name, "_total") // the suffix belongs to the sample
	}
	fmt.Fprintf(&x.text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (x *exposition) sample(name string, value float64, labels ...string) {
	var pairs []string
	for pair := range slices.Chunk(labels, 2) {
		pairs = append(pairs, fmt.Sprintf(`%s="%s"`, pair[0], labelEscapes.Replace(strings.ToValidUTF8(pair[1], "\ufffd"))))
	}
	if pairs != nil {
		name += "{" + strings.Join(pairs, ",") + "}"
	}
	x.text.WriteString(name + " " + strconv.FormatFloat(value, 'f', -1, 64) + "\n")
}

func (x *exposition) metric(name, kind, help string, value float64) {
	x.family(name, kind, help)
	x.sample(name, value)
}

func (x *exposition) counters(name, help, label string, counts map[string]uint64) {
	x.family(name, counter, help)
	for _, of := range slices.Sorted(maps.Keys(counts)) {
		x.sample(name, float64(counts[of]), label, of)
	}
}

// runtimeMetrics are what Go says of this process, by the names that Prometheus' own library gives them.
var runtimeMetrics = []struct{ name, kind, of, help string }{
	{"go_gc_cpu_seconds_total", counter, "/cpu/classes/gc/total:cpu-seconds", "Processor time that collecting garbage took."},
	{"go_gc_cycles_total", counter, "/gc/cycles/total:gc-cycles", "Garbage collections that have ended."},
	{"go_goroutines", gauge, "/sched/goroutines:goroutines", "Goroutines that exist."},
	{"go_memstats_alloc_bytes_total", counter, "/gc/heap/allocs:bytes", "Bytes that were allocated on the heap since the start."},
	{"go_memstats_heap_alloc_bytes", gauge, "/memory/classes/heap/objects:bytes", "Bytes of objects on the heap."},
	{"go_memstats_heap_objects", gauge, "/gc/heap/objects:objects", "Objects on the heap."},
	{"go_memstats_heap_released_bytes", gauge, "/memory/classes/heap/released:bytes", "Bytes of the heap that the system has back."},
	{"go_memstats_next_gc_bytes", gauge, "/gc/heap/goal:bytes", "Size of the heap at the end of the next garbage collection."},
	{"go_memstats_stack_inuse_bytes", gauge, "/memory/classes/heap/stacks:bytes", "Bytes of stacks."},
	{"go_memstats_sys_bytes", gauge, "/memory/classes/total:bytes", "Bytes that Go has of the system."},
	{"go_sched_gomaxprocs_threads", gauge, "/sched/gomaxprocs:threads", "Threads that run Go code at a time, at most."},
}

func (x *exposition) process(began time.Time) {
	samples := make([]metrics.Sample, len(runtimeMetrics))
	for i, m := range runtimeMetrics {
		samples[i].Name = m.of
	}
	metrics.Read(samples)
	for i, m := range runtimeMetrics {
		switch v := samples[i].Value; v.Kind() {
		case metrics.KindUint64:
			x.metric(m.name, m.kind, m.help, float64(v.Uint64()))
		case metrics.KindFloat64:
			x.metric(m.name, m.kind, m.help, v.Float64())
		}
	}
	x.family("go_info", gauge, "Version of Go that the program was built with.")
	x.sample("go_info", 1, "version", strings.Fields(runtime.Version())[0])
	if used := sysinfo.CPUTime(); used > 0 {
		x.metric("process_cpu_seconds_total", counter, "Processor time of the process.", used.Seconds())
	}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		x.metric("process_open_fds", gauge, "Open files and connections.", float64(len(files)))
	}
	var size, resident float64
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if n, _ := fmt.Sscan(string(text), &size, &resident); n == 2 {
			page := float64(os.Getpagesize())
			x.metric("process_resident_memory_bytes", gauge, "Memory of the process, with the pages of mapped files that are in memory.", resident*page)
			x.metric("process_virtual_memory_bytes", gauge, "Addresses of the process, with all of the mapped files.", size*page)
		}
	}
	x.metric("process_start_time_seconds", gauge, "When the server began, in seconds since 1970.", float64(began.UnixMilli())/1000)
}

type health struct {
	Status string `json:"status" const:"ok"`
}

func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, health{"ok"})
}

type readiness struct {
	Status string       `json:"status" enum:"ready unavailable stopping"`
	Models []modelState `json:"models"`
}

type modelState struct {
	ID     string `json:"id"`
	Status string `json:"status" enum:"ready unavailable"`
	Error  string `json:"error,omitempty" help:"Why the model cannot be used."`
}

func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) error {
	ready, status := readiness{Status: "ready", Models: []modelState{}}, http.StatusOK
	for _, name := range s.models.Names() {
		state := modelState{ID: name, Status: "ready"}
		if err := s.look(name); err != nil {
			state.Status, state.Error = "unavailable", err.Error()
			ready.Status, status = "unavailable", http.StatusServiceUnavailable
		}
		ready.Models = append(ready.Models, state)
	}
	if s.stopping.Err() != nil {
		ready.Status, status = "stopping", http.StatusServiceUnavailable
	}
	return writeJSON(w, status, ready)
}

func (s *Server) look(name string) error {
	m, err := s.models.Use(name)
	if err != nil {
		return err
	}
	defer m.Release()
	return m.Read(func() error { return nil })
}
