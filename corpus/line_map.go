package corpus

import (
	"slices"
	"sort"
)

// A lineMap says in which lines of a file the lines of its text stand.
type lineMap struct {
	text  uint64 // lines of text so far
	moved []movedLine
}

// A movedLine is a line of text from which on text and file have another difference.
type movedLine struct{ text, file uint64 }

// keptLines is how many differences are kept. Readers never fall behind by so many lines.
const keptLines = 1 << 20

// add adds lines of text that are a record in a line of the file.
func (m *lineMap) add(file uint64, lines int) {
	next := movedLine{m.text + 1, file}
	if n := len(m.moved); n == 0 || m.moved[n-1].file-m.moved[n-1].text != next.file-next.text {
		if n >= 2*keptLines {
			m.moved = slices.Delete(m.moved, 0, keptLines)
		}
		m.moved = append(m.moved, next)
	}
	m.text += uint64(lines)
}

// of returns the line of the file in which a line of text stands.
func (m *lineMap) of(text uint64) uint64 {
	i := sort.Search(len(m.moved), func(i int) bool { return m.moved[i].text > text })
	if i == 0 {
		return text
	}
	return m.moved[i-1].file + text - m.moved[i-1].text
}
