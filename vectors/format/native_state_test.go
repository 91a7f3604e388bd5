package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/native"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// checkpoint returns shared with the state of a training run.
func checkpoint() *vectors.Set {
	s := trial.Shared()
	s = alter(s, func(p *vectors.Parts) { p.State = []byte(`{"chunk":7}`) })
	first, second := vectors.NewMatrix(4, 3), vectors.Matrix{Data: []float32{1, 2}, Rows: 2, Cols: 1, Stride: 1}
	for r := range first.Rows {
		first.Row(r)[2] = float32(r) + 0.25
	}
	s = alter(s, func(p *vectors.Parts) { p.StateRows = []vectors.Matrix{first, second} })
	return s
}

func sameState(t testing.TB, got, want *vectors.Set) {
	t.Helper()
	if !bytes.Equal(got.State(), want.State()) || (got.State() == nil) != (want.State() == nil) {
		t.Fatalf("state %.200q, want %.200q", got.State(), want.State())
	}
	if len(got.StateRows()) != len(want.StateRows()) {
		t.Fatalf("%d matrices of state, want %d", len(got.StateRows()), len(want.StateRows()))
	}
	for i := range want.StateRows() {
		trial.SameMatrix(t, fmt.Sprint("state ", i), got.StateRows()[i], want.StateRows()[i])
	}
}

// What is written comes back however it is read, and is whole.
func TestState(t *testing.T) {
	dir := t.TempDir()
	none, empty := trial.Shared(), trial.Shared()
	empty = alter(empty, func(p *vectors.Parts) { p.State = []byte{} })
	for name, s := range map[string]*vectors.Set{"state": checkpoint(), "empty": empty, "none": none} {
		for _, ext := range []string{".w2v", ".w2v.gz", ".w2v.zst"} {
			path := filepath.Join(dir, name+ext)
			if err := Write(t.Context(), path, s, W2V); err != nil {
				t.Fatal(err)
			}
			for how, open := range map[string]func() (*vectors.Set, error){
				"open":   func() (*vectors.Set, error) { return Open(path) },
				"stream": func() (*vectors.Set, error) { return OpenStream(path, nil) },
				"read": func() (*vectors.Set, error) {
					b, err := os.ReadFile(path)
					if err != nil {
						return nil, err
					}
					return Read(bytes.NewReader(b))
				},
			} {
				t.Run(name+ext+" "+how, func(t *testing.T) {
					got, err := open()
					if err != nil {
						t.Fatal(err)
					}
					trial.SameSet(t, got, s)
					sameState(t, got, s)
					if err := got.Verify(); err != nil {
						t.Error(err)
					}
					var again bytes.Buffer
					if err := Encode(&again, got, W2V); err != nil {
						t.Fatal(err)
					}
					if want := encode(t, s, W2V); !bytes.Equal(again.Bytes(), want) {
						t.Error("written again it has other bytes")
					}
					if err := got.Close(); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// The last four bytes are the CRC-32C of all others, at a multiple of four, whatever
// is before them.
func TestStateChecksum(t *testing.T) {
	for n := range 9 {
		s := checkpoint()
		s = alter(s, func(p *vectors.Parts) { p.State = make([]byte, n) })
		b := encode(t, s, W2V)
		end := len(b) - 4
		if end%4 != 0 {
			t.Errorf("%d bytes of state: the checksum is at byte %d", n, end)
		}
		want := crc32.Checksum(b[:end], crc32.MakeTable(crc32.Castagnoli))
		if got := file(want); got != string(b[end:]) {
			t.Errorf("%d bytes of state: the file ends in %x, want %x", n, b[end:], got)
		}
	}
}

// A file of which any byte has another bit is refused when it is opened, or found
// damaged by Verify, however it is read.
func TestVerifyFindsDamage(t *testing.T) {
	whole := encode(t, checkpoint(), W2V)
	path := filepath.Join(t.TempDir(), "model.w2v")
	for at := range whole {
		b := slices.Clone(whole)
		b[at] ^= 1 << (at % 8)
		opens := map[string]func() (*vectors.Set, error){"stream": func() (*vectors.Set, error) { return Read(bytes.NewReader(b)) }}
		if at%reduced(7, 37) == 0 || at >= len(whole)-reduced(70, 9) { // files are slow
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			opens["mapped"] = func() (*vectors.Set, error) { return Open(path) }
		}
		for how, open := range opens {
			s, err := open()
			if err != nil {
				continue
			}
			err = s.Verify()
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("%s: byte %d of %d is other: got %v", how, at, len(b), err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestVerifySays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.w2v")
	whole := encode(t, checkpoint(), W2V)
	end := len(whole) - 4
	flipped := slices.Clone(whole)
	flipped[end-50] ^= 1
	stored := crc32.Checksum(whole[:end], rowio.Castagnoli)
	found := crc32.Checksum(flipped[:end], rowio.Castagnoli)
	if err := os.WriteFile(path, flipped, 0o600); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("byte %d: the file is damaged: expected bytes whose CRC-32C is %08x, found %08x", end, stored, found)
	for how, tt := range map[string]struct {
		open func() (*vectors.Set, error)
		want string
	}{
		"mapped": {func() (*vectors.Set, error) { return Open(path) }, path + ": " + want},
		"stream": {func() (*vectors.Set, error) { return Read(bytes.NewReader(flipped)) }, want},
	} {
		s, err := tt.open()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time says the same
			if err := s.Verify(); err == nil || err.Error() != tt.want {
				t.Errorf("%s: got  %v\nwant %s", how, err, tt.want)
			}
		}
	}
	// A file that has been replaced is not the one that the set is.
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), path, s, W2V); err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(); err == nil || err.Error() != path+": changed while it was read: try again" {
		t.Errorf("replaced: got %v", err)
	}
}

// Every file that is cut short is refused when it is opened.
func TestStateTruncated(t *testing.T) {
	whole := encode(t, checkpoint(), W2V)
	path := filepath.Join(t.TempDir(), "model.w2v")
	for n := range whole {
		if n%reduced(7, 37) == 0 || n >= len(whole)-reduced(70, 9) { // files are slow
			if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			if err := openErr(path); err == nil {
				t.Fatalf("%d of %d bytes: no error", n, len(whole))
			}
		}
		if _, err := Read(bytes.NewReader(whole[:n])); err == nil {
			t.Fatalf("%d of %d bytes, from a stream: no error", n, len(whole))
		}
	}
}

// Claims of a header that the file does not back, and what belongs to the state and is
// not what it has to be.
func TestStateHostile(t *testing.T) {
	const minimal = ours + `,"word_offsets":{"dtype":"U64","shape":[1],"data_offsets":[0,8]},"words":{"dtype":"U8","shape":[0],"data_offsets":[8,8]},` +
		`"input":{"dtype":"F32","shape":[0,1],"data_offsets":[8,8]}`
	state := `,"state":{"dtype":"U8","shape":[2],"data_offsets":[8,10]}`
	zeros := strings.Repeat("\x00", 8)
	tests := []struct{ name, file, open, verify string }{
		{"no checksum", safetensorsFileOf(`{`+minimal+state+`}`, zeros+"{}"), "",
			`byte 0: expected a tensor "state_crc32c", which tells whether a file with training state is whole, found none`},
		{"checksum alone", safetensorsFileOf(`{`+minimal+`,"state_crc32c":{"dtype":"U32","shape":[1],"data_offsets":[8,12]}}`, zeros+"1234"), "", `the file is damaged`},
		{"checksum is not last", safetensorsFileOf(`{`+minimal+`,"state_crc32c":{"dtype":"U32","shape":[1],"data_offsets":[8,12]},"state":{"dtype":"U8","shape":[2],"data_offsets":[12,14]}}`, zeros+"1234{}"), "",
			`expected the tensor "state_crc32c" after all others: another program has written this file anew, and its checksum tells nothing`},
		{"checksum dtype", safetensorsFileOf(`{`+minimal+`,"state_crc32c":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}`, zeros+"1234"), `byte 8: tensor "state_crc32c": expected dtype U32, found "F32"`, ""},
		{"checksum shape", safetensorsFileOf(`{`+minimal+`,"state_crc32c":{"dtype":"U32","shape":[2],"data_offsets":[8,16]}}`, zeros+zeros), `byte 8: tensor "state_crc32c": expected the shape [1], found [2]`, ""},
		{"checksum of no shape", safetensorsFileOf(`{`+minimal+`,"state_crc32c":{"dtype":"U32","shape":[],"data_offsets":[8,12]}}`, zeros+"1234"), `byte 8: tensor "state_crc32c": expected the shape [1], found []`, ""},
		{"state dtype", safetensorsFileOf(`{`+minimal+`,"state":{"dtype":"I8","shape":[2],"data_offsets":[8,10]}}`, zeros+"{}"), `byte 8: tensor "state": expected dtype U8, found "I8"`, ""},
		{"huge state", safetensorsFileOf(`{`+minimal+`,"state":{"dtype":"U8","shape":[10000000000],"data_offsets":[8,10000000008]}}`, zeros+"{}"), `expected 10000000008 bytes of tensors, but 10 are left: unexpected EOF`, ""},
		{"rows without state", safetensorsFileOf(`{`+minimal+`,"state_rows_0":{"dtype":"F32","shape":[1,1],"data_offsets":[8,12]}}`, zeros+"1234"), `byte 8: 1 matrices of state and no state`, ""},
		{"rows that lie", safetensorsFileOf(`{`+minimal+`,"state_rows_0":{"dtype":"F32","shape":[1000,1000],"data_offsets":[8,12]}}`, zeros+"1234"), `byte 8: header: tensor "state_rows_0": F32 of shape [1000 1000] takes 4000000 bytes, data_offsets give it 4`, ""},
		{"huge rows", safetensorsFileOf(`{`+minimal+`,"state_rows_0":{"dtype":"F32","shape":[50000000,50],"data_offsets":[8,10000000008]}}`, zeros+"1234"), `expected 10000000008 bytes of tensors, but 12 are left: unexpected EOF`, ""},
		{"rows without columns", safetensorsFileOf(`{`+minimal+state+`,"state_rows_0":{"dtype":"F32","shape":[2147483647,0],"data_offsets":[8,8]}}`, zeros+"{}"), `byte 8: matrix 0 of the state: 0 dimensions, must be at least 1`, ""},
		{"rows of no matrix", safetensorsFileOf(`{`+minimal+state+`,"state_rows_0":{"dtype":"F32","shape":[0],"data_offsets":[8,8]}}`, zeros+"{}"), `byte 8: tensor "state_rows_0": expected a shape of rows and columns, found [0]`, ""},
		{"rows of halves", safetensorsFileOf(`{`+minimal+state+`,"state_rows_0":{"dtype":"F16","shape":[0,1],"data_offsets":[8,8]}}`, zeros+"{}"), `byte 8: tensor "state_rows_0": expected dtype F32, found "F16"`, ""},
		{"rows from 1", safetensorsFileOf(`{`+minimal+state+`,"state_rows_1":{"dtype":"F32","shape":[0,1],"data_offsets":[8,8]}}`, zeros+"{}"), `byte 8: expected a tensor "state_rows_0" beside the other 1 of the kind, found none`, ""},
		{"other tensors", safetensorsFileOf(`{`+minimal+`,"state_rows_01":{"dtype":"F16","shape":[0,1],"data_offsets":[8,8]},"state_rows_x":{"dtype":"F16","shape":[0,1],"data_offsets":[8,8]}}`, zeros), "", ""},
	}
	path := filepath.Join(t.TempDir(), "model.w2v")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			for how, open := range map[string]func() (*vectors.Set, error){
				"file":   func() (*vectors.Set, error) { return Open(path) },
				"stream": func() (*vectors.Set, error) { return Read(strings.NewReader(tt.file)) },
			} {
				s, err := open()
				if how == "stream" && strings.HasPrefix(tt.name, "huge") {
					if err == nil {
						t.Error("stream: no error")
					}
					continue // where the size is not known, it is another one, and comes later
				}
				if !says(err, tt.open) {
					t.Errorf("%s: got %v\nwant %s", how, err, tt.open)
				}
				if err != nil {
					continue
				}
				if err := s.Verify(); !says(err, tt.verify) {
					t.Errorf("%s: Verify: got %v\nwant %s", how, err, tt.verify)
				}
			}
		})
	}
}

// says reports whether an error contains want, or is nil if that is empty.
func says(err error, want string) bool {
	return (err == nil) == (want == "") && (err == nil || strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "\n"))
}

// Sets that are made of a checkpoint, and other formats, leave the state out.
func TestStateStays(t *testing.T) {
	s := checkpoint()
	for name, d := range map[string]*vectors.Set{
		"top": transform.Top(s, 1), "plain": s.Plain(), "f16": transform.WithDType(s, vectors.F16),
		"quantised": mustQuantize(t, s, transform.QuantizeOptions{Method: transform.QuantizeInt8}),
	} {
		if d.State() != nil || d.StateRows() != nil || d.Verify() != nil {
			t.Errorf("%s: state %q, Verify: %v", name, d.State(), d.Verify())
		}
	}
	model := trial.Shared()
	abc := func(p *vectors.Parts) { p.Words = vectors.NewWords("a", "b", "c") }
	s, model = alter(s, abc), alter(model, abc)
	if got, want := encode(t, s, FastText), encode(t, model, FastText); !bytes.Equal(got, want) {
		t.Error("as fastText a checkpoint is not the same as the model")
	}
}

// Python reads the state by the lines of docs/format.md. It is skipped without numpy and
// crcmod.
func TestPythonReadsState(t *testing.T) {
	const python = "/usr/bin/python3"
	needs(t, python, "-c", "import numpy, crcmod.predefined")
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "format.md"))
	if err != nil {
		t.Fatal(err)
	}
	script := ""
	for block := range strings.SplitSeq(string(text), "```python\n") {
		if code, _, ok := strings.Cut(block, "```"); ok && (strings.Contains(code, "np.memmap") || strings.Contains(code, "crcmod")) {
			script += code
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"model.w2v", "run.ckpt"} {
		if err := Write(t.Context(), filepath.Join(dir, name), checkpoint(), W2V); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python, "-c", script+`print(state, whole, t["state_rows_0"].tolist(), t["state_rows_1"].tolist())`)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	want := "{'chunk': 7} True [[0.0, 0.0, 0.25], [0.0, 0.0, 1.25], [0.0, 0.0, 2.25], [0.0, 0.0, 3.25]] [[1.0], [2.0]]\n"
	if err != nil || string(out) != want {
		t.Errorf("got %s, %v, want %s", out, err, want)
	}
}

// A state is written without a copy of it, and in one pass.
func BenchmarkEncodeCheckpoint(b *testing.B) {
	for _, padded := range []bool{false, true} {
		b.Run(map[bool]string{false: "dense", true: "padded"}[padded], func(b *testing.B) {
			const words, dim = 75_000, 100
			matrix := func() vectors.Matrix {
				if padded {
					return vectors.NewMatrix(words, dim)
				}
				return vectors.Matrix{Data: make([]float32, words*dim), Rows: words, Cols: dim, Stride: dim}
			}
			var list vectors.WordsBuilder
			for i := range words {
				list.Add(fmt.Sprint("word", i))
			}
			s := trial.Unchecked(vectors.Parts{Words: list.Words(), Counts: make([]uint64, words), Input: matrix(), Output: matrix(), State: []byte("{}")})
			n, err := size(s)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(n)
			b.ReportAllocs()
			for b.Loop() {
				if err := Encode(io.Discard, s, W2V); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// size returns how many bytes s is written as.
func size(s *vectors.Set) (n int64, err error) {
	err = Encode(writerFunc(func(p []byte) (int, error) { n += int64(len(p)); return len(p), nil }), s, W2V)
	return n, err
}

// FuzzReadCheckpoint looks for files with state that make the reader panic or allocate
// more than they can back, that are whole to one way of reading and not to another, and
// for state that changes when it is written and read again.
func FuzzReadCheckpoint(f *testing.F) {
	bare := checkpoint()
	bare = alter(bare, func(p *vectors.Parts) { p.StateRows, p.Output, p.State = nil, vectors.Matrix{}, []byte{} })
	for _, s := range []*vectors.Set{checkpoint(), bare, trial.Shared()} {
		whole := encode(f, s, W2V)
		f.Add(whole)
		f.Add(whole[:len(whole)-2])
		for _, at := range []int{9, len(whole) / 2, len(whole) - 20, len(whole) - 1} {
			b := slices.Clone(whole)
			b[at] ^= 4
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		const fixed, factor = 4 << 20, 200
		var first *vectors.Set
		var whole error
		for i, in := range []*source.Input{source.New(bytes.NewReader(file), int64(len(file))), source.New(bytes.NewReader(file), -1), source.View(file)} {
			before := allocated()
			s, err := native.Codec.Read(in)
			if err == nil {
				err = s.Check()
			}
			if n := allocated() - before; n > uint64(fixed+factor*len(file)) {
				t.Fatalf("%d bytes allocated for a file of %d", n, len(file))
			}
			if i == 0 {
				if err != nil {
					continue
				}
				first, whole = s, s.Verify()
				continue
			}
			if (err == nil) != (first != nil) {
				t.Fatalf("one way of reading fails, another one does not: %v", err)
			}
			if err != nil {
				continue
			}
			sameState(t, s, first)
			if again := s.Verify(); fmt.Sprint(again) != fmt.Sprint(whole) {
				t.Fatalf("one way of reading finds %v, another one %v", whole, again)
			}
		}
		if first == nil || first.Input().Rows > 1<<16 || first.Dim() > 1<<16 {
			return
		}
		if end := len(file) - checksumSize; first.State() != nil && whole == nil {
			if sum := crc32.Checksum(file[:end], rowio.Castagnoli); binary.LittleEndian.Uint32(file[end:]) != sum {
				t.Fatal("a file with another checksum is whole")
			}
		}
		once := encode(t, first, W2V)
		again, err := native.Codec.Read(source.New(bytes.NewReader(once), int64(len(once))))
		if err != nil {
			t.Fatalf("reading what was written: %v", err)
		}
		trial.SameSet(t, again, first)
		sameState(t, again, first)
		if err := again.Verify(); err != nil {
			t.Fatalf("what was written: %v", err)
		}
		if twice := encode(t, again, W2V); !bytes.Equal(twice, once) {
			t.Fatal("writing what was read again gives other bytes")
		}
	})
}

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
			_, _ = s.Nearest(t.Context(), vectors.Query{Vector: []float32{1, 2}, K: 3}) // which may be refused
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
