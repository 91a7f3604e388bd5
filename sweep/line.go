package sweep

import (
	"fmt"
	"strings"
)

// A locator finds the lines of keys in a TOML file, for errors.
type locator struct {
	name  string
	lines []string // blank where keys are not looked for
}

// failAt returns an error about a line, or about the whole file if that is 0.
func (l locator) failAt(line int, format string, args ...any) error {
	what := fmt.Sprintf(format, args...)
	if line == 0 {
		return fmt.Errorf("%s: %s", l.name, what)
	}
	return fmt.Errorf("%s:%d: %s", l.name, line, what)
}

// fail returns an error about the line of a key.
func (l locator) fail(key, format string, args ...any) error {
	return l.failAt(l.line(key), format, args...)
}

// line returns the line that a key is on, the first if there are several, or 0.
func (l locator) line(key string) int {
	if key == "" {
		return 0
	}
	for i, line := range l.lines {
		line = strings.TrimLeft(line, "[ \t")
		rest, found := strings.CutPrefix(line, key)
		if !found {
			rest, found = strings.CutPrefix(line, `"`+key+`"`)
		}
		if found && strings.IndexAny(strings.TrimLeft(rest, " \t"), "=.]") == 0 {
			return i + 1
		}
	}
	return 0
}

// table returns a locator for table number i of that name.
func (l locator) table(name string, i int) locator {
	of := locator{name: l.name, lines: make([]string, len(l.lines))}
	at, within := -1, false
	for k, line := range l.lines {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "[") {
			header := strings.Trim(strings.SplitN(trimmed, "#", 2)[0], "[] \t")
			if within = header == name; within {
				at++
			}
			continue
		}
		if within && at == i {
			of.lines[k] = line
		}
	}
	return of
}
