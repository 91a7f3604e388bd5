package format

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"runtime/metrics"
	"testing"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/fasttext"
	"github.com/w2v-go/w2v/vectors/format/finalfusion"
	"github.com/w2v-go/w2v/vectors/format/floret"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/native"
	"github.com/w2v-go/w2v/vectors/format/text"
	"github.com/w2v-go/w2v/vectors/format/word2vec"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
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
	addGoldens(f, native.Codec.Sniff)
	for _, s := range trial.Variants() {
		f.Add(encode(f, s, W2V))
	}
	fuzzReader(f, W2V, func(in *source.Input) (*vectors.Set, error) {
		head, err := in.Head()
		if err != nil || !native.Codec.Sniff(head) {
			return nil, source.Cut("a native file")
		}
		size, known := in.Left()
		s, err := native.Codec.Read(in)
		// Mapping the same bytes gives the same set, or an error too.
		if known && int64(len(head)) == size {
			view, viewErr := native.Codec.Read(source.View(head))
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
	addGoldens(f, fasttext.Codec.Sniff)
	fuzzReader(f, FastText, fasttext.Codec.Read)
}

func FuzzReadWord2Vec(f *testing.F) {
	addGoldens(f, func(head []byte) bool { return !text.Headed.Sniff(head) && word2vec.Codec.Sniff(head) })
	fuzzReader(f, Word2Vec, word2vec.Codec.Read)
}

func FuzzReadText(f *testing.F) {
	addGoldens(f, text.Headed.Sniff)
	f.Add([]byte("2 2\r\nNew York\t1e-5 -nan \r\n\u00a0 inf 0x1p-3\n\n"))
	fuzzReader(f, Text, text.Headed.Read)
}

func FuzzReadGloVe(f *testing.F) {
	addGoldens(f, func(head []byte) bool {
		return !text.Headed.Sniff(head) && !word2vec.Codec.Sniff(head) && text.GloVe.Sniff(head)
	})
	fuzzReader(f, GloVe, text.GloVe.Read)
}

func FuzzReadFinalfusion(f *testing.F) {
	addGoldens(f, finalfusion.Codec.Sniff)
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
		s, err := finalfusion.Codec.Read(in)
		// Mapping the same bytes gives the same set, or an error too.
		if known && int64(len(head)) == size {
			view, viewErr := finalfusion.Codec.Read(source.View(head))
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
	addGoldens(f, floret.Codec.Sniff)
	f.Add([]byte("2 2 2 3 2 7 [ é\r\n0\t1e-5 -nan \r\n1 inf 0x1p-3\n\n"))
	fuzzReader(f, Floret, floret.Codec.Read)
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

// readFiles reads a set of several files that are in memory, as if they were mapped,
// or as streams.
func readFiles(f Format, files map[string][]byte, mapped bool) (*vectors.Set, error) {
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	behind := &backing.File{}
	open := func(name string) (*source.Input, error) {
		file, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		in := source.New(bytes.NewReader(file), -1)
		if mapped {
			in = source.View(file)
		}
		in.Path, in.Behind = name, behind
		return in, nil
	}
	in := &source.Input{Behind: behind}
	if !c.Folder() {
		if in, err = open(""); err != nil {
			return nil, err
		}
	}
	in.Beside(open)
	s, err := c.Read(in)
	if err != nil {
		return nil, err
	}
	return s, s.Check()
}

// filesInMemory is what s is written as, and an error if it cannot be.
func filesInMemory(s *vectors.Set, f Format) (map[string][]byte, error) {
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(c, s)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, p := range parts {
		var buf bytes.Buffer
		w := bufio.NewWriter(&buf)
		if err := p.Write(w); err != nil {
			return nil, err
		}
		if err := w.Flush(); err != nil {
			return nil, err
		}
		files[p.Name] = buf.Bytes()
	}
	return files, s.Err()
}

// tryFiles is fuzzReader for sets of several files.
func tryFiles(t *testing.T, f Format, files map[string][]byte) {
	t.Helper()
	const fixed, factor = 4 << 20, 400
	size := 0
	for _, file := range files {
		size += len(file)
	}
	var sets [2]*vectors.Set
	for i, mapped := range []bool{false, true} {
		before := allocated()
		s, err := readFiles(f, files, mapped)
		if n := allocated() - before; n > uint64(fixed+factor*size) {
			t.Fatalf("%d bytes allocated for an input of %d", n, size)
		}
		if err == nil {
			sets[i] = s
		}
	}
	a, b := sets[0], sets[1]
	if a == nil && b != nil && b.Input().Rows < 1<<16 {
		// Numbers that are too large are found when they are read.
		if _, err := filesInMemory(b, f); err == nil {
			t.Fatal("what can be mapped cannot be read")
		}
	}
	if a == nil || a.Input().Rows > 1<<16 || a.Dim() > 1<<16 {
		return
	}
	if b == nil {
		t.Fatal("what can be read cannot be mapped")
	}
	trial.SameSet(t, b, a)
	once, err := filesInMemory(a, f)
	if err != nil {
		return // some words can be read and not written
	}
	again, err := readFiles(f, once, true)
	if err != nil {
		t.Fatalf("reading what was written: %v", err)
	}
	twice, err := filesInMemory(again, f)
	if err != nil {
		t.Fatalf("writing what was read again: %v", err)
	}
	for name, file := range once {
		if !bytes.Equal(twice[name], file) {
			t.Fatalf("writing what was read again gives another %s", name)
		}
	}
}

// fuzzSet is what the targets begin with.
func fuzzSet() *vectors.Set {
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the", "日本語", "a b"), Counts: []uint64{3, 2, 1}, Input: vectors.NewMatrix(3, 2), Output: vectors.NewMatrix(3, 2)})
	for i := range 3 {
		s.Input().Row(i)[0], s.Input().Row(i)[1] = float32(i)+0.125, -1e-3
	}
	return s
}

// fuzzFiles fuzzes two files of a set, the others being as we write them.
func fuzzFiles(f *testing.F, format Format, first, second string) {
	f.Helper()
	var fixed map[string][]byte
	for _, d := range append([]vectors.DType{vectors.F32}, format.DTypes()...) {
		files, err := filesInMemory(transform.WithDType(fuzzSet(), d), format)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(files[first], files[second])
		fixed = files
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		files := map[string][]byte{}
		for name, file := range fixed {
			files[name] = file
		}
		files[first], files[second] = a, b
		tryFiles(t, format, files)
	})
}

func FuzzReadNpy(f *testing.F) {
	f.Add([]byte(npyMatrix("<f8", "(2L,1)", file(0.1, -7e300))), []byte("a\r\nb"))
	f.Add([]byte(npyFile("{'descr': '>f2', 'fortran_order': True, 'shape': (2, 2), }\n", "abcdefgh")), []byte("a\nb"))
	fuzzFiles(f, Npy, "", codec.WordsSuffix)
}

func FuzzReadTorch(f *testing.F) {
	f.Add([]byte(matrixFile("weight", "I8", "[2,2]", "abcd")), []byte("a\r\nb"))
	fuzzFiles(f, Torch, "", codec.WordsSuffix)
}

func FuzzReadProjector(f *testing.F) {
	f.Add([]byte("1\t-2e5\r\nnan\t+Inf\r\n"), []byte("x\tword\tcount\r\n\ta b\t7\r\n\t\t0"))
	fuzzFiles(f, Projector, projectorVectors, projectorMetadata)
}

// A tokenizer and the matrix that it belongs to.
func FuzzReadTokenizer(f *testing.F) {
	matrix := file(float32(1), float32(2), float32(3), float32(4))
	f.Add([]byte(matrixFile("embeddings", "F32", "[2,2]", matrix)),
		[]byte(`{"added_tokens":[{"id":1,"content":"b","special":true}],"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"Unigram","vocab":[["a",-1.5],["b",0]]}}`))
	f.Add([]byte(safetensorsFileOf(`{"mapping":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},"weights":{"dtype":"F64","shape":[2],"data_offsets":[16,32]},"embeddings":{"dtype":"F32","shape":[1,2],"data_offsets":[32,40]}}`,
		file(int64(0), int64(0), 0.5, 10.0)+matrix[:8])), []byte(`{"model":{"vocab":{"b":1,"[UNK]":0}}}`))
	f.Add([]byte(matrixFile("embeddings", "F32", "[2,2]", matrix)), []byte(`{"truncation":{"direction":"Right","max_length":2,"strategy":"LongestFirst","stride":0},"padding":{"strategy":{"Fixed":3}},`+
		`"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"}]},"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"[^\\x00\\t-\\r ]+"},"behavior":"Removed","invert":true}]},`+
		`"model":{"type":"WordLevel","vocab":{"b":1,"[UNK]":0},"unk_token":"[UNK]"}}`))
	fuzzFiles(f, Model2Vec, staticMatrix, staticTokenizer)
}
