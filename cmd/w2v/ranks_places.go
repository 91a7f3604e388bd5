package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
)

// A place is where a rank runs.
type place struct {
	Host       string
	Process    int
	Processors string // that it may use, as Linux lists them; empty if that is not known
	Threads    int    // GOMAXPROCS
}

// places are where all ranks run.
type places []place

// meet tells all ranks where each one runs, and shares the processors and the memory of a machine among
// its ranks.
func meet(c cluster.Comm) (places, error) {
	ctx := context.Background()
	here := place{Process: os.Getpid(), Processors: allowedProcessors(), Threads: runtime.GOMAXPROCS(0)}
	here.Host, _ = os.Hostname() // machines without names count as one
	data, err := json.Marshal(here)
	if err != nil {
		return nil, err
	}
	each, err := c.Gather(ctx, 0, data)
	if err != nil {
		return nil, err
	}
	if data, err = json.Marshal(each); err == nil {
		data, err = c.Broadcast(ctx, 0, data)
	}
	if err != nil {
		return nil, err
	}
	each = nil
	if err := json.Unmarshal(data, &each); err != nil {
		return nil, err
	}
	at := make(places, len(each))
	for rank, data := range each {
		if err := json.Unmarshal(data, &at[rank]); err != nil {
			return nil, err
		}
	}
	at.share(c.Rank())
	return at, nil
}

// share limits this rank to its part of the machine, where ranks have not been given parts already.
func (p places) share(rank int) {
	together, overlapping := p.beside(rank)
	if os.Getenv("GOMAXPROCS") == "" {
		for r := range p {
			if _, overlapping := p.beside(r); overlapping > 1 {
				p[r].Threads = max(1, p[r].Threads/overlapping)
			}
		}
		if overlapping > 1 {
			runtime.GOMAXPROCS(p[rank].Threads)
		}
	}
	if part := sysinfo.TotalMemory() / uint64(together); part > 0 && int64(part) < debug.SetMemoryLimit(-1) && together > 1 {
		debug.SetMemoryLimit(int64(part))
	}
}

// begin is called before this rank begins to train with so many threads. Without a further thread, what
// ranks exchange would wait until Go interrupts a worker, which it does every 10 ms.
func (m *membership) begin(threads int) {
	m.training = true
	if m.world != nil {
		runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), threads+1+max(1, threads/8)))
	}
}

// beside returns how many ranks run on the machine of one, and how many of these may use a
// processor that it may use. Both count the rank itself.
func (p places) beside(rank int) (together, overlapping int) {
	for _, other := range p {
		if other.Host == p[rank].Host {
			together++
			if overlap(other.Processors, p[rank].Processors) {
				overlapping++
			}
		}
	}
	return together, overlapping
}

// overlap tells whether two lists of processors, such as "0-3,8", have one in common. Unknown lists
// count as overlapping.
func overlap(a, b string) bool {
	if a == b {
		return true
	}
	for one := range strings.SplitSeq(a, ",") {
		for other := range strings.SplitSeq(b, ",") {
			first, last, known := processors(one)
			least, most, alsoKnown := processors(other)
			if !known || !alsoKnown || first <= most && least <= last {
				return true
			}
		}
	}
	return false
}

// processors returns the first and the last number of a range such as "0-3" or "8".
func processors(text string) (first, last int, known bool) {
	from, to, several := strings.Cut(text, "-")
	first, err := strconv.Atoi(from)
	if !several {
		return first, first, err == nil
	}
	last, errLast := strconv.Atoi(to)
	return first, last, err == nil && errLast == nil
}

func (m *membership) tell(to io.Writer) {
	if m.world == nil {
		return
	}
	fmt.Fprintln(to, m.at.text())
	if note := m.at.bound(m.rank); note != "" {
		fmt.Fprintf(to, "note: %s\n", note)
	}
}

func (p places) text() string {
	hosts := map[string]bool{}
	least, most := p[0].Threads, p[0].Threads
	for _, at := range p {
		hosts[at.Host] = true
		least, most = min(least, at.Threads), max(most, at.Threads)
	}
	threads := wording.Count(most, "thread", "threads") + " each"
	if least < most {
		threads = fmt.Sprintf("%d to %d threads each", least, most)
	}
	return fmt.Sprintf("%s on %s, up to %s", wording.Count(len(p), "rank", "ranks"), wording.Count(len(hosts), "machine", "machines"), threads)
}

// bound returns a note if the launcher keeps ranks to fewer processors than they could have.
func (p places) bound(rank int) string {
	together, overlapping := p.beside(rank)
	all := processorsOfMachine()
	if overlapping > 1 || p[rank].Threads*together >= all {
		return ""
	}
	return fmt.Sprintf("a rank may use %d of the %d processors of its machine: mpirun --bind-to none lets ranks use all", p[rank].Threads, all)
}

// allowedProcessors returns the list of processors that this process may use.
func allowedProcessors() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(status)) {
		if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			return strings.TrimSpace(list)
		}
	}
	return ""
}

// processorsOfMachine returns how many processors the machine has; 0 if that is not known.
func processorsOfMachine() (n int) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "processor\t") {
			n++
		}
	}
	return n
}
