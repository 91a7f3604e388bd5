package models

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors/format"
)

// noteMemory says that a file has to be read into memory because it cannot be mapped, and about
// how much memory that takes. It is an error if the process cannot have as much.
func (o Options) noteMemory(s Source) error {
	e, err := estimateMemory(s.Path)
	if err != nil || e.reason == "" {
		return err
	}
	limit, why := sysinfo.MemoryLimit()
	if limit > 0 && e.bytes/4*3 > limit { // the estimate may be a quarter too large
		return fmt.Errorf("%s: %s, and reading it into memory takes about %s: %s is %s", s.Path, e.reason, megabytes(e.bytes), why, megabytes(limit))
	}
	o.note(fmt.Sprintf("%s: %s, so all of it is read into memory: about %s; a file of the format %s would be mapped", s.Path, e.reason, megabytes(e.bytes), format.W2V))
	return nil
}

func (o Options) note(text string) {
	if o.Note != nil {
		o.Note(text)
	}
}

func megabytes(bytes uint64) string { return fmt.Sprintf("%d MB", (bytes+999_999)/1e6) }

// An estimate says what reading a model takes.
type estimate struct {
	reason string // why it cannot be mapped; empty if it can
	bytes  uint64
}

// sampleBytes is how much of a file an estimate looks at.
const sampleBytes = 1 << 20

// estimateMemory looks at the beginning of a file, and at its size. Of one that can be mapped it
// estimates nothing.
func estimateMemory(path string) (estimate, error) {
	f, err := format.Detect(path)
	if err != nil {
		return estimate{}, err
	}
	can, err := format.Describe(f)
	if err != nil {
		return estimate{}, err
	}
	files, err := filesOf(path)
	if err != nil {
		return estimate{}, err
	}
	var e estimate
	for _, file := range files {
		if err := e.add(file, can); err != nil {
			return estimate{}, err
		}
	}
	return e, nil
}

// filesOf returns a file, or the files of a folder.
func filesOf(path string) (files []string, err error) {
	err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && (entry.Type().IsRegular() || file == path && !entry.IsDir()) {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

// add adds what a file takes, unless it is mapped.
func (e *estimate) add(path string, can format.Capabilities) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	counted := &counter{in: in}
	plain, kind, err := compression.NewReader(counted)
	if err != nil {
		return err
	}
	defer plain.Close()
	sample, err := io.ReadAll(io.LimitReader(plain, sampleBytes))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: %w", path, err)
	}
	size := float64(info.Size())
	switch {
	case kind != compression.Plain:
		e.reason = cmp.Or(e.reason, "what is compressed cannot be mapped")
		size *= float64(len(sample)) / float64(max(counted.n, 1))
	case can.Map:
		return nil
	default:
		e.reason = cmp.Or(e.reason, fmt.Sprintf("the format %s cannot be mapped", can.Format))
	}
	e.bytes += uint64(size * ofText(sample))
	return nil
}

// ofText returns how much memory numbers in decimal take, by how much the text does; 1 for what
// is no text.
func ofText(sample []byte) float64 {
	lines, numbers, words := 0, 0, 0
	in := bufio.NewScanner(bytes.NewReader(sample))
	in.Buffer(nil, len(sample)+1)
	for in.Scan() {
		fields := bytes.Fields(in.Bytes())
		if len(fields) < 3 { // the header
			continue
		}
		lines, numbers, words = lines+1, numbers+len(fields)-1, words+len(fields[0])
		if bytes.IndexByte(in.Bytes(), 0) >= 0 {
			return 1
		}
	}
	if lines == 0 || len(sample) == 0 {
		return 1
	}
	const wordBytes = 24 // of tables that find a word
	return float64(4*numbers+words+wordBytes*lines) / float64(len(sample))
}

// A counter counts what is read.
type counter struct {
	in io.Reader
	n  int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}
