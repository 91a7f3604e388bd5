package spelling

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"window", "dim", "epochs", "min-count"}
	for misspelt, want := range map[string]string{
		"windows": "window", "wndow": "window", "din": "dim", "epoch": "epochs", "min_count": "min-count",
		"colour": "", "": "",
	} {
		if got := Nearest(misspelt, names); got != want {
			t.Errorf("%q: %q, want %q", misspelt, got, want)
		}
	}
}
