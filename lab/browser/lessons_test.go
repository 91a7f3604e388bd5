package browser

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// lessons are the pages that w2v lessons writes, without .html.
func lessons(t *testing.T, args ...string) (folder string, names []string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "lessons")
	w2v(t, "", append([]string{"lessons", "-o", folder}, args...)...)
	files, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(files) < 3 {
		t.Fatalf("w2v lessons wrote %q", files)
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".html"))
	}
	return folder, names
}

// Every lesson works from a disk, logs no error, has no finding of axe, light and dark, and fits a desk and a phone.
// Nothing is loaded: the pages' policy allows nothing.
func TestLessons(t *testing.T) {
	need(t)
	script := axe(t)
	folder, names := lessons(t)
	for _, s := range []screen{{"desktop", 1440, 900, false}, phone} {
		t.Run(s.name, func(t *testing.T) {
			b := newTab(t, s)
			for _, name := range names {
				b.goTo("file://" + folder + "/" + name + ".html")
				b.until("the lesson "+name, `document.readyState === "complete"`)
				if name != "index" {
					b.until("what moves in "+name, `document.querySelectorAll(".card input, .card button, .card select").length > 0`)
				}
				b.empty(name)
				if wide := eval[int](b, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
					b.Errorf("%s is %d pixels wider than the screen", name, wide)
				}
				eval[any](b, script+"; undefined")
				for _, theme := range []string{"light", "dark"} {
					b.theme(theme)
					if s.touch && theme == "light" { // a desk has the same colours
						continue
					}
					b.accessible(name + "-" + theme)
					b.screenshot(name + "-" + theme)
				}
				b.theme("light")
			}
		})
	}
}

// empty fails the test if a text of the page is not filled from the data, or is no number.
func (b *tab) empty(name string) {
	b.Helper()
	for _, wrong := range eval[[]string](b, `[...document.querySelectorAll("main [data-of]")].filter(e => e.textContent === "").map(e => e.dataset.of).concat(document.querySelector("main").innerText.match(/NaN|undefined|Infinity|null|\[object/) ?? [])`) {
		b.Errorf("%s: %s", name, wrong)
	}
}

// What pages calculate is what w2v does.
func TestLessonsCalculateAsTheProgram(t *testing.T) {
	need(t)
	folder, _ := lessons(t)
	b := newTab(t, desktop)
	// in evaluates an expression with the data and the functions of a lesson.
	in := func(name, expression string) string {
		b.goTo("file://" + folder + "/" + name + ".html")
		b.until("the lesson "+name, `document.querySelectorAll(".card input, .card button").length > 0`)
		// The content security policy lets nothing in, except what DevTools evaluates: the same module again.
		return eval[string](b, `(async () => { const code = document.querySelector('script[type="module"]').textContent.replaceAll("export function", "function"); const AsyncFunction = (async () => {}).constructor; return await new AsyncFunction(code + "\nreturn String(" + `+quote(expression)+` + ")")() })()`)
	}
	b.do(chromedp.Navigate("about:blank"))
	for _, test := range []struct{ lesson, what, expression string }{
		{"step", "the steps of the trainer", `difference() < 1e-4`},
		{"ngrams", "pieces and rows", `data.tried.every(t => ngrams(t.word, data.minn, data.maxn).join() === t.ngrams.join() && t.ngrams.every((n, i) => bucket(n, rowsOf.length) === t.buckets[i]))`},
		{"ngrams", "nearest words", `data.tried.every(t => t.near.filter(n => words.includes(n.word)).every(n => Math.abs(cosine(vectorOf(t.word).v, vectors[words.indexOf(n.word)]) - n.cosine) < 1e-3))`},
		{"collisions", "buckets in use", `all.length === data.ngrams && data.counts.every(c => count(c.buckets).used === c.used && count(c.buckets).alone === c.alone)`},
		{"tying", "parameters", `parameters(data.gpt2, true).all === data.tied && parameters(data.gpt2, false).all === data.two`},
		{"bpe", "tokens", `data.tried.every(t => cut(t.word, data.merges.length).at(-1).tokens.join(" ") === t.tokens.join(" "))`},
		{"parallelogram", "answers", `data.questions.every(q => { const [a, b, c] = q.words.map(vectorOf), corner = plus([-1, a], [1, b], [1, c]); return q.answers.every(n => Math.abs(cosine(vectorOf(n.word), corner) - n.cosine) < 1e-3) && nearest(words, vectors, corner, 1, q.words)[0].word === q.answers[0].word })`},
	} {
		if got := in(test.lesson, test.expression); got != "true" {
			t.Errorf("%s: %s differ: %s is %s", test.lesson, test.what, test.expression, got)
		}
	}
}

// With a model, the lessons of the server show its words, and lead to the explorer and back. Without one they are all there is.
func TestServedLessons(t *testing.T) {
	need(t)
	model := demoFolder(t) + "/other.w2v"
	b := newTab(t, desktop)
	b.goTo(serve(t, model) + "lessons/one-hot.html?model=other")
	b.until("the name of the model", `document.querySelector('[data-of="model.name"]').textContent === "other"`)
	b.press("a", "The lookup table")
	b.until("the next lesson", `document.querySelector('[data-of="model.name"]')?.textContent === "other" && location.pathname.endsWith("lookup.html")`)
	b.press("a", "Explorer")
	b.mapReady()
	b.goTo(serve(t))
	b.until("the list of lessons", `document.querySelectorAll(".lessons a").length > 3 && location.pathname === "/lessons/"`)
	b.press("a", "Tokens of your own word")
	b.until("a lesson", `document.querySelectorAll("#steps li").length > 3`)
}
