// Package plots makes pictures of vectors, their training and their scores. It computes the data of each
// picture, and draws it as SVG or PNG.
//
//	words := []plots.Word{…} // with their vectors
//	picture, err := plots.NewMap(ctx, words, plots.MapOptions{})
//	…
//	drawn, err := plots.Write(file, picture, plots.SVG, plots.Style{Dark: true})
//
// The same data always makes the same file. A picture in JSON is its data.
package plots

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/chart"
	"github.com/w2v-go/w2v/internal/clustering"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// A Style is the look of a picture: size in inches, resolution of a PNG, light or dark, title, and fonts. The
// zero value works. Validate reports invalid values.
type Style = chart.Style

// A Font is an additional font for words whose glyphs Liberation Sans lacks.
type Font = chart.Font

// ParseFont reads a TrueType or OpenType font. From a font collection it reads the first font.
func ParseFont(data []byte) (*Font, error) { return chart.ParseFont(data) }

// A Format is a file format. Its value is the extension without the dot.
type Format = chart.Format

// DefaultDPI is the default resolution of a PNG.
const DefaultDPI = chart.DefaultDPI

// Formats of pictures. Texts of an SVG use the fonts of the viewer. Texts of a PNG are drawn glyph by glyph,
// left to right.
const (
	SVG = chart.SVG
	PNG = chart.PNG
)

// Formats returns all formats.
func Formats() []Format { return chart.Formats() }

// A Drawn lists what a picture could not show: labels without room or without glyphs.
type Drawn = chart.Drawn

// A Picture is a *Map, a *Heatmap, a *Training, a *Frequency or a *Scree.
type Picture interface{ chart() chart.Picture }

// Write writes a picture. It is an error if a side or the resolution is outside the limits of Style.Validate,
// if the picture does not fit into its size, or if a PNG needs more memory than there is; then nothing is
// written.
func Write(w io.Writer, p Picture, f Format, s Style) (Drawn, error) {
	return chart.Write(w, p.chart(), f, s)
}

// A Coloring colours the words of a map by group or by number. The zero value gives all words one colour.
type Coloring struct {
	Name   string // title of groups or numbers, for example "country"
	Groups []string
	Of     []int      // index of the group of each word; −1 for no group
	Values []*float64 // number of each word; nil if it has none
}

func (c Coloring) check(words int) error {
	for _, n := range []int{len(c.Of), len(c.Values)} {
		if n > 0 && n != words {
			return fmt.Errorf("plots: there are colours for %d words, and %d words", n, words)
		}
	}
	for _, g := range c.Of {
		if g < -1 || g >= len(c.Groups) {
			return fmt.Errorf("plots: a word is in group %d, and there are %d", g, len(c.Groups))
		}
	}
	return nil
}

// ByField colours words by a field of a table.
func ByField(f metadata.Field) Coloring {
	if f.Kind == metadata.Number {
		return Coloring{Name: f.Name, Values: f.Numbers}
	}
	return Coloring{Name: f.Name, Groups: f.Categories, Of: f.Of}
}

// MaxClusters is the largest number of clusters: a reader could not distinguish more colours and shapes, and
// k-means would take long.
const MaxClusters = 100

// ByCluster colours words by 1 to MaxClusters clusters of their directions, found by k-means, in the order of their first
// words. A cluster is named after the words nearest to its mean.
func ByCluster(words []Word, k int, seed uint64) (Coloring, error) {
	if k < 1 || k > min(MaxClusters, len(words)) {
		return Coloring{}, fmt.Errorf("plots: %d words cannot make %d clusters, want from 1 to %d", len(words), k, min(MaxClusters, len(words)))
	}
	rows, err := units(words)
	if err != nil {
		return Coloring{}, err
	}
	points := make([][]float64, len(words))
	for i := range points {
		points[i] = make([]float64, rows.Cols)
		for d, x := range rows.Row(i) {
			points[i][d] = float64(x)
		}
	}
	found := clustering.KMeans(points, k, rand.New(rand.NewPCG(seed, 1)))
	c := Coloring{Name: "cluster", Of: make([]int, len(words))}
	var members [][]int
	for i, of := range found.Of {
		n := slices.IndexFunc(members, func(m []int) bool { return found.Of[m[0]] == of })
		if n < 0 {
			n, members = len(members), append(members, nil)
		}
		c.Of[i], members[n] = n, append(members[n], i)
	}
	for _, of := range members {
		c.Groups = append(c.Groups, central(words, points, of))
	}
	return c, nil
}

func central(words []Word, points [][]float64, members []int) string {
	mean := make([]float64, len(points[0]))
	for _, i := range members {
		for d, x := range points[i] {
			mean[d] += x
		}
	}
	near := func(i int) (sum float64) {
		for d, x := range points[i] {
			sum += x * mean[d]
		}
		return sum
	}
	by := slices.Clone(members)
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(near(b), near(a)) })
	const named = 3
	var names []string
	for _, i := range by[:min(named, len(by))] {
		names = append(names, words[i].Text)
	}
	text := strings.Join(names, ", ")
	if len(by) > named {
		text += " …"
	}
	return text
}

// A Word is a word or an expression, with its vector.
type Word struct {
	Text   string
	ID     int // id in the vocabulary; −1 if the word is not in it
	Vector []float32
	Strong bool // draw its label in bold
}

// units returns the vectors scaled to length 1. All must have a direction and the same number of dimensions.
func units(words []Word) (vectors.Matrix, error) {
	if len(words) == 0 {
		return vectors.Matrix{}, errors.New("plots: there are no words")
	}
	all := vectors.NewMatrix(len(words), len(words[0].Vector))
	for i, w := range words {
		if len(w.Vector) != all.Cols {
			return all, fmt.Errorf("plots: %q has %d dimensions, and %q has %d", w.Text, len(w.Vector), words[0].Text, all.Cols)
		}
		if !vectors.Unit(all.Row(i), w.Vector) {
			return all, fmt.Errorf("plots: the vector of %q is zero or not finite", w.Text)
		}
	}
	return all, nil
}

func cosines(rows vectors.Matrix) [][]float64 {
	all := make([][]float64, rows.Rows)
	for i := range all {
		all[i] = make([]float64, rows.Rows)
		all[i][i] = 1
		for k := range i {
			var sum float64
			other := rows.Row(k)
			for d, x := range rows.Row(i) {
				sum += float64(float64(x) * float64(other[d])) // the conversion rounds the product, so that all machines agree
			}
			sum = max(-1, min(1, sum))
			all[i][k], all[k][i] = sum, sum
		}
	}
	return all
}
