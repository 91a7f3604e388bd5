package divided

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/vectors"
)

// Each word beyond the head belongs to one rank, which knows it by the number of its row.
func TestLayout(t *testing.T) {
	for _, l := range []Layout{
		{Ranks: 1, Words: 10},
		{Ranks: 3, Words: 10, Head: 2},
		{Ranks: 4, Words: 9, Head: 8},
		{Ranks: 4, Words: 8, Head: 8},
	} {
		t.Run(fmt.Sprintf("%d of %d words on %d ranks", l.Words-l.Head, l.Words, l.Ranks), func(t *testing.T) {
			var words []int
			for l.Self = range l.Ranks {
				for row := range l.Owned() {
					word := l.word(row)
					if rank, at := l.owner(uint32(word)); rank != l.Self || int(at) != row {
						t.Errorf("row %d of rank %d is word %d, which is row %d of rank %d", row, l.Self, word, at, rank)
					}
					words = append(words, word)
				}
			}
			slices.Sort(words)
			var want []int
			for word := l.Head; word < l.Words; word++ {
				want = append(want, word)
			}
			if !slices.Equal(words, want) {
				t.Errorf("ranks own %v, want %v", words, want)
			}
		})
	}
}

// A number comes back as far from itself as half a step, and rows that are not numbers show it.
func TestCodes(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	code := newCoder(3)
	for _, tt := range []struct{ row, want []float32 }{
		{[]float32{0, 0, 0}, []float32{0, 0, 0}},
		{[]float32{127, -127, 1}, []float32{127, -127, 1}},
		{[]float32{254, 0.9, 1.1}, []float32{254, 0, 2}},
		{[]float32{1e-44, 0, 0}, []float32{0, 0, 0}},
		{[]float32{nan, 1, 1}, []float32{nan, nan, nan}},
		{[]float32{inf, 1, 1}, []float32{nan, nan, nan}},
	} {
		message, got := make([]byte, rowBytes(3)), make([]float32, 3)
		code.put(message, tt.row)
		add(got, message, 1)
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%v comes back as %v, want %v", tt.row, got, tt.want)
		}
	}
	message := make([]byte, rowBytes(3))
	code.change(message, []float32{5, 5, 5}, []float32{4, 5, 7})
	row := []float32{10, 10, 10}
	add(row, message, 0.5)
	for k, want := range []float32{10.5, 10, 9} {
		if math.Abs(float64(row[k]-want)) > 2.0/254 {
			t.Errorf("number %d is %v, want %v", k, row[k], want)
		}
	}
}

// Numbers that rise are read as they were written, and anything else is an error.
func TestRising(t *testing.T) {
	written := appendRising(nil, []uint32{0, 3, 4, 900})
	got, rest, err := rising(append(written, 1, 2), 901)
	if err != nil || !slices.Equal(got, []uint32{0, 3, 4, 900}) || !bytes.Equal(rest, []byte{1, 2}) {
		t.Errorf("%v, %v, %v", got, rest, err)
	}
	for name, damaged := range map[string][]byte{
		"empty":                  {},
		"cut":                    written[:len(written)-1],
		"more than there can be": appendRising(nil, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
		"beyond the last row":    appendRising(nil, []uint32{10}),
		"not a number":           bytes.Repeat([]byte{0xff}, 11),
	} {
		if _, _, err := rising(damaged, 10); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// even draws each word beyond the head in turn.
type even struct{ words uint32 }

func (even) DrawFrom(loss.Pool) {}

func (e even) Sample(words []uint32, head uint32, _ *random.Generator) int {
	if e.words <= head {
		return 0
	}
	for i := range words {
		words[i] = head + uint32(i)%(e.words-head)
	}
	return len(words)
}

// small is a model of a few words.
const (
	words = 12
	top   = 3
	cols  = 4
)

// part makes the part of a rank, whose rows are those of seed 1.
func part(ctx context.Context, comm cluster.Comm) (*Division, error) {
	l := Layout{Self: comm.Rank(), Ranks: comm.Size(), Words: words, Head: top, Cols: cols}
	often := func(int) float64 { return 1 }
	d, err := New(ctx, comm, l, Rows{vectors.NewMatrix(words, cols), vectors.NewMatrix(words, cols)}, Touches{often, often}, Options{
		Limits: Limits{Tokens: 10, Words: words, Pool: words}, Threads: 1,
		Head: replica.Options{Every: 5, Worth: 1, Coding: replica.Exact, Combine: func(int, replica.Row) float64 { return 1 }, Rate: func(uint64) float64 { return 1 }},
	})
	if err == nil {
		d.Initialise(1, 1)
	}
	return d, err
}

// round is a round of a text of these words, with a pool of these.
func (d *Division) round(text, pool []uint32) *Round {
	r := &Round{words: [kinds][]uint32{text, pool}}
	r.ask(d.Layout)
	return r
}

// What ranks change in the rows of their rounds, their owners add up. The next round has the changes that
// its rank made meanwhile.
func TestExchange(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("%d ranks", n), func(t *testing.T) {
			err := ranktest.Each(n, func(comm cluster.Comm) error {
				ctx := t.Context()
				d, err := part(ctx, comm)
				if err != nil {
					return err
				}
				first := d.round([]uint32{4, 7, 11}, []uint32{3, 5})
				_, rows, err := d.Exchange(ctx, replica.Control{}, nil, first)
				if err != nil {
					return err
				}
				if err := d.Install(first, rows, nil); err != nil {
					return err
				}
				// Slots behind the head are 4, 7 and 11, and in the output 3 and 5 too.
				in, out := d.working[input], d.working[output]
				for slot := range 3 {
					in.Row(top + slot)[0] += float32(slot + 1)
				}
				for slot := range 5 {
					out.Row(top + slot)[1] += float32(slot + 1)
				}
				// The rows of the second round are asked for before the changes of the first are sent.
				second := d.round([]uint32{5, 7}, []uint32{11})
				_, rows, err = d.Exchange(ctx, replica.Control{}, nil, second)
				if err != nil {
					return err
				}
				changes := d.Collect(first)
				if err := d.Install(second, rows, first); err != nil {
					return err
				}
				if got := in.Row(top + 1)[0]; math.Abs(float64(got-2)) > 1.1 { // word 7 began below 1 and changed by 2
					return fmt.Errorf("word 7 goes on with %v", got)
				}
				if got := out.Row(top + 2)[1]; math.Abs(float64(got-3)) > 0.1 { // word 11
					return fmt.Errorf("output row of word 11 goes on with %v", got)
				}
				if got := out.Row(top)[1]; math.Abs(float64(got-5)) > 0.1 { // word 5 was in the pool
					return fmt.Errorf("output row of word 5 goes on with %v", got)
				}
				if _, _, err := d.Exchange(ctx, replica.Control{}, changes, nil); err != nil {
					return err
				}
				if _, _, err := d.Exchange(ctx, replica.Control{}, d.Collect(second), nil); err != nil { // nothing
					return err
				}
				return sums(ctx, d, n)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// sums checks on rank 0, which all others serve, that each row has the changes of n ranks.
func sums(ctx context.Context, d *Division, n int) error {
	if d.Self > 0 {
		return d.Serve(ctx)
	}
	begun, err := part(ctx, ranktest.Local(1)[0])
	if err != nil {
		return err
	}
	before, loan := begun.Lend(ctx).Parts(), d.Lend(ctx)
	after := loan.Parts()
	changed := [matrices]map[int]float32{{4: 1, 7: 2, 11: 3}, {4: 1, 7: 2, 11: 3, 3: 4, 5: 5}}
	for m, of := range [matrices][2]vectors.Matrix{{before.Input, after.Input}, {before.Output, after.Output}} {
		was, is := make([]float32, cols), make([]float32, cols)
		for word := range words {
			of[0].Read(was, word)
			of[1].Read(is, word)
			was[m] += float32(n) * changed[m][word]
			for k := range is {
				if math.Abs(float64(is[k]-was[k])) > 0.05*float64(n) {
					return fmt.Errorf("matrix %d, word %d is %v, want %v", m, word, is, was)
				}
			}
		}
	}
	if err := loan.Close(); err != nil {
		return err
	}
	after.Input.Read(make([]float32, cols), words-1)
	if after.Source.Err() == nil {
		return fmt.Errorf("rows that were given back are read")
	}
	return nil
}

// The turns of a round are equally far apart, and the last one begins three quarters as far before its end.
func TestTurnsOfARound(t *testing.T) {
	ended := func(turn chan struct{}) bool {
		select {
		case <-turn:
			return true
		default:
			return false
		}
	}
	d := &Division{options: Options{Limits: Limits{Tokens: 50}, Head: replica.Options{Every: 20}, Ahead: 1}}
	p := d.Pace() // 3 turns, at 4 1/6, 20 5/6 and 37 1/2 tokens
	for trained, want := range map[uint64]int{4: 0, 5: 1, 20: 1, 21: 2, 37: 2, 38: 3, 60: 3} {
		if got := p.due(int(trained)); got != want {
			t.Errorf("%d turns are due after %d tokens, want %d", got, trained, want)
		}
	}
	p.Add(9)
	p.Add(17)
	if !ended(p.reached[0]) || !ended(p.reached[1]) || ended(p.reached[2]) {
		t.Error("26 tokens are trained, and other turns may begin than the first two")
	}
	p.Wait(t.Context(), 20) // for no turn: one may be late
	close(p.turned[0])
	p.Wait(t.Context(), 37) // for the first one
	waited := make(chan struct{})
	go func() {
		p.Wait(t.Context(), 38)
		close(waited)
	}()
	select {
	case <-waited:
		t.Error("a worker trains on while two turns are late")
	case <-time.After(20 * time.Millisecond):
	}
	close(p.turned[1])
	<-waited
}

// The rows of the head are the same on all ranks after turns.
func TestHeadIsAlike(t *testing.T) {
	err := ranktest.Each(3, func(comm cluster.Comm) error {
		ctx := t.Context()
		d, err := part(ctx, comm)
		if err != nil {
			return err
		}
		before := d.head[input].Row(1)[2]
		d.head[input].Row(1)[2] += float32(comm.Rank() + 1)
		pace, done := d.Pace(), make(chan struct{})
		followed := make(chan error)
		go func() { followed <- d.Follow(ctx, pace, done) }()
		pace.Wait(t.Context(), 1) // is before the first turn
		pace.Add(uint64(2 + comm.Rank()))
		pace.Add(3)
		pace.Wait(t.Context(), 6) // until there was a turn
		if got := d.head[input].Row(1)[2] - before; math.Abs(float64(got-6)) > 1e-5 {
			return fmt.Errorf("rank %d: the row has changed by %v, want 6", comm.Rank(), got)
		}
		close(done) // the text was shorter
		return <-followed
	})
	if err != nil {
		t.Error(err)
	}
}

// What another rank sends may be anything.
func TestDamagedMessages(t *testing.T) {
	alone := func(t *testing.T) *Division {
		t.Helper()
		d, err := part(t.Context(), ranktest.Local(1)[0])
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	asked := func(text, pool []uint32) []byte { return appendRising(appendRising(nil, text), pool) }
	for name, message := range map[string][]byte{
		"nothing":                     {},
		"no pool":                     appendRising(nil, []uint32{1}),
		"a row that is not there":     asked([]uint32{words - top}, nil),
		"something behind":            append(asked([]uint32{1}, []uint32{2}), 0),
		"a pool beyond the last word": asked(nil, []uint32{1, 100}),
	} {
		t.Run("asks: "+name, func(t *testing.T) {
			if err := alone(t).take([][]byte{message}); err == nil {
				t.Error("no error")
			}
		})
	}
	t.Run("changes that nobody asked for", func(t *testing.T) {
		if err := alone(t).add([][]byte{nil}); err == nil {
			t.Error("no error")
		}
	})
	t.Run("changes of fewer rows", func(t *testing.T) {
		d := alone(t)
		if err := d.take([][]byte{asked([]uint32{1, 2}, nil)}); err != nil {
			t.Fatal(err)
		}
		if err := d.add([][]byte{make([]byte, 2*rowBytes(cols))}); err == nil {
			t.Error("no error")
		}
	})
	t.Run("fewer rows than asked for", func(t *testing.T) {
		d := alone(t)
		if err := d.Install(d.round([]uint32{4}, nil), [][]byte{make([]byte, rowBytes(cols))}, nil); err == nil {
			t.Error("no error")
		}
	})
	t.Run("a short control", func(t *testing.T) {
		data := replica.Control{}.Append(nil)
		if _, _, err := replica.ControlOf(data[1:]); err == nil {
			t.Error("no error")
		}
	})
	t.Run("a control", func(t *testing.T) {
		c := replica.Control{Ended: true, Pause: true, Sent: 4, Sums: monitor.Sums{Tokens: 1, Pairs: 2, LastPairs: 3, Loss: 5, LastLoss: math.Inf(1)}}
		if got, rest, err := replica.ControlOf(append(c.Append(nil), 9)); got != c || len(rest) != 1 || err != nil {
			t.Errorf("%+v, %v, %v", got, rest, err)
		}
	})
}
