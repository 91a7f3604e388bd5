package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Facts are read when their model is opened: at the start, and at a reload. Facts that cannot be read let the server not
// start, and a reload fail. Until a reload succeeds, all doors answer by those that were read last.
func TestFactsAreReadWithTheModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "facts.tsv")
	c := Config{Models: []ModelSpec{{Name: "royal", Path: writeSet(t, royal(t))}}, Metadata: map[string]string{"royal": path}}
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), `the model "royal": open `+path) {
		t.Errorf("without the file: %v", err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("word\tkind\nMan\tperson\n")
	s := made(t, c)
	check := func(when, kind, word string) {
		t.Helper()
		for request, want := range map[string]string{
			"/v1/neighbors?word=king&k=1":                                           `"id":12,`,
			"/v1/neighbors?word=king&where=kind%3D" + kind:                          `"neighbors":[{"word":"` + word + `"`,
			"/explorer/royal/place?word=king&where=kind%3D" + kind:                  `"neighbors":[{"word":"` + word + `"`,
			"/explorer/royal/analogy?a=c%2B%2B&b=queen&c=king&where=kind%3D" + kind: `"answers":[{"word":"` + word + `"`,
			"/v1/analogy?a=c%2B%2B&b=queen&c=king&where=kind%3D" + kind:             `"answers":[{"word":"` + word + `"`,
			"/v1/analogy?a=c%2B%2B&b=queen&c=king":                                  `"answers":[{"word":"new york"`,
			"/explorer/royal/fields/kind":                                           `"categories":["` + kind + `"]`,
			"/explorer/models":                                                      `"fields":[{"name":"kind","kind":"category"}]`,
		} {
			if _, got := answerTo(s.Handler(), request, ""); !strings.Contains(got, want) {
				t.Errorf("%s: %s: %s, want %s", when, request, got, want)
			}
		}
	}
	fails := func(want string) {
		t.Helper()
		err := s.Reload(t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), `the model "royal" stays as it was: `) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || strings.Count(err.Error(), "royal") != 1 {
			t.Errorf("reload: %v, want %s", err, want)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	check("the file is gone", "person", "man")
	fails(path)
	check("a reload without the file", "person", "man")
	write("word\n")
	fails(path + ": the header has one column")
	check("a reload of a wrong file", "person", "man")
	write("word\tkind\nwoman\thuman\n")
	check("another file", "person", "man")
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("a reload of another file", "human", "woman")
}
