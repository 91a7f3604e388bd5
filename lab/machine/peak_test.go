package machine

import (
	"os/exec"
	"runtime"
	"testing"
)

func TestPeakInStatus(t *testing.T) {
	for status, want := range map[string]float64{
		"Name:\tbench\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n": 2 << 20,
		"Name:\tVmHWM:\n": 0,
		"":                0,
	} {
		if got := peakInStatus(status); got != want {
			t.Errorf("%q: %v", status, got)
		}
	}
}

// A small process of a parent with 256 MB is small.
func TestPeakIsNotTheParents(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("needs Linux with the program sleep")
	}
	large := make([]byte, 256<<20)
	for i := 0; i < len(large); i += 512 {
		large[i] = 1
	}
	c := exec.Command(sleep, "0.1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w := Watch(c.Process)
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	if accounted := used(c.ProcessState); accounted < float64(len(large)) {
		t.Logf("the system accounts for %v bytes, without the parent", accounted)
	}
	if got := w.Of(c.ProcessState); got <= 0 || got > 64<<20 {
		t.Errorf("sleep had %v bytes", got)
	}
	runtime.KeepAlive(large)
}
