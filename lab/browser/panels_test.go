package browser

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// panelText returns what the panel says.
func panelText(b *tab) string {
	b.Helper()
	return eval[string](b, `document.getElementById("panel").innerText`)
}

// panel opens a panel by its tab.
func (b *tab) panel(id string) {
	b.Helper()
	b.press("#tab-"+id, "")
	b.until("the panel "+id, `document.getElementById("tab-`+id+`").ariaSelected === "true"`)
}

// visit loads a page anew, also if only the part behind # is another.
func (b *tab) visit(url string) {
	b.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(url))
	b.until("the page", `document.getElementById("panel")`)
}

// screens runs a test on a desktop and on a phone, in tabs of a server.
func screens(t *testing.T, url string, test func(b *tab)) {
	t.Helper()
	for _, s := range []screen{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			b := newTab(t, s)
			b.open(url)
			test(b)
		})
	}
}

// A word that the model does not know appears on the map, with the n-grams that place it. One that it cannot
// compose is refused, with suggestions.
func TestUnseenWord(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	screens(t, serve(t, folder+"/demo.w2v", folder+"/other.w2v"), func(b *tab) {
		b.fill(".search input", "motherhoods")
		b.key("\r")
		b.until("its parts", `document.querySelectorAll(".composition .parts li").length > 5`)
		b.until("its neighbours", `document.querySelectorAll("#panel .word-list li").length > 5`)
		if parts := eval[string](b, `document.querySelector(".composition").innerText`); !strings.Contains(parts, "mot") {
			b.Errorf("the word is composed of %s", parts)
		}
		b.screenshot("composed")
		b.choose(".model-picker select", "other")
		b.until("suggestions", `[...document.querySelectorAll(".failed .chip")].length > 0`)
		b.screenshot("suggestions")
		b.forgive("404")
	})
}

// Two models are side by side: a word is looked at in both, and the words that moved most are listed.
func TestCompareModels(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	screens(t, serve(t, folder+"/demo.w2v", folder+"/other.w2v"), func(b *tab) {
		b.panel("compare")
		b.choose("#panel select", "other")
		b.until("the second map", `document.querySelectorAll(".map.second .map-canvas li").length > 3`)
		b.until("words that moved", `document.querySelectorAll(".moved li").length > 10`)
		word := eval[string](b, `document.querySelector(".moved .link").innerText`)
		b.press(".moved .link", word)
		b.until("its neighbours in both", `[...document.querySelectorAll(".pair ol")].filter(list => list.children.length > 5).length === 2`)
		if !strings.Contains(panelText(b), "Neighbours of "+word) {
			b.Errorf("after a click on %q the panel has %s", word, panelText(b))
		}
		b.screenshot("word")
		b.fill("input.filter", word)
		b.until("the filter", fmt.Sprintf(`document.querySelector(".moved .link").innerText === %s && document.querySelectorAll(".moved li").length < 50`, quote(word)))
		// The address says all of it.
		address := eval[string](b, "location.href")
		b.visit(address)
		b.until("the same view", `document.querySelectorAll(".map.second .map-canvas li").length > 3 && document.querySelectorAll(".pair li").length > 10`)
	})
}

// Results of evaluations are a table and bars, with intervals and missing words.
func TestScores(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	set := filepath.Join(t.TempDir(), "pairs.tsv")
	pairs := "mother\tmaria\t7\nweek\tday\t8\nnight\tday\t6\ntrain\tbed\t2\neuro\tpeso\t5\nyesterday\ttoday\t7\nhouse\tzebrafish\t1\nwar\tmorning\t1\n"
	if err := os.WriteFile(set, []byte(pairs), 0o600); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, model := range []string{"demo", "other"} {
		file := filepath.Join(t.TempDir(), model+".jsonl")
		if err := os.WriteFile(file, []byte(w2v(t, "", "eval", folder+"/"+model+".w2v", set, "--json", "--show-missing")), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, "--scores", file)
	}
	screens(t, serve(t, append(files, folder+"/demo.w2v")...), func(b *tab) {
		b.panel("scores")
		b.until("bars of both models", `document.querySelectorAll(".score-set .score-bar .value").length === 2 && document.querySelectorAll(".score-set .score-bar .interval").length === 2`)
		for _, want := range []string{"demo.w2v", "other.w2v", "pairs", "of 8 used"} {
			if text := panelText(b); !strings.Contains(text, want) {
				b.Errorf("the panel lacks %q: %s", want, text)
			}
		}
		b.screenshot("bars")
		eval[any](b, `document.querySelectorAll(".score-set summary").forEach(e => e.click())`)
		b.until("the missing word", `document.getElementById("panel").innerText.includes("zebrafish")`)
		b.screenshot("details")
	})
}

// A run is followed while it goes on, also when it is resumed and when its log begins anew.
func TestLiveRun(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	log := filepath.Join(t.TempDir(), "live.jsonl")
	write := func(flags int, lines ...string) {
		t.Helper()
		f, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|flags, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	start := func(tokens int, resumed bool) string {
		return fmt.Sprintf(`{"event":"start","time":%q,"tokens":%d,"total":1000000,"words":500,"resumed":%t}`, time.Now().Format(time.RFC3339), tokens, resumed)
	}
	progress := func(tokens int, loss, elapsed float64) string {
		return fmt.Sprintf(`{"event":"progress","tokens":%d,"total":1000000,"lr":0.04,"loss":%g,"tokens_per_second":1e5,"tokens_per_second_now":1e5,"elapsed":%g,"eta":5,"final":false}`, tokens, loss, elapsed)
	}
	address := serve(t, folder+"/demo.w2v", "--log", folder+"/first.jsonl", "--log", log)
	screens(t, address, func(b *tab) {
		write(os.O_TRUNC, start(0, false), progress(100_000, 3, 1))
		row := `[...document.querySelectorAll("tbody tr")].find(row => row.innerText.includes("live"))?.innerText ?? ""`
		b.panel("runs")
		b.until("a finished run and one that goes on", `document.querySelectorAll(".chart canvas").length >= 3 && (`+row+`).includes("running")`)
		b.until("its share", `(`+row+`).includes("10 %")`)
		write(os.O_APPEND, progress(300_000, 2.7, 3), `{"event":"evaluation","tokens":300000,"elapsed":3,"held_out_loss":2.9,"scores":[{"set":"ws353","score":0.31}],"best":true,"seconds":0.1}`)
		b.until("what was just written", `(`+row+`).includes("30 %") && (`+row+`).includes("2.900") && (`+row+`).includes("0.310")`)
		b.screenshot("running")
		write(os.O_APPEND, start(200_000, true), progress(400_000, 2.5, 2))
		b.until("the resumed run", `(`+row+`).includes("40 %") && (`+row+`).includes("resumed once")`)
		b.screenshot("resumed")
		write(os.O_TRUNC, start(0, false), progress(50_000, 3.5, 1))
		b.until("the new run in its place", `(`+row+`).includes("5 %") && !(`+row+`).includes("resumed")`)
		write(os.O_APPEND, `{"event":"done","tokens":1000,"vocab":500,"seconds":9,"loss":2.25,"output":"m.w2v","complete":true,"error":"","remarks":[]}`)
		b.until("its end", `(`+row+`).includes("finished") && (`+row+`).includes("2.250")`)
	})
}

// An exported page shows the same without a server, and words from a hostile model are words.
func TestExportedPage(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	page := filepath.Join(t.TempDir(), "page.html")
	w2v(t, "", "export-explorer", folder+"/demo.w2v", page, "--projection", "pca")
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(page)}).String()
	screens(t, address, func(b *tab) {
		b.fill(".search input", "mother")
		b.key("\r")
		b.until("neighbours", `document.querySelectorAll("#panel .word-list li").length === 12`)
		neighbor := eval[string](b, `document.querySelector("#panel .word-list .word").innerText`)
		b.press("#panel .word-list button", neighbor)
		b.until("the neighbour", `document.querySelector("#panel h2").innerText === `+quote(neighbor))
		b.screenshot("neighbours")
		b.visit(address + "#panel=analogy&analogy=mother&analogy=maria&analogy=train")
		b.until("answers", `document.querySelectorAll("#panel .word-list li").length > 5`)
		b.panel("info")
		b.until("facts of the page", `document.getElementById("panel").innerText.includes("Made by")`)
		if loaded := eval[int](b, `performance.getEntriesByType("resource").filter(r => !r.name.startsWith("blob:") && !r.name.startsWith("data:")).length`); loaded > 0 {
			b.Errorf("the page loaded %d things", loaded)
		}
	})

	hostile := []string{"<img/src=x/onerror=alert(1)>", "</script><script>alert(2)</script>", "__proto__", "\u202eabc", "👑", strings.Repeat("x", 2000)}
	var vectors strings.Builder
	fmt.Fprintf(&vectors, "%d 4\n", len(hostile)+20)
	for i, word := range hostile {
		fmt.Fprintf(&vectors, "%s %d 1 %d 1\n", word, i, i%3)
	}
	for i := range 20 {
		fmt.Fprintf(&vectors, "word%d %d 2 1 %d\n", i, i%7, i%5)
	}
	model := filepath.Join(t.TempDir(), "hostile.vec")
	if err := os.WriteFile(model, []byte(vectors.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	w2v(t, "", "export-explorer", model, page, "--projection", "pca")
	t.Run("hostile", func(t *testing.T) {
		b := newTab(t, desktop)
		for _, word := range hostile {
			b.visit(address + "#word=" + url.QueryEscape(word))
			b.until("the word as text", `document.querySelector("#panel h2")?.textContent === `+quote(word)+` && document.querySelectorAll("#panel .word-list li").length > 5`)
			if n := eval[int](b, `document.querySelectorAll("#app img, #app script").length`); n > 0 {
				b.Errorf("%.40q made %d elements", word, n)
			}
		}
		b.screenshot("words")
	})
}
