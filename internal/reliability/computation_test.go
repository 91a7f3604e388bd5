//go:build unix

package reliability

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/faults"
)

// What takes hours ends when it is told to, and leaves nothing behind.
func TestComputationsCanBeInterrupted(t *testing.T) {
	p := newPlace(t)
	const words, dim = 300, 3500
	text := fmt.Appendf(nil, "%d %d\n", words, dim)
	x := uint32(1)
	for i := range words {
		text = fmt.Appendf(text, "word%d", i)
		for range dim {
			x = 1664525*x + 1013904223
			text = fmt.Appendf(text, " %d", x>>24)
		}
		text = append(text, '\n')
	}
	p.write("model.vec", text)
	for _, command := range []string{
		"quantize model.vec small.w2v --method opq",
		"convert model.vec small.w2v --dim 3",
		"factorize model.vec small.w2v --rank 3",
	} {
		run := p.start(command)
		run.Until(faults.After(2 * time.Second)) // by now it decomposes matrices
		run.Signal(syscall.SIGTERM)
		interrupted(t, run)
		p.only("model.vec")
	}
}
