package browser

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
)

// The view is taken as a picture of pixels and as one of shapes, in the plane of a question, too.
func TestPictures(t *testing.T) {
	need(t)
	b := newTab(t, desktop)
	b.open(serve(t, demoFolder(t)+"/demo.w2v") + "#model=demo&map=pca&panel=info")
	b.drawn(2)
	eval[any](b, `window.taken = []; (make => URL.createObjectURL = blob => { taken.push(blob); return make(blob) })(URL.createObjectURL.bind(URL))`)
	b.press("#panel button", "PNG")
	b.until("a picture", `taken.length === 1 && taken[0].type === "image/png"`)
	colours := eval[int](b, `createImageBitmap(taken[0]).then(picture => {
		const copy = document.createElement("canvas");
		copy.width = 300; copy.height = 300;
		const context = copy.getContext("2d");
		context.drawImage(picture, 0, 0, 300, 300);
		const points = document.createElement("canvas");
		return new Set(new Uint32Array(context.getImageData(0, 0, 300, 300).data.buffer)).size;
	})`)
	if colours < 100 {
		t.Errorf("the picture has %d colours", colours)
	}
	b.press("#panel button", "SVG")
	b.until("a picture of shapes", `taken.length === 2 && taken[1].type === "image/svg+xml"`)
	shapes := eval[map[string]int](b, `taken[1].text().then(text => { const p = new DOMParser().parseFromString(text, "image/svg+xml"); return {points: p.querySelectorAll("path").length, labels: p.querySelectorAll("text").length, errors: p.querySelectorAll("parsererror").length} })`)
	if shapes["points"] < 500 || shapes["labels"] < 10 || shapes["errors"] > 0 {
		t.Errorf("the picture has %v", shapes)
	}
}

// Two fingers zoom in the plane of an analogy, which is not drawn by deck.gl.
func TestPinchInThePlane(t *testing.T) {
	need(t)
	b := newTab(t, phone)
	b.goTo(serve(t, demoFolder(t)+"/demo.w2v") + "#model=demo&map=pca&panel=analogy&analogy=man&analogy=king&analogy=woman")
	b.until("the plane", `document.querySelector(".map-status")?.textContent.includes("The plane of")`)
	b.settle()
	at := b.boxOf(".map", "")
	x, y := at.middle()
	fingers := func(kind input.DispatchTouchEventType, apart float64) {
		points := []*input.TouchPoint{}
		if kind != input.DispatchTouchEventTypeTouchEnd {
			points = append(points, &input.TouchPoint{X: x - apart, Y: y, ID: new(0.0)}, &input.TouchPoint{X: x + apart, Y: y, ID: new(1.0)})
		}
		call(b, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
	}
	fingers(input.DispatchTouchEventTypeTouchStart, 20)
	for apart := 25.0; apart <= 60; apart += 5 {
		fingers(input.DispatchTouchEventTypeTouchMove, apart)
		time.Sleep(20 * time.Millisecond)
	}
	fingers(input.DispatchTouchEventTypeTouchEnd, 0)
	b.until("the camera of the plane in the address", `location.hash.includes("at=")`)
	b.screenshot("zoomed")
	b.press(`.toolbar button`, "Show all of the plane")
	b.until("all of the plane", `!location.hash.includes("at=")`)
}
