package corpus

// ResidentBytes is about how many bytes of a corpus's ids stay in memory while they are
// read, however large the corpus is. It holds on Linux, where a program can tell the system
// to take mapped pages back.
const ResidentBytes = 16 << 20

// evictAfter is the number of ids that are handed out before all pages are given back.
const evictAfter = ResidentBytes / 4

// saw notes that so many ids were handed out or looked at.
func (c *cache) saw(ids int) {
	if n := c.seen.Add(int64(ids)); n >= evictAfter && c.seen.CompareAndSwap(n, 0) {
		c.evict()
	}
}

// evict gives the pages of all ids back to the system.
func (c *cache) evict() {
	for _, r := range c.recorders {
		if r.mapped != nil {
			evictPages(r.mapped)
		}
	}
}
