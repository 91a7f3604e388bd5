package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/lab/product"
)

// foreign are flags of other programs that pages name.
var foreign = map[string]bool{
	"--logdir":   true, // TensorBoard
	"--attr":     true, // spaCy
	"--truncate": true, // spaCy
}

// flagName matches code that is a flag with or without a value.
var flagName = regexp.MustCompile(`^--[a-z][a-z0-9-]*`)

// Every command and every flag that a page names exists.
func TestCommandsAndFlagsExist(t *testing.T) {
	path := filepath.Join(t.TempDir(), product.FileName())
	if err := product.Build(t.Context(), path, "-trimpath"); err != nil {
		t.Fatal(err)
	}
	program := NewProgram(path)
	flags := map[string]bool{}
	for _, parent := range []string{"", "classify", "eval", "plot", "tokenizer"} {
		commands, err := program.Commands(t.Context(), parent)
		if err != nil || len(commands) < 4 {
			t.Fatalf("%d commands below %q: %v", len(commands), parent, err)
		}
		for _, command := range commands {
			for name := range program.Flags(t.Context(), strings.TrimSpace(parent+" "+command)) {
				flags[name] = true
			}
		}
	}
	root, names := source(t)
	for _, name := range names {
		p := parse(t, root, name)
		check := func(line int, code string) {
			calls, err := Calls(code)
			if err != nil {
				// Code within a line may be cut short, as in `w2v train …`.
				calls = [][]string{strings.Fields(code)[1:]}
			}
			for _, words := range calls {
				if err := program.Check(t.Context(), words); err != nil {
					t.Errorf("%s:%d: %v", name, line, err)
				}
			}
		}
		for _, code := range p.Code {
			switch flag := flagName.FindString(code.Text); {
			case strings.HasPrefix(code.Text, "w2v "):
				check(code.Line, code.Text)
			case flag != "" && !flags[flag] && !foreign[flag]:
				t.Errorf("%s:%d: no command of w2v has the flag %s", name, code.Line, flag)
			}
		}
		for _, b := range p.Blocks {
			if b.Language == "sh" {
				check(b.Line, b.Text)
			}
		}
	}
}

// Every link within the repository leads to a file, and to a heading of it.
func TestLinks(t *testing.T) {
	root, names := source(t)
	names = append(names, "lab/README.md", "testdata/README.md")
	pages := map[string]*Page{}
	for _, name := range names {
		pages[name] = parse(t, root, name)
	}
	scheme := regexp.MustCompile(`^[a-z]+:`)
	for _, name := range names {
		for _, link := range pages[name].Links {
			if scheme.MatchString(link.Text) {
				continue
			}
			target, anchor, hasAnchor := strings.Cut(link.Text, "#")
			file := name
			if target != "" {
				file = filepath.ToSlash(filepath.Join(filepath.Dir(name), target))
			}
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("%s:%d: there is no %s", name, link.Line, file)
				continue
			}
			if page, ok := pages[file]; hasAnchor && (!ok || !page.Anchors[anchor]) {
				t.Errorf("%s:%d: %s has no heading #%s", name, link.Line, file, anchor)
			}
		}
	}
}
