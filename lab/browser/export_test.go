package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// An exported page works from a disk, without a server and without a network.
func TestExportedPage(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	page := filepath.Join(t.TempDir(), "demo page.html")
	w2v(t, "", "export-explorer", filepath.Join(folder, "demo.w2v"), page, "--metadata", lengths(t))
	url := "file://" + strings.ReplaceAll(page, " ", "%20")
	for _, s := range []screen{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			b := newTab(t, s)
			b.open(url)
			b.drawn(10)
			trySearch(b)
			tryNeighbour(b)
			tryAnalogy(b)
			b.screenshot("analogy")
			tryAxis(b)
			tryField(b)
			tryLasso(b)
			b.screenshot("lasso")
			b.press(".header label", "PCA")
			b.until("a map by PCA", `document.querySelector(".map-status").innerText.includes("of variance")`)
			b.fill(search, "unhappiness")
			b.key(kb.Enter)
			b.until("an answer for a word that is not in the page", `document.querySelector("#panel").innerText.includes("unhappiness") && !document.querySelector('ol[aria-label="Neighbours of unhappiness"]')`)
			if loaded := eval[[]string](b, `performance.getEntriesByType("resource").map(r => r.name).filter(n => !n.startsWith("blob:") && !n.startsWith("data:"))`); len(loaded) > 0 {
				t.Errorf("the page loads %q", loaded)
			}
		})
	}
}

// Words of a model are text in the page, whatever they are.
func TestHostileWords(t *testing.T) {
	need(t)
	hostile := []string{"</script><script>document.title='hacked'</script>", "<img/src=x/onerror=document.title='hacked'>", "{{constructor.constructor('1')()}}", "javascript:document.title='hacked'", "<!--", "&lt;b&gt;", "__proto__", "constructor"}
	var text strings.Builder
	text.WriteString("40 4\n")
	for i := range 40 {
		word := "word" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		if i < len(hostile) {
			word = hostile[i]
		}
		text.WriteString(word)
		for k := range 4 {
			text.WriteString([]string{" 1", " -1", " 0.5", " 2", " 0.1"}[(i*7+k*3+i/5)%5])
		}
		text.WriteString("\n")
	}
	folder := t.TempDir()
	model := filepath.Join(folder, "hostile.vec")
	if err := os.WriteFile(model, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(folder, "hostile.html")
	w2v(t, "", "export-explorer", model, page, "--projection", "pca")
	for name, url := range map[string]string{"page": "file://" + page, "server": serve(t, model)} {
		t.Run(name, func(t *testing.T) {
			b := newTab(t, desktop)
			b.open(url)
			for _, word := range hostile {
				b.fill(search, word)
				b.key(kb.Enter)
				b.until("neighbours of "+word, `document.querySelector("#panel h2").innerText === `+quote(word)+` && document.querySelectorAll("#panel ol li").length > 3`)
			}
			b.screenshot("last")
			if title := eval[string](b, "document.title"); strings.Contains(title, "hacked") {
				t.Error("a word became code")
			}
		})
	}
}
