package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg/draw"
)

// A theme is the colours of a picture.
type theme struct {
	paper, ink, muted, grid color.Color
	accent                  color.Color // of arrows, and of what was asked for
	groups                  []color.Color
	dark                    bool
}

func rgb(hex uint32) color.Color {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// newTheme returns light or dark colours. Those of groups follow Okabe and Ito, "Color Universal
// Design", 2008, whose colours people with any common colour vision tell apart; they are lighter or
// darker where the background asks for it. The order puts those first that differ most.
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

// group returns the colour of a group; that of none is muted.
func (t theme) group(i int) color.Color {
	if i < 0 {
		return t.muted
	}
	return t.groups[i%len(t.groups)]
}

// shape returns the glyph of a group. Groups with the same colour have different shapes.
func shape(i int) draw.GlyphDrawer {
	shapes := []draw.GlyphDrawer{disc{}, square{}, diamond{}, triangle{}, draw.RingGlyph{}, draw.CrossGlyph{}}
	if i < 0 {
		return shapes[0]
	}
	return shapes[i/8%len(shapes)]
}

// ramp returns the colour of a number from 0 to 1: from what is nearly the background to what is
// far from it, in steps that look alike.
func (t theme) ramp(x float64) color.Color { return t.shade(0.25+0.75*clamp(x, 0, 1), 45) }

// cosine returns the colour of a number from −1 to 1: 0 is nearly the background, numbers above it
// are orange to brown and those below blue.
func (t theme) cosine(x float64) color.Color {
	if math.IsNaN(x) {
		return t.grid
	}
	if x < 0 {
		return t.shade(min(1, -x), 252)
	}
	return t.shade(min(1, x), 52)
}

// shade returns a colour of a hue, in degrees of the OKLCH space, that stands out from the
// background by a share from 0 to 1. Lightness changes linearly.
func (t theme) shade(share, hue float64) color.Color {
	from, to := 0.975, 0.40
	if t.dark {
		from, to = 0.25, 0.88
	}
	chroma := 0.155 * math.Sin(math.Pi*math.Pow(clamp(share, 0, 1), 0.8)*0.72)
	return oklch(from+(to-from)*share, chroma, hue)
}

// oklch returns a colour of Ottosson's OKLab space, "A perceptual color space for image
// processing", 2020, given by lightness, chroma and hue in degrees.
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

// channel returns a channel of sRGB for linear light.
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

// luminance is the relative luminance of WCAG 2, from 0 to 1.
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

// contrast is the ratio of WCAG 2, from 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// over returns black or white, whichever is easier to read on a colour. One of both has a contrast of
// 4.5 at least.
func over(background color.Color) color.Color {
	black, white := rgb(0), rgb(0xffffff)
	if contrast(background, black) > contrast(background, white) {
		return black
	}
	return white
}

// faded returns a colour with a part of the background in it.
func (t theme) faded(c color.Color, share float64) color.Color {
	mix := func(a, b uint32) uint8 { return uint8((float64(a)*(1-share) + float64(b)*share) / 257) }
	r, g, b, _ := c.RGBA()
	pr, pg, pb, _ := t.paper.RGBA()
	return color.RGBA{R: mix(r, pr), G: mix(g, pg), B: mix(b, pb), A: 0xff}
}
