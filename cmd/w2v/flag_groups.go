package main

import (
	"slices"

	"github.com/spf13/pflag"
)

// flagGroup is the annotation of a flag with the title of its group.
const flagGroup = "w2v_group"

// withoutGroup is the title of the flags that are in no group.
const withoutGroup = "Flags"

// grouped puts the flags that add adds into the group of that title, which the help lists together.
// Flags that add puts into groups of their own stay there.
func grouped(flags *pflag.FlagSet, title string, add func()) {
	before := map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) { before[f.Name] = true })
	add()
	flags.VisitAll(func(f *pflag.Flag) {
		if !before[f.Name] && f.Annotations[flagGroup] == nil {
			_ = flags.SetAnnotation(f.Name, flagGroup, []string{title}) // fails for flags that are not there
		}
	})
}

// A flagsOfGroup is flags that are listed together.
type flagsOfGroup struct {
	title string
	flags []*pflag.Flag
}

// groupsOfFlags returns the flags that are not hidden by their groups: those without a group first, and
// then each group where its first flag is.
func groupsOfFlags(flags *pflag.FlagSet) []flagsOfGroup {
	groups := []flagsOfGroup{{title: withoutGroup}}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := withoutGroup
		if own := f.Annotations[flagGroup]; len(own) > 0 {
			title = own[0] + " flags"
		}
		at := slices.IndexFunc(groups, func(g flagsOfGroup) bool { return g.title == title })
		if at < 0 {
			at = len(groups)
			groups = append(groups, flagsOfGroup{title: title})
		}
		groups[at].flags = append(groups[at].flags, f)
	})
	return slices.DeleteFunc(groups, func(g flagsOfGroup) bool { return len(g.flags) == 0 })
}

// flagName is how the help calls a flag, as in "-o, --output", and its value, which switches have none of.
func flagName(f *pflag.Flag) (name, value, text string) {
	value, text = pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if f.NoOptDefVal != "" && value != "" { // a value in the next word would be an argument
		return name + "[=" + value + "]", "", text
	}
	return name, value, text
}

// flagDefault is the default of a flag, or "" if there is none worth a word.
func flagDefault(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return ""
	}
	return f.DefValue
}
