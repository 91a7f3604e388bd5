package browser

import "testing"

// Somebody opens a model, searches a word, and looks at its neighbours.
func TestExplore(t *testing.T) {
	need(t)
	folder := demoFolder(t)
	url := serve(t, folder+"/demo.w2v", folder+"/other.w2v")
	for _, s := range []screen{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			b := newTab(t, s)
			b.open(url)
			b.screenshot("open")
		})
	}
}
