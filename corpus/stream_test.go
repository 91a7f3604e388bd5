package corpus

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// pipe gives as much at a time as a pipe holds.
type pipe struct {
	text []byte
	left int
}

func (p *pipe) Read(b []byte) (int, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	n := min(len(b), p.left, 1<<16)
	copy(b[:n], p.text)
	p.left -= n
	return n, nil
}

func newPipe(size int) *pipe {
	text := []byte(strings.Repeat("some words in a line of text\n", 1<<16/29+1))
	return &pipe{text, size}
}

// tokensOf reads all tokens of a stream.
func tokensOfPipe(t testing.TB, r io.Reader) (n int) {
	t.Helper()
	shards, err := Stream("a pipe", r, Options{}).Shards(1)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := shards[0].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tokens.Close()
	for {
		token, err := tokens.Next()
		switch {
		case errors.Is(err, io.EOF):
			return n
		case err != nil:
			t.Fatal(err)
		case len(token) > 0:
			n++
		}
	}
}

func BenchmarkPipe(b *testing.B) {
	const size = 16 << 20
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		tokensOfPipe(b, newPipe(size))
	}
}

// However much is read from a pipe, its buffers are made once.
func TestPipeReusesItsBuffer(t *testing.T) {
	var bytes [2]uint64
	for i, size := range []int{1 << 20, 32 << 20} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tokensOfPipe(t, newPipe(size))
		runtime.ReadMemStats(&after)
		bytes[i] = after.TotalAlloc - before.TotalAlloc
	}
	if few, many := bytes[0], bytes[1]; many > few+1<<20 {
		t.Errorf("1 MiB takes %d bytes and 32 MiB %d: buffers are not reused", few, many)
	}
}

// A reader that is given up in the middle of a read leaves its buffer to that.
func TestStreamAfterItsContext(t *testing.T) {
	begun, released := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	s := newStream(ctx, bufferSize, func(context.Context) (io.ReadCloser, error) {
		first := true
		return io.NopCloser(readerFunc(func(p []byte) (int, error) {
			if first {
				first = false
				return copy(p, "first"), nil
			}
			close(begun)
			<-released
			for i := range p {
				p[i] = 'x'
			}
			return len(p), nil
		})), nil
	})
	defer s.Close()
	p := make([]byte, 16)
	if n, err := s.Read(p); string(p[:n]) != "first" || err != nil {
		t.Fatalf("%q, %v", p[:n], err)
	}
	go func() { <-begun; cancel() }()
	if n, err := s.Read(p); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes, %v", n, err)
	}
	close(released)
	if n, err := s.Read(p); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// A reader that panics does so in a goroutine that nobody else could recover from. It is
// an error of the reading.
func TestReaderThatPanics(t *testing.T) {
	r := io.MultiReader(strings.NewReader("a b "), readerFunc(func([]byte) (int, error) { panic("out of paper") }))
	shards, err := Stream("a printer", iotest.OneByteReader(r), Options{}).Shards(1)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := shards[0].Open(t.Context())
	for err == nil {
		_, err = tokens.Next()
	}
	if want := "a printer: its reader panicked: out of paper"; err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
