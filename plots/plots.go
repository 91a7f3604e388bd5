// Package plots makes pictures of vectors, their training and their scores: the data behind each,
// and its drawing as SVG or PNG.
//
//	words := []plots.Word{…} // with their vectors
//	picture, err := plots.NewMap(ctx, words, plots.MapOptions{})
//	…
//	drawn, err := plots.Write(file, picture, plots.SVG, plots.Style{Dark: true})
//
// The same data is always the same file. In JSON a picture is the data behind it.
package plots

import (
	"io"

	"github.com/w2v-go/w2v/internal/chart"
)

// A Style is how a picture looks: sizes in inches, dots per inch of a PNG, light or dark, the title,
// and fonts. The zero value works. Validate says what is wrong with one.
type Style = chart.Style

// A Font is glyphs for words that Liberation Sans has none for.
type Font = chart.Font

// ParseFont reads a TrueType or OpenType font, or the first one of a collection.
func ParseFont(data []byte) (*Font, error) { return chart.ParseFont(data) }

// A Format is a kind of file. Its value is the extension without the dot.
type Format = chart.Format

// DefaultDPI is the resolution of a PNG whose style does not say one.
const DefaultDPI = chart.DefaultDPI

// Formats of pictures. Texts of an SVG are shown by the fonts of its reader; those of a PNG are
// drawn glyph by glyph, left to right.
const (
	SVG = chart.SVG
	PNG = chart.PNG
)

// Formats returns all formats.
func Formats() []Format { return chart.Formats() }

// A Drawn says what is not in a picture as it was asked for: labels without room, or without glyphs.
type Drawn = chart.Drawn

// A Picture is a *Map, a *Heatmap, a *Training, a *Frequency or a *Scree.
type Picture interface{ chart() chart.Picture }

// Write writes a picture. It is an error if a side or the resolution is not within the limits of
// Style.Validate, if the sides have no room for the picture, or if the image of a PNG needs more
// memory than there is; nothing has been drawn then.
func Write(w io.Writer, p Picture, f Format, s Style) (Drawn, error) {
	return chart.Write(w, p.chart(), f, s)
}
