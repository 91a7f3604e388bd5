package projection_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/projection"
)

var (
	benchModel = flag.String("model", "", "model of BenchmarkUMAP; empty makes a mixture of 400 clusters")
	benchWords = flag.Int("words", 20_000, "words of BenchmarkUMAP: those of the model, and then words of it with noise added")
	benchFirst = flag.Int("landmarks", 0, "landmarks of BenchmarkUMAP; 0 means as many as without it")
	benchSeed  = flag.Uint64("seed", 0, "seed of BenchmarkUMAP")
	benchSave  = flag.String("save", "", "file to which BenchmarkUMAP writes its words and vectors")
)

// many returns so many words: those of a model or, without one, of 400 clusters of ten dimensions, and words of them with
// noise added to fill up.
func many(b *testing.B, n int) *vectors.Set {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var from *vectors.Set
	if *benchModel != "" {
		var err error
		if from, err = format.Open(*benchModel); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { from.Close() })
		if from.Len() == n {
			return from
		}
	} else {
		const clusters, inner, dim = 400, 10, 100
		normal := func() []float64 {
			v := make([]float64, dim)
			for k := range v {
				v[k] = r.NormFloat64()
			}
			return v
		}
		var centres [clusters][inner + 1][]float64
		for c := range centres {
			for a := range centres[c] {
				centres[c][a] = normal()
			}
		}
		rows, names := vectors.NewMatrix(n, dim), make([]string, n)
		for i := range n {
			c := centres[int(clusters*math.Pow(r.Float64(), 2))]
			row := rows.Row(i)
			for a, axis := range c {
				weight := 1.0
				if a > 0 {
					weight = 0.4 * r.NormFloat64()
				}
				for k, x := range axis {
					row[k] += float32(weight * x)
				}
			}
			for k := range row {
				row[k] += float32(0.3 * r.NormFloat64())
			}
			names[i] = fmt.Sprint("word", i)
		}
		return zipf(b, rows, names)
	}
	rows, names, v := vectors.NewMatrix(n, from.Dim()), make([]string, n), make([]float32, from.Dim())
	for i := range n {
		of := i
		if of >= from.Len() {
			of = r.IntN(from.Len())
			names[i] = fmt.Sprint("~", i)
		}
		names[i] = from.Words().At(of) + names[i]
		from.WordVector(v, of)
		row := rows.Row(i)
		var square float64
		for _, x := range v {
			square += float64(x) * float64(x)
		}
		noise := 0.0
		if of != i {
			noise = 0.6 * math.Sqrt(square/float64(len(v)))
		}
		for k, x := range v {
			row[k] = x + float32(noise*r.NormFloat64())
		}
	}
	return zipf(b, rows, names)
}

// zipf makes a set whose words were seen as often as Zipf says.
func zipf(b *testing.B, rows vectors.Matrix, names []string) *vectors.Set {
	b.Helper()
	counts := make([]uint64, len(names))
	for i := range counts {
		counts[i] = 5 + uint64(len(names))*100/uint64(i+1)
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows, Counts: counts})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func processor(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkUMAP reports processor time by stage, the peak of memory and the trustworthiness:
//
//	go test ./vectors/projection -run '^$' -bench UMAP -benchtime 1x -words 200000 -model model.w2v
func BenchmarkUMAP(b *testing.B) {
	s := many(b, *benchWords)
	if *benchSave != "" {
		if err := format.Write(b.Context(), *benchSave, s, format.W2V); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		began, stage, from := processor(b), "", time.Duration(0)
		end := func(next string) {
			if now := processor(b); next != stage {
				if stage != "" {
					b.ReportMetric((now - from).Seconds(), "s:"+strings.ReplaceAll(stage, " ", "-"))
				}
				stage, from = next, now
			}
		}
		a, _, err := projection.Make(b.Context(), s, projection.Options{Method: projection.MethodUMAP, UMAP: projection.UMAPOptions{Landmarks: *benchFirst, Seed: *benchSeed}, Progress: func(stage string, _ float64) { end(stage) }})
		if err != nil {
			b.Fatal(err)
		}
		end("")
		b.ReportMetric((processor(b) - began).Seconds(), "s:all")
		b.ReportMetric(a.Trust.Value, "trustworthiness")
		b.ReportMetric(float64(sysinfo.PeakMemory())/1e6, "MB")
		b.ReportMetric(float64(len(a.Clusters.Sizes)), "clusters")
	}
}
