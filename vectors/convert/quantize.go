package convert

import (
	"context"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Quantized is what Quantize makes of a set, and what was left out on the way.
type Quantized struct {
	Set      *vectors.Set
	Original *vectors.Set              // that was made smaller: without the words that were skipped
	Skipped  []*vectors.UnwritableWord // by skip
	LeftOut  vectors.LeftOut           // what the result, or its file, is without
}

// Quantize makes of set one with smaller rows, to be written in format f, and shaped as that
// format wants it. Skip leaves out words that the format cannot hold. Close set after the result.
func Quantize(ctx context.Context, set *vectors.Set, f vectors.Format, o transform.QuantizeOptions, skip bool) (*Quantized, error) {
	q := &Quantized{}
	whole := set
	var err error
	if skip {
		if whole, q.Skipped, err = Writable(set, f); err != nil {
			return nil, err
		}
	}
	rows := whole
	q.Original = whole
	if f == vectors.FormatFinalfusion { // in which words' rows are their whole vectors
		if rows.Subword() != nil && !vectors.KeepsSubword(rows.Subword(), rows.Composition(), f) {
			rows = rows.Plain()
		}
		rows = transform.Whole(rows)
	}
	if q.Set, err = transform.Quantize(ctx, rows, o); err != nil {
		return nil, err
	}
	inFile := q.Set.LeftOut(f)
	dropped, _ := vectors.DroppedParts(whole, q.Set, vectors.Kept{Nodes: true, Rest: true})
	q.LeftOut = vectors.LeftOut{
		Subwords: whole.Subword() != nil && q.Set.Subword() == nil,
		Parts:    append(dropped, inFile.Parts...),
	}
	return q, nil
}
