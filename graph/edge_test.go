package graph

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/corpus"
)

func TestEdges(t *testing.T) {
	const hint = tabsAllow
	long := strings.Repeat("x", corpus.MaxToken)
	for _, c := range []struct {
		in   string
		want []edge
		err  string
	}{
		{"", nil, ""},
		{"a b", []edge{{[]byte("a"), []byte("b"), 1, false}}, ""},
		{"# a b\n%% a b\n#\n\n \t\r\n", nil, ""},
		{"#go #rust\n#a comment of more words\na b\n# a b\n", []edge{{[]byte("#go"), []byte("#rust"), 1, false}, {[]byte("a"), []byte("b"), 1, false}}, ""},
		{"user0\tProduct 9\n user 1 \t P 2\t\t\r\n", []edge{{[]byte("user0"), []byte("Product 9"), 1, false}, {[]byte("user 1"), []byte("P 2"), 1, false}}, ""},
		{"a\tb\t1e-1\t\n", []edge{{[]byte("a"), []byte("b"), .1, true}}, ""},
		{"a\t\tb\n", nil, `x:1: the weight "b" is not a number`},
		{"a\t\t2\n", nil, "x:1: field 2 is empty: an edge is two names of nodes, and perhaps a weight"},
		{"\ta\n", nil, "x:1: field 1 is empty: an edge is two names of nodes, and perhaps a weight"},
		{"a\tb c\rd\n", nil, `x:1: the name "b c\rd" has a control character within: spaces alone may be within names`},
		{"a,b,2\n", nil, "x: commas seem to separate the fields: give the file a name that ends in .csv, or put tabs between the fields"},
		{"a b\nc,d\n", []edge{{[]byte("a"), []byte("b"), 1, false}}, "x:2: there is one field: an edge is two names of nodes, and perhaps a weight, with tabs or blanks between them, or commas in a file whose name ends in .csv"},
		{"1: 2 3\n2: 3 4\n", nil, `x:1: the first field, "1:", ends in a colon, as in adjacency lists: write an edge a line`},
		{"a, b\nc, d\n", nil, "x: commas seem to separate the fields: give the file a name that ends in .csv, or put tabs between the fields"},
		{"a, b\nc d\n", []edge{{[]byte("a,"), []byte("b"), 1, false}, {[]byte("c"), []byte("d"), 1, false}}, ""},
		{"a\tb\t0x1p3\n", nil, `x:1: the weight "0x1p3" is not a number`},
		{"a\tb\t2\r\n  é  z 0.5 \n", []edge{{[]byte("a"), []byte("b"), 2, true}, {[]byte("é"), []byte("z"), 0.5, true}}, ""},
		{"a b 12345678901\na b 1e-30\n", []edge{{[]byte("a"), []byte("b"), 12345678901, true}, {[]byte("a"), []byte("b"), 1e-30, true}}, ""},
		{long + " b\n", []edge{{[]byte(long), []byte("b"), 1, false}}, ""},
		{"a b\na", []edge{{[]byte("a"), []byte("b"), 1, false}}, "x:2: there is one field: an edge is two names of nodes, and perhaps a weight"},
		{"a b 1 2\n", nil, "x:1: there are more than three fields: an edge is two names of nodes, and perhaps a weight" + hint},
		{"a b one\n", nil, `x:1: the weight "one" is not a number` + hint},
		{"a b NaN\n", nil, `x:1: the weight "NaN" is not a number` + hint},
		{"a b 0\n", nil, "x:1: the weight 0 is not above 0: walks take an edge as often as its weight says, so leave it out"},
		{"a b -1\n", nil, "x:1: the weight -1 is not above 0: walks take an edge as often as its weight says, so leave it out"},
		{"a b 1e300\n", nil, "x:1: the weight 1e300 is not between 1.1754944e-38 and 1.7014117e+38"},
		{"a b +Inf\n", nil, "x:1: the weight +Inf is not between 1.1754944e-38 and 1.7014117e+38"},
		{"a b 1e-40\n", nil, "x:1: the weight 1e-40 is not between 1.1754944e-38 and 1.7014117e+38"},
		{long + "x b\n", nil, "x:1: the name of a node has 16385 bytes, at most 16384 are possible"},
		{"a b\n" + strings.Repeat("x", 1<<20), []edge{{[]byte("a"), []byte("b"), 1, false}}, "x:2: the line has more than 524288 bytes: this is not an edge list"},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.in), iotest.HalfReader(strings.NewReader(c.in))} {
			var got []edge
			_, err := readEdges("x", in, 0, func(e edge) error {
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
	if _, err := readEdges("x", iotest.ErrReader(broken), 0, nil); !errors.Is(err, broken) || err.Error() != "x: broken pipe" {
		t.Errorf("a reader that fails: %v", err)
	}
}

// A header is skipped and told, and what else of a list may be meant in another way is told too.
func TestListsAreJudged(t *testing.T) {
	numbered := strings.Repeat("u1 p1\n", 9)
	for _, c := range []struct {
		in    string
		comma rune
		edges int
		notes []string
	}{
		{"a b\nc d\n", 0, 2, nil},
		{"Source,Target\n1,2\n", ',', 1, []string{"line 1 (Source, Target) is taken for a header and is not an edge: columns of edge lists have such names"}},
		{"user_id\titem_id\n1\t2\n", 0, 1, []string{"line 1 (user_id, item_id) is taken"}},
		{"a b strength\nu p 2\n", 0, 1, []string{`line 1 (a, b, strength) is taken for a header and is not an edge: "strength" is not a number, and those below it are`}},
		{"from to\nto be\n", 0, 2, nil},
		{"from to 3\nbe b 2\n", 0, 2, nil},
		{"Kunde Ware\n" + numbered, 0, 9, []string{"line 1 (Kunde, Ware) is taken for a header and is not an edge: it has no digits"}},
		{"user1 item5\n" + numbered, 0, 10, nil},
		{"1 2\n3 4\n", 0, 2, nil},
		{"\"Smith, J\";\"b \"\"x\"\"\";2\r\n\"two\nlines\";b;1", ';', 1, nil},
		{"# c\na b\n#x y\n% c\n", 0, 2, []string{"2 lines that begin with # or % are skipped as comments, the first of them line 1", "1 line that begins with # or % is taken for an edge, the first of them line 3; a blank"}},
		{"a\tb c\nd e\n", 0, 2, []string{"1 line has tabs between the fields, so that names may have blanks, and 1 line has none, so that blanks separate its fields: see lines 1 and 2"}},
		{"a b 1082040961\nb c 1182040961\n", 0, 2, []string{"the third field is taken for a weight, from 10820"}},
	} {
		l, err := readEdges("x", strings.NewReader(c.in), c.comma, func(edge) error { return nil })
		notes := l.notes()
		if l.edges != c.edges || len(notes) != len(c.notes) || (err != nil) != strings.Contains(c.in, "two\nlines") {
			t.Errorf("%q: %d edges, %q, %v", c.in, l.edges, notes, err)
			continue
		}
		for i, note := range notes {
			if !strings.HasPrefix(note, "x: "+c.notes[i]) {
				t.Errorf("%q: %s, want %s", c.in, note, c.notes[i])
			}
		}
	}
}

// Lists that seem to be something else are refused, or told of, and CSV is cut where its rows are edges.
func TestFormatsAreJudged(t *testing.T) {
	const csvAdvice = " seem to separate the fields: give the file a name that ends in .csv"
	for _, c := range []struct {
		name, in string
		comma    rune
		edges    string // of the first ones, joined
		note     string
		err      string
	}{
		{"x.txt", "Kunde 1,Artikel 2\nKunde 2,Artikel 3\n", 0, "", "", "x.txt: commas" + csvAdvice},
		{"x.txt", "user0,Product 9,9\nuser1,Product 8,7\n", 0, "", "", "x.txt: commas" + csvAdvice},
		{"x.tsv", "# \"c\nuser,product\nu 1,P 1\n", 0, "", "", "x.tsv: commas" + csvAdvice},
		{"x", "u 1;P 1;0,5\nu 2;P 2;1\n", 0, "", "", "x: semicolons" + csvAdvice},
		{"x", "u 1|P 1\nu 2|P 2\n", 0, "", "", "x: bars" + csvAdvice},
		{"x", "\"u 1\",\"P, 1\"\n", 0, "", "", "x: commas" + csvAdvice},
		{"x", "1,2 3,4\n3,4 5,6\n", 0, "1,2-3,4 1, 3,4-5,6 1", "blanks separate the fields, and names have commas", ""},
		{"x", "u1,Product 9,seen\nu2,Product 8,sold\n", 0, "u1,Product-9,seen 1, u2,Product-8,sold 1", "blanks separate the fields, and names have commas", ""},
		{"x", "u,1\tP 2\n", 0, "u,1-P 2 1", "", ""},
		{"x", "Smith,J b\nc d\n", 0, "Smith,J-b 1, c-d 1", "", ""},
		{"x", "\"a\"\t\"b\"\n", 0, "\"a\"-\"b\" 1", "1 line has quotation marks around a name", ""},
		{"x.csv", "a;b;0,5\nc;d;1\n", ',', "a-b 0.5, c-d 1", "1 weight has a decimal comma, the first of them line 1", ""},
		{"x.csv", "a;b;1.000,5\n", ';', "", "", `x.csv:1: the weight "1.000,5" is not a number`},
		{"x.csv", "a,b,\"0,5\"\nc,d,1\n", ',', "", "", `x.csv:1: the weight "0,5" is not a number`},
		{"x.csv", "a;b;0,0\n", ',', "", "", "x.csv:1: the weight 0.0 is not above 0"},
		{"x", "u 1,P 1,-1\nu 2,P 2,0\n", 0, "", "", "x: commas" + csvAdvice},
		{"x.csv", "Smith, J\tDoe, K\nDoe, K\tBar, L\n", ',', "Smith, J-Doe, K 1, Doe, K-Bar, L 1", "", ""},
		{"x.csv", "a|b|2\n", ',', "a-b 2", "", ""},
		{"x.csv", "a;b,c\n", ',', "a;b-c 1", "commas are taken to separate the fields, but semicolons could", ""},
		{"x.csv", "\"a;b\",c\n", ',', "a;b-c 1", "", ""},
		{"x.csv", ",source,target\n0,1,2\n", ',', "", "", "x.csv:1: the header has no name for the first column"},
		{"x.csv", "id,source,target\n0,1,2\n", ',', "", "", `x.csv:1: the header calls the third column "target"`},
		{"x.csv", "x,\"" + strings.Repeat("a", 1<<20), ',', "", "", "x.csv:1: the row has more than 294912 bytes"},
		{"x.csv", "x,y\n" + strings.Repeat(",", 1<<20), ',', "", "", "x.csv:2: the row has more than 294912 bytes"},
		{"x", "3 3 2\n1 2 1\n2 3 1\n", 0, "1-2 1", "the first edge (3 3 2) has the number of the edges below it", ""},
		{"x", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 2 1\n2 3 1\n", 0, "", "", "x is a MatrixMarket file"},
		{"x.mtx.gz", "3 3 2\n1 2 1\n2 3 1\n", 0, "", "", "x.mtx.gz is a MatrixMarket file"},
		{"x.tgf", "1 A\n2 B\n#\n1 2\n", 0, "", "", "x.tgf is a TGF file"},
		{"x", "% c\n*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n", 0, "", "", "x is a Pajek file"},
		{"x", "Creator \"y\"\ngraph\n[\n node [ id 1 ]\n]\n", 0, "", "", "x is a GML file"},
		{"x", "strict digraph G {\n a -> b\n}\n", 0, "", "", "x is a DOT file"},
		{"x", "<?xml version=\"1.0\"?>\n<graphml>\n", 0, "", "", "x is an XML file"},
		{"x", "[\"a\", \"b\"]\n", 0, "", "", "x is a JSON file"},
		{"x", "c y\np edge 3 2\ne 1 2\n", 0, "", "", "x is a DIMACS file"},
		{"x", "dl n=4\n", 0, "", "", "x is a UCINET DL file"},
		{"x", "[[A]] [[1984]]\ngraph theory\n", 0, "[[A]]-[[1984]] 1, graph-theory 1", "", ""},
	} {
		var got []string
		l, err := readEdges(c.name, strings.NewReader(c.in), c.comma, func(e edge) error {
			got = append(got, fmt.Sprintf("%s-%s %v", e.from, e.to, e.weight))
			return nil
		})
		edges, notes := strings.Join(got, ", "), strings.Join(l.notes(), "\n")
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.HasPrefix(err.Error(), c.err)) {
			t.Errorf("%.40q: error %v, want %q", c.in, err, c.err)
		}
		if c.err == "" && (c.edges != edges && !strings.Contains(c.note, "first edge") || (c.note == "") != (notes == "") || !strings.Contains(notes, c.note)) {
			t.Errorf("%.40q: %s and %q, want %s and %q", c.in, edges, notes, c.edges, c.note)
		}
	}
}

// Whatever comes in, an edge has two names that are tokens and a weight that walks can use, and
// reading its line again gives the same edge.
func FuzzEdges(f *testing.F) {
	f.Add("a b 1\n#\nc\td\t2.5e3")
	f.Add("a  b\r\nx y 1e400")
	f.Fuzz(func(t *testing.T, in string) {
		_, _ = readEdges("x", strings.NewReader(in), 0, func(e edge) error {
			for _, name := range [][]byte{e.from, e.to} {
				if len(name) == 0 || strings.ContainsAny(string(name), "\t\r\n\v\f\x00") || strings.TrimSpace(string(name[:1])) == "" {
					t.Fatalf("the name %q", name)
				}
			}
			if !(e.weight >= smallest) || e.weight > 1<<127 {
				t.Fatalf("the weight %v", e.weight)
			}
			f := split([]byte(string(e.from) + "\t" + string(e.to)))
			again, err := f.edge()
			if err != nil || string(again.from) != string(e.from) || string(again.to) != string(e.to) {
				t.Fatalf("%s %s is read as %+v, %v", e.from, e.to, again, err)
			}
			return nil
		})
	})
}

// Names have numbers in the order in which they come, however many there are.
func TestNames(t *testing.T) {
	n := &names{slots: make([]slot, 1<<10), seed: maphash.MakeSeed()}
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
		if got, err := n.node(name(i)); err != nil || got != want || string(n.name(got)) != string(name(i)) {
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
