package embed_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/embed"
	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

const dim = 10

// model returns a model of words with n-grams.
func model(t testing.TB, seed uint64) *query.Finder {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 2))
	words := []string{"the", "cat", "sat", "on", "mat"}
	m := vectors.NewMatrix(len(words)+50, dim)
	for r := range m.Rows {
		for k := range m.Row(r) {
			m.Row(r)[k] = float32(random.NormFloat64())
		}
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Counts: []uint64{9, 5, 3, 2, 1}, Input: m, Subword: subword.FastText{MinN: 3, MaxN: 4, Buckets: 50}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := query.New(s, vectors.CaseAuto)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// expected returns the vector of a text as w2v sentence has it; nil if there is none.
func expected(t testing.TB, f *query.Finder, text string) []float32 {
	t.Helper()
	p, err := pooling.New(f.Set(), pooling.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tokens, _, err := f.Tokens(text)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float32, dim)
	if p.Text(v, tokens) == 0 {
		return nil
	}
	return v
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// manyTexts are of some blocks, on lines, of which some have no known word.
func manyTexts(n int) string {
	random := rand.New(rand.NewPCG(7, 8))
	var b strings.Builder
	for i := range n {
		if i%7 > 0 {
			for range random.IntN(30) {
				b.WriteString([]string{"the ", "cat, ", "Sat ", "unseen ", "x", "\t", "on.", "mat"}[random.IntN(8)])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// matrix returns the header of a .npy file, without blanks, and what is behind it.
func matrix(t testing.TB, path string) (head string, data []byte) {
	t.Helper()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(all, []byte("\x93NUMPY\x01\x00\x76\x00")) || all[127] != '\n' {
		t.Fatalf("not a matrix: %.130q", all)
	}
	return strings.TrimSpace(string(all[10:128])), all[128:]
}

// Vectors are those of single texts, in their order, in all codes.
func TestWriteMatrix(t *testing.T) {
	f := model(t, 1)
	text := manyTexts(10000)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	in := write(t, "texts.txt", text)
	of := make([][]float32, len(lines))
	for i, line := range lines {
		of[i] = expected(t, f, line)
	}
	for _, test := range []struct {
		code  embed.Code
		descr string
		cols  int
		code1 func(v []float32) []byte
	}{
		{embed.F32, "<f4", dim, func(v []float32) []byte { b, _ := binary.Append(nil, binary.LittleEndian, v); return b }},
		{embed.F16, "<f2", dim, func(v []float32) (b []byte) {
			for _, x := range v {
				b = binary.LittleEndian.AppendUint16(b, half.ToF16(x))
			}
			return b
		}},
		{embed.Int8, "|i1", dim, func(v []float32) []byte { b, _ := int8Of(v); return b }},
		{embed.UBinary, "|u1", 2, func(v []float32) []byte {
			b := make([]byte, 2)
			for i, x := range v {
				if x > 0 {
					b[i/8] |= 1 << (7 - i%8)
				}
			}
			return b
		}},
	} {
		out := filepath.Join(t.TempDir(), "out.npy")
		r, err := embed.Write(context.Background(), f, []string{in}, out, embed.Options{Code: test.code})
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		without := 0
		for _, v := range of {
			if v == nil {
				v = make([]float32, dim)
				without++
			}
			want = append(want, test.code1(v)...)
		}
		head, data := matrix(t, out)
		if wantHead := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (10000, %d), }", test.descr, test.cols); head != wantHead || !bytes.Equal(data, want) {
			t.Errorf("%s: %s of %d bytes, want %s of %d", test.code, head, len(data), wantHead, len(want))
		}
		if r.Rows != 10000 || r.Without != uint64(without) || r.Resumed != 0 || without < 1000 {
			t.Errorf("%s: %+v, want %d without a vector", test.code, r, without)
		}
		if left, _ := filepath.Glob(out + ".*"); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	}
}

// int8Of returns the numbers of a vector in 8 bits.
func int8Of(v []float32) (codes []byte, numbers []int8) {
	most := float32(0)
	for _, x := range v {
		most = max(most, float32(math.Abs(float64(x))))
	}
	for _, x := range v {
		n := int8(0)
		if most > 0 {
			n = int8(math.RoundToEven(float64(x) / float64(most/127)))
		}
		codes, numbers = append(codes, byte(n)), append(numbers, n)
	}
	return codes, numbers
}

// halves returns a vector in 16 bits; nil if there is none.
func halves(v []float32) (all []float32) {
	for _, x := range v {
		all = append(all, half.FromF16(half.ToF16(x)))
	}
	return all
}

// vectorJSON is a vector as JSON.
func vectorJSON(v []float32) string { return string(query.Vector(v).AppendJSON(nil)) }

// Every layout of texts becomes JSON lines.
func TestWriteLines(t *testing.T) {
	f := model(t, 1)
	cat, mat := vectorJSON(expected(t, f, "the cat")), vectorJSON(expected(t, f, "mat"))
	for _, test := range []struct {
		name, file, text string
		options          embed.Options
		want             string
	}{
		{"lines", "a.txt", "\ufeffthe cat\r\n\nmat", embed.Options{}, `{"text":"the cat","vector":` + cat + `}` + "\n" + `{"text":"","vector":null}` + "\n" + `{"text":"mat","vector":` + mat + "}\n"},
		{"labels are words", "a.txt", "__label__a mat\n", embed.Options{}, `{"text":"__label__a mat","vector":` + vectorJSON(expected(t, f, "__label__a mat")) + "}\n"},
		{"vectors alone", "a.txt", "the cat", embed.Options{NoText: true, As: "v"}, `{"v":` + cat + "}\n"},
		{"TSV", "a.tsv", "id\tbody\n7\tthe cat\n\n8\tmat\n\tmat\n", embed.Options{Fields: corpus.Fields{TextColumn: "body", LabelColumn: "id", Header: true}},
			`{"id":"7","text":"the cat","vector":` + cat + `}` + "\n" + `{"id":"8","text":"mat","vector":` + mat + `}` + "\n" + `{"id":null,"text":"mat","vector":` + mat + "}\n"},
		{"CSV", "a.csv", "1,\"the\n\"\"cat\"\"\"\n", embed.Options{Fields: corpus.Fields{TextColumn: "2"}}, `{"text":"the\n\"cat\"","vector":` + vectorJSON(expected(t, f, "the\n\"cat\"")) + "}\n"},
		{"JSON", "a.jsonl", `{"id": 1, "text": "the cat"}` + "\n\n" + `{"text":["the","cat"]}` + "\n" + `{"text":null}`, embed.Options{Fields: corpus.Fields{TextField: "text"}},
			`{"id": 1, "text": "the cat","vector":` + cat + `}` + "\n" + `{"text":["the","cat"],"vector":` + cat + `}` + "\n" + `{"text":null,"vector":null}` + "\n"},
		{"ids of JSON", "a.jsonl", `{"id": 1, "text": "the cat"}`, embed.Options{Fields: corpus.Fields{TextField: "text", LabelField: "id"}, NoText: true}, `{"id":"1","vector":` + cat + "}\n"},
		{"bits", "a.txt", "mat", embed.Options{Code: embed.UBinary, NoText: true}, `{"vector":` + bitsJSON(expected(t, f, "mat")) + "}\n"},
	} {
		out := filepath.Join(t.TempDir(), "out.jsonl")
		if _, err := embed.Write(context.Background(), f, []string{write(t, test.file, test.text)}, out, test.options); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got, err := os.ReadFile(out); err != nil || string(got) != test.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", test.name, err, got, test.want)
		}
	}
}

func bitsJSON(v []float32) string {
	var bits [2]int
	for i, x := range v {
		if x > 0 {
			bits[i/8] |= 1 << (7 - i%8)
		}
	}
	return fmt.Sprintf("[%d,%d]", bits[0], bits[1])
}

// The scale of 8-bit numbers makes the numbers again.
func TestScales(t *testing.T) {
	f := model(t, 1)
	out := filepath.Join(t.TempDir(), "out.jsonl")
	if _, err := embed.Write(context.Background(), f, []string{write(t, "a.txt", "the cat sat\n")}, out, embed.Options{Code: embed.Int8}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var of struct {
		Vector []int8
		Scale  float64
	}
	if err := json.Unmarshal(text, &of); err != nil {
		t.Fatal(err)
	}
	for i, x := range expected(t, f, "the cat sat") {
		if math.Abs(float64(of.Vector[i])*of.Scale-float64(x)) > of.Scale/2*1.001 {
			t.Errorf("number %d is %v times %v, want %v", i, of.Vector[i], of.Scale, x)
		}
	}
}

// interrupted embeds the first half of a text and is stopped then.
func interrupted(t *testing.T, f *query.Finder, text, out string) *embed.InterruptedError {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	reader, writer := io.Pipe()
	go func() {
		_, _ = io.WriteString(writer, text[:len(text)/2])
		cancel()
		_ = writer.CloseWithError(context.Canceled)
	}()
	_, err := embed.Write(ctx, f, []string{"-"}, out, embed.Options{Stdin: reader})
	early, ok := errors.AsType[*embed.InterruptedError](err)
	if !ok || early.Rows == 0 || !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("there is a file of an interrupted run: %v", err)
	}
	return early
}

// An interrupted run goes on, and writes the same bytes. What is behind the state of a run that was killed is written again.
func TestResume(t *testing.T) {
	f := model(t, 1)
	text := manyTexts(30000)
	for _, name := range []string{"out.npy", "out.jsonl", "out.parquet"} {
		t.Run(name, func(t *testing.T) {
			embed.WithGroups(100000, func() {
				folder := t.TempDir()
				whole, out := filepath.Join(folder, "whole-"+name), filepath.Join(folder, name)
				in := write(t, "texts.txt", text)
				want, err := embed.Write(context.Background(), f, []string{in}, whole, embed.Options{})
				if err != nil {
					t.Fatal(err)
				}
				early := interrupted(t, f, text, out)
				file, err := os.OpenFile(early.Path, os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				_, err = file.WriteString("what a killed run has written last")
				if err := errors.Join(err, file.Close()); err != nil {
					t.Fatal(err)
				}
				for what, wrong := range map[string]func() error{
					"written with another model or other options": func() error {
						_, err := embed.Write(context.Background(), model(t, 2), []string{in}, out, embed.Options{})
						return err
					},
					"not those that the interrupted run has embedded": func() error {
						_, err := embed.Write(context.Background(), f, []string{write(t, "texts.txt", "mat"+text)}, out, embed.Options{})
						return err
					},
					"model or other options": func() error {
						_, err := embed.Write(context.Background(), f, []string{in}, out, embed.Options{Code: embed.F16})
						return err
					},
					"are not those": func() error {
						_, err := embed.Write(context.Background(), f, []string{write(t, "texts.txt", "the cat\n")}, out, embed.Options{})
						return err
					},
				} {
					if err := wrong(); err == nil || !strings.Contains(err.Error(), what) {
						t.Errorf("%v, want %q", err, what)
					}
				}
				got, err := embed.Write(context.Background(), f, []string{in}, out, embed.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if got.Resumed != early.Rows || got.Rows != want.Rows || got.Without != want.Without {
					t.Errorf("%+v, want %+v, resumed behind %d", got, want, early.Rows)
				}
				a, errA := os.ReadFile(whole)
				b, errB := os.ReadFile(out)
				if errA != nil || errB != nil || !bytes.Equal(a, b) {
					t.Errorf("%v %v, or other bytes than those of a run that was not interrupted", errA, errB)
				}
				if left, _ := filepath.Glob(out + ".*"); len(left) > 0 {
					t.Errorf("left: %q", left)
				}
			})
		})
	}
}

// A run that starts again forgets what another one has left.
func TestRestart(t *testing.T) {
	f := model(t, 1)
	out := filepath.Join(t.TempDir(), "out.npy")
	for path, text := range map[string]string{out + ".partial": "old", out + ".partial.json": "{}"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := []string{write(t, "a.txt", "the cat\n")}
	if _, err := embed.Write(context.Background(), f, in, out, embed.Options{}); err == nil || !strings.Contains(err.Error(), "says nothing of an interrupted run") {
		t.Errorf("a state of nothing: %v", err)
	}
	if r, err := embed.Write(context.Background(), f, in, out, embed.Options{Restart: true}); err != nil || r.Rows != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

// Errors have a place, and nothing is taken for a whole file.
func TestWriteErrors(t *testing.T) {
	f := model(t, 1)
	for _, test := range []struct {
		file, text, out, want string
		options               embed.Options
	}{
		{"a.jsonl", "{\"text\":\"mat\"}\n{\"text\":1}\n", "out.npy", "a.jsonl: line 2: ", embed.Options{Fields: corpus.Fields{TextField: "text"}}},
		{"a.tsv", "a\tb\nc\n", "out.npy", "a.tsv: line 2: ", embed.Options{Fields: corpus.Fields{TextColumn: "2"}}},
		{"a.jsonl", "{\"text\":\"mat\",\"vector\":1}\n", "out.jsonl", `a.jsonl: line 1: there is a field "vector" already`, embed.Options{Fields: corpus.Fields{TextField: "text"}}},
		{"a.txt", "mat\n", "out.csv", "out.csv: the extension", embed.Options{}},
		{"a.txt", "mat\n", "none/out.npy", "cannot write to the folder", embed.Options{}},
		{"a.txt", "mat\n", "out.npy", "unknown code", embed.Options{Code: "f8"}},
	} {
		out := filepath.Join(t.TempDir(), test.out)
		_, err := embed.Write(context.Background(), f, []string{write(t, test.file, test.text)}, out, test.options)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", test.text, err, test.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: there is a file", test.text)
		}
	}
}

// An empty corpus has an empty matrix.
func TestWriteNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.npy")
	r, err := embed.Write(context.Background(), model(t, 1), []string{write(t, "a.txt", "")}, out, embed.Options{})
	if err != nil || r.Rows != 0 {
		t.Fatalf("%+v %v", r, err)
	}
	if head, data := matrix(t, out); len(data) > 0 || !strings.Contains(head, "(0, 10)") {
		t.Errorf("%s %q", head, data)
	}
}

// Vectors yields what Write writes, in the order of texts, over several batches, and ends with the first error.
func TestVectors(t *testing.T) {
	f := model(t, 1)
	p, err := pooling.New(f.Set(), pooling.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const all = 5000
	failed := errors.New("no more")
	texts := func(yield func(int, error) bool) {
		for i := range all {
			if !yield(i, nil) {
				return
			}
		}
		yield(0, failed)
	}
	text := func(i int) string { return fmt.Sprintf("the cat%d sat on %d", i%700, i) }
	n := 0
	for v, err := range embed.Vectors(t.Context(), f, p, texts, func(i int) []byte { return []byte(text(i)) }) {
		if err != nil {
			if n != all || !errors.Is(err, failed) {
				t.Errorf("%v after %d texts", err, n)
			}
			n++
			continue
		}
		want := expected(t, f, text(n))
		if v.Of != n || v.Err != nil || fmt.Sprint(v.Numbers) != fmt.Sprint(want) {
			t.Fatalf("text %d: %+v, want %v", n, v, want)
		}
		n++
	}
	if n != all+1 {
		t.Errorf("%d texts", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range embed.Vectors(ctx, f, p, texts, func(int) []byte { return nil }) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// Vectors have a name of their own, as a field of JSON.
func TestNames(t *testing.T) {
	for _, o := range []embed.Options{
		{As: "text"}, {As: "scale", Code: embed.Int8}, {As: "id", Fields: corpus.Fields{TextColumn: "1", LabelColumn: "2"}},
		{As: "id", NoText: true, Fields: corpus.Fields{TextField: "a", LabelField: "b"}},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), "cannot have the name") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, o := range []embed.Options{{As: "text", NoText: true}, {As: "scale"}, {As: "text", Fields: corpus.Fields{TextField: "a"}}} {
		o.Fields.Unlabelled = true
		if err := o.Validate(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	out, texts := filepath.Join(t.TempDir(), "o.jsonl"), filepath.Join(t.TempDir(), "t.txt")
	if err := os.WriteFile(texts, []byte("the cat\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const odd = "a\ab\"\\"
	if _, err := embed.Write(t.Context(), model(t, 1), []string{texts}, out, embed.Options{As: odd}); err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(line, &object); err != nil || object[odd] == nil {
		t.Errorf("%v: %s", err, line)
	}
}
