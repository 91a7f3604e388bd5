package vocab_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/vocab"
)

// A vocabulary is read whole or not at all.
func TestReadOfWhatGivesLittleOrFails(t *testing.T) {
	text := "the 100\ncat 20\nnaïve 3\n" + strings.Repeat("x", 5000) + " 2\n"
	want, err := vocab.Read(strings.NewReader(text), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for most := 1; most < 4; most++ {
		got, err := vocab.Read(&faults.Reader{R: strings.NewReader(text), Most: most}, vocab.Options{})
		if err != nil || !slices.Equal(got.Tokens(), want.Tokens()) || !slices.Equal(got.Counts(), want.Counts()) {
			t.Errorf("reads of at most %d bytes: %v", most, err)
		}
	}
	for room := range int64(len(text)) {
		v, err := vocab.Read(&faults.Reader{R: strings.NewReader(text), Err: broken, Room: room}, vocab.Options{})
		if !errors.Is(err, broken) || v != nil {
			t.Fatalf("after %d bytes: %v", room, err)
		}
	}
}

// A vocabulary is written whole or there is an error.
func TestWriteThatRunsOutOfRoom(t *testing.T) {
	v, err := vocab.Read(strings.NewReader("the 100\ncat 20\nnaïve 3\n"), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	var whole strings.Builder
	if _, err := v.WriteTo(&whole); err != nil {
		t.Fatal(err)
	}
	for room := range int64(whole.Len()) {
		if n, err := v.WriteTo(&faults.Writer{Room: room, Err: broken}); !errors.Is(err, broken) || n != room {
			t.Errorf("room for %d bytes: wrote %d, %v", room, n, err)
		}
	}
}
