package corpus

// A cutter cuts final ids into sentences of at most MaxSentence and into chunks.
type cutter struct {
	emit   func(chunk []uint32) error // takes a chunk, which is overwritten afterwards
	buf    []uint32                   // the unfinished chunk
	start  int                        // where in it the unfinished sentence begins
	chunks int
	tokens uint64
	most   int // the largest id; -1 if there are none
}

func newCutter(emit func(chunk []uint32) error) *cutter {
	return &cutter{emit: emit, buf: make([]uint32, 0, ChunkTokens+MaxSentence), most: -1}
}

// endSentence ends the sentence with the id that was added last, if there is one.
func (c *cutter) endSentence() error {
	n := len(c.buf)
	if n == c.start {
		return nil
	}
	c.buf[n-1] |= EndOfSentence
	c.start = n
	if n < ChunkTokens {
		return nil
	}
	return c.end()
}

// add appends ids with their marks.
func (c *cutter) add(ids []uint32) error {
	for len(ids) > 0 {
		// Up to so many ids fit before a sentence must end.
		part := ids[:min(len(ids), MaxSentence-(len(c.buf)-c.start))]
		for i, id := range part {
			if id&EndOfSentence != 0 {
				part = part[:i+1]
				break
			}
		}
		c.buf = append(c.buf, part...)
		ids = ids[len(part):]
		if len(c.buf)-c.start == MaxSentence || part[len(part)-1]&EndOfSentence != 0 {
			if err := c.endSentence(); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish ends the last chunk.
func (c *cutter) finish() error {
	if err := c.endSentence(); err != nil || len(c.buf) == 0 {
		return err
	}
	return c.end()
}

// end ends the chunk, which ends with a sentence.
func (c *cutter) end() error {
	c.chunks++
	c.tokens += uint64(len(c.buf))
	for _, id := range c.buf {
		c.most = max(c.most, int(id&^EndOfSentence))
	}
	err := c.emit(c.buf)
	c.buf, c.start = c.buf[:0], 0
	return err
}
