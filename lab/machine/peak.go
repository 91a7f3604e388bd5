package machine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Peak watches how much memory a process has resident at most.
//
// What Linux accounts for an ended process includes what its parent had resident when it started the
// process. A parent that has scored a large model before would measure itself. So a Peak also looks at
// the process while it runs, and trusts the account only where it is above the parent's own peak.
type Peak struct {
	seen  float64
	ended chan struct{}
	done  sync.WaitGroup
}

// lookEvery is how often a process is looked at. What it takes after the last look goes unseen.
const lookEvery = 10 * time.Millisecond

// Watch watches a process that has been started.
func Watch(p *os.Process) *Peak {
	w := &Peak{ended: make(chan struct{})}
	status := fmt.Sprintf("/proc/%d/status", p.Pid)
	w.done.Go(func() {
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		for {
			w.seen = max(w.seen, peakIn(status)) // 0 where there is no such file
			select {
			case <-ticker.C:
			case <-w.ended:
				return
			}
		}
	})
	return w
}

// Of ends watching and returns the most bytes that the process had resident, 0 if that is not known. The
// process has ended.
func (w *Peak) Of(p *os.ProcessState) float64 {
	close(w.ended)
	w.done.Wait()
	accounted := used(p)
	if w.seen > 0 && accounted <= peakIn("/proc/self/status") {
		return w.seen
	}
	return accounted
}

// peakIn returns the most resident bytes of a process by its file of Linux; 0 if it does not say.
func peakIn(status string) float64 {
	text, err := os.ReadFile(status)
	if err != nil {
		return 0
	}
	return peakInStatus(string(text))
}

func peakInStatus(text string) float64 {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "VmHWM:" && fields[2] == "kB" {
			kilobytes, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				return 0
			}
			return 1024 * kilobytes
		}
	}
	return 0
}
