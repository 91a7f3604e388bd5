package native

import (
	"bufio"
	"encoding/json"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// An index is a set of unit vectors in the native format, with the links of a graph, and a checksum of the whole file.
// It has a format of its own in the metadata, so that nothing else takes it for a model.

const (
	indexFormat   = "w2v-index"
	metaIndex     = "index"         // JSON: how the index was built
	tensorLinks   = "graph_links"   // U32 [V, slots]
	tensorEntries = "graph_entries" // U32 [E]
	tensorSame    = "graph_same"    // U32 [V], or missing
)

// A Graph is what an index has beside its vectors. See package index.
type Graph struct {
	Links   []uint32 // as many for each word
	Entries []uint32
	Same    []uint32 // one for each word; nil if no vectors are the same
	About   []byte   // JSON
}

// ReadIndex reads an index. What is mapped is used within Set.Guard. It checks the shapes of tensors, and neither rows
// that links name nor the checksum: that is Set.Verify.
func ReadIndex(in *source.Input) (s *vectors.Set, g *Graph, err error) {
	err = source.Try(func() {
		f := readTensors(in, true)
		s = f.set()
		g = &Graph{Links: numbers[uint32](f, tensorLinks), Entries: numbers[uint32](f, tensorEntries), About: []byte(f.Metadata[metaIndex])}
		n := s.Len()
		p := s.SharedParts()
		if p.Subword != nil || p.WordRows != nil || s.Input().Data == nil && n > 0 || s.Input().Rows != n {
			f.fail("expected a float32 row for each of %d words of an index", n)
		}
		links, _ := f.Tensor(tensorLinks)
		if rows, _, err := links.Matrix(); err != nil || rows != n {
			f.fail("tensor %q: expected %d rows, found the shape %v", tensorLinks, n, links.Shape)
		}
		if f.Has(tensorSame) {
			if g.Same = numbers[uint32](f, tensorSame); len(g.Same) != n {
				f.fail("tensor %q: expected %d numbers, found %d", tensorSame, n, len(g.Same))
			}
		}
		if n > 0 && len(g.Entries) == 0 || len(g.Entries) > n {
			f.fail("tensor %q: expected from 1 to %d rows, found %d", tensorEntries, n, len(g.Entries))
		}
		for _, row := range g.Entries {
			if int64(row) >= int64(n) {
				f.fail("tensor %q: expected rows below %d, found %d", tensorEntries, n, row)
			}
		}
		if !json.Valid(g.About) {
			f.fail("metadata %q: expected JSON", metaIndex)
		}
	})
	return s, g, err
}

// WriteIndex writes an index of a set of plain words.
func WriteIndex(w *bufio.Writer, s *vectors.Set, g *Graph) error { return writeWith(w, s, g) }

func (g *Graph) sections(n int, metadata map[string]string) []safetensors.Section {
	metadata[metaFormat], metadata[metaIndex] = indexFormat, string(g.About)
	slots := 0
	if n > 0 {
		slots = len(g.Links) / n
	}
	all := []safetensors.Section{
		safetensors.Array(tensorLinks, "U32", []uint64{uint64(n), uint64(slots)}, g.Links),
		safetensors.List(tensorEntries, "U32", g.Entries),
	}
	if g.Same != nil {
		all = append(all, safetensors.List(tensorSame, "U32", g.Same))
	}
	return all
}
