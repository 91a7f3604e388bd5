package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/longtest"
)

// Every module that is linked into the program has its licence in the list, and the list is the same
// every time.
func TestAllModulesHaveTheirLicence(t *testing.T) {
	longtest.Only(t)
	var out, again bytes.Buffer
	for _, to := range []*bytes.Buffer{&out, &again} {
		if err := write(to, systems); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Error("the second list differs from the first")
	}
	program := filepath.Join(t.TempDir(), "w2v")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "github.com/w2v-go/w2v/cmd/w2v")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var modules []module
	for _, m := range info.Deps {
		modules = append(modules, module{m.Path, m.Version, ""})
	}
	checkLicences(t, out.String(), modules)
}

// The modules of one system have their licences.
func TestModulesOfOneSystemHaveTheirLicence(t *testing.T) {
	modules, err := linked(systems[:1])
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := write(&out, systems[:1]); err != nil {
		t.Fatal(err)
	}
	checkLicences(t, out.String(), modules)
}

func checkLicences(t *testing.T, list string, modules []module) {
	t.Helper()
	if len(modules) < 30 {
		t.Fatalf("the program has %d modules", len(modules))
	}
	for _, m := range modules {
		title := fmt.Sprintf("\n%s %s: ", m.Path, m.Version)
		_, text, found := strings.Cut(list, title)
		text, _, _ = strings.Cut(text, "\n"+strings.Repeat("=", 80)+"\n"+m.Path)
		if !found || len(text) < 300 || !regexp.MustCompile(`(?i)copyright|licen[cs]e`).MatchString(text[:300]) {
			t.Errorf("the list lacks the licence of %s %s: %.100q", m.Path, m.Version, text)
		}
	}
	if !utf8.ValidString(list) {
		t.Error("the list is not in UTF-8")
	}
	if !strings.Contains(list, "\nGo go1.") {
		t.Error("the list lacks the licence of Go")
	}
}

// TestSystemsAreThoseOfReleases compares them with what makes releases.
func TestSystemsAreThoseOfReleases(t *testing.T) {
	script, err := os.ReadFile("../release")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^targets=\((.*)\)$`).FindSubmatch(script)
	if list == nil {
		t.Fatal("packaging/release has no list of targets")
	}
	if want := strings.Fields(string(list[1])); !slices.Equal(systems, want) {
		t.Errorf("licences of %v, releases for %v", systems, want)
	}
}
