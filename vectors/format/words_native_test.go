package format

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// The same lies in files: what is mapped can be asked anything and never panics,
// what is read is refused, and Check refuses it in either case.
func TestNativeFileLies(t *testing.T) {
	good := trial.Shared()
	var buf bytes.Buffer
	if err := Encode(&buf, good, W2V); err != nil {
		t.Fatal(err)
	}
	slots := slices.Clone(good.Words().Table().Slots)
	offsets := slices.Clone(good.Words().Table().Offsets)
	for name, lie := range map[string]struct{ was, is []byte }{
		"slots, none":     {endian.Bytes(slots), make([]byte, 4*len(slots))},
		"slots, far":      {endian.Bytes(slots), bytes.Repeat([]byte{0xff}, 4*len(slots))},
		"slots, same":     {endian.Bytes(slots), bytes.Repeat([]byte{1, 0, 0, 0}, len(slots))},
		"offsets, fall":   {endian.Bytes(offsets), endian.Bytes([]uint64{0, 12, 3, 16})},
		"offsets, far":    {endian.Bytes(offsets), endian.Bytes([]uint64{0, math.MaxUint64, math.MaxUint64, 16})},
		"word rows, far":  {endian.Bytes(good.WordRows()), bytes.Repeat([]byte{0xff}, 12)},
		"word rows, next": {endian.Bytes(good.WordRows()), endian.Bytes([]uint32{4, 4, 4})},
		"buckets, next":   {endian.Bytes(good.BucketRows()), endian.Bytes([]int32{4, 5, 1 << 30, math.MaxInt32, 4})},
		"buckets, below":  {endian.Bytes(good.BucketRows()), endian.Bytes([]int32{-2, math.MinInt32, -1, 0, 0})},
	} {
		t.Run(name, func(t *testing.T) {
			b := bytes.Replace(buf.Bytes(), lie.was, lie.is, 1)
			if bytes.Equal(b, buf.Bytes()) {
				t.Fatal("nothing was replaced")
			}
			path := filepath.Join(t.TempDir(), "model.w2v")
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Read(bytes.NewReader(b)); err == nil {
				t.Error("Read: no error")
			}
			s, err := Open(path)
			if endian.Big {
				return // it is not mapped
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Check(); err == nil {
				t.Error("Check: no error")
			}
			v := make([]float32, s.Dim())
			for id, word := range s.Words().All() {
				s.WordVector(v, id)
				s.Vector(v, word)
			}
			for _, word := range trial.Unknown() {
				s.Vector(v, word)
				for _, b := range s.Subword().Append(nil, word) {
					s.BucketVector(b)
				}
			}
			s.Vectors()
			s.Nearest([]float32{1, 2}, 3)
			transform.Top(s, 1).Vectors()
			if d, err := transform.WordVectors(s, transform.KindSum); err != nil {
				t.Error(err)
			} else {
				d.Vectors()
			}
			for _, f := range All() {
				if err := Write(t.Context(), filepath.Join(t.TempDir(), "out"), s, f); err == nil {
					t.Errorf("%s: written", f)
				}
			}
		})
	}
}

// A file that holds no vectors may claim any number of dimensions, and none is
// believed that could not be handled.
func TestEmptyClaims(t *testing.T) {
	for _, file := range []string{
		"0 2000000000\n",
		safetensorsFileOf(`{`+ours+`,"word_offsets":{"dtype":"U64","shape":[1],"data_offsets":[0,8]},"input":{"dtype":"F32","shape":[0,2000000000],"data_offsets":[8,8]},"words":{"dtype":"U8","shape":[0],"data_offsets":[8,8]}}`, "\x00\x00\x00\x00\x00\x00\x00\x00"),
	} {
		if err := readErr(file); err == nil || !strings.Contains(err.Error(), "found 2000000000 dimensions and no vectors") {
			t.Errorf("%.20q: %v", file, err)
		}
	}
	for _, file := range []string{"0 300\n", "0 65536\n"} {
		if err := readErr(file); err != nil {
			t.Errorf("%.20q: %v", file, err)
		}
	}
}

// Some files, such as those of /proc, have more bytes than they say.
func TestMoreThanItsSize(t *testing.T) {
	const text = "2 2\na 1 2\nb 3 4\n"
	for size := range int64(len(text)) {
		s, err := read(strings.NewReader(text), size)
		if err == nil && s.Len() != 2 {
			t.Errorf("of %d bytes: %d words", size, s.Len())
		}
	}
	binary := file("1 2\na ", float32(1), float32(2))
	for size := range int64(len(binary)) {
		_, _ = read(strings.NewReader(binary), size) // must not panic
	}
}
