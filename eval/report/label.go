package report

import "unicode/utf8"

// The size of the field for which labels are placed, in pixels. On a narrow screen labels are
// numbers alone, which need less room.
const (
	fieldWidth  = 760
	fieldHeight = 440
	letterWidth = 7
	lineHeight  = 16
)

// A room remembers which parts of a field are taken.
type room struct{ boxes []box }

type box struct{ left, top, right, bottom float64 }

func (b box) overlaps(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

// dot takes the room of a point.
func (r *room) dot(x, y float64) {
	const radius = 5
	px, py := x*fieldWidth, y*fieldHeight
	r.boxes = append(r.boxes, box{px - radius, py - radius, px + radius, py + radius})
}

// beside returns where the label of a point fits without covering a dot or another label. The
// point's place is given as shares of width and height. If the label fits nowhere, it has no
// anchor.
func (r *room) beside(x, y float64, text string) label {
	px, py := x*fieldWidth, y*fieldHeight
	width := float64(utf8.RuneCountInString(text) * letterWidth)
	for _, candidate := range []label{
		{DX: 9, DY: 4, Anchor: "start"}, {DX: -9, DY: 4, Anchor: "end"}, {DX: 6, DY: -8, Anchor: "start"},
		{DX: 6, DY: 16, Anchor: "start"}, {DX: -6, DY: -8, Anchor: "end"}, {DX: -6, DY: 16, Anchor: "end"},
	} {
		left := px + float64(candidate.DX)
		if candidate.Anchor == "end" {
			left -= width
		}
		bottom := py + float64(candidate.DY) + 4
		b := box{left, bottom - lineHeight, left + width, bottom}
		if b.left < 0 || b.right > fieldWidth || b.top < -lineHeight/2 || b.bottom > fieldHeight+lineHeight/2 {
			continue
		}
		free := true
		for _, other := range r.boxes {
			free = free && !b.overlaps(other)
		}
		if free {
			r.boxes = append(r.boxes, b)
			return candidate
		}
	}
	return label{}
}
