package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns"
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

// A rank of another version of the program is told by its version, and one whose options have other names too.
func TestUnlike(t *testing.T) {
	encode := func(all ...told) []byte {
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first := encode(told{version, "v1.2, revision 5"}, told{"epochs", "5"})
	for want, other := range map[string][]byte{
		"rank 3 is w2v v1.3, revision 5, and rank 0 is v1.2, revision 5: all ranks must run the same program":                encode(told{version, "v1.3, revision 5"}, told{"eras", "5"}),
		"rank 3 is another version of the program than rank 0: all ranks must run the same":                                  encode(told{"epochs", "5"}),
		"rank 3 has Settings.Model.Epochs: 6, and rank 0 Settings.Model.Epochs: 5: all ranks must get the same command line": encode(told{version, "v1.2, revision 5"}, told{"epochs", "6"}),
	} {
		if err := unlikeFirst(3, first, other); err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if r := (&run{}); r.told()[0].Value != program() || !strings.Contains(program(), fmt.Sprint("revision ", sgns.Revision)) {
		t.Errorf("ranks tell %v", r.told()[0])
	}
}
