package corpus

// ResidentBytes is about how many bytes of a corpus's ids stay in memory while they are
// read, however large the corpus is. It holds on Linux, where a program can tell the system
// to take mapped pages back.
const ResidentBytes = 16 << 20

// saw notes that so many bytes were read.
func (p *packed) saw(bytes int) {
	if n := p.seen.Add(int64(bytes)); n >= ResidentBytes && p.seen.CompareAndSwap(n, 0) {
		evictPages(p.mapped)
	}
}
