package replica

import (
	"context"
	"fmt"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// BenchmarkTurn measures the time of processors that a turn takes on a rank for each row that every
// rank has changed: reading, coding, combining, adding.
func BenchmarkTurn(b *testing.B) {
	const rows, cols = 4096, 100
	for _, n := range []int{2, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			cpu := sysinfo.CPUTime()
			err := cluster.Each(n, func(c cluster.Comm) error {
				m := matrixOf(rows, cols, whole)
				s := New(c, []Matrix{{Rows: m, Touches: always}}, Defaults())
				for range b.N {
					for r := range rows {
						moved(m, r, 1)
					}
					if err := s.Turn(context.Background()); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(sysinfo.CPUTime()-cpu)/float64(b.N*n*rows), "cpu-ns/row")
		})
	}
}
