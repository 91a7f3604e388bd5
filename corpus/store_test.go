package corpus_test

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/corpus"
)

// fakeAWS answers as aws does of objects in the folder $OBJECTS, and fails at the first try as $FAULT says.
const fakeAWS = `#!/bin/sh
echo "$@" >>"$OBJECTS.log"
case "$1 $2" in
"s3api list-objects-v2")
	case $FAULT in
	denied) echo "An error occurred (AccessDenied) when calling the ListObjectsV2 operation: Access Denied" >&2; exit 254 ;;
	late*) sleep 0.3 ;;
	unlisted) echo "Could not connect to the endpoint" >&2; exit 255 ;;
	esac
	cat "$OBJECTS.json"; exit ;;
"s3api head-object") echo "${CIPHER:-AES256}	None"; exit ;;
esac
file="$OBJECTS/${4#s3://bucket/}"
size=$(wc -c <"$file")
if [ -n "$FAULT" ] && { [ ! -e "$OBJECTS.failed" ] || [ "$FAULT" = "short for ever" ]; }; then
	: >"$OBJECTS.failed"
	case $FAULT in
	short*) head -c $((size / 2)) "$file"; exit ;;
	middle) head -c $((size / 2)) "$file"; echo "fatal error: the connection was reset" >&2; exit 1 ;;
	other) tr a b <"$file" | head -c $((size / 2)); exit 1 ;;
	gone) echo "fatal error: An error occurred (404) when calling the HeadObject operation: Key does not exist" >&2; exit 1 ;;
	late) head -c 100 "$file"; sleep 0.3; tail -c +101 "$file"; exit ;;
	slow) head -c 100 "$file"; sleep 0.3; tail -c +101 "$file"; exit ;;
	esac
fi
cat "$file"
`

func fakeStore(t *testing.T, objects map[string]string, tag func(text string) string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the command in this test is a script of sh")
	}
	folder := t.TempDir()
	write := func(path, text string, mode os.FileMode) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), mode)); err != nil {
			t.Fatal(err)
		}
	}
	var list []string
	for key, text := range objects {
		write(filepath.Join(folder, "objects", key), text, 0o666)
		list = append(list, fmt.Sprintf(`{"Key":%q,"Size":%d,"ETag":"\"%s\""}`, key, len(text), tag(text)))
	}
	write(filepath.Join(folder, "objects.json"), "["+strings.Join(list, ",")+"]", 0o666)
	write(filepath.Join(folder, "bin", "aws"), fakeAWS, 0o777)
	t.Setenv("PATH", filepath.Join(folder, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("OBJECTS", filepath.Join(folder, "objects"))
	corpus.SetStorePause(t, time.Millisecond)
}

func textOf(names ...string) (string, error) {
	src, err := corpus.Files(names, strings.NewReader(""), corpus.Options{})
	if err != nil {
		return "", err
	}
	all := ""
	for i := range src.Inputs() {
		r, err := src.Open(context.Background(), i)
		if err != nil {
			return all, err
		}
		text, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil {
			return all, err
		}
		all += string(text)
	}
	return all, nil
}

func TestObjectsOfStores(t *testing.T) {
	md5Of := func(text string) string { return fmt.Sprintf("%x", md5.Sum([]byte(text))) }
	first, second := strings.Repeat("a cat sat\n", 20_000), "a dog ran\n"
	objects := map[string]string{"logs/1.txt": first, "logs/2.txt": second, "logs/_SUCCESS": "", "logs/.part": "x", "other": "z\n"}
	for _, test := range []struct {
		name, fault, want, err string
		tag                    func(string) string
		cipher                 string
	}{
		{"s3://bucket/logs/*.txt", "", first + second, "", md5Of, ""},
		{"s3://bucket/logs", "", first + second, "", md5Of, ""},
		{"s3://bucket/logs/", "middle", first + second, "", md5Of, ""},
		{"s3://bucket/logs/1.txt", "short", first, "", md5Of, ""},
		{"s3://bucket/logs/1.txt", "slow", first, "", md5Of, ""},
		{"s3://bucket/logs/1.txt", "short for ever", "", "aws has written 100000 of the 200000 bytes", md5Of, ""},
		{"s3://bucket/logs/1.txt", "other", "", "other text than when it was first read", md5Of, ""},
		{"s3://bucket/other", "", "", "its MD5 is", func(string) string { return md5Of("y") }, ""},
		{"s3://bucket/other", "", "z\n", "", func(string) string { return md5Of("y") }, "aws:kms"},
		{"s3://bucket/none*", "", "", "no object has or matches this name", md5Of, ""},
		{"s3://", "", "", "a bucket is missing", md5Of, ""},
		{"https://example.org/text.gz", "", "", "curl -sSLf 'https://example.org/text.gz' | w2v", md5Of, ""},
	} {
		t.Run(test.name+" "+test.fault, func(t *testing.T) {
			fakeStore(t, objects, test.tag)
			t.Setenv("FAULT", test.fault)
			t.Setenv("CIPHER", test.cipher)
			text, err := textOf(test.name)
			switch {
			case test.err == "" && (err != nil || text != test.want):
				t.Errorf("%d bytes of %d, %v", len(text), len(test.want), err)
			case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
				t.Errorf("%v, want %q", err, test.err)
			}
		})
	}
	// What is for good is not tried again, and a pause ends with the context.
	for fault, want := range map[string]string{"denied": "Access Denied", "gone": "Key does not exist", "unlisted": "context deadline exceeded"} {
		t.Run(fault, func(t *testing.T) {
			fakeStore(t, objects, md5Of)
			corpus.SetStorePause(t, time.Hour)
			t.Setenv("FAULT", fault)
			limit := 30 * time.Second
			if fault == "unlisted" {
				limit = 200 * time.Millisecond
			}
			ctx, stop := context.WithTimeout(t.Context(), limit)
			defer stop()
			src, err := corpus.FilesContext(ctx, []string{"s3://bucket/other"}, nil, corpus.Options{})
			if err == nil {
				_, err = src.Open(ctx, 0)
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	t.Run("no command", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		for _, name := range []string{"s3://b/x", "gs://b/x", "hdfs://b/x"} {
			if _, err := textOf(name); err == nil || !strings.Contains(err.Error(), "there is no command") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// Somebody who waits for a store hears of it, and how much has come.
func TestWaitsForStores(t *testing.T) {
	fakeStore(t, map[string]string{"x": strings.Repeat("a cat sat\n", 100)}, func(string) string { return "1" })
	t.Setenv("FAULT", "late")
	corpus.SetStoreSilence(t, 100*time.Millisecond)
	said := make(chan corpus.Wait, 100)
	ctx := corpus.WithWaits(t.Context(), func(w corpus.Wait) { said <- w })
	src, err := corpus.FilesContext(ctx, []string{"s3://bucket/*"}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := <-said; !w.Listing || !strings.HasPrefix(w.String(), "s3://bucket/*: its objects are not listed after ") {
		t.Error(w)
	}
	r, err := src.Open(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); errors.Join(err, r.Close()) != nil {
		t.Fatal(err)
	}
	told := false
	for len(said) > 0 {
		w := <-said
		told = told || strings.HasPrefix(w.String(), "s3://bucket/x: nothing has come for ") && strings.HasSuffix(w.String(), ", after 100 of 1,000 bytes")
	}
	if !told {
		t.Error("nobody was told")
	}
}

// A kept cache is that of an object as long as its tag is the same.
func TestStateOfObjects(t *testing.T) {
	state := func(tag string) corpus.State {
		fakeStore(t, map[string]string{"x": "a b\n"}, func(string) string { return tag })
		src, err := corpus.Files([]string{"s3://bucket/x"}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, ok := src.State()
		if !ok {
			t.Fatal("no state")
		}
		return s.Summed()
	}
	a := state("1")
	if d := state("1").Differs(a); d != "" {
		t.Error(d)
	}
	if d := state("2").Differs(a); !strings.Contains(d, "s3://bucket/x may have been replaced") {
		t.Error(d)
	}
}

// Other stores print lists of other forms.
func TestListsOfStores(t *testing.T) {
	for scheme, text := range map[string]string{
		"gs": "      4  2024-05-01T10:00:00Z  gs://bucket/logs/1.txt\nTOTAL: 1 objects, 4 bytes (4 B)\n",
		"hdfs": "Found 2 items\ndrwxr-xr-x   - u g          0 2024-05-01 10:00 hdfs://bucket/logs/old\n" +
			"-rw-r--r--   3 u g          4 2024-05-01 10:00 hdfs://bucket/logs/1.txt\n",
	} {
		if got, err := corpus.ListOfStore(scheme, text); err != nil || got != "logs/1.txt 4 true" {
			t.Errorf("%s: %q, %v", scheme, got, err)
		}
	}
}
