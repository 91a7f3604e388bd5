package graph

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/internal/wordlimit"
)

func TestEdges(t *testing.T) {
	long := strings.Repeat("x", wordlimit.Bytes)
	for _, c := range []struct {
		in   string
		want []edge
		err  string
	}{
		{"", nil, ""},
		{"a b", []edge{{[]byte("a"), []byte("b"), 1, false}}, ""},
		{"# a b\n%a b\n\n \t\r\n", nil, ""},
		{"a\tb\t2\r\n  é  z 0.5 \n", []edge{{[]byte("a"), []byte("b"), 2, true}, {[]byte("é"), []byte("z"), 0.5, true}}, ""},
		{"a b 12345678901\na b 1e-30\n", []edge{{[]byte("a"), []byte("b"), 12345678901, true}, {[]byte("a"), []byte("b"), 1e-30, true}}, ""},
		{long + " b\n", []edge{{[]byte(long), []byte("b"), 1, false}}, ""},
		{"a b\na", []edge{{[]byte("a"), []byte("b"), 1, false}}, "x:2: there is one field: an edge is two names of nodes, and perhaps a weight"},
		{"a b 1 2\n", nil, "x:1: there are more than three fields: an edge is two names of nodes, and perhaps a weight"},
		{"a b one\n", nil, `x:1: the weight "one" is not a number`},
		{"a b NaN\n", nil, `x:1: the weight "NaN" is not a number`},
		{"a b 0\n", nil, "x:1: the weight 0 is not above 0: walks take an edge as often as its weight says, so leave it out"},
		{"a b -1\n", nil, "x:1: the weight -1 is not above 0: walks take an edge as often as its weight says, so leave it out"},
		{"a b 1e300\n", nil, "x:1: the weight 1e300 is not between 1.1754944e-38 and 1.7014117e+38"},
		{"a b +Inf\n", nil, "x:1: the weight +Inf is not between 1.1754944e-38 and 1.7014117e+38"},
		{"a b 1e-40\n", nil, "x:1: the weight 1e-40 is not between 1.1754944e-38 and 1.7014117e+38"},
		{long + "x b\n", nil, "x:1: the name of a node has 16385 bytes, at most 16384 are possible"},
		{"a b\n" + strings.Repeat("x", 1<<20), []edge{{[]byte("a"), []byte("b"), 1, false}}, "x:2: the line has more than 524288 bytes: this is no edge list"},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.in), iotest.HalfReader(strings.NewReader(c.in))} {
			var got []edge
			err := readEdges("x", in, func(e edge) error {
				e.from, e.to = []byte(string(e.from)), []byte(string(e.to))
				got = append(got, e)
				return nil
			})
			if c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) {
				t.Errorf("%.30q: error %v, want %q", c.in, err, c.err)
			}
			if len(got) != len(c.want) {
				t.Fatalf("%.30q: %d edges, want %d", c.in, len(got), len(c.want))
			}
			for i, e := range got {
				if w := c.want[i]; string(e.from) != string(w.from) || string(e.to) != string(w.to) || e.weight != w.weight || e.weighted != w.weighted {
					t.Errorf("%.30q: edge %d is %.30s-%s %v, want %.30s-%s %v", c.in, i, e.from, e.to, e.weight, w.from, w.to, w.weight)
				}
			}
		}
	}
	broken := errors.New("broken pipe")
	if err := readEdges("x", iotest.ErrReader(broken), nil); !errors.Is(err, broken) || err.Error() != "x: broken pipe" {
		t.Errorf("a reader that fails: %v", err)
	}
}

// Whatever comes in, an edge has two names that are tokens and a weight that walks can use, and
// reading its line again gives the same edge.
func FuzzEdges(f *testing.F) {
	f.Add("a b 1\n#\nc\td\t2.5e3")
	f.Add("a  b\r\nx y 1e400")
	f.Fuzz(func(t *testing.T, in string) {
		_ = readEdges("x", strings.NewReader(in), func(e edge) error {
			for _, name := range [][]byte{e.from, e.to} {
				if len(name) == 0 || strings.ContainsAny(string(name), " \t\r\n\v\f\x00") {
					t.Fatalf("the name %q", name)
				}
			}
			if !(e.weight >= smallest) || e.weight > 1<<127 {
				t.Fatalf("the weight %v", e.weight)
			}
			again, ok, err := parseEdge([]byte(string(e.from) + " " + string(e.to)))
			if !ok || err != nil || string(again.from) != string(e.from) || string(again.to) != string(e.to) {
				t.Fatalf("%s %s is read as %+v, %t, %v", e.from, e.to, again, ok, err)
			}
			return nil
		})
	})
}

// Names have numbers in the order in which they come, however many there are.
func TestNames(t *testing.T) {
	n := newNames()
	name := func(i int) []byte {
		return []byte(strings.Repeat("n", i%7) + string(rune('a'+i%26)) + strings.Repeat("z", i/26%300))
	}
	seen := map[string]uint32{}
	for i := range 5000 {
		want, ok := seen[string(name(i))]
		if !ok {
			want = uint32(len(seen))
			seen[string(name(i))] = want
		}
		if got, err := n.node(name(i)); err != nil || got != want || string(n.name(int(got))) != string(name(i)) {
			t.Fatalf("name %d has number %d, %v; want %d", i, got, err, want)
		}
	}
	if n.len() != len(seen) {
		t.Errorf("%d names, want %d", n.len(), len(seen))
	}
	n.limit = 1
	err := error(nil)
	for i := 0; err == nil && i < 1<<20; i++ {
		_, err = n.node([]byte{byte(i), byte(i >> 8), byte(i >> 16), '!'})
	}
	if e, ok := errors.AsType[*MemoryError](err); !ok || e.Have != 1 {
		t.Errorf("without memory: %v", err)
	}
}

// An order has each number once, and another for another seed.
func TestOrder(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 64, 1000} {
		seen := make([]bool, n)
		same := 0
		a, b := newOrder(n, 1), newOrder(n, 2)
		for i := range n {
			at := a.at(uint64(i))
			if seen[at] {
				t.Fatalf("%d of %d is there twice", at, n)
			}
			seen[at] = true
			if at == b.at(uint64(i)) {
				same++
			}
		}
		if n == 1000 && same > 20 {
			t.Errorf("%d of %d numbers are at the same place with another seed", same, n)
		}
	}
}
