package docs

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
)

// A Program knows commands and flags of w2v by what its help says of them.
type Program struct {
	path  string
	mutex sync.Mutex
	flags map[string]map[string]bool // of each command; nil if there is no such command
}

// NewProgram returns what the program at path knows.
func NewProgram(path string) *Program {
	return &Program{path: path, flags: map[string]map[string]bool{}}
}

// flagNames matches the name of a flag where a line of help begins with it. Lines of its
// description begin further to the right.
var flagNames = regexp.MustCompile(`(?m)^ {2}(?:-\w, |    )(--[\w-]+)`)

// Flags returns the flags of a command, such as "eval builtin", or nil if there is none.
func (p *Program) Flags(ctx context.Context, command string) map[string]bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if flags, ok := p.flags[command]; ok {
		return flags
	}
	words := append(strings.Fields(command), "--help")
	out, err := exec.CommandContext(ctx, p.path, words...).Output()
	// The help of a command that does not exist would be that of the one above it.
	if err != nil || command != "" && !regexp.MustCompile(`(?m)^  w2v `+regexp.QuoteMeta(command)+`( |$)`).Match(out) {
		p.flags[command] = nil
		return nil
	}
	flags := map[string]bool{}
	for _, m := range flagNames.FindAllStringSubmatch(string(out), -1) {
		flags[m[1]] = true
	}
	p.flags[command] = flags
	return flags
}

// Commands returns the commands below one, or of the program itself.
func (p *Program) Commands(ctx context.Context, command string) (names []string, err error) {
	out, err := exec.CommandContext(ctx, p.path, append([]string{"__complete"}, append(strings.Fields(command), "")...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("completing %q: %w", command, err)
	}
	for line := range strings.Lines(string(out)) {
		name, _, described := strings.Cut(strings.TrimSpace(line), "\t")
		if described && p.Flags(ctx, strings.TrimSpace(command+" "+name)) != nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// Check returns an error if the words behind w2v name a command or a flag that does not exist.
// Empty words are anything.
func (p *Program) Check(ctx context.Context, words []string) error {
	command := ""
	for len(words) > 0 {
		name := words[0]
		if name == "" || !regexp.MustCompile(`^[a-z][a-z-]*$`).MatchString(name) {
			break
		}
		longer := strings.TrimSpace(command + " " + name)
		if p.Flags(ctx, longer) == nil {
			if command == "" {
				return fmt.Errorf("w2v has no command %q", name)
			}
			break // the first argument
		}
		command, words = longer, words[1:]
	}
	// fastText's flags have one dash, and its command reads them itself.
	if command == "fasttext" || strings.HasPrefix(command, "fasttext ") || command == "completion" {
		return nil
	}
	flags := p.Flags(ctx, command)
	for _, word := range words {
		name, _, _ := strings.Cut(word, "=")
		if strings.HasPrefix(name, "--") && len(name) > 2 && !flags[name] {
			return fmt.Errorf("w2v %s has no flag %s", command, name)
		}
	}
	return nil
}
