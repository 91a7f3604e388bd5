package convert

import (
	"context"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Quantized is what Quantize makes of a set, and what was left out on the way.
type Quantized struct {
	Set      *vectors.Set
	Original *vectors.Set             // that was made smaller: without the words that were skipped
	Skipped  []*format.UnwritableWord // by skip
	LeftOut  format.LeftOut           // what the result, or its file, is without
}

// Quantize makes of set one with smaller rows, to be written in format f, and shaped as that
// format wants it. Skip leaves out words that the format cannot hold. Close set after the result.
func Quantize(ctx context.Context, set *vectors.Set, f format.Format, o transform.QuantizeOptions, skip bool) (*Quantized, error) {
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
	if f == format.Finalfusion { // in which words' rows are their whole vectors
		if rows.Subword() != nil && !format.KeepsSubword(rows.Subword(), rows.Composition(), f) {
			rows = rows.Plain()
		}
		rows = transform.Whole(rows)
	}
	if q.Set, err = transform.Quantize(ctx, rows, o); err != nil {
		return nil, err
	}
	inFile := format.LeavesOut(q.Set, f)
	dropped, _ := format.DroppedParts(whole, q.Set, format.Kept{Nodes: true, Rest: true})
	q.LeftOut = format.LeftOut{
		Subwords: whole.Subword() != nil && q.Set.Subword() == nil,
		Parts:    append(dropped, inFile.Parts...),
	}
	return q, nil
}
