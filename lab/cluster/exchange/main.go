//go:build mpi && linux

// Command exchange measures how fast ranks exchange bytes: with MPI_Alltoallv, as a C program calls it, and with
// AllToAll of package cluster/mpi. The two take turns, each in processes of its own. docs/scale.md has results.
//
//	cd lab && CGO_ENABLED=1 go run -tags mpi,netgo,osusergo ./cluster/exchange -ranks 2,4 -bytes 1e6,1e7
package main

/*
#cgo LDFLAGS: -lmpi
#include "raw.h"
*/
import "C"

import (
	"cmp"
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

// options are the flags.
type options struct {
	way     string // of a rank
	bytes   float64
	seconds float64
	ranks   int
	link    string
	turns   int
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("exchange", flag.ContinueOnError)
	flags.StringVar(&o.way, "way", "", "be a rank that mpirun has started, and exchange in this `way`")
	flags.Float64Var(&o.seconds, "seconds", 0.3, "of a turn")
	flags.StringVar(&o.link, "link", "none", "what joins ranks: none (shared memory), tcp (this machine's own address) or free (two namespaces and a veth pair)")
	flags.IntVar(&o.turns, "turns", 10, "how often each way has its turn")
	ranks := flags.String("ranks", "2,4", "numbers of ranks")
	sizes := flags.String("bytes", "1e5,1e6,1e7", "how much a rank sends to all others together")
	if err := flags.Parse(args); err != nil {
		return err
	}
	table := figures.Table{{"ranks", "link", "MB sent by a rank", "way", "MB/s sent by a rank", "× MPI_Alltoallv", "processors' ns a byte", "× MPI_Alltoallv"}}
	for text := range strings.SplitSeq(*ranks, ",") {
		for size := range strings.SplitSeq(*sizes, ",") {
			var err, other error
			o.ranks, err = strconv.Atoi(text)
			o.bytes, other = strconv.ParseFloat(size, 64)
			if err := cmp.Or(err, other); err != nil {
				return err
			}
			if o.way != "" {
				return o.rank(ctx, out)
			}
			rows, err := o.compare(ctx)
			if err != nil {
				return err
			}
			table = append(table, rows...)
		}
	}
	_, err := fmt.Fprintf(out, "%s\n\n%s", machine.Describe(), table.Markdown())
	return err
}

// ways are how ranks exchange.
var ways = []string{"MPI_Alltoallv", "AllToAll"}

// A result is what a turn took: the shortest exchange, and the processors' time of all exchanges for each byte.
type result struct{ Seconds, CPU float64 }

// compare lets the ways take turns, and returns what each took in its best ones.
func (o options) compare(ctx context.Context) (rows [][]string, err error) {
	l := launch.Launcher{Ranks: o.ranks, Options: []string{"--quiet"}}
	switch o.link {
	case "none":
	case "tcp":
		l.Options = append(l.Options, "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")
	case "free":
		if l.Network, err = launch.NewNetwork(ctx, launch.Link{}); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, l.Network.Close()) }()
	default:
		return nil, fmt.Errorf("-link %q: expected none, tcp or free", o.link)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	best := slices.Repeat([]result{{math.Inf(1), math.Inf(1)}}, len(ways))
	for range o.turns {
		for i, way := range ways {
			var r result
			out, err := l.Exec(ctx, self, "-way", way, "-ranks", strconv.Itoa(o.ranks), "-bytes", fmt.Sprint(o.bytes), "-seconds", fmt.Sprint(o.seconds)).Output()
			if err == nil {
				err = json.Unmarshal(out, &r)
			}
			if err != nil {
				return nil, fmt.Errorf("%s on %d ranks: %w", way, o.ranks, err)
			}
			best[i] = result{min(best[i].Seconds, r.Seconds), min(best[i].CPU, r.CPU)}
		}
	}
	for i, way := range ways {
		rows = append(rows, []string{
			strconv.Itoa(o.ranks), o.link, figures.Significant(o.bytes / 1e6), way,
			figures.Significant(o.bytes / best[i].Seconds / 1e6), figures.Significant(best[0].Seconds / best[i].Seconds),
			figures.Significant(best[i].CPU * 1e9), figures.Significant(best[i].CPU / best[0].CPU),
		})
		fmt.Fprintln(os.Stderr, strings.Join(rows[i], "\t"))
	}
	return rows, nil
}

// A way exchanges with other ranks.
type way interface {
	ranks() (self, all int)
	exchange(ctx context.Context, each int) (seconds float64, err error) // sends so many bytes to each other rank
	sum(ctx context.Context, x float64) (float64, error)                 // over all ranks
	end(ctx context.Context) error
}

// rank exchanges for some seconds. Rank 0 prints the result.
func (o options) rank(ctx context.Context, out io.Writer) error {
	start := startPlain
	if o.way != ways[0] {
		start = startProduct
	}
	w, err := start()
	if err != nil {
		return err
	}
	self, ranks := w.ranks()
	each := int(o.bytes) / (ranks - 1)
	for range 3 { // memory is there after these
		if _, err := w.exchange(ctx, each); err != nil {
			return err
		}
	}
	best, all, count, from := math.Inf(1), 0.0, 0, sysinfo.CPUTime()
	for more := 1.0; more > 0; {
		took, err := w.exchange(ctx, each)
		if err != nil {
			return err
		}
		best, all, count = min(best, took), all+took, count+1
		if count%10 > 0 {
			continue
		}
		if more = 0; self == 0 && all < o.seconds {
			more = 1
		}
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

func startPlain() (way, error) {
	runtime.LockOSThread()
	p := new(plain)
	C.raw_start(&p.rank, &p.size)
	return p, nil
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

func startProduct() (way, error) {
	world, err := mpi.Start()
	if err != nil {
		return nil, err
	}
	return &product{world, make([][]byte, world.Size())}, nil
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
