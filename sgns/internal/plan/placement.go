package plan

import (
	"cmp"
	"errors"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/params"
)

// A Placement says on which processors workers run, and which of them share copies of rows: see step.Copies.
type Placement struct {
	Groups     []int   // group of each worker; groups are in order
	Processors [][]int // on which each worker stays; nil if the system may move it
}

// mostGroups is the largest number of groups. In more of them, what a group has learned would take longer to
// reach the others.
const mostGroups = 8

// Place places so many workers, of which so many can run at the same time. domains are the processors that share a
// cache; nil if that is not known.
func Place(affinity config.Affinity, workers, atOnce int, domains [][]int) (Placement, error) {
	all := slices.Concat(domains...)
	switch {
	case affinity == config.AffinityNone, affinity == config.AffinityAuto && (len(domains) < 2 || workers < len(all)):
		if workers > atOnce { // those that take turns on a processor would share too little with those that run
			return Placement{}, nil
		}
		return Placement{Groups: divided(workers, groupsOf(workers))}, nil
	case len(all) == 0:
		return Placement{}, errors.New("sgns: affinity " + string(affinity) + ": this system does not say which processors share a cache; leave it to the system with affinity none")
	}
	// Workers fill one domain after the other.
	p := Placement{Processors: make([][]int, workers)}
	used := 0
	of := make([]int, workers)
	for k := range workers {
		at := all[k*len(all)/max(workers, len(all))]
		domain := slices.IndexFunc(domains, func(d []int) bool { return slices.Contains(d, at) })
		of[k], used = domain, domain+1
		if p.Processors[k] = domains[domain]; affinity == config.AffinityCores {
			p.Processors[k] = []int{at}
		}
	}
	groups := groupsOf(used)
	if workers > atOnce {
		return p, nil
	}
	for _, domain := range of {
		p.Groups = append(p.Groups, domain*groups/used)
	}
	return p, nil
}

// groupsOf returns the number of groups of so many workers or domains: a power of two, so that numbers of words are
// quickly divided among them.
func groupsOf(n int) int { return min(1<<(bits.Len(uint(n))-1), mostGroups) }

// divided divides workers into groups.
func divided(workers, groups int) (of []int) {
	for k := range workers {
		of = append(of, k*groups/workers)
	}
	return of
}

// Threads learn from each other through the rows of the model (Hogwild). Groups of threads have copies of the
// rows that change most.
const (
	// betweenMeetings is how many changes by a worker lie between two meetings of a copy and its row. With fewer,
	// more rows move between processors. docs/benchmarks.md has the measurements.
	betweenMeetings = 64
	// mostCopied is how many bytes the copies of a group may take: a part of a last-level cache.
	mostCopied = 16 << 20
	// leastMeetings is how often the copy of a group meets its row in the run, at least, and each worker lets them meet
	// at least once. If they met more seldom, groups would train rows of their own.
	leastMeetings = 4
	// mostApart is the largest part of the draws that may be of words without copies if groups draw different ones.
	// Otherwise a text would be told apart from too few words.
	mostApart = 0.5
)

// copy chooses the rows of which groups have copies: those that change most.
func (p *Planner) copy() {
	groups := p.Placement.Number()
	if groups < 2 || p.Config.Sharing == config.SharingHogwild || p.Config.Freeze != config.FreezeNone {
		return
	}
	words := WordsOf(p.Config, p.Vocab, p.Keep)
	for i, m := range p.List {
		if m.Role != params.Output || m.SameAs != "" {
			continue
		}
		least := betweenMeetings * float64(max(leastMeetings*groups, len(p.Placement.Groups))) / (float64(p.Tokens) * float64(p.Config.Epochs))
		rows := often(p.List.Touches(m, words), least, int(mostCopied/(2*m.RowBytes())))
		if len(rows) == 0 || float64(m.Rows+2*len(rows)*groups) > math.MaxUint32 { // rows have numbers of 32 bits
			continue
		}
		c := params.NewCopied(rows, m.Rows, groups, betweenMeetings)
		var cold, all float64
		for word, drawn := range words.Drawn {
			all += drawn
			if word < m.Rows && c.Slots[word] == uint32(len(rows)) {
				cold += drawn
			}
		}
		c.Apart = cold <= mostApart*all
		p.List[i].Copied = c
	}
}

// often returns the rows that change at least so often, at most so many, in the order of how often they change.
func often(touches []float32, least float64, most int) (rows []uint32) {
	for row, x := range touches {
		if float64(x) >= least {
			rows = append(rows, uint32(row))
		}
	}
	slices.SortStableFunc(rows, func(a, b uint32) int { return cmp.Compare(touches[b], touches[a]) })
	return slices.Clone(rows[:min(len(rows), most)])
}

// Number returns the number of groups.
func (p Placement) Number() int {
	if len(p.Groups) == 0 {
		return 0
	}
	return p.Groups[len(p.Groups)-1] + 1
}

// Here places workers on this machine. If each is watched, it is placed as if it had a processor of its own.
func Here(c config.Config, workers int, watched bool) (Placement, error) {
	atOnce := runtime.GOMAXPROCS(0)
	if watched {
		atOnce = workers
	}
	return Place(c.Affinity, workers, atOnce, sysinfo.CacheDomains())
}
