package format

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"maps"
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
		"shared": trial.Shared(), "words": openGolden(t, "fasttext/words.bin"), "16 bits": transform.WithDType(trial.Shared(), vectors.F16), "pruned": openGolden(t, "fasttext/pruned.ftz"),
		"listed": kinds["explicit"], "listed codes": mustQuantize(t, kinds["explicit"], all), "codes": kinds["codes, rotated"],
		"checkpoint": checkpoint(), "int8": mustQuantize(t, trial.Quantizable(40, 500, 4), transform.QuantizeOptions{Method: transform.QuantizeInt8, KeepOutput: true}),
		"codes of runs": mustQuantize(t, trial.Variants()["cbow, rank"], all),
	})
	for name, s := range sets {
		tensors, _, err := safetensors.Parse(headerOf(encode(t, s, W2V)))
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
		s, err := native.Codec().Read(source.View(room[shift:]))
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
