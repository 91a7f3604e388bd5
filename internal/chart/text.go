package chart

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/width"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

var _ text.Handler = (*fonts)(nil)

func (f *fonts) Cache() *font.Cache { return f.cache }

func (f *fonts) Extents(of font.Font) font.Extents {
	face := f.cache.Lookup(of, of.Size)
	return face.Extents()
}

func (f *fonts) Lines(t string) []string { return []string{t} }

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

func box(c vg.Canvas, at vg.Point, width, size vg.Length) {
	c.SetLineWidth(0.6)
	c.SetLineDash(nil, 0)
	c.Stroke(vg.Rectangle{Min: at.Add(vg.Point{X: 0.5}), Max: at.Add(vg.Point{X: max(width-0.5, 1), Y: 0.72 * size})}.Path())
}

func (f *fonts) style(of font.Font, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: c, Font: of, XAlign: x, YAlign: y, Handler: f}
}

const maxLabel = 48 // characters

// label turns a text from a file into one short line.
func label(t string) string {
	t = clean(t)
	if runes := []rune(t); len(runes) > maxLabel {
		t = string(runes[:maxLabel*2/3]) + "…" + string(runes[len(runes)-maxLabel/3+1:])
	}
	return t
}

// clean turns a text into one line that an XML document can hold.
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

// A Font is an additional font for pictures.
type Font struct {
	Family string
	face   *opentype.Font
}

const maxFont = 1 << 28 // fonts of all Chinese characters in several weights have about 100 MB

// ParseFont reads a TrueType or OpenType font. From a font collection it reads the first font.
func ParseFont(data []byte) (f *Font, err error) {
	if len(data) > maxFont {
		return nil, fmt.Errorf("the font has %d bytes, and at most %d are read", len(data), maxFont)
	}
	defer func() { // the font reader panics on some invalid numbers
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("the font is damaged: %v", r)
		}
	}()
	var face *opentype.Font
	all, err := opentype.ParseCollection(data)
	if err == nil {
		if all.NumFonts() == 0 {
			return nil, errors.New("the collection has no fonts")
		}
		face, err = all.Font(0)
	}
	if err != nil {
		return nil, fmt.Errorf("not a TrueType or OpenType font: %w", err)
	}
	var buffer sfnt.Buffer
	family, err := face.Name(&buffer, sfnt.NameIDFamily)
	if err != nil || family == "" {
		return nil, errors.New("the font has no family name")
	}
	if face.UnitsPerEm() <= 0 {
		return nil, errors.New("the font has no size")
	}
	return &Font{Family: family, face: face}, nil
}

type fonts struct {
	cache *font.Cache
	added []font.Font // fonts tried before Liberation Sans
	whole bool        // draw a text as one piece; the viewer of an SVG finds the glyphs
}

const sans = "Liberation"

// The other ten faces of the family would add 3.7 MB to the program.
var liberation = sync.OnceValue(func() (faces font.Collection) {
	for _, f := range []struct {
		ttf    []byte
		weight xfont.Weight
	}{{liberationsansregular.TTF, xfont.WeightNormal}, {liberationsansbold.TTF, xfont.WeightBold}} {
		face, err := opentype.Parse(f.ttf)
		if err != nil {
			panic(err) // the embedded files are valid
		}
		faces = append(faces, font.Face{Font: font.Font{Typeface: sans, Variant: "Sans", Weight: f.weight}, Face: face})
	}
	return faces
})

func newFonts(added []*Font, whole bool) *fonts {
	f := &fonts{cache: font.NewCache(liberation()), whole: whole}
	for i, a := range added {
		name := font.Font{Typeface: font.Typeface(fmt.Sprint("added ", i)), Variant: "Sans"}
		f.cache.Add(font.Collection{{Font: name, Face: a.face}})
		f.added = append(f.added, name)
	}
	return f
}

type piece struct {
	text  string
	face  font.Face
	lacks bool // the font has no glyphs for it
}

func (f *fonts) pieces(text string, of font.Font) []piece {
	var buffer sfnt.Buffer
	var faces []font.Face
	for _, name := range f.added {
		name.Weight = of.Weight
		faces = append(faces, f.cache.Lookup(name, of.Size))
	}
	faces = append(faces, f.cache.Lookup(of, of.Size))
	var all []piece
	for _, r := range text {
		i := slices.IndexFunc(faces, func(face font.Face) bool {
			glyph, err := face.Face.GlyphIndex(&buffer, r)
			return err == nil && glyph != 0
		})
		lacks := i < 0
		if lacks {
			i = len(faces) - 1
		}
		if n := len(all); n > 0 && all[n-1].face == faces[i] && all[n-1].lacks == lacks {
			all[n-1].text += string(r)
			continue
		}
		all = append(all, piece{string(r), faces[i], lacks})
	}
	return all
}

func (p piece) width() vg.Length {
	if !p.lacks {
		return p.face.Width(p.text)
	}
	var ems float64
	for _, r := range p.text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			ems++
		case unicode.In(r, unicode.So, unicode.Sk):
			ems += 1.25
		default:
			ems += 0.65
		}
	}
	return vg.Length(ems) * p.face.Font.Size
}

// needsShaping reports whether drawing glyph by glyph would be wrong: letters are joined, reordered, or right to left.
func needsShaping(text string) bool {
	for _, r := range text {
		if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
			return true
		}
		if unicode.In(r, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
			unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Thai, unicode.Lao, unicode.Tibetan, unicode.Myanmar, unicode.Khmer) {
			return true
		}
	}
	return false
}

func regular(size vg.Length) font.Font {
	return font.Font{Typeface: sans, Variant: "Sans", Size: size}
}

func bold(size vg.Length) font.Font {
	return font.Font{Typeface: sans, Variant: "Sans", Weight: xfont.WeightBold, Size: size}
}
