package vocab

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// BenchmarkRanks reads a corpus on ranks of one thread in this process. Its figures are, for each token of
// the corpus, the time of processors that all ranks take together, and the bytes that all send.
func BenchmarkRanks(b *testing.B) {
	text := strings.Join(zipfian(200_000), "\n")
	paths := written(b, map[string]string{"a.txt": text, "b.txt.gz": text})
	tokens := len(strings.Fields(text))
	for _, input := range paths {
		for _, n := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("%s/%d", filepath.Base(input), n), func(b *testing.B) {
				sent, cpu := uint64(0), sysinfo.CPUTime()
				for b.Loop() {
					err := ranktest.Each(n, func(c cluster.Comm) error {
						src, err := corpus.Files([]string{input}, nil, corpus.Options{})
						if err != nil {
							return err
						}
						_, ids, err := Index(context.Background(), src, Options{MinCount: 5, Threads: 1, Ranks: c}, b.TempDir())
						if err != nil {
							return err
						}
						defer atomic.AddUint64(&sent, c.Sent())
						return ids.Close()
					})
					if err != nil {
						b.Fatal(err)
					}
				}
				read := float64(tokens) * float64(b.N)
				b.ReportMetric(float64(sysinfo.CPUTime()-cpu)/read, "cpu-ns/token")
				b.ReportMetric(float64(sent)/read, "sent/token")
			})
		}
	}
}
