// Package lessons makes short interactive pages about word vectors: what they are, how they are trained, and what they
// can do. Each page is one file that loads nothing. The server has them at /lessons/, and Write writes them to a folder.
//
// A lesson is a line of the table below, a method that computes its numbers from vectors (data.go, toy.go), a text
// and a script (pages/NAME.html, pages/NAME.js). All share one template, one style sheet and the functions of
// pages/lesson.js. No number is written into a text: it comes from the data.
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
	Command string // does with w2v what the page is about
	Manual  string // the page of docs/ that says more

	data func(s *source, ctx context.Context) (any, error)
	own  bool // the data are those of the reader's model, if there is one
}

// All returns the lessons in their order.
func All() []Lesson {
	return []Lesson{
		{"one-hot", "One-hot and dense", "A word as one number among thousands of zeros, or as a few numbers that all say something.",
			"w2v train corpus.txt -o model.w2v --dim 100", "howto/settings.md", (*source).oneHot, true},
		{"lookup", "The lookup table", "Why an embedding layer multiplies nothing: it reads a row.",
			"w2v vector model.w2v king", "commands.md", (*source).lookup, true},
		{"step", "One step of training", "How two words that stand together pull their vectors together, and a negative pushes away.",
			"w2v train corpus.txt -o model.w2v --lr 0.05 --negatives 5", "explanation/training.md", (*source).step, false},
		{"negatives", "Negatives and subsampling", "Why training does not look at all words, and drops frequent ones.",
			"w2v train corpus.txt -o model.w2v --negatives 5 --ns-exponent 0.7 --sample 3e-4", "settings.md", (*source).negatives, true},
		{"parallelogram", "The parallelogram, and its misses", "King − man + woman: when it works, why the given words may not answer, and what chance does.",
			"w2v analogy model.w2v man woman king", "evaluation.md", (*source).parallelogram, true},
		{"dimension", "Dimensions and scores", "More numbers a word help, until they do not.",
			"w2v sweep sweep.toml", "sweep.md", (*source).dimension, false},
		{"ngrams", "N-grams, and a word nobody has seen", "A word is made of its pieces, so a new word has a vector, too.",
			"w2v train corpus.txt -o model.w2v --subwords fasttext", "variants.md", (*source).ngrams, false},
		{"collisions", "Hash collisions", "Pieces share rows by chance. How many do, and what more rows cost.",
			"w2v train corpus.txt -o model.w2v --subwords fasttext --buckets 200000", "settings.md", (*source).collisions, true},
		{"rank", "Factors and rank", "Few numbers a word can only say so much: the rank of a product, and what the first directions hold.",
			"w2v factorize model.w2v small.w2v --rank 20", "quantization.md", (*source).rank, true},
		{"tying", "One matrix for input and output", "What a language model saves if words have one vector instead of two.",
			"w2v convert model.w2v model.safetensors --to torch --tied", "howto/neural-networks.md", (*source).tying, true},
		{"scaling", "The square root of the dimensions", "Why a Transformer multiplies its embeddings before it adds positions.",
			"w2v convert model.w2v model.safetensors --to torch --scale sqrt-dim", "howto/neural-networks.md", (*source).scaling, true},
		{"bpe", "Tokens of your own word", "Byte-pair encoding: merge by merge, from letters to words.",
			"w2v tokenizer train corpus.txt -o tokenizer.json --model bpe", "howto/tokenizers.md", (*source).bpe, false},
	}
}

// Options say whose numbers the lessons show.
type Options struct {
	Set   *vectors.Set // nil shows those of the built-in text
	Model string       // the name of Set
	Sweep io.Reader    // results.jsonl of a sweep over dim; nil shows a built-in one
}

// Lessons makes pages. Several goroutines may use it.
type Lessons struct{ source }

// New returns the lessons of a model, or of the built-in text, on which vectors are trained when a lesson first
// needs them. It reads Sweep, and returns an error if that has no points with dimensions and scores.
func New(o Options) (*Lessons, error) {
	l := &Lessons{source{set: o.Set, name: o.Model}}
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

// Data returns what the page of a lesson shows, as JSON.
func (l *Lessons) Data(ctx context.Context, of Lesson) ([]byte, error) {
	value, err := of.data(&l.source, ctx)
	if err != nil {
		return nil, fmt.Errorf("the lesson %q: %w", of.Title, err)
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
<p>More is in <code>docs/%s</code>.</p></section>
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
