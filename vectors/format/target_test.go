package vectors

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What Write makes is what TargetFiles says.
func TestTargetFiles(t *testing.T) {
	for _, f := range Formats() {
		t.Run(string(f), func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "model")
			set := plainSet(3, 4)
			if f == FormatFloret {
				set = trialTable(20)
			}
			if err := Write(t.Context(), path, set, f); err != nil {
				t.Fatal(err)
			}
			want, err := TargetFiles(path, f)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			err = filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					got = append(got, path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("wrote %q, TargetFiles has %q", got, want)
			}
		})
	}
}

func TestHasState(t *testing.T) {
	folder := t.TempDir()
	state := plainSet(3, 4)
	state.state = []byte(`{"version":1}`)
	for name, tt := range map[string]struct {
		set    *Set
		format Format
		want   bool
	}{
		"state.w2v":    {state, FormatW2V, true},
		"state.w2v.gz": {state, FormatW2V, true},
		"model.w2v":    {plainSet(3, 4), FormatW2V, false},
		"model.vec":    {plainSet(3, 4), FormatText, false},
	} {
		path := filepath.Join(folder, name)
		if err := Write(t.Context(), path, tt.set, tt.format); err != nil {
			t.Fatal(err)
		}
		if got, err := HasState(path); err != nil || got != tt.want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, tt.want)
		}
	}
	for name, content := range map[string]string{"empty": "", "prose": "Once upon a time there was a dog.\n", "cut": string(encode(t, state, FormatW2V)[:200])} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if has, err := HasState(path); err == nil || has {
			t.Errorf("%s: %v, %v, want an error", name, has, err)
		}
	}
	if _, err := HasState(filepath.Join(folder, "missing")); err == nil {
		t.Error("no error of a file that is not there")
	}
}
