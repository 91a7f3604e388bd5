package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationmonoregular"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

var update = flag.Bool("update", false, "write the golden files")

// recorded draws a picture and returns what was drawn.
func recorded(t *testing.T, p Picture, s Style) ([]recorder.Action, *canvas) {
	t.Helper()
	var r recorder.Canvas
	w, h := s.size(p.size())
	c := &canvas{Canvas: draw.NewCanvas(&r, w, h), theme: newTheme(s.Dark), fonts: newFonts(nil, true)}
	if err := c.picture(p, s); err != nil {
		t.Fatal(err)
	}
	return r.Actions, c
}

// texts returns the boxes of the unrotated texts of actions, by text.
func texts(c *canvas, actions []recorder.Action) map[string]vg.Rectangle {
	boxes := map[string]vg.Rectangle{}
	rotated := 0
	for _, a := range actions {
		switch a := a.(type) {
		case *recorder.Push:
			rotated++
		case *recorder.Pop:
			rotated--
		case *recorder.FillString:
			if rotated == 0 {
				of := regular(a.Size)
				of.Weight = a.Font.Weight
				w, h, d := c.fonts.Box(a.String, of)
				boxes[a.String] = vg.Rectangle{Min: a.Point.Sub(vg.Point{Y: d}), Max: a.Point.Add(vg.Point{X: w, Y: h})}
			}
		}
	}
	return boxes
}

// wordMap is a map of n words at random places, in groups, with a relation.
func wordMap(n int, seed uint64) Map {
	r := rand.New(rand.NewPCG(seed, 2))
	m := Map{Title: "A map", X: "across", Y: "up", Groups: []string{"first", "second"}}
	for i := range n {
		m.Points = append(m.Points, Place{Label: fmt.Sprintf("word %d", i), X: r.NormFloat64(), Y: r.NormFloat64(), Group: i%3 - 1, Strong: i%7 == 0})
	}
	if n >= 4 {
		m.Relations = []Relation{{{0, 1}, {2, 3}}}
	}
	return m
}

func TestMapsInDetail(t *testing.T) {
	for _, n := range []int{1, 2, 4, 40, 300} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(n, " ", seed), func(t *testing.T) {
				m := wordMap(n, seed)
				actions, c := recorded(t, m, Style{})
				boxes := texts(c, actions)
				w, h := Style{}.size(m.size())
				var labels []vg.Rectangle
				for _, p := range m.Points {
					b, drawn := boxes[p.Label]
					if !drawn {
						continue
					}
					if b.Min.X < 0 || b.Min.Y < 0 || b.Max.X > w || b.Max.Y > h {
						t.Errorf("%s is outside of the picture: %v", p.Label, b)
					}
					// Boxes have room for accents and descenders, which a placed label has less of.
					labels = append(labels, grow(b, -1))
				}
				for i, a := range labels {
					for _, b := range labels[:i] {
						if overlap(a, b) {
							t.Errorf("labels overlap: %v, %v", a, b)
						}
					}
				}
				if len(labels)+len(c.drawn.Unlabelled) != n {
					t.Errorf("%d labels, and %d left out, of %d", len(labels), len(c.drawn.Unlabelled), n)
				}
				if n <= 40 && len(c.drawn.Unlabelled) > 0 {
					t.Errorf("no room for %q", c.drawn.Unlabelled)
				}
			})
		}
	}
}

// An arrow begins and ends on the circles around its points, and nowhere else.
func TestArrowsBeginAndEndAtTheirPoints(t *testing.T) {
	for _, c := range []struct{ from, to vg.Point }{
		{vg.Point{X: 10, Y: 10}, vg.Point{X: 110, Y: 10}},
		{vg.Point{X: 50, Y: 90}, vg.Point{X: 20, Y: 30}},
		{vg.Point{X: 50, Y: 50}, vg.Point{X: 50, Y: 62}},
	} {
		var r recorder.Canvas
		on := draw.NewCanvas(&r, 200, 200)
		arrow(&on, draw.LineStyle{Color: color.Black, Width: 1}, c.from, c.to, 3)
		var line, tip vg.Path
		for _, a := range r.Actions {
			switch a := a.(type) {
			case *recorder.Stroke:
				line = a.Path
			case *recorder.Fill:
				tip = a.Path
			}
		}
		distance := func(a, b vg.Point) float64 { return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) }
		if d := distance(line[0].Pos, c.from); math.Abs(d-3) > 1e-9 {
			t.Errorf("%v: begins %v away from its point", c, d)
		}
		if d := distance(tip[0].Pos, c.to); math.Abs(d-3) > 1e-9 {
			t.Errorf("%v: ends %v away from its point", c, d)
		}
		if d := distance(c.from, c.to) - distance(line[0].Pos, tip[0].Pos) - 6; math.Abs(d) > 1e-9 {
			t.Errorf("%v: is not on the line between its points", c)
		}
	}
	var r recorder.Canvas
	on := draw.NewCanvas(&r, 200, 200)
	if arrow(&on, draw.LineStyle{Width: 1}, vg.Point{X: 5}, vg.Point{X: 10}, 3); len(r.Actions) > 1 { // NewCanvas sets a width
		t.Errorf("an arrow between points that touch: %d actions", len(r.Actions))
	}
}

// All points are within the map, at one scale, and the corners of parallelograms are where they belong.
func TestMapKeepsShapes(t *testing.T) {
	m := Map{Points: []Place{{X: 0, Y: 0}, {X: 0, Y: 2}, {X: 4, Y: 0}, {X: 5, Y: 3}}, Relations: []Relation{{{0, 1}, {2, 3}}}}
	area := vg.Rectangle{Min: vg.Point{X: 100, Y: 100}, Max: vg.Point{X: 200, Y: 400}}
	to := m.mapped(area)
	if low, high := to(0, 0), to(5, 3); high.X-low.X != 100 || high.Y-low.Y != 60 || low.X != 100 || low.Y != 220 {
		t.Errorf("%v … %v", low, high)
	}
	if x, y := m.Relations[0].corner(m.Points, 1); x != 4 || y != 2 {
		t.Errorf("corner at %v, %v", x, y)
	}
	m.Relations = nil
	m.Points = m.Points[:1]
	if at := m.mapped(area)(0, 0); at != (vg.Point{X: 150, Y: 250}) {
		t.Errorf("one word is at %v", at)
	}
	for name, x := range map[string]float64{"NaN": math.NaN(), "infinite": math.Inf(1)} {
		if _, err := Write(io.Discard, Map{Points: []Place{{Label: "a"}, {Label: "b", X: x}}}, SVG, Style{}); err == nil || !strings.Contains(err.Error(), `"b"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// heat is a small heat map.
func heat() Heatmap {
	return Heatmap{Title: "Heat", Scale: "cosine", Words: []string{"cat", "dog", "car"}, Values: [][]float64{{1, 0.61, -0.2}, {0.61, 1, math.NaN()}, {-0.2, math.NaN(), 1}},
		Tree: []Join{{0, 1, 0.39}, {3, 2, 1.1}}}
}

// curves are a small picture of lines.
func curves() Panels {
	return Panels{Title: "Curves", X: "tokens trained", FromZero: true, Series: []string{"one", "two"},
		Panels: []Panel{
			{Y: "loss", Lines: []Line{{Series: 0, Points: []Point{{X: 1e6, Y: 3}, {X: 2e6, Y: 2.5}, {X: 3e6, Y: math.NaN()}, {X: 4e6, Y: 2.2}}}, {Series: 1, Dots: true, Points: []Point{{X: 1e6, Y: 3.1}, {X: 4e6, Y: 2.4}}}}},
			{Y: "score", FromZero: true, Percent: true, Lines: []Line{{Series: 1, Dots: true, Points: []Point{{X: 2e6, Y: 0.3, Low: 0.1, High: 0.6, From: 1e6, To: 3e6, Label: "here"}}}}},
		},
		Marks: []Mark{{X: 2.5e6, Label: "resumed"}}}
}

func pictures() map[string]Picture {
	m := wordMap(9, 3)
	m.Points[4].Label = "日本 & <κόσμος>"
	ramp := wordMap(5, 4)
	ramp.Ramp, ramp.Relations = "age", nil
	for i := range ramp.Points {
		ramp.Points[i].Value = float64(i)
	}
	ramp.Points[2].Value = math.NaN()
	return map[string]Picture{"map": m, "ramp": ramp, "heatmap": heat(), "panels": curves(),
		"scores": Scores{X: "bytes", Sets: []ScoresOf{{Set: "ws353", Points: []Point{{X: 1e3, Y: 0.5, Low: 0.4, High: 0.6, Label: "first"}, {X: 1e6, Y: 0.6, Label: "second"}}, Baselines: []Point{{Y: 0.1, Label: "chance"}}}}}.Panels()}
}

func TestGoldenPictures(t *testing.T) {
	for name, p := range pictures() {
		for _, dark := range []bool{false, true} {
			file := name + ".svg"
			if dark {
				file = name + "-dark.svg"
			}
			t.Run(file, func(t *testing.T) {
				var got bytes.Buffer
				if _, err := Write(&got, p, SVG, Style{Dark: dark, Width: 5, Height: 4}); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join("testdata", file)
				if *update {
					if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
					t.Errorf("%s has changed: look at it, and run go test with -update if it is as it should be", path)
				}
			})
		}
	}
}

// wellFormed returns the texts of an SVG by the element that they are in, and fails for elements that
// no picture has.
func wellFormed(t *testing.T, svg []byte) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	var open []string
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if name := token.Name.Local; !strings.Contains(" svg title g path text ", " "+name+" ") {
				t.Fatalf("there is an element %q", name)
			}
			for _, a := range token.Attr {
				if !strings.Contains(" role font-family width height viewBox xmlns xlink transform style d x y ", " "+a.Name.Local+" ") {
					t.Fatalf("there is an attribute %q", a.Name.Local)
				}
			}
			open = append(open, token.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && strings.TrimSpace(string(token)) != "" {
				found[open[len(open)-1]] = append(found[open[len(open)-1]], string(token))
			}
		}
	}
}

func FuzzHostileLabels(f *testing.F) {
	for _, s := range []string{"word", "<script>alert(1)</script>", `"/><g onload="x`, "a\x00b\x1b[31m", "\xff\xfe", "]]>", "&amp;&#0;", "\u202egnp.exe", "日本語", "\n\n\n", "", strings.Repeat("long ", 100),
		`style="font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;`, "\ufffe\uffff", "'", "\t", "العربية"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := Map{Title: s, Subtitle: s, X: s, Groups: []string{s}, Points: []Place{{Label: s, Strong: true}, {Label: "other", X: 1, Y: 1, Group: -1}}}
		for _, p := range []Picture{m, Heatmap{Title: s, Scale: s, Words: []string{s, s}, Values: [][]float64{{1, 0}, {0, 1}}}, Panels{Title: s, Series: []string{s, s}, Panels: []Panel{{Y: s, Lines: []Line{{Points: []Point{{X: 1, Y: 1, Label: s}}}}}}}} {
			var out bytes.Buffer
			if _, err := Write(&out, p, SVG, Style{}); err != nil {
				t.Fatal(err)
			}
			all := wellFormed(t, out.Bytes())
			if _, isMap := p.(Map); isMap && strings.TrimSpace(label(s)) != "" && len([]rune(s)) < 30 && !strings.Contains(strings.Join(all["text"], "\n"), strings.TrimSpace(label(s))) {
				t.Errorf("%q is not among %q", label(s), all["text"])
			}
		}
	})
}

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
			for _, cell := range []color.Color{c.cosine(x), c.cosine(-x)} {
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
