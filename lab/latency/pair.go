package main

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/vectors"
)

// A period is what was measured in it, in nanoseconds.
type period struct {
	Line    float64 `json:"line"`     // from one core to the other
	Read    float64 `json:"read"`     // of a row that the other core has changed
	ReadOwn float64 `json:"read_own"` // of the same row once more
	Change  float64 `json:"change"`   // of a row that the other core has changed
	Own     float64 `json:"change_own"`
}

func (p period) numbers() []float64 { return []float64{p.Line, p.Read, p.ReadOwn, p.Change, p.Own} }

// What the follower does when it is its turn.
const (
	handBack = iota // only hands the turn back
	change          // changes the rows first
	leave
)

// Sizes of what is measured at once. Few rows are sure to stay in the nearest cache, and lie in random places, where
// nothing fetches them ahead.
const (
	handed = 100 // times that the turn is handed over and back
	rows   = 32
	among  = 4096
)

// A pair is two threads on two cores. The leader, which calls the methods, measures; the follower does what it is told
// when it is its turn, and else waits for it, busily.
type pair struct {
	_     [64]byte
	turn  atomic.Uint64 // odd if it is the follower's
	_     [64]byte
	order int // what the follower does next
	_     [64]byte
	first []*float32 // of every line of the rows
	ended chan struct{}
	sum   float32
}

// newPair puts the calling goroutine and a follower on cores.
func newPair(cores [2]int, dim int) (*pair, error) {
	p := &pair{ended: make(chan struct{})}
	matrix := vectors.NewMatrix(among, dim)
	for _, r := range rand.New(rand.NewPCG(1, 1)).Perm(among)[:rows] {
		row := matrix.Data[r*matrix.Stride:][:dim]
		for at := 0; at < dim; at += 16 {
			p.first = append(p.first, &row[at])
		}
	}
	runtime.LockOSThread()
	if err := sysinfo.Pin(cores[0]); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	ready := make(chan error)
	go p.follow(cores[1], ready)
	if err := <-ready; err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return p, nil
}

func (p *pair) follow(core int, ready chan<- error) {
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	err := sysinfo.Pin(core)
	ready <- err
	if err != nil {
		return
	}
	for {
		for p.turn.Load()&1 == 0 {
		}
		switch p.order {
		case change:
			p.changeAll()
		case leave:
			close(p.ended)
			return
		}
		p.turn.Add(1)
	}
}

// ask hands the turn to the follower.
func (p *pair) ask(order int) {
	if p.order != order { // otherwise one line moves
		p.order = order
	}
	p.turn.Add(1)
}

// wait waits until the follower has handed it back.
func (p *pair) wait() {
	for p.turn.Load()&1 == 1 {
	}
}

func (p *pair) changeAll() {
	for _, x := range p.first {
		*x++
	}
}

func (p *pair) readAll() {
	var sum float32
	for _, x := range p.first {
		sum += *x
	}
	p.sum += sum
}

// measure measures for some time. Each number is the lower quartile of many: whatever else runs on the cores only
// makes them slower.
func (p *pair) measure(long time.Duration) period {
	var found [5][]float64
	timed := func(number int, parts float64, work func()) {
		start := time.Now()
		work()
		found[number] = append(found[number], float64(time.Since(start).Nanoseconds())/parts)
	}
	for end := time.Now().Add(long); time.Now().Before(end); {
		timed(0, 2*handed, func() {
			for range handed {
				p.ask(handBack)
				p.wait()
			}
		})
		for range 4 {
			p.ask(change)
			p.wait()
			timed(1, rows, p.readAll)
			timed(2, rows, p.readAll)
			p.ask(change)
			p.wait()
			timed(3, rows, p.changeAll)
			timed(4, rows, p.changeAll)
		}
	}
	var quartiles [5]float64
	for i, x := range found {
		slices.Sort(x)
		quartiles[i] = x[len(x)/4]
	}
	return period{quartiles[0], quartiles[1], quartiles[2], quartiles[3], quartiles[4]}
}

// close ends the follower.
func (p *pair) close() {
	p.ask(leave)
	<-p.ended
	runtime.UnlockOSThread()
}

// medians returns the median of each number.
func medians(of []period) period {
	var all [5][]float64
	for _, p := range of {
		for i, x := range p.numbers() {
			all[i] = append(all[i], x)
		}
	}
	return period{figures.Median(all[0]), figures.Median(all[1]), figures.Median(all[2]), figures.Median(all[3]), figures.Median(all[4])}
}

// split divides periods where their lines differ most, if a far line takes half as long again as a near one; else
// all are near. A class has at least a tenth of the periods.
func split(periods []period) (near, far []period) {
	sorted := slices.SortedFunc(slices.Values(periods), func(a, b period) int { return cmp.Compare(a.Line, b.Line) })
	const gap = 1.5
	at, most := len(sorted), gap
	least := max(1, len(sorted)/10)
	for i := least; i < len(sorted) && i <= len(sorted)-least; i++ {
		if ratio := sorted[i].Line / sorted[i-1].Line; ratio > most {
			at, most = i, ratio
		}
	}
	return sorted[:at], sorted[at:]
}
