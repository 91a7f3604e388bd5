package corpus

// ResidentBytes is about how much of the ids of a corpus is in memory at most while they are
// read, however many there are, where the system can be told to take the rest back
// (Linux).
const ResidentBytes = 16 << 20

// evictAfter is how many ids are handed out before the pages of all are given back.
const evictAfter = ResidentBytes / 4

// saw notes that ids were handed out, or looked at.
func (c *cache) saw(ids int) {
	if n := c.seen.Add(int64(ids)); n >= evictAfter && c.seen.CompareAndSwap(n, 0) {
		c.evict()
	}
}

// evict gives back the pages of all ids.
func (c *cache) evict() {
	for _, r := range c.recorders {
		if r.mapped != nil {
			evictPages(r.mapped)
		}
	}
}
