package format

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// What Write makes is what TargetFiles says.
func TestTargetFiles(t *testing.T) {
	for _, f := range All() {
		t.Run(string(f), func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "model")
			set := trial.Plain(3, 4)
			if f == Floret {
				set = trial.Table(20)
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
	state := trial.Plain(3, 4)
	state = alter(state, func(p *vectors.Parts) { p.State = []byte(`{"version":1}`) })
	for name, tt := range map[string]struct {
		set    *vectors.Set
		format Format
		want   bool
	}{
		"state.w2v":    {state, W2V, true},
		"state.w2v.gz": {state, W2V, true},
		"model.w2v":    {trial.Plain(3, 4), W2V, false},
		"model.vec":    {trial.Plain(3, 4), Text, false},
	} {
		path := filepath.Join(folder, name)
		if err := Write(t.Context(), path, tt.set, tt.format); err != nil {
			t.Fatal(err)
		}
		if got, err := HasState(path); err != nil || got != tt.want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, tt.want)
		}
	}
	for name, content := range map[string]string{"empty": "", "prose": "Once upon a time there was a dog.\n", "cut": string(encode(t, state, W2V)[:200])} {
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
