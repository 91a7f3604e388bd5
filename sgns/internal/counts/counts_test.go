package counts

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vocab"
)

func indexed(t *testing.T, text string, minCount int) (*vocab.Vocab, *vocab.IDs) {
	t.Helper()
	v, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader(text), corpus.Options{}), vocab.Options{MinCount: minCount}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ids.Close() })
	return v, ids
}

type pair struct{ word, context uint32 }

// logsOf returns the logarithms of all counts.
func logsOf(t *testing.T, p *Pairs) map[pair]float32 {
	t.Helper()
	all := map[pair]float32{}
	for part := range p.parts {
		items, err := p.read(nil, part)
		if err != nil {
			t.Fatal(err)
		}
		for len(items) > 0 {
			n := int(items[1])
			for j := range n {
				all[pair{items[0], items[2+2*j]}] = math.Float32frombits(items[3+2*j])
			}
			items = items[2+2*n:]
		}
	}
	if uint64(len(all)) != p.Len {
		t.Errorf("%d different pairs of %d", len(all), p.Len)
	}
	return all
}

func count(t *testing.T, ids *vocab.IDs, words int, o Options) *Pairs {
	t.Helper()
	o.Keep, o.XMax = []uint32{math.MaxUint32}, 100
	p, err := Count(t.Context(), ids, words, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// Counts are those of two loops over the text, also if the text is counted in several spans, and counts go to files.
func TestCountsAreThoseOfLoops(t *testing.T) {
	var b strings.Builder
	for line := range 3000 {
		for i := range 1 + line%13 {
			fmt.Fprintf(&b, "w%d ", (line*line+i*i*line)%97)
		}
		b.WriteByte('\n')
	}
	v, ids := indexed(t, b.String(), 0)
	if ids.Chunks() < 2 {
		t.Fatalf("%d chunks, want some", ids.Chunks())
	}
	for _, mode := range []settings.WindowMode{settings.Dynamic, settings.Fixed, settings.Harmonic} {
		const window = 4
		want := map[pair]float64{}
		for sentence := range strings.Lines(b.String()) {
			words := strings.Fields(sentence)
			for i, a := range words {
				for k := max(0, i-window); k < min(len(words), i+window+1); k++ {
					if k != i {
						word, _ := v.ID([]byte(a))
						context, _ := v.ID([]byte(words[k]))
						want[pair{uint32(word), uint32(context)}] += mode.Reaches(max(i-k, k-i), window)
					}
				}
			}
		}
		for _, o := range []Options{{Threads: 1}, {Threads: 3}, {Threads: 2, span: 1, memory: 1}} {
			o.Window, o.Mode = window, mode
			got := logsOf(t, count(t, ids, v.Len(), o))
			if len(got) != len(want) {
				t.Fatalf("%q, %+v: %d pairs, want %d", mode, o, len(got), len(want))
			}
			for of, x := range want {
				if math.Abs(math.Exp(float64(got[of]))-x) > 1e-5*x {
					t.Fatalf("%q, %+v: pair %v counts %v, want %v", mode, o, of, math.Exp(float64(got[of])), x)
				}
			}
		}
	}
}

// GloVe's own program counts the same pairs of the same text, and comes to the same vectors if it starts from the same ones
// and trains pairs in the same order.
func TestGloVe(t *testing.T) {
	text, err := os.ReadFile("testdata/text.txt")
	if err != nil {
		t.Fatal(err)
	}
	v, ids := indexed(t, string(text), 2)
	f, err := os.Open("testdata/glove.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const dim, stride = 6, simd.Lanes
	type side struct{ before, after []float64 }
	var order []pair
	counts, sides := map[pair]float64{}, map[string][]side{"word": make([]side, v.Len()), "context": make([]side, v.Len())}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		id := func(word string) uint32 {
			is, ok := v.ID([]byte(word))
			if !ok {
				t.Fatalf("no word %q", word)
			}
			return uint32(is)
		}
		numbers := func(texts []string) (all []float64) {
			for _, text := range texts {
				x, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, x)
			}
			return all
		}
		switch fields[0] {
		case "pair":
			of := pair{id(fields[1]), id(fields[2])}
			order, counts[of] = append(order, of), numbers(fields[3:])[0]
		case "word", "context":
			all := numbers(fields[2:])
			sides[fields[0]][id(fields[1])] = side{all[:dim+1], all[dim+1:]}
		}
	}
	got := logsOf(t, count(t, ids, v.Len(), Options{Window: 4, Mode: settings.Harmonic, Threads: 1}))
	if len(got) != len(counts) {
		t.Fatalf("%d pairs, want %d", len(got), len(counts))
	}
	for of, x := range counts {
		if math.Abs(math.Exp(float64(got[of]))-x) > 1e-6*x {
			t.Errorf("pair %v counts %v, want %v", of, math.Exp(float64(got[of])), x)
		}
	}
	made := func(of []side) Side {
		s := Side{make([]float32, len(of)*stride), make([]float32, len(of)*stride), make([]float32, len(of)), make([]float32, len(of))}
		for i, row := range of {
			for k, x := range row.before[:dim] {
				s.Rows[i*stride+k] = float32(x)
			}
			s.Biases[i] = float32(row.before[dim])
		}
		return s
	}
	words, contexts := made(sides["word"]), made(sides["context"])
	trainer := (&Pairs{weights: newWeights(100)}).Trainer(words, contexts, dim, stride)
	for range 3 {
		for _, of := range order {
			trainer.items = []uint32{of.word, 1, of.context, math.Float32bits(got[of])}
			trainer.train(0, 0.05)
		}
	}
	for name, trained := range map[string]Side{"word": words, "context": contexts} {
		for i, row := range sides[name] {
			for k, want := range row.after {
				is := trained.Biases[i]
				if k < dim {
					is = trained.Rows[i*stride+k]
				}
				if moved := math.Abs(want - row.before[k]); math.Abs(float64(is)-want) > 1e-5+3e-3*moved {
					t.Errorf("%s %d: number %d is %v, want %v, which was %v", name, i, k, is, want, row.before[k])
				}
			}
		}
	}
}

// A part is read once in an epoch, however many workers take its shares in turn, and all of it is trained.
func TestPartsAreReadOnce(t *testing.T) {
	backwards := func(part, parts int64) int64 { return parts - 1 - part }
	for _, of := range []struct {
		parts   int
		chunks  int64
		abreast int
	}{{1, 1, 3}, {7, 7, 2}, {7, 40, 1}, {7, 40, 3}, {16, 1000, 5}, {16, 1001, 64}} {
		p := &Pairs{parts: make([]part, of.parts), loaded: map[int64]*loaded{}}
		trained, read := make([][]int, of.parts), map[*loaded]bool{}
		for i := range of.chunks {
			s := p.ShareOf(i, of.chunks, of.abreast, backwards)
			trained[s.Part] = append(trained[s.Part], s.I)
			if want := int64(len(trained[s.Part])); s.I != int(want-1) || s.Of < s.I+1 {
				t.Errorf("%+v: share %+v is the %d. of its part", of, s, want)
			}
			l, err := p.load(s)
			if err != nil {
				t.Fatal(err)
			}
			read[l] = true
			if len(p.loaded) > of.abreast {
				t.Errorf("%+v: %d parts are in memory", of, len(p.loaded))
			}
		}
		if len(read) != of.parts || len(p.loaded) > 0 {
			t.Errorf("%+v: %d parts were read, and %d are in memory", of, len(read), len(p.loaded))
		}
	}
}

// Memory is announced for the pairs that there can be, and for all files and rows of several spans.
func TestBytes(t *testing.T) {
	if few, many := Bytes(69_000, 400, 1000, 1), Bytes(69_000, 400, 10, 1); few > many+8*400*400 {
		t.Errorf("%.0f bytes for a wide window, %.0f for a narrow one: 400 words have 160,000 pairs", few, many)
	}
	if files := FileBytes(1e6, 30_000, 15); files > 0 {
		t.Errorf("%.0f bytes of files for a text whose counts fit into memory", files)
	}
	if files := FileBytes(1e9, 1e6, 15); files < 20e9 || files > 200e9 {
		t.Errorf("%.0f bytes of files for a billion tokens", files)
	}
}
