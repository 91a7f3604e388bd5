package docs

import (
	"regexp"
	"slices"
	"strings"
)

// targets matches the names that a rule makes.
var targets = regexp.MustCompile(`(?m)^([\w.][\w. -]*?) ?&?:(?:[^=]|$)`)

// Known returns the names of all files and folders that can be given.
func Known() []string {
	var names []string
	for _, m := range targets.FindAllSubmatch(givenRules, -1) {
		names = append(names, strings.Fields(string(m[1]))...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") })
}

// Examples returns every block of a page as a page of its own, which is given all known files that
// its commands name. It is for pages that are made from help texts.
func Examples(p *Page) []*Page {
	known := map[string]bool{}
	for _, name := range Known() {
		known[name] = true
	}
	var pages []*Page
	for _, b := range p.Blocks {
		if b.NotRun == "" {
			words := strings.FieldsFunc(b.Text, func(c rune) bool { return strings.ContainsRune(" \t\n=,:/\"'", c) })
			slices.Sort(words)
			b.Given = slices.DeleteFunc(slices.Compact(words), func(word string) bool { return !known[word] })
		}
		pages = append(pages, &Page{Name: p.Name, Blocks: []Block{b}})
	}
	return pages
}
