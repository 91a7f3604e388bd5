package vocab

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
)

// BenchmarkRanks reads a corpus on ranks of one thread in this process. As they share its processors,
// its time is what all ranks do together. Sent are the bytes that a rank sends for each token that it
// reads.
func BenchmarkRanks(b *testing.B) {
	text := strings.Join(zipfian(200_000), "\n")
	paths := written(b, map[string]string{"a.txt": text, "b.txt.gz": text})
	tokens := len(strings.Fields(text))
	for _, input := range paths {
		for _, n := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("%s/%d", filepath.Base(input), n), func(b *testing.B) {
				sent := uint64(0)
				for b.Loop() {
					err := cluster.Each(n, func(c cluster.Comm) error {
						src, err := corpus.Files([]string{input}, nil, corpus.Options{})
						if err != nil {
							return err
						}
						_, ids, err := Index(context.Background(), src, Options{MinCount: 5, Threads: 1, Ranks: c}, b.TempDir())
						if err != nil {
							return err
						}
						if c.Rank() == 0 {
							sent += c.Sent()
						}
						return ids.Close()
					})
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(tokens)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
				b.ReportMetric(float64(sent)/float64(b.N)/(float64(tokens)/float64(n)), "sent/token")
			})
		}
	}
}
