package eval_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/faults"
)

// Sets of questions are read whole or not at all.
func TestReadOfWhatGivesLittleOrFails(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		text string
		read func(r io.Reader) (any, error)
	}{
		{"word1\tword2\tscore\ncat\tdog\t7.5\nnaïve\told\t1\n", func(r io.Reader) (any, error) { return eval.ReadPairs(r, "pairs") }},
		{": capitals\nparis france rome italy\n: plural\ncat cats dog dogs\n", func(r io.Reader) (any, error) { return eval.ReadQuestions(r, "questions") }},
	} {
		want, err := tt.read(strings.NewReader(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		for most := 1; most < 4; most++ {
			got, err := tt.read(&faults.Reader{R: strings.NewReader(tt.text), Most: most})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("reads of at most %d bytes: %+v, %v", most, got, err)
			}
		}
		for room := range int64(len(tt.text)) {
			if _, err := tt.read(&faults.Reader{R: strings.NewReader(tt.text), Err: broken, Room: room}); !errors.Is(err, broken) {
				t.Errorf("after %d of %q: %v", room, tt.text, err)
			}
		}
	}
}
