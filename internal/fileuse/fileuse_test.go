package fileuse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/fileuse"
)

// at makes a place whose role is its path.
func at(use fileuse.Use, path string) fileuse.Place {
	return fileuse.Place{Role: path, Use: use, Path: path}
}

func TestCheck(t *testing.T) {
	const (
		reads, lists, writes, replaces, keeps = fileuse.Reads, fileuse.Lists, fileuse.Writes, fileuse.Replaces, fileuse.Keeps
	)
	t.Chdir(t.TempDir())
	for path, text := range map[string]string{"a": "1", "b": "1", "texts/a": "1", "texts/deep/b": "1"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{os.Symlink("a", "link"), os.Symlink("new", "dangling"), os.Link("b", "hard"), os.Symlink("../b", "texts/outside"), os.Symlink("texts", "folder"), os.Link("a", "texts/deep/a")} {
		if err != nil {
			t.Skip(err)
		}
	}
	allowed := at(writes, "./a")
	allowed.Updates = []any{"a"}
	for _, test := range []struct {
		name string
		all  []fileuse.Place
		want string // empty for no conflict
	}{
		{"nothing", nil, ""},
		{"two inputs", []fileuse.Place{at(reads, "a"), at(reads, "a")}, ""},
		{"another file", []fileuse.Place{at(reads, "a"), at(writes, "b")}, ""},
		{"the same", []fileuse.Place{at(reads, "a"), at(writes, "a")}, "a and a are the same file, a"},
		{"another name", []fileuse.Place{at(reads, "a"), at(writes, "./texts/../a")}, "./texts/../a and a are the same file, a"},
		{"a link as output", []fileuse.Place{at(reads, "a"), at(writes, "link")}, "link and a are the same file, a"},
		{"a link as input", []fileuse.Place{at(reads, "link"), at(writes, "a")}, "a and link are the same file, link"},
		{"a hard link", []fileuse.Place{at(writes, "b"), at(reads, "hard")}, "b and hard are the same file, hard"},
		{"what is updated", []fileuse.Place{at(reads, "a"), allowed}, ""},
		{"an input that is not there", []fileuse.Place{at(reads, "new"), at(writes, "new")}, ""},
		{"two outputs", []fileuse.Place{at(writes, "new"), at(writes, "dangling")}, "new and dangling are the same file, dangling"},
		{"a file that a folder has", []fileuse.Place{at(reads, "texts"), at(writes, "texts/a")}, "texts/a and texts are the same file, texts/a"},
		{"a new file in a folder of known files", []fileuse.Place{at(reads, "texts"), at(writes, "texts/new")}, ""},
		{"a new file in a folder of which all is read", []fileuse.Place{at(lists, "texts"), at(writes, "folder/deep/new")},
			"folder/deep/new, folder/deep/new, is in a folder of which all files are read, that of texts: name another place"},
		{"a file to which a link in a folder leads", []fileuse.Place{at(lists, "texts"), at(writes, "b")}, "b and texts are the same file, b"},
		{"a file with another name in a folder", []fileuse.Place{at(lists, "folder/."), at(writes, "a")}, "a and folder/. are the same file, a"},
		{"an input in a folder of results", []fileuse.Place{at(reads, "texts/a"), at(fileuse.Fills, "folder")},
			"texts/a, texts/a, is in the folder of folder, where results are written: name another place"},
		{"an input beside a folder of results", []fileuse.Place{at(reads, "a"), at(fileuse.Fills, "texts/new")}, ""},
		{"a folder of results in one that is read", []fileuse.Place{at(lists, "texts"), at(fileuse.Fills, "texts/new")},
			"texts/new, texts/new, is in a folder of which all files are read, that of texts: name another place"},
		{"an input in a folder that is replaced", []fileuse.Place{at(reads, "texts/a"), at(replaces, "folder")},
			"texts/a, texts/a, is in the folder of folder, which is replaced as a whole: name another place"},
		{"an output in a folder that is replaced", []fileuse.Place{at(writes, "out/x"), at(replaces, "out/")},
			"out/x, out/x, is in the folder of out/, which is replaced as a whole: name another place"},
		{"a cache in a folder that is replaced", []fileuse.Place{at(keeps, "out"), at(replaces, "out/")},
			"out, out, is in the folder of out/, which is replaced as a whole: name another place"},
		{"the input's own folder is replaced", []fileuse.Place{at(reads, "texts"), at(replaces, "folder")}, "folder and texts are the same folder, texts"},
		{"a cache among texts", []fileuse.Place{at(lists, "texts"), at(keeps, "texts")}, "texts and texts are the same folder, texts"},
		{"an output in a cache", []fileuse.Place{at(keeps, "cache"), at(writes, "cache/x")}, ""},
	} {
		got := ""
		if c := fileuse.Check(test.all); c != nil {
			got = fmt.Sprintf(c.Format, c.Args...)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Files that are read, of which there may be very many, are not compared with one another.
func TestManyInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	all := make([]fileuse.Place, 100_000, 100_001)
	for i := range all {
		all[i] = at(fileuse.Reads, "a")
	}
	start := time.Now()
	if c := fileuse.Check(append(all, at(fileuse.Writes, "b"))); c != nil {
		t.Errorf("a conflict: "+c.Format, c.Args...)
	}
	if took := time.Since(start); took > 10*time.Second { // every pair takes half a minute and more
		t.Errorf("took %v", took)
	}
}

// A standard stream is a file like others, if a shell has made it one.
func TestStandardStreams(t *testing.T) {
	t.Chdir(t.TempDir())
	file, err := os.Create("a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stream := func(role string, use fileuse.Use) fileuse.Place {
		return fileuse.Place{Role: role, Use: use, Open: file}
	}
	in, out, said := stream("in", fileuse.Reads), stream("out", fileuse.Writes), stream("said", fileuse.Writes)
	for _, test := range []struct {
		all  []fileuse.Place
		want bool
	}{
		{[]fileuse.Place{in, at(fileuse.Reads, "a")}, false},
		{[]fileuse.Place{in, at(fileuse.Writes, "a")}, true},
		{[]fileuse.Place{out, at(fileuse.Reads, "a")}, true},
		{[]fileuse.Place{out, at(fileuse.Writes, "a")}, true},
		{[]fileuse.Place{out, at(fileuse.Writes, "/dev/stdout")}, false},
		{[]fileuse.Place{in, out}, true},
		{[]fileuse.Place{out, said}, false},
	} {
		if c := fileuse.Check(test.all); (c != nil) != test.want {
			t.Errorf("%v: %v", test.all, c)
		}
	}
}
