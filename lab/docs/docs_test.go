package docs

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	p, err := Parse("page.md", []byte("# A page\n\n## What `w2v` is\n\n<!-- given: corpus.txt\n     sets/ -->\n<!-- file: a.toml -->\n```toml\na = 1\n```\n\n"+
		"Use `w2v nn` and [this](other.md#x).\n\n<img src=\"a.svg\">\n\n| a |\n|---|\n| `w2v vocab \\| head` |\n\n## What w2v is\n\n<!-- output -->\n```text\nb\n```\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Block{
		{Line: 9, Language: "toml", Text: "a = 1\n", Given: []string{"corpus.txt", "sets/"}, Directive: Directive{File: "a.toml"}},
		{Line: 24, Language: "text", Text: "b\n", Directive: Directive{Output: true}},
	}
	if !slices.EqualFunc(p.Blocks, want, func(a, b Block) bool {
		return a.Line == b.Line && a.Language == b.Language && a.Text == b.Text && slices.Equal(a.Given, b.Given) && a.Directive == b.Directive
	}) {
		t.Errorf("blocks %+v, want %+v", p.Blocks, want)
	}
	if want := []Place{{3, "w2v"}, {12, "w2v nn"}, {18, "w2v vocab | head"}}; !slices.Equal(p.Code, want) {
		t.Errorf("code %v, want %v", p.Code, want)
	}
	if want := []Place{{12, "other.md#x"}, {14, "a.svg"}}; !slices.Equal(p.Links, want) {
		t.Errorf("links %v, want %v", p.Links, want)
	}
	if !p.Anchors["a-page"] || !p.Anchors["what-w2v-is"] || !p.Anchors["what-w2v-is-1"] || len(p.Anchors) != 3 {
		t.Errorf("anchors %v", p.Anchors)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"Text.\n\n    w2v demo\n", "page.md:3: code is indented"},
		{"<!-- outptu -->\n```text\na\n```\n", "page.md:1: \"outptu\" before a block"},
		{"<!-- not run: -->\n```sh\na\n```\n", "needs a text"},
		{"<!-- output -->\n\nText.\n\n```text\na\n```\n", "right before"},
		{"<!-- given: corpus.txt -->\n\nText.\n", "no block follows"},
		{"```bash\nw2v demo\n```\n", "is written sh"},
		{"```ruby\nputs 1\n```\n", "nothing runs the language \"ruby\""},
		{"```text\n$ w2v demo\n```\n", "in the language console"},
	} {
		if _, err := Parse("page.md", []byte(c.page)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.page, err, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		shown, printed string
		same           bool
	}{
		{"a\nb\n", "a  \nb\n\n", true},
		{"a\nb\n", "a\nc\n", false},
		{"a\n", "a\nb\n", false},
		{"a … c\n", "a bb c\n", true},
		{"a … c\n", "a\nc\n", false},
		{"a\n…\nc\n", "a\nb\nb\nc\n", true},
		{"a\n…\nc\n", "a\nc\n", true},
		{"a\n…\nc\n", "a\nb\n", false},
		{"a.b\n", "axb\n", false},
		{"", "a\n", false},
	} {
		if err := Compare(c.shown, c.printed); (err == nil) != c.same {
			t.Errorf("%q shown, %q printed: %v", c.shown, c.printed, err)
		}
	}
}

// What is wrong with a page is found where it is run.
func TestRunFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	w := workshop(t)
	for _, c := range []struct{ name, page, want string }{
		{"nothing", "```sh\na=1\n```\n\n```sh\necho $a\n```\n\n<!-- output -->\n```text\n1\n```\n\n```python\nb = 2\n```\n\n```python\nprint(b)\n```\n\n<!-- output -->\n```text\n2\n```\n", ""},
		{"a command that fails", "```sh\nfalse\ntrue\n```\n", "page.md:2: exit status 1"},
		{"a command of a pipe that fails", "```sh\nfalse | cat\n```\n", "page.md:2: exit status 1"},
		{"a flag that is not there", "```sh\nw2v demo --frobnicate\n```\n", "frobnicate"},
		{"other output", "```console\n$ echo a\na\n$ echo b\nc\n```\n", "page.md:4: the page shows"},
		{"output of nothing", "<!-- output -->\n```text\na\n```\n", "no block before"},
		{"an exception", "```python\n1 / 0\n```\n", "ZeroDivisionError"},
		{"a file that nobody makes", "<!-- given: nonsense.txt -->\n```sh\ncat nonsense.txt\n```\n", "nonsense.txt"},
		{"a file that is there", "```sh\ntouch corpus.txt\n```\n\n<!-- given: corpus.txt -->\n```sh\ntrue\n```\n", "has made it itself"},
		{"a program that Go refuses", "```go\npackage main\n\nfunc main() { undefined() }\n```\n", "undefined: undefined"},
		{"a source that differs", "<!-- source: go.mod -->\n```text\nmodule other\n```\n", "the page shows"},
		{"a server without a model", "```sh\nw2v serve nothing.w2v\n```\n", "the server ended before it answered"},
		{"a server that is gone", "<!-- given: seed1.w2v -->\n```sh\nw2v serve seed1.w2v\nkill -KILL $server\nsleep 0.2\n```\n", "the end of the page"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("page.md", []byte(c.page))
			if err != nil {
				t.Fatal(err)
			}
			if w.isolated == nil && p.serves() {
				t.Skip("the page has no network of its own")
			}
			switch err := w.Run(t.Context(), p); {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	program := NewProgram(w.program())
	for _, c := range []struct{ command, want string }{
		{"w2v nn model.w2v paris --restrict 10", ""},
		{"w2v eval similarity m.w2v set.tsv | head", ""},
		{"w2v eval similarity m.w2v --frobnicate=2", "w2v eval similarity has no flag --frobnicate"},
		{"cat a | w2v neighbours model.w2v", "w2v has no command \"neighbours\""},
		{"w2v nn model.w2v --minn 3", "w2v nn has no flag --minn"},
	} {
		calls, err := Calls(c.command)
		if err != nil || len(calls) != 1 {
			t.Fatalf("%q: %q, %v", c.command, calls, err)
		}
		if err := program.Check(t.Context(), calls[0]); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%q: error %v, want %q", c.command, err, c.want)
		}
	}
}

func TestInteractive(t *testing.T) {
	got, err := Interactive("echo a # first\nw2v serve m.w2v --listen :9 # comment\ncurl x\nw2v serve m.w2v &\nw2v query m.w2v\n")
	want := "echo a # first\nserve_begin; >\"$serve_out\" 2>\"$serve_err\" w2v serve m.w2v --listen :9 & serve_ready # comment\ncurl x\nw2v serve m.w2v &\non_terminal w2v query m.w2v\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
