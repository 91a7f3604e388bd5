package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/w2v-go/w2v/lab/product"
)

// axe is the script of axe-core, which npm installs with the front end's other tools.
func axe(t *testing.T) string {
	t.Helper()
	folder, err := product.Folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(folder, "serve", "web", "node_modules", "axe-core", "axe.min.js"))
	switch {
	case err == nil:
		return string(script)
	case os.Getenv("W2V_BROWSER") == "require":
		t.Fatalf("%v: run npm ci in serve/web", err)
	default:
		t.Skipf("%v: run npm ci in serve/web", err)
	}
	return ""
}

// accessible fails the test if axe finds something serious or critical in the page.
func (b *tab) accessible(what string) {
	b.Helper()
	found := eval[[]string](b, `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => v.impact + ": " + v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")))`)
	for _, text := range found {
		b.Errorf("%s: %s", what, text)
	}
	if len(found) > 0 {
		b.screenshot(what)
	}
}

// Nothing serious is found by axe in any panel, light and dark, on a desk and on a phone.
func TestAccessible(t *testing.T) {
	need(t)
	script := axe(t)
	folder := demoFolder(t)
	url := serve(t, folder+"/demo.w2v", folder+"/other.w2v", "--log", folder)
	for _, s := range []screen{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			b := newTab(t, s)
			b.open(url + "#model=demo&map=pca&word=unhappiness&analogy=man&analogy=woman&analogy=king&axis=small&axis=big&other=other")
			b.forgive("404 (Not Found)") // the other model does not know the word, and the browser logs that by itself
			b.until("neighbours", `document.querySelectorAll('ol[aria-label^="Neighbours of"] li').length > 5`)
			eval[any](b, script+"; undefined")
			for _, theme := range []string{"light", "dark"} {
				b.theme(theme)
				for _, panel := range []string{"Word", "Analogy", "Axis", "Selection", "Compare", "Scores", "Training", "Model"} {
					b.openPanel(panel)
					b.settle()
					b.accessible(strings.ToLower(panel) + "-" + theme)
				}
				b.openPanel("Word")
				b.settle()
				b.screenshot(theme)
			}
		})
	}
}

// Everything can be reached and done by keys alone.
func TestKeyboard(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	url := serve(t, folder+"/demo.w2v")
	b := newTab(t, desktop)
	b.open(url + "#map=pca")
	b.key("/")
	b.until("the search field", `document.activeElement.matches(`+quote(search)+`)`)
	eval[any](b, "document.activeElement.select()") // over the sign, which chromedp types although the page does not want it
	b.key("queen\r")
	b.until("the neighbours of queen", `document.querySelectorAll('ol[aria-label="Neighbours of queen"] li').length > 5`)
	eval[any](b, `document.querySelector(".map-canvas").focus()`)
	before := eval[string](b, "location.hash")
	b.key("+")
	b.until("another view", "location.hash !== "+quote(before))
	b.settle()
	b.key("\r")
	b.until("the word in the middle", `document.querySelector("#panel h2").innerText !== ""`)
	eval[any](b, `document.querySelector('[role="tab"][aria-selected="true"]').focus()`)
	b.key(kb.ArrowRight)
	b.until("the next panel", `document.querySelector('[role="tab"][aria-selected="true"]').innerText.includes("Analogy")`)
}
