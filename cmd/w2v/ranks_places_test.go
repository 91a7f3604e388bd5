package main

import "testing"

func TestOverlap(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"0-3", "0-3", true},
		{"0-3", "2-5", true},
		{"0-3", "4-7", false},
		{"0", "0-63", true},
		{"0", "1", false},
		{"0-1,4-5", "2-3,6-7", false},
		{"0-1,4-5", "2-3,5,9", true},
		{"8,10", "9-10", true},
		{"10", "1-2", false},
		{"", "", true}, // not known
		{"", "0-3", true},
		{"0-3", "all", true},
	} {
		if overlap(tt.a, tt.b) != tt.want || overlap(tt.b, tt.a) != tt.want {
			t.Errorf("%q and %q have a processor in common: %v, want %v", tt.a, tt.b, !tt.want, tt.want)
		}
	}
}

func TestBeside(t *testing.T) {
	at := places{{Host: "a", Processors: "0-3"}, {Host: "a", Processors: "2-5"}, {Host: "a", Processors: "6-7"}, {Host: "b", Processors: "0-3"}}
	for rank, want := range [][2]int{{3, 2}, {3, 2}, {3, 1}, {1, 1}} {
		if together, overlapping := at.beside(rank); together != want[0] || overlapping != want[1] {
			t.Errorf("rank %d: %d on its machine and %d on its processors, want %v", rank, together, overlapping, want)
		}
	}
}

func TestPlacesText(t *testing.T) {
	for want, at := range map[string]places{
		"1 rank on 1 machine, up to 1 thread each":   {{Host: "a", Threads: 1}},
		"2 ranks on 1 machine, up to 4 threads each": {{Host: "a", Threads: 4}, {Host: "a", Threads: 4}},
	} {
		if got := at.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
