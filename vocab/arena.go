package vocab

// arena holds many tokens in one slice of bytes, one after the other.
type arena struct {
	bytes []byte
	ends  []uint64
}

func (a *arena) len() int { return len(a.ends) }

func (a *arena) add(tok []byte) {
	a.bytes = append(a.bytes, tok...)
	a.ends = append(a.ends, uint64(len(a.bytes)))
}

func (a *arena) token(i uint32) []byte {
	var start uint64
	if i > 0 {
		start = a.ends[i-1]
	}
	return a.bytes[start:a.ends[i]]
}
