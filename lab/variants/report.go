package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// finder returns what finds the results that were made as the options say.
func (w *workshop) finder(all []variant, seeds []uint64) finder {
	return func(name, row string) results {
		l := slices.IndexFunc(w.languages, func(l *language) bool { return l.name == name })
		v := slices.IndexFunc(all, func(v variant) bool {
			rows, _ := v.rows()
			return slices.Contains(rows, row)
		})
		if l < 0 || v < 0 {
			return nil
		}
		var found results
		for _, seed := range seeds {
			settings := w.settings(all[v], w.languages[l])
			if r, ok := w.record.results[key{name, row, seed, settings}]; ok {
				found = append(found, r)
			} else if r, ok := w.record.results[key{name, all[v].name, seed, settings}]; ok && r.Failed != "" {
				found = append(found, r) // a part of what could not be made
			}
		}
		return found
	}
}

// report is everything that is generated: what was run, tables and checks.
func (w *workshop) report(all []variant, seeds []uint64) string {
	find := w.finder(all, seeds)
	var made results
	for _, l := range w.languages {
		for _, row := range ordered {
			made = append(made, find(l.name, row)...)
		}
	}
	var text strings.Builder
	text.WriteString(w.preamble(made))
	for _, l := range w.languages {
		body, notes := tableOf(l.name, all, find)
		title := map[string]string{english: "English", german: "German"}[l.name]
		fmt.Fprintf(&text, "\n### %s\n\n%s: %d tokens of %d words.\n\n%s", title, filepath.Base(l.path), l.ids.Tokens(), l.vocab.Len(), body)
		if of := intervals(l.name, find); of != "" {
			notes = append([]string{of}, notes...)
		}
		for _, note := range notes {
			text.WriteString("\n" + note + "\n")
		}
	}
	if found := checks(find); len(found) > 0 {
		text.WriteString("\n### Checks\n\n" + checkTable(found))
	}
	return withoutPaths(text.String())
}

// preamble says when and where results were made, by what, and with which options.
func (w *workshop) preamble(made results) string {
	when := distinct(made, func(r result) string { return r.When })
	slices.Sort(when)
	var text strings.Builder
	text.WriteString("`" + w.command() + "`\n")
	if len(when) > 0 {
		between := when[0]
		if last := when[len(when)-1]; last != between {
			between += " to " + last
		}
		machines := distinct(made, func(r result) string { m, _, _ := strings.Cut(r.Machine, ", load before "); return m })
		fmt.Fprintf(&text, "%s; %s; %s.\n", between, strings.Join(machines, "; "), strings.Join(distinct(made, func(r result) string { return r.Program }), "; "))
	}
	return text.String()
}

// command is the options that results depend on, without the folders and the choice of rows
// that this run happened to have.
func (o options) command() string {
	return fmt.Sprintf("variants -seeds %s -epochs %d -threads %d -pool %d -importances %d", o.seeds, o.epochs, o.threads, o.pool, o.importances)
}

// machinePath is a path that is one machine's: from the root, from a home folder, or from
// where the program was started.
var machinePath = regexp.MustCompile(`(^|[\s"'` + "`" + `(=:;,])((?:~|\.{1,2})?(?:/[^\s"'` + "`" + `()=:;,|/]+)+/?|[A-Za-z]:\\[^\s"'` + "`" + `()=;,|]+)`)

// withoutPaths makes the last element of every such path in a text of it.
func withoutPaths(text string) string {
	return machinePath.ReplaceAllStringFunc(text, func(found string) string {
		m := machinePath.FindStringSubmatch(found)
		parts := strings.FieldsFunc(m[2], func(r rune) bool { return r == '/' || r == '\\' })
		return m[1] + parts[len(parts)-1]
	})
}
