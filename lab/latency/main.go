// Command latency measures, second by second, what a core waits for cache lines that another core has just changed:
// a line that two threads hand to each other, and rows of several lines, as training reads and changes them. On
// a virtual machine whose cores are near each other and far apart by turns, it tells these seconds apart.
// docs/scale.md has results.
//
//	cd lab && go run ./latency -seconds 60
//	cd lab && go run ./latency -seconds 60 -cores 0,64 -dim 300
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/machine"
)

// options are the flags.
type options struct {
	cores   [2]int
	dim     int
	seconds int
	period  time.Duration
	json    string
}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("latency", flag.ContinueOnError)
	cores := flags.String("cores", "0,1", "two `cores`, by the numbers of the system")
	flags.IntVar(&o.dim, "dim", 100, "dimensions of the rows")
	flags.IntVar(&o.seconds, "seconds", 30, "periods to measure")
	flags.DurationVar(&o.period, "period", time.Second, "`time` for which one line of the table stands")
	flags.StringVar(&o.json, "json", "", "write what was measured to `file` too")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	fields := strings.Split(*cores, ",")
	if len(fields) != len(o.cores) {
		return o, errors.New("-cores needs two numbers")
	}
	for i, field := range fields {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			return o, fmt.Errorf("-cores: %q is not a core", field)
		}
		o.cores[i] = n
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.cores[0] == o.cores[1]:
		return o, errors.New("-cores must be two different ones")
	case o.dim < 1 || o.seconds < 1 || o.period <= 0:
		return o, errors.New("-dim, -seconds and -period must be more than 0")
	}
	return o, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

// A report is what was measured, as JSON.
type report struct {
	Machine machine.Machine `json:"machine"`
	Command []string        `json:"command"`
	Dim     int             `json:"dim"`
	Periods []period        `json:"periods"`
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	r := report{Machine: machine.Describe(), Command: append([]string{"latency"}, args...), Dim: o.dim}
	fmt.Fprintf(out, "%v\n\n", r.Machine)
	p, err := newPair(o.cores, o.dim)
	if err != nil {
		return err
	}
	for range o.seconds {
		if ctx.Err() != nil {
			break
		}
		r.Periods = append(r.Periods, p.measure(o.period))
	}
	p.close()
	if _, err := io.WriteString(out, table(r.Periods)); err != nil {
		return err
	}
	if o.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(text, '\n'), 0o666)
}

// table shows all periods, and then the medians of those with near and with far cores.
func table(periods []period) string {
	head := []string{"ns", "a line, one way", "read a row, changed by the other core", "own", "change a row, changed by the other core", "own"}
	all := figures.Table{head}
	row := func(name string, of []period) {
		cells := []string{name}
		for _, of := range medians(of).numbers() {
			cells = append(cells, figures.Significant(of))
		}
		all = append(all, cells)
	}
	for i, p := range periods {
		row(strconv.Itoa(i+1), []period{p})
	}
	near, far := split(periods)
	if len(far) == 0 {
		row(fmt.Sprintf("median of %d", len(near)), near)
	} else {
		row(fmt.Sprintf("median of %d near", len(near)), near)
		row(fmt.Sprintf("median of %d far", len(far)), far)
	}
	return all.Markdown()
}
