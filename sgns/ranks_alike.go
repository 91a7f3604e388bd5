package sgns

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vocab"
)

// Files may differ from machine to machine. Ranks that began with other words or other parameters would
// exchange rows that have nothing to do with each other.

// alike returns an error if ranks have other words, or begin with other parameters. All ranks get one.
func alike(ctx context.Context, comm cluster.Comm, v *vocab.Vocab, values *params.Values) error {
	own := binary.LittleEndian.AppendUint32(nil, wordsChecksum(v))
	own = binary.LittleEndian.AppendUint32(own, valuesChecksum(values))
	received, err := comm.AllToAll(slices.Repeat([][]byte{own}, comm.Size())).Wait(ctx)
	if err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	for rank, m := range received {
		what := "begins with other vectors"
		switch {
		case slices.Equal(m, received[0]):
			continue
		case len(m) != len(own) || !slices.Equal(m[:4], received[0][:4]):
			what = "has another vocabulary"
		}
		return ofAll(comm, fmt.Errorf("rank %d %s than rank 0: all ranks must find the same files", rank, what))
	}
	return nil
}

// ofAll returns an error that all ranks have as that of rank 0, which tells of it.
func ofAll(comm cluster.Comm, err error) error {
	if err != nil && comm.Rank() > 0 {
		return &cluster.EndedError{Rank: 0, Err: err}
	}
	return err
}

// wordsChecksum is one of all words and their counts.
func wordsChecksum(v *vocab.Vocab) uint32 {
	sum := crc32.NewIEEE() // has no errors
	var count []byte
	for id := range v.Len() {
		_, _ = io.WriteString(sum, v.Token(id))
		count = binary.LittleEndian.AppendUint64(count[:0], v.Count(id))
		_, _ = sum.Write(count)
	}
	return sum.Sum32()
}

// valuesChecksum is one of the shapes and of some hundred rows of each matrix.
func valuesChecksum(values *params.Values) uint32 {
	sum := crc32.NewIEEE()
	var row []byte
	for m, rows := range values.Owned() {
		_, _ = fmt.Fprint(sum, m.Name, rows.Rows, rows.Cols)
		for r := 0; r < rows.Rows; r += max(rows.Rows/500, 1) {
			row = row[:0]
			for _, x := range rows.Row(r) {
				row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x))
			}
			_, _ = sum.Write(row)
		}
	}
	return sum.Sum32()
}
