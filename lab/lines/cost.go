package main

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/w2v-go/w2v/lab/figures"
)

// Speeds are what was measured while the two cores of a machine were equally far apart: millions of tokens a
// second of one thread, of two as Hogwild, and of two with copies.
type speeds struct{ one, hogwild, copies float64 }

// A fit says what time a block takes: Block, and Copies more with copies, and a time for each line that came from
// another core, which is near in fast seconds and far in slow ones.
type fit struct {
	Block  float64   `json:"block_ns"`
	Copies float64   `json:"copies_ns"`
	Near   float64   `json:"near_line_ns"`
	Far    float64   `json:"far_line_ns"`
	Errors []float64 `json:"relative_errors"` // of one thread, Hogwild and copies, in fast seconds and in slow ones
}

// fitted fits the cost of a block to measured speeds and to what two threads moved.
func fitted(fast, slow speeds, hogwild, copies *trial, dim int) (*fit, error) {
	moved := func(t *trial) float64 { return t.all(near, far, across) * lines(dim) }
	equations, times := mat.NewDense(6, 4, nil), mat.NewVecDense(6, nil)
	add := func(row int, speed float64, threads, tokens float64, unknowns ...float64) {
		time := threads * tokens / speed * 1e3 // ns of a block
		for i, x := range unknowns {
			equations.Set(row, i, x/time) // so that errors are relative
		}
		times.SetVec(row, 1)
	}
	for i, s := range []speeds{fast, slow} {
		lineOf := func(t *trial) (near, far float64) {
			if i == 0 {
				return moved(t), 0
			}
			return 0, moved(t)
		}
		add(3*i, s.one, 1, hogwild.tokens, 1, 0, 0, 0)
		n, f := lineOf(hogwild)
		add(3*i+1, s.hogwild, 2, hogwild.tokens, 1, 0, n, f)
		n, f = lineOf(copies)
		add(3*i+2, s.copies, 2, copies.tokens, 1, 1, n, f)
	}
	var x, found mat.VecDense
	if err := x.SolveVec(equations, times); err != nil {
		return nil, fmt.Errorf("fitting the cost of a block: %w", err)
	}
	found.MulVec(equations, &x)
	result := &fit{Block: x.AtVec(0), Copies: x.AtVec(1), Near: x.AtVec(2), Far: x.AtVec(3)}
	for i := range 6 {
		result.Errors = append(result.Errors, found.AtVec(i)-1)
	}
	return result, nil
}

// A prediction is how many times as fast as one thread a machine trains.
type prediction struct {
	Threads int     `json:"threads"`
	Sockets int     `json:"sockets"`
	Sharing string  `json:"sharing"`
	Across  float64 `json:"across_line_ns"`
	Gain    float64 `json:"gain"`
}

// predict carries a fit to the machine of a trial, with one socket or with as many as it has. A line from another
// socket costs some times as much as a far one.
func (f *fit) predict(t *trial, sockets int, times float64, dim int) prediction {
	p := prediction{Threads: t.config.Threads, Sockets: sockets, Sharing: t.sharing(), Across: times * f.Far}
	if sockets == 1 {
		p.Across = f.Far
	}
	time := f.Block + lines(dim)*(t.all(near)*f.Near+t.all(far)*f.Far+t.all(across)*p.Across)
	if p.Sharing != hogwild {
		time += f.Copies
	}
	p.Gain = float64(p.Threads) * f.Block / time
	return p
}

// costs returns predictions for all trials, as a table too.
func (f *fit) costs(trials []*trial, times float64, dim int) (all []prediction, table string) {
	rows := figures.Table{{"threads", "sockets", "sharing", "× one thread"}}
	for _, t := range trials {
		for sockets := 1; sockets <= t.on.Sockets; sockets++ {
			p := f.predict(t, sockets, times, dim)
			all = append(all, p)
			rows = append(rows, []string{fmt.Sprint(p.Threads), fmt.Sprint(sockets), p.Sharing, figures.Significant(p.Gain)})
		}
	}
	return all, rows.Markdown()
}
