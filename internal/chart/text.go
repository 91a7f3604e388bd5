package chart

import (
	"image/color"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// fonts are a handler of texts as package plot asks for one.
var _ text.Handler = (*fonts)(nil)

// Cache returns all fonts.
func (f *fonts) Cache() *font.Cache { return f.cache }

// Extents returns the extents of a font.
func (f *fonts) Extents(of font.Font) font.Extents {
	face := f.cache.Lookup(of, of.Size)
	return face.Extents()
}

// Lines returns the one line of a text.
func (f *fonts) Lines(t string) []string { return []string{t} }

// Box returns the size of a text.
func (f *fonts) Box(t string, of font.Font) (width, height, depth vg.Length) {
	e := f.Extents(of)
	t = clean(t)
	for _, p := range f.pieces(t, of) {
		width += p.width()
	}
	return width, e.Ascent, e.Descent
}

// Draw draws a text on its baseline, piece by piece.
func (f *fonts) Draw(c vg.Canvas, t string, s text.Style, at vg.Point) {
	if t = clean(t); t == "" {
		return
	}
	c.SetColor(s.Color)
	if s.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(s.Rotation)
		sin, cos := math.Sincos(s.Rotation)
		at = vg.Point{X: at.Y*vg.Length(sin) + at.X*vg.Length(cos), Y: at.Y*vg.Length(cos) - at.X*vg.Length(sin)}
	}
	width, height, depth := f.Box(t, s.Font)
	at.X += width * vg.Length(s.XAlign)
	at.Y += (height+depth)*vg.Length(s.YAlign) + depth
	pieces := f.pieces(t, s.Font)
	if f.whole && len(pieces) > 0 {
		c.FillString(f.cache.Lookup(s.Font, s.Font.Size), at, t)
		return
	}
	for _, p := range pieces {
		if p.lacks {
			box(c, at, p.width(), s.Font.Size)
		} else {
			c.FillString(p.face, at, p.text)
		}
		at.X += p.width()
	}
}

// box draws a box in the place of characters that no font has.
func box(c vg.Canvas, at vg.Point, width, size vg.Length) {
	c.SetLineWidth(0.6)
	c.SetLineDash(nil, 0)
	c.Stroke(vg.Rectangle{Min: at.Add(vg.Point{X: 0.5}), Max: at.Add(vg.Point{X: max(width-0.5, 1), Y: 0.72 * size})}.Path())
}

// style returns how a text looks that is aligned at a point.
func (f *fonts) style(of font.Font, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: c, Font: of, XAlign: x, YAlign: y, Handler: f}
}

// maxLabel is how many characters of a label are drawn.
const maxLabel = 48

// label makes one short line of a text that comes from a file, which a picture has room for.
func label(t string) string {
	t = clean(t)
	if runes := []rune(t); len(runes) > maxLabel {
		t = string(runes[:maxLabel*2/3]) + "…" + string(runes[len(runes)-maxLabel/3+1:])
	}
	return t
}

// clean makes one line of a text that an XML document can hold.
func clean(t string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.Is(unicode.Cc, r), r == '\ufffe', r == '\uffff', r == utf8.RuneError, unicode.Is(unicode.Bidi_Control, r):
			return utf8.RuneError
		}
		return r
	}, t)
}
