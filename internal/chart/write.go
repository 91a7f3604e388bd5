package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/w2v-go/w2v/internal/sysinfo"
)

// A Format is a kind of file. Its value is the extension without the dot.
type Format string

// Formats of pictures.
const (
	SVG Format = "svg"
	PNG Format = "png"
)

// Formats returns all formats.
func Formats() []Format { return []Format{SVG, PNG} }

// A Picture can be drawn.
type Picture interface {
	// size is what suits the picture, in inches, and whether a picture of another width should have
	// another height too.
	size() (width, height float64, shaped bool)
	// heading is the title, the line below it, and the legend.
	heading() heading
	// labels are the texts that come from outside.
	labels() []string
	// draw draws on what the heading leaves.
	draw(c *canvas) error
}

// A Drawn says what is not in a picture as it was asked for.
type Drawn struct {
	// Unlabelled are the labels that had no room.
	Unlabelled []string
	// NoGlyphs are the labels with characters that no font of a PNG has, and Unshaped those whose
	// letters a PNG neither joins nor reorders.
	NoGlyphs, Unshaped []string
}

// A canvas is where a picture is drawn, and with what.
type canvas struct {
	draw.Canvas
	theme
	fonts *fonts
	drawn Drawn
}

// errRoom says that a picture is too small for what it is to show.
func errRoom(what string) error {
	return fmt.Errorf("the picture has no room for %s: make it higher and wider", what)
}

// Write writes a picture. It returns an error before it draws if a size is not within its limits,
// or if the image needs more memory than there is.
func Write(w io.Writer, p Picture, f Format, s Style) (Drawn, error) {
	if err := s.Validate(); err != nil {
		return Drawn{}, err
	}
	width, height := s.size(p.size())
	if f == SVG {
		return writeSVG(w, p, s, width, height)
	}
	x, y, need := s.Pixels(p)
	if have, limit := sysinfo.MemoryLimit(); have > 0 && need+sysinfo.MemoryInUse() > have {
		return Drawn{}, fmt.Errorf("an image of %d × %d pixels needs about %.1f GB of memory, and %s is %.1f GB: ask for fewer dots per inch, or for an SVG",
			x, y, float64(need+sysinfo.MemoryInUse())/1e9, limit, float64(have)/1e9)
	}
	on := newTheme(s.Dark)
	image := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(s.dpi()), vgimg.UseBackgroundColor(on.paper))
	c := &canvas{Canvas: draw.New(image), theme: on, fonts: newFonts(s.Fonts, false)}
	for _, text := range p.labels() {
		if text = label(text); c.fonts.lacksGlyphs(text) {
			c.drawn.NoGlyphs = append(c.drawn.NoGlyphs, text)
		} else if needsShaping(text) {
			c.drawn.Unshaped = append(c.drawn.Unshaped, text)
		}
	}
	if err := c.picture(p, s); err != nil {
		return Drawn{}, err
	}
	_, err := vgimg.PngCanvas{Canvas: image}.WriteTo(w)
	return c.drawn, err
}

func writeSVG(w io.Writer, p Picture, s Style, width, height vg.Length) (Drawn, error) {
	svg := vgsvg.New(width, height)
	c := &canvas{Canvas: draw.New(svg), theme: newTheme(s.Dark), fonts: newFonts(s.Fonts, true)}
	c.FillPolygon(c.paper, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	if err := c.picture(p, s); err != nil {
		return Drawn{}, err
	}
	var out bytes.Buffer
	if _, err := svg.WriteTo(&out); err != nil {
		return Drawn{}, err
	}
	title := s.Title
	if title == "" {
		title = p.heading().title
	}
	_, err := w.Write(portable(out.Bytes(), title, s.Fonts))
	return c.drawn, err
}

// portable says once for all texts of an SVG which fonts they have: those that the machine of the
// reader is likely to have, whatever the language. It gives the picture a name for screen readers.
//
// The texts of a picture cannot be mistaken for what is replaced: their quotes are escaped.
func portable(svg []byte, title string, added []*Font) []byte {
	for _, weight := range []string{"normal", "bold"} {
		named := "font-weight:" + weight + ";"
		if weight == "normal" {
			named = ""
		}
		svg = bytes.ReplaceAll(svg, []byte(`style="font-family:Liberation Sans;font-variant:normal;font-weight:`+weight+`;font-style:normal;`), []byte(`style="`+named))
	}
	families := make([]string, 0, len(added)+1)
	for _, f := range added {
		families = append(families, "'"+strings.NewReplacer("'", "", `\`, "", "\n", " ").Replace(clean(f.Family))+"'")
	}
	families = append(families, "'Liberation Sans', Arial, Helvetica, 'Noto Sans', 'Noto Sans CJK SC', 'Noto Sans Arabic', sans-serif")
	escape := func(t string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(t)) // a Builder cannot fail
		return b.String()
	}
	_, rest, ok := bytes.Cut(svg, []byte("<svg "))
	if !ok {
		return svg
	}
	tag, body, _ := bytes.Cut(rest, []byte(">\n"))
	var out bytes.Buffer
	fmt.Fprintf(&out, "<svg role=\"img\" font-family=\"%s\" %s>\n", escape(strings.Join(families, ", ")), tag)
	if title != "" {
		fmt.Fprintf(&out, "<title>%s</title>\n", escape(titled(title)))
	}
	out.Write(body)
	return out.Bytes()
}
