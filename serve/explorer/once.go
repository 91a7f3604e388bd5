package explorer

import "sync"

// A once is a value that is made when it is first asked for. All who ask share it, so that clients who take long to
// read the same bytes do not each hold their own.
type once[T any] struct {
	mu    sync.Mutex
	made  bool
	value T
}

// get returns the value. If it cannot be made, the next one who asks tries again.
func (o *once[T]) get(make func() (T, error)) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.made {
		return o.value, nil
	}
	value, err := make()
	if err == nil {
		o.value, o.made = value, true
	}
	return value, err
}

// kept is get for a value that is made of a model. One that was made of a file which changed meanwhile is not kept.
func kept[T any](m *Model, o *once[T], make func() (T, error)) (T, error) {
	return o.get(func() (value T, err error) {
		err = m.Read(func() (err error) { value, err = make(); return err })
		return value, err
	})
}
