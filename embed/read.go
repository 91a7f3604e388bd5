package embed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/w2v-go/w2v/internal/parquet"
)

// An Entry is a row of a table of vectors.
type Entry struct {
	Name   string    // of a row with a vector not empty
	Vector []float32 // valid until the next entry; nil if the row has none
}

// ReadTable yields the rows of a Parquet file as Write or another program makes them: names, which are texts or whole numbers, are
// in one column, and vectors, which are lists of fractions and as long as each other, in the other. The first error, which names
// the file and the row, ends them.
func ReadTable(ctx context.Context, path, names, vectors string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer file.Close() // only reading: Close loses nothing
		row, dim := 0, 0
		read := func() error {
			info, err := file.Stat()
			if err != nil {
				return err
			}
			table, err := parquet.Open(file, info.Size())
			if err != nil {
				return err
			}
			column, err := table.Column(names)
			if err != nil {
				return err
			}
			if column.List {
				return fmt.Errorf("column %q has lists, and a name is a text or a number", names)
			}
			name := column.Read(0, table.Rows())
			vector, err := table.Vectors(vectors)
			if err != nil {
				return err
			}
			for ctx.Err() == nil {
				cell, err := name.Next()
				if errors.Is(err, io.EOF) {
					return nil
				}
				row++
				var v []float32
				if err == nil {
					v, err = vector.Next()
				}
				switch {
				case err != nil:
					return err
				case v == nil:
				case cell.Null || len(cell.Text) == 0:
					return errors.New("has no name")
				case dim == 0:
					dim = len(v)
				case dim != len(v):
					return fmt.Errorf("the vector has %d numbers, and one before has %d", len(v), dim)
				}
				if !yield(Entry{string(cell.Text), v}, nil) {
					return nil
				}
			}
			return ctx.Err()
		}
		if err := read(); err != nil {
			if row > 0 && ctx.Err() == nil {
				err = fmt.Errorf("row %d: %w", row, err)
			}
			yield(Entry{}, fmt.Errorf("%s: %w", path, err))
		}
	}
}
