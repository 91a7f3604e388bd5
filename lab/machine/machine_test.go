package machine

import "testing"

func TestCPUName(t *testing.T) {
	if got := cpuName("processor\t: 0\nmodel name\t: A CPU: fast\n"); got != "A CPU: fast" {
		t.Errorf("%q", got)
	}
}
