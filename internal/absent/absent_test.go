package absent_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/absent"
)

func TestIs(t *testing.T) {
	var reader io.Reader
	var buffer *bytes.Buffer
	for name, test := range map[string]struct {
		argument any
		want     bool
	}{
		"nothing":         {nil, true},
		"a nil interface": {reader, true},
		"a nil pointer":   {buffer, true},
		"a nil function":  {(func())(nil), true},
		"a nil map":       {map[string]int(nil), true},
		"a nil slice":     {[]int(nil), true},
		"a nil channel":   {(chan int)(nil), true},
		"a reader":        {strings.NewReader(""), false},
		"a struct":        {struct{}{}, false},
		"a number":        {0, false},
		"an empty slice":  {[]int{}, false},
	} {
		if got := absent.Is(test.argument); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
