package trainers

// A Counter counts the tokens and newlines of what is written to it, as all the
// programs split it: between white space of ASCII.
type Counter struct {
	Tokens, Lines uint64
	inside        bool
}

// Write never fails.
func (c *Counter) Write(p []byte) (int, error) {
	for _, x := range p {
		switch x {
		case '\n':
			c.Lines++
			c.inside = false
		case ' ', '\t', '\r', '\v', '\f', 0:
			c.inside = false
		default:
			if !c.inside {
				c.Tokens++
			}
			c.inside = true
		}
	}
	return len(p), nil
}
