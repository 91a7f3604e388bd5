package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// search is the field for words.
const search = `.header input[role="combobox"]`

// Somebody opens a model and tries everything, on a desk and on a phone.
func TestExplore(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	url := serve(t, folder+"/demo.w2v", folder+"/other.w2v", "--log", folder, "--metadata", "demo="+lengths(t))
	for _, s := range []screen{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			b := newTab(t, s)
			b.open(url)
			b.drawn(2)
			b.screenshot("open")
			for _, step := range []struct {
				name string
				try  func(*tab)
			}{
				{"search", trySearch}, {"neighbour", tryNeighbour}, {"unseen", tryUnseen}, {"missing", tryMissing}, {"analogy", tryAnalogy}, {"axis", tryAxis},
				{"projection", tryProjection}, {"field", tryField}, {"filter", tryFilter}, {"lasso", tryLasso}, {"compare", tryCompare}, {"address", tryAddress}, {"marks", tryMarks},
			} {
				step.try(b)
				b.screenshot(step.name)
				if t.Failed() {
					t.Fatalf("the step %s failed", step.name)
				}
			}
		})
	}
}

// lengths writes metadata of some words.
func lengths(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lengths.tsv")
	if err := os.WriteFile(path, []byte("word\tkind\tlegs\nking\tperson\t2\nqueen\tperson\t2\ndog\tanimal\t4\nparis\tcity\t\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A word that is begun is completed; its neighbours are listed.
func trySearch(b *tab) {
	b.fill(search, "kin")
	b.until("completions", `document.querySelectorAll("#" + document.activeElement.getAttribute("aria-controls") + " li").length > 1`)
	b.screenshot("completion")
	if b.screen.touch {
		b.press(`[role="option"]`, "king")
	} else {
		b.fill(search, "king")
		b.key(kb.ArrowDown)
		b.key(kb.Enter)
	}
	b.until("the neighbours of king", `document.querySelector('#panel h2').innerText === "king" && document.querySelectorAll('ol[aria-label="Neighbours of king"] li').length > 5`)
	b.until("the word in the address", `location.hash.includes("word=king")`)
}

// A neighbour that is pressed is the next word. The page says what is near to both it and its neighbours.
func tryNeighbour(b *tab) {
	word := eval[string](b, `document.querySelectorAll('ol[aria-label="Neighbours of king"] .word')[1].innerText`)
	b.press(`ol[aria-label="Neighbours of king"] li:nth-child(2) button`, "")
	b.until("the neighbours of "+word, `document.querySelector('#panel h2').innerText === `+quote(word)+` && document.querySelectorAll('ol[aria-label^="Neighbours of"] li').length > 5`)
	b.press("#panel .disclosure summary", "Why are these near?")
	b.until("words that are near to both", `document.querySelectorAll('dl[aria-label^="Near both"] dd').length > 5 && /\d+: \w+/.test(document.querySelector('dl[aria-label^="Near both"]').innerText)`)
}

// A word that the model never saw is composed, and is on the map.
func tryUnseen(b *tab) {
	b.fill(search, "unhappiness")
	b.key(kb.Enter)
	b.until("parts of the word", `document.querySelectorAll('ul[aria-label="Parts of unhappiness"] li').length > 3`)
	b.until("its neighbours", `document.querySelector('ol[aria-label="Neighbours of unhappiness"]').innerText.includes("happy")`)
}

// A word that has no vector is said to have none.
func tryMissing(b *tab) {
	b.forgive("404 (Not Found)") // which the browser logs as an error by itself
	b.choose(".model-picker select", "other")
	b.mapReady()
	b.fill(search, "kingg")
	b.key(kb.Enter)
	b.until("an answer that names a word like it", `document.querySelector("#panel").innerText.includes("Did you mean") && document.querySelector("#panel").innerText.includes("kings")`)
	b.choose(".model-picker select", "demo")
	b.mapReady()
}

// An analogy is answered and drawn.
func tryAnalogy(b *tab) {
	b.openPanel("Analogy")
	for i, word := range []string{"man", "woman", "king"} {
		b.fill(`.analogy-form .word-input:nth-of-type(`+string(rune('1'+i))+`) input`, word)
		b.key(kb.Escape)
	}
	b.press(`.analogy-form button[type="submit"]`, "")
	b.until("the answer queen", `document.querySelector('ol[aria-label^="Answers"] .word')?.innerText === "queen"`)
	b.settle()
	if !eval[bool](b, `(c => { const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; return d.some((v, i) => i % 4 === 3 && v > 0) })(document.querySelector("canvas.overlay"))`) {
		b.Error("nothing is drawn over the points")
	}
}

// Words lie between two ends.
func tryAxis(b *tab) {
	b.openPanel("Axis")
	for i, word := range []string{"small", "big"} {
		b.fill(`.axis-form .word-input:nth-of-type(`+string(rune('1'+i))+`) input`, word)
		b.key(kb.Escape)
	}
	b.press(`.axis-form button[type="submit"]`, "")
	b.until("words toward big", `document.querySelectorAll('ol[aria-label="Words toward big"] li').length > 5`)
	b.choose(`.header label.field:not(.model-picker) select`, "axis")
	b.until("the ends of the axis in the legend", `document.querySelector(".map").textContent.includes("small") && document.querySelector(".map").textContent.includes("big")`)
	b.settle()
}

// The map by UMAP is computed, shown, and has clusters.
func tryProjection(b *tab) {
	b.choose(`.header label.field:not(.model-picker) select`, "cluster")
	b.press(".header label", "PCA")
	b.until("a map by PCA", `document.querySelector(".map-status").innerText.includes("of variance")`)
	b.mapReady()
	b.press(".header label", "UMAP")
	b.until("a map by UMAP", `document.querySelector(".map-status").innerText.includes("UMAP") && document.querySelector(".map-status").innerText.includes("trustworthiness")`)
	b.mapReady()
	b.press(".toolbar button", "Show the whole map")
	b.drawn(10) // of the clusters
	const legend = `(document.querySelector(".legend")?.textContent ?? "")`
	b.until("the clusters in view with their sizes", `/^Clusters in view(.*[a-z]\d+){3}/s.test(`+legend+`)`)
	b.until("names of clusters for screen readers", `document.querySelector('.map ul[aria-label^="Clusters"] li')?.textContent.includes(", ")`)

	// How far either map can be believed.
	b.choose(`.header label.field:not(.model-picker) select`, "distortion")
	kept := func(projection string) float64 {
		b.until("the mean of the neighbours that "+projection+" keeps", `/Mean: [\d.]+/.test(`+legend+`) && location.hash.includes("color=distortion")`)
		return eval[float64](b, `Number(/Mean: ([\d.]+?)\.$/.exec(`+legend+`)[1])`)
	}
	umap := kept("UMAP")
	b.press(".header label", "PCA")
	b.until("a map by PCA", `document.querySelector(".map-status").innerText.includes("of variance")`)
	b.until("its own mean", `/Mean: [\d.]+/.test(`+legend+`) && !`+legend+`.includes(`+quote("Mean: "+strconv.FormatFloat(umap, 'g', -1, 64)+".")+`)`)
	if pca := kept("PCA"); !(pca > 0 && umap > pca && umap < 10) {
		b.Errorf("of ten neighbours the map by UMAP keeps %v, and that by PCA %v", umap, pca)
	}
	b.press(".header label", "UMAP")
	b.until("a map by UMAP", `document.querySelector(".map-status").innerText.includes("UMAP")`)
	b.choose(`.header label.field:not(.model-picker) select`, "cluster")
	b.mapReady()
}

// Points are coloured by a field of the metadata.
func tryField(b *tab) {
	b.choose(`.header label.field:not(.model-picker) select`, "field:kind")
	b.until("the categories", `["person", "animal", "city"].every(c => document.querySelector(".map").textContent.includes(c))`)
	b.settle()
}

// Only words whose fields meet conditions, and that are in a cluster, are neighbours; the address says so.
func tryFilter(b *tab) {
	b.openPanel("Word")
	b.fill(search, "dog")
	b.key(kb.Enter)
	b.until("the neighbours of dog", `document.querySelectorAll('ol[aria-label="Neighbours of dog"] li').length > 5`)
	b.press(".filters summary", "")
	b.fill(`.filters input[type="number"]`, "2")
	b.key(kb.Tab)
	b.until("words with legs", `[...document.querySelectorAll('ol[aria-label="Neighbours of dog"] .word')].map(e => e.innerText).sort().join() === "king,queen"`)
	b.screenshot("legs")
	b.until("the condition in the address", `new URLSearchParams(location.hash.slice(1)).get("where") === "legs>=2"`)
	b.press(".filters button", "Among all of them")
	b.choose(".filters select", "0")
	b.until("a cluster in the address", `new URLSearchParams(location.hash.slice(1)).get("clusters") === "0"`)
	b.until("neighbours in the cluster", `document.querySelectorAll('ol[aria-label="Neighbours of dog"] li').length > 5`)
	b.press(".filters button", "Among all of them")
	b.until("all words", `!location.hash.includes("clusters") && !location.hash.includes("where")`)
}

// Words in a loop are listed.
func tryLasso(b *tab) {
	b.choose(`.header label.field:not(.model-picker) select`, "cluster")
	b.openPanel("Selection")
	b.press(`[role="toolbar"] button`, "Show the whole map")
	b.settle()
	b.press(`[role="toolbar"] button`, "Lasso")
	at := b.boxOf(".map-canvas", "")
	x, y := at.middle()
	w, h := at.Width/4, at.Height/4
	b.drag([2]float64{x - w, y - h}, [2]float64{x + w, y - h}, [2]float64{x + w, y + h}, [2]float64{x - w, y + h}, [2]float64{x - w, y - h})
	b.until("selected words", `document.querySelectorAll('ol[aria-label^="Selected words"] li').length > 10 && document.querySelector("#panel .facts")?.innerText.includes("Mean similarity")`)
	b.settle()
	b.fill(`#panel form input`, "middle")
	b.press(`#panel button[type="submit"]`, "Keep")
	b.choose("#panel select", "0")
	b.until("a second selection", `document.querySelectorAll('ul[aria-label="Selections"] li').length === 2`)
	b.choose(`select[aria-label="How to combine"]`, "without")
	b.choose(`select[aria-label="The other selection"]`, "0")
	b.until("the words of the cluster that are not in the middle", `document.querySelector('ul[aria-label="Selections"]').innerText.includes("without middle")`)
	b.press(`ul[aria-label="Selections"] button`, "middle")
	b.press("#panel button", "Hide the others")
	b.press("#panel button", "PCA of these")
	// An address has the selections, and what is shown of them.
	projected := `document.querySelector(".map-status")?.innerText.includes("PCA of") && document.querySelectorAll(".map-canvas:not(.away) li").length > 3`
	b.until("the words of the selection alone", projected)
	address := eval[string](b, "location.href")
	sizes := `[...document.querySelectorAll('ul[aria-label="Selections"] .note')].map(e => e.innerText).join()`
	before := eval[string](b, sizes)
	b.goTo("about:blank")
	b.goTo(address)
	b.until("the same", projected+` && document.querySelector('ul[aria-label="Selections"] [aria-pressed="true"]')?.innerText.startsWith("middle")`)
	if after := eval[string](b, sizes); after != before {
		b.Errorf("selections of %s words, and of %s after the address was opened again", before, after)
	}
	b.press("#panel button", "Back to the whole map")
	b.press("#panel button", "Show all words")
	b.mapReady()
	b.drawn(10)
}

// Two models are compared: the words that moved most.
func tryCompare(b *tab) {
	b.openPanel("Compare")
	b.choose("#panel select", "other")
	b.until("words that moved", `document.querySelectorAll('ol[aria-label="Words that moved most"] li').length > 10`)
	b.press(`ol[aria-label="Words that moved most"] button`, "")
	b.until("the map of the second model, by the same method", `document.querySelectorAll(".map.second .map-canvas li").length > 0 && document.querySelector(".map.second .map-status").textContent.includes("from the places of demo")`)
	b.press("#panel button", "Colour by how far words moved")
	b.until("the colours in the address", `new URLSearchParams(location.hash.slice(1)).get("color") === "moved" && document.querySelector(".map .legend").textContent.includes("How far words moved")`)
	b.until("neighbours in both models", `document.querySelectorAll('ol[aria-label="Neighbours in demo"] li').length > 3 && document.querySelectorAll('ol[aria-label="Neighbours in other"] li').length > 3`)
	b.settle()
}

// An address shows the same view to somebody else.
func tryAddress(b *tab) {
	address := eval[string](b, "location.href")
	if !strings.Contains(address, "map=umap") || !strings.Contains(address, "other=other") {
		b.Errorf("the address is %s", address)
	}
	word := eval[string](b, `document.querySelector(`+quote(search)+`).value`)
	b.goTo("about:blank")
	b.goTo(address)
	b.until("a map", `(document.querySelector(".map .legend")?.textContent ?? "") !== ""`) // its part may be so small that no word has a label
	b.until("the same words", `document.querySelector(`+quote(search)+`).value === `+quote(word)+` && document.querySelectorAll('ol[aria-label="Words that moved most"] li').length > 10`)

	// It holds the lens, a filter, a comparison, the camera, and a selection.
	const all = "model=demo&map=umap&word=king&panel=compare&color=distortion&first=500&where=legs%3E%3D2&select=few%7E1.2.5&other=other&at=10.00%2C-5.00%2C3.00"
	page, _, _ := strings.Cut(address, "#")
	b.goTo("about:blank")
	b.goTo(page + "#" + all)
	b.until("both maps, coloured by distortion", `document.querySelectorAll(".map.second .map-canvas li").length > 0 && /Mean: [\d.]+/.test(document.querySelector(".map .legend")?.textContent ?? "")`)
	b.settle()
	b.settle()
	const params = `[...new URLSearchParams(%s)].map(String).sort().join(" ")`
	if shown, want := eval[string](b, fmt.Sprintf(params, "location.hash.slice(1)")), eval[string](b, fmt.Sprintf(params, quote(all))); shown != want {
		b.Errorf("the address\n%s\nbecame\n%s", want, shown)
	}
	b.openPanel("Selection")
	b.until("the selection", `document.querySelector('ul[aria-label="Selections"]')?.innerText.includes("few")`)
}

// commonWords are in the demo's text a hundred times or more.
const commonWords = "king queen good mother war house year train school town bank table money team friend late word month language coffee book harbour garden office father dog horse village milk ball breakfast car sea night street church market doctor paris river"

// hidden answers with what is wrong with the neighbours of a word on the map: those that lie under something, and those that are
// out of view and have no mark. It finds their places as the map does.
const hidden = `async word => {
	if (!window.map) {
		const base = "/explorer/demo/", words = await (await fetch(base + "words")).json();
		const points = new Float32Array(await (await fetch(base + "maps/umap/points")).arrayBuffer());
		const spread = k => {
			const sorted = Float64Array.from(words, (_, i) => points[2 * i + k]).sort(), at = share => sorted[Math.round(share * (words.length - 1))];
			const room = 0.03 * (at(0.99) - at(0.01));
			return [Math.max(at(0), at(0.01) - room), Math.min(at(1), at(0.99) + room)];
		};
		const [[left, right], [bottom, top]] = [spread(0), spread(1)], scale = 200 / Math.max(right - left, top - bottom);
		window.map = {ids: new Map(words.map((word, i) => [word, i])), at: i => [(points[2 * i] - (left + right) / 2) * scale, (points[2 * i + 1] - (bottom + top) / 2) * scale]};
		window.placed = new Set();
		new PerformanceObserver(list => list.getEntries().forEach(e => e.name.includes("/place?") && placed.add(e.name.split("word=")[1]))).observe({type: "resource"});
	}
	placed.delete(word);
	const params = new URLSearchParams(location.hash.slice(1)), before = params.get("at");
	location.hash = "model=demo&map=umap&word=" + word + (before ? "&at=" + before : "");
	const near = () => [...document.querySelectorAll('ol[aria-label="Neighbours of ' + word + '"] .word')].map(e => e.innerText);
	for (let last = "", same = 0; same < 10; last = location.hash) {
		await new Promise(done => requestAnimationFrame(done));
		same = last === location.hash && last.includes("&at=") && placed.has(word) && near().length > 0 ? same + 1 : 0;
	}
	const look = () => {
		const [x, y, zoom] = new URLSearchParams(location.hash.slice(1)).get("at").split(",").map(Number);
		const view = document.querySelector(".map-canvas").getBoundingClientRect();
		const over = [...document.querySelectorAll(".map > :not(.map-canvas), .sidebar")].map(e => [e.className, e.getBoundingClientRect()]);
		const marks = [...document.querySelectorAll('ul[aria-label="Outside the view"] li')].map(e => e.textContent);
		const wrong = [];
		for (const other of near()) {
			const [mx, my] = map.at(map.ids.get(other));
			const [px, py] = [view.x + view.width / 2 + (mx - x) * 2 ** zoom, view.y + view.height / 2 - (my - y) * 2 ** zoom];
			if (px < view.left || px > view.right || py < view.top || py > view.bottom) {
				if (!marks.some(mark => mark.startsWith(other + " "))) wrong.push(other + " is out of view and has no mark");
			} else for (const [name, box] of over) if (px > box.left && px < box.right && py > box.top && py < box.bottom) wrong.push(other + " is under " + name);
		}
		return wrong;
	};
	// On a busy machine the map is drawn later than the frames above.
	for (let tries = 0; tries < 300 && look().length > 0; tries++) await new Promise(done => requestAnimationFrame(done));
	return look();
}`

// No neighbour of a common word is hidden under a panel, and those that are out of view have marks.
func tryMarks(b *tab) {
	if b.screen.touch {
		return // all sizes are tried on a desk
	}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	page := eval[string](b, "location.origin")
	b.goTo("about:blank")
	b.open(page + "/#model=demo&map=umap")
	eval[any](b, "(wait => window.setTimeout = (f, ms) => wait(f, Math.min(ms, 50)))(window.setTimeout)")
	words, sizes := strings.Fields(commonWords), [][2]int64{{1440, 900}, {390, 844}, {844, 390}}
	for i, size := range sizes {
		b.do(chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateScale(1)))
		b.settle()
		for at := i; at < len(words); at += len(sizes) { // each word on one of them
			word := words[at]
			for _, wrong := range eval[[]string](b, "("+hidden+")("+quote(word)+")") {
				b.Errorf("%v: %s: %s", size, word, wrong)
			}
		}
		b.screenshot(fmt.Sprintf("marks-%d", size[0]))
	}
}

// A run is followed while it goes on.
func TestLiveRun(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	text, err := os.ReadFile(filepath.Join(folder, "first.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	events := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
	scores := filepath.Join(t.TempDir(), "scores.jsonl")
	if err := os.WriteFile(scores, []byte(w2v(t, "", "eval", filepath.Join(folder, "demo.w2v"), filepath.Join(folder, "similarity.tsv"), "--json")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []screen{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "live.jsonl")
			add := func(text string) {
				f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := f.WriteString(text); err != nil {
					t.Fatal(err)
				}
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
			}
			add(events[0])
			url := serve(t, filepath.Join(folder, "demo.w2v"), "--log", log, "--log", filepath.Join(folder, "second.jsonl"), "--scores", scores)
			b := newTab(t, s)
			b.open(url)
			b.openPanel("Training")
			b.until("both runs", `document.querySelector("#panel").innerText.includes("live") && document.querySelector("#panel").innerText.includes("second")`)
			before := eval[string](b, `document.querySelector("#panel table").innerText`)
			add(`{"event":"progress","tokens":100000,"total":400000,"lr":0.04,"loss":3.25,"tokens_per_second":200000,"tokens_per_second_now":200000,"elapsed":0.5,"eta":1.5,"final":false}` + "\n")
			b.until("news of the run", `document.querySelector("#panel table").innerText !== `+quote(before))
			add(`{"event":"progress","tokens":200000,"total":400000,"lr":0.03,"loss":2.75,"tokens_per_second":200000,"tokens_per_second_now":200000,"elapsed":1,"eta":1,"final":false}` + "\n")
			b.until("the latest loss", `document.querySelector("#panel").innerText.includes("2.75")`)
			b.screenshot("going")
			add(events[len(events)-1] + "\n")
			b.until("the end", `document.querySelector("#panel table").innerText.split("finished").length === 3`)
			b.screenshot("done")
			b.openPanel("Scores")
			b.until("scores", `document.querySelectorAll("#panel table td").length > 1`)
			b.screenshot("scores")
			b.openPanel("Model")
			b.until("facts", `document.querySelector("#panel").innerText.includes("50")`)
			b.screenshot("model")
		})
	}
}
