package replica

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// BenchmarkTurn measures the time of processors that a turn takes on a rank for each row that is due: reading, coding,
// sending inside this process, combining, adding. Each rank has changed a part of the rows, which it has chosen by
// itself. lab/cluster/costs has the results.
func BenchmarkTurn(b *testing.B) {
	const cols = 100
	for _, size := range []struct{ ranks, rows int }{{2, 1 << 15}, {8, 1 << 15}, {64, 1 << 13}} {
		for _, one := range []int{1, 2, 8, 32, 128, size.rows} { // in so many rows is changed
			b.Run(fmt.Sprintf("ranks=%d/of=%d", size.ranks, one), func(b *testing.B) {
				least, sent := time.Duration(math.MaxInt64), uint64(0)
				err := ranktest.Each(size.ranks, func(c cluster.Comm) error {
					r := rand.New(rand.NewPCG(1, 2))
					m := matrixOf(size.rows, cols, func(_, _ int) float32 { return r.Float32() - 0.5 })
					s := New(c, []Matrix{{Rows: m, Touches: always}}, Defaults())
					own := rand.New(rand.NewPCG(3, uint64(c.Rank())))
					for k := range b.N {
						for row := range size.rows {
							if own.IntN(one) > 0 {
								continue
							}
							for i, values := 0, m.Row(row); i < cols; i++ {
								values[i] += float32(1-2*(k%2)) * float32(1+i%7) / 1024
							}
						}
						// Nobody begins before the time is taken.
						if err := c.Barrier(context.Background()); err != nil {
							return err
						}
						from := sysinfo.CPUTime()
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
							least, sent = min(least, sysinfo.CPUTime()-from), s.Sent()
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				changed := 1 / float64(one)
				b.ReportMetric(float64(least)/float64(size.ranks*size.rows), "cpu-ns/due")
				b.ReportMetric(changed, "changed/due")
				b.ReportMetric(1-math.Pow(1-changed, float64(size.ranks)), "combined/due")
				b.ReportMetric(float64(sent)/float64(b.N*size.rows), "B/due")
			})
		}
	}
}
