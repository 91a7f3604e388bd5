package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Flags stand in the group in which they were added first. Flags without a group come first.
func TestGroupsOfFlags(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	grouped(flags, "Text", func() {
		flags.Bool("lowercase", false, "")
		grouped(flags, "Phrase", func() { flags.Bool("phrases", false, "") })
		flags.Bool("digits", false, "")
	})
	flags.Bool("json", false, "")
	grouped(flags, "Text", func() { flags.Bool("header", false, "") })
	flags.Bool("secret", false, "")
	flags.Lookup("secret").Hidden = true
	want := []string{"Flags: json", "Text flags: lowercase digits header", "Phrase flags: phrases"}
	groups := groupsOfFlags(flags)
	for i, g := range groups {
		got := g.title + ":"
		for _, f := range g.flags {
			got += " " + f.Name
		}
		if i >= len(want) || got != want[i] {
			t.Errorf("group %d is %q, want %q", i, got, strings.Join(want, "; "))
		}
	}
	if len(groups) != len(want) {
		t.Errorf("%d groups, want %d", len(groups), len(want))
	}
}
