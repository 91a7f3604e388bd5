package main

// The caches of a machine are where rows lie: cores share caches in domains, which are dies or parts of them, and domains are
// divided over sockets. Caches are as large as they need to be, so a row that no other core has changed is
// read from far only once.
type caches struct {
	Cores   int   `json:"cores"`
	Domains int   `json:"domains"`
	Sockets int   `json:"sockets"`
	domains []set // for each core, the cores of its domain
	sockets []set // for each core, the cores of its socket
}

// most is how many cores a machine may have.
const most = 256

// A set is a set of cores.
type set [most / 64]uint64

func (s *set) add(core int)      { s[core/64] |= 1 << (core % 64) }
func (s *set) has(core int) bool { return s[core/64]>>(core%64)&1 == 1 }

func (s *set) empty() bool { return *s == set{} }

func (s *set) meets(other *set) bool {
	for i, x := range s {
		if x&other[i] != 0 {
			return true
		}
	}
	return false
}

// newCaches returns the caches of a machine whose cores are divided evenly: neighbours by number are near each other.
func newCaches(cores, domains, sockets int) *caches {
	m := &caches{Cores: cores, Domains: min(domains, cores), Sockets: min(sockets, domains, cores)}
	m.domains, m.sockets = groups(cores, m.Domains), groups(cores, m.Sockets)
	return m
}

// groups returns for each core the cores of its group.
func groups(cores, n int) []set {
	all := make([]set, n)
	of := make([]set, cores)
	for core := range cores {
		all[core*n/cores].add(core)
	}
	for core := range cores {
		of[core] = all[core*n/cores]
	}
	return of
}

// A distance says where a row came from when a core read it.
type distance int

const (
	own    distance = iota // the core's cache
	memory                 // no core has used the row before
	near                   // another core of the domain
	far                    // another domain of the socket
	across                 // another socket
	distances
)

// A place is a row or a copy in the caches of a machine: the cores that have it as it is now.
type place struct{ valid set }

// use lets a core read a place, and says from where. If the core changes it, no other core has it any more.
func (m *caches) use(p *place, core int, changed bool) (from distance) {
	switch {
	case p.valid.has(core):
		from = own
	case p.valid.empty():
		from = memory
	case p.valid.meets(&m.domains[core]):
		from = near
	case p.valid.meets(&m.sockets[core]):
		from = far
	default:
		from = across
	}
	if changed {
		p.valid = set{}
	}
	p.valid.add(core)
	return from
}
