// Package models keeps the models of a server open while requests use them.
//
// A Model is one file as it was when it was opened. A Registry has one Model for each name, and Reload
// replaces it. The old one stays open until its last user releases it, so no request loses the rows that
// it reads.
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

// A Registry has the models of a server. Several goroutines may use it.
type Registry struct {
	entries []*entry // in the order of the sources
	byName  map[string]*entry
	options Options
}

type entry struct {
	source    Source
	reloading sync.Mutex // held by the one that opens a new model

	mu      sync.RWMutex
	current *Model // nil after Close
}

// Open opens all sources. It fails if there are none, if two have the same name, or if one cannot be opened.
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

// Use returns the model of a name. The model stays open until Release. An empty name means the only
// model. Errors are a *NameError, an *UnavailableError, or ErrClosed.
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

// Close closes each model when its last user has released it.
func (g *Registry) Close() {
	for _, e := range g.entries {
		_ = e.put(nil) // it may be closed
	}
}

// put replaces the current model by m, which may be nil. It fails if the registry is closed.
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

// Reload opens the file of every model again, checks all of it, and replaces the model. A model whose
// file cannot be opened, or is damaged, stays as it was: the results have its error. Requests go on
// meanwhile. Both files are open until the last user of the old model has released it.
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
