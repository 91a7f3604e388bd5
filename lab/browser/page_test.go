package browser

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A box is where an element is, in pixels of the page.
type box struct{ X, Y, Width, Height float64 }

func (b box) middle() (x, y float64) { return b.X + b.Width/2, b.Y + b.Height/2 }

// quote returns a text as an expression of the page.
func quote(text string) string {
	q, _ := json.Marshal(text) // strings can be encoded
	return string(q)
}

// visible is an expression for the first visible element of a selector whose text, name or value contains text.
func visible(selector, text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].find(e => e.getClientRects().length > 0 && (e.innerText + " " + (e.getAttribute("aria-label") ?? "") + " " + (e.title ?? "")).includes(%s))`, quote(selector), quote(text))
}

// boxOf waits for an element, scrolls to it and returns where it is.
func (b *tab) boxOf(selector, text string) box {
	b.Helper()
	e := visible(selector, text)
	b.until("an element "+selector+" with "+text, e)
	eval[any](b, "("+e+").scrollIntoView({block: 'nearest', inline: 'center', behavior: 'instant'})")
	time.Sleep(50 * time.Millisecond)
	return eval[box](b, "(({x, y, width, height}) => ({X: x, Y: y, Width: width, Height: height}))(("+e+").getBoundingClientRect())")
}

// press clicks or taps an element.
func (b *tab) press(selector, text string) {
	b.Helper()
	at := b.boxOf(selector, text)
	x, y := at.middle()
	b.pressAt(x, y)
}

// openPanel opens a panel. A tap while the page draws, on a busy machine, may be taken for a long press: then
// people tap again.
func (b *tab) openPanel(panel string) {
	b.Helper()
	const taps = 3
	opened := `document.querySelector('[role="tab"][aria-selected="true"]').innerText.includes(` + quote(panel) + `)`
	for range taps {
		b.press(`[role="tab"]`, panel)
		for begun := time.Now(); time.Since(begun) < patience/40; time.Sleep(50 * time.Millisecond) {
			if eval[bool](b, opened) {
				return
			}
		}
	}
	b.until("the panel "+panel, opened)
}

// pressAt clicks or taps a place.
func (b *tab) pressAt(x, y float64) {
	b.Helper()
	if b.screen.touch {
		// A finger that rests while the page draws is a long press, and no tap.
		eval[any](b, "window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = true }))")
		b.until("a page that has been drawn", "window.drawn")
		b.do(chromedp.TapXY(x, y))
		return
	}
	b.do(chromedp.MouseClickXY(x, y))
}

// drag moves the pointer along a path with the button, or a finger, down.
func (b *tab) drag(path ...[2]float64) {
	b.Helper()
	steps := 6
	if b.screen.touch {
		steps = 2 // each of which waits for a frame
	}
	at := func(mouse input.DispatchMouseEventType, touch input.DispatchTouchEventType, x, y float64) {
		if !b.screen.touch {
			call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: mouse, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
			return
		}
		points := []*input.TouchPoint{}
		if touch != input.DispatchTouchEventTypeTouchEnd {
			points = append(points, &input.TouchPoint{X: x, Y: y})
		}
		call(b, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: touch, TouchPoints: points})
	}
	at(input.DispatchMouseEventTypeMousePressed, input.DispatchTouchEventTypeTouchStart, path[0][0], path[0][1])
	for i := 1; i < len(path); i++ {
		for s := 1; s <= steps; s++ {
			f := float64(s) / float64(steps)
			at(input.DispatchMouseEventTypeMouseMoved, input.DispatchTouchEventTypeTouchMove, path[i-1][0]+f*(path[i][0]-path[i-1][0]), path[i-1][1]+f*(path[i][1]-path[i-1][1]))
		}
	}
	last := path[len(path)-1]
	at(input.DispatchMouseEventTypeMouseReleased, input.DispatchTouchEventTypeTouchEnd, last[0], last[1])
}

// fill types a text into a field, in the place of what is there.
func (b *tab) fill(selector, text string) {
	b.Helper()
	for range 3 { // a panel that grows meanwhile moves the field from under a finger
		b.press(selector, "")
		if eval[bool](b, "document.activeElement.matches("+quote(selector)+")") {
			break
		}
		b.settle()
	}
	eval[any](b, "document.activeElement.select()")
	b.do(chromedp.KeyEvent(kb.Backspace))
	b.do(chromedp.KeyEvent(text))
}

// key presses a key.
func (b *tab) key(key string) {
	b.Helper()
	b.do(chromedp.KeyEvent(key))
}

// choose chooses an option of a select element.
func (b *tab) choose(selector, value string) {
	b.Helper()
	b.until("a choice "+selector, "document.querySelector("+quote(selector)+")")
	eval[any](b, fmt.Sprintf(`(e => { e.value = %s; e.dispatchEvent(new Event("change", {bubbles: true})) })(document.querySelector(%s))`, quote(value), quote(selector)))
}

// goTo opens an address. The page is left before its server ends, which it would ask again.
func (b *tab) goTo(url string) {
	b.Helper()
	if !b.leaves {
		b.leaves = true
		b.Cleanup(func() { _, _ = chromedp.Run(b.ctx, chromedp.Navigate("about:blank")) }) // the browser may have ended
	}
	b.do(chromedp.Navigate(url))
}

// settle waits for movements to end.
func (b *tab) settle() {
	b.Helper()
	time.Sleep(700 * time.Millisecond)
}

// open opens the explorer and waits for its map.
func (b *tab) open(url string) {
	b.Helper()
	b.goTo(url)
	b.mapReady()
}

// mapReady waits until there is a map with words in view.
func (b *tab) mapReady() {
	b.Helper()
	b.until("a map with words", `document.querySelectorAll(".map-canvas li").length > 3`)
	b.settle()
}

// drawn waits until the points are drawn with at least so many colours. A busy machine draws late.
func (b *tab) drawn(colours int) {
	b.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		n := b.colours()
		if n >= colours {
			return
		}
		if time.Now().After(deadline) {
			b.screenshot("failed")
			b.Fatalf("the points have %d colours after %v, want %d", n, patience, colours)
		}
	}
}

// colours returns how many colours the points have that are drawn, as far as a grid of pixels tells.
func (b *tab) colours() int {
	b.Helper()
	return eval[int](b, `new Promise(done => requestAnimationFrame(() => {
		const points = document.querySelector("canvas.points"), copy = document.createElement("canvas");
		copy.width = 200; copy.height = 200;
		const context = copy.getContext("2d");
		context.drawImage(points, 0, 0, 200, 200);
		const pixels = new Uint32Array(context.getImageData(0, 0, 200, 200).data.buffer);
		done(new Set(pixels).size);
	}))`)
}
