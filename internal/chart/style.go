package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// A Style is how a picture looks, whatever is drawn. The zero value works.
type Style struct {
	// Width and Height are in inches, from MinSide to MaxSide; 0 for what suits the picture.
	Width, Height float64
	// DPI is how many pixels of a PNG make an inch, from MinDPI to MaxDPI; 0 means DefaultDPI.
	DPI int
	// Dark draws light text on a dark background.
	Dark bool
	// Title stands above the picture; empty for the picture's own title.
	Title string
	// Fonts are asked for glyphs before Liberation Sans, in this order.
	Fonts []*Font
}

// Limits of a Style.
const (
	MinSide, MaxSide = 1.5, 100
	MinDPI, MaxDPI   = 24, 2400
	DefaultDPI       = 144
)

// Validate returns an error if a size is not within its limits.
func (s Style) Validate() error {
	for _, side := range []struct {
		name   string
		inches float64
	}{{"width", s.Width}, {"height", s.Height}} {
		if x := side.inches; x != 0 && !(x >= MinSide && x <= MaxSide) {
			return fmt.Errorf("the %s of a picture must be from %g to %d inches, is %g", side.name, MinSide, MaxSide, x)
		}
	}
	if s.DPI != 0 && (s.DPI < MinDPI || s.DPI > MaxDPI) {
		return fmt.Errorf("a PNG must have from %d to %d dots per inch, has %d", MinDPI, MaxDPI, s.DPI)
	}
	return nil
}

// size returns the sides of a picture with such sides of its own, in inches. Where one side is asked
// for, the other one of a picture with a shape of its own follows it.
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

func (s Style) dpi() int {
	if s.DPI == 0 {
		return DefaultDPI
	}
	return s.DPI
}

// Pixels returns the sides of the PNG of a picture, and the bytes that drawing it takes: the
// pixels of the image, and of the one that it is drawn on.
func (s Style) Pixels(p Picture) (width, height int, bytes uint64) {
	w, h := s.size(p.size())
	pixels := func(side vg.Length) int { return int(math.Ceil(float64(side/vg.Inch) * float64(s.dpi()))) }
	width, height = pixels(w), pixels(h)
	const images, number = 2, 4
	return width, height, images * number * uint64(width) * uint64(height)
}
