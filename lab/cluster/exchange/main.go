//go:build mpi && linux

// Command exchange measures how fast ranks exchange bytes: with MPI_Alltoallv, as a C program calls it, and with the
// AllToAll of package cluster/mpi. The two take turns, each in processes of its own.
//
//	cd lab && CGO_ENABLED=1 go run -tags mpi ./cluster/exchange -ranks 2,4 -bytes 1e5,1e7
package main

/*
#cgo LDFLAGS: -lmpi
#include "raw.h"
*/
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/cluster/mpi"
	"github.com/w2v-go/w2v/internal/sysinfo"
	launch "github.com/w2v-go/w2v/lab/cluster"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/machine"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "exchange:", err)
		os.Exit(1)
	}
}

// ways are how ranks exchange.
var ways = []string{"MPI_Alltoallv", "AllToAll"}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("exchange", flag.ContinueOnError)
	name := flags.String("way", "", "is a rank, and exchanges in this way")
	ranks := flags.String("ranks", "2,4", "numbers of ranks")
	sizes := flags.String("bytes", "1e5,1e6,1e7", "how many bytes a rank sends, to all others together")
	link := flags.String("link", "none", "none (shared memory), tcp (the loopback device) or free (two namespaces and a veth pair)")
	turns := flags.Int("turns", 5, "how often each way has its turn")
	seconds := flags.Float64("seconds", 1, "of a turn")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *name != "" {
		bytes, err := strconv.ParseFloat(*sizes, 64)
		if err != nil {
			return err
		}
		var w way
		if *name == ways[0] {
			w = startPlain()
		} else {
			world, err := mpi.Start()
			if err != nil {
				return err
			}
			w = &product{world, make([][]byte, world.Size())}
		}
		return rank(ctx, w, bytes, *seconds, out)
	}
	fmt.Fprintf(out, "%s\n\n", machine.Describe())
	table := figures.Table{{"ranks", "MB sent by a rank", "way", "MB/s sent by a rank", "of it, MPI_Alltoallv", "processors' ns a byte"}}
	for n := range strings.SplitSeq(*ranks, ",") {
		for size := range strings.SplitSeq(*sizes, ",") {
			rows, err := compare(ctx, n, size, *link, *turns, *seconds)
			if err != nil {
				return err
			}
			table = append(table, rows...)
		}
	}
	_, err := fmt.Fprint(out, table.Markdown())
	return err
}

// A result is what a turn took: the shortest exchange, and the processors' time of all ranks and exchanges.
type result struct{ Seconds, CPU float64 }

// compare lets the ways take turns, and returns the best of each.
func compare(ctx context.Context, ranks, size, link string, turns int, seconds float64) (rows [][]string, err error) {
	n, err := strconv.Atoi(ranks)
	if err != nil {
		return nil, err
	}
	bytes, err := strconv.ParseFloat(size, 64)
	if err != nil {
		return nil, err
	}
	l := launch.Launcher{Ranks: n, Options: []string{"--quiet"}}
	switch link {
	case "tcp":
		l.Options = append(l.Options, "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")
	case "free":
		if l.Network, err = launch.NewNetwork(ctx, launch.Link{}); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, l.Network.Close()) }()
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	all := make([][]result, len(ways))
	for range turns {
		for i, way := range ways {
			out, err := l.Exec(ctx, self, "-way", way, "-bytes", size, "-seconds", fmt.Sprint(seconds)).Output()
			if err != nil {
				return nil, fmt.Errorf("%s on %d ranks: %w", way, n, err)
			}
			var r result
			if err := json.Unmarshal(out, &r); err != nil {
				return nil, err
			}
			all[i] = append(all[i], r)
		}
	}
	best := func(i int, of func(result) float64) float64 {
		return of(slices.MinFunc(all[i], func(a, b result) int {
			if of(a) < of(b) {
				return -1
			}
			return 1
		}))
	}
	wall, cpu := func(r result) float64 { return r.Seconds }, func(r result) float64 { return r.CPU }
	for i, way := range ways {
		rows = append(rows, []string{ranks, figures.Significant(bytes / 1e6), way, figures.Significant(bytes / best(i, wall) / 1e6),
			figures.Significant(best(0, wall) / best(i, wall)), figures.Significant(best(i, cpu) * 1e9)})
	}
	return rows, nil
}

// A way exchanges with other ranks.
type way interface {
	ranks() (self, all int)
	exchange(ctx context.Context, each int) (seconds float64, err error) // sends as many bytes to each other rank
	sum(ctx context.Context, x float64) (float64, error)                 // over all ranks
	end(ctx context.Context) error
}

// rank exchanges for some seconds. Rank 0 prints the result.
func rank(ctx context.Context, w way, bytes, seconds float64, out io.Writer) error {
	self, ranks := w.ranks()
	each := int(bytes) / (ranks - 1)
	for range 3 { // memory is there after these
		if _, err := w.exchange(ctx, each); err != nil {
			return err
		}
	}
	best, all, count, from := math.Inf(1), 0.0, 0, sysinfo.CPUTime()
	for more := 1.0; more > 0; {
		for range 10 {
			took, err := w.exchange(ctx, each)
			if err != nil {
				return err
			}
			best, all, count = min(best, took), all+took, count+1
		}
		if more = 0; self == 0 && all < seconds {
			more = 1
		}
		var err error
		if more, err = w.sum(ctx, more); err != nil {
			return err
		}
	}
	cpu, err := w.sum(ctx, (sysinfo.CPUTime() - from).Seconds())
	if err != nil {
		return err
	}
	if self == 0 {
		err = json.NewEncoder(out).Encode(result{best, cpu / float64(count*ranks*(ranks-1)*each)})
	}
	return errors.Join(err, w.end(ctx))
}

// A plain program calls MPI itself, in one thread.
type plain struct{ rank, size C.int }

func startPlain() *plain {
	runtime.LockOSThread()
	p := new(plain)
	C.raw_start(&p.rank, &p.size)
	return p
}

func (p *plain) ranks() (self, all int) { return int(p.rank), int(p.size) }
func (p *plain) exchange(_ context.Context, each int) (float64, error) {
	return float64(C.raw_exchange(C.uint64_t(each))), nil
}
func (p *plain) sum(_ context.Context, x float64) (float64, error) {
	return float64(C.raw_sum(C.double(x))), nil
}
func (p *plain) end(context.Context) error {
	C.raw_end()
	return nil
}

// A product uses package mpi as training does.
type product struct {
	*mpi.World
	send [][]byte
}

func (p *product) ranks() (self, all int) { return p.Rank(), p.Size() }
func (p *product) exchange(ctx context.Context, each int) (float64, error) {
	for to := range p.send {
		if to != p.Rank() && p.send[to] == nil {
			p.send[to] = append(p.Grow(nil, each), slices.Repeat([]byte{1}, each)...)
		}
	}
	if err := p.Barrier(ctx); err != nil {
		return 0, err
	}
	begun := time.Now()
	_, err := p.AllToAll(ctx, p.send)
	return time.Since(begun).Seconds(), err
}
func (p *product) sum(ctx context.Context, x float64) (float64, error) {
	values := []float64{x}
	err := p.AllReduce(ctx, cluster.Sum, values)
	return values[0], err
}
func (p *product) end(ctx context.Context) error { return p.Finish(ctx) }
