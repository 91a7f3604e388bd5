// Package ordered works on items of a stream on all processors, and keeps the order of the stream.
package ordered

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Each reads items until io.EOF, works on them on all processors, and emits the results in the order of items:
// also what work returns with an error, which ends it all. Work may give parts of its result before. A part waits for the items
// before its own, which other processors had first, so that one of them can always go on.
func Each[In, Out any](ctx context.Context, read func() (In, error), work func(item In, part func(Out) error) (Out, error), emit func(Out) error) error {
	type result struct {
		out Out
		err error
	}
	type job struct {
		in   In
		done chan result // closed after the last one
	}
	workers := runtime.GOMAXPROCS(0)
	todo, order := make(chan job), make(chan job, 2*workers)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(todo)
		defer close(order)
		for {
			in, err := read()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			j := job{in, make(chan result, 1)}
			for _, to := range []chan job{order, todo} {
				select {
				case to <- j:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
	})
	for range workers {
		group.Go(func() error {
			for j := range todo {
				give := func(r result) error {
					select {
					case j.done <- r:
						return nil
					case <-ctx.Done():
						return ctx.Err()
					}
				}
				out, err := work(j.in, func(out Out) error { return give(result{out, nil}) })
				if err := give(result{out, err}); err != nil {
					return err
				}
				close(j.done)
			}
			return nil
		})
	}
	group.Go(func() error {
		for j := range order {
			for more := true; more; {
				var r result
				select {
				case r, more = <-j.done:
				case <-ctx.Done():
					return ctx.Err()
				}
				if !more {
					break
				}
				if err := cmp.Or(emit(r.out), r.err); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return group.Wait()
}
