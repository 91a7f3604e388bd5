package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// The Python package knows the flags of w2v train. UPDATE_PYTHON=1 writes them.
func TestPythonKnowsTheFlags(t *testing.T) {
	path := filepath.Join("..", "..", "python", "src", "w2v", "_flags.py")
	want := pythonFlags(newTrain(streams{}).Flags())
	if os.Getenv("UPDATE_PYTHON") != "" {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Errorf("%s does not have the flags of w2v train: UPDATE_PYTHON=1 go test ./cmd/w2v -run PythonKnowsTheFlags writes it", path)
	}
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
