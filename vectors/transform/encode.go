package transform

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

func inspected(ctx context.Context, s *vectors.Set, m vectors.Matrix, opt QuantizeOptions, name string) (vectors.Matrix, error) {
	if m.Rows == 0 {
		return m, nil
	}
	zeros, err := inspect(ctx, s, m, opt, name)
	if err != nil {
		return vectors.Matrix{}, err
	}
	return encode(ctx, s, m, opt, zeros)
}

// encode returns the rows of m, of s, quantised. zeros says that some rows must stay zero.
func encode(ctx context.Context, s *vectors.Set, m vectors.Matrix, opt QuantizeOptions, zeros bool) (vectors.Matrix, error) {
	if m.Rows == 0 {
		return m, nil
	}
	if opt.Method == QuantizeInt8 {
		codes := &coded.Int8s{Codes: make([]uint8, m.Rows*m.Cols), Scales: make([]float32, m.Rows), Cols: m.Cols}
		err := eachBlock(ctx, behind(s), m, runOf(m), nil, func(first int, rows vectors.Matrix) error {
			parallel.Do(rows.Rows, func(from, to int) {
				for i := from; i < to; i++ {
					r := first + i
					codes.Scales[r] = coded.EncodeInt8(codes.Codes[r*m.Cols:(r+1)*m.Cols], rows.Row(i))
				}
			})
			return nil
		})
		return vectors.Stored(m.Rows, m.Cols, codes), err
	}
	q, err := trainQuantised(ctx, s, m, opt, zeros)
	if err != nil {
		return vectors.Matrix{}, err
	}
	parts := q.Book.Parts()
	q.Codes = make([]uint8, m.Rows*parts)
	encoder := pq.NewEncoder(q.Book)
	var rotated []float32
	err = eachBlock(ctx, behind(s), m, runOf(m), nil, func(first int, block vectors.Matrix) error {
		rows := block.Data
		if q.Rotation != nil {
			rotated = slices.Grow(rotated[:0], len(rows))[:len(rows)]
			if err := pq.RotateRows(ctx, rotated, rows, q.Rotation); err != nil {
				return err
			}
			rows = rotated
		}
		parallel.Do(block.Rows, func(from, to int) {
			encoder.Clone().Encode(q.Codes[(first+from)*parts:(first+to)*parts], rows[from*m.Cols:to*m.Cols])
		})
		return nil
	})
	return vectors.Stored(m.Rows, m.Cols, q), err
}

func trainQuantised(ctx context.Context, s *vectors.Set, m vectors.Matrix, opt QuantizeOptions, zeros bool) (*coded.Quantised, error) {
	train := pq.Options{Part: opt.part(m.Cols), Size: pq.MaxSize, Seed: opt.Seed}
	train.Step = opt.Computation.step(opt.training(m), 0, 1)
	if zeros {
		train.Size--
	}
	chosen := pq.Choose(m.Rows, pq.SampleSize, opt.Seed)
	sample := make([]float32, len(chosen)*m.Cols)
	behind(s).Guard(func() {
		for i, r := range chosen {
			m.Read(sample[i*m.Cols:(i+1)*m.Cols], r)
			behind(s).Saw(backing.Page)
		}
	})
	if err := s.Err(); err != nil {
		return nil, err
	}
	q := &coded.Quantised{}
	var err error
	if opt.Method == QuantizeOPQ {
		q.Book, q.Rotation, err = pq.TrainRotated(ctx, sample, m.Cols, train)
	} else {
		q.Book, err = pq.Train(ctx, sample, m.Cols, train)
	}
	if err == nil && zeros {
		q.Book = q.Book.WithZeros()
	}
	return q, err
}

func (o QuantizeOptions) training(m vectors.Matrix) string {
	if o.Method == QuantizeOPQ {
		return fmt.Sprintf("a rotation of %d dimensions, and centroids", m.Cols)
	}
	return fmt.Sprintf("centroids of %d dimensions", m.Cols)
}

// runRows is the largest number of rows that are read, and then encoded, at a time.
const runRows = 4096

// runOf returns the number of rows of m in a run: fewer if rows are long, to limit memory and time.
func runOf(m vectors.Matrix) int { return min(runRows, max(1, 1<<22/max(1, m.Cols)), m.Rows) }

// inspect reports whether m has zero rows. It returns an error if m has rows that cannot be
// quantised. name is the name of a row; a vector is a word's vector.
func inspect(ctx context.Context, s *vectors.Set, m vectors.Matrix, opt QuantizeOptions, name string) (zeros bool, err error) {
	bad := -1
	err = eachBlock(ctx, behind(s), m, runOf(m), nil, func(first int, rows vectors.Matrix) error {
		for i := range rows.Rows {
			row := rows.Row(i)
			zeros = zeros || isZero(row)
			if bad < 0 && !opt.holds(row) {
				bad = first + i
			}
		}
		return nil
	})
	if err == nil && bad >= 0 {
		what := fmt.Sprintf("%s %d", name, bad)
		if strings.HasSuffix(name, "vector") {
			what = fmt.Sprintf("the %s of word %d, %.40q,", name, bad, s.Words().At(bad))
		}
		err = fmt.Errorf("%s %w: choose the method %s", what, coded.ErrInfinite, QuantizeF16)
	}
	return zeros, err
}

func (o QuantizeOptions) holds(row []float32) bool {
	if o.Method == QuantizeF16 {
		return true // Write decides
	}
	return !slices.ContainsFunc(row, func(x float32) bool { return !(math.Abs(float64(x)) < pq.Limit) })
}

func isZero(row []float32) bool {
	return !slices.ContainsFunc(row, func(x float32) bool { return x != 0 })
}
