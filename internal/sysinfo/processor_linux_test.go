package sysinfo

import "testing"

func TestProcessorName(t *testing.T) {
	for _, test := range []struct{ info, want string }{
		{"processor\t: 0\nmodel name\t: A CPU: fast\n", "A CPU: fast"},
		{"processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\n", ""}, // arm64 has no name
		{"", ""},
	} {
		if got := processorName(test.info); got != test.want {
			t.Errorf("%q: %q, want %q", test.info, got, test.want)
		}
	}
}
