package docs

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parseShell reads commands of bash.
func parseShell(commands string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(false)).Parse(strings.NewReader(commands), "")
}

// Interactive returns commands in which programs that would wait for somebody do not wait. A
// server answers requests of the commands behind it; see "serve" in session.bash. "w2v query" has
// a terminal.
func Interactive(commands string) (string, error) {
	file, err := parseShell(commands)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var end uint
	for _, s := range file.Stmts {
		call, ok := s.Cmd.(*syntax.CallExpr)
		if !ok || s.Background || len(call.Args) < 2 || call.Args[0].Lit() != "w2v" {
			continue
		}
		from, to := s.Pos().Offset(), s.End().Offset()
		name := call.Args[1].Lit()
		serves := slices.ContainsFunc(call.Args, func(w *syntax.Word) bool { return w.Lit() == "--serve" })
		switch {
		case name == "serve", serves:
			b.WriteString(commands[end:from])
			b.WriteString(serving(strings.TrimSuffix(commands[from:to], ";")))
			end = to
		case name == "query":
			b.WriteString(commands[end:from])
			fmt.Fprintf(&b, "on_terminal %s", strings.TrimSuffix(commands[from:to], ";"))
			end = to
		}
	}
	b.WriteString(commands[end:])
	return b.String(), nil
}

// serving returns commands that start a server in place of the one before, and wait until it answers.
func serving(command string) string {
	return `serve_begin; >"$serve_out" 2>"$serve_err" ` + command + ` & serve_ready`
}

// Calls returns the words of every command that begins with the word w2v. A word that is not
// known before it runs, such as "$name", is empty.
func Calls(commands string) (calls [][]string, err error) {
	file, err := parseShell(commands)
	if err != nil {
		return nil, err
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "w2v" {
			var words []string
			for _, a := range call.Args[1:] {
				words = append(words, a.Lit())
			}
			calls = append(calls, words)
		}
		return true
	})
	return calls, nil
}
