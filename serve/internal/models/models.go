// Package models keeps the models of a server open while requests use them.
//
// A Model is one file as it was when it was opened. A Registry has one Model for each name, and Reload
// replaces it. The old one stays open until its last user releases it, so no request loses the rows that
// it reads.
package models

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/query"
)

// A Source is a file or folder with a model, and the name that requests call it by.
type Source struct{ Name, Path string }

// A Registry has the models of a server. Several goroutines may use it.
type Registry struct {
	entries []*entry // in the order of the sources
	options Options
}

type entry struct {
	source    Source
	reloading sync.Mutex // held by the one that opens a new model

	mu      sync.RWMutex
	current *Model // nil after Close
}

// Open opens all sources. It fails if two have the same name, or if one cannot be opened.
func Open(sources []Source, o Options) (*Registry, error) {
	g := &Registry{options: o}
	for _, s := range sources {
		if s.Name == "" {
			return nil, fmt.Errorf("%s: a model needs a name", s.Path)
		}
		if other := g.find(s.Name); other != nil {
			return nil, fmt.Errorf("two models have the name %q: %s and %s", s.Name, other.source.Path, s.Path)
		}
		g.entries = append(g.entries, &entry{source: s})
	}
	for _, e := range g.entries {
		var err error
		if e.current, err = o.open(e.source); err != nil {
			g.Close()
			return nil, err
		}
	}
	return g, nil
}

func (g *Registry) find(name string) *entry {
	if i := slices.Index(g.Names(), name); i >= 0 {
		return g.entries[i]
	}
	return nil
}

// Names returns the names of all models, in the order of their sources.
func (g *Registry) Names() []string {
	names := make([]string, len(g.entries))
	for i, e := range g.entries {
		names[i] = e.source.Name
	}
	return names
}

// Use returns the model of a name. The model stays open until Release. An empty name means the only
// model. Errors are a *NameError, an *UnavailableError, or ErrClosed.
func (g *Registry) Use(name string) (*Model, error) {
	if name == "" && len(g.entries) == 1 {
		name = g.entries[0].source.Name
	}
	e := g.find(name)
	if e == nil {
		return nil, &NameError{Name: name, Known: g.Names()}
	}
	m := e.use()
	if m == nil {
		return nil, ErrClosed
	}
	if err := m.Err(); err != nil {
		m.Release()
		return nil, &UnavailableError{Name: name, Err: err}
	}
	return m, nil
}

func (e *entry) use() *Model {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.current != nil {
		e.current.users.Add(1)
	}
	return e.current
}

// Close closes each model when its last user has released it.
func (g *Registry) Close() {
	for _, e := range g.entries {
		_ = e.put(nil) // it may be closed
	}
}

func (e *entry) put(m *Model) error {
	e.mu.Lock()
	old := e.current
	if old != nil {
		e.current = m
	}
	e.mu.Unlock()
	if old == nil {
		return ErrClosed
	}
	old.end()
	return nil
}

// ErrClosed reports that the registry is closed.
var ErrClosed = errors.New("the server is shutting down")

// A NameError reports that no model has a name, or that the name is missing.
type NameError struct {
	Name  string // empty if a request named none and there are several
	Known []string
}

func (e *NameError) Error() string {
	if len(e.Known) == 0 {
		return "the server has no model"
	}
	if e.Name == "" {
		return fmt.Sprintf("there are %d models: say which one, by its name", len(e.Known))
	}
	return fmt.Sprintf("there is no model %.200q", e.Name)
}

// An UnavailableError reports that a model's file was changed. If it wraps vectors.ErrUnsure, the file may
// have been changed, which is being checked.
type UnavailableError struct {
	Name string
	Err  error
}

func (e *UnavailableError) Error() string {
	if errors.Is(e.Err, vectors.ErrUnsure) {
		return fmt.Sprintf("the model %q is not available for a moment: its file is being compared with what it was", e.Name)
	}
	return fmt.Sprintf("the model %q is not available until it is loaded again: its file was changed in place", e.Name)
}

// Unwrap returns what happened to the file.
func (e *UnavailableError) Unwrap() error { return e.Err }

// Options say how models are opened.
type Options struct {
	Case  vectors.Case       // how words are looked up
	Check func(*Model) error // checks a model that was opened, before it is used; may be nil
	Note  func(text string)  // receives what a person should know of a model; may be nil
}

// Reload opens and checks the file of every model again, and replaces the model. If that fails, the model stays as it was.
// Both files are open until the last user of the old model has released it.
func (g *Registry) Reload(ctx context.Context) []Reloaded {
	all := make([]Reloaded, 0, len(g.entries))
	for _, e := range g.entries {
		all = append(all, Reloaded{Name: e.source.Name, Err: e.reload(ctx, g.options)})
	}
	return all
}

// A Reloaded is the result of reloading a model.
type Reloaded struct {
	Name string
	Err  error // nil if the model was replaced
}

func (e *entry) reload(ctx context.Context, o Options) error {
	e.reloading.Lock()
	defer e.reloading.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	m, err := o.open(e.source)
	if err != nil {
		return err
	}
	err = m.Read(func() error {
		if err := m.Set.Check(); err != nil {
			return err
		}
		m.Set.Directions() // so that the first request is as fast as the next
		return nil
	})
	if err == nil {
		err = e.put(m)
	}
	if err != nil {
		m.end()
	}
	return err
}

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

	attached sync.Map // *attachment by key
	beside   []*vectors.Set
}

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
	if err == nil {
		if lacks := words.Lacks(); lacks != "" {
			o.note(s.Path + ": " + lacks)
		}
	}
	if err == nil && set.Len() == 0 && set.Labels() == nil {
		err = errors.New("the model has no list of words to answer with, only n-grams")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, errors.Join(err, set.Close()))
	}
	m := &Model{Name: s.Name, Path: s.Path, Set: set, Words: words, Loaded: time.Now()}
	m.context, m.retire = context.WithCancel(context.Background())
	m.users.Store(1)
	if err := m.remember(set, s.Path); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, errors.Join(err, set.Close()))
	}
	if o.Check != nil {
		if err := o.Check(m); err != nil {
			m.end()
			return nil, err
		}
	}
	return m, nil
}

// rememberAtOnce is a size in bytes. A larger file is served at once, and remembered in the background.
const rememberAtOnce = 64 << 20

// remember makes a set know its file by content, so that touching the file does not end the service.
func (m *Model) remember(set *vectors.Set, path string) error {
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
		return set.Remember(m.context)
	}
	m.users.Add(1)
	go func() {
		defer m.Release()
		_ = set.Remember(m.context) // on failure, a touched file counts as changed
	}()
	return nil
}

// Release ends a use of the model. The last release closes the file.
func (m *Model) Release() {
	switch users := m.users.Add(-1); {
	case users == 0:
		_ = m.Set.Close() // nobody to report to
		for _, set := range m.beside {
			_ = set.Close()
		}
	case users < 0:
		panic("models: Release without Use")
	}
}

func (m *Model) end() {
	m.retire()
	m.Release()
}

// Context ends when the model is replaced, or the registry is closed. Work in the background should stop then.
func (m *Model) Context() context.Context { return m.context }

// Read calls read, which copies what it needs, and returns its error. If the file was changed in place meanwhile, it
// returns an *UnavailableError, now and later; while that is being checked, for the time being. Send nothing of what read
// copied before Read has returned nil: see vectors.Set.Guard.
func (m *Model) Read(read func() error) error { return m.readOf(m.Set, read) }

// Keep gives a set of another file to the model, which closes it with its own. Call it in Options.Check. What it returns is
// Read for that set.
func (m *Model) Keep(set *vectors.Set, path string) (read func(func() error) error, err error) {
	m.beside = append(m.beside, set)
	return func(read func() error) error { return m.readOf(set, read) }, m.remember(set, path)
}

func (m *Model) readOf(set *vectors.Set, read func() error) error {
	err := set.Guard(read)
	if errors.Is(err, vectors.ErrUnsure) {
		return &UnavailableError{Name: m.Name, Err: err}
	}
	if errors.Is(err, vectors.ErrChanged) || set.Err() != nil {
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

type attachment struct {
	once  sync.Once
	value any
	err   error
}

// errAttach is the error of a value if making it panicked.
var errAttach = errors.New("models: what belongs to the model could not be made")

// Attach returns the value that belongs to a model by a key. The first call makes the value; others
// wait for it. Errors are kept, too, except vectors.ErrUnsure.
func Attach[T any](m *Model, key any, attach func(*Model) (T, error)) (T, error) {
	kept, _ := m.attached.LoadOrStore(key, new(attachment))
	a := kept.(*attachment)
	a.once.Do(func() {
		a.err = errAttach // if attach panics
		a.value, a.err = attach(m)
	})
	if errors.Is(a.err, vectors.ErrUnsure) {
		m.attached.CompareAndDelete(key, a)
	}
	value, _ := a.value.(T) // the zero value after an error
	return value, a.err
}

// AttachWithin is Attach for a value that takes long: a caller whose context ends waits no more, and gets its error. The
// value is made all the same, for those who ask later. The log receives a panic, which is an error for all who ask.
func AttachWithin[T any](ctx context.Context, log *slog.Logger, m *Model, key any, attach func(*Model) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	m.users.Add(1)
	go func() {
		defer m.Release()
		var r result
		defer func() {
			if fault := recover(); fault != nil {
				log.Error("panic", "model", m.Name, "error", fmt.Sprint(fault), "stack", string(debug.Stack()))
				r.err = errAttach
			}
			done <- r
		}()
		r.value, r.err = Attach(m, key, attach)
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// noteMemory notes about how much memory a file takes that cannot be mapped. It is an error if there is less.
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

const sampleBytes = 1 << 20 // how much of a file an estimate reads

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

func filesOf(path string) (files []string, err error) {
	err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && (entry.Type().IsRegular() || file == path && !entry.IsDir()) {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

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
	plain, kind, err := compression.NewReader(in)
	if err != nil {
		return err
	}
	defer plain.Close()
	sample, err := io.ReadAll(io.LimitReader(plain, sampleBytes))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: %w", path, err)
	}
	read, err := in.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	size := float64(info.Size())
	switch {
	case kind != compression.Plain:
		e.reason = cmp.Or(e.reason, "what is compressed cannot be mapped")
		size *= float64(len(sample)) / float64(max(read, 1))
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
	for line := range bytes.Lines(sample) {
		fields := bytes.Fields(line)
		if len(fields) < 3 { // the header
			continue
		}
		lines, numbers, words = lines+1, numbers+len(fields)-1, words+len(fields[0])
		if bytes.IndexByte(line, 0) >= 0 {
			return 1
		}
	}
	if lines == 0 || len(sample) == 0 {
		return 1
	}
	const wordBytes = 24 // per word, in tables that find words
	return float64(4*numbers+words+wordBytes*lines) / float64(len(sample))
}
