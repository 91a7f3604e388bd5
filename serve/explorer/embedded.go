package explorer

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/projection"
)

// embedded are the data of an exported page: the JSON that stands in its element w2v-data. The type
// EmbeddedData of serve/web is the same. Base64 is the standard one with padding, and numbers
// are little-endian. N is Model.Points.
type embedded struct {
	Version int                 `json:"version"` // 1
	Model   modelInfo           `json:"model"`   // as of a server; Projections begin with the map to open with
	Words   []string            `json:"words"`   // N
	Counts  []uint64            `json:"counts"`  // N, or null
	Fields  map[string]field    `json:"fields"`  // as of a server
	Maps    map[string]mapOfTwo `json:"maps"`    // by projection
	Vectors vectorData          `json:"vectors"`
	Created string              `json:"created"` // RFC 3339
	// Generator is what made the page.
	Generator string `json:"generator"`
}

type field = metadata.Field

// mapOfTwo is a map in an exported page.
type mapOfTwo struct {
	Info mapInfo `json:"info"` // as of a server
	// Points are uint16 × 2N: x = bounds[0] + q/65535·(bounds[2]−bounds[0]), and y likewise with bounds[1] and [3].
	Points   string `json:"points"`
	Clusters string `json:"clusters"` // uint16 × N, 65535 for none
}

// vectorData are the vectors of an exported page.
type vectorData struct {
	Dim int `json:"dim"`
	// Rows are int8 × N·Dim, row by row: the unit vector of each word in its first principal directions, without
	// centring, so that cosines stay. Each row is scaled such that its largest number is 127 or −127: only its
	// direction counts. A row of zeros belongs to a word without direction.
	Rows   string  `json:"rows"`
	Kept   float64 `json:"kept"`   // see Exported
	Recall float64 `json:"recall"` // see Exported
}

// A page is what an exported page shows, before it is encoded.
type page struct {
	embedded
	rows []int8
	maps map[string]*drawing
}

// describe returns a page of the first n words, still without maps and vectors.
func (x *export) describe(n int) (*page, error) {
	o := x.options
	words := mapWords(x.set, n)
	p := &page{maps: map[string]*drawing{}}
	p.Version, p.Generator, p.Words = 1, o.Generator, words
	p.Created = o.Created.UTC().Format(time.RFC3339)
	lookup, err := x.set.Lookup(0)
	if err != nil {
		return nil, err
	}
	p.Model = modelInfo{
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
		for _, f := range o.Metadata.Fields(words) {
			p.Fields[f.Name] = f
		}
	}
	p.Vectors.Dim = o.Dim
	return p, p.check()
}

// check tells whether what was described can be encoded.
func (p *page) check() error {
	_, err := json.Marshal(p.Model)
	return err
}

// reserved is how many bytes of the data are for what does not grow with the words: labels of
// clusters, variances, facts about the training, names of fields.
const reserved = 96 << 10

// fitting returns how many of the words fit into so many bytes.
func (p *page) fitting(room int64) int {
	// Points and clusters of two maps at most, and vectors, in base64: four bytes for three.
	fixed := (2*(4+2) + int64(p.Vectors.Dim)) * 4 / 3
	for i, word := range p.Words {
		text, _ := json.Marshal(word) // strings can be encoded
		room -= fixed + int64(len(text)) + 2
		if p.Counts != nil {
			room -= digits(p.Counts[i]) + 1
		}
		for _, f := range p.Fields {
			value := []byte("-1")
			if f.Of != nil {
				value, _ = json.Marshal(f.Of[i]) // numbers can be encoded
			} else if f.Numbers[i] != nil {
				value, _ = json.Marshal(*f.Numbers[i])
			}
			room -= int64(len(value)) + 3
		}
		if room < 0 {
			return i
		}
	}
	return len(p.Words)
}

func digits(n uint64) (d int64) {
	for d = 1; n > 9; n /= 10 {
		d++
	}
	return d
}

// cut leaves the first n words.
func (p *page) cut(n int) {
	p.Words = p.Words[:n]
	if p.Counts != nil {
		p.Counts = p.Counts[:n]
	}
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
	if p.rows != nil {
		p.rows = p.rows[:n*p.Vectors.Dim]
	}
	for _, d := range p.maps {
		d.cut(n)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// cut leaves the first n words of a map.
func (d *drawing) cut(n int) {
	d.placed.Points, d.clusters = d.placed.Points[:n], d.clusters[:n]
	sizes := map[int]int{}
	for _, c := range d.clusters {
		sizes[int(c)]++
	}
	for i := range d.Clusters {
		d.Clusters[i].Size = sizes[d.Clusters[i].ID]
	}
}

// add adds a map.
func (p *page) add(method string, d *drawing) {
	p.maps[method] = d
	p.Model.Projections = append(p.Model.Projections, method)
}

// shareClusters gives the map by PCA the clusters of the one by UMAP.
func (p *page) shareClusters(ctx context.Context, few *vectors.Set) error {
	pca, umap := p.maps[string(projection.MethodPCA)], p.maps[string(projection.MethodUMAP)]
	if pca == nil || umap == nil || umap.found == nil {
		return nil
	}
	with, err := pca.withClusters(ctx, few, umap.found)
	if err == nil {
		p.maps[string(projection.MethodPCA)] = with
	}
	return err
}

// encoded returns the data.
func (p *page) encoded() embedded {
	e := p.embedded
	e.Model.Points = len(e.Words)
	e.Maps = map[string]mapOfTwo{}
	for name, d := range p.maps {
		e.Maps[name] = mapOfTwo{
			Info:     mapInfo{State: stateReady, Progress: 1, mapFacts: &d.mapFacts},
			Points:   base64.StdEncoding.EncodeToString(quantized(d.placed.Points, d.Bounds)),
			Clusters: base64.StdEncoding.EncodeToString(littleEndian(d.clusters)),
		}
	}
	rows := make([]byte, len(p.rows))
	for i, q := range p.rows {
		rows[i] = byte(q)
	}
	e.Vectors.Rows = base64.StdEncoding.EncodeToString(rows)
	return e
}

// quantized returns points as two uint16 each, between the bounds.
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
