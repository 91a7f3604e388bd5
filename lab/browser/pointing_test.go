package browser

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// The graphics card draws the points, and the processor finds the word under the pointer. Both must take a
// word to be at the same place, wherever the camera is.
func TestPointsAreWhereTheyAreFound(t *testing.T) {
	need(t)
	const n = 400
	r := rand.New(rand.NewPCG(3, 4))
	rows, words := vectors.NewMatrix(n, 3), make([]string, n)
	for i := range n {
		words[i] = fmt.Sprint("word", i)
		for k := range 3 {
			rows.Row(i)[k] = float32(r.NormFloat64())
		}
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "few.w2v")
	if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	b := newTab(t, desktop)
	b.open(serve(t, path) + "#map=pca&color=none&at=30,-20,3")
	b.press(`.toolbar [aria-label="Density contours"]`, "")
	// What lies over the points is hidden.
	eval[bool](b, `(document.querySelectorAll(".overlay, .toolbar, .legend, .map-status").forEach(e => e.style.visibility = "hidden"), true)`)
	b.settle()

	at := b.boxOf(".map-canvas", "")
	inside := image.Rect(int(at.X), int(at.Y), int(at.X+at.Width), int(at.Y+at.Height)).Inset(40)
	dots, empty := dotsOf(t, b.picture(), inside)
	if len(dots) < 10 || len(empty) < 10 {
		t.Fatalf("%d points and %d empty places are on the screen", len(dots), len(empty))
	}
	pointing := func(p image.Point) bool {
		call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: float64(p.X), Y: float64(p.Y)})
		b.settle()
		return eval[bool](b, `document.querySelector(".map-canvas").classList.contains("pointing")`)
	}
	for _, dot := range dots[:10] {
		if !pointing(dot) {
			t.Errorf("there is a point at %v, and no word is found there", dot)
		}
	}
	for _, place := range empty[:10] {
		if pointing(place) {
			t.Errorf("there is nothing at %v, and a word is found there", place)
		}
	}
}

// picture returns what the page looks like.
func (b *tab) picture() image.Image {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	return picture
}

// dotsOf returns places in a part of a picture where there is something of at least 3 by 3 pixels, and places
// with nothing in 25 pixels around them, each far from the others.
func dotsOf(t *testing.T, picture image.Image, part image.Rectangle) (dots, empty []image.Point) {
	t.Helper()
	ground := picture.At(part.Min.X, part.Min.Y)
	red, green, blue, _ := ground.RGBA()
	differs := func(x, y int) bool {
		r, g, b, _ := picture.At(x, y).RGBA()
		far := func(a, b uint32) bool { return max(a, b)-min(a, b) > 0x2000 }
		return far(r, red) || far(g, green) || far(b, blue)
	}
	count := func(x, y, around int) (found int) {
		for i := -around; i <= around; i++ {
			for j := -around; j <= around; j++ {
				if differs(x+i, y+j) {
					found++
				}
			}
		}
		return found
	}
	alone := func(x, y int, others []image.Point) bool {
		for _, o := range others {
			if max(o.X-x, x-o.X) < 30 && max(o.Y-y, y-o.Y) < 30 {
				return false
			}
		}
		return true
	}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if differs(x, y) && alone(x, y, dots) && count(x, y, 1) == 9 {
				dots = append(dots, image.Pt(x, y))
			}
			if x%40 == 0 && y%40 == 0 && count(x, y, 25) == 0 {
				empty = append(empty, image.Pt(x, y))
			}
		}
	}
	return dots, empty
}
