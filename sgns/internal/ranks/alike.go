package ranks

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/run"
	"github.com/w2v-go/w2v/vocab"
)

// Files may differ from machine to machine. Ranks that began with other words or other parameters would
// exchange rows that have nothing to do with each other.

// alike returns an error if ranks have other words, begin with other parameters, or have other settings. All
// ranks get one.
func alike(ctx context.Context, comm cluster.Comm, r *run.Run, o Options) error {
	settings, err := settingsChecksum(r.Config, o)
	if err != nil {
		return err
	}
	own := binary.LittleEndian.AppendUint32(nil, wordsChecksum(r.Data.Vocab))
	own = binary.LittleEndian.AppendUint32(own, valuesChecksum(r.Model.Values))
	own = binary.LittleEndian.AppendUint32(own, settings)
	received, err := comm.AllToAll(slices.Repeat([][]byte{own}, comm.Size())).Wait(ctx)
	if err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	for rank, m := range received {
		what, must := "begins with other vectors", "must find the same files"
		switch {
		case slices.Equal(m, received[0]):
			continue
		case len(m) != len(own) || !slices.Equal(m[:4], received[0][:4]):
			what = "has another vocabulary"
		case slices.Equal(m[:8], received[0][:8]):
			what, must = "has other settings", "must get the same command line"
		}
		return OfAll(comm, fmt.Errorf("rank %d %s than rank 0: all ranks %s", rank, what, must))
	}
	return nil
}

// OfAll returns an error that all ranks have as that of rank 0, which tells of it.
func OfAll(comm cluster.Comm, err error) error {
	if err != nil && comm.Rank() > 0 {
		return &cluster.EndedError{Rank: 0, Err: err}
	}
	return err
}

// settingsChecksum is one of all that ranks must be told alike.
func settingsChecksum(c config.Config, o Options) (uint32, error) {
	c.Threads = 0 // each rank has its own
	text, err := json.Marshal(c)
	if err != nil {
		return 0, fmt.Errorf("the configuration: %w", err)
	}
	text = fmt.Appendln(text, o.Every, o.Budget)
	return crc32.ChecksumIEEE(text), nil
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
