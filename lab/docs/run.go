package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// last is how many lines a failure shows of what a block printed.
const last = 15

// A failure is a block that does not do what its page says.
type failure struct {
	page    string
	line    int
	printed string
	err     error
}

func (f *failure) Error() string {
	text := fmt.Sprintf("%s:%d: %v", f.page, f.line, f.err)
	if f.printed != "" {
		lines := strings.Split(trim(f.printed), "\n")
		text += "\n" + indent(strings.Join(lines[max(0, len(lines)-last):], "\n"))
	}
	return text
}

func (f *failure) Unwrap() error { return f.err }

// Run runs the blocks of a page until one fails.
func (w *Workshop) Run(ctx context.Context, p *Page) (err error) {
	base, err := os.MkdirTemp(filepath.Join(w.folder, "pages"), strings.ReplaceAll(p.Name, "/", "-")+"-")
	if err != nil {
		return err
	}
	folder := filepath.Join(base, "page")
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	switch {
	case w.isolated == nil && p.serves():
		w.serving.Lock()
		defer w.serving.Unlock()
	case w.isolated == nil:
		w.serving.RLock()
		defer w.serving.RUnlock()
	}
	var env []string
	if p.shows() {
		env = w.digits
	}
	s, err := w.newSession(ctx, folder, filepath.Join(base, "session"), env)
	if err != nil {
		return err
	}
	defer func() {
		if ended := s.end(); err == nil && ended != nil {
			err = fmt.Errorf("%s: %w", p.Name, ended)
		}
	}()
	r := runner{workshop: w, session: s, folder: folder, base: base, env: env}
	for _, b := range p.Blocks {
		if line, printed, err := r.block(ctx, b); err != nil {
			return &failure{p.Name, line, printed, err}
		}
	}
	return nil
}

// serves reports whether the page has a server.
func (p *Page) serves() bool {
	return slices.ContainsFunc(p.Blocks, func(b Block) bool {
		return b.NotRun == "" && (strings.Contains(b.Text, "w2v serve") || strings.Contains(b.Text, " --serve"))
	})
}

// shows reports whether the page shows what programs print.
func (p *Page) shows() bool {
	return slices.ContainsFunc(p.Blocks, func(b Block) bool { return b.Output || b.Language == "console" })
}

// A runner is in the middle of a page.
type runner struct {
	workshop     *Workshop
	session      *session
	folder, base string
	env          []string // of the page's programs
	ran          bool     // a block before ran
	printed      string   // what the last one printed
	programs     int      // in Go
}

// block runs a block. The line is that of what fails, and printed what it printed.
func (r *runner) block(ctx context.Context, b Block) (line int, printed string, err error) {
	if err := r.workshop.give(ctx, b.Given, r.folder, r.env); err != nil {
		return b.Line, "", err
	}
	switch {
	case b.NotRun != "":
		r.ran = false
		return b.Line, "", nil
	case b.Source != "":
		return b.Line, "", r.source(b)
	case b.File != "":
		content := filepath.Join(r.base, "content")
		if err := os.WriteFile(content, []byte(b.Text), 0o666); err != nil {
			return b.Line, "", err
		}
		printed, err := r.session.run(fmt.Sprintf("mkdir -p \"$(dirname '%s')\" && cp '%s' '%s'\n", b.File, content, b.File), "sh")
		return b.Line, printed, err
	case b.Output && !r.ran:
		return b.Line, "", errors.New("no block before this one printed anything")
	case b.Output:
		return b.Line, "", r.compare(b.Text, r.printed)
	}
	switch b.Language {
	case "sh":
		r.printed, err = r.shell(b.Text)
	case "console":
		return r.console(b)
	case "python":
		r.printed, err = r.session.run(b.Text, "py")
	case "go":
		var program string
		r.programs++
		program, err = r.workshop.build(ctx, b.Text, filepath.Join(r.base, fmt.Sprintf("program-%d", r.programs)))
		if err != nil {
			return b.Line, "", err
		}
		if strings.Contains(b.Text, "net.Listen(") {
			program = serving(program)
		}
		r.printed, err = r.session.run(program+"\n", "sh")
	default:
		return b.Line, "", nil
	}
	r.ran = true
	return b.Line, r.printed, err
}

func (r *runner) shell(commands string) (printed string, err error) {
	commands, err = Interactive(commands)
	if err != nil {
		return "", err
	}
	return r.session.run(commands, "sh")
}

func (r *runner) console(b Block) (line int, printed string, err error) {
	commands, err := Console(b)
	if err != nil {
		return b.Line, "", err
	}
	for _, c := range commands {
		printed, err := r.shell(c.Text)
		if err != nil {
			return c.Line, printed, err
		}
		if err := r.compare(c.Want, printed); err != nil {
			return c.Line, "", err
		}
	}
	r.ran = false
	return b.Line, "", nil
}

// digits are what other kernels compute otherwise.
var digits = regexp.MustCompile(`\d\.\d`)

// compare compares what a page shows with what was printed, if this processor computes the same digits.
func (r *runner) compare(shown, printed string) error {
	if r.workshop.digits == nil && digits.MatchString(shown) {
		return nil
	}
	return Compare(shown, printed)
}

// source compares a block with the file that it is said to be.
func (r *runner) source(b Block) error {
	text, err := os.ReadFile(filepath.Join(r.workshop.root, filepath.FromSlash(b.Source)))
	if err != nil {
		return err
	}
	return Compare(b.Text, string(text))
}
