package source

import (
	"context"
	"errors"
	"hash/maphash"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// A reader of a file that is being compared with what it was does not wait for the end of that, and readers are told
// what came of it afterwards.
func TestReadersDoNotWaitForAComparison(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("what is in it"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	o := &original{file: f, seed: maphash.MakeSeed()}
	o.was.Store(&state{info, atomicfile.IdentityOf(f)})
	if err := o.remember(t.Context()); err != nil {
		t.Fatal(err)
	}
	touch := func(after time.Duration) {
		t.Helper()
		later := time.Now().Add(after)
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
	}
	touch(time.Minute)
	o.compared = make(chan struct{}) // a comparison has begun, and takes long
	told := make(chan error)
	for range 2 {
		go func() { told <- o.changed() }()
	}
	for range 2 {
		if err := <-told; !errors.Is(err, backing.ErrUnsure) {
			t.Errorf("while the file is compared: %v", err)
		}
	}
	is, err := o.now()
	if err != nil {
		t.Fatal(err)
	}
	o.compare(is)
	for _, test := range []struct {
		do   func()
		want error
	}{
		{func() {}, nil},
		{func() { touch(2 * time.Minute) }, nil},
		{func() {
			if err := os.WriteFile(path, []byte("other content"), 0o600); err != nil {
				t.Fatal(err)
			}
			touch(3 * time.Minute)
		}, backing.ErrChanged},
	} {
		test.do()
		if err := o.changed(); !errors.Is(err, test.want) {
			t.Errorf("got %v, want %v", err, test.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := o.remember(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("remember after the end of its context: %v", err)
	}
}
