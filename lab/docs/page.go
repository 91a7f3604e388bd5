package docs

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// A Block is fenced code of a page.
type Block struct {
	Line     int // of its first line of code
	Language string
	Text     string
	Given    []string // files and folders that the reader has from here on
	Directive
}

// A Directive is an HTML comment right before a block.
type Directive struct {
	File   string // the block is the content of this file
	Source string // the block is also in this file of the repository, where a test compiles it
	NotRun string // why the block cannot run
	Output bool   // the block is what the block before printed
}

// A Place is a text of a page, such as an address or code within a line.
type Place struct {
	Line int
	Text string
}

// A Page is what tests know of a Markdown file.
type Page struct {
	Name    string // the path from the root of the repository
	Blocks  []Block
	Code    []Place         // code within lines
	Links   []Place         // addresses of links and pictures
	Anchors map[string]bool // that links to the page may have
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM))

// Parse reads a page. The error is the first block or comment against the rules.
func Parse(name string, source []byte) (*Page, error) {
	p := &Page{Name: name, Anchors: map[string]bool{}}
	r := reader{page: p, source: source}
	err := ast.Walk(markdown.Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return ast.WalkContinue, r.read(n)
	})
	if err == nil && (r.before != Directive{} || len(r.given) > 0) {
		err = r.errorf(len(source), "no block follows the last comment")
	}
	return p, err
}

// A reader collects what is in a page.
type reader struct {
	page   *Page
	source []byte
	before Directive // of the comment right before what comes next
	given  []string  // before the next block
}

func (r *reader) line(offset int) int { return 1 + bytes.Count(r.source[:offset], []byte("\n")) }

func (r *reader) errorf(offset int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.page.Name, r.line(offset), fmt.Sprintf(format, args...))
}

func (r *reader) read(n ast.Node) error {
	if _, ok := n.(*ast.FencedCodeBlock); !ok && n.Type() == ast.TypeBlock && (r.before != Directive{}) {
		return r.errorf(n.Pos(), "a comment that is about a block must stand right before it")
	}
	switch n := n.(type) {
	case *ast.HTMLBlock:
		return r.comment(n)
	case *ast.FencedCodeBlock:
		return r.fence(n)
	case *ast.CodeBlock:
		return r.errorf(n.Pos(), "code is indented: put it between lines of ```")
	case *ast.Heading:
		r.heading(n)
	case *ast.CodeSpan:
		r.page.Code = append(r.page.Code, Place{r.line(n.Pos()), plain(n, r.source)})
	case *ast.Link:
		r.page.Links = append(r.page.Links, Place{r.line(n.Pos()), string(n.Destination)})
	case *ast.Image:
		r.page.Links = append(r.page.Links, Place{r.line(n.Pos()), string(n.Destination)})
	}
	return nil
}

// pictures matches the addresses of pictures and links that are written as HTML.
var pictures = regexp.MustCompile(`\b(?:src|srcset|href)="([^"]*)"`)

// comment reads a comment, or other HTML.
func (r *reader) comment(n *ast.HTMLBlock) error {
	html := string(n.Lines().Value(r.source))
	if n.HasClosure() {
		html += string(n.ClosureLine.Value(r.source))
	}
	html = strings.Join(strings.Fields(html), " ")
	for _, m := range pictures.FindAllStringSubmatch(html, -1) {
		r.page.Links = append(r.page.Links, Place{r.line(n.Pos()), m[1]})
	}
	inside, ok := strings.CutPrefix(html, "<!--")
	if !ok {
		return nil
	}
	inside = strings.TrimSpace(strings.TrimSuffix(inside, "-->"))
	kind, value, _ := strings.Cut(inside, ":")
	value = strings.TrimSpace(value)
	switch kind {
	case "given":
		r.given = append(r.given, strings.Fields(value)...)
	case "file":
		r.before = Directive{File: value}
	case "source":
		r.before = Directive{Source: value}
	case "not run":
		r.before = Directive{NotRun: value}
	case "output":
		r.before, value = Directive{Output: true}, "shown"
	default:
		if _, ok := n.NextSibling().(*ast.FencedCodeBlock); ok {
			return r.errorf(n.Pos(), "%q before a block is none of given, file, source, not run and output", inside)
		}
		return nil
	}
	if value == "" {
		return r.errorf(n.Pos(), "%q needs a text behind its colon", kind)
	}
	return nil
}

// languages tells of each language whether blocks in it run. The others are not run by anything
// unless they are the content of a file.
var languages = map[string]bool{
	"sh": true, "console": true, "python": true, "go": true,
	"": false, "text": false, "toml": false, "ini": false, "json": false, "nginx": false,
}

func (r *reader) fence(n *ast.FencedCodeBlock) error {
	b := Block{
		Line:      r.line(n.Pos()) + 1,
		Language:  string(n.Language(r.source)),
		Text:      string(n.Lines().Value(r.source)),
		Given:     r.given,
		Directive: r.before,
	}
	r.given, r.before = nil, Directive{}
	switch b.Language {
	case "bash", "shell", "shell-session":
		return r.errorf(n.Pos(), "the language %q is written sh, or console if the block shows output as well", b.Language)
	case "py", "pycon":
		return r.errorf(n.Pos(), "the language %q is written python", b.Language)
	}
	runs, known := languages[b.Language]
	if !known && b.NotRun == "" && b.File == "" {
		return r.errorf(n.Pos(), "nothing runs the language %q: say why the block is not run", b.Language)
	}
	if !runs && strings.HasPrefix(b.Text, "$ ") {
		return r.errorf(n.Pos(), "commands with what they print are in the language console")
	}
	r.page.Blocks = append(r.page.Blocks, b)
	return nil
}

// heading adds the anchor that GitHub gives a heading.
func (r *reader) heading(n *ast.Heading) {
	anchor := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsLetter(c), unicode.IsNumber(c), c == '-', c == '_':
			return unicode.ToLower(c)
		case c == ' ':
			return '-'
		}
		return -1
	}, plain(n, r.source))
	for i, first := 0, anchor; r.page.Anchors[anchor]; {
		i++
		anchor = fmt.Sprintf("%s-%d", first, i)
	}
	r.page.Anchors[anchor] = true
}

// plain returns the text in a node, without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Value(source))
			if c.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		default:
			b.WriteString(plain(c, source))
		}
	}
	return b.String()
}
