package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// The Python package knows the flags of w2v train. The flag -update writes them.
func TestPythonKnowsTheFlags(t *testing.T) {
	checkWritten(t, filepath.Join("..", "..", "python", "src", "w2v", "_flags.py"), pythonFlags(newTrain(streams{}).Flags()))
}

// pythonFlags is the Python module that describes flags.
func pythonFlags(flags *pflag.FlagSet) string {
	var b strings.Builder
	b.WriteString(`"""The flags of w2v train, as the program has them. A test of cmd/w2v writes this file."""

from __future__ import annotations

from typing import Dict, NamedTuple, Tuple


class Flag(NamedTuple):
    """A flag: its type as its help names it, its default, its choices, and what it is."""

    type: str
    default: str
    choices: Tuple[str, ...]
    help: str


FLAGS: Dict[str, Flag] = {
`)
	flags.VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		choices := ""
		if e, ok := f.Value.(*enum); ok {
			for _, value := range e.values() {
				choices += strconv.Quote(value) + ", "
			}
		}
		fmt.Fprintf(&b, "    %q: Flag(\n        %q,\n        %q,\n        (%s),\n        %q,\n    ),\n", strings.ReplaceAll(f.Name, "-", "_"), f.Value.Type(), f.DefValue, strings.TrimSuffix(choices, " "), usage)
	})
	b.WriteString("}\n")
	return b.String()
}
