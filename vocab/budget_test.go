package vocab

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// Counting ends with an error before it has more memory than there is, in whichever of its
// steps; and counts all the same if it is told to.
func TestCountingWithoutMemory(t *testing.T) {
	var text strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&text, "token%d ", i)
	}
	count := func(more int64, force bool) (*Vocab, error) {
		runtime.GC()
		if more > 0 {
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(sysinfo.MemoryInUse()) + more))
		}
		return Count(t.Context(), corpus.Stream("text", strings.NewReader(text.String()), corpus.Options{}), Options{Threads: 1, Force: force})
	}
	tooSmall := 0
	for _, more := range []int64{1 << 10, 12 << 20, 30 << 20} {
		v, err := count(more, false)
		e, ok := errors.AsType[*MemoryError](err)
		if !ok {
			if err != nil || v.Len() != 200_000 {
				t.Errorf("%d bytes: %v", more, err)
			}
			continue
		}
		tooSmall++
		if e.Need <= e.Have || e.Limit != "GOMEMLIMIT" || e.Tokens > 200_000 {
			t.Errorf("%d bytes: %+v", more, e)
		}
	}
	if tooSmall < 2 {
		t.Errorf("%d of 3 limits were too small", tooSmall)
	}
	if v, err := count(1<<10, true); err != nil || v.Len() != 200_000 {
		t.Errorf("forced: %v", err)
	}
	if v, err := count(0, false); err != nil || v.Len() != 200_000 {
		t.Errorf("without a limit: %v", err)
	}
}
