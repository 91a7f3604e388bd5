package chart

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Format is a file format. Its value is the extension without the dot.
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
	// size returns the preferred size in inches, and whether the height depends on the width.
	size() (width, height float64, shaped bool)
	// heading returns the title, the line below it, and the legend.
	heading() heading
	// labels returns the texts that come from the user.
	labels() []string
	// draw draws into the area below the heading.
	draw(c *canvas) error
}

// A Drawn lists what a picture could not show.
type Drawn struct {
	// Unlabelled lists the labels without room.
	Unlabelled []string
	// labels with characters that no font of a PNG has, or with letters that it neither joins nor reorders
	NoGlyphs, Unshaped []string
}

type canvas struct {
	draw.Canvas
	theme
	fonts *fonts
	drawn Drawn
}

func errRoom(what string) error {
	return fmt.Errorf("the picture has no room for %s: make it higher and wider", what)
}

// Write writes a picture. Before it draws, it returns an error if a size is outside its limits or if the
// image needs more memory than there is.
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
		text = label(text)
		if slices.ContainsFunc(c.fonts.pieces(text, regular(10)), func(p piece) bool { return p.lacks }) {
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
	_, err := w.Write(portable(out.Bytes(), cmp.Or(s.Title, p.heading().title), s.Fonts))
	return c.drawn, err
}

// portable lists, once for all texts of an SVG, fonts that readers are likely to have, for every language. It
// also gives the picture a name for screen readers.
//
// The replacement cannot match inside texts of the picture, because their quotes are escaped.
func portable(svg []byte, title string, added []*Font) []byte {
	const written = `style="font-family:Liberation Sans;font-variant:normal;font-weight:`
	svg = bytes.ReplaceAll(svg, []byte(written+`normal;font-style:normal;`), []byte(`style="`))
	svg = bytes.ReplaceAll(svg, []byte(written+`bold;font-style:normal;`), []byte(`style="font-weight:bold;`))
	families := make([]string, 0, len(added)+1)
	for _, f := range added {
		families = append(families, "'"+strings.NewReplacer("'", "", `\`, "", "\n", " ").Replace(clean(f.Family))+"'")
	}
	families = append(families, "'Liberation Sans', Arial, Helvetica, 'Noto Sans', 'Noto Sans CJK SC', 'Noto Sans Arabic', sans-serif")
	escape := func(t string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(t)) // writing to a Builder cannot fail
		return b.String()
	}
	_, rest, _ := bytes.Cut(svg, []byte("<svg "))
	tag, body, _ := bytes.Cut(rest, []byte(">\n"))
	var out bytes.Buffer
	fmt.Fprintf(&out, "<svg role=\"img\" font-family=\"%s\" %s>\n", escape(strings.Join(families, ", ")), tag)
	if title != "" {
		fmt.Fprintf(&out, "<title>%s</title>\n", escape(titled(title)))
	}
	out.Write(body)
	return out.Bytes()
}

// A Style is the look of a picture. The zero value works.
type Style struct {
	// Width and Height are in inches, from MinSide to MaxSide; 0 means the picture's preferred size.
	Width, Height float64
	// DPI is the resolution of a PNG in pixels per inch, from MinDPI to MaxDPI; 0 means DefaultDPI.
	DPI int
	// Dark draws light text on a dark background.
	Dark bool
	// Title replaces the picture's own title; empty keeps it.
	Title string
	// Fonts are searched for glyphs in this order, before Liberation Sans.
	Fonts []*Font
}

// Limits of a Style.
const (
	MinSide, MaxSide = 1.5, 100
	MinDPI, MaxDPI   = 24, 2400
	DefaultDPI       = 144
)

// Validate returns an error if a size is outside its limits.
func (s Style) Validate() error {
	for i, x := range []float64{s.Width, s.Height} {
		if x != 0 && !(x >= MinSide && x <= MaxSide) {
			return fmt.Errorf("the %s of a picture must be from %g to %d inches, is %g", []string{"width", "height"}[i], MinSide, MaxSide, x)
		}
	}
	if s.DPI != 0 && (s.DPI < MinDPI || s.DPI > MaxDPI) {
		return fmt.Errorf("a PNG must have from %d to %d dots per inch, has %d", MinDPI, MaxDPI, s.DPI)
	}
	return nil
}

// size takes a preferred size in inches. With one side set, the other follows in a picture of fixed shape.
func (s Style) size(width, height float64, shaped bool) (w, h vg.Length) {
	switch {
	case shaped && s.Width > 0 && s.Height == 0:
		height *= s.Width / width
	case shaped && s.Height > 0 && s.Width == 0:
		width *= s.Height / height
	}
	side := func(asked, own float64) vg.Length {
		if asked == 0 {
			asked = min(max(own, MinSide), MaxSide)
		}
		return vg.Length(asked) * vg.Inch
	}
	return side(s.Width, width), side(s.Height, height)
}

func (s Style) dpi() int { return cmp.Or(s.DPI, DefaultDPI) }

// Pixels returns the size of a picture as a PNG, and the bytes that drawing takes.
func (s Style) Pixels(p Picture) (width, height int, bytes uint64) {
	w, h := s.size(p.size())
	pixels := func(side vg.Length) int { return int(math.Ceil(float64(side/vg.Inch) * float64(s.dpi()))) }
	width, height = pixels(w), pixels(h)
	const images, number = 2, 4
	return width, height, images * number * uint64(width) * uint64(height)
}

type theme struct {
	paper, ink, muted, grid color.Color
	accent                  color.Color // of arrows and highlighted words
	groups                  []color.Color
	dark                    bool
}

func rgb(hex uint32) color.Color {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// newTheme returns light or dark colours. The colours of groups follow Okabe and Ito, "Color Universal
// Design", 2008, which people with any common colour vision can distinguish, made lighter or darker to suit
// the background. Colours that differ most come first.
func newTheme(dark bool) theme {
	if dark {
		return theme{
			paper: rgb(0x15181d), ink: rgb(0xe9ebee), muted: rgb(0xa3acb8), grid: rgb(0x343b45), accent: rgb(0xffa24a), dark: true,
			groups: []color.Color{rgb(0x56b4e9), rgb(0xe69f00), rgb(0x2cc295), rgb(0xe58bbd), rgb(0xf0e442), rgb(0xff7a45), rgb(0x8aa2ff), rgb(0xb9c0c9)},
		}
	}
	return theme{
		paper: rgb(0xffffff), ink: rgb(0x1a1e24), muted: rgb(0x5c6673), grid: rgb(0xdfe3e8), accent: rgb(0xc2410c),
		groups: []color.Color{rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xb8588f), rgb(0x9a7b00), rgb(0x3aa0dd), rgb(0x5b4fb5), rgb(0x4f5661)},
	}
}

func (t theme) group(i int) color.Color {
	if i < 0 {
		return t.muted
	}
	return t.groups[i%len(t.groups)]
}

func shape(i int) draw.GlyphDrawer {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, polygon{4, 1.2, math.Pi / 4}, polygon{4, 1.3, 0}, polygon{3, 1.35, math.Pi / 2}, draw.RingGlyph{}, draw.CrossGlyph{}}
	if i < 0 {
		return shapes[0]
	}
	return shapes[i/8%len(shapes)]
}

// ramp goes from almost the background to strong contrast, in perceptually equal steps.
func (t theme) ramp(x float64) color.Color { return t.shade(0.25+0.75*clamp(x, 0, 1), 45) }

// cosine has almost the background for 0, orange to brown for positive numbers, blue for negative ones.
func (t theme) cosine(x float64) color.Color {
	if math.IsNaN(x) {
		return t.grid
	}
	if x < 0 {
		return t.shade(min(1, -x), 252)
	}
	return t.shade(min(1, x), 52)
}

// shade returns a colour of a hue, in degrees, that contrasts with the background by a share. Lightness is linear.
func (t theme) shade(share, hue float64) color.Color {
	from, to := 0.975, 0.40
	if t.dark {
		from, to = 0.25, 0.88
	}
	chroma := 0.155 * math.Sin(math.Pi*math.Pow(clamp(share, 0, 1), 0.8)*0.72)
	return oklch(from+(to-from)*share, chroma, hue)
}

// oklch converts from Ottosson's OKLab space, "A perceptual color space for image processing", 2020.
func oklch(l, c, hue float64) color.Color {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	a, b := c*cos, c*sin
	cube := func(x float64) float64 { return x * x * x }
	long := cube(l + 0.3963377774*a + 0.2158037573*b)
	middle := cube(l - 0.1055613458*a - 0.0638541728*b)
	short := cube(l - 0.0894841775*a - 1.2914855480*b)
	return color.RGBA{
		R: channel(4.0767416621*long - 3.3077115913*middle + 0.2309699292*short),
		G: channel(-1.2684380046*long + 2.6097574011*middle - 0.3413193965*short),
		B: channel(-0.0041960863*long - 0.7034186147*middle + 1.7076147010*short),
		A: 0xff,
	}
}

func channel(linear float64) uint8 {
	x := clamp(linear, 0, 1)
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * clamp(x, 0, 1)))
}

func clamp(x, low, high float64) float64 { return min(max(x, low), high) }

// luminance and contrast are those of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(x uint32) float64 {
		if v := float64(x) / 0xffff; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return float64(x) / 0xffff / 12.92
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// over returns black or white, whichever has more contrast with a background: at least 4.5.
func over(background color.Color) color.Color {
	black, white := rgb(0), rgb(0xffffff)
	if contrast(background, black) > contrast(background, white) {
		return black
	}
	return white
}

func (t theme) faded(c color.Color, share float64) color.Color {
	mix := func(a, b uint32) uint8 { return uint8((float64(a)*(1-share) + float64(b)*share) / 257) }
	r, g, b, _ := c.RGBA()
	pr, pg, pb, _ := t.paper.RGBA()
	return color.RGBA{R: mix(r, pr), G: mix(g, pg), B: mix(b, pb), A: 0xff}
}

// A polygon is a filled, regular one of about the same area as a disc.
type polygon struct {
	corners     int
	radii, turn float64 // radii is its radius as a multiple of the style's
}

func (p polygon) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.FillPolygon(s.Color, corner(at, s.Radius*vg.Length(p.radii), p.corners, p.turn))
}

func corner(at vg.Point, radius vg.Length, corners int, turn float64) []vg.Point {
	points := make([]vg.Point, corners)
	for i := range points {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(corners))
		points[i] = vg.Point{X: at.X + radius*vg.Length(cos), Y: at.Y + radius*vg.Length(sin)}
	}
	return points
}

const head = 7 * vg.Length(1)

// arrow leads from the edge of a circle around one point to that around another.
func arrow(c *draw.Canvas, line draw.LineStyle, from, to vg.Point, radius vg.Length) {
	d := to.Sub(from)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y))) - 2*radius
	if length <= 0 {
		return
	}
	along := d.Scale(1 / (length + 2*radius))
	from, to = from.Add(along.Scale(radius)), to.Sub(along.Scale(radius))
	across := vg.Point{X: -along.Y, Y: along.X}
	size := min(head, length)
	neck := to.Sub(along.Scale(size * 0.8))
	c.StrokeLine2(line, from.X, from.Y, neck.X, neck.Y)
	base := to.Sub(along.Scale(size))
	c.FillPolygon(line.Color, []vg.Point{to, base.Add(across.Scale(size * 0.36)), neck, base.Sub(across.Scale(size * 0.36))})
}
