package browser

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// axe finds nothing serious in any panel, light or dark, on a desktop or a phone.
func TestAccessibility(t *testing.T) {
	need(t)
	// npm ci in serve/web installs it.
	axe, err := os.ReadFile(filepath.FromSlash("../../serve/web/node_modules/axe-core/axe.min.js"))
	switch {
	case err == nil:
	case os.Getenv("W2V_BROWSER") == "require":
		t.Fatal("there is no axe-core: run npm ci in serve/web")
	default:
		t.Skip("there is no axe-core: run npm ci in serve/web")
	}
	folder := demoFolder(t)
	scores := filepath.Join(t.TempDir(), "scores.jsonl")
	set := filepath.Join(t.TempDir(), "pairs.tsv")
	if err := os.WriteFile(set, []byte("mother\tmaria\t7\nweek\tday\t8\nnight\tday\t6\ntrain\tbed\t2\neuro\tpeso\t5\nhouse\tzebrafish\t1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(scores, []byte(w2v(t, "", "eval", folder+"/demo.w2v", set, "--json", "--show-missing")), 0o600); err != nil {
		t.Fatal(err)
	}
	url := serve(t, folder+"/demo.w2v", folder+"/other.w2v", "--scores", scores, "--log", folder+"/first.jsonl", "--log", folder+"/second.jsonl")
	views := []struct{ name, hash string }{
		{"start", "#model=demo&map=pca"},
		{"word", "#model=demo&map=pca&word=mother"},
		{"unseen", "#model=demo&map=pca&word=motherhoods"},
		{"unknown", "#model=other&map=pca&word=motherhoods"},
		{"analogy", "#model=demo&map=pca&panel=analogy&analogy=mother&analogy=maria&analogy=train"},
		{"axis", "#model=demo&map=pca&panel=axis&axis=war&axis=night&color=axis"},
		{"selection", "#model=demo&map=pca&panel=selection"},
		{"compare", "#model=demo&map=pca&panel=compare&other=other&word=mother"},
		{"scores", "#model=demo&map=pca&panel=scores"},
		{"runs", "#model=demo&map=pca&panel=runs"},
		{"info", "#model=demo&map=pca&panel=info"},
	}
	for _, s := range []screen{desktop, phone} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(s.name+" "+theme, func(t *testing.T) {
				b := newTab(t, s)
				b.theme(theme)
				for _, view := range views {
					b.visit(url + view.hash)
					b.until("everything", `document.querySelectorAll("#panel .loading, #panel progress").length === 0 && document.getElementById("panel").innerText.length > 10`)
					time.Sleep(300 * time.Millisecond) // for charts to be drawn
					eval[any](b, string(axe)+"\n;0")
					for _, finding := range eval[[]string](b, `axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations
						.filter(v => v.impact === "serious" || v.impact === "critical")
						.flatMap(v => v.nodes.map(n => v.id + ": " + v.help + ": " + n.html.slice(0, 200))))`) {
						b.Errorf("%s: %s", view.name, finding)
					}
					b.screenshot(view.name)
				}
				b.forgive("404") // the unknown word
			})
		}
	}
}
