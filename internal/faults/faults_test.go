package faults_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/internal/faults"
)

var errBroken = errors.New("broken")

func TestWriterTakesWhatItHasRoomFor(t *testing.T) {
	for _, tt := range []struct {
		room   int64
		err    error
		writes []string
		got    string
		want   error
		fails  int
	}{
		{0, nil, []string{""}, "", nil, 0},
		{0, nil, []string{"a"}, "", syscall.ENOSPC, 1},
		{3, nil, []string{"ab", "c"}, "abc", nil, 0},
		{3, nil, []string{"ab", "cd"}, "abc", syscall.ENOSPC, 1},
		{3, errBroken, []string{"abcd", "e"}, "abc", errBroken, 2},
	} {
		var got bytes.Buffer
		w := &faults.Writer{W: &got, Room: tt.room, Err: tt.err}
		var last error
		taken := 0
		for _, s := range tt.writes {
			n, err := w.Write([]byte(s))
			taken += n
			last = err
		}
		if got.String() != tt.got || taken != len(tt.got) || !errors.Is(last, tt.want) || w.Fails != tt.fails {
			t.Errorf("room for %d of %q: %q, %d bytes, %v, %d failures", tt.room, tt.writes, got.String(), taken, last, w.Fails)
		}
	}
}

func TestWriterToNowhere(t *testing.T) {
	if n, err := (&faults.Writer{Room: 2}).Write([]byte("abc")); n != 2 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestReaderGivesAllInShortReads(t *testing.T) {
	const text = "the cat sat on the mat"
	for most := range 5 {
		r := &faults.Reader{R: strings.NewReader(text), Most: most, Seed: 7}
		if err := iotest.TestReader(r, []byte(text)); err != nil {
			t.Errorf("at most %d bytes: %v", most, err)
		}
		r = &faults.Reader{R: strings.NewReader(text), Most: most, Seed: 7}
		buf := make([]byte, 100)
		for {
			n, err := r.Read(buf)
			if most > 0 && n > most {
				t.Errorf("a read gives %d bytes, want at most %d", n, most)
			}
			if err != nil {
				break
			}
		}
	}
}

func TestReaderFailsWhereItIsTold(t *testing.T) {
	const text = "the cat"
	for room := range int64(len(text)) {
		got, err := io.ReadAll(&faults.Reader{R: strings.NewReader(text), Most: 3, Err: errBroken, Room: room})
		if string(got) != text[:room] || !errors.Is(err, errBroken) {
			t.Errorf("after %d bytes: %q, %v", room, got, err)
		}
	}
}

func TestTmpfsIsSmall(t *testing.T) {
	folder := faults.Tmpfs(t, 64<<10)
	path := filepath.Join(folder, "file")
	err := os.WriteFile(path, make([]byte, 100<<10), 0o600)
	if err == nil || !strings.HasSuffix(err.Error(), syscall.ENOSPC.Error()) {
		t.Errorf("writing more than there is room for: %v", err)
	}
	faults.ReadOnly(t, folder)
	if err := os.Remove(path); err == nil {
		t.Error("a read-only disk has been changed")
	}
}
