package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// Every setting of text is in the note of a checkpoint, and comes back out of it.
func TestNoteHasTheSettingsOfText(t *testing.T) {
	usual := note{Settings: Defaults()}
	was := usual
	for _, row := range table() {
		if row.Group != GroupText {
			continue
		}
		if err := row.Set(&was.Settings, other(row, &usual.Settings)); err != nil {
			t.Fatal(err)
		}
	}
	text := asJSON(t, was)
	var keys map[string]any
	var back note
	if err := json.Unmarshal([]byte(text), &keys); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &back); err != nil {
		t.Fatal(err)
	}
	for _, row := range table() {
		if row.Group != GroupText {
			continue
		}
		_, ok := keys[row.JSONKey()]
		if got, want := row.Text(&back.Settings), row.Text(&was.Settings); !ok || got != want || want == row.Text(&usual.Settings) {
			t.Errorf("%s is %q, was %q, in %s", row.Name, got, want, slices.Sorted(maps.Keys(keys)))
		}
	}
}

// other is a value that a setting does not have.
func other(row setting.Setting[Settings], than *Settings) string {
	if n := len(row.Choices); n > 0 {
		return row.Choices[n-1].Value
	}
	return map[string]string{"bool": "true", "int": "77", "name": "other", "float64": "0.25", "words": "of,the"}[setting.Type(row.At(than))]
}

// The note is what it was before there was a table, byte for byte.
func TestNoteJSON(t *testing.T) {
	n := note{Threads: 2, noteOfRun: noteOfRun{Vocabulary: true, Fraction: 0.5, Sets: []noted{{"a", "b"}}, Extended: 1, LearningRate: 0.1, CheckpointEvery: "1m0s"}}
	n.Settings.Text.Tokenizer, n.Settings.MinCount, n.Settings.MaxVocab = corpus.Unicode, 3, 9
	const want = `{"tokenizer":"unicode","lowercase":false,"threads":2,"min_count":3,"max_vocab":9,"vocabulary":true,"fraction":0.5,"held_out":false,` +
		`"sets":[{"name":"a","sha256":"b"}],"extended":1,"lr":0.1,"checkpoint_every":"1m0s"}`
	if text := asJSON(t, n); text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	for _, wrong := range []string{``, `3`, `{"tokenizer":"odd"}`, `{"threads":"x"}`, `{"sets":3}`} {
		if json.Unmarshal([]byte(wrong), &n) == nil {
			t.Errorf("%q is a note", wrong)
		}
	}
}

// Every format that keeps what is known of a training has a place for each setting that a model
// says something of.
func TestRecordedSettingsHaveTrainingNames(t *testing.T) {
	for _, row := range table() {
		if row.Record != nil && !slices.Contains(vectors.TrainingNames(), row.JSONKey()) {
			t.Errorf("vectors.TrainingNames lacks %s: files other than native ones would lose it", row.JSONKey())
		}
	}
}

// What a model takes on the disk is known before it is trained, whatever is in it.
func TestShapeIsThatOfTheModel(t *testing.T) {
	text := strings.Repeat("the cat sat on the mat\nthe dog sat on a log\n", 20)
	v, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader(text), corpus.Options{}), vocab.Options{MinCount: 1}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ids.Close() }()
	for _, line := range []string{
		"",
		", subwords fasttext, buckets 50",
		", subwords floret, buckets 50",
		", subwords hash, buckets 50",
		", subwords hash, buckets 50, append-weights true",
		", rank 3",
		", rank 3, subwords floret, buckets 50",
		", subwords fasttext, buckets 50, precision f16",
		", rank 3, subwords fasttext, buckets 50, precision f16",
		", arch cbow, position-weights true, word-ngrams 2, word-buckets 30",
		", arch cbow, position-weights true, word-ngrams 2, word-buckets 30, rank 3, subwords hash, buckets 50",
		", arch structured",
		", loss hs",
		", arch structured, rank 3",
		", loss hs, rank 3",
		", tied true",
		", nested 4,8",
	} {
		s := Defaults()
		for setting := range strings.SplitSeq("window 2, sample 0, epochs 1, dim 8"+line, ", ") {
			option, text, _ := strings.Cut(setting, " ")
			if err := s.Set(option, text); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Complete(); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var plan sgns.Plan
		hooks := sgns.Hooks{Start: func(p sgns.Plan) error { plan = p; return nil }}
		model, err := sgns.Train(t.Context(), sgns.Data{IDs: ids, Vocab: v}, s.Model, hooks)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		planned := shapeOf(s.Model, v, plan)
		got, want := format.EstimateSize("m.w2v", planned, format.W2V), format.EstimateSize("m.w2v", model.Vectors.Shape(), format.W2V)
		if s.Model.Precision == sgns.F16 { // of rows in 16 bits it need not be listed which buckets are untrained
			shape := model.Vectors.Shape()
			want += uint64(4 * (planned.Listed - shape.Listed))
			if planned.RowBytes != shape.RowBytes {
				t.Errorf("%s: planned rows of %d bytes, are %d", line, planned.RowBytes, shape.RowBytes)
			}
		}
		if got != want {
			t.Errorf("%s: planned %d bytes, are %d:\n%+v\n%+v", line, got, want, planned, model.Vectors.Shape())
		}
		total := model.Vectors.Parameters().Total()
		if got := uint64(parameterBytes(plan)); got != 4*total {
			t.Errorf("%s: planned parameters of %d bytes, are %d numbers", line, got, total)
		}
	}
}

// A set may be compressed, as a corpus may, and is the same set.
func TestSetFileCompressed(t *testing.T) {
	const pairs = "cat\tdog\t9\ncat\tbread\t1\n"
	want, err := ReadSet("pairs.tsv", strings.NewReader(pairs))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pairs.tsv", "pairs.tsv.gz", "pairs.tsv.zst"} {
		path := filepath.Join(t.TempDir(), name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := compression.NewWriter(file, path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Write([]byte(pairs))
		if err != nil || w.Close() != nil || file.Close() != nil {
			t.Fatal(err)
		}
		got, err := SetFile(path).read()
		if err != nil || got.Name() != "pairs" || got.sum != want.sum || len(got.set.Pairs) != 2 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := SetFile("nowhere/pairs.tsv").read(); err == nil || !strings.HasPrefix(err.Error(), "nowhere/pairs.tsv: no such file") {
		t.Errorf("no file: %v", err)
	}
}

func TestSpell(t *testing.T) {
	flag := func(name, value string) string {
		if value != "" {
			value = " " + value
		}
		return "--" + name + value
	}
	rare := errorf("%v: see %v", io.EOF, name("min-count"))
	same := optionErrorf("%v and %v are the same file", name("output"), name("checkpoint"))
	for _, test := range []struct {
		err         error
		text, flags string
		is          error
	}{
		{rare, "EOF: see Settings.MinCount", "EOF: see --min-count", io.EOF},
		{errorf("%v keeps all", name("sample").to(0)), "Settings.Model.Sample: 0 keeps all", "--sample 0 keeps all", nil},
		{same, "Output and Checkpoint.File are the same file", "--output and --checkpoint are the same file", nil},
		{fmt.Errorf("reading: %w", rare), "reading: EOF: see Settings.MinCount", "reading: EOF: see --min-count", io.EOF},
		{errors.Join(context.Canceled, fmt.Errorf("x: %w", same)), "context canceled\nx: Output and Checkpoint.File are the same file", "context canceled\nx: --output and --checkpoint are the same file", context.Canceled},
		{errorf("it failed: %v", rare), "it failed: EOF: see Settings.MinCount", "it failed: EOF: see --min-count", io.EOF},
		{io.EOF, "EOF", "EOF", io.EOF},
	} {
		again := Spell(test.err, flag)
		if test.err.Error() != test.text || again.Error() != test.flags {
			t.Errorf("%q, %q; want %q, %q", test.err, again, test.text, test.flags)
		}
		if test.is != nil && !errors.Is(again, test.is) {
			t.Errorf("%q is no %v", again, test.is)
		}
		if e, want := new(Error), errors.As(test.err, new(*Error)); errors.As(again, &e) != want {
			t.Errorf("%q: an Error is found: %v", again, !want)
		}
	}
}

// A rank of another version of the program is told by its version, and one whose options have other names too.
func TestUnlike(t *testing.T) {
	encode := func(all ...told) []byte {
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first := encode(told{version, "v1.2, revision 5"}, told{"epochs", "5"})
	for want, other := range map[string][]byte{
		"rank 3 is w2v v1.3, revision 5, and rank 0 is v1.2, revision 5: all ranks must run the same program":                encode(told{version, "v1.3, revision 5"}, told{"eras", "5"}),
		"rank 3 is another version of the program than rank 0: all ranks must run the same":                                  encode(told{"epochs", "5"}),
		"rank 3 has Settings.Model.Epochs: 6, and rank 0 Settings.Model.Epochs: 5: all ranks must get the same command line": encode(told{version, "v1.2, revision 5"}, told{"epochs", "6"}),
	} {
		if err := unlikeFirst(3, first, other); err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if r := (&run{}); r.told()[0].Value != program() || !strings.Contains(program(), fmt.Sprint("revision ", sgns.Revision)) {
		t.Errorf("ranks tell %v", r.told()[0])
	}
}
