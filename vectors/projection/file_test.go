package projection

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"strings"
	"testing"
)

func sample() (key, *Atlas) {
	k := key{Revision: revision, Method: MethodUMAP, Checksum: "00", Words: 3, Neighbors: 15, MinDist: 0.1, Epochs: 500, Negatives: 5}
	return k, &Atlas{
		Map:      Map{Method: MethodUMAP, Points: []Point{{1, 2}, {3, -4}, {0, 0}}, Aside: []int{2}, Explained: []float64{0.75, 0.25}},
		Clusters: &Clusters{Of: []int32{1, 0, -1}, Sizes: []int{1, 1}, Modularity: 0.5},
		Trust:    Trust{0.9, 15, 3},
	}
}

func TestFile(t *testing.T) {
	k, a := sample()
	var b bytes.Buffer
	if err := encode(&b, k, a); err != nil {
		t.Fatal(err)
	}
	if int64(b.Len()) > maxBytes(3) {
		t.Errorf("%d bytes are more than a map of 3 words may have", b.Len())
	}
	got, gotKey, err := decode(b.Bytes())
	if err != nil || gotKey != k || !reflect.DeepEqual(got, a) {
		t.Errorf("%+v, %+v, %v", got, gotKey, err)
	}
	for n := range b.Len() {
		if _, _, err := decode(b.Bytes()[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are a map", n, b.Len())
		}
	}
}

// Files that have a good checksum and are wrong all the same are refused with the reason.
func TestWrongFiles(t *testing.T) {
	for want, change := range map[string]func(k *key, a *Atlas, data []byte) []byte{
		"is of revision 0":   func(k *key, _ *Atlas, _ []byte) []byte { k.Revision = 0; return nil },
		"for 4 words":        func(k *key, _ *Atlas, _ []byte) []byte { k.Words = 4; return nil },
		"for -1 words":       func(k *key, _ *Atlas, _ []byte) []byte { k.Words = -1; return nil },
		"not finite":         func(_ *key, a *Atlas, _ []byte) []byte { a.Points[1].Y /= 0 * a.Points[1].X; return nil },
		"put aside":          func(_ *key, a *Atlas, _ []byte) []byte { a.Aside = []int{1, 1}; return nil },
		"word 3":             func(_ *key, a *Atlas, _ []byte) []byte { a.Aside = []int{3}; return nil },
		"cluster 2 of 2":     func(_ *key, a *Atlas, _ []byte) []byte { a.Clusters.Of[0] = 2; return nil },
		"cluster -2 of 2":    func(_ *key, a *Atlas, _ []byte) []byte { a.Clusters.Of[0] = -2; return nil },
		"has 2 words, not 1": func(_ *key, a *Atlas, _ []byte) []byte { a.Clusters.Of[0] = 0; return nil },
		"a header of 4294967295 bytes": func(_ *key, _ *Atlas, data []byte) []byte {
			binary.LittleEndian.PutUint32(data[len(magic):], 1<<32-1)
			return data
		},
		"its header: ": func(_ *key, _ *Atlas, data []byte) []byte { data[len(magic)+4] = 'x'; return data },
	} {
		k, a := sample()
		var b bytes.Buffer
		if err := encode(&b, k, a); err != nil {
			t.Fatal(err)
		}
		if data := change(&k, a, b.Bytes()); data == nil {
			b.Reset()
			if err := encode(&b, k, a); err != nil {
				t.Fatal(err)
			}
		} else {
			binary.LittleEndian.PutUint32(data[len(data)-4:], crc32.Checksum(data[:len(data)-4], castagnoli))
		}
		if _, _, err := decode(b.Bytes()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// Whatever is in a file, decode returns a map that can be written and read again, or an error. The checksum is
// mended, so that there is something to find behind it.
func FuzzDecode(f *testing.F) {
	k, a := sample()
	var b bytes.Buffer
	if err := encode(&b, k, a); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(magic))
	a.Clusters, a.Aside, a.Explained = nil, nil, nil
	b.Reset()
	if err := encode(&b, k, a); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 4 {
			data = bytes.Clone(data)
			binary.LittleEndian.PutUint32(data[len(data)-4:], crc32.Checksum(data[:len(data)-4], castagnoli))
		}
		a, k, err := decode(data)
		if err != nil {
			return
		}
		if len(a.Points) != k.Words {
			t.Fatalf("%d points for %d words", len(a.Points), k.Words)
		}
		var b bytes.Buffer
		if err := encode(&b, k, a); err != nil {
			t.Fatal(err)
		}
		again, againKey, err := decode(b.Bytes())
		if err != nil || againKey != k || !reflect.DeepEqual(again, a) {
			t.Fatalf("%+v is read back as %+v, %v", a, again, err)
		}
	})
}
