package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// The page of an evaluation has no finding of axe, with all that is folded, too, and is not wider than the screen. Folded, it is
// a few screens long.
func TestReport(t *testing.T) {
	need(t)
	script := axe(t)
	report := filepath.Join(t.TempDir(), "report.html")
	w2v(t, "", "eval", "builtin", demoFolder(t)+"/demo.w2v", "--html", report)
	for _, s := range []screen{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			b := newTab(t, s)
			b.goTo("file://" + report)
			b.until("the report", `document.querySelectorAll("section").length > 5`)
			folded := eval[int](b, "document.documentElement.scrollHeight")
			b.screenshot("folded")
			eval[any](b, `document.querySelectorAll("details").forEach(d => { d.open = true })`)
			open := eval[int](b, "document.documentElement.scrollHeight")
			t.Logf("%d pixels high, and %d with all that is folded", folded, open)
			if folded*2 > open {
				t.Errorf("folding makes %d pixels of %d", folded, open)
			}
			if wide := eval[int](b, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("the page is %d pixels wider than the screen", wide)
			}
			eval[any](b, script+"; undefined")
			for _, theme := range []string{"light", "dark"} {
				b.theme(theme)
				b.accessible(theme)
			}
		})
	}
}

// The picture of the explorer in the README: W2V_PICTURE names the PNG that this test writes.
func TestPicture(t *testing.T) {
	need(t)
	path := os.Getenv("W2V_PICTURE")
	if path == "" {
		t.Skip("W2V_PICTURE does not say where the picture goes")
	}
	b := newTab(t, screen{"picture", 1280, 720, false})
	b.theme("light")
	b.open(serve(t, demoFolder(t)+"/other.w2v") + "#map=umap")
	b.until("a map that is made", `document.querySelector(".map-status").innerText.includes("trustworthiness")`)
	b.settle()
	eval[any](b, `document.querySelector('input[type="text"], [role="combobox"]').focus()`)
	b.key("king\r")
	b.until("neighbours", `document.querySelectorAll('ol[aria-label^="Neighbours of"] li').length > 5`)
	b.settle()
	eval[any](b, `document.querySelector(".map-canvas").focus()`)
	b.key("0") // the whole map
	eval[any](b, "document.activeElement.blur()")
	b.settle()
	b.settle()
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, picture, 0o666); err != nil {
		t.Fatal(err)
	}
}
