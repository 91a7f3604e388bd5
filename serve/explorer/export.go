// Package explorer writes a model as one HTML file: the explorer that package serve shows in a browser, without a server.
package explorer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/serve/web"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/query"
)

// The defaults of ExportOptions.
const (
	DefaultExportWords = 50_000
	DefaultExportSize  = 20_000_000
	DefaultExportDim   = 96
)

// ExportOptions say what a page shows. The zero value works.
type ExportOptions struct {
	Name    string // the name of the model on the page; empty means "model"
	Words   int    // the largest number of words, the first ones of the model; 0 means DefaultExportWords
	MaxSize int64  // the largest size of the page in bytes; 0 means DefaultExportSize
	// Projection is the map that the page opens with; empty means projection.MethodUMAP. A page with a UMAP map
	// also has a PCA map.
	Projection projection.Method
	Dim        int                 // the largest number of dimensions of the page's vectors; 0 means DefaultExportDim
	Metadata   *metadata.Table     // facts about words, which are looked up as query.Finder does, to colour them by; may be nil
	Path       string              // the model's file: maps are cached beside it; empty means no cache
	Generator  string              // what made the page, such as a program and its version
	Created    time.Time           // when the page was made
	Template   []byte              // the page without data; nil means the one of serve/web
	Progress   projection.Progress // receives the progress; may be nil
}

func (o ExportOptions) check() error {
	if o.Projection != "" {
		if _, err := projection.ParseMethod(string(o.Projection)); err != nil {
			return fmt.Errorf("explorer: %w", err)
		}
	}
	for _, of := range []struct {
		name         string
		value, usual int64
	}{{"Words", int64(o.Words), DefaultExportWords}, {"MaxSize", o.MaxSize, DefaultExportSize}, {"Dim", int64(o.Dim), DefaultExportDim}} {
		if of.value < 0 {
			return fmt.Errorf("explorer: %s is %d, must be at least 1, or 0 for %d", of.name, of.value, of.usual)
		}
	}
	return nil
}

// Exported describes a page.
type Exported struct {
	Words int   `json:"words"` // words on the page
	Asked int   `json:"asked"` // words that were requested; more than Words if they did not fit
	Of    int   `json:"of"`    // words of the model
	Size  int64 `json:"bytes"`
	Dim   int   `json:"dim"` // dimensions of the page's vectors
	// Kept is the share of the squared length of unit vectors that these dimensions keep, on average.
	Kept float64 `json:"kept"`
	// Recall is the share of a word's ten nearest words that the page finds too, on average over a sample.
	Recall          float64  `json:"recall"`
	Trustworthiness *float64 `json:"trustworthiness"` // of the map that the page opens with; nil if unknown
	Projections     []string `json:"projections"`
}

// A SizeError reports that ExportOptions.MaxSize is too small.
type SizeError struct {
	Limit int64 // the size that was requested, in bytes
	Least int64 // the approximate size of a page with one word
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("a page of %d bytes has no room for words: the explorer itself takes %d", e.Limit, e.Least)
}

// Export writes a model as one HTML file, which shows the explorer without a server or a network. The page has words with
// counts and facts, maps with clusters, and the directions of vectors, with a byte for each of the first principal
// dimensions, so that neighbours, analogies and axes work a little less exactly than in the model: see Exported. Words
// outside the vocabulary have no vectors there. If not all words fit into the size, the page has the most frequent ones.
func Export(ctx context.Context, w io.Writer, set *vectors.Set, o ExportOptions) (*Exported, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if set.Len() == 0 {
		return nil, errors.New("explorer: there are no words to show")
	}
	o.Words = cmp.Or(o.Words, DefaultExportWords)
	o.MaxSize = cmp.Or(o.MaxSize, DefaultExportSize)
	o.Dim = min(cmp.Or(o.Dim, DefaultExportDim), set.Dim())
	o.Projection = cmp.Or(o.Projection, projection.MethodUMAP)
	o.Name = cmp.Or(o.Name, "model")
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	before, after, err := o.template()
	if err != nil {
		return nil, err
	}
	asked := min(o.Words, set.Len())
	x := export{options: o, set: set, frame: int64(len(before) + len(after))}
	var data []byte
	if err := set.Guard(func() (err error) { data, err = x.data(ctx, asked); return err }); err != nil {
		return nil, err
	}
	for _, part := range [][]byte{before, data, after} {
		if _, err := w.Write(part); err != nil {
			return nil, err
		}
	}
	x.result.Asked, x.result.Of, x.result.Size = asked, set.Len(), x.frame+int64(len(data))
	return &x.result, nil
}

const dataBegin, noData, dataEnd = `<script type="application/json" id="w2v-data">`, `null`, `</script>`

func (o ExportOptions) template() (before, after []byte, err error) {
	page := o.Template
	if page == nil {
		if page, err = fs.ReadFile(web.Files(), "export.html"); err != nil {
			return nil, nil, fmt.Errorf("explorer: the program was built without the page to export: %w", err)
		}
	}
	element := []byte(dataBegin + noData + dataEnd)
	if n := bytes.Count(page, element); n != 1 {
		return nil, nil, fmt.Errorf("explorer: the page to export has %d places for data, and must have one", n)
	}
	at := bytes.Index(page, element) + len(dataBegin)
	return page[:at], page[at+len(noData):], nil
}

type export struct {
	options ExportOptions
	set     *vectors.Set
	frame   int64 // bytes of the page without data
	result  Exported
}

func (x *export) room() int64 { return x.options.MaxSize - x.frame }

func (x *export) data(ctx context.Context, n int) ([]byte, error) {
	tell := x.options.Progress
	page, err := x.describe(n)
	if err != nil {
		return nil, err
	}
	methods := slices.Compact([]projection.Method{x.options.Projection, projection.MethodPCA})
	// Words that will not fit need no place on the map.
	if n, _ = page.fitting(x.room()-usual, len(methods)); n < 1 {
		return nil, &SizeError{x.options.MaxSize, x.frame + usual}
	}
	page.cut(n)
	few := explore.FirstWords(x.set, n)
	tell("vectors", 0)
	rows, err := compact(ctx, few, x.options.Dim)
	if err != nil {
		return nil, err
	}
	page.Vectors.Dim, page.Vectors.Kept, page.rows = rows.dim, rows.keptOf(n), rows.data
	var cache *projection.Cache
	if x.options.Path != "" && n == x.set.Len() { // maps of some words would replace that of all
		cache = &projection.Cache{Model: x.options.Path}
	}
	for i, method := range methods {
		from := 0.1 + 0.8*float64(i)/float64(len(methods))
		d, _, err := explore.Draw(ctx, few, explore.DrawOptions{Method: method, Cache: cache}, explore.Share(tell, from, from+0.8/float64(len(methods))))
		if err != nil {
			return nil, err
		}
		page.maps[string(method)] = d
		page.Model.Projections = append(page.Model.Projections, string(method))
	}
	if err := page.shareClusters(ctx, few); err != nil {
		return nil, err
	}
	// Now the size of the labels is known.
	for {
		data, err := json.Marshal(page.encoded())
		if err != nil {
			return nil, err
		}
		if int64(len(data)) <= x.room()-numbers {
			break
		}
		const endless = 1 << 60
		_, left := page.fitting(endless, len(methods))
		others := int64(len(data)) - (endless - left)
		fit, _ := page.fitting(x.room()-numbers-others, len(methods))
		if n = min(fit, len(page.Words)-1); n < 1 {
			return nil, &SizeError{x.options.MaxSize, x.frame + others + numbers}
		}
		page.cut(n)
		few = explore.FirstWords(x.set, n)
		for name, d := range page.maps {
			if page.maps[name], err = d.First(ctx, few); err != nil {
				return nil, err
			}
		}
		if err := page.shareClusters(ctx, few); err != nil {
			return nil, err
		}
	}
	page.Vectors.Kept = rows.keptOf(n)
	tell("exactness of neighbours", 0.9)
	if page.Vectors.Recall, err = rows.recall(ctx, few); err != nil {
		return nil, err
	}
	var preserver explore.Preserver
	for name, d := range page.maps {
		if d.Trustworthiness == nil {
			if d, err = d.Trusted(ctx, few, nil); err != nil {
				return nil, err
			}
			page.maps[name] = d
		}
		if page.preserved[name], err = preserver.Preserved(ctx, few, d); err != nil {
			return nil, err
		}
	}
	tell("writing", 0.97)
	data, err := json.Marshal(page.encoded())
	x.result = Exported{Words: n, Dim: rows.dim, Kept: page.Vectors.Kept, Recall: page.Vectors.Recall,
		Trustworthiness: page.maps[string(x.options.Projection)].Trustworthiness, Projections: page.Model.Projections}
	return data, err
}

// shareClusters gives the map by PCA the clusters of that by UMAP.
func (p *page) shareClusters(ctx context.Context, few *vectors.Set) (err error) {
	pca := string(projection.MethodPCA)
	if umap := p.maps[string(projection.MethodUMAP)]; umap != nil && umap.Found != nil {
		p.maps[pca], err = p.maps[pca].WithClusters(ctx, few, umap)
	}
	return err
}

// embedded are the data of an exported page: the JSON that stands in its element w2v-data. The type
// EmbeddedData of serve/web is the same. Base64 is the standard one with padding, and numbers
// are little-endian. N is Model.Points.
type embedded struct {
	Version   int                 `json:"version"` // 1
	Model     explore.ModelInfo   `json:"model"`   // as of a server; Projections begin with the map to open with
	Words     []string            `json:"words"`   // N
	Counts    []uint64            `json:"counts"`  // N, or null
	Fields    map[string]field    `json:"fields"`  // as of a server
	Maps      map[string]mapOfTwo `json:"maps"`    // by projection
	Vectors   vectorData          `json:"vectors"`
	Created   string              `json:"created"`   // RFC 3339
	Generator string              `json:"generator"` // what made the page
}

type field = metadata.Field

type mapOfTwo struct {
	Info explore.MapInfo `json:"info"` // as of a server
	// Points are uint16 × 2N: x = bounds[0] + q/65535·(bounds[2]−bounds[0]), and y likewise with bounds[1] and [3].
	Points   string `json:"points"`
	Clusters string `json:"clusters"` // uint16 × N, 65535 for none
	// Preserved is uint8 × N: how many of a word's ten nearest words are among the ten nearest on the map; 255 for none.
	Preserved string `json:"preserved"`
}

type vectorData struct {
	Dim int `json:"dim"`
	// Rows are int8 × N·Dim, row by row: the unit vector of each word in its first principal directions, without
	// centring, so that cosines stay. Each row is scaled such that its largest number is 127 or −127: only its
	// direction counts. A row of zeros belongs to a word without direction.
	Rows   string  `json:"rows"`
	Kept   float64 `json:"kept"`   // see Exported
	Recall float64 `json:"recall"` // see Exported
}

type page struct {
	embedded
	rows      []int8
	maps      map[string]*explore.Drawing
	preserved map[string][]byte // by projection
}

func (x *export) describe(n int) (*page, error) {
	o := x.options
	words := explore.MapWords(x.set, n)
	p := &page{maps: map[string]*explore.Drawing{}, preserved: map[string][]byte{}}
	p.Version, p.Generator, p.Words = 1, o.Generator, words
	p.Created = o.Created.UTC().Format(time.RFC3339)
	lookup, err := query.New(x.set, vectors.CaseAuto)
	if err != nil {
		return nil, err
	}
	p.Model = explore.ModelInfo{
		Name: o.Name, Format: x.set.Format(), Words: x.set.Len(), Dim: x.set.Dim(),
		// Words that are composed of n-grams need all n-grams, which are not on the page.
		Subwords: false, Counts: x.set.SharedParts().Counts != nil, IgnoresCase: lookup.IgnoresCase(),
		Training: x.set.Training(), Fields: []metadata.Column{}, Projections: []string{},
	}
	if counts := x.set.Counts(); counts != nil {
		p.Counts = append([]uint64{}, counts[:n]...)
	}
	p.Fields = map[string]field{}
	if o.Metadata != nil {
		p.Model.Fields = o.Metadata.Columns()
		for _, f := range o.Metadata.For(lookup.Spelling).Fields(words) {
			p.Fields[f.Name] = f
		}
	}
	p.Vectors.Dim = o.Dim
	_, err = json.Marshal(p.Model) // better now than after the maps
	return p, err
}

const (
	// usual is about what is taken by labels of clusters, stop words, variances and names of fields, before they are known.
	usual = 96 << 10
	// numbers are the digits of what is computed once the words are known: recall and two trustworthinesses.
	numbers = 256
)

// fitting returns how many of the words fit into some room with so many maps, and what they leave of it.
func (p *page) fitting(room int64, maps int) (n int, left int64) {
	// Points, clusters and preserved neighbours of each map, and vectors, in base64: four bytes for three.
	fixed := (int64(maps)*(4+2+1) + int64(p.Vectors.Dim)) * 4
	for i, word := range p.Words {
		text, _ := json.Marshal(word) // strings can be encoded
		need := int64(len(text)) + 1 + fixed*int64(i+1)/3 - fixed*int64(i)/3
		if p.Counts != nil {
			need += int64(len(strconv.FormatUint(p.Counts[i], 10))) + 1
		}
		for _, f := range p.Fields {
			value := []byte("-1")
			if f.Of != nil {
				value, _ = json.Marshal(f.Of[i]) // numbers can be encoded
			} else if f.Numbers[i] != nil {
				value, _ = json.Marshal(*f.Numbers[i])
			}
			need += int64(len(value)) + 3
		}
		if need > room {
			return i, room
		}
		room -= need
	}
	return len(p.Words), room
}

func (p *page) cut(n int) {
	p.Words, p.Counts = p.Words[:n], p.Counts[:min(n, len(p.Counts))]
	for name, f := range p.Fields {
		f.Known = 0
		if f.Of != nil {
			f.Of = f.Of[:n]
			for _, c := range f.Of {
				f.Known += btoi(c >= 0)
			}
		} else {
			f.Numbers = f.Numbers[:n]
			for _, x := range f.Numbers {
				f.Known += btoi(x != nil)
			}
		}
		p.Fields[name] = f
	}
	p.rows = p.rows[:min(n*p.Vectors.Dim, len(p.rows))]
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *page) encoded() embedded {
	e := p.embedded
	e.Model.Points = len(e.Words)
	e.Maps = map[string]mapOfTwo{}
	for name, d := range p.maps {
		preserved := p.preserved[name]
		if preserved == nil {
			preserved = make([]byte, len(e.Words)) // takes as many bytes
		}
		e.Maps[name] = mapOfTwo{
			Info:      d.Info(),
			Points:    base64.StdEncoding.EncodeToString(quantized(d.Placed.Points, d.Bounds)),
			Clusters:  base64.StdEncoding.EncodeToString(explore.LittleEndian(d.ClusterOf)),
			Preserved: base64.StdEncoding.EncodeToString(preserved),
		}
	}
	rows := make([]byte, len(p.rows))
	for i, q := range p.rows {
		rows[i] = byte(q)
	}
	e.Vectors.Rows = base64.StdEncoding.EncodeToString(rows)
	return e
}

func quantized(points []projection.Point, bounds [4]float32) []byte {
	b := make([]byte, 0, 4*len(points))
	step := func(x, low, high float32) uint16 {
		if !(high > low) {
			return 0
		}
		return uint16(min(65535, max(0, (float64(x)-float64(low))/(float64(high)-float64(low))*65535+0.5)))
	}
	for _, p := range points {
		b = binary.LittleEndian.AppendUint16(b, step(p.X, bounds[0], bounds[2]))
		b = binary.LittleEndian.AppendUint16(b, step(p.Y, bounds[1], bounds[3]))
	}
	return b
}

type compactRows struct {
	dim  int
	data []int8    // dim a word
	kept []float64 // the share of the squared length of each word's unit vector; NaN for a word without direction
}

// keptOf returns what Exported.Kept says of the first n words.
func (c *compactRows) keptOf(n int) float64 {
	sum, words := 0.0, 0
	for _, share := range c.kept[:n] {
		if !math.IsNaN(share) {
			sum += share
			words++
		}
	}
	return sum / float64(max(1, words))
}

const compactBlock = 1024 // how many vectors are looked at together

// compact keeps the first dim dimensions of unit vectors that are turned to their principal axes, and rounds them.
func compact(ctx context.Context, set *vectors.Set, dim int) (*compactRows, error) {
	d := set.Dim()
	axes, err := principalAxes(ctx, set, dim)
	if err != nil {
		return nil, err
	}
	c := &compactRows{dim: dim, data: make([]int8, set.Len()*dim), kept: make([]float64, set.Len())}
	turned := make([]float64, compactBlock*dim)
	err = eachBlock(ctx, set, func(first, n int, units []float64) error {
		if err := eigen.Multiply(ctx, turned[:n*dim], units, false, axes, false, n, d, dim); err != nil {
			return err
		}
		for i := range n {
			row, unit := turned[i*dim:(i+1)*dim], units[i*d:(i+1)*d]
			c.kept[first+i] = squares(row) / squares(unit)
			roundRow(c.data[(first+i)*dim:(first+i+1)*dim], row)
		}
		return nil
	})
	return c, err
}

func squares(v []float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}

func roundRow(dst []int8, row []float64) {
	var largest float64
	for _, x := range row {
		largest = max(largest, math.Abs(x))
	}
	for k, x := range row {
		if dst[k] = 0; largest > 0 {
			dst[k] = int8(math.RoundToEven(x / largest * 127))
		}
	}
}

// principalAxes returns dim columns. The vectors are not centred: cosines with the mean taken off are others.
func principalAxes(ctx context.Context, set *vectors.Set, dim int) (axes []float64, err error) {
	d := set.Dim()
	sum, part := make([]float64, d*d), make([]float64, d*d)
	err = eachBlock(ctx, set, func(_, n int, units []float64) error {
		if err := eigen.Multiply(ctx, part, units, true, units, false, d, n, d); err != nil {
			return err
		}
		for i, x := range part {
			sum[i] += x
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, all, err := eigen.Symmetric(ctx, sum, d, nil)
	if err != nil {
		return nil, err
	}
	axes = make([]float64, d*dim)
	for k := range d {
		copy(axes[k*dim:(k+1)*dim], all[k*d:k*d+dim])
	}
	return axes, nil
}

func eachBlock(ctx context.Context, set *vectors.Set, visit func(first, n int, units []float64) error) error {
	d := set.Dim()
	units, unit := make([]float64, 0, compactBlock*d), make([]float32, d)
	first := 0
	for id, v := range set.All() {
		vectors.Unit(unit, v)
		for _, x := range unit {
			units = append(units, float64(x))
		}
		if n := id + 1 - first; n == compactBlock || id+1 == set.Len() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := visit(first, n, units); err != nil {
				return err
			}
			first, units = id+1, units[:0]
		}
	}
	return set.Err()
}

const (
	recallWords     = 500 // that are looked at
	recallNeighbors = 10
)

func (c *compactRows) recall(ctx context.Context, set *vectors.Set) (float64, error) {
	rows := vectors.NewMatrix(set.Len(), c.dim)
	for i := range rows.Rows {
		for k, q := range c.data[i*c.dim : (i+1)*c.dim] {
			rows.Row(i)[k] = float32(q)
		}
	}
	small, err := vectors.New(vectors.Parts{Words: set.Words(), Input: rows})
	if err != nil {
		return 0, err
	}
	n := min(recallWords, set.Len())
	exact, rounded := make([]vectors.Query, n), make([]vectors.Query, n)
	for i := range n {
		id := int(int64(i) * int64(set.Len()) / int64(n))
		exact[i] = vectors.Query{Vector: make([]float32, set.Dim()), K: recallNeighbors, Skip: []int{id}}
		set.WordVector(exact[i].Vector, id)
		rounded[i] = vectors.Query{Vector: rows.Row(id), K: recallNeighbors, Skip: []int{id}}
	}
	want, err := set.Nearest(ctx, exact...)
	if err != nil {
		return 0, err
	}
	got, err := small.Nearest(ctx, rounded...)
	if err != nil {
		return 0, err
	}
	found, all := 0, 0
	for i := range n {
		near := map[int]bool{}
		for _, x := range got[i] {
			near[x.ID] = true
		}
		for _, x := range want[i] {
			all++
			found += btoi(near[x.ID])
		}
	}
	if all == 0 {
		return 1, nil
	}
	return float64(found) / float64(all), nil
}
