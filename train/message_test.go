package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestSpell(t *testing.T) {
	flag := func(name, value string) string {
		if value != "" {
			value = " " + value
		}
		return "--" + name + value
	}
	rare := errorf("%v: see %v", io.EOF, name("min-count"))
	same := optionErrorf("%v and %v are the same file", name("output"), name("checkpoint"))
	for _, test := range []struct {
		err         error
		text, flags string
		is          error
	}{
		{rare, "EOF: see Settings.MinCount", "EOF: see --min-count", io.EOF},
		{errorf("%v keeps all", name("sample").to(0)), "Settings.Model.Sample: 0 keeps all", "--sample 0 keeps all", nil},
		{same, "Output and Checkpoint.File are the same file", "--output and --checkpoint are the same file", nil},
		{fmt.Errorf("reading: %w", rare), "reading: EOF: see Settings.MinCount", "reading: EOF: see --min-count", io.EOF},
		{errors.Join(context.Canceled, fmt.Errorf("x: %w", same)), "context canceled\nx: Output and Checkpoint.File are the same file", "context canceled\nx: --output and --checkpoint are the same file", context.Canceled},
		{errorf("it failed: %v", rare), "it failed: EOF: see Settings.MinCount", "it failed: EOF: see --min-count", io.EOF},
		{io.EOF, "EOF", "EOF", io.EOF},
	} {
		again := Spell(test.err, flag)
		if test.err.Error() != test.text || again.Error() != test.flags {
			t.Errorf("%q, %q; want %q, %q", test.err, again, test.text, test.flags)
		}
		if test.is != nil && !errors.Is(again, test.is) {
			t.Errorf("%q is no %v", again, test.is)
		}
		if e, want := new(Error), errors.As(test.err, new(*Error)); errors.As(again, &e) != want {
			t.Errorf("%q: an Error is found: %v", again, !want)
		}
	}
}
