//go:build amd64 && !purego

package simd

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A machine that has AVX2 need not have AVX-512, but the generator does not keep
// AVX-512 out of what is meant for AVX2.
func TestAVX2HasNoAVX512(t *testing.T) {
	source, err := os.ReadFile("amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`TEXT ·(\w+)`)
	wide := regexp.MustCompile(`\b(Z\d+|K[0-7]|[XY](1[6-9]|2\d|3[01]))\b|AVX512|BMI2|\.(BCST|Z)\b`)
	functions := 0
	// Each function follows what the generator says it requires.
	for _, function := range strings.Split(string(source), "\n// func ")[1:] {
		if !strings.HasSuffix(name.FindStringSubmatch(function)[1], "AVX2") {
			continue
		}
		functions++
		for _, line := range strings.Split(function, "\n") {
			if found := wide.FindString(line); found != "" {
				t.Errorf("%s: %s", found, line)
			}
		}
		if !strings.Contains(function, "VZEROUPPER") {
			t.Errorf("no VZEROUPPER in %s", function[:40])
		}
	}
	if functions != 28 {
		t.Errorf("%d functions, want 28", functions)
	}
}
