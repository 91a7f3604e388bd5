package word2vec

import "testing"

// The first numbers tell how a file was written: looking at all takes several times as long as reading them.
func TestNotAllNumbersAreLookedAt(t *testing.T) {
	var n numbers
	row := make([]float32, 100)
	for i := range row {
		row[i] = 0.25
	}
	for range enough {
		n.look(row)
	}
	if n.all < enough || n.all >= enough+len(row) {
		t.Errorf("looked at %d numbers of %d", n.all, enough*len(row))
	}
}
