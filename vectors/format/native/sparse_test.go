package native

import (
	"bufio"
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Few float32 rows of many buckets take a bit for each bucket, and many rows a number.
func TestFewRowsOfManyBuckets(t *testing.T) {
	const buckets = 1 << 16
	for _, test := range []struct{ trained, most int }{{100, 20_000}, {buckets / 2, 1 << 20}} {
		p := vectors.Parts{Words: vectors.NewWords("a"), Subword: subword.FastText{MinN: 3, MaxN: 5, Buckets: buckets},
			Input: vectors.NewMatrix(1+test.trained, 4), BucketRows: slices.Repeat([]int32{-1}, buckets)}
		for i := range test.trained {
			p.BucketRows[i*buckets/test.trained] = int32(1 + i)
		}
		p.WordRows = []uint32{0}
		s, err := vectors.New(p)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		w := bufio.NewWriter(&file)
		if err := errors.Join(Codec.Write(w, s), w.Flush()); err != nil {
			t.Fatal(err)
		}
		if file.Len() > test.most {
			t.Errorf("%d rows take %d bytes, want at most %d", test.trained, file.Len(), test.most)
		}
		in, err := source.Decompress(&file, -1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Codec.Read(in)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.BucketRows(), p.BucketRows) {
			t.Errorf("%d rows: the buckets have other rows after reading", test.trained)
		}
	}
}
