package mpi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/ranktest"
)

// Ranks that are goroutines pass the same test as ranks of MPI.
func TestRanksOfOneProcess(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5} {
		t.Run(fmt.Sprintf("%d ranks", n), func(t *testing.T) {
			err := ranktest.Each(n, func(c cluster.Comm) error { return try(t.Context(), c, 300_000) })
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// try tests all operations of c. All ranks must call it. Exchanges send up to largest bytes to a rank.
func try(ctx context.Context, c cluster.Comm, largest int) error {
	for _, test := range []struct {
		name string
		run  func(context.Context, cluster.Comm) error
	}{
		{"AllToAll", func(ctx context.Context, c cluster.Comm) error { return allToAll(ctx, c, largest) }},
		{"AllReduce", allReduce},
		{"Gather", gather},
		{"Broadcast", func(ctx context.Context, c cluster.Comm) error { return broadcast(ctx, c, largest) }},
		{"Barrier", func(ctx context.Context, c cluster.Comm) error { return c.Barrier(ctx) }},
		{"Dup", dup},
	} {
		if err := test.run(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", test.name, err)
		}
	}
	return nil
}

// pattern returns data that depends on the sender and the receiver.
func pattern(from, to, length int) []byte {
	data := make([]byte, length)
	for i := range data {
		data[i] = byte(31*from + 7*to + i + i>>8 + i>>16)
	}
	return data
}

// exchange sends patterns whose lengths depend on both ranks, and checks the received data. Every second message is in
// memory of the Comm.
func exchange(ctx context.Context, c cluster.Comm, length func(from, to int) int) error {
	send := make([][]byte, c.Size())
	for to := range send {
		send[to] = pattern(c.Rank(), to, length(c.Rank(), to))
		if (c.Rank()+to)%2 == 0 {
			send[to] = append(c.Grow(append(c.Grow(nil, 1), 0)[:0], len(send[to])), send[to]...)
		}
	}
	received, err := c.AllToAll(ctx, send)
	if err != nil {
		return err
	}
	for to := range send { // data belongs to the sender again
		if to != c.Rank() {
			clear(send[to])
		}
	}
	for from, data := range received {
		want := pattern(from, c.Rank(), length(from, c.Rank()))
		if !bytes.Equal(data, want) {
			return fmt.Errorf("rank %d sent %d bytes to rank %d, want %d bytes, or they differ", from, len(data), c.Rank(), len(want))
		}
	}
	return nil
}

func allToAll(ctx context.Context, c cluster.Comm, largest int) error {
	before := c.Sent()
	// Nothing, the most that fits into one message, one byte more, and many chunks.
	for _, length := range []int{0, 1, 3992, 3993, 1 << 18, largest} {
		if err := exchange(ctx, c, func(_, _ int) int { return length }); err != nil {
			return err
		}
		before += uint64(length * (c.Size() - 1))
	}
	if c.Sent() != before {
		return fmt.Errorf("%d bytes count as sent, want %d", c.Sent(), before)
	}
	return exchange(ctx, c, func(from, to int) int { return (from * (to + 1) * 12345) % 300_000 })
}

func allReduce(ctx context.Context, c cluster.Comm) error {
	n, last := float64(c.Size()), float64(c.Size()-1)
	for _, try := range []struct {
		op   cluster.Op
		want []float64
	}{
		{cluster.Sum, []float64{n * (n - 1) / 2, n, 1 << 52}},
		{cluster.Max, []float64{last, 1, 1 << 52}},
		{cluster.Min, []float64{0, 1, 0}},
	} {
		values := []float64{float64(c.Rank()), 1, 0}
		if c.Rank() == 0 {
			values[2] = 1 << 52
		}
		if c.Size() == 1 && try.op == cluster.Min {
			try.want[2] = 1 << 52
		}
		if err := c.AllReduce(ctx, try.op, values); err != nil {
			return err
		}
		if !slices.Equal(values, try.want) {
			return fmt.Errorf("operation %d makes %v, want %v", try.op, values, try.want)
		}
	}
	return c.AllReduce(ctx, cluster.Sum, nil)
}

func gather(ctx context.Context, c cluster.Comm) error {
	for root := range c.Size() {
		all, err := c.Gather(ctx, root, pattern(c.Rank(), root, 5000*c.Rank()))
		switch {
		case err != nil:
			return err
		case c.Rank() != root && all != nil:
			return fmt.Errorf("rank %d got data that were for rank %d", c.Rank(), root)
		case c.Rank() != root:
			continue
		}
		for from, data := range all {
			if !bytes.Equal(data, pattern(from, root, 5000*from)) {
				return fmt.Errorf("other data from rank %d", from)
			}
		}
	}
	return nil
}

func broadcast(ctx context.Context, c cluster.Comm, largest int) error {
	for root := range c.Size() {
		for _, length := range []int{0, 10, largest} {
			own := pattern(c.Rank(), 0, 3) // data of other ranks is ignored
			if c.Rank() == root {
				own = pattern(root, 0, length)
			}
			data, err := c.Broadcast(ctx, root, own)
			if err != nil {
				return err
			}
			if !bytes.Equal(data, pattern(root, 0, length)) {
				return fmt.Errorf("%d bytes came from rank %d, want %d, or they differ", len(data), root, length)
			}
		}
	}
	return nil
}

// dup checks that two Comms do not wait for each other: half of the ranks use one of them first, the other
// half the other.
func dup(ctx context.Context, c cluster.Comm) error {
	other, err := c.Dup(ctx)
	if err != nil {
		return err
	}
	if other.Rank() != c.Rank() || other.Size() != c.Size() {
		return fmt.Errorf("the other Comm has rank %d of %d", other.Rank(), other.Size())
	}
	first, second := c, other
	if c.Rank()%2 == 1 {
		first, second = other, c
	}
	errs := make(chan error, 2)
	go func() { errs <- exchange(ctx, first, func(_, _ int) int { return 100_000 }) }()
	errs <- exchange(ctx, second, func(_, _ int) int { return 100_000 })
	return errors.Join(<-errs, <-errs)
}
