package sgns

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/vocab"
)

// Combiners that others use, and that the product does not: they measured worse.

// other is a combiner that needs the numbers of changes.
func other(combine func(combined []float32, changes [][]float32, row replica.Row)) replica.Combiner {
	return replica.Combiner{Other: combine}
}

// mean is plain averaging: a rank that did not change a row counts as one that left it as it was.
func mean(combined []float32, changes [][]float32, row replica.Row) {
	replica.Sum(combined, changes, row)
	for i := range combined {
		combined[i] /= float32(row.Ranks)
	}
}

// meanOfTouched averages over the ranks that changed a row.
func meanOfTouched(combined []float32, changes [][]float32, row replica.Row) {
	replica.Sum(combined, changes, row)
	for i := range combined {
		combined[i] /= float32(len(changes))
	}
}

// orthogonal is GraphAny2Vec's combiner: of each further change only what is orthogonal to the sum.
func orthogonal(combined []float32, changes [][]float32, _ replica.Row) {
	copy(combined, changes[0])
	for _, change := range changes[1:] {
		d, n := products(combined, change)
		for i, x := range change {
			combined[i] += x - float32(d/n)*combined[i]
		}
	}
}

// adasum is Adasum's: pairs of changes, and pairs of those.
func adasum(combined []float32, changes [][]float32, _ replica.Row) {
	for n := len(changes); n > 1; n = (n + 1) / 2 {
		for i := range n / 2 {
			a, b := changes[2*i], changes[2*i+1]
			d, aa := products(a, b)
			_, bb := products(b, a)
			for k := range a {
				changes[i][k] = float32(1-d/(2*aa))*a[k] + float32(1-d/(2*bb))*b[k]
			}
		}
		if n%2 == 1 {
			copy(changes[n/2], changes[n-1])
		}
	}
	copy(combined, changes[0])
}

// aligned takes less of the sum the more the changes agree.
func aligned(combined []float32, changes [][]float32, row replica.Row) {
	replica.Sum(combined, changes, row)
	var each float64
	for _, change := range changes {
		_, n := products(change, change)
		each += n
	}
	_, sum := products(combined, combined)
	by := float32(min(1, each/sum))
	for i := range combined {
		combined[i] *= by
	}
}

// byTouches takes a part of the sum that depends on expected touches alone.
func byTouches(perTouch float64) func(combined []float32, changes [][]float32, row replica.Row) {
	return func(combined []float32, changes [][]float32, row replica.Row) {
		replica.Sum(combined, changes, row)
		part := float32(replica.Saturation(perTouch*row.Way, len(changes)))
		for i := range combined {
			combined[i] *= part
		}
	}
}

// products returns the dot product of two changes, and of the first with itself.
func products(a, b []float32) (ab, aa float64) {
	aa = 1e-30
	for i, x := range a {
		ab += float64(x) * float64(b[i])
		aa += float64(x) * float64(x)
	}
	return ab, aa
}

// environment names what TestCompareExchanges reads.
const environment = "W2V_RANKS_TEXT, W2V_RANKS_SETS"

// TestCompareExchanges trains on several ranks in different ways and prints scores and bytes. With
// W2V_RANKS_ONLY, a regular expression, it tries some of the ways.
func TestCompareExchanges(t *testing.T) {
	path, sets := os.Getenv("W2V_RANKS_TEXT"), os.Getenv("W2V_RANKS_SETS")
	if path == "" || sets == "" {
		t.Skip("measures for minutes, and only if the variables are set that name a text and a folder of evaluation sets: " + environment)
	}
	text, heldOut := textOf(t, path, tokensOf(t))
	only := regexp.MustCompile(os.Getenv("W2V_RANKS_ONLY"))
	variants := []struct {
		name   string
		ranks  int
		change func(o *replica.Options)
	}{{name: "1 rank", ranks: 1}, {name: "1 rank, another seed", ranks: 1}}
	for _, n := range []int{4, 8} {
		for _, v := range []struct {
			name   string
			change func(o *replica.Options)
		}{
			{"default", func(*replica.Options) {}},
			{"by touches alone", func(o *replica.Options) { o.Combine = other(byTouches(2)) }},
			{"sum", func(o *replica.Options) { o.Combine = replica.Sums() }},
			{"mean", func(o *replica.Options) { o.Combine = other(mean) }},
			{"mean of touched", func(o *replica.Options) { o.Combine = other(meanOfTouched) }},
			{"orthogonal", func(o *replica.Options) { o.Combine = other(orthogonal) }},
			{"adasum", func(o *replica.Options) { o.Combine = other(adasum) }},
			{"aligned", func(o *replica.Options) { o.Combine = other(aligned) }},
			{"full averaging", func(o *replica.Options) {
				*o = replica.Options{Every: o.Every, Coding: replica.Exact, Combine: other(mean)}
			}},
			{"full averaging every 20k", func(o *replica.Options) {
				*o = replica.Options{Every: 20_000, Coding: replica.Exact, Combine: other(mean)}
			}},
			{"16 bits", func(o *replica.Options) { o.Coding = replica.Sixteen }},
			{"every 2.5k", func(o *replica.Options) { o.Every = 2_500 }},
			{"every 10k", func(o *replica.Options) { o.Every = 10_000 }},
			{"every 20k", func(o *replica.Options) { o.Every = 20_000 }},
			{"every 100k", func(o *replica.Options) { o.Every = 100_000 }},
			{"worth 4", func(o *replica.Options) { o.Worth = 4 }},
			{"worth 8", func(o *replica.Options) { o.Worth = 8 }},
			{"worth 32", func(o *replica.Options) { o.Worth = 32 }},
		} {
			variants = append(variants, struct {
				name   string
				ranks  int
				change func(o *replica.Options)
			}{fmt.Sprintf("%d ranks, %s", n, v.name), n, v.change})
		}
	}
	battery, _, err := eval.ReadSets([]string{filepath.Join(sets, "sim/ws353.tsv"), filepath.Join(sets, "sim/simlex999.tsv"), filepath.Join(sets, "analogy/questions-words.txt")}, eval.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range variants {
		if !only.MatchString(v.name) {
			continue
		}
		began := time.Now()
		c := Defaults()
		if rate := os.Getenv("W2V_RANKS_RATE"); rate != "" {
			c.LearningRate, _ = strconv.ParseFloat(rate, 64)
		}
		if tokensOf(t) < 1_000_000 { // for a quick look at the loss alone
			c.Dim, battery = 50, nil
		}
		c.Threads, c.Seed = 1, uint64(i)
		m, loss, err := exchanged(t, text, heldOut, v.ranks, c, v.change)
		if err != nil {
			fmt.Printf("%-28s %.60s\n", v.name, err.Error())
			continue
		}
		line := fmt.Sprintf("%-28s held-out loss %.4f", v.name, loss)
		for _, set := range battery {
			record, err := eval.Measure(t.Context(), m.Vectors, set, eval.Options{})
			if err != nil {
				t.Fatal(err)
			}
			line += fmt.Sprintf("  %s %.4f", record.Set, float64(record.Score))
		}
		fmt.Printf("%s  %.1f MB a million tokens, %.0f s\n", line, float64(m.Progress.Sent)/float64(m.Progress.Tokens), time.Since(began).Seconds())
	}
}

// tokensOf is how many tokens of the text are trained: W2V_RANKS_TOKENS, or two millions.
func tokensOf(t *testing.T) int {
	text := os.Getenv("W2V_RANKS_TOKENS")
	if text == "" {
		return 2_000_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// exchanged trains on ranks, and returns the model with its loss on text that was held out.
func exchanged(t *testing.T, text, heldOut string, n int, c Config, change func(*replica.Options)) (m *Model, loss float64, err error) {
	v, parts := parted(t, text, n)
	_, held, err := vocab.Index(t.Context(), corpus.Stream("held-out text", strings.NewReader(heldOut), corpus.Options{}), vocab.Options{Fixed: v}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	models := make([]*Model, n)
	err = cluster.Each(n, func(comm cluster.Comm) (err error) {
		d := Data{IDs: parts[comm.Rank()], Vocab: v, Ranks: comm}
		o := replica.Defaults()
		if change != nil {
			change(&o)
		}
		d.exchange, d.HeldOut = &o, held
		c.EvaluateEvery = 1 << 40 // only at the end
		h := Hooks{}
		if comm.Rank() == 0 {
			h.Evaluated = func(e Evaluation) { loss = e.Loss }
		}
		models[comm.Rank()], err = Train(t.Context(), d, c, h)
		return err
	})
	return models[0], loss, err
}

// textOf returns about so many tokens of a text, and some that follow them.
func textOf(t *testing.T, path string, tokens int) (text, heldOut string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	var a, b strings.Builder
	n := 0
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, math.MaxInt32)
	for n < tokens+tokens/20 && lines.Scan() {
		to := &a
		if n >= tokens {
			to = &b
		}
		n += len(strings.Fields(lines.Text()))
		to.WriteString(lines.Text() + "\n")
	}
	return a.String(), b.String()
}
