package explorer_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/serve/explorer"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/transform"
)

// frame is a page without data.
const frame = `<html><script>document.getElementById("w2v-data")</script><script type="application/json" id="w2v-data">null</script></html>`

// exported are the data of a page, as its script reads them.
type exported struct {
	Version int
	Model   struct {
		Name               string
		Words, Dim, Points int
		Subwords, Counts   bool
		Fields             []metadata.Column
		Projections        []string
	}
	Words  []string
	Counts []uint64
	Fields map[string]struct {
		Kind       string
		Categories []string
		Values     []*float64
	}
	Maps map[string]struct {
		Info struct {
			State           string
			Trustworthiness float64
			Explained       []float64
			Bounds          []float64
			Clusters        []struct{ ID, Size int }
			Coarse, Fine    []struct{ Size int }
			Stop            []int
		}
		Points, Clusters, Preserved string
	}
	Vectors struct {
		Dim          int
		Rows         string
		Kept, Recall float64
	}
	Created, Generator string
}

func export(t *testing.T, set *vectors.Set, o explorer.ExportOptions) (page string, data exported, r *explorer.Exported) {
	t.Helper()
	o.Template = []byte(frame)
	var out bytes.Buffer
	r, err := explorer.Export(t.Context(), &out, set, o)
	if err != nil {
		t.Fatal(err)
	}
	page = out.String()
	begin, end, _ := strings.Cut(frame, "null")
	text, ok := strings.CutPrefix(page, begin)
	text, ok2 := strings.CutSuffix(text, end)
	if !ok || !ok2 {
		t.Fatalf("the frame is not that of the template: %.200s", page)
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	if r.Size != int64(len(page)) || r.Words != len(data.Words) || data.Model.Points != len(data.Words) || data.Version != 1 {
		t.Errorf("%+v of a page of %d bytes with %d words", r, len(page), len(data.Words))
	}
	return page, data, r
}

// numbers decodes base64.
func numbers[T int8 | uint8 | uint16](t *testing.T, text string) []T {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	var one T
	n := make([]T, len(b)/binary.Size(one))
	if _, err := binary.Decode(b, binary.LittleEndian, n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestExport(t *testing.T) {
	set := random(t, 400, 20, 1)
	table, err := metadata.Read(strings.NewReader("word\tkind\tsize\nw0\ta\t1\nw1\tb\t2\nw2\ta\n"), "m.tsv")
	if err != nil {
		t.Fatal(err)
	}
	created := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	_, data, r := export(t, set, explorer.ExportOptions{Name: "groups", Words: 300, Dim: 10, Metadata: table, Generator: "test", Created: created})
	if m := data.Model; m.Name != "groups" || m.Words != 400 || m.Points != 300 || m.Dim != 20 || m.Subwords || !m.Counts || len(m.Fields) != 2 ||
		strings.Join(m.Projections, " ") != "umap pca" || data.Created != "2026-11-23T12:00:00Z" || data.Generator != "test" {
		t.Errorf("%+v, %s, %s", m, data.Created, data.Generator)
	}
	if data.Words[299] != "w299" || data.Counts[299] != 1010 || len(data.Counts) != 300 {
		t.Errorf("the last word is %q, with the count %d", data.Words[299], data.Counts[299])
	}
	if f := data.Fields["kind"]; f.Kind != "category" || len(f.Values) != 300 || *f.Values[2] != 0 || *f.Values[3] != -1 || len(f.Categories) != 2 {
		t.Errorf("field %+v", f)
	}
	for name, m := range data.Maps {
		points, clusters, preserved := numbers[uint16](t, m.Points), numbers[uint16](t, m.Clusters), numbers[uint8](t, m.Preserved)
		if m.Info.State != "ready" || len(points) != 600 || len(clusters) != 300 || len(preserved) != 300 || slices.Max(preserved) > 10 || slices.Max(preserved) < 3 || len(m.Info.Bounds) != 4 || len(m.Info.Clusters) == 0 {
			t.Errorf("%s: %d points, %d clusters, %+v", name, len(points), len(clusters), m.Info)
		}
	}

	// The vectors are those of the model, turned, shortened and rounded.
	rows := numbers[int8](t, data.Vectors.Rows)
	if len(rows) != 3000 || data.Vectors.Dim != 10 || data.Vectors.Kept < 0.5 || data.Vectors.Kept > 0.95 || data.Vectors.Recall < 0.8 || r.Recall != data.Vectors.Recall {
		t.Fatalf("%d numbers of rows, %+v", len(rows), r)
	}
	a, b := make([]float32, 20), make([]float32, 20)
	for _, pair := range [][2]int{{0, 1}, {0, 299}, {150, 155}} {
		set.WordVector(a, pair[0])
		set.WordVector(b, pair[1])
		var dot, x, y float64
		for k := range 10 {
			p, q := float64(rows[10*pair[0]+k]), float64(rows[10*pair[1]+k])
			dot, x, y = dot+p*q, x+p*p, y+q*q
		}
		if got, want := dot/math.Sqrt(x*y), vectors.Cosine(a, b); math.Abs(got-want) > 0.35 {
			t.Errorf("words %v have the cosine %v in the page, and %v in the model", pair, got, want)
		}
	}

	// With all dimensions only rounding is lost.
	_, data, _ = export(t, set, explorer.ExportOptions{Projection: projection.MethodPCA})
	if data.Vectors.Dim != 20 || data.Vectors.Kept < 0.999999 || data.Vectors.Recall < 0.97 || strings.Join(data.Model.Projections, " ") != "pca" || len(data.Words) != 400 {
		t.Errorf("%d dimensions keep %v, and %v of the neighbours; maps %q", data.Vectors.Dim, data.Vectors.Kept, data.Vectors.Recall, data.Model.Projections)
	}
}

// The most frequent words are in a page that is too small for all.
func TestExportFits(t *testing.T) {
	set := random(t, 4000, 30, 1)
	for _, size := range []int64{120_000, 160_000, 300_000} {
		page, data, r := export(t, set, explorer.ExportOptions{MaxSize: size, Projection: projection.MethodPCA})
		if int64(len(page)) > size || r.Asked != 4000 || r.Of != 4000 || r.Words >= 4000 || r.Words < 100 || data.Words[r.Words-1] != set.Words().At(r.Words-1) {
			t.Errorf("%d bytes of %d: %+v", len(page), size, r)
		}
		if n := len(numbers[int8](t, data.Vectors.Rows)); n != 30*r.Words {
			t.Errorf("%d numbers of rows for %d words", n, r.Words)
		}
	}
	var out bytes.Buffer
	_, err := explorer.Export(t.Context(), &out, set, explorer.ExportOptions{MaxSize: 1000, Template: []byte(frame)})
	if e, ok := errors.AsType[*explorer.SizeError](err); !ok || e.Limit != 1000 || out.Len() != 0 {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
}

// A page whose words turn out not to fit, once it has its labels, has the facts of those that stay.
func TestExportIsCutAgain(t *testing.T) {
	const words, size, dim = 900, 155_000, 10
	set, text := random(t, words, 3*dim, 1), "word\tkind\n"
	rows := set.SharedParts().Input
	for i := range words { // the first words have other dimensions than the last ones, which have to go
		if i < words*2/3 {
			clear(rows.Row(i)[dim:])
		} else {
			clear(rows.Row(i)[:dim])
		}
	}
	for i := range words { // no estimate knows the categories
		text += fmt.Sprintf("w%d\t%s%d\n", i, strings.Repeat("kind ", 200), i%100)
	}
	table, err := metadata.Read(strings.NewReader(text), "m.tsv")
	if err != nil {
		t.Fatal(err)
	}
	page, data, r := export(t, set, explorer.ExportOptions{MaxSize: size, Metadata: table, Dim: dim})
	if len(page) > size || len(page) < size*9/10 || r.Words > words*2/3 {
		t.Errorf("%d bytes of %d with %d words", len(page), size, r.Words)
	}
	if r.Kept < 0.9 || data.Vectors.Kept != r.Kept {
		t.Errorf("of the words that stay %v is kept, and the page says %v", r.Kept, data.Vectors.Kept)
	}
	ids := make([]uint32, r.Words)
	for i := range ids {
		ids[i] = uint32(i)
	}
	near, err := projection.NewNeighborhoods(t.Context(), transform.Pick(set, ids), projection.NeighborhoodOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if explained := data.Maps["pca"].Info.Explained; len(explained) != 2 || explained[0]+explained[1] < 2.0/dim {
		t.Errorf("two principal directions of %d hold %v of the variance", dim, explained)
	}
	for name, m := range data.Maps {
		sizes := map[string]int{}
		for _, g := range m.Info.Clusters {
			sizes["clusters"] += g.Size
		}
		for _, g := range m.Info.Coarse {
			sizes["coarse"] += g.Size
		}
		for _, g := range m.Info.Fine {
			sizes["fine"] += g.Size
		}
		for level, size := range sizes {
			if size != r.Words {
				t.Errorf("%s: %s have %d of %d words", name, level, size, r.Words)
			}
		}
		if len(sizes) != 3 || len(m.Info.Stop) == 0 || slices.Max(m.Info.Stop) >= r.Words {
			t.Errorf("%s: %v, stop words %v", name, sizes, m.Info.Stop)
		}
		bounds, points, of := m.Info.Bounds, make([]projection.Point, r.Words), numbers[uint16](t, m.Points)
		for i := range points {
			points[i] = projection.Point{X: float32(float64(of[2*i]) * (bounds[2] - bounds[0])), Y: float32(float64(of[2*i+1]) * (bounds[3] - bounds[1]))}
		}
		want, err := near.Kept(t.Context(), points)
		if err != nil {
			t.Fatal(err)
		}
		differ := 0
		for i, kept := range numbers[uint8](t, m.Preserved) { // points are rounded
			if kept > want[i]+1 || want[i] > kept+1 {
				differ++
			}
		}
		if differ > r.Words/100 {
			t.Errorf("%s: %d words keep other numbers of neighbours", name, differ)
		}
	}
}

// Whatever words there are, none of them ends the element of the data, or is more than text.
func TestExportOfHostileWords(t *testing.T) {
	words := []string{"</script><script>alert(1)</script>", "<!--", "-->", "<![CDATA[", "\u2028\u2029", "\\", "\"", "'", "\x00\x01", "é", "\xff\xfe", "null", "__proto__", "]]>", "&lt;", strings.Repeat("x", 3000)}
	rows := make([][]float32, len(words))
	for i := range rows {
		rows[i] = []float32{float32(i), float32(i * i % 7), 1}
	}
	rows[3] = []float32{0, 0, 0} // no direction
	table, err := metadata.Read(strings.NewReader("word\t</script>\n<!--\t</script><img src=x>\n"), "m.tsv")
	if err != nil {
		t.Fatal(err)
	}
	page, data, _ := export(t, newSet(t, nil, words, rows), explorer.ExportOptions{Name: "</script>", Metadata: table})
	if n := strings.Count(page, "<"); n != strings.Count(frame, "<") {
		t.Errorf("the data have %d signs that begin an element", n-strings.Count(frame, "<"))
	}
	for i, word := range data.Words {
		if want := strings.ToValidUTF8(words[i], "\ufffd"); word != want && words[i] != "\xff\xfe" {
			t.Errorf("word %d is %.40q, want %.40q", i, word, want)
		}
	}
	if data.Model.Name != "</script>" || data.Fields["</script>"].Categories[0] != "</script><img src=x>" || data.Counts != nil {
		t.Errorf("%+v, counts %v", data.Model, data.Counts)
	}
	for k, x := range numbers[int8](t, data.Vectors.Rows)[9:12] {
		if x != 0 {
			t.Errorf("number %d of a word without direction is %d", k, x)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	set := compass(t)
	for want, o := range map[string]explorer.ExportOptions{
		"explorer: Words is -1, must be at least 1, or 0 for 50000":             {Words: -1},
		"explorer: MaxSize is -1, must be at least 1, or 0 for 20000000":        {MaxSize: -1},
		"explorer: Dim is -1, must be at least 1, or 0 for 96":                  {Dim: -1},
		`explorer: projection "tsne" is unknown, want pca or umap`:              {Projection: "tsne"},
		"explorer: the page to export has 0 places for data, and must have one": {Template: []byte("<html>")},
		"explorer: the page to export has 2 places for data, and must have one": {Template: []byte(frame + frame)},
	} {
		if _, err := explorer.Export(t.Context(), &bytes.Buffer{}, set, o); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// compass are words in directions of the plane.
func compass(t *testing.T) *vectors.Set {
	t.Helper()
	return newSet(t, []uint64{50, 40, 30, 20, 10}, []string{"north", "east", "south", "west", "northeast"}, [][]float32{{0, 2}, {1, 0}, {0, -1}, {-3, 0}, {1, 1}})
}

func newSet(t *testing.T, counts []uint64, words []string, rows [][]float32) *vectors.Set {
	t.Helper()
	m := vectors.NewMatrix(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m, Counts: counts})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// random are n words, w0 and so on, in groups of ten that lie together.
func random(t *testing.T, n, dim int, seed uint64) *vectors.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	words, rows, counts := make([]string, n), make([][]float32, n), make([]uint64, n)
	for i := range n {
		words[i], counts[i] = fmt.Sprint("w", i), uint64(10*(n-i))
		centre := rand.New(rand.NewPCG(uint64(i/10), 7))
		for range dim {
			rows[i] = append(rows[i], float32(centre.NormFloat64()+0.2*r.NormFloat64()))
		}
	}
	return newSet(t, counts, words, rows)
}
