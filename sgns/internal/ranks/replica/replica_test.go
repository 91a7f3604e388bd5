package replica

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/vectors"
)

// exact exchanges all rows in every turn, without rounding.
// sum adds changes up.
func sum(int, Row) float64 { return 1 }

var exact = Options{Every: 1, Coding: Exact, Combine: sum}

// always is how often rows are touched that are due in every turn.
func always(int) float64 { return 1000 }

// matrixOf returns a matrix of so many rows, whose numbers are f of row and column.
func matrixOf(rows, cols int, f func(r, k int) float32) vectors.Matrix {
	m := vectors.NewMatrix(rows, cols)
	for r := range rows {
		for k := range cols {
			m.Row(r)[k] = f(r, k)
		}
	}
	return m
}

// whole is numbers that float32 adds without rounding.
func whole(r, k int) float32 { return float32(100*r + k) }

// onRanks makes on each of n ranks a synchroniser of the same rows, lets train change them, and calls
// then. It returns the rows of each rank.
func onRanks(t *testing.T, n int, o Options, train func(rank int, m vectors.Matrix), then func(s *Synchroniser, m vectors.Matrix) error) []vectors.Matrix {
	t.Helper()
	all := make([]vectors.Matrix, n)
	err := ranktest.Each(n, func(comm cluster.Comm) error {
		m := matrixOf(7, 20, whole)
		all[comm.Rank()] = m
		s := New(comm, []Matrix{{Rows: m, Touches: always}}, o)
		train(comm.Rank(), m)
		return then(s, m)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func turn(t *testing.T) func(*Synchroniser, vectors.Matrix) error {
	return func(s *Synchroniser, _ vectors.Matrix) error { return next(t.Context(), s) }
}

// next takes the turn that is due one unit after the one before.
func next(ctx context.Context, s *Synchroniser) error {
	return s.Turn(ctx, s.course.trained+s.options.Every)
}

// moved adds by to all numbers of a row.
func moved(m vectors.Matrix, row int, by float32) {
	for k := range m.Row(row) {
		m.Row(row)[k] += by
	}
}

// Rows that one rank changed are on all ranks what that rank made of them: exactly as if one process
// had trained. Rows that several changed are what the combiner says.
func TestTurn(t *testing.T) {
	mean := func(n int, _ Row) float64 { return 1 / float64(n) }
	train := func(rank int, m vectors.Matrix) {
		moved(m, rank, 5)               // its own row
		moved(m, 4, float32(10*rank+2)) // a row of all
	}
	for _, test := range []struct {
		name    string
		ranks   int
		combine Combiner
		shared  float32 // what the row of all changes by
	}{
		{"sum of two", 2, sum, 2 + 12},
		{"sum of three", 3, sum, 2 + 12 + 22},
		{"mean of two", 2, mean, (2 + 12) / 2},
		{"mean of three", 3, mean, (2 + 12 + 22) / 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := exact
			o.Combine = test.combine
			want := matrixOf(7, 20, whole)
			for rank := range test.ranks {
				moved(want, rank, 5)
			}
			moved(want, 4, test.shared)
			for rank, got := range onRanks(t, test.ranks, o, train, turn(t)) {
				if !slices.Equal(got.Data, want.Data) {
					t.Errorf("rank %d has %v, want %v", rank, got.Data, want.Data)
				}
			}
		})
	}
}

// What coding rounds away is not lost: it is sent in later turns.
func TestRoundedPartsAreSentLater(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	changes := matrixOf(7, 20, func(_, _ int) float32 { return r.Float32() - 0.5 })
	for _, coding := range []Coding{Eight} {
		o := exact
		o.Coding = coding
		all := onRanks(t, 2, o, func(rank int, m vectors.Matrix) {
			if rank == 1 {
				for row := range m.Rows {
					copy(m.Row(row), changes.Row(row)) // where the row was 0 … 619
				}
			}
		}, func(s *Synchroniser, _ vectors.Matrix) error {
			for range 6 {
				if err := next(t.Context(), s); err != nil {
					return err
				}
			}
			return nil
		})
		for rank, m := range all {
			for row := range m.Rows {
				for k, x := range m.Row(row) {
					if d := x - changes.Row(row)[k]; math.Abs(float64(d)) > 1e-4 {
						t.Fatalf("coding %d, rank %d: row %d is off by %v", coding, rank, row, d)
					}
				}
			}
		}
	}
}

// Small changes wait until they have become large, and a complete turn waits for none.
func TestSmallChangesWait(t *testing.T) {
	o := exact
	o.Ignored = 1.0 / 100
	small := func(rank int, m vectors.Matrix) {
		if rank == 0 {
			moved(m, 5, 2) // of 500
		}
	}
	sent := func(times int, complete bool) float32 {
		all := onRanks(t, 2, o, small, func(s *Synchroniser, m vectors.Matrix) error {
			for range times {
				if err := next(t.Context(), s); err != nil {
					return err
				}
				small(s.comm.Rank(), m)
			}
			if complete {
				return s.Complete(t.Context(), s.course.trained)
			}
			return nil
		})
		return all[1].Row(5)[0] - 500
	}
	for _, test := range []struct {
		times    int
		complete bool
		want     float32
	}{{1, false, 0}, {2, false, 0}, {3, false, 6}, {1, true, 4}} {
		if got := sent(test.times, test.complete); got != test.want {
			t.Errorf("after %d turns, complete %v: %v was sent, want %v", test.times, test.complete, got, test.want)
		}
	}
}

// After a complete turn the rows of all ranks are the same, bit by bit.
func TestComplete(t *testing.T) {
	o := Defaults()
	all := onRanks(t, 3, o, func(rank int, m vectors.Matrix) {
		r := rand.New(rand.NewPCG(uint64(rank), 1))
		for i := range m.Data {
			m.Data[i] += r.Float32()
		}
	}, func(s *Synchroniser, m vectors.Matrix) error {
		if err := next(t.Context(), s); err != nil {
			return err
		}
		moved(m, s.comm.Rank(), 0.1)
		return s.Complete(t.Context(), s.course.trained)
	})
	for rank, m := range all {
		for row := range m.Rows {
			if !slices.Equal(m.Row(row), all[0].Row(row)) {
				t.Errorf("row %d of rank %d is not that of rank 0", row, rank)
			}
		}
	}
}

// What comes of a turn does not depend on how many goroutines share the work, and the references of all ranks
// are the same, bit by bit.
func TestThreads(t *testing.T) {
	run := func(threads int) []vectors.Matrix {
		o := Defaults()
		o.Threads = threads
		all, references := make([]vectors.Matrix, 3), make([]vectors.Matrix, 3)
		err := ranktest.Each(3, func(comm cluster.Comm) error {
			r := rand.New(rand.NewPCG(uint64(comm.Rank()), 3))
			m := matrixOf(3*stretchPlaces+5, 21, whole)
			s := New(comm, []Matrix{{Rows: m, Touches: always}}, o)
			all[comm.Rank()], references[comm.Rank()] = m, s.reference[0]
			for range 3 {
				for row := range m.Rows {
					for k := range m.Row(row) {
						if row%5 != comm.Rank() {
							m.Row(row)[k] += float32(row) * r.Float32()
						}
					}
				}
				if err := next(t.Context(), s); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for rank, m := range references {
			if !slices.Equal(m.Data, references[0].Data) {
				t.Errorf("%d threads: the reference of rank %d is not that of rank 0", threads, rank)
			}
		}
		return all
	}
	want := run(1)
	for _, threads := range []int{2, 3, 16} {
		for rank, got := range run(threads) {
			if !slices.Equal(got.Data, want[rank].Data) {
				t.Errorf("%d threads: rank %d has other rows than with one", threads, rank)
			}
		}
	}
}

// Every row is due once in its period, and rare rows have long ones.
func TestDue(t *testing.T) {
	touches := []float64{100, 4, 2, 2, 2, 1, 0.5, 0.01, 0, 0}
	periods := []int{1, 1, 2, 2, 2, 4, 8, 512, 512, 512}
	m := Matrix{Rows: vectors.NewMatrix(len(touches), 4), Touches: func(row int) float64 { return touches[row] }}
	s := New(ranktest.Local(1)[0], []Matrix{m}, Options{Every: 1, Worth: 4, Combine: sum})
	for _, far := range []int{1, 2, 3, 100} { // units between two turns
		times := make([]int, len(touches))
		turns := 512 / far
		for turn := range turns {
			for p := range s.due(turn*far, (turn+1)*far) {
				times[p.row]++
			}
		}
		for row, n := range times {
			if least := turns * far / max(far, periods[row]); n < least || n > least+1 {
				t.Errorf("turns every %d units: row %d is due %d times in %d turns, want %d", far, row, n, turns, least)
			}
		}
	}
	all := make([]int, len(touches))
	for p := range s.due(3, 3+longestPeriod) {
		all[p.row]++
	}
	if slices.Max(all) != 1 || slices.Min(all) != 1 {
		t.Errorf("rows are %v times in a complete turn", all)
	}
}

// A row is combined by what it moved since it was exchanged the last time, at the rates of that time: also if
// the rate is zero now, if turns are far apart, and in complete turns.
func TestWay(t *testing.T) {
	const total, size = 2000.0, 2
	touches := []float64{4, 1, 0.5} // every unit of 10, every 2nd, every 4th
	rate := func(trained uint64) float64 { return 1 - float64(trained)/total }
	sum := func(from, to uint64) float64 { return float64(to-from) * (rate(from) + rate(to)) / 2 }
	ways := map[int]float64{}
	m := Matrix{Rows: matrixOf(len(touches), 4, whole), Touches: func(row int) float64 { return touches[row] / 10 }}
	o := Options{Every: 10, Worth: 2 * size, Coding: Exact, Rate: rate, Combine: func(_ int, row Row) float64 {
		ways[len(ways)] = row.Way
		return 1
	}}
	s := New(ranktest.Local(1)[0], []Matrix{m}, o)
	s.classes = classesOf([]Matrix{m}, 10, 2) // as of two ranks
	s.Begin(100)
	last := []uint64{100, 100, 100}
	for _, turn := range []struct {
		trained  uint64
		complete bool
		due      []int
	}{
		{110, false, []int{0}},
		{120, false, []int{0, 1}},
		{135, false, []int{0}},
		{145, false, []int{0, 1, 2}},
		{400, false, []int{0, 1, 2}}, // far apart
		{410, false, []int{0}},
		{500, true, []int{0, 1, 2}},
		{2000, true, []int{0, 1, 2}}, // the rate has come to zero
	} {
		for row := range m.Rows.Rows {
			moved(m.Rows, row, 1)
		}
		clear(ways)
		var err error
		if turn.complete {
			err = s.Complete(t.Context(), turn.trained)
		} else {
			err = s.Turn(t.Context(), turn.trained)
		}
		if err != nil {
			t.Fatal(err)
		}
		var want []float64
		for _, row := range turn.due {
			want = append(want, touches[row]/10*sum(last[row], turn.trained))
			last[row] = turn.trained
		}
		for i, way := range want {
			if math.Abs(ways[i]-way) > 1e-3*way || len(ways) != len(want) {
				t.Fatalf("after %d tokens the ways are %v, want %v", turn.trained, ways, want)
			}
		}
	}
}

func largest(x []float32) (most float32) {
	for _, v := range x {
		most = max(most, v, -v)
	}
	return most
}

func TestCoding(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, test := range []struct {
		name   string
		coding Coding
		in     []float32
		want   []float32 // NaN for what is not a number
	}{
		{"exact", Exact, []float32{1, -2.7182817, 0, 1e-30}, []float32{1, -2.7182817, 0, 1e-30}},
		{"eight", Eight, []float32{127, -126.6, 0.4, 0.6, -127}, []float32{127, -127, 0, 1, -127}},
		{"eight, zeros", Eight, []float32{0, 0}, []float32{0, 0}},
		{"eight, smaller than it can say", Eight, []float32{1e-37, 0, -1e-40}, []float32{0, 0, 0}},
		{"eight, infinite", Eight, []float32{1, inf}, []float32{float32(math.NaN()), float32(math.NaN())}},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := test.coding.Append([]byte("before"), test.in, largest(test.in))[len("before"):]
			if len(data) != test.coding.Bytes(len(test.in)) {
				t.Errorf("%d bytes, want %d", len(data), test.coding.Bytes(len(test.in)))
			}
			read := make([]float32, len(test.in))
			for _, by := range []float32{1, -2} {
				clear(read)
				most := test.coding.Add(read, data, by)
				same := func(x, want float32) bool { return x == want || x != x && want != want }
				for i, want := range test.want {
					if !same(read[i], by*want) {
						t.Errorf("number %d is %v, want %v times %v", i, read[i], want, by)
					}
				}
				if test.coding == Eight && !same(most, largest(read)) {
					t.Errorf("the largest of %v is %v", read, most)
				}
			}
		})
	}
}

// What another rank sent may be anything.
func TestDamagedData(t *testing.T) {
	s := New(ranktest.Local(1)[0], []Matrix{{Rows: vectors.NewMatrix(3, 4), Touches: always}}, exact)
	x := &s.exchange
	x.begin(false)
	x.places = []place{{row: 0}, {row: 1}, {row: 2}}
	row := make([]byte, 16)
	stretch := func(parts ...[]byte) []byte {
		data := slices.Concat(parts...)
		return append([]byte{byte(len(data)), 0, 0, 0}, data...)
	}
	none := stretch()
	own := func(data []byte) {
		if err := x.split(x.own, [][]byte{data}); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{
		"nothing":                 nil,
		"a row that there is not": stretch([]byte{3}, row),
		"half a row":              stretch([]byte{0}, row[:8]),
		"no number of a row":      stretch([]byte{0xff}),
		"a row too many":          stretch([]byte{2}, row, []byte{0}, row),
		"half a length":           none[:2],
		"less than its length":    stretch([]byte{0}, row)[:10],
		"more than its length":    append(stretch([]byte{0}, row), 0),
		"a stretch too many":      slices.Concat(none, none),
	} {
		if err := x.work([][]byte{data}, (*hand).combine); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		own(none)
		if err := x.work([][]byte{data}, (*hand).apply); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s, combined: %v", name, err)
		}
	}
	if err := x.work([][]byte{stretch([]byte{1}, row)}, (*hand).combine); err != nil {
		t.Errorf("one row: %v", err)
	}
	own(stretch([]byte{1}, row))
	if err := x.work([][]byte{none}, (*hand).apply); !errors.Is(err, ErrDamaged) {
		t.Errorf("a change that does not come back: %v", err)
	}
}
