package format

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/beside"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

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
		return in.In(name, behind), nil
	}
	in := source.Folder(open).In("", behind)
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
	s := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords("the", "日本語", "a b"), Counts: []uint64{3, 2, 1}, Input: vectors.NewMatrix(3, 2), Output: vectors.NewMatrix(3, 2)})
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
	fuzzFiles(f, Npy, "", beside.Suffix)
}

func FuzzReadTorch(f *testing.F) {
	f.Add([]byte(matrixFile("weight", "I8", "[2,2]", "abcd")), []byte("a\r\nb"))
	fuzzFiles(f, Torch, "", beside.Suffix)
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
	fuzzFiles(f, Model2Vec, staticMatrix, staticTokenizer)
}
