package replica

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// BenchmarkTurn measures the time of processors that a turn takes on a rank for each row that every
// rank has changed: reading, coding, sending inside this process, combining, adding.
func BenchmarkTurn(b *testing.B) {
	const rows, cols = 4096, 100
	for _, n := range []int{2, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var cpu, sent uint64
			err := ranktest.Each(n, func(c cluster.Comm) error {
				r := rand.New(rand.NewPCG(1, 2))
				m := matrixOf(rows, cols, func(_, _ int) float32 { return r.Float32() - 0.5 })
				s := New(c, []Matrix{{Rows: m, Touches: always}}, Defaults())
				for k := range b.N {
					for i := range m.Data {
						m.Data[i] += float32(1-2*(k%2)) * float32(1+i%7) / 1024
					}
					// Nobody begins before the time is taken.
					if err := c.Barrier(context.Background()); err != nil {
						return err
					}
					from := uint64(sysinfo.CPUTime())
					if err := c.Barrier(context.Background()); err != nil {
						return err
					}
					if err := next(context.Background(), s); err != nil {
						return err
					}
					if err := c.Barrier(context.Background()); err != nil {
						return err
					}
					if c.Rank() == 0 {
						cpu += uint64(sysinfo.CPUTime()) - from
						sent = s.Sent()
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(cpu)/float64(b.N*n*rows), "cpu-ns/row")
			b.ReportMetric(float64(sent)/float64(b.N*rows), "B/row")
		})
	}
}
