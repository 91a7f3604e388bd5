package engine

import (
	"sync"
	"testing"
	"time"
)

// Nobody passes a barrier before all have come to it, and what they did until then is
// seen by all, be they late or early.
func TestBarrier(t *testing.T) {
	const rounds = 300
	for _, members := range []int{1, 2, 5} {
		b := newBarrier(members)
		done := make([]int, members) // rounds, each written by one
		var g sync.WaitGroup
		for i := range members {
			g.Go(func() {
				for round := 1; round <= rounds; round++ {
					if round%100 == i {
						time.Sleep(2 * time.Millisecond) // the others go to sleep meanwhile
					}
					done[i] = round
					b.wait()
					for other, got := range done {
						if got != round {
							t.Errorf("member %d of %d is in round %d when %d passes the barrier of round %d", other, members, got, i, round)
						}
					}
					b.wait()
				}
			})
		}
		g.Wait()
	}
}
