package format

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Classifiers are written as fastText wrote them, and native files keep all of them.
func TestClassifiersThereAndBack(t *testing.T) {
	for _, name := range []string{"supervised.bin", "wordngrams.bin", "quantised.ftz", "pruned.ftz", "labels.ftz"} {
		t.Run(name, func(t *testing.T) {
			whole := readGolden(t, "fasttext/"+name)
			s := openGolden(t, "fasttext/"+name)
			path := filepath.Join(t.TempDir(), "model.w2v")
			if err := Write(t.Context(), path, s, W2V); err != nil {
				t.Fatal(err)
			}
			native, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer native.Close()
			if err := native.Check(); err != nil {
				t.Fatal(err)
			}
			for _, of := range []*vectors.Set{s, native} {
				if left := LeavesOut(of, FastText); left.Subwords || left.Context || left.Parts != nil || left.Counts {
					t.Errorf("%s leaves out %v", of.Format(), left.List())
				}
				var out bytes.Buffer
				err := Encode(&out, of, FastText)
				got, want := out.Bytes(), whole
				if p, ok := of.Subword().(*subword.Pruned); ok && len(got) == len(want) && err == nil {
					got, want = sortKept(got, p.Rows(), of), sortKept(want, p.Rows(), of)
				}
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("from %s: %v, %d bytes, want %d", of.Format(), err, out.Len(), len(whole))
				}
				if size := EstimateSize("model.bin", of.Shape(), FastText); size > uint64(out.Len()) || size < uint64(out.Len())/16 {
					t.Errorf("from %s: an estimate of %d for %d bytes", of.Format(), size, out.Len())
				}
			}
		})
	}
}

// sortKept sorts the buckets that were kept in a pruned file of s, which fastText writes in the order of a hash
// table.
func sortKept(file []byte, kept int, s *vectors.Set) []byte {
	const pair = 8
	name := s.Labels().Names.At(s.Labels().Names.Len() - 1)
	first := bytes.LastIndex(file, append([]byte(name), 0)) + len(name) + 1 + 8 + 1
	var pairs [][]byte
	for i := range kept {
		pairs = append(pairs, bytes.Clone(file[first+pair*i:][:pair]))
	}
	slices.SortFunc(pairs, bytes.Compare)
	return slices.Concat(file[:first], bytes.Join(pairs, nil), file[first+pair*kept:])
}
