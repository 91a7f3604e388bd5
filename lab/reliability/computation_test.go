//go:build unix

package reliability

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/lab/process"
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
		// While a command reads, a signal ends it as it does any program. What is tested is that
		// the signal also ends what comes after that, however long that takes to begin.
		for wait := 2 * time.Second; ; wait *= 2 {
			run := p.start(command)
			run.Until(process.After(wait))
			run.Signal(syscall.SIGTERM)
			if wait < time.Minute && run.Wait().Signal == syscall.SIGTERM {
				continue
			}
			interrupted(t, run)
			break
		}
		p.only("model.vec")
	}
}
