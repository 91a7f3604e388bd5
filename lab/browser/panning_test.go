package browser

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// counting counts draw calls of WebGL and frames in which there were some, and measures how long handlers and
// the frames after them take.
const counting = `
window.counted = {calls: 0, frames: 0, points: 0, longest: 0, event: 0, name: ""};
for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
	const draw = WebGL2RenderingContext.prototype[name];
	WebGL2RenderingContext.prototype[name] = function (...args) {
		counted.calls++;
		if (args[0] === this.POINTS) counted.points += args[2];
		if (!counted.drawn) { counted.drawn = true; counted.frames++; queueMicrotask(() => counted.drawn = false); }
		return draw.apply(this, args);
	};
}
new PerformanceObserver(list => { for (const e of list.getEntries()) counted.longest = Math.max(counted.longest, e.duration); }).observe({type: "longtask"});
// The browser's own timing of events leaves out those that come many at a time, as in a drag.
for (const kind of ["pointerdown", "pointermove", "pointerup", "wheel", "click", "change"]) {
	addEventListener(kind, e => {
		const shown = () => { const took = performance.now() - e.timeStamp; if (took > counted.event) { counted.event = took; counted.name = kind; } };
		requestAnimationFrame(() => setTimeout(shown));
	}, {capture: true, passive: true});
}
`

type counts struct {
	Calls, Frames  int
	Points         int
	Longest, Event float64 // ms: the longest task of 50 ms or more, and from an event to the end of the frame after it
	Name           string
}

// count returns what was counted since it was called last.
func (b *tab) count() counts {
	b.Helper()
	return eval[counts](b, `new Promise(done => setTimeout(() => { const c = {...counted}; Object.assign(counted, {calls: 0, frames: 0, points: 0, longest: 0, event: 0, name: ""}); done({Calls: c.calls, Frames: c.frames, Points: c.points, Longest: c.longest, Event: c.event, Name: c.name}); }, 300))`)
}

// A trace is what the browser says of the tasks of its threads.
type trace struct {
	mu     sync.Mutex
	events []traced
	ended  chan struct{}
}

type traced struct {
	Name     string
	Phase    string `json:"ph"`
	PID, TID int
	CPU      float64 `json:"tdur"` // µs of the processor
	Args     struct{ Name string }
}

func newTrace(b *tab) *trace {
	b.Helper()
	t := &trace{ended: make(chan struct{}, 1)}
	err := chromedp.Listen(b.ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			t.mu.Lock()
			defer t.mu.Unlock()
			for _, value := range e.Value {
				var one traced
				if json.Unmarshal(value, &one) == nil && (one.Name == "thread_name" || one.CPU > 0) {
					t.events = append(t.events, one)
				}
			}
		case *tracing.EventTracingComplete:
			t.ended <- struct{}{}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// of returns how much time of the processor the longest task of the page took while something was done, and all of them. A
// busy machine makes tasks wait, which is not counted.
func (t *trace) of(b *tab, do func()) (longest, all float64) {
	b.Helper()
	t.events = nil
	call(b, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"toplevel"}}})
	do()
	call(b, tracing.End, cdp.Empty{})
	select {
	case <-t.ended:
	case <-time.After(patience):
		b.Fatal("no trace")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	main := map[[2]int]bool{}
	for _, e := range t.events {
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[[2]int{e.PID, e.TID}] = true
		}
	}
	for _, e := range t.events {
		if main[[2]int{e.PID, e.TID}] && e.Name == "ThreadControllerImpl::RunTask" {
			longest, all = max(longest, e.CPU/1000), all+e.CPU/1000
		}
	}
	return longest, all
}

// points is how many words the map of TestPanning has: enough for several calls if it took one for each block of words.
var points = flag.Int("points", 40_000, "words of the map of TestPanning")

// usage is what the largest process of a kind takes.
type usage struct {
	MB      int
	Seconds float64 // of the processor
}

// processes returns what each kind of process of the browser takes, as far as /proc tells.
func processes() map[string]usage {
	parents, kinds, all := map[string]string{}, map[string]string{}, map[string]usage{}
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		stat, _ := os.ReadFile(folder + "/stat")
		command, _ := os.ReadFile(folder + "/cmdline")
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		if len(fields) < 22 {
			continue
		}
		number := func(i int) float64 { x, _ := strconv.ParseFloat(fields[i], 64); return x }
		pid := filepath.Base(folder)
		parents[pid] = fields[1]
		all[pid] = usage{int(number(21) * float64(os.Getpagesize()) / 1e6), (number(11) + number(12)) / 100}
		if _, kind, ok := strings.Cut(string(command), "--type="); ok {
			kinds[pid], _, _ = strings.Cut(strings.ReplaceAll(kind, " ", "\x00"), "\x00")
		}
	}
	own, most := strconv.Itoa(os.Getpid()), map[string]usage{}
	for pid, kind := range kinds {
		for of := pid; of != ""; of = parents[of] {
			if of == own && all[pid].MB > most[kind].MB {
				most[kind] = all[pid]
			}
		}
	}
	return most
}

func TestPanning(t *testing.T) {
	need(t)
	n, dim := *points, 12
	r := rand.New(rand.NewPCG(1, 2))
	rows, words := vectors.NewMatrix(n, dim), make([]string, n)
	for i := range n {
		words[i] = fmt.Sprint("word", i)
		for k := range dim {
			rows.Row(i)[k] = float32(r.NormFloat64()*math.Pow(0.8, float64(k)) + float64(i%(7+k))/3)
		}
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "large.w2v")
	if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	b := newTab(t, desktop)
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: counting})
	began := time.Now()
	tasks := newTrace(b)
	longest, all := tasks.of(b, func() {
		b.open(serve(t, path, "--map-words", strconv.Itoa(n)) + "#map=pca")
		b.settle()
	})
	t.Logf("opened after %v, processor time of the page's longest task %.0f ms, of all %.0f ms, processes %v", time.Since(began).Round(time.Millisecond), longest, all, processes())
	b.screenshot("open")

	// The trustworthiness comes after the map, which is then drawn once more.
	b.until("the trustworthiness", `document.querySelector(".map-status").innerText.includes("trustworthiness")`)
	b.settle()
	b.count()
	time.Sleep(time.Second)
	if idle := b.count(); idle.Frames > 0 {
		t.Errorf("%d frames were drawn while nothing happened", idle.Frames)
	}
	at := b.boxOf(".map-canvas", "")
	x, y := at.middle()
	const tiny = 1e-3 // a zero is left out, and Chromium wants both
	wheel := func(dy float64) {
		call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: tiny, DeltaY: dy})
	}
	ask := func(view string) {
		eval[any](b, "location.hash = "+quote("map=pca&"+view))
		time.Sleep(time.Second)
	}
	for _, move := range []struct {
		name string
		do   func()
	}{
		{"panning", func() {
			b.drag([2]float64{x, y}, [2]float64{x + 200, y}, [2]float64{x + 200, y + 150}, [2]float64{x, y}, [2]float64{x - 200, y})
		}},
		{"zooming in", func() {
			for range 10 {
				wheel(-120)
			}
		}},
		{"panning when zoomed in", func() { b.drag([2]float64{x, y}, [2]float64{x + 200, y}, [2]float64{x, y}) }},
		{"zooming out", func() {
			for range 10 {
				wheel(120)
			}
		}},
		{"pointing", func() {
			for i := range 20 {
				call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x + float64(5*i), Y: y})
			}
		}},
		{"a click on a word", func() { b.pressAt(x, y) }},
		{"a question", func() { ask("expr=word1+-+word2+%2B+word3") }},
		{"an axis as colour", func() { ask("panel=axis&axis=word1&axis=word2&on=map&color=axis") }},
		{"an analogy", func() { ask("panel=analogy&analogy=word1&analogy=word2&analogy=word3&on=map") }},
		{"the first 1,000 words", func() { ask("word=word1&first=1000") }},
		{"another colour", func() { b.choose(`.header label.field:not(.model-picker) select`, "none") }},
	} {
		b.count()
		const drawing = "gpu-process"
		drew := processes()[drawing].Seconds
		longest, all := tasks.of(b, func() {
			move.do()
			b.settle()
		})
		c := b.count()
		perFrame := float64(c.Calls) / math.Max(1, float64(c.Frames))
		drew = 1000 * (processes()[drawing].Seconds - drew) / math.Max(1, float64(c.Frames))
		t.Logf("%-24s %3d frames, %.1f draw calls and %6.0f points a frame, longest task %3.0f ms of the processor (%3.0f ms with waiting), all tasks %4.0f ms, drawing a frame %3.0f ms, longest from an event to the end of its frame %3.0f ms %s", move.name, c.Frames, perFrame, float64(c.Points)/math.Max(1, float64(c.Frames)), longest, c.Longest, all, drew, c.Event, c.Name)
		if c.Points > 200_000*c.Frames {
			t.Errorf("%s: %d points in %d frames", move.name, c.Points, c.Frames)
		}
		if perFrame > 12 {
			t.Errorf("%s: %.1f draw calls a frame", move.name, perFrame)
		}
	}
	t.Logf("processes %v", processes())
}
