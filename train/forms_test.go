package train_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

// A form is a way in which the files of a corpus come.
type form struct {
	name     string
	corpus   train.Corpus
	settings func(*train.Settings)
}

// formsOf returns all forms of a text: toy.txt of the golden files, several times.
func formsOf(t *testing.T, text string, times int) []form {
	t.Helper()
	dir := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	forms := []form{{name: "plain", corpus: train.Files(write("plain.txt", text))}}
	add := func(name string, c train.Corpus, change ...func(*train.Settings)) {
		f := form{name: name, corpus: c}
		if len(change) > 0 {
			f.settings = change[0]
		}
		forms = append(forms, f)
	}
	packed := make(map[string]string)
	for _, ext := range []string{"gz", "zst", "bz2", "xz"} {
		once, err := os.ReadFile(filepath.Join("..", "testdata", "compressed", "toy.txt."+ext))
		if err != nil {
			t.Fatal(err)
		}
		packed[ext] = strings.Repeat(string(once), times) // gzip has members, the others have frames and streams
		add(ext, train.Files(write("packed."+ext, packed[ext])))
		add(ext+" piped", train.FilesAndInput(strings.NewReader(packed[ext]), "-"))
	}
	add("piped", train.FilesAndInput(strings.NewReader(text), "-"))

	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	const shards = 50
	for i := range shards {
		shard := strings.Join(lines[i*len(lines)/shards:(i+1)*len(lines)/shards], "")
		write(fmt.Sprintf("shards/%02d/part.txt", i), shard)
	}
	add("50 shards in folders", train.Files(filepath.Join(dir, "shards")))
	add("50 shards by a glob", train.Files(filepath.Join(dir, "shards", "*", "part.*")))

	column := func(n int, header bool) func(*train.Settings) {
		return func(s *train.Settings) { s.Text.TextColumn, s.Text.Header = corpus.Column(strconv.Itoa(n)), header }
	}
	field := func(name string) func(*train.Settings) {
		return func(s *train.Settings) { s.Text.JSONField = name }
	}
	var tsv, csv, json, arrays strings.Builder
	csv.WriteString("text;number\n")
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "\v", `\u000b`, "\f", `\f`, "\r", `\r`)
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\n")
		fmt.Fprintf(&tsv, "%d\tsome title\t%s\n", i, line)
		fmt.Fprintf(&csv, "\"%s\";%d\n", strings.ReplaceAll(line, `"`, `""`), i)
		fmt.Fprintf(&json, "{\"id\": %d, \"page\": {\"title\": \"x\", \"text\": \"%s\"}}\n", i, quoted.Replace(line))
		fmt.Fprintf(&arrays, "{\"tokens\":[")
		for k, token := range strings.Fields(line) {
			if k > 0 {
				arrays.WriteByte(',')
			}
			fmt.Fprintf(&arrays, "\"%s\"", quoted.Replace(token))
		}
		arrays.WriteString("]}\n")
	}
	add("a column of TSV", train.Files(write("table.tsv", tsv.String())), column(3, false))
	add("a column of TSV, piped", train.FilesAndInput(strings.NewReader(tsv.String()), "-"), column(3, false))
	add("a column of CSV", train.Files(write("table.csv", csv.String())), column(1, true))
	add("JSON lines", train.Files(write("lines.jsonl", json.String())), field("page.text"))
	add("JSON lines, piped", train.FilesAndInput(strings.NewReader(json.String()), "-"), field("page.text"))
	add("JSON lines of tokens", train.Files(write("tokens.jsonl", arrays.String())), field("tokens"))
	return forms
}

// The same text makes the same vocabulary and the same vectors, however its files are made.
func TestFormsMakeTheSameModel(t *testing.T) {
	once, err := os.ReadFile(filepath.Join("..", "testdata", "toy.txt"))
	if err != nil {
		t.Fatal(err)
	}
	const times = 70 // so that plain files are several shards
	text := strings.Repeat(string(once), times)
	for _, threads := range []int{1, 3} {
		var want, words []byte
		for _, f := range formsOf(t, text, times) {
			o := train.Options{Settings: small()}
			o.Settings.Model.Threads, o.Settings.Model.Seed = threads, 7
			if threads > 1 {
				o.Settings.Model.Epochs = 1
			}
			if f.settings != nil {
				f.settings(&o.Settings)
			}
			var model, vocabulary bytes.Buffer
			hooks := train.Hooks{Read: func(read *train.Text) {
				if _, err := read.Vocab.WriteTo(&vocabulary); err != nil {
					t.Error(err)
				}
			}}
			result, err := train.Run(t.Context(), f.corpus, o, hooks)
			if err != nil {
				t.Errorf("%s: %v", f.name, err)
				continue
			}
			model.Write(encoded(t, result.Vectors.WithTraining(vectors.Training{})))
			if want == nil {
				want, words = model.Bytes(), vocabulary.Bytes()
			}
			if !bytes.Equal(vocabulary.Bytes(), words) {
				t.Errorf("%s, %d threads: another vocabulary than that of plain text", f.name, threads)
			}
			if threads == 1 && !bytes.Equal(model.Bytes(), want) {
				t.Errorf("%s: other vectors than those of plain text", f.name)
			}
		}
	}
}

// What is wrong with one of many files is an error, and nothing is trained on the others.
func TestBadFileAmongGoodOnes(t *testing.T) {
	good := strings.Repeat("the cat sat on the mat\n", 2000)
	packed, err := os.ReadFile(filepath.Join("..", "testdata", "compressed", "toy.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	golden := func(ext string) string {
		packed, err := os.ReadFile(filepath.Join("..", "testdata", "compressed", "toy.txt."+ext))
		if err != nil {
			t.Fatal(err)
		}
		return string(packed)
	}
	var archive bytes.Buffer
	tarred := tar.NewWriter(&archive)
	_ = tarred.WriteHeader(&tar.Header{Name: "a.txt", Size: 3, Mode: 0o666})
	_, _ = tarred.Write([]byte("abc"))
	_ = tarred.Close()
	zst := golden("zst")
	for name, test := range map[string]struct{ content, want string }{
		"binary":      {strings.Repeat("\x00\x01\x02\x03", 1000), "is binary data and no text: give a corpus of text only"},
		"UTF-16":      {"\xff\xfea\x00\n\x00", "is in UTF-16, and text is read in UTF-8"},
		"tar":         {archive.String(), "is a tar archive: make it plain text first"},
		"gzip member": {string(packed) + string(packed[:len(packed)/2]), "the gzip data is cut short after "},
		"gzip sum":    {string(packed) + string(packed[:len(packed)-5]) + "oops!", "line 121: the gzip data is corrupt after 5898 bytes of its content: gzip: invalid checksum"},
		"zstd":        {zst[:len(zst)-20], "the zstd data is cut short"},
		"xz":          {golden("xz") + golden("xz")[:500], "the xz data is cut short"},
		"bzip2":       {golden("bz2")[:600], "the bzip2 data is cut short"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for i := range 5 {
				content := good
				if i == 2 {
					content = test.content
				}
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d", i)), []byte(content), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			o := train.Options{Settings: small(), Output: filepath.Join(dir, "..", name+".w2v")}
			o.Settings.Model.Threads = 2
			_, err := train.Run(t.Context(), train.Files(dir), o, train.Hooks{})
			if err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, "part-2")+": ") || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v\nwant one with %q", err, test.want)
			}
			if _, err := os.Stat(o.Output); err == nil {
				t.Error("there is a model")
			}
		})
	}
}

// Fresh walks are the walks of all epochs, trained once.
func TestFreshWalks(t *testing.T) {
	edges := filepath.Join(t.TempDir(), "edges.tsv")
	if err := os.WriteFile(edges, []byte("a b\nb c\nc a\nc d\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(c train.Corpus, epochs int) *train.Result {
		t.Helper()
		s := train.Defaults()
		s.Model.Dim, s.Model.Threads, s.Model.Sample, s.Model.Epochs, s.MinCount = 4, 1, 0, epochs, 1
		r, err := train.Run(t.Context(), c, train.Options{Settings: s}, train.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	walks := graph.WalkOptions{Length: 8, PerNode: 2}
	fresh := run(train.FreshWalks(nil, []string{edges}, graph.ReadOptions{}, walks), 3)
	walks.PerNode = 6
	all := run(train.Walks(nil, []string{edges}, graph.ReadOptions{}, walks), 1)
	if fresh.Settings.Model.Epochs != 1 || fresh.Tokens != all.Tokens || !slices.Equal(fresh.Vectors.Input().Row(0), all.Vectors.Input().Row(0)) {
		t.Errorf("%d epochs of %d tokens, want one of %d, and the same vectors", fresh.Settings.Model.Epochs, fresh.Tokens, all.Tokens)
	}

	// How often a text is read does not say how often walks are, which are as many as one likes.
	walks.PerNode = 2
	auto, usual := run(train.Walks(nil, []string{edges}, graph.ReadOptions{}, walks), 0), run(train.FreshWalks(nil, []string{edges}, graph.ReadOptions{}, walks), 0)
	if got := auto.Settings.Model.Epochs; got != sgns.UsualEpochs || usual.Tokens != sgns.UsualEpochs*auto.Tokens {
		t.Errorf("%d epochs, and %d fresh tokens of %d", got, usual.Tokens, auto.Tokens)
	}
}
