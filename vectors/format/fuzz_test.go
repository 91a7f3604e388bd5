package format

import (
	"bytes"
	"runtime/metrics"
	"testing"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/fasttext"
	"github.com/w2v-go/w2v/vectors/format/finalfusion"
	"github.com/w2v-go/w2v/vectors/format/floret"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/native"
	"github.com/w2v-go/w2v/vectors/format/text"
	"github.com/w2v-go/w2v/vectors/format/word2vec"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// addGoldens seeds f with the files of real programs and of ours that want
// accepts.
func addGoldens(f *testing.F, want func(head []byte) bool) {
	f.Helper()
	for _, file := range goldens(f) {
		if want(file) {
			f.Add(file)
		}
	}
}

// allocated returns how many bytes have ever been allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// fuzzReader looks for inputs that make a reader panic, hang, or allocate more
// than the input can back, and for sets that change when they are written and
// read again.
func fuzzReader(f *testing.F, format Format, read func(in *source.Input) (*vectors.Set, error)) {
	f.Helper()
	f.Fuzz(func(t *testing.T, file []byte) {
		const fixed, factor = 4 << 20, 200
		for _, size := range []int64{int64(len(file)), -1} {
			before := allocated()
			s, err := read(source.New(bytes.NewReader(file), size))
			if n := allocated() - before; n > uint64(fixed+factor*len(file)) {
				t.Fatalf("%d bytes allocated for an input of %d", n, len(file))
			}
			if err != nil {
				continue
			}
			if err := s.Check(); err != nil {
				t.Fatalf("read a set that is not valid: %v", err)
			}
			if s.Input().Rows > 1<<16 || s.Dim() > 1<<16 {
				continue // too slow to write
			}
			var once, twice bytes.Buffer
			if err := Encode(&once, s, format); err != nil {
				continue // some words can be read and not written, such as empty ones
			}
			again, err := read(source.New(bytes.NewReader(once.Bytes()), sizeLike(size, once.Len())))
			if err != nil {
				t.Fatalf("reading what was written: %v", err)
			}
			if format == W2V || format == Text || format == Word2Vec || format == GloVe {
				trial.SameSet(t, again, s)
			}
			if err := Encode(&twice, again, format); err != nil {
				t.Fatalf("writing what was read again: %v", err)
			}
			if !bytes.Equal(twice.Bytes(), once.Bytes()) {
				t.Fatal("writing what was read again gives other bytes")
			}
		}
	})
}

// sizeLike returns n if size is known.
func sizeLike(size int64, n int) int64 {
	if size < 0 {
		return -1
	}
	return int64(n)
}

func FuzzReadNative(f *testing.F) {
	addGoldens(f, native.Codec().Sniff)
	for _, s := range trial.Variants() {
		f.Add(encode(f, s, W2V))
	}
	fuzzReader(f, W2V, func(in *source.Input) (*vectors.Set, error) {
		head, err := in.Head()
		if err != nil || !native.Codec().Sniff(head) {
			return nil, source.Cut("a native file")
		}
		size, known := in.Left()
		s, err := native.Codec().Read(in)
		// Mapping the same bytes gives the same set, or an error too.
		if known && int64(len(head)) == size {
			view, viewErr := native.Codec().Read(source.View(head))
			if viewErr == nil {
				viewErr = view.Check()
			}
			if (err == nil) != (viewErr == nil) {
				panic("reading and viewing disagree")
			}
		}
		return s, err
	})
}

func FuzzReadFastText(f *testing.F) {
	addGoldens(f, fasttext.Codec().Sniff)
	fuzzReader(f, FastText, fasttext.Codec().Read)
}

func FuzzReadWord2Vec(f *testing.F) {
	addGoldens(f, func(head []byte) bool { return !text.Headed().Sniff(head) && word2vec.Codec().Sniff(head) })
	fuzzReader(f, Word2Vec, word2vec.Codec().Read)
}

func FuzzReadText(f *testing.F) {
	addGoldens(f, text.Headed().Sniff)
	f.Add([]byte("2 2\r\nNew York\t1e-5 -nan \r\n\u00a0 inf 0x1p-3\n\n"))
	fuzzReader(f, Text, text.Headed().Read)
}

func FuzzReadGloVe(f *testing.F) {
	addGoldens(f, func(head []byte) bool {
		return !text.Headed().Sniff(head) && !word2vec.Codec().Sniff(head) && text.GloVe().Sniff(head)
	})
	fuzzReader(f, GloVe, text.GloVe().Read)
}

func FuzzReadFinalfusion(f *testing.F) {
	addGoldens(f, finalfusion.Codec().Sniff)
	for name, s := range ngramKinds(f) {
		file := encode(f, s, Finalfusion)
		f.Add(file)
		if name != "floret" {
			f.Add(unlistNorms(f, file))
		}
	}
	fuzzReader(f, Finalfusion, func(in *source.Input) (*vectors.Set, error) {
		head, err := in.Head()
		if err != nil {
			return nil, err
		}
		head = bytes.Clone(head)
		size, known := in.Left()
		s, err := finalfusion.Codec().Read(in)
		// Mapping the same bytes gives the same set, or an error too.
		if known && int64(len(head)) == size {
			view, viewErr := finalfusion.Codec().Read(source.View(head))
			if viewErr == nil {
				viewErr = view.Check()
			}
			if (err == nil) != (viewErr == nil) {
				panic("reading and viewing disagree")
			}
		}
		return s, err
	})
}

func FuzzReadFloret(f *testing.F) {
	addGoldens(f, floret.Codec().Sniff)
	f.Add([]byte("2 2 2 3 2 7 [ é\r\n0\t1e-5 -nan \r\n1 inf 0x1p-3\n\n"))
	fuzzReader(f, Floret, floret.Codec().Read)
}

// FuzzRead goes by content, like Open.
func FuzzRead(f *testing.F) {
	addGoldens(f, func([]byte) bool { return true })
	f.Fuzz(func(t *testing.T, file []byte) {
		if compression.Sniff(file) != compression.Plain {
			return // a few bytes may stand for gigabytes
		}
		s, err := Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		if err := s.Check(); err != nil {
			t.Fatalf("read a set that is not valid: %v", err)
		}
		if Format(s.Format()) == "" {
			t.Fatal("read a set of no format")
		}
	})
}
