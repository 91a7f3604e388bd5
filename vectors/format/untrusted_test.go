package format

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// Model files are untrusted: what docs promise of them has a test here.

// Files of a hundred bytes or so that claim 10 GB or more are refused, and nothing near
// that is allocated to find it out: in every format, compressed or not, however they are
// opened.
func TestNoSizeIsBelieved(t *testing.T) {
	const million, billion = 1_000_000, 1_000_000_000
	tensors := func(list ...string) string { return safetensorsFileOf("{"+strings.Join(list, ",")+"}", "12345678") }
	ten := func(name, dtype, shape string) string {
		return fmt.Sprintf(`%q:{"dtype":%q,"shape":%s,"data_offsets":[0,10000000000]}`, name, dtype, shape)
	}
	args := fastTextArgs{Dim: 2, Loss: 2, Model: 2}
	grams := fastTextArgs{Dim: 2, Loss: 2, Model: 2, MinN: 3, MaxN: 6, Buckets: math.MaxInt32}
	wide := fastTextArgs{Dim: math.MaxInt32, Loss: 2, Model: 2}
	one := fastTextSizes{Entries: 1, Words: 1, Pruned: -1}
	word := []any{"a\x00", int64(3), int8(0)}
	fastText := func(args fastTextArgs, sizes fastTextSizes, rest ...any) string {
		return fastTextFile(args, sizes, append(word, rest...)...)
	}
	head := func(chunks ...uint32) string { return file("FiFu", uint32(0), uint32(len(chunks)), chunks) }
	chunk := func(kind uint32, parts ...any) string { return file(kind, uint64(0)) + file(parts...) }
	fifu := chunk(1, uint64(1), uint32(1), "a")
	codes := func(dim, size uint32, rows uint64) string {
		return chunk(4, uint32(1), uint32(1), uint32(1), dim, size, rows, uint32(1), uint32(10), "\x00\x00\x00")
	}
	m := func(text string) map[string]string { return map[string]string{"m": text, "m.vocab.txt": "a\n"} }
	static := func(matrix string) map[string]string {
		return map[string]string{"config.json": "{}", "modules.json": `[{"type":"StaticEmbedding"}]`, "model.safetensors": matrix, "tokenizer.json": twoTokens}
	}
	tests := []struct {
		name   string
		format Format
		files  map[string]string
	}{
		{"header", W2V, m(file(uint64(10*billion), `{"__metadata__":{"format":"w2v"}}`))},
		{"longest header", W2V, m(file(uint64(safetensors.MaxHeader), `{"__metadata__":{"format":"w2v"}}`))},
		{"offsets", W2V, m(tensors(ours, ten(tensorOffsets, "U64", "[1250000000]")))},
		{"words", W2V, m(tensors(ours, ten(tensorWords, "U8", "[10000000000]")))},
		{"rows", W2V, m(tensors(ours, ten(tensorInput, "F32", "[50000000,50]")))},
		{"wide rows", W2V, m(tensors(ours, ten(tensorInput, "F32", "[2,1250000000]")))},
		{"wide halves", W2V, m(tensors(ours, `"input":{"dtype":"F16","shape":[3,2000000000],"data_offsets":[0,12000000000]}`))},
		{"int8 rows", W2V, m(tensors(ours, ten(tensorInput, "I8", "[100000000,100]")))},
		{"codes", W2V, m(tensors(ours, ten(tensorInput, "U8", "[100000000,100]")))},
		{"buckets", W2V, m(tensors(ours, ten(tensorBucketRow, "I32", "[2500000000]")))},
		{"n-grams", W2V, m(tensors(ours, ten(tensorNgramAt, "U64", "[1250000000]")))},
		{"slots", W2V, m(tensors(ours, ten(tensorSlots, "U32", "[2500000000]")))},
		{"state", W2V, m(tensors(ours, ten(tensorState, "U8", "[10000000000]")))},
		{"state rows", W2V, m(tensors(ours, ten(tensorRows+"0", "F32", "[50000000,50]")))},
		{"another tensor", W2V, m(tensors(ours, ten("later", "F9", "[1]")))},

		{"rows", Torch, m(tensors(ten("weight", "F32", "[50000000,50]")))},
		{"wide halves", Torch, m(tensors(`"weight":{"dtype":"F16","shape":[3,2000000000],"data_offsets":[0,12000000000]}`))},
		{"wide doubles", Torch, m(tensors(`"weight":{"dtype":"F64","shape":[1,2000000000],"data_offsets":[0,16000000000]}`))},
		{"wide bytes", Torch, m(tensors(`"weight":{"dtype":"I8","shape":[5,2000000000],"data_offsets":[0,10000000000]}`))},
		{"rows", Npy, m(npyMatrix("<f4", "(50000000, 50)", "12345678"))},
		{"wide halves", Npy, m(npyMatrix("<f2", "(3, 2000000000)", "12345678"))},
		{"wide doubles", Npy, m(npyMatrix("<f8", "(1, 2000000000)", "12345678"))},
		{"header", Npy, m(npyMagic + "\x02\x00\xff\xff\xff\xff{")},

		{"dictionary", FastText, m(fastText(args, fastTextSizes{Entries: math.MaxInt32, Words: math.MaxInt32, Pruned: -1}))},
		{"dimensions", FastText, m(fastText(wide, one, uint8(0), int64(1), int64(math.MaxInt32)))},
		{"buckets", FastText, m(fastText(grams, one, uint8(0), int64(1+math.MaxInt32), int64(2)))},
		{"n-grams kept", FastText, m(fastText(grams, fastTextSizes{Entries: 1, Words: 1, Pruned: math.MaxInt32}))},
		{"codes", FastText, m(fastText(args, one, uint8(1), uint8(1), int64(1), int64(2), int32(math.MaxInt32)))},
		{"codebook", FastText, m(fastText(wide, one, uint8(1), uint8(1), int64(1), int64(math.MaxInt32), int32(1), "a",
			int32(math.MaxInt32), int32(1), int32(math.MaxInt32), int32(math.MaxInt32)))},
		{"word without end", FastText, m(fastTextFile(args, one, strings.Repeat("a", 100)))},

		{"words", Finalfusion, m(head(1, 2) + chunk(1, uint64(math.MaxInt32), uint32(1), "a"))},
		{"a word", Finalfusion, m(head(1, 2) + chunk(1, uint64(1), uint32(vectors.MaxWord), "a"))},
		{"n-grams", Finalfusion, m(head(8, 2) + chunk(8, uint64(0), uint64(math.MaxInt32), uint32(3), uint32(6), uint32(1), "a"))},
		{"buckets", Finalfusion, m(head(3, 2) + chunk(3, uint64(0), uint32(3), uint32(6), uint32(30)) + chunk(2, uint64(1<<30), uint32(9), uint32(10), "\x00\x00\x00"))},
		{"rows", Finalfusion, m(head(1, 2) + fifu + chunk(2, uint64(1), uint32(math.MaxInt32), uint32(10), "\x00\x00\x00"))},
		{"metadata", Finalfusion, m(head(5, 1, 2) + file(uint32(5), uint64(10*billion), "x"))},
		{"codebook", Finalfusion, m(head(1, 4) + fifu + codes(10*million, 256, 1))},
		{"rotation", Finalfusion, m(head(1, 4) + fifu + codes(100_000, 1, 1))},

		{"buckets", Floret, m("2147483647 2 2 3 2 7 < >\n0 1 2\n")},
		{"dimensions", Floret, m("2 2147483647 2 3 2 7 < >\n0 1 2\n")},
		{"rows", Text, m("2000000000 2\na 1 2\n")},
		{"dimensions", Text, m("2 2000000000\na 1 2\n")},
		{"rows", Word2Vec, m("2000000000 2\na " + file(float32(1), float32(2)))},
		{"dimensions", Word2Vec, m("2 2000000000\na " + file(float32(1), float32(2)))},
		{"a line", GloVe, m("a 1 2\nb 1")}, // claims nothing: no header

		{"rows", Model2Vec, static(tensors(ten("embeddings", "F32", "[50000000,50]")))},
		{"wide halves", Model2Vec, static(tensors(`"embeddings":{"dtype":"F16","shape":[3,2000000000],"data_offsets":[0,12000000000]}`))},
		{"mapping", Model2Vec, static(tensors(`"embeddings":{"dtype":"F32","shape":[0,50],"data_offsets":[0,0]}`, ten("mapping", "I64", "[1250000000]")))},
		{"weights", Model2Vec, static(tensors(`"embeddings":{"dtype":"F32","shape":[0,50],"data_offsets":[0,0]}`, ten("weights", "F64", "[1250000000]")))},
		{"a token's number", Model2Vec, map[string]string{"config.json": "{}", "model.safetensors": matrixFile("embeddings", "F32", "[2,1]", "12345678"),
			"tokenizer.json": `{"model":{"type":"WordLevel","vocab":{"a":0,"b":2000000000}}}`}},
		{"rows", SentenceTransformers, static(tensors(ten("embedding.weight", "F32", "[50000000,50]")))},
		{"shape", Projector, map[string]string{"vectors.tsv": "1\t2\n", "metadata.tsv": "a\nb\n", "projector_config.pbtxt": "embeddings { tensor_shape: [2000000000, 50] }"}},
	}
	for _, tt := range tests {
		for _, ext := range []string{"", ".gz", ".zst"} {
			t.Run(string(tt.format)+" "+tt.name+ext, func(t *testing.T) {
				files := map[string][]byte{}
				for name, text := range tt.files {
					if files[name] = compress(t, text, ext); len(text) > 400 {
						t.Errorf("%s has %d bytes", name, len(text))
					}
				}
				path := putFiles(t, t.TempDir(), tt.format, files)
				for how, open := range map[string]func() (*vectors.Set, error){
					"Open":       func() (*vectors.Set, error) { return Open(path) },
					"OpenStream": func() (*vectors.Set, error) { return OpenStream(path, nil) },
					"Read":       func() (*vectors.Set, error) { return Read(bytes.NewReader(files["m"])) },
				} {
					if how == "Read" && files["m"] == nil {
						continue
					}
					s, err := openFrugally(t, how, open)
					if err == nil {
						t.Errorf("%s: no error", how)
						_ = s.Close()
					}
				}
			})
		}
	}
}

// openFrugally opens a small file, and fails the test if that allocates as if the file were large.
func openFrugally(t *testing.T, how string, open func() (*vectors.Set, error)) (*vectors.Set, error) {
	t.Helper()
	const enough = 3 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := open()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > enough {
		t.Errorf("%s allocates %d bytes", how, n)
	}
	return s, err
}

// No number in a file is believed either, whatever it means: in every format, each run of digits and
// each four or eight bytes are made a number of billions.
func TestNoNumberIsBelieved(t *testing.T) {
	digits := regexp.MustCompile(`[0-9]+`)
	small := alter(trial.Plain(2, 3), func(p *vectors.Parts) { p.Counts = []uint64{7, 5} })
	for _, f := range All() {
		s := small
		if CheckSubword(nil, subword.Mean, f) != nil {
			s = trial.Table(2)
		}
		files, err := encodeFiles(s, f)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for name, file := range files {
			whole := file.Data
			try := func(what string, data []byte) {
				file.Data = data
				if got, err := openFrugally(t, fmt.Sprintf("%s: %s: %s", f, name, what), func() (*vectors.Set, error) { return OpenFS(files, "m") }); err == nil {
					_ = got.Close()
				}
				file.Data = whole
			}
			for _, at := range digits.FindAllIndex(whole, -1) {
				try(fmt.Sprintf("digits at %d", at[0]), slices.Concat(whole[:at[0]], []byte("2000000000"), whole[at[1]:]))
			}
			for at := range min(len(whole), 400) {
				for _, number := range [][]byte{
					binary.LittleEndian.AppendUint32(nil, 2_000_000_000), binary.LittleEndian.AppendUint64(nil, 1<<62),
				} {
					changed := slices.Clone(whole)
					copy(changed[at:], number)
					try(fmt.Sprintf("%d bytes at %d", len(number), at), changed)
				}
			}
		}
	}
}

// compress returns text as it is in a file whose name ends so.
func compress(t *testing.T, text, ext string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := compression.NewWriter(&buf, "m"+ext)
	if err == nil {
		if _, err = w.Write([]byte(text)); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Compressed JSON that goes on for ever, as a device does, is not read to its end.
func TestEndlessJSON(t *testing.T) {
	good := map[string]string{"config.json": "{}", "model.safetensors": matrixFile("embeddings", "F32", "[2,1]", "12345678"), "tokenizer.json": twoTokens}
	long := compress(t, strings.Repeat(" ", longestConfig+2*longestToken)+"{}", ".gz")
	for name, want := range map[string]string{
		"config.json":    "expected JSON of at most 16777216 bytes, found more: if it is right, undo its compression",
		"tokenizer.json": "expected a tokenizer of at most 16779264 bytes, found more: if it is right, undo its compression",
	} {
		files := map[string][]byte{}
		for name, text := range good {
			files[name] = []byte(text)
		}
		files[name] = long
		dir := t.TempDir()
		path := putFiles(t, dir, Model2Vec, files)
		if err := openErr(path); !says(err, want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
		if _, err := os.Stat("/dev/zero"); err != nil {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/zero", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := openErr(path); !says(err, "found more") {
			t.Errorf("%s is a device: got %v", name, err)
		}
	}
}

// A path that a file names is never opened, be it relative or absolute: a folder that
// would be as good a model as any lies where it leads, and none of its words arrives.
// Symbolic links are no content of a file but the file system's, and are followed: a
// folder in the cache of Hugging Face consists of them.
func TestNoPathInAFileIsFollowed(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	mine := safetensorsFileOf(`{"embeddings":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}`, file(float32(1), float32(2)))
	theirs := strings.NewReplacer(`"a"`, `"secret"`, `"b"`, `"other"`).Replace(twoTokens)
	for name, text := range map[string]string{ // all that could be looked for there
		"vectors.tsv": "3\n4\n", "metadata.tsv": "secret\nother\n", "model.safetensors": mine, "tokenizer.json": theirs,
		"vocab.txt": "secret\nother\n", "config.json": "{}", "modules.json": `[{"type":"StaticEmbedding"}]`,
	} {
		putFiles(t, secret, Model2Vec, map[string][]byte{name: []byte(text)})
	}
	s, err := Open(secret)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.ID("secret"); !ok {
		t.Fatalf("the trap has the words %s", s.Words())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	module := func(path string) string {
		return `[{"idx":0,"name":"0","path":"` + path + `","type":"sentence_transformers.models.StaticEmbedding"}]`
	}
	// embedding returns a file of torch whose header has the path to where it leads.
	embedding := func(to, header, data string) string {
		return safetensorsFileOf(strings.ReplaceAll(header, "SECRET", to), data+file(float32(1), float32(2)))
	}
	const absent = "no such file or directory"
	type test struct {
		name   string
		format Format
		files  map[string]string
		want   string // the vectors of a and b, or the error
	}
	tests := func(to string) []test {
		return []test{
			{"projector: with files of its own", Projector, map[string]string{"vectors.tsv": "1\n2\n", "metadata.tsv": "a\nb\n",
				"projector_config.pbtxt": `embeddings { tensor_path: "SECRET/vectors.tsv" metadata_path: "SECRET/metadata.tsv" }`}, "[1] [2]"},
			{"projector: without words", Projector, map[string]string{"vectors.tsv": "1\n2\n",
				"projector_config.pbtxt": `embeddings { tensor_path: "vectors.tsv" metadata_path: "SECRET/metadata.tsv" sprite { image_path: "SECRET/x.png" } }`}, absent},
			{"projector: a configuration alone", Projector, map[string]string{
				"projector_config.pbtxt": `embeddings { tensor_path: "SECRET/vectors.tsv" metadata_path: "SECRET/metadata.tsv" }`}, "vectors.tsv: no such file or directory"},
			{"modules.json", SentenceTransformers, map[string]string{"modules.json": module("SECRET")}, absent},
			{"modules.json: with files of its own", SentenceTransformers, map[string]string{"modules.json": module("SECRET"), "model.safetensors": mine, "tokenizer.json": twoTokens}, "[1] [2]"},
			{"modules.json: without a tokenizer", SentenceTransformers, map[string]string{"modules.json": module("SECRET"), "model.safetensors": mine}, absent},
			{"config.json", Model2Vec, map[string]string{"config.json": `{"tokenizer_name":"SECRET","_name_or_path":"SECRET","auto_map":{"AutoModel":"SECRET/x.py"}}`}, absent},
			{"config.json: with files of its own", Model2Vec, map[string]string{"config.json": `{"tokenizer_name":"SECRET"}`, "model.safetensors": mine, "tokenizer.json": twoTokens}, "[1] [2]"},
			{"tokenizer.json: a vocabulary elsewhere", Model2Vec, map[string]string{"config.json": "{}", "model.safetensors": mine,
				"tokenizer.json": `{"model":{"type":"WordLevel","vocab":"SECRET/vocab.txt"}}`}, "expected tokens and their numbers"},
			{"tokenizer.json: parts elsewhere", Model2Vec, map[string]string{"config.json": "{}", "model.safetensors": mine,
				"tokenizer.json": `{"normalizer":{"type":"Precompiled","precompiled_charsmap":"SECRET/vocab.txt"},"model":{"type":"BPE","merges":"SECRET/vocab.txt","vocab_file":"SECRET/vocab.txt","vocab":{"a":0,"b":1}}}`}, "[1] [2]"},
			{"safetensors: metadata", Torch, map[string]string{"m.vocab.txt": "a\nb\n",
				"m": embedding(to, `{"__metadata__":{"vocab_file":"SECRET/vocab.txt"},"weight":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}`, "")}, "[1] [2]"},
			{"safetensors: the name of a tensor", Torch, map[string]string{"m.vocab.txt": "a\nb\n",
				"m": embedding(to, `{"SECRET/x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"weight":{"dtype":"F32","shape":[2,1],"data_offsets":[1,9]}}`, "x")}, "[1] [2]"},
			{"words that are paths", Text, map[string]string{"m": "2 1\nSECRET/vocab.txt 1\n@SECRET/vocab.txt 2\n"}, "[0]? [0]?"},
		}
	}
	for how, to := range map[string]string{"relative": "../secret", "absolute": filepath.ToSlash(secret)} {
		for _, tt := range tests(to) {
			t.Run(tt.name+" "+how, func(t *testing.T) {
				folder, err := os.MkdirTemp(dir, "model")
				if err != nil {
					t.Fatal(err)
				}
				files := map[string][]byte{}
				for name, text := range tt.files {
					files[name] = []byte(strings.ReplaceAll(text, "SECRET", to))
				}
				path := putFiles(t, folder, tt.format, files)
				was := tree(t, dir)
				for name, open := range map[string]func(string) (*vectors.Set, error){
					"Open":       Open,
					"OpenStream": func(path string) (*vectors.Set, error) { return OpenStream(path, nil) },
				} {
					s, err := open(path)
					if err != nil {
						if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
							t.Errorf("%s: got %v, want %s", name, err, tt.want)
						}
						continue
					}
					if _, ok := s.ID("secret"); ok {
						t.Errorf("%s: the words are %s", name, s.Words())
					}
					if got := vectorsOf(s, "a", "b"); got != tt.want {
						t.Errorf("%s: the vectors are %s, want %s", name, got, tt.want)
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
				if is := tree(t, dir); is != was {
					t.Errorf("the files were\n%s\nand are\n%s", was, is)
				}
			})
		}
	}
}

// The name that a gzip file gives its content is not that of any file.
func TestGzipNameIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	w.Name = "../m.vec"
	if _, err := w.Write([]byte("1 1\na 1\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := putFiles(t, filepath.Join(dir, "in"), Text, map[string][]byte{"m": buf.Bytes()})
	was := tree(t, dir)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := vectorsOf(s, "a"); got != "[1]" {
		t.Errorf("the vector is %s", got)
	}
	if is := tree(t, dir); is != was {
		t.Errorf("the files were\n%s\nand are\n%s", was, is)
	}
}

// A folder of links to files, as Hugging Face's cache has it, is a model.
func TestLinkedParts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege")
	}
	dir := t.TempDir()
	putFiles(t, filepath.Join(dir, "blobs"), Model2Vec, map[string][]byte{
		"0": []byte("{}"), "1": []byte(matrixFile("embeddings", "F32", "[2,1]", file(float32(1), float32(2)))), "2": []byte(twoTokens),
	})
	snapshot := filepath.Join(dir, "snapshot")
	if err := os.Mkdir(snapshot, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"config.json", "model.safetensors", "tokenizer.json"} {
		if err := os.Symlink(fmt.Sprintf("../blobs/%d", i), filepath.Join(snapshot, name)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	if got := vectorsOf(s, "a", "b"); got != "[1] [2]" {
		t.Errorf("the vectors are %s", got)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Formats that are programs, pickles above all, are refused by their first bytes: there is
// nothing here that could run them.
func TestNoFormatExecutes(t *testing.T) {
	dir := t.TempDir()
	command := "touch " + filepath.Join(dir, "executed")
	pickle := "cos\nsystem\n(S'" + command + "'\ntR."
	framed := "\x80\x04\x95" + file(uint64(len(command)+20)) + "\x8c\x05posix\x8c\x06system\x93\x8c" + string(rune(len(command))) + command + "\x85R."
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	part, err := w.Create("archive/data.pkl")
	if err == nil {
		if _, err = part.Write([]byte(framed)); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		format Format
		files  map[string]string
		want   string
	}{
		"pickle":             {Torch, map[string]string{"m": framed}, "this is a Python pickle"},
		"pickle of old":      {Torch, map[string]string{"m": pickle}, "not a model"},
		"torch.save":         {Torch, map[string]string{"m": archive.String()}, "this is a file of torch.save, a pickle, which is not executed here: in Python, save"},
		"numpy of objects":   {Npy, map[string]string{"m": npyMatrix("|O", "(1, 1)", framed), "m.vocab.txt": "a\n"}, `expected numbers of type f4, f2 or f8, found "|O"`},
		"header of numpy":    {Npy, map[string]string{"m": npyFile(`__import__("os").system("`+command+`")`, ""), "m.vocab.txt": "a\n"}, "header: expected"},
		"words of a pickle":  {Npy, map[string]string{"m": npyMatrix("<f4", "(1, 1)", "1234"), "m.vocab.txt": framed + "\nb\n"}, "m.vocab.txt: line "},
		"code beside":        {Model2Vec, map[string]string{"config.json": `{"auto_map":{"AutoModel":"x.py"}}`, "x.py": `open("` + command + `")`}, "no such file"},
		"pickle in a folder": {Model2Vec, map[string]string{"config.json": "{}", "model.safetensors": framed, "pytorch_model.bin": framed}, "model.safetensors: "},
		"script":             {Text, map[string]string{"m": "#!/bin/sh\n" + command + "\n"}, "not a model"},
	} {
		files := map[string][]byte{}
		for name, text := range tt.files {
			files[name] = []byte(text)
		}
		path := putFiles(t, t.TempDir(), tt.format, files)
		if err := openErr(path); !says(err, tt.want) {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
	if is := tree(t, dir); is != ". " {
		t.Errorf("something was executed, and made %s", is)
	}
}

// tree lists what is in a folder and below it.
func tree(t *testing.T, dir string) string {
	t.Helper()
	list := ""
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
		list += path + " "
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
