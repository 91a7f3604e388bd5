package models

import "context"

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
