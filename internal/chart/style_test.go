package chart

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationmonoregular"
)

func TestColoursCanBeTold(t *testing.T) {
	for name, dark := range map[string]bool{"light": false, "dark": true} {
		c := newTheme(dark)
		if x := contrast(c.ink, c.paper); x < 12 {
			t.Errorf("%s: text has a contrast of %.1f", name, x)
		}
		if x := contrast(c.muted, c.paper); x < 4.5 {
			t.Errorf("%s: names of axes have a contrast of %.1f", name, x)
		}
		for i, g := range append(slices.Clone(c.groups), c.accent) {
			if x := contrast(g, c.paper); x < 2.8 {
				t.Errorf("%s: group %d has a contrast of %.1f", name, i, x)
			}
		}
		last := 0.0
		for x := 0.0; x <= 1; x += 0.05 {
			for _, cell := range []colour{c.cosine(x), c.cosine(-x)} {
				if readable := contrast(over(cell), cell); readable < 4.5 {
					t.Errorf("%s: the number %.2f in its cell has a contrast of %.1f", name, x, readable)
				}
			}
			apart := contrast(c.cosine(x), c.paper)
			if apart < last {
				t.Errorf("%s: %.2f is nearer to the background than what is below it", name, x)
			}
			last = apart
		}
		if c.cosine(math.NaN()) != c.grid {
			t.Errorf("%s: no number has a colour", name)
		}
	}
}

func TestStylesAreChecked(t *testing.T) {
	for want, s := range map[string]Style{
		"width":                   {Width: 1},
		"height":                  {Height: 101},
		"the width":               {Width: math.NaN()},
		"from 24 to 2400 dots":    {DPI: 10},
		"no room for 2 panels":    {Height: 1.5},
		"ask for fewer dots":      {Width: 100, Height: 100, DPI: 2400},
		"must be from 1.5 to 100": {Width: math.Inf(1)},
	} {
		if _, err := Write(io.Discard, curves(), PNG, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", s, err, want)
		}
	}
}

func TestPixels(t *testing.T) {
	s := Style{Width: 4, Height: 2.5, DPI: 100}
	var out bytes.Buffer
	if _, err := Write(&out, heat(), PNG, s); err != nil {
		t.Fatal(err)
	}
	if size, err := png.DecodeConfig(&out); err != nil || size.Width != 400 || size.Height != 250 {
		t.Errorf("%+v, %v", size, err)
	}
	if w, h, bytes := s.Pixels(heat()); w != 400 || h != 250 || bytes != 800_000 {
		t.Errorf("%d, %d, %d", w, h, bytes)
	}
}

func TestOneSideIsEnough(t *testing.T) {
	for name, c := range map[string]struct {
		Picture
		Style
		width, height int
	}{
		"a map half as wide":      {wordMap(5, 1), Style{Width: 4, DPI: 100}, 400, 300},
		"a map twice as high":     {wordMap(5, 1), Style{Height: 12, DPI: 100}, 1600, 1200},
		"both sides of a map":     {wordMap(5, 1), Style{Width: 4, Height: 4, DPI: 100}, 400, 400},
		"panels keep their sides": {curves(), Style{Width: 4, DPI: 100}, 400, 520},
	} {
		if w, h, _ := c.Pixels(c.Picture); w != c.width || h != c.height {
			t.Errorf("%s: %d × %d, want %d × %d", name, w, h, c.width, c.height)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestWritersThatFail(t *testing.T) {
	for _, f := range Formats() {
		if _, err := Write(broken{}, heat(), f, Style{}); err == nil || err.Error() != "the disk is full" {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestGlyphs(t *testing.T) {
	m := Map{Points: []Place{{Label: "café"}, {Label: "日本", X: 1}, {Label: "שלום", X: 2}, {Label: "Москва", X: 3}}}
	d, err := Write(io.Discard, m, PNG, Style{})
	if err != nil || !slices.Equal(d.NoGlyphs, []string{"日本"}) || !slices.Equal(d.Unshaped, []string{"שלום"}) {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err = Write(io.Discard, m, SVG, Style{}); err != nil || len(d.NoGlyphs)+len(d.Unshaped) > 0 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestParseFont(t *testing.T) {
	f, err := ParseFont(liberationmonoregular.TTF)
	if err != nil || f.Family != "Liberation Mono" {
		t.Fatalf("%+v, %v", f, err)
	}
	var out bytes.Buffer
	if _, err := Write(&out, heat(), SVG, Style{Fonts: []*Font{f}}); err != nil || !strings.Contains(out.String(), `font-family="&#39;Liberation Mono&#39;, `) {
		t.Errorf("%v, %.200s", err, out.String())
	}
	if _, err := Write(io.Discard, heat(), PNG, Style{Fonts: []*Font{f}}); err != nil {
		t.Error(err)
	}
	narrow, wide := newFonts(nil, false), newFonts([]*Font{f}, false)
	a, _, _ := narrow.Box("iiii", regular(10))
	if b, _, _ := wide.Box("iiii", regular(10)); b <= a {
		t.Errorf("four times i is %v wide in a font of even widths, and %v in another", b, a)
	}
	for _, bad := range [][]byte{nil, []byte("no font"), liberationmonoregular.TTF[:1000], bytes.Repeat([]byte{0}, 100)} {
		if _, err := ParseFont(bad); err == nil {
			t.Errorf("%.10q is a font", bad)
		}
	}
}

func FuzzParseFont(f *testing.F) {
	f.Add([]byte("true"))
	f.Add(liberationmonoregular.TTF[:2000])
	f.Add([]byte("ttcf\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x10"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if font, err := ParseFont(data); err == nil {
			_, _ = Write(io.Discard, heat(), PNG, Style{Fonts: []*Font{font}, DPI: MinDPI})
		}
	})
}

func TestLabel(t *testing.T) {
	for in, want := range map[string]string{
		"word":                   "word",
		"a\tb\nc":                "a b c",
		"\x00\x1b\xff":           "\ufffd\ufffd\ufffd",
		"\u202eabc":              "\ufffdabc",
		strings.Repeat("x", 48):  strings.Repeat("x", 48),
		strings.Repeat("xy", 25): strings.Repeat("xy", 16) + "…" + "y" + strings.Repeat("xy", 7),
	} {
		if got := label(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
