// Command licenses prints the licences of all that is linked into w2v: of Go, and of each module that the
// program of any system contains. Archives, packages and wheels have what it prints.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// systems are those of packaging/release, each with a processor. A test compares them.
var systems = []string{"linux/amd64", "linux/arm64", "linux/386", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

type module struct{ Path, Version, Dir string }

// named matches the names of files with licences, and with notices that have to be passed on with them.
var named = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|notice|patents|copyright)([-._].*)?$`)

func main() {
	if err := write(os.Stdout, systems); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

// write writes all licences to w, the same bytes on every machine.
func write(w io.Writer, systems []string) error {
	all, err := linked(systems)
	if err != nil {
		return err
	}
	goroot, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return err
	}
	root, version, _ := strings.Cut(strings.TrimSpace(string(goroot)), "\n")
	fmt.Fprintln(w, "w2v contains the software that is listed here, under these licences.")
	for _, m := range append([]module{{"Go", version, root}}, all...) {
		texts, err := licences(m)
		if err != nil {
			return err
		}
		for _, file := range slices.Sorted(maps.Keys(texts)) {
			fmt.Fprintf(w, "\n%s\n%s %s: %s\n%s\n\n%s\n", strings.Repeat("=", 80), m.Path, m.Version, file, strings.Repeat("=", 80), bytes.TrimSpace(texts[file]))
		}
	}
	return nil
}

func linked(systems []string) ([]module, error) {
	all := map[string]module{}
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "github.com/w2v-go/w2v/cmd/w2v")
		list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for line := range strings.Lines(string(out)) {
			if field := strings.Split(strings.TrimSpace(line), "\t"); len(field) == 3 {
				all[field[0]] = module{field[0], field[1], field[2]}
			}
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b module) int { return cmp.Compare(a.Path, b.Path) }), nil
}

// licences returns the texts of the licences of a module, by the names of files. Code that the module has
// taken over has its own in folders beneath. Of Go itself, which has the licences of its tools too, the
// first folder counts.
func licences(m module) (map[string][]byte, error) {
	texts := map[string][]byte{}
	err := filepath.WalkDir(m.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != m.Dir && (m.Path == "Go" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) == ".go":
			return nil
		case !named.MatchString(d.Name()) && !named.MatchString(filepath.Base(filepath.Dir(path))):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(m.Dir, path)
		if err != nil {
			return err
		}
		if !utf8.Valid(text) { // a name or a sign in Latin-1, as some licences have
			if text, err = charmap.ISO8859_1.NewDecoder().Bytes(text); err != nil {
				return err
			}
		}
		texts[filepath.ToSlash(name)] = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		return nil
	})
	if err == nil && len(texts) == 0 {
		err = errors.New("there is no file with a licence")
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s in %s: %w", m.Path, m.Version, cmp.Or(m.Dir, "no folder: go mod download"), err)
	}
	return texts, nil
}
