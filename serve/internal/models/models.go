// Package models keeps the models of a server open: who uses one, which file is behind it, and
// what happens when that file is replaced.
//
// A Model is one file as it was when it was opened. A Registry has one Model a name, and Reload
// puts a new one in its place. The old one stays open until its last user releases it, so no
// request ever loses the rows that it reads.
package models

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/w2v-go/w2v/vectors"
)

// A Source is a file or folder with a model, and the name that requests call it by.
type Source struct{ Name, Path string }

// A Registry is the models of a server. Its methods may be called by several goroutines.
type Registry struct {
	entries []*entry // in the order of the sources
	byName  map[string]*entry
	options Options
}

// An entry is the place of a model in a registry.
type entry struct {
	source    Source
	reloading sync.Mutex // held by the one that opens a new model

	mu      sync.RWMutex
	current *Model // nil after Close
}

// Open opens all sources. It is an error if there are none, if two have one name, or if one
// cannot be opened. Close the registry after it.
func Open(sources []Source, o Options) (*Registry, error) {
	if len(sources) == 0 {
		return nil, errors.New("there is no model to serve")
	}
	g := &Registry{byName: make(map[string]*entry), options: o}
	for _, s := range sources {
		if s.Name == "" {
			return nil, fmt.Errorf("%s: a model needs a name", s.Path)
		}
		if other := g.byName[s.Name]; other != nil {
			return nil, fmt.Errorf("two models have the name %q: %s and %s", s.Name, other.source.Path, s.Path)
		}
		e := &entry{source: s}
		g.entries = append(g.entries, e)
		g.byName[s.Name] = e
	}
	for _, e := range g.entries {
		m, err := o.open(e.source)
		if err != nil {
			g.Close()
			return nil, err
		}
		e.current = m
	}
	return g, nil
}

// Names returns the names of all models, in the order of their sources.
func (g *Registry) Names() []string {
	names := make([]string, len(g.entries))
	for i, e := range g.entries {
		names[i] = e.source.Name
	}
	return names
}

// Use returns the model of a name, which is not closed before Release. An empty name stands for
// the only model. Errors are a *NameError, an *UnavailableError, or ErrClosed.
func (g *Registry) Use(name string) (*Model, error) {
	if name == "" && len(g.entries) == 1 {
		name = g.entries[0].source.Name
	}
	e := g.byName[name]
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

// use returns the current model with one user more, or nil if the registry is closed.
func (e *entry) use() *Model {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.current != nil {
		e.current.users.Add(1)
	}
	return e.current
}

// Close gives up all models. Each is closed when its last user releases it.
func (g *Registry) Close() {
	for _, e := range g.entries {
		_ = e.put(nil) // it may be closed
	}
}

// put makes m the current model, nil for none, and retires the one before. It is refused if the
// registry is closed.
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

// ErrClosed says that the registry gives no models any more.
var ErrClosed = errors.New("the server is shutting down")

// A NameError says that no model has a name, or that a name is missing.
type NameError struct {
	Name  string // empty if a request named none and there are several
	Known []string
}

func (e *NameError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("there are %d models: say which one, by its name", len(e.Known))
	}
	return fmt.Sprintf("there is no model %.200q", e.Name)
}

// An UnavailableError says that the file of a model cannot be read any more, or, if it wraps
// vectors.ErrUnsure, for now.
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
	Case vectors.Case // how words are looked up
	// Check looks whether a model that was just opened can be served, before it takes its place; nil if all can.
	Check func(*Model) error
	Note  func(text string) // is told what a person should know of a model; nil for nobody
}

// A Reloaded says what became of a model in Reload.
type Reloaded struct {
	Name string
	Err  error // why the model from before stays; nil if the new one is in place
}

// Reload opens the file of every model anew, checks all of it, and puts it in the place of the
// one from before. A model whose file cannot be opened, or is damaged, stays as it was. Requests
// go on meanwhile. Both files are open until the last user of the old one has released it.
func (g *Registry) Reload(ctx context.Context) []Reloaded {
	all := make([]Reloaded, 0, len(g.entries))
	for _, e := range g.entries {
		all = append(all, Reloaded{Name: e.source.Name, Err: e.reload(ctx, g.options)})
	}
	return all
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
