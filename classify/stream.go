package classify

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// A Line is what is predicted of a line.
type Line struct {
	Best   []Prediction // the most probable first
	Labels []int        // the line's own labels that the model knows
	Empty  bool         // no word or n-gram of the line is known: nothing is predicted
}

// Write predicts labels for the lines of r as Predict does for texts, on all processors. It writes what format
// appends to out for each line, in the order of lines, as soon as what r returned at once is predicted. A line
// is what it is for fastText: it ends with a newline, or with the word "</s>". Format is called by several
// goroutines, and line is valid until it returns. Memory is that of some thousand lines, or of the longest one.
func (m *Model) Write(ctx context.Context, w io.Writer, r io.Reader, k int, threshold float32, format func(out []byte, line Line) []byte) error {
	return eachBlock(ctx, m, r, func(p *predictor, out []byte) ([]byte, error) {
		if err := p.predict(k, threshold); err != nil {
			return nil, err
		}
		p.named = p.name(p.named[:0])
		return format(out, Line{p.named, p.labels, p.n == 0}), nil
	}, func(out []byte) error {
		_, err := w.Write(out)
		return err
	})
}

// Lines is Write for a function that is called with each line, in order, by one goroutine.
func (m *Model) Lines(ctx context.Context, r io.Reader, k int, threshold float32, each func(Line) error) error {
	return eachBlock(ctx, m, r, func(p *predictor, lines []Line) ([]Line, error) {
		err := p.predict(k, threshold)
		return append(lines, Line{p.name(nil), slices.Clone(p.labels), p.n == 0}), err
	}, func(lines []Line) error {
		for _, line := range lines {
			if err := each(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteVectors is Write for the vectors of lines: the means of all their rows, which labels are scored with;
// zeros for a line without any.
func (m *Model) WriteVectors(ctx context.Context, w io.Writer, r io.Reader, format func(out []byte, vector []float32) []byte) error {
	return eachBlock(ctx, m, r, func(p *predictor, out []byte) ([]byte, error) {
		if clear(p.hidden); p.n > 0 {
			p.average()
		}
		return format(out, p.hidden), nil
	}, func(out []byte) error {
		_, err := w.Write(out)
		return err
	})
}

// eachBlock calls work with each line of r, which p has read, and emits the results of a block of lines.
func eachBlock[T any](ctx context.Context, m *Model, r io.Reader, work func(p *predictor, all []T) ([]T, error), emit func([]T) error) error {
	lines := &blocks{r: r}
	return inOrder(ctx, lines.next, func(data []byte) (all []T, err error) {
		p := m.predictors.Get().(*predictor)
		defer m.predictors.Put(p)
		err = m.set.Guard(func() (err error) {
			for len(data) > 0 && err == nil {
				data = data[p.read(data, false):]
				all, err = work(p, all)
			}
			return err
		})
		return all, err
	}, emit)
}

// blocks cuts a stream at newlines.
type blocks struct {
	r    io.Reader
	rest []byte // behind the last newline
	err  error
}

const blockSize = 1 << 17

// next returns what can be read at once up to its last newline, or more if it has none; io.EOF after the last.
func (b *blocks) next() ([]byte, error) {
	data := b.rest
	b.rest = nil
	for b.err == nil {
		data = slices.Grow(data, max(blockSize, len(data))) // twice as much for a line that goes on
		fresh := len(data)
		var n int
		n, b.err = b.r.Read(data[fresh:min(cap(data), fresh+max(blockSize, fresh))])
		data = data[:fresh+n]
		if i := bytes.LastIndexByte(data[fresh:], '\n'); i >= 0 && b.err == nil {
			cut := fresh + i + 1
			b.rest = slices.Clone(data[cut:])
			return data[:cut:cut], nil
		}
	}
	if len(data) > 0 && errors.Is(b.err, io.EOF) {
		return data, nil
	}
	return nil, b.err
}

// inOrder reads items until io.EOF, works on them on all processors, and emits the results in the order of items.
func inOrder[In, Out any](ctx context.Context, read func() (In, error), work func(In) (Out, error), emit func(Out) error) error {
	type job struct {
		in  In
		out chan Out
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
			j := job{in, make(chan Out, 1)}
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
				out, err := work(j.in)
				if err != nil {
					return err
				}
				j.out <- out
			}
			return nil
		})
	}
	group.Go(func() error {
		for j := range order {
			select {
			case out := <-j.out:
				if err := emit(out); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}
