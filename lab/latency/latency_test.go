package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func linesOf(list ...float64) (all []period) {
	for _, x := range list {
		all = append(all, period{Line: x})
	}
	return all
}

// Periods are divided where lines differ most, not where one of many is slow.
func TestSplit(t *testing.T) {
	for _, test := range []struct {
		lines     []float64
		near, far int
	}{
		{[]float64{30}, 1, 0},
		{[]float64{30, 31, 29, 44}, 4, 0},
		{[]float64{95, 30, 31, 90, 29, 100}, 3, 3},
		{[]float64{20, 95, 30, 31, 90, 29, 100}, 4, 3},
		{append(make20(30), 500), 21, 0},
	} {
		near, far := split(linesOf(test.lines...))
		if len(near) != test.near || len(far) != test.far {
			t.Errorf("%v: %d near and %d far, want %d and %d", test.lines, len(near), len(far), test.near, test.far)
		}
	}
}

func make20(x float64) []float64 {
	all := make([]float64, 20)
	for i := range all {
		all[i] = x
	}
	return all
}

// Two threads measure each other, and the turn comes back.
func TestRun(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.NumCPU() < 2 {
		t.Skip("needs two cores of Linux")
	}
	file := filepath.Join(t.TempDir(), "out.json")
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-seconds", "3", "-period", "10ms", "-json", file}, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Periods) != 3 {
		t.Errorf("%d periods, want 3", len(r.Periods))
	}
	for _, p := range r.Periods {
		for i, x := range p.numbers() {
			if !(x > 0) {
				t.Errorf("number %d is %v", i, x)
			}
		}
	}
	if !strings.Contains(out.String(), "median of") {
		t.Errorf("no medians:\n%s", &out)
	}
}

func TestRefusedOptions(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"-cores", "0"}, {"-cores", "1,1"}, {"-cores", "0,x"}, {"-dim", "0"}, {"-seconds", "0"}, {"-period", "0s"}} {
		if _, err := parseOptions(args); err == nil {
			t.Errorf("%q are options", args)
		}
	}
}
