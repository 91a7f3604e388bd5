// Package lessons makes short interactive pages about word vectors: what they are, how they are trained, and what they
// can do. Each page is one file that loads nothing. The server has them at /lessons/, and Write writes them to a folder.
//
// A lesson is a method that computes its numbers from vectors (data.go, toy.go), a text and a script (pages/NAME.html,
// pages/NAME.js). All share one template, one style sheet and the functions of pages/lesson.js. No number is written
// into a text: it comes from the data.
package lessons

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

// A Lesson is a page.
type Lesson struct {
	Name    string // of its file, without .html
	Title   string
	Lead    string // what one learns, in a sentence
	Command string // does what the page is about
	Manual  string // the page of the documentation that says more

	data func(s *source, ctx context.Context) (any, error)
	own  bool // the data are those of the reader's model, if there is one
}

// All returns the lessons in their order. What a page says of itself is in pages/lessons.txt: title, lead, command and
// manual of each.
func All() (all []Lesson) {
	for i, text := range strings.Split(strings.TrimSpace(file("lessons.txt")), "\n\n") {
		lines, of := strings.Split(text, "\n"), numbers[i]
		all = append(all, Lesson{of.name, lines[1], lines[2], lines[3], lines[4], of.data, of.own})
	}
	return all
}

// numbers says what computes the data of each lesson of pages/lessons.txt.
var numbers = []struct {
	name string
	data func(s *source, ctx context.Context) (any, error)
	own  bool // the data are those of the reader's model, if there is one
}{
	{"one-hot", (*source).oneHot, true},
	{"lookup", (*source).lookup, true},
	{"step", (*source).step, false},
	{"negatives", (*source).negatives, true},
	{"parallelogram", (*source).parallelogram, true},
	{"dimension", (*source).dimension, false},
	{"ngrams", (*source).ngrams, false},
	{"collisions", (*source).collisions, true},
	{"rank", (*source).rank, true},
	{"tying", (*source).tying, true},
	{"scaling", (*source).scaling, true},
	{"bpe", (*source).bpe, false},
}

// Options say whose numbers the lessons show.
type Options struct {
	Set   *vectors.Set // nil shows those of the built-in text
	Model string       // the name of Set
	Sweep io.Reader    // results.jsonl of a sweep over dim; nil shows a built-in one
}

// Lessons makes pages. Several goroutines may use it.
type Lessons struct {
	source
	data map[string]*lazy[[]byte] // by lesson
}

// New returns the lessons of a model, or of the built-in text, on which vectors are trained when a lesson first
// needs them: once in a process. It reads Sweep, and returns an error if that has no points with dimensions and scores.
func New(o Options) (*Lessons, error) {
	l := &Lessons{source{set: o.Set, name: o.Model}, make(map[string]*lazy[[]byte])}
	for _, of := range All() {
		l.data[of.Name] = newLazy(func(ctx context.Context) ([]byte, error) { return l.compute(ctx, of) })
	}
	if o.Sweep == nil {
		o.Sweep = bytes.NewReader(builtInSweep)
	} else {
		l.ownSweep = true
	}
	var err error
	l.sweep, err = readSweep(o.Sweep)
	return l, err
}

// Find returns the lesson of a name.
func Find(name string) (Lesson, bool) {
	for _, l := range All() {
		if l.Name == name {
			return l, true
		}
	}
	return Lesson{}, false
}

// Data returns what the page of a lesson shows, as JSON. It is computed once, by the first who asks, and kept.
func (l *Lessons) Data(ctx context.Context, of Lesson) ([]byte, error) {
	data, err := l.data[of.Name].get(ctx)
	if err != nil {
		return nil, fmt.Errorf("the lesson %q: %w", of.Title, err)
	}
	return data, nil
}

func (l *Lessons) compute(ctx context.Context, of Lesson) ([]byte, error) {
	value, err := of.data(&l.source, ctx)
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// Own reports whether a lesson shows the vectors of the reader's model.
func (l Lesson) Own() bool { return l.own }

//go:embed pages
var pages embed.FS

func file(name string) string {
	text, err := pages.ReadFile("pages/" + name)
	if err != nil {
		panic(err) // every lesson has its files
	}
	return string(text)
}

// Page returns the page of a lesson with data that Data returned.
func Page(of Lesson, data []byte) []byte {
	all := All()
	at := 0
	for i, l := range all {
		if l.Name == of.Name {
			at = i
		}
	}
	var around strings.Builder
	if at > 0 {
		fmt.Fprintf(&around, `<a class="previous" rel="prev" href="%s.html">← %s</a>`, all[at-1].Name, html.EscapeString(all[at-1].Title))
	}
	if at+1 < len(all) {
		fmt.Fprintf(&around, `<a class="next" rel="next" href="%s.html">%s →</a>`, all[at+1].Name, html.EscapeString(all[at+1].Title))
	} else {
		around.WriteString(`<a class="next" href="index.html">All lessons</a>`)
	}
	body := fmt.Sprintf(`<p class="lead">%s</p>
%s
<section class="do" aria-labelledby="do"><h2 id="do">Do it</h2><pre tabindex="0"><code>%s</code></pre>
<p>More is in <code>%s</code>.</p></section>
<nav class="around" aria-label="Other lessons">%s</nav>`,
		html.EscapeString(of.Lead), strings.TrimSpace(file(of.Name+".html")), html.EscapeString(of.Command), of.Manual, around.String())
	return page(of.Title, fmt.Sprintf("Lesson %d of %d", at+1, len(all)), body, file(of.Name+".js"), data)
}

// Index returns the page that lists the lessons.
func Index() []byte {
	var b strings.Builder
	b.WriteString(`<p class="lead">Short pages to play with. Each takes some minutes, and ends with the command that does the same with your own text.</p><ol class="lessons">`)
	for _, l := range All() {
		fmt.Fprintf(&b, `<li><a href="%s.html">%s</a><span>%s</span></li>`, l.Name, html.EscapeString(l.Title), html.EscapeString(l.Lead))
	}
	b.WriteString("</ol>")
	return page("Word vectors, by hand", "w2v lessons", b.String(), "", []byte("null"))
}

// page fills the template. The content security policy allows the script and the style of the page alone, by
// their hashes, and asking the server that the page comes from.
func page(title, above, body, script string, data []byte) []byte {
	style, script := file("lesson.css"), file("lesson.js")+script
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	policy := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; connect-src 'self'; base-uri 'none'; form-action 'none'", hash(script), hash(style))
	return []byte(strings.NewReplacer("{{policy}}", policy, "{{title}}", html.EscapeString(title), "{{above}}", html.EscapeString(above),
		"{{style}}", style, "{{body}}", body, "{{data}}", string(data), "{{script}}", script).Replace(file("template.html")))
}

// Files returns the names of what Write writes.
func Files() []string {
	return append(wording.Map(All(), func(l Lesson) string { return l.Name + ".html" }), "index.html")
}

// Write writes all pages to a folder, which it makes. A folder with other files is refused. The folder appears as a
// whole or not at all.
func (l *Lessons) Write(ctx context.Context, folder string) error {
	return atomicfile.WriteFolder(folder, func(create func(name string, write func(io.Writer) error) error) error {
		put := func(name string, text []byte) error {
			return create(name+".html", func(w io.Writer) error { _, err := w.Write(text); return err })
		}
		for _, of := range All() {
			data, err := l.Data(ctx, of)
			if err != nil {
				return err
			}
			if err := put(of.Name, Page(of, data)); err != nil {
				return err
			}
		}
		return put("index", Index())
	})
}
