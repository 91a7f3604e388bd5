package serve

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
)

// The kinds of metrics that have one value.
const (
	gauge   = "gauge"
	counter = "counter"
)

// An exposition is metrics as Prometheus reads them. The methods of an exposition are called by rising names of
// metrics, and the samples of a metric follow its family.
type exposition struct {
	text bytes.Buffer
	open bool // in the format of OpenMetrics, and else in the older one of Prometheus
}

func (x *exposition) contentType() string {
	if x.open {
		return "application/openmetrics-text; version=1.0.0; charset=utf-8"
	}
	return "text/plain; version=0.0.4; charset=utf-8"
}

// family begins a metric: its name, its kind, and what it is.
func (x *exposition) family(name, kind, help string) {
	if x.open && kind == counter {
		name = strings.TrimSuffix(name, "_total") // which belongs to the sample
	}
	fmt.Fprintf(&x.text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// labelEscapes are those of values of labels.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// sample writes a value. Labels are pairs of a name and a value.
func (x *exposition) sample(name string, value float64, labels ...string) {
	x.text.WriteString(name)
	separator := byte('{')
	for i := 0; i < len(labels); i += 2 {
		x.text.WriteByte(separator)
		fmt.Fprintf(&x.text, `%s="%s"`, labels[i], labelEscapes.Replace(strings.ToValidUTF8(labels[i+1], "\ufffd")))
		separator = ','
	}
	if separator == ',' {
		x.text.WriteByte('}')
	}
	x.text.WriteString(" " + strconv.FormatFloat(value, 'f', -1, 64) + "\n")
}

// metric writes a metric of one value.
func (x *exposition) metric(name, kind, help string, value float64) {
	x.family(name, kind, help)
	x.sample(name, value)
}

// number returns a number as a label has it. OpenMetrics knows no whole ones.
func (x *exposition) number(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if x.open && !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// end returns the whole text.
func (x *exposition) end() []byte {
	if x.open {
		x.text.WriteString("# EOF\n")
	}
	return x.text.Bytes()
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

// process writes what is known of Go and of this process, whose server began at a time.
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
