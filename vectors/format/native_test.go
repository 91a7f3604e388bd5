package format

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/native"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// The layout that docs/format.md describes, read as another program would.
func TestNativeLayout(t *testing.T) {
	s := trial.Shared()
	var buf bytes.Buffer
	if err := Encode(&buf, s, W2V); err != nil {
		t.Fatal(err)
	}
	b := buf.Bytes()
	n := binary.LittleEndian.Uint64(b)
	if n%8 != 0 || b[8] != '{' {
		t.Errorf("a header of %d bytes that begins with %q", n, b[8])
	}
	var header map[string]struct {
		DType   string
		Shape   []int
		Offsets []int `json:"data_offsets"`
	}
	var metadata struct {
		M map[string]string `json:"__metadata__"`
	}
	text := bytes.Replace(b[8:8+n], []byte(`"__metadata__"`), []byte(`"__skipped__"`), 1)
	_ = json.Unmarshal(text, &header) // the metadata have another type
	if err := json.Unmarshal(b[8:8+n], &metadata); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"format": "w2v", "version": "1", "subword": "fasttext", "minn": "2", "maxn": "3", "buckets": "5",
		"training": `{"arch":"skipgram","window":5,"sample":0.001,"seed":1}`,
	} {
		if metadata.M[key] != want {
			t.Errorf("metadata %q is %q, want %q", key, metadata.M[key], want)
		}
	}
	data := b[8+n:]
	end := 0
	for _, want := range []struct {
		name, dtype string
		rows, bytes int
		align       int
	}{
		{"word_offsets", "U64", 4, 32, 8},
		{"counts", "U64", 3, 24, 8},
		{"input", "F32", 4, 32, 64},
		{"output", "F32", 3, 24, 4},
		{"word_rows", "U32", 3, 12, 4},
		{"bucket_rows", "I32", 5, 20, 4},
		{"word_slots", "U32", 8, 32, 4},
		{"words", "U8", 16, 16, 1},
	} {
		got := header[want.name]
		if got.DType != want.dtype || len(got.Shape) == 0 || got.Shape[0] != want.rows ||
			len(got.Offsets) != 2 || got.Offsets[0] != end || got.Offsets[1] != end+want.bytes {
			t.Errorf("%s: %+v, want %+v from %d", want.name, got, want, end)
			continue
		}
		if at := 8 + int(n) + end; at%want.align != 0 {
			t.Errorf("%s begins at byte %d of the file, want a multiple of %d", want.name, at, want.align)
		}
		end += want.bytes
	}
	if end != len(data) {
		t.Errorf("tensors of %d bytes in %d", end, len(data))
	}
}

// A plain native file is mapped: its rows lie in the mapping, aligned.
// Tensors come in the order that docs/format.md lists them in, the largest numbers
// first.
func TestNativeOrder(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "format.md"))
	if err != nil {
		t.Fatal(err)
	}
	var order, beside []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| [A-Z][0-9A-Z]").FindAllStringSubmatch(string(text), -1) {
		if _, belongs := strings.CutPrefix(row[1], tensorInput+"_"); belongs {
			beside = append(beside, row[1])
		} else if !slices.Contains(order, row[1]) {
			order = append(order, row[1])
		}
	}
	place := map[string]float64{}
	for i, name := range order {
		place[name] = float64(i)
	}
	for i, name := range beside {
		suffix := strings.TrimPrefix(name, tensorInput)
		for _, matrix := range nativeRows() {
			place[matrix+suffix] = place[matrix] + float64(i+1)/100
		}
	}
	kinds := ngramKinds(t)
	all := transform.QuantizeOptions{KeepOutput: true, KeepUnused: true}
	met := map[string]bool{}
	place[tensorRows+"1"] = place[tensorRows+"0"] + 0.01
	// The checksum is that of all others.
	last := func(t safetensors.Tensor) int {
		if t.Name == tensorChecksum {
			return 1
		}
		return 0
	}
	sets := trial.Variants()
	maps.Copy(sets, map[string]*vectors.Set{
		"all parts": fullSet(),
		"shared":    trial.Shared(), "words": openGolden(t, "fasttext/words.bin"), "16 bits": transform.WithDType(trial.Shared(), vectors.F16), "pruned": openGolden(t, "fasttext/pruned.ftz"),
		"listed": kinds["explicit"], "listed codes": mustQuantize(t, kinds["explicit"], all), "codes": kinds["codes, rotated"],
		"checkpoint": checkpoint(), "int8": mustQuantize(t, trial.Quantizable(40, 500, 4), transform.QuantizeOptions{Method: transform.QuantizeInt8, KeepOutput: true}),
		"labels": openGolden(t, "fasttext/class-ova.bin"), "coded labels": openGolden(t, "fasttext/labels.ftz"),
		"nodes of labels": openGolden(t, "fasttext/class-hs.bin"), "pruned runs": openGolden(t, "fasttext/class-runs.ftz"),
		"codes of runs": mustQuantize(t, trial.Variants()["cbow, rank"], all),
	})
	files := map[string][]byte{"index": indexFile(t)}
	for name, s := range sets {
		files[name] = encode(t, s, W2V)
	}
	for name, file := range files {
		tensors, _, err := safetensors.Parse(headerOf(file))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tensor := range tensors {
			if _, ok := place[tensor.Name]; !ok {
				t.Errorf("docs/format.md does not know %s", tensor.Name)
			}
			got, met[tensor.Name] = append(got, tensor.Name), true
		}
		slices.SortStableFunc(tensors, func(a, b safetensors.Tensor) int {
			return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(b.ItemSize(), a.ItemSize()), cmp.Compare(place[a.Name], place[b.Name]))
		})
		for i, tensor := range tensors {
			if got[i] != tensor.Name {
				t.Errorf("%s: %q, not in the order of docs/format.md: expected %s at %d", name, got, tensor.Name, i)
				break
			}
		}
	}
	for name := range place {
		belongs := slices.ContainsFunc(nativeRows()[1:], func(matrix string) bool {
			return strings.HasPrefix(name, matrix+"_") && !slices.Contains(order, name)
		})
		if !met[name] && !belongs {
			t.Errorf("no file has %s, which docs/format.md lists", name)
		}
	}
}

// indexFile returns an index of two entries with the same vector.
func indexFile(t *testing.T) []byte {
	t.Helper()
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.Matrix{Data: []float32{1, 0, 1, 0}, Rows: 2, Cols: 2, Stride: 2}})
	if err != nil {
		t.Fatal(err)
	}
	const none = 1<<32 - 1
	path := filepath.Join(t.TempDir(), "a.index")
	graph := &IndexGraph{Links: []uint32{1, none, 0, none}, Entries: []uint32{0}, Same: []uint32{1, none}, About: []byte("{}")}
	if err := WriteIndex(t.Context(), path, s, graph); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestOpenMaps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.w2v")
	if err := Write(t.Context(), path, trial.Shared(), W2V); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if !endian.Big {
		if !s.InFile() {
			t.Error("the file is not mapped")
		}
		if at := uintptr(unsafe.Pointer(&s.Input().Data[0])); at%nativeAlign != 0 {
			t.Errorf("the input matrix begins at %#x, want a multiple of %d", at, nativeAlign)
		}
	}
	trial.SameSet(t, s, trial.Shared())
	if !s.Training().Equal(trial.Shared().Training()) {
		t.Errorf("training %+v", s.Training())
	}
	// Replacing the file leaves the mapping as it was.
	if err := Write(t.Context(), path, openGolden(t, "fasttext/words.bin"), W2V); err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, s, trial.Shared())
	words := s.Words().Strings()
	for range 2 { // the second does nothing
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if strings.Join(words, "|") != strings.Join(trial.Shared().Words().Strings(), "|") {
		t.Error("words do not outlive the mapping")
	}
}

// A mapping whose data are not aligned, as other writers may leave them, is
// copied.
func TestViewUnaligned(t *testing.T) {
	var buf bytes.Buffer
	if err := Encode(&buf, trial.Shared(), W2V); err != nil {
		t.Fatal(err)
	}
	for shift := range 9 {
		room := make([]byte, shift+buf.Len())
		copy(room[shift:], buf.Bytes())
		s, err := native.Codec.Read(source.View(room[shift:]))
		if err != nil {
			t.Fatal(err)
		}
		trial.SameSet(t, s, trial.Shared())
	}
}

// Tensors that this version does not know are passed over.
func TestNativeUnknownTensor(t *testing.T) {
	var buf bytes.Buffer
	if err := Encode(&buf, trial.Shared(), W2V); err != nil {
		t.Fatal(err)
	}
	b := buf.Bytes()
	n := int(binary.LittleEndian.Uint64(b))
	header, data := string(b[8:8+n]), b[8+n:]
	more := `,"of a later version":{"dtype":"F4","shape":[6],"data_offsets":[` +
		jsonInt(len(data)) + "," + jsonInt(len(data)+3) + "]}}"
	header = strings.TrimSuffix(strings.TrimRight(header, " "), "}") + more
	f := safetensorsFileOf(header, string(data)+"xyz")
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, []byte(f), 0o600); err != nil {
		t.Fatal(err)
	}
	mapped, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer mapped.Close() //nolint:errcheck // nothing was written
	streamed, err := Read(strings.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, mapped, trial.Shared())
	trial.SameSet(t, streamed, trial.Shared())
}

func jsonInt(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// tame replaces what 16 bits cannot hold.
func tame(s *vectors.Set) *vectors.Set {
	for _, m := range []vectors.Matrix{s.Input(), s.Output()} {
		for r := range m.Rows {
			for j, x := range m.Row(r) {
				if math.Abs(float64(x)) > 60000 && !math.IsInf(float64(x), 0) {
					m.Row(r)[j] = float32(r) / 3
				}
			}
		}
	}
	return s
}

func TestParseDType(t *testing.T) {
	for _, name := range []string{"f32", "f16", "bf16"} {
		if d, err := vectors.ParseDType(name); err != nil || string(d) != name {
			t.Errorf("%s: %q, %v", name, d, err)
		}
	}
	if _, err := vectors.ParseDType("f64"); err == nil || err.Error() != `the type "f64" is not known; known are f32, f16, bf16` {
		t.Errorf("got %v", err)
	}
}

// A set of 16-bit numbers comes back as it is from a native file that is mapped,
// read as a stream, or left in the file.
func TestNativeHalves(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []vectors.DType{vectors.F16, vectors.BF16} {
		for seed := range uint64(reduced(40, 6)) {
			s := transform.WithDType(tame(dice{rand.New(rand.NewPCG(seed, 0))}.set(anyPieces, true)), d)
			var once bytes.Buffer
			if err := Encode(&once, s, W2V); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "model.w2v")
			if err := os.WriteFile(path, once.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			zipped := filepath.Join(dir, "model.w2v.gz")
			if err := Write(t.Context(), zipped, s, W2V); err != nil {
				t.Fatal(err)
			}
			for name, open := range map[string]func() (*vectors.Set, error){
				"stream": func() (*vectors.Set, error) { return Read(bytes.NewReader(once.Bytes())) },
				"mapped": func() (*vectors.Set, error) { return Open(path) },
				"zipped": func() (*vectors.Set, error) { return OpenStream(zipped, nil) },
			} {
				got, err := open()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				trial.SameSet(t, got, s)
				if got.Input().DType() != d || got.Output().Rows > 0 && got.Output().DType() != d {
					t.Fatalf("%s: of type %s and %s", name, got.Input().DType(), got.Output().DType())
				}
				var again bytes.Buffer
				if err := Encode(&again, got, W2V); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(again.Bytes(), once.Bytes()) {
					t.Fatalf("%s: writing what was read gives other bytes", name)
				}
				if err := got.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// Everything begins at a multiple of the size of its numbers, whatever there is.
func TestNativeAlignment(t *testing.T) {
	sizes := map[string]int{"U64": 8, "U32": 4, "I32": 4, "F32": 4, "F16": 2, "BF16": 2, "U8": 1}
	for seed := range uint64(60) {
		s := tame(dice{rand.New(rand.NewPCG(seed, 1))}.set(anyPieces, true))
		s = transform.WithDType(s, []vectors.DType{vectors.F32, vectors.F16, vectors.BF16}[seed%3])
		if s.Output().Rows > 0 && seed%4 == 0 {
			s = alter(s, func(p *vectors.Parts) { p.Output = withDType(s.Output(), vectors.F32) }) // of another type than the input
		}
		var buf bytes.Buffer
		if err := Encode(&buf, s, W2V); err != nil {
			t.Fatal(err)
		}
		tensors, _, err := safetensors.Parse(headerOf(buf.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tensors {
			if at := safetensors.LengthSize + len(headerOf(buf.Bytes())) + int(x.Begin); at%sizes[x.DType] != 0 {
				t.Errorf("seed %d: %s of %s begins at byte %d", seed, x.Name, x.DType, at)
			}
		}
	}
}

// headerOf returns the header of a safetensors file.
func headerOf(file []byte) []byte {
	var n uint64
	for i := range safetensors.LengthSize {
		n |= uint64(file[i]) << (8 * i)
	}
	header := file[safetensors.LengthSize:][:n]
	if !json.Valid(header) {
		panic("no JSON")
	}
	return header
}

func TestNativeForeignType(t *testing.T) {
	file := safetensorsFileOf(`{`+ours+`,"input":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}}`, "........")
	if _, err := Read(strings.NewReader(file)); err == nil ||
		err.Error() != `byte 8: tensor "input": expected dtype F32, F16, BF16, I8 or U8, found "F64"` {
		t.Errorf("got %v", err)
	}
}

// Files of ours whose tensors do not fit together.
func TestNativeQuantisedErrors(t *testing.T) {
	const words = `"word_offsets":{"dtype":"U64","shape":[3],"data_offsets":[0,24]},"words":{"dtype":"U8","shape":[2],"data_offsets":[24,26]}`
	offsets := file(uint64(0), uint64(1), uint64(2), "ab")
	metadata := func(more string) string {
		return `{"__metadata__":{"format":"w2v","version":"1"` + more + `},` + words
	}
	one := `,"input_centroids":{"dtype":"F32","shape":[2,2],"data_offsets":[28,44]}}`
	centroids := file([4]float32{1, 2, 3, 4})
	for _, tt := range []struct{ name, file, want string }{
		{"good", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids), ""},
		{"code", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x02"+centroids),
			`byte 8: input matrix: row 1 has code 2 of 2`},
		{"part", safetensorsFileOf(metadata(`,"input_part":"3"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids),
			`byte 8: metadata "input_part": expected a number from 1 to 2, found "3"`},
		{"parts", safetensorsFileOf(metadata(`,"input_part":"1"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids),
			`byte 8: tensor "input": 2 codes for 2 rows of 2`},
		{"no centroids", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: expected a tensor "input_centroids" beside "input" of U8, found none`},
		{"no scales", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2,1],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: expected a tensor "input_scales" beside "input" of I8, found none`},
		{"scales", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2,1],"data_offsets":[26,28]},"input_scales":{"dtype":"F32","shape":[1],"data_offsets":[28,32]}}`, offsets+"\x00\x01abcd"),
			`byte 8: tensor "input": scales of 1 rows for 2 rows`},
		{"norm codes", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]},"input_norm_codes":{"dtype":"U8","shape":[2],"data_offsets":[44,46]}`+one[:len(one)-1]+`}`, offsets+"\x00\x01"+centroids+"ab"),
			`byte 8: expected a tensor "input_norms" beside "input" of U8, found none`},
		{"dtype", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"input_scales":{"dtype":"U8","shape":[1],"data_offsets":[34,35]}}`, offsets+"12345678a"),
			`byte 8: tensor "input_scales": expected dtype F32, found "U8"`},
		{"composition without subwords", safetensorsFileOf(metadata(`,"composition":"whole"`)+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]}}`, offsets+"12345678"),
			`byte 8: composition "whole" in a set without subwords`},
		{"bucket set without subwords", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"bucket_set":{"dtype":"U8","shape":[1],"data_offsets":[34,35]}}`, offsets+"12345678a"),
			`byte 8: tensor "bucket_set": expected only with metadata "subword"`},
		{"n-grams without subwords", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"ngram_buckets":{"dtype":"U32","shape":[1],"data_offsets":[34,38]}}`, offsets+"12345678abcd"),
			`byte 8: tensor "ngram_buckets": expected only with metadata "subword"`},
		{"n-gram", safetensorsFileOf(metadata(`,"subword":"fasttext","minn":"3","maxn":"6","buckets":"9"`)+`,"input":{"dtype":"F32","shape":[3,1],"data_offsets":[26,38]},"ngram_buckets":{"dtype":"U32","shape":[1],"data_offsets":[38,42]}}`, offsets+"12345678abcd"+"\x09\x00\x00\x00"),
			`byte 8: n-grams: bucket 9 of 9`},
		{"shape", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: tensor "input": expected a shape of rows and columns, found [2]`},
	} {
		_, err := Read(strings.NewReader(tt.file))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
			t.Errorf("%s: got  %v\nwant %s", tt.name, err, tt.want)
		}
		view, viewErr := native.Codec.Read(source.View([]byte(tt.file)))
		if viewErr == nil {
			// Codes are looked at by Check, and until then stand for zeros.
			_ = view.Vectors()
			viewErr = view.Check()
		}
		if (viewErr == nil) != (tt.want == "") {
			t.Errorf("%s: mapped: got %v", tt.name, viewErr)
		}
	}
}

// A native file gives back all of a model, from a stream, mapped, and row by row, with its
// numbers in any type; and what was read is written to the same bytes.
func TestNativeVariants(t *testing.T) {
	for name, full := range trial.Variants() {
		small, err := transform.Quantize(t.Context(), full, transform.QuantizeOptions{Method: transform.QuantizePQ, KeepOutput: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for kind, s := range map[string]*vectors.Set{"f32": full, "f16": transform.WithDType(full, vectors.F16), "bf16": transform.WithDType(full, vectors.BF16), "pq": small} {
			t.Run(name+", "+kind, func(t *testing.T) {
				file := encode(t, s, W2V)
				got, err := Read(bytes.NewReader(file))
				if err != nil {
					t.Fatal(err)
				}
				sameVariant(t, got, s)
				if again := encode(t, got, W2V); !bytes.Equal(again, file) {
					t.Error("writing what was read gives other bytes")
				}
				if got := EstimateSize("m.w2v", s.Shape(), W2V); got > uint64(len(file)) {
					t.Errorf("estimated %d bytes, written %d", got, len(file))
				}
				for _, ext := range []string{".w2v", ".w2v.gz"}[:reduced(2, 1)] {
					path := filepath.Join(t.TempDir(), "model"+ext)
					if err := Write(t.Context(), path, s, W2V); err != nil {
						t.Fatal(err)
					}
					for _, open := range []func() (*vectors.Set, error){
						func() (*vectors.Set, error) { return Open(path) },
						func() (*vectors.Set, error) { return OpenStream(path, nil) },
					} {
						got, err := open()
						if err != nil {
							t.Fatal(err)
						}
						sameVariant(t, got, s)
						if err := got.Close(); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
	}
}

func sameVariant(t *testing.T, got, want *vectors.Set) {
	t.Helper()
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, got, want)
	if !got.Training().Equal(want.Training()) || got.Composition() != want.Composition() {
		t.Errorf("%q, %+v, want %q, %+v", got.Composition(), got.Training(), want.Composition(), want.Training())
	}
	if _, _, factored := want.Input().Factors(); factored {
		if _, _, ok := got.Input().Factors(); !ok {
			t.Error("the factors are multiplied out")
		}
	}
	for _, word := range trial.Unknown() {
		v, ok := vector(got, word)
		w, also := vector(want, word)
		if ok != also {
			t.Fatalf("%q has a vector: %v", word, ok)
		}
		trial.Near(t, word, v, w)
	}
	tokens := strings.Fields("the theatre cat sat on the mat")
	v, w := make([]float32, got.Dim()), make([]float32, got.Dim())
	if got.Sentence(v, tokens) != want.Sentence(w, tokens) {
		t.Error("other tokens are used")
	}
	trial.Near(t, "sentence", v, w)
}

// Input and output of a tied model are in the file, and in memory, once.
func TestNativeTied(t *testing.T) {
	s := trial.Variants()["tied"]
	file := encode(t, s, W2V)
	if strings.Contains(string(file), `"output"`) || !strings.Contains(string(file), `"tied":"true"`) {
		t.Errorf("the header is %.600q", file)
	}
	got, err := Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if &got.Input().Data[0] != &got.Output().Data[0] {
		t.Error("there are two matrices")
	}
}

func TestNativeVariantErrors(t *testing.T) {
	replaced := func(of string, pairs ...string) string {
		return strings.NewReplacer(pairs...).Replace(string(encode(t, trial.Variants()[of], W2V)))
	}
	for _, tt := range []struct{ name, file, want string }{
		{"no projection", replaced("rank", `"projection"`, `"projectio_"`), `expected a tensor "projection" in a file of version "2", found none`},
		{"shape of the projection", replaced("rank", `"shape":[3,6]`, `"shape":[6,3]`), `tensor "projection": expected 3 rows of at least one number, as "input" has columns, found 6×3`},
		{"type of the projection", replaced("rank", `"dtype":"F32","shape":[3,6]`, `"dtype":"I32","shape":[3,6]`), `tensor "projection": expected dtype F32, found "I32"`},
		{"no weights", replaced("hash", `"importance"`, `"importanc_"`), "weights of pieces of 0×0, must be 50×2"},
		{"shape of weights", replaced("hash", `"shape":[50,2]`, `"shape":[2,50]`), "weights of pieces of 2×50, must be 50×2"},
		{"hashes", replaced("hash", `"hashes":"2"`, `"hashes":"9"`), "n-grams: hashes is 9, must be from 1 to 4"},
		{"composition", replaced("hash", `"composition":"weighted"`, `"composition":"pieces"  `), `composition "pieces" with hash n-grams`},
		{"tied n-grams", replaced("floret", `"composition":"pieces"`, `"tied":"true","x":"yz"`), `metadata "tied": expected only in a set of plain words, each with a row of its own`},
		{"type of nodes", replaced("tree", `"dtype":"F32","shape":[7,6]`, `"dtype":"I32","shape":[7,6]`), `tensor "nodes": expected dtype F32, F16, BF16, I8 or U8, found "I32"`},
		{"shape of nodes", replaced("tree", `"shape":[7,6]`, `"shape":[6,7]`), "nodes of 6×7 for 8 words, must be 7×6"},
		{"positions", replaced("structured", `"shape":[32,6]`, `"shape":[6,32]`), `tensor "position_output": expected rows for each of 8 words, found 6`},
	} {
		_, err := Read(strings.NewReader(tt.file))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got  %v\nwant %s", tt.name, err, tt.want)
		}
	}
}
