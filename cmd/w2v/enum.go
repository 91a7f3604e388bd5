package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/vectors"
)

// A choice is a value that an enum knows, and what it means; meanings may be left out.
type choice struct{ value, meaning string }

// An enum is the value of a flag with a few known values. The flag's check, its help and
// its completion all come from the list of choices.
type enum struct {
	choices  []choice
	get      func() string
	set      func(string)
	further  func(value string) error // accepts values beside the choices; nil for none
	optional bool                     // the empty string is a value: the default
	given    string                   // by the command line
}

// addEnum adds a flag to flags that sets to, whose value now is the default.
func addEnum[T ~string](flags *pflag.FlagSet, to *T, name, usage string, choices []choice) *enum {
	e := &enum{
		choices:  choices,
		get:      func() string { return string(*to) },
		set:      func(value string) { *to = T(value) },
		optional: *to == "",
	}
	e.add(flags, name, usage)
	return e
}

// add adds the flag, with the choices behind what usage says of it.
func (e *enum) add(flags *pflag.FlagSet, name, usage string) {
	flags.Var(e, name, usage+": "+e.list())
}

// choicesOf returns the choices of a library's list, with the meanings that are given.
func choicesOf[T ~string](values []T, meanings map[T]string) []choice {
	choices := make([]choice, len(values))
	for i, v := range values {
		choices[i] = choice{string(v), meanings[v]}
	}
	return choices
}

// list names the choices, with their meanings.
func (e *enum) list() string {
	parts := make([]string, len(e.choices))
	for i, c := range e.choices {
		parts[i] = c.value
		if c.meaning != "" {
			parts[i] += " (" + c.meaning + ")"
		}
	}
	return strings.Join(parts, ", ")
}

// values are the choices by name.
func (e *enum) values() []string {
	names := make([]string, len(e.choices))
	for i, c := range e.choices {
		names[i] = c.value
	}
	return names
}

func (e *enum) String() string {
	if e.get == nil { // pflag asks a zero value what its default is
		return ""
	}
	return e.get()
}

// Type is how the help calls a value.
func (e *enum) Type() string { return "name" }

// Set takes one of the choices.
func (e *enum) Set(value string) error {
	known := slices.Contains(e.values(), value) || e.optional && value == ""
	if !known && e.further != nil {
		known = e.further(value) == nil
	}
	if !known {
		return fmt.Errorf("is not %s%s", anyOf(e.values()), didYouMean("", spelling.Nearest(value, e.values())))
	}
	e.given = value
	e.set(value)
	return nil
}

// anyOf lists names with "or" before the last.
func anyOf(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// didYouMean is what is added to the complaint about a name, if one is near.
func didYouMean(before, name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + before + name + "?"
}

// addAnalogyMethod adds the flag --method of what answers analogies.
func addAnalogyMethod(c *cobra.Command, to *vectors.AnalogyMethod) {
	*to = vectors.CosAdd
	addEnum(c.Flags(), to, "method", "how answers are scored", choicesOf(vectors.AnalogyMethods(), nil))
}

// When a progress bar is shown.
const (
	progressAuto   = "auto"
	progressAlways = "always"
	progressNever  = "never"
)

// addProgress adds the flag --progress.
func addProgress(flags *pflag.FlagSet, to *string) {
	*to = progressAuto
	addEnum(flags, to, "progress", "progress bar on stderr", []choice{
		{progressAuto, "on a terminal"},
		{progressAlways, ""},
		{progressNever, ""},
	})
}
