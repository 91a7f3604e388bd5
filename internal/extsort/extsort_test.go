package extsort

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/faults"
)

func sorter(folder string, limit int) *Sorter {
	return &Sorter{Folder: folder, Prefix: "w2v-test-", Limit: limit, Explain: func(folder string, err error) error { return fmt.Errorf("%s: %w", folder, err) }}
}

// Records that go through a temporary file come out as those that stay in memory: by key, and records with
// the same key as they were added.
func TestSorter(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	small, large := sorter(t.TempDir(), 2000), sorter("", 64<<20)
	for i := range 5000 {
		key := []byte(strings.Repeat("k", random.IntN(12)) + fmt.Sprint(random.IntN(100)))
		value := fmt.Appendf(nil, "%5d%s", i, strings.Repeat("x", random.IntN(300)))
		if err := errors.Join(small.Add(key, value), large.Add(key, value)); err != nil {
			t.Fatal(err)
		}
	}
	if len(small.Runs()) < 10 || len(large.Runs()) != 1 || large.file != nil {
		t.Fatalf("%d and %d runs", len(small.Runs()), len(large.Runs()))
	}
	a, err := NewMerge(small.Runs(), 1<<20)
	b, err2 := NewMerge(large.Runs(), 1<<20)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	var key, value []byte
	for n := 0; ; n++ {
		x, err := a.Next()
		y, err2 := b.Next()
		if err != nil || err2 != nil {
			if err != io.EOF || err2 != io.EOF || n != 5000 {
				t.Errorf("%d records, %v, %v", n, err, err2)
			}
			break
		}
		if !bytes.Equal(x.Key, y.Key) || !bytes.Equal(x.Value, y.Value) {
			t.Fatalf("record %d: %q %q and %q %q", n, x.Key, x.Value, y.Key, y.Value)
		}
		if c := bytes.Compare(key, x.Key); c > 0 || c == 0 && bytes.Compare(value[:min(5, len(value))], x.Value[:5]) >= 0 {
			t.Fatalf("record %d: %q %q comes behind %q %q", n, x.Key, x.Value, key, value)
		}
		key, value = bytes.Clone(x.Key), bytes.Clone(x.Value)
	}
	if err := errors.Join(small.Close(), large.Close(), large.Close()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(small.Folder); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

// A file that became shorter or has other bytes, and a disk that is full, are errors.
func TestSorterFails(t *testing.T) {
	const run = 2 * (2 + 5 + 50) // bytes
	for _, change := range []func(f *os.File) error{
		func(f *os.File) error { return f.Truncate(200) },
		func(f *os.File) error { return f.Truncate(0) },
		func(f *os.File) error { return f.Truncate(2 * run) },
		func(f *os.File) error { return f.Truncate(2*run + 1) },
		func(f *os.File) error { return f.Truncate(2*run + 2) },
		func(f *os.File) error {
			_, err := f.WriteAt([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), run)
			return err
		},
		func(f *os.File) error {
			_, err := f.WriteAt([]byte("\x05\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), run)
			return err
		},
	} {
		s := sorter(t.TempDir(), 100)
		for i := range 10 {
			if err := s.Add(fmt.Appendf(nil, "key %d", i), []byte(strings.Repeat("value", 10))); err != nil {
				t.Fatal(err)
			}
		}
		if err := change(s.file.File); err != nil {
			t.Fatal(err)
		}
		m, err := NewMerge(s.Runs(), 1)
		for err == nil {
			_, err = m.Next()
		}
		if errors.Is(err, io.EOF) || !strings.HasPrefix(err.Error(), s.Folder+": ") {
			t.Errorf("error %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	full := sorter(faults.Tmpfs(t, 1<<16), 1<<17)
	var err error
	for err == nil {
		err = full.Add([]byte("key"), make([]byte, 1000))
	}
	if !strings.HasPrefix(err.Error(), full.Folder+": ") {
		t.Errorf("error %v", err)
	}
	if err := full.Close(); err != nil {
		t.Error(err)
	}
}
