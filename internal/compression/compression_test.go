package compression_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/internal/compression"
)

// compressed returns text as NewWriter writes it to a path of that name.
func compressed(t *testing.T, path, text string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := compression.NewWriter(&buf, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// What the program bzip2 makes of texts.
const (
	bzip2Empty = "BZh9\x17rE8P\x90\x00\x00\x00\x00"
	bzip2One   = "BZh91AY&SYx\x13\xc0\x82\x00\x00\x01\xc1\x00\x00\x10\x02\x01\xa0\x00!\x9ah3M\x0c\xbc]\xc9\x14\xe1BA\xe0O\x02\x08"                                                                             // one\n
	bzip2Two   = "BZh91AY&SY.\xb7\x1a\xd7\x00\x00\x01A\x80\x00\x10\x00\x00\x84\x80 \x00!\x9ah3M\x07<]\xc9\x14\xe1B@\xba\xdck\x5c"                                                                              // two\n
	bzip2Bread = "BZh91AY&SY4 U\xc6\x00\x01\x03\x91\x80@\x00>\xa3\x98\x00 \x00p@4\x00\x14\xaa#54\xf6\xa7\x82`\x9d\x89\xa10N\x82r'b|\x13BlN\x84\xfa&\x09\x82lL\x13Bx'\xa2\xeeH\xa7\x0a\x12\x06\x84\x0a\xb8\xc0" // "grain becomes bread " 40 times
)

// What the program xz 5.4.1 makes of texts.
const (
	xzDelta = "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x01\x03\x01\x03\x21\x01\x16\x97\x8f\x71\xfc\x01\x00\x13\x67\x72\x61\x69\x07\xae\x01\xfc\xf5\x4f\x0b\x00\x10\xb1\xf5\x0d\xf2\x41\x02\x98\x00\xa4\x12\x7d\x21\x3b\x4f\xba\xce\x00\x01\x2c\x14\xf8\x0a\x6d\x03\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a"                                                                                                 // grain becomes bread\n, with --delta=dist=4 --lzma2
	xzX86   = "\xfd\x37\x7a\x58\x5a\x00\x00\x0a\xe1\xfb\x0c\xa1\x02\x01\x04\x00\x21\x01\x16\x00\x0d\x86\x35\x1f\x01\x00\x13\x67\x72\x61\x69\x6e\x20\x62\x65\x63\x6f\x6d\x65\x73\x20\x62\x72\x65\x61\x64\x0a\x00\xf2\xc5\xd9\xc8\x61\xc3\x9f\x8f\xb9\x0b\xf1\xb9\x48\xf0\x5b\xc6\x31\x46\x11\xfe\x78\x7c\x2a\xc7\x49\x6d\x9a\x39\x6d\xa9\x37\x39\x00\x01\x44\x14\x57\xeb\x49\xae\x18\x9b\x4b\x9a\x01\x00\x00\x00\x00\x0a\x59\x5a" // grain becomes bread\n, with --x86 --lzma2 --check=sha256
	xzEmpty = "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x00\x00\x00\x00\x1c\xdf\x44\x21\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a"
	xzOne   = "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\x01\x00\x03\x6f\x6e\x65\x0a\x00\xf5\x5c\xbb\x56\x1f\xc6\xfd\x86\x00\x01\x1c\x04\x6f\x2c\x9c\xc1\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 // one\n
	xzTwo   = "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\x01\x00\x03\x74\x77\x6f\x0a\x00\x65\x06\xd6\xff\xc4\xc0\xf9\x3a\x00\x01\x1c\x04\x6f\x2c\x9c\xc1\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 // two\n
	xzBread = "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\xe0\x01\x2b\x00\x1c\x5d\x00\x33\x9c\x88\x46\x32\x39\xa2\x6c\x4c\x69\xb7\x60\x11\xf4\x3d\x63\x9e\x88\x34\x72\xdc\x9b\xc3\xd4\xf5\x82\x00\x00\x00\x8f\x9b\xc7\x13\x49\xd7\xba\x30\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\xe0\x01\x2b\x00\x1c\x5d\x00\x33\x9c\x88\x46\x32\x39\xa2\x6c\x4c\x69\xb7\x60\x11\xf4\x3d\x63\x9e\x88\x34\x72\xdc\x9b\xc3\xd4\xf5\x82\x00\x00\x00\x8f\x9b\xc7\x13\x49\xd7\xba\x30\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\xe0\x00\xc7\x00\x1b\x5d\x00\x33\x9c\x88\x46\x32\x39\xa2\x6c\x4c\x69\xb7\x60\x11\xf4\x3d\x63\x9e\x88\x34\x72\xdc\x52\xc3\xc4\xd0\x00\x00\x00\x00\x28\xc9\x91\xea\xe5\x9e\x21\x24\x00\x03\x38\xac\x02\x38\xac\x02\x37\xc8\x01\x00\x46\x4b\x6f\xbd\x14\x17\x3b\x30\x03\x00\x00\x00\x00\x04\x59\x5a" // "grain becomes bread " 40 times, with --block-size=300
	xzLarge = "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x20\x00\x00\x00\x09\x88\xa5\x76\x01\x00\x03\x6f\x6e\x65\x0a\x00\xf5\x5c\xbb\x56\x1f\xc6\xfd\x86\x00\x01\x1c\x04\x6f\x2c\x9c\xc1\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 // one\n, with --lzma2=dict=256MiB
)

func TestReader(t *testing.T) {
	long := strings.Repeat("the café of 日本語\n", 50000)
	tests := []struct {
		name string
		in   []byte
		kind compression.Kind
		want string
	}{
		{"empty", nil, compression.Plain, ""},
		{"one byte", []byte("a"), compression.Plain, "a"},
		{"one byte of the gzip magic", []byte("\x1f"), compression.Plain, "\x1f"},
		{"plain", []byte(long), compression.Plain, long},
		{"gzip", compressed(t, "x.gz", long), compression.Gzip, long},
		{"gzip of nothing", compressed(t, "x.gz", ""), compression.Gzip, ""},
		{"gzip members", append(compressed(t, "x.gz", "one\n"), compressed(t, "x.gz", "two\n")...), compression.Gzip, "one\ntwo\n"},
		{"gzip with zeros behind it", append(compressed(t, "x.gz", "one\n"), make([]byte, 10_000)...), compression.Gzip, "one\n"},
		{"gzip members with zeros between them", append(append(compressed(t, "x.gz", "one\n"), 0), compressed(t, "x.gz", "two\n")...), compression.Gzip, "one\ntwo\n"},
		{"xz with differences", []byte(xzDelta), compression.XZ, "grain becomes bread\n"},
		{"xz of a program", []byte(xzX86), compression.XZ, "grain becomes bread\n"},
		{"zstd", compressed(t, "x.zst", long), compression.Zstd, long},
		{"zstd frames", append(compressed(t, "x.zst", "one\n"), compressed(t, "x.zst", "two\n")...), compression.Zstd, "one\ntwo\n"},
		{
			"zstd after a skippable frame",
			append([]byte("\x53\x2a\x4d\x18\x03\x00\x00\x00abc"), compressed(t, "x.zst", "one\n")...),
			compression.Zstd, "one\n",
		},
		{"bzip2", []byte(bzip2One), compression.Bzip2, "one\n"},
		{"bzip2 of nothing", []byte(bzip2Empty), compression.Bzip2, ""},
		{"bzip2 streams", []byte(bzip2One + bzip2Empty + bzip2Two), compression.Bzip2, "one\ntwo\n"},
		{"xz", []byte(xzOne), compression.XZ, "one\n"},
		{"xz of nothing", []byte(xzEmpty), compression.XZ, ""},
		{"xz of several blocks", []byte(xzBread), compression.XZ, strings.Repeat("grain becomes bread ", 40)},
		{"xz streams with padding", []byte(xzOne + "\x00\x00\x00\x00" + xzEmpty + xzTwo + "\x00\x00\x00\x00"), compression.XZ, "one\ntwo\n"},
		{"a text that begins as bzip2 does", []byte("BZh9 is a name"), compression.Plain, "BZh9 is a name"},
	}
	for _, tt := range tests {
		for how, r := range map[string]io.Reader{
			"at once":        bytes.NewReader(tt.in),
			"byte by byte":   iotest.OneByteReader(bytes.NewReader(tt.in)),
			"data and error": iotest.DataErrReader(bytes.NewReader(tt.in)),
		} {
			t.Run(tt.name+"/"+how, func(t *testing.T) {
				rc, kind, err := compression.NewReader(r)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(rc)
				if err != nil {
					t.Fatal(err)
				}
				if kind != tt.kind || string(got) != tt.want {
					t.Errorf("got %v, %d bytes; want %v, %d bytes", kind, len(got), tt.kind, len(tt.want))
				}
				if err := rc.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Every prefix of a compressed stream is an error, never a shorter text.
func TestReaderTruncated(t *testing.T) {
	for _, test := range []struct {
		whole []byte
		first int // the least length that says which compression it is
	}{
		{compressed(t, "x.gz", strings.Repeat("grain becomes bread ", 40)), 4},
		{compressed(t, "x.zst", strings.Repeat("grain becomes bread ", 40)), 4},
		{[]byte(bzip2Bread), 10},
		{[]byte(xzBread), 6},
	} {
		for n := test.first; n < len(test.whole); n++ {
			rc, kind, err := compression.NewReader(bytes.NewReader(test.whole[:n]))
			if err == nil {
				_, err = io.ReadAll(rc)
				_ = rc.Close()
			}
			if err == nil {
				t.Fatalf("%v cut to %d of %d bytes: no error", kind, n, len(test.whole))
			}
			if want := "the " + kind.String() + " data is "; !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v cut to %d bytes: %q does not begin with %q", kind, n, err, want)
			}
		}
	}
}

func TestReaderCorrupt(t *testing.T) {
	for _, whole := range [][]byte{
		compressed(t, "x.gz", strings.Repeat("grain becomes bread ", 40)),
		compressed(t, "x.zst", strings.Repeat("grain becomes bread ", 40)),
		[]byte(bzip2Bread),
		[]byte(xzBread),
	} {
		whole[len(whole)-5] ^= 0x55 // within the checksum, or the block before it
		rc, kind, err := compression.NewReader(bytes.NewReader(whole))
		if err == nil {
			_, err = io.ReadAll(rc)
		}
		if err == nil {
			t.Errorf("%v: no error", kind)
		}
	}
}

func TestReaderPassesErrorsOn(t *testing.T) {
	broken := errors.New("the disk is on fire")
	if _, _, err := compression.NewReader(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// A stream that cannot be read is not called corrupt, and an error says how much was read before.
func TestReaderSaysWhatFailed(t *testing.T) {
	broken := errors.New("the disk is on fire")
	bread := strings.Repeat("grain becomes bread ", 40)
	twice := append(compressed(t, "x.gz", bread), compressed(t, "x.gz", bread)...)
	for _, tt := range []struct {
		name string
		in   io.Reader
		want string
	}{
		{"gzip on a broken disk", io.MultiReader(bytes.NewReader(twice[:20]), iotest.ErrReader(broken)), "the disk is on fire"},
		{"zstd on a broken disk", io.MultiReader(bytes.NewReader(compressed(t, "x.zst", bread)[:12]), iotest.ErrReader(broken)), "the disk is on fire"},
		{"xz on a broken disk", io.MultiReader(strings.NewReader(xzBread[:100]), iotest.ErrReader(broken)), "the disk is on fire"},
		{"bzip2 on a broken disk", io.MultiReader(strings.NewReader(bzip2Bread[:40]), iotest.ErrReader(broken)), "the disk is on fire"},
		{"gzip with zeros and something else behind it", bytes.NewReader(append(compressed(t, "x.gz", bread), "\x00\x00something else"...)), "the gzip data is corrupt after 800 bytes of its content: gzip: invalid header"},
		{"second gzip member cut short", bytes.NewReader(twice[:len(twice)-9]), "the gzip data is cut short after 1600 bytes of its content: unexpected EOF"},
		{"xz with garbage behind it", strings.NewReader(xzOne + "garbage, and more"), "the xz data is corrupt after 4 bytes of its content: xz: file format not recognized"},
		{"xz that takes much memory", strings.NewReader(xzLarge), "the xz data is not readable: compress it again with less memory: it asks for a dictionary of more than 128 MB"},
	} {
		rc, _, err := compression.NewReader(tt.in)
		if err == nil {
			_, err = io.ReadAll(rc)
			_ = rc.Close()
		}
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Whatever the bytes are, reading ends with the content or an error.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{xzDelta, xzX86, xzEmpty, xzBread, xzOne + xzTwo, xzLarge, bzip2Bread, "plain"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		rc, kind, err := compression.NewReader(bytes.NewReader(in))
		if err != nil {
			return
		}
		content, err := io.ReadAll(io.LimitReader(rc, 1<<24))
		if kind == compression.Plain && (err != nil || !bytes.Equal(content, in)) {
			t.Errorf("%d bytes of plain content of %d, %v", len(content), len(in), err)
		}
		if err := rc.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestSplitExt(t *testing.T) {
	tests := []struct {
		path, stem string
		kind       compression.Kind
	}{
		{"a.vec", "a.vec", compression.Plain},
		{"a.vec.gz", "a.vec", compression.Gzip},
		{"dir.gz/a.vec.zst", "dir.gz/a.vec", compression.Zstd},
		{"dir.gz/a", "dir.gz/a", compression.Plain},
		{"a.vec.bz2", "a.vec.bz2", compression.Plain}, // is not written
	}
	for _, tt := range tests {
		if stem, kind := compression.SplitExt(tt.path); stem != tt.stem || kind != tt.kind {
			t.Errorf("SplitExt(%q) = %q, %v; want %q, %v", tt.path, stem, kind, tt.stem, tt.kind)
		}
	}
}

// However the bytes come, they are compressed to the same.
func TestWriterIsDeterministic(t *testing.T) {
	text := []byte(strings.Repeat("grain becomes bread ", 50_000))
	for _, path := range []string{"x.gz", "x.zst", "x"} {
		want := compressed(t, path, string(text))
		for _, chunk := range []int{999, 1 << 17} {
			var buf bytes.Buffer
			w, err := compression.NewWriter(&buf, path)
			if err != nil {
				t.Fatal(err)
			}
			for part := range slices.Chunk(text, chunk) {
				if _, err := w.Write(part); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(buf.Bytes(), want) {
				t.Errorf("%s: other bytes when written %d at a time", path, chunk)
			}
		}
	}
}

// A Zstandard frame may claim that its window takes as much as the zstd program would
// give it, and no more: of a larger one, or one of 10 GB, nothing is allocated.
func TestNoSizeIsBelieved(t *testing.T) {
	const magic = "\x28\xb5\x2f\xfd"
	block := "\x51\x00\x00abcdefghij"
	for name, frame := range map[string]string{
		"window of 256 MB":          magic + "\x00\x90" + block,
		"window of 16 GB":           magic + "\x00\xc0" + block,
		"one segment of 10 GB":      magic + "\xe0\x00\xe4\x0b\x54\x02\x00\x00\x00" + block,
		"one segment of 16 EB":      magic + "\xe0\xff\xff\xff\xff\xff\xff\xff\xff" + block,
		"a skippable frame of 4 GB": "\x50\x2a\x4d\x18\xff\xff\xff\xff" + "abc",
		"a name without end":        "\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff" + strings.Repeat("x", 100),
		"an extra field of 64 KB":   "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\xff\xff" + "abc",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rc, _, err := compression.NewReader(strings.NewReader(frame))
		if err == nil {
			_, err = io.Copy(io.Discard, rc)
			if err := rc.Close(); err != nil {
				t.Error(err)
			}
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; err == nil || n > 3<<20 {
			t.Errorf("%s: %d bytes allocated, %v", name, n, err)
		}
	}
}
