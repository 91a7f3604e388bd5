package corpus

import (
	"context"
	"fmt"
	"io"
)

// stream reads from a source that may keep its reader waiting, such as a terminal or a pipe,
// and gives up when the context ends. It opens the source at the first read, because opening
// a named pipe may wait too.
type stream struct {
	ctx     context.Context
	open    func() (io.ReadCloser, error)
	size    int         // of the buffer
	asked   chan []byte // buffers to fill; nil until the first read
	filled  chan result
	pending result // what was read from the source and not yet handed to the caller
	buf     []byte // holds pending; nil during a read of the source, which may never end
}

// result is the result of one read of the source.
type result struct {
	data []byte
	err  error
}

func newStream(ctx context.Context, size int, open func() (io.ReadCloser, error)) *stream {
	return &stream{ctx: ctx, size: size, open: open}
}

func (s *stream) Read(p []byte) (int, error) {
	if len(s.pending.data) == 0 && s.pending.err == nil {
		if s.asked == nil {
			s.asked, s.filled = make(chan []byte), make(chan result)
			go s.serve()
		}
		buf := s.buf
		if s.buf = nil; buf == nil {
			buf = make([]byte, s.size)
		}
		select {
		case s.asked <- buf:
		case <-s.ctx.Done():
			return 0, s.ctx.Err()
		}
		select {
		case s.pending = <-s.filled:
			s.buf = buf
		case <-s.ctx.Done():
			return 0, s.ctx.Err()
		}
	}
	n := copy(p, s.pending.data)
	s.pending.data = s.pending.data[n:]
	if len(s.pending.data) == 0 && s.pending.err != nil {
		return n, s.pending.err
	}
	return n, nil
}

// serve reads the source whenever it is asked to, until the stream is closed or the context
// ends. A read that never returns keeps only its goroutine.
func (s *stream) serve() {
	src, err := s.open()
	if err == nil {
		defer src.Close()
	}
	for {
		var buf []byte
		select {
		case buf = <-s.asked:
		case <-s.ctx.Done():
			return
		}
		if buf == nil {
			return
		}
		n := 0
		if err == nil {
			n, err = readSafely(src, buf)
		}
		select {
		case s.filled <- result{buf[:n], err}:
		case <-s.ctx.Done():
			return
		}
	}
}

// readSafely reads from a caller's reader and turns a panic into an error. It runs in a
// goroutine of its own, in which the caller could not recover.
func readSafely(src io.Reader, buf []byte) (n int, err error) {
	defer func() {
		if p := recover(); p != nil {
			n, err = 0, fmt.Errorf("its reader panicked: %v", p)
		}
	}()
	n, err = src.Read(buf)
	if n < 0 || n > len(buf) {
		return 0, fmt.Errorf("its reader says that it read %d bytes into %d", n, len(buf))
	}
	return n, err
}

// Close ends the reading goroutine, unless it is waiting for its source.
func (s *stream) Close() error {
	if s.asked != nil {
		close(s.asked)
	}
	return nil
}
