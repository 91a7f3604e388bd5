package models

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/query"
)

// A Model is an open file with vectors. Its fields do not change.
type Model struct {
	Name   string // as in requests
	Path   string // of its file or folder
	Set    *vectors.Set
	Words  *query.Finder // by the rule of the registry's options
	Loaded time.Time

	users  atomic.Int64 // users, plus one for the registry
	failed atomic.Pointer[error]

	context context.Context
	retire  context.CancelFunc

	mu       sync.Mutex
	attached map[any]*attachment
	order    []*attachment // in order of creation
}

// open opens the file of a source, and checks its sizes and the options' requirements.
func (o Options) open(s Source) (*Model, error) {
	if err := o.noteMemory(s); err != nil {
		return nil, err
	}
	set, err := format.Open(s.Path)
	if err != nil {
		return nil, err
	}
	for _, note := range set.Notes() {
		o.note(s.Path + ": " + note)
	}
	words, err := query.New(set, o.Case)
	if err == nil && set.Len() == 0 {
		err = errors.New("the model has no list of words to answer with, only n-grams")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, errors.Join(err, set.Close()))
	}
	m := &Model{Name: s.Name, Path: s.Path, Set: set, Words: words, Loaded: time.Now(), attached: make(map[any]*attachment)}
	m.context, m.retire = context.WithCancel(context.Background())
	m.users.Store(1)
	if err := m.remember(s.Path); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, errors.Join(err, set.Close()))
	}
	if o.Check == nil {
		return m, nil
	}
	if err := o.Check(m); err != nil {
		m.end()
		return nil, err
	}
	return m, nil
}

// rememberAtOnce is the size of a model in bytes up to which its file is remembered before it is
// served. A larger file is served at once, and is remembered in the background.
const rememberAtOnce = 64 << 20

// remember makes the set identify its file by content, so that touching the file does not end the
// service.
func (m *Model) remember(path string) error {
	files, err := filesOf(path)
	if err != nil {
		return err
	}
	var size int64
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			size += info.Size()
		}
	}
	if size <= rememberAtOnce {
		return m.Set.Remember(m.context)
	}
	m.users.Add(1)
	go func() {
		defer m.Release()
		_ = m.Set.Remember(m.context) // on failure, a touched file counts as changed
	}()
	return nil
}

// Release ends a use of the model. The last release closes what is attached, and then the file.
func (m *Model) Release() {
	switch users := m.users.Add(-1); {
	case users > 0:
		return
	case users < 0:
		panic("models: Release without Use")
	}
	m.mu.Lock()
	order := m.order
	m.mu.Unlock()
	for i := len(order) - 1; i >= 0; i-- {
		if c, ok := order[i].value.(io.Closer); ok {
			_ = c.Close() // nobody to report to
		}
	}
	_ = m.Set.Close() // likewise
}

func (m *Model) end() {
	m.retire()
	m.Release()
}

// Context ends when the model is replaced, or the registry is closed. Work in the background should stop
// then, and release the model.
func (m *Model) Context() context.Context { return m.context }

// Read calls read, which copies what it needs from the model, and returns its error. If the file was changed
// in place meanwhile, Read returns an *UnavailableError, now and on all later calls. While the file is
// being checked for changes, Read returns such an error for the time being. Send nothing of what read copied before
// Read has returned nil: see vectors.Set.Guard.
func (m *Model) Read(read func() error) error {
	err := m.Set.Guard(read)
	if errors.Is(err, vectors.ErrUnsure) {
		return &UnavailableError{Name: m.Name, Err: err}
	}
	if errors.Is(err, vectors.ErrChanged) || m.Set.Err() != nil {
		m.failed.CompareAndSwap(nil, &err)
		return &UnavailableError{Name: m.Name, Err: err}
	}
	return err
}

// Err returns the change of the file that Read has found, or nil.
func (m *Model) Err() error {
	if err := m.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// An attachment is a value that belongs to a model while the model is open.
type attachment struct {
	once  sync.Once
	value any
	err   error
}

// errAttach is the error for callers of Attach whose value could not be made because making it
// panicked.
var errAttach = errors.New("models: what belongs to the model could not be made")

// Attach returns the value that belongs to a model by a key. The first call makes the value; others
// wait for it. If the value has a method Close() error, the last release of the model calls it. Errors are kept,
// too, except vectors.ErrUnsure.
func Attach[T any](m *Model, key any, attach func(*Model) (T, error)) (T, error) {
	m.mu.Lock()
	a := m.attached[key]
	if a == nil {
		a = new(attachment)
		m.attached[key] = a
		m.order = append(m.order, a)
	}
	m.mu.Unlock()
	a.once.Do(func() {
		a.err = errAttach // if attach panics
		a.value, a.err = attach(m)
	})
	if errors.Is(a.err, vectors.ErrUnsure) {
		m.mu.Lock()
		if m.attached[key] == a {
			delete(m.attached, key)
		}
		m.mu.Unlock()
	}
	value, _ := a.value.(T) // the zero value after an error
	return value, a.err
}

// noteMemory notes that a file must be read into memory because it cannot be mapped, and the
// approximate size. It returns an error if the process cannot have this memory.
func (o Options) noteMemory(s Source) error {
	e, err := estimateMemory(s.Path)
	if err != nil || e.reason == "" {
		return err
	}
	limit, why := sysinfo.MemoryLimit()
	if limit > 0 && e.bytes/4*3 > limit { // the estimate may be a quarter too high
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

type estimate struct {
	reason string // why the file cannot be mapped; empty if it can be
	bytes  uint64
}

// sampleBytes is how much of a file an estimate reads.
const sampleBytes = 1 << 20

// estimateMemory estimates from the beginning of a file and its size. It estimates nothing for a
// file that can be mapped.
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

// filesOf returns the file, or the files of a folder.
func filesOf(path string) (files []string, err error) {
	err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && (entry.Type().IsRegular() || file == path && !entry.IsDir()) {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

// add adds the memory of a file, unless it is mapped.
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

// ofText returns the ratio of memory to text for decimal numbers, or 1 if the file is not text.
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
	const wordBytes = 24 // per word, in tables that find words
	return float64(4*numbers+words+wordBytes*lines) / float64(len(sample))
}

type counter struct {
	in io.Reader
	n  int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}
