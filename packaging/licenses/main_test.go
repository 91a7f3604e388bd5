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
)

// TestAllModulesHaveTheirLicence compares the list with what the Go tool has written into a program.
func TestAllModulesHaveTheirLicence(t *testing.T) {
	var out, again bytes.Buffer
	for _, to := range []*bytes.Buffer{&out, &again} {
		if err := write(to); err != nil {
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
	if len(info.Deps) < 30 {
		t.Fatalf("the program has %d modules", len(info.Deps))
	}
	for _, m := range info.Deps {
		title := fmt.Sprintf("\n%s %s: ", m.Path, m.Version)
		_, text, found := strings.Cut(out.String(), title)
		text, _, _ = strings.Cut(text, "\n"+strings.Repeat("=", 80)+"\n"+m.Path)
		if !found || len(text) < 300 || !regexp.MustCompile(`(?i)copyright|licen[cs]e`).MatchString(text[:300]) {
			t.Errorf("the list lacks the licence of %s %s: %.100q", m.Path, m.Version, text)
		}
	}
	if !utf8.Valid(out.Bytes()) {
		t.Error("the list is not in UTF-8")
	}
	if !strings.Contains(out.String(), "\nGo go1.") {
		t.Error("the list lacks the licence of Go")
	}
}

// TestSystemsAreThoseOfReleases compares them with the configuration of releases.
func TestSystemsAreThoseOfReleases(t *testing.T) {
	text, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	list := func(pattern string) []string {
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			t.Fatalf("no %s in the configuration", pattern)
		}
		return strings.Split(strings.ReplaceAll(string(found[1]), `"`, ""), ", ")
	}
	var want []string
	for _, goos := range list(`(?m)^    goos: \[(.*)\]`) {
		for _, goarch := range list(`(?m)^    goarch: \[(.*)\]`) {
			if !bytes.Contains(text, fmt.Appendf(nil, "{ goos: %s, goarch: %q }", goos, goarch)) {
				want = append(want, goos+"/"+goarch)
			}
		}
	}
	if got := slices.Sorted(slices.Values(systems)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("licences of %v, releases for %v", got, want)
	}
}
