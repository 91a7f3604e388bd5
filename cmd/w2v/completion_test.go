package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// eachCommand calls do for all commands of the program.
func eachCommand(do func(c *cobra.Command)) {
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		do(c)
		for _, sub := range c.Commands() {
			each(sub)
		}
	}
	root := newRoot(streams{}, "")
	root.InitDefaultHelpCmd()
	each(root)
}

// A shell completes the value of every flag and every argument of every command: a flag
// or a command that is added without a completion fails here.
func TestEverythingHasACompletion(t *testing.T) {
	enums := 0
	eachCommand(func(c *cobra.Command) {
		if !c.HasSubCommands() && c.ValidArgsFunction == nil {
			t.Errorf("%s: its arguments have no completion: see argumentCompletion", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			complete, ok := c.GetFlagCompletionFunc(f.Name)
			if !ok {
				t.Errorf("%s --%s: its values have no completion: see flagCompletion, and enum for a flag of a few values", c.CommandPath(), f.Name)
				return
			}
			if e, ok := f.Value.(*enum); ok {
				enums++
				testEnum(t, c.CommandPath()+" --"+f.Name, e, f, complete)
			}
		})
	})
	if enums < 15 {
		t.Errorf("only %d flags are enums", enums)
	}
}

// testEnum checks that all that is completed is a value, is in the help, and nothing else
// is a value.
func testEnum(t *testing.T, name string, e *enum, f *pflag.Flag, complete cobra.CompletionFunc) {
	found, directive := complete(nil, nil, "")
	if directive&cobra.ShellCompDirectiveNoFileComp == 0 {
		t.Errorf("%s: files are offered too", name)
	}
	if len(found) != len(e.choices) || len(found) < 2 {
		t.Errorf("%s: %q is completed, and there is %q", name, found, e.values())
	}
	for _, text := range found {
		value, meaning, _ := strings.Cut(text, "\t")
		if strings.HasSuffix(value, "=") {
			value += "0.5"
		}
		before := f.Value.String()
		if err := f.Value.Set(value); err != nil || f.Value.String() != value {
			t.Errorf("%s: %q is completed and is not a value: %v", name, value, err)
		}
		if err := f.Value.Set(before); err != nil {
			t.Errorf("%s: the default %q is not a value: %v", name, before, err)
		}
		if !strings.Contains(f.Usage, meaning) || !strings.Contains(f.Usage, strings.TrimSuffix(value, "0.5")) {
			t.Errorf("%s: the help %q has no %q", name, f.Usage, text)
		}
	}
	if err := f.Value.Set("no such value"); err == nil {
		t.Errorf("%s: anything is a value", name)
	}
}

// completions are what __complete prints for a command line.
func completions(t *testing.T, args ...string) []string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot(streams{out: &out, err: &bytes.Buffer{}}, "")
	root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, args...))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestCompletions(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"text8", "text.txt", "model.w2v", "sweep.toml"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"train", "--arch", "c"}, []string{"cbow\tthe centre from the mean of its contexts", ":36"}},
		{[]string{"quantize", "--method="}, []string{"f16", "int8", "pq", "opq", ":36"}},
		{[]string{"convert", "--scale", "s"}, []string{"sqrt-dim\tby the square root of the dimensions", "std=\tto the standard deviation S of all numbers", ":36"}},
		{[]string{"convert", "--scale", "st"}, []string{"std=\tto the standard deviation S of all numbers", ":38"}},
		{[]string{"sweep", "--output", ""}, []string{":16"}},
		{[]string{"train", "--dim", ""}, []string{":4"}},
		{[]string{"train", folder + "/"}, []string{"txt", "text", "gz", "zst", "bz2", ":8"}},
		{[]string{"train", in("text8")}, []string{":0"}},
		{[]string{"sweep", in("s")}, []string{"toml", ":8"}},
		{[]string{"nn", in("model.w2v"), ""}, []string{":4"}},
		{[]string{"help", "eval", ""}, []string{"analogy\tScore a model on analogy questions", "builtin\tScore a model on the built-in sets", "relation\tScore a model on relations of word pairs, as in BATS", "retrieval\tScore a model on queries and documents, as in BEIR", "similarity\tScore a model on word pairs with human judgements", ":4"}},
		{[]string{"completion", ""}, []string{"bash", "zsh", "fish", "powershell", ":4"}},
	} {
		if got := completions(t, test.args...); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.args, got, test.want)
		}
	}
	models := completions(t, "nn", in("m"))
	for _, extension := range []string{"w2v", "safetensors", "bin", "vec", "fifu", "floret", "npy", "ftz", "gz", "zst"} {
		if !slices.Contains(models, extension) {
			t.Errorf("models: no %q in %q", extension, models)
		}
	}
	if last := models[len(models)-1]; last != ":8" {
		t.Errorf("models: %s", last)
	}
}

// Every shell's script calls the program back.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		for _, more := range []string{"--no-descriptions=false", "--no-descriptions"} {
			var out bytes.Buffer
			root := newRoot(streams{out: &out}, "")
			root.SetArgs([]string{"completion", shell, more})
			if err := root.Execute(); err != nil {
				t.Fatal(err)
			}
			want := cobra.ShellCompRequestCmd + " "
			if more == "--no-descriptions" {
				want = cobra.ShellCompNoDescRequestCmd + " "
			}
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s %s: no %q", shell, more, want)
			}
		}
	}
}
