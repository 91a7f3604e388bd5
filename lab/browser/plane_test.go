package browser

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// The presets of the analogy's panel, in a plane of their own: the corner of the parallelogram is near to the best answer. The
// address gives the plane and its camera back, and the map of all words is a click away.
func TestAnalogyPlane(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	b := newTab(t, desktop)
	b.open(serve(t, folder+"/demo.w2v") + "#model=demo&map=pca&panel=analogy")
	b.until("examples", `document.querySelectorAll("#panel .chips .chip").length === 5`)
	presets := eval[[]string](b, `[...document.querySelectorAll("#panel .chips .chip")].map(e => e.innerText)`)
	for i, preset := range presets {
		b.press("#panel .chip", preset)
		b.until("by how much the analogy misses", `document.querySelector("#analogy-miss")`)
		b.settle()
		b.screenshot(strconv.Itoa(i))
		text := eval[string](b, `document.querySelector("#analogy-miss").innerText`)
		// … by 23 % of it in the plane that is drawn.
		drawn, _, _ := strings.Cut(text[strings.LastIndex(text, " by ")+len(" by "):], " %")
		if miss, err := strconv.Atoi(drawn); err != nil || miss > 35 {
			t.Errorf("%s: %s", preset, text)
		}
		if i < len(presets)-1 {
			b.press(`#panel [aria-label="Remove the analogy"]`, "")
		}
	}
	const inPlane = `document.querySelector(".map-status")?.innerText.includes("The plane of") && getComputedStyle(document.querySelector(".map-canvas")).visibility === "hidden"`
	b.until("the plane", inPlane)
	b.press(`.toolbar button`, "Zoom in")
	b.until("the camera of the plane in the address", `location.hash.includes("at=")`)
	address := eval[string](b, "location.href")
	b.goTo("about:blank")
	b.goTo(address)
	b.until("the plane again", inPlane)
	b.press(".map-status button", "on the whole map")
	b.until("the map", `getComputedStyle(document.querySelector(".map-canvas")).visibility === "visible" && new URLSearchParams(location.hash.slice(1)).get("on") === "map"`)
	b.settle()
	b.screenshot("map")
	if parsed, err := url.Parse(address); err != nil || strings.Contains(parsed.Fragment, "on=map") {
		t.Errorf("the address is %s", address)
	}
	b.goTo("about:blank")
	b.goTo(strings.Split(address, "#")[0] + "#model=demo&map=pca&panel=axis&axis=small&axis=big")
	b.until("the plane of an axis", `document.querySelector(".map-status")?.innerText.includes("The plane of small → big")`)
	b.settle()
	b.screenshot("axis")
}
