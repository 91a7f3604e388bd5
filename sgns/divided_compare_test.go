package sgns

import (
	"fmt"
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
	"github.com/w2v-go/w2v/sgns/internal/ranks"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

func envInt(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}

// TestCompareDivided trains divided models in different ways, and prints scores and bytes.
func TestCompareDivided(t *testing.T) {
	path, sets := os.Getenv("W2V_RANKS_TEXT"), os.Getenv("W2V_RANKS_SETS")
	if path == "" || sets == "" {
		t.Skip("measures for minutes, and only if the variables are set that name a text and a folder of evaluation sets: " + environment)
	}
	text, heldOut := textOf(t, path, tokensOf(t))
	only := regexp.MustCompile(os.Getenv("W2V_RANKS_ONLY"))
	battery, _, err := eval.ReadSets([]string{filepath.Join(sets, "sim/ws353.tsv"), filepath.Join(sets, "sim/simlex999.tsv"), filepath.Join(sets, "analogy/questions-words.txt")}, eval.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	type way struct {
		name         string
		ranks        int
		divide       bool
		head, tokens int
		pool         float64
		every        int
	}
	ways := []way{{name: "1 rank", ranks: 1}}
	for _, n := range []int{2, 4, 8} {
		for _, e := range []int{5, 20, 50} {
			ways = append(ways, way{name: fmt.Sprintf("%d replicas, turns %dk", n, e), ranks: n, every: e * 1000})
		}
	}
	for _, n := range []int{1, 2, 4, 8} {
		for _, h := range []int{0, 1024, 4096, 16384, 999999} {
			for _, k := range []int{5, 20, 50, 100} {
				for _, p := range []int{8, 16, 32} {
					for _, e := range []int{5, 10, 20, 50} {
						ways = append(ways, way{fmt.Sprintf("%d ranks, head %d, rounds %dk, pool %dk, turns %dk", n, h, k, p, e), n, true, h, k * 1000, float64(p) * 1000, e * 1000})
					}
				}
			}
		}
	}
	for _, w := range ways {
		if !only.MatchString(w.name) {
			continue
		}
		began := time.Now()
		c := Defaults()
		if rate := os.Getenv("W2V_RANKS_RATE"); rate != "" {
			c.LearningRate, _ = strconv.ParseFloat(rate, 64)
		}
		c.Threads, c.Seed = 1, uint64(envInt("W2V_SEED", 1))
		v, parts := parted(t, rare(text), w.ranks)
		var s *vectors.Set
		var p Progress
		was := ranks.Dividing
		if w.divide {
			ranks.Dividing = ranks.DividedSizes{Head: w.head, Turn: w.every, Tokens: w.tokens, Words: 1 << 15, Rounds: 1, Pool: int(float64(w.tokens) / w.pool)}
		}
		err := cluster.Each(w.ranks, func(comm cluster.Comm) error {
			o := replica.Defaults()
			o.Every = uint64(w.every)
			d := Data{IDs: parts[comm.Rank()], Vocab: v, Ranks: comm, Divide: w.divide, exchange: &o}
			m, err := Train(t.Context(), d, c, Hooks{})
			if err == nil && comm.Rank() == 0 {
				s, p = inMemory(m.Vectors), m.Progress
			}
			if err != nil {
				return err
			}
			return m.Close()
		})
		ranks.Dividing = was
		if err != nil {
			fmt.Printf("%-28s %.90s\n", w.name, err.Error())
			continue
		}
		line := fmt.Sprintf("%-28s loss %.4f held-out %.4f", w.name, p.Loss, lossOn(t, s, v, parts[0], heldOut, c))
		for _, set := range battery {
			record, err := eval.Measure(t.Context(), s, set, eval.Options{})
			if err != nil {
				t.Fatal(err)
			}
			line += fmt.Sprintf("  %s %.4f", record.Set, float64(record.Score))
		}
		fmt.Printf("%s  %.1f B/token, %.0f s, %d words\n", line, float64(p.Sent)/float64(p.Tokens), time.Since(began).Seconds(), v.Len())
	}
}

// lossOn returns the loss of vectors on text that was held out.
func lossOn(t *testing.T, s *vectors.Set, v *vocab.Vocab, some *vocab.IDs, heldOut string, c Config) (loss float64) {
	_, held, err := vocab.Index(t.Context(), corpus.Stream("held-out text", strings.NewReader(heldOut), corpus.Options{}), vocab.Options{Fixed: v}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	c.LearningRate, c.Epochs, c.EvaluateEvery = 1e-30, 1, 1<<40
	h := Hooks{Evaluated: func(e Evaluation) { loss = e.Loss }}
	if _, err := Train(t.Context(), Data{IDs: some, Vocab: v, HeldOut: held, Init: s}, c, h); err != nil {
		t.Fatal(err)
	}
	return loss
}

// rare leaves out words that are there less than five times.
func rare(text string) string {
	counts := map[string]int{}
	for _, w := range strings.Fields(text) {
		counts[w]++
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		for _, w := range strings.Fields(line) {
			if counts[w] >= 5 {
				b.WriteString(w + " ")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
