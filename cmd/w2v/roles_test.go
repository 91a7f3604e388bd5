package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/fileuse"
	"github.com/w2v-go/w2v/sweep"
)

// namesFiles is how a usage calls a value that names files.
var namesFiles = regexp.MustCompile(`FILE|INDEX|FOLDER|PATH|MODEL|CORPUS|^PAIRS\.\.\.|\bSETS?\b|\bOUT\b|\bIN\b|LOG|CONFIG|EDGES|FASTA|OLD|NEW|folder|\bfile of`)

// takesText reports whether a flag may name files.
func takesText(f *pflag.Flag) bool {
	if e, ok := f.Value.(*enum); ok {
		return e.further != nil
	}
	switch f.Value.Type() {
	case "bool", "int", "intSlice", "uint64", "float64", "duration", "tokens", "numbers", "size":
		return false
	}
	return true
}

// Every flag and every argument says once what the command does with the files that it names. One that is added
// without a role fails here.
func TestFilesHaveRoles(t *testing.T) {
	used := map[string]bool{}
	eachCommand(func(c *cobra.Command) {
		if c.Name() == "help" || c.HasSubCommands() && arguments(c) == "" || c.Name() == "fasttext" {
			return
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !takesText(f) {
				return
			}
			r := flagRole(c, f)
			if value, _ := pflag.UnquoteUsage(f); namesFiles.MatchString(value) && r.paths == nil {
				t.Errorf("%s --%s %s names files, and has no role that does: see flagRoles", c.CommandPath(), f.Name, value)
			}
			for name := range flagRoles {
				if last := name[strings.LastIndexByte(name, ' ')+1:]; last == f.Name {
					used[name] = true
				}
			}
		})
		roles := argumentRoles(c)
		wanted := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(arguments(c)))
		for i, argument := range wanted {
			if strings.HasPrefix(argument, "-") {
				break
			}
			files := namesFiles.MatchString(argument) || c.Name() == "align" // whose A and B are models
			if len(roles) == 0 || files != (roles[min(i, len(roles)-1)].paths != nil) {
				t.Errorf("%s: the argument %s has not the role that it needs: see argumentRoles", c.CommandPath(), argument)
			}
		}
	})
	for name := range flagRoles {
		if !used[name] {
			t.Errorf("the role %q is that of no flag", name)
		}
	}
}

// A place of a command line where a path can stand.
type slot struct {
	role
	flag string // empty for an argument
	at   int    // of the argument
}

func (s slot) String() string {
	if s.flag != "" {
		return "--" + s.flag
	}
	return s.called
}

// slots are the places of a command line where paths can stand.
func slots(c *cobra.Command) (all []slot) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if r := flagRole(c, f); r.paths != nil && takesText(f) {
			all = append(all, slot{r, f.Name, 0})
		}
	})
	for i, r := range argumentRoles(c) {
		if r.paths != nil {
			all = append(all, slot{r, "", i})
		}
	}
	return all
}

// line makes a command line of c with these values at these slots.
func line(c *cobra.Command, values map[string]string, at []slot) []string {
	args := slices.Repeat([]string{"other"}, 4)
	path := strings.Fields(strings.TrimPrefix(c.CommandPath(), "w2v "))
	var flags []string
	n := 0
	for _, s := range at {
		if s.flag != "" {
			flags = append(flags, "--"+s.flag+"="+values[s.String()])
		} else {
			args[s.at], n = values[s.String()], max(n, s.at+1)
		}
	}
	for n < 3 && c.Args(c, args[:n]) != nil {
		n++
	}
	for i, r := range argumentRoles(c) {
		if r.extensions != nil && args[i] == "other" {
			args[i] = "other" + r.extensions[0]
		}
	}
	return slices.Concat(path, args[:n], flags) // after the arguments, of which --sets takes those that follow
}

// No command replaces a file that it reads, or writes a file for two purposes, by whatever name the file is called.
func TestNoOutputReplacesAnInput(t *testing.T) {
	// What a run may replace, and why that loses nothing.
	updates := map[string]string{
		"train --output --init":                "the vectors to start from are in memory when the model is written",
		"train --checkpoint --resume":          "a checkpoint is replaced by the next one of its run; train refuses other runs",
		"classify train --checkpoint --resume": "as for train",
		"pairs --checkpoint --resume":          "as for train",
		"distill --checkpoint --resume":        "as for train",
		"classify train --output --init":       "the model is written to another file, which then replaces the vectors",
		"classify tune --output --init":        "as for classify train",
	}
	tried := 0
	names := []string{"%", "./%", "link-%", "hard-%", "folder/../%"}
	eachCommand(func(c *cobra.Command) {
		if c.Name() == "fasttext" || c.RunE == nil {
			return
		}
		all := slots(c)
		for i, out := range all {
			for j, in := range all {
				twice := in.use >= fileuse.Writes && out.flag != "write" && (j < i || in.flag == "write") // which is a folder
				if i == j || out.use == fileuse.Reads || out.use == fileuse.Lists || twice {
					continue
				}
				what := strings.TrimPrefix(c.CommandPath(), "w2v ") + " " + out.String() + " " + in.String()
				if updates[what] == "" {
					collide(t, c, what, out, in, names[tried%len(names)])
					tried++
				}
			}
		}
	})
	if tried < 100 {
		t.Errorf("only %d collisions were tried", tried)
	}
}

// collide runs a command with a file that is both.
func collide(t *testing.T, c *cobra.Command, what string, out, in slot, name string) {
	t.Chdir(t.TempDir())
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("folder/other", "1")
	value := "x"
	switch {
	case in.flag == "tokenizer":
		value = "x.json"
	case out.model:
		value = "x.w2v"
	case out.extensions != nil:
		value = "x" + out.extensions[0]
	case out.flag == "output" && c.Parent().Name() == "plot":
		value = "x.svg"
	}
	file := out.paths(c, value)[0]
	if out.use == fileuse.Keeps || in.use == fileuse.Keeps {
		if out.use == fileuse.Writes && file != value {
			return // a folder of known files beside others is no conflict
		}
		write(file+"/kept", "what is kept")
	} else {
		write(file, "what is read")
	}
	other := strings.ReplaceAll(name, "%", filepath.Base(file))
	if dir := filepath.Dir(file); dir != "." {
		other = filepath.Join(dir, other)
		if strings.Contains(name, "..") {
			return
		}
	}
	switch {
	case strings.HasPrefix(name, "link"):
		if err := os.Symlink(filepath.Base(file), other); err != nil {
			t.Skip(err)
		}
	case strings.HasPrefix(name, "hard"):
		if err := os.Link(file, other); err != nil {
			return // of a folder
		}
	}
	before := contents(t)
	var said bytes.Buffer
	args := line(c, map[string]string{out.String(): value, in.String(): other}, []slot{out, in})
	code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &said, err: &said})
	if code != exitUsage || !strings.Contains(said.String(), " are the same f") && !strings.Contains(said.String(), "replaced as a whole") {
		t.Errorf("%s: w2v %s: exit code %d: %s", what, strings.Join(args, " "), code, said.String())
	}
	if after := contents(t); !maps.Equal(before, after) {
		t.Errorf("%s: w2v %s: files have changed: %q, before %q", what, strings.Join(args, " "), after, before)
	}
}

// contents are the texts of the files in the working folder.
func contents(t *testing.T) map[string]string {
	all := map[string]string{}
	err := filepath.Walk(".", func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil && info.Mode()&os.ModeSymlink != 0 {
			return nil // to a folder
		}
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A shell may make a standard stream of a file that the command reads or writes.
func TestStandardStreamsHaveRoles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("x", []byte("a b"), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile("x", os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, test := range []struct {
		args string
		s    streams
		want string
	}{
		{"train - -o x --format w2v", streams{in: file, out: &bytes.Buffer{}}, "--output and the corpus are the same file, x"},
		{"vocab x", streams{out: file}, "standard output and the corpus are the same file, x"},
		{"train other -o x --format w2v", streams{out: file}, "--output and standard output are the same file, x"},
	} {
		var said bytes.Buffer
		test.s.err = &said
		if code := run(t.Context(), strings.Fields(test.args), test.s); code != exitUsage || !strings.Contains(said.String(), test.want) {
			t.Errorf("w2v %s: exit code %d: %s", test.args, code, said.String())
		}
	}
	if text, err := os.ReadFile("x"); err != nil || string(text) != "a b" {
		t.Errorf("%q, %v", text, err)
	}
}

// A sweep knows every flag of train: models may differ by it, or the message says why they may
// not.
func TestSweepKnowsFlagsOfTrain(t *testing.T) {
	train, _, err := newRoot(streams{}, "").Find([]string{"train"})
	if err != nil {
		t.Fatal(err)
	}
	ofOutput := []string{"help", "json", "log-json", "progress"} // no option of training
	known := 0
	train.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		_, err := sweep.Parse("s.toml", []byte("corpus = ['a']\nsimilarity = ['b']\n[settings]\n"+f.Name+" = 1\n"), nil)
		if err != nil && strings.Contains(err.Error(), "is not a setting of a model") && !slices.Contains(ofOutput, f.Name) {
			t.Errorf("--%s: %v", f.Name, err)
		}
		known++
	})
	if known < 30 {
		t.Errorf("train has %d flags", known)
	}
}
