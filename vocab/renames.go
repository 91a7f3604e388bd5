package vocab

import "encoding/binary"

// renames has, for every run, which of its ids became which ids of the merged table. They are on
// disk, because all runs together may have more ids than fit into memory.
type renames struct {
	file *spillFile
	runs []runRenames
}

type runRenames struct {
	buf    []byte  // pairs of an id in the run and an id in the merged table
	places []int64 // where full buffers were written
}

const (
	pairBytes  = 8
	pairBuffer = 512 * pairBytes
)

func newRenames(folder string, runs int) (*renames, error) {
	f, err := newSpillFile(folder)
	if err != nil {
		return nil, err
	}
	return &renames{f, make([]runRenames, runs)}, nil
}

// add says what became of an id.
func (r *renames) add(at occurrence, merged uint32) error {
	of := &r.runs[at.run]
	of.buf = binary.LittleEndian.AppendUint32(of.buf, uint32(at.id))
	of.buf = binary.LittleEndian.AppendUint32(of.buf, merged)
	if len(of.buf) < pairBuffer {
		return nil
	}
	of.places = append(of.places, r.file.size())
	r.file.buf = append(r.file.buf, of.buf...)
	of.buf = of.buf[:0]
	if r.file.full() {
		return r.file.flush()
	}
	return nil
}

// list returns the final ids of a run's tokens, -1 for those that were not added. final has the
// final id of each id in the merged table, or is nil if these are final.
func (r *renames) list(number, tokens int, final []int32) ([]int32, error) {
	list := make([]int32, tokens)
	for i := range list {
		list[i] = -1
	}
	take := func(pairs []byte) {
		for ; len(pairs) > 0; pairs = pairs[pairBytes:] {
			id := int32(binary.LittleEndian.Uint32(pairs[4:]))
			if final != nil {
				id = final[id]
			}
			list[binary.LittleEndian.Uint32(pairs)] = id
		}
	}
	of := &r.runs[number]
	take(of.buf)
	if err := r.file.flush(); err != nil {
		return nil, err
	}
	var buf [pairBuffer]byte
	for _, at := range of.places {
		if _, err := r.file.read(buf[:], at); err != nil {
			return nil, err
		}
		take(buf[:])
	}
	return list, nil
}
