package chart

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg"
)

// crowd returns tags at random points of an area, some of them at the same one.
func crowd(n int, area vg.Rectangle, seed uint64) []tag {
	r := rand.New(rand.NewPCG(seed, 1))
	tags := make([]tag, n)
	size := area.Size()
	for i := range tags {
		tags[i] = tag{
			at:     area.Min.Add(vg.Point{X: size.X * vg.Length(r.Float64()), Y: size.Y * vg.Length(r.Float64())}),
			radius: 3, width: 8 + vg.Length(r.IntN(60)), height: 10,
		}
		if i > 0 && r.IntN(8) == 0 {
			tags[i].at = tags[i-1].at
		}
	}
	return tags
}

func TestLabelsNeverOverlap(t *testing.T) {
	area := vg.Rectangle{Min: vg.Point{X: 10, Y: 20}, Max: vg.Point{X: 410, Y: 320}}
	for seed := range uint64(20) {
		for _, n := range []int{1, 10, 60, 200} {
			t.Run(fmt.Sprint(n, " ", seed), func(t *testing.T) {
				tags := crowd(n, area, seed)
				lines := []segment{{area.Min, area.Max}}
				spots := places(tags, tags, lines, area, seed%2 == 0)
				placed := 0
				for i, s := range spots {
					if !s.ok {
						continue
					}
					placed++
					if d := s.Size().Sub(vg.Point{X: tags[i].width, Y: tags[i].height}); d.Dot(d) > 1e-18 {
						t.Errorf("label %d has another size: %v", i, s.Size())
					}
					if s.Min.X < area.Min.X || s.Min.Y < area.Min.Y || s.Max.X > area.Max.X || s.Max.Y > area.Max.Y {
						t.Errorf("label %d is outside: %v", i, s.Rectangle)
					}
					near := nearest(s.Rectangle, tags[i].at).Sub(tags[i].at)
					if far := near.Dot(near); s.leader != (far > (tags[i].radius+gap+1)*(tags[i].radius+gap+1)) {
						t.Errorf("label %d: leader %t, and its distance squared is %v", i, s.leader, far)
					}
					for k, other := range spots[:i] {
						if other.ok && overlap(s.Rectangle, other.Rectangle) {
							t.Errorf("labels %d and %d overlap", i, k)
						}
					}
				}
				if n <= 10 && placed < n && seed%2 == 0 {
					t.Errorf("%d of %d labels have a place", placed, n)
				}
			})
		}
	}
}

func TestPlaces(t *testing.T) {
	area := vg.Rectangle{Max: vg.Point{X: 200, Y: 100}}
	at := func(x, y vg.Length) tag { return tag{at: vg.Point{X: x, Y: y}, radius: 3, width: 40, height: 10} }
	box := func(x, y vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + 40, Y: y + 10}}
	}
	for name, c := range map[string]struct {
		tags   []tag
		lines  []segment
		points []tag
		want   []vg.Rectangle
	}{
		"right of its point":                    {tags: []tag{at(50, 50)}, want: []vg.Rectangle{box(55, 45)}},
		"left of it at the right edge":          {tags: []tag{at(190, 50)}, want: []vg.Rectangle{box(145, 45)}},
		"not on a line on the right":            {tags: []tag{at(50, 50)}, lines: []segment{{vg.Point{X: 50, Y: 50}, vg.Point{X: 200, Y: 50}}}, want: []vg.Rectangle{box(53.75, 51.75)}},
		"not on a point on the right":           {tags: []tag{at(50, 50)}, points: []tag{at(70, 50)}, want: []vg.Rectangle{box(30, 55)}},
		"the second one where the first is not": {tags: []tag{at(50, 50), at(50, 58)}, want: []vg.Rectangle{box(55, 45), box(53.75, 59.75)}},
	} {
		t.Run(name, func(t *testing.T) {
			spots := places(c.tags, append(c.points, c.tags...), c.lines, area, true)
			for i, want := range c.want {
				if d := spots[i].Min.Sub(want.Min); !spots[i].ok || d.Dot(d) > 1e-9 {
					t.Errorf("label %d is at %v, want %v", i, spots[i].Rectangle, want)
				}
			}
		})
	}
	if s := places([]tag{{at: vg.Point{X: 5, Y: 5}, width: 300, height: 10}}, nil, nil, area, true); s[0].ok {
		t.Error("a label that is wider than the area has a place")
	}
}

func TestCrosses(t *testing.T) {
	r := vg.Rectangle{Min: vg.Point{X: 10, Y: 10}, Max: vg.Point{X: 20, Y: 20}}
	for _, c := range []struct {
		x0, y0, x1, y1 vg.Length
		want           bool
	}{
		{0, 15, 30, 15, true},   // through it
		{0, 0, 30, 30, true},    // through its corners
		{12, 12, 14, 14, true},  // within
		{0, 15, 9, 15, false},   // ends before it
		{0, 25, 30, 25, false},  // above
		{0, 21, 5, 30, false},   // beside
		{15, 0, 15, 10, true},   // touches it
		{30, 0, 31, 40, false},  // on the right
		{5, 15, 15, 40, false},  // past a corner
		{15, 15, 15, 15, true},  // a point within
		{25, 15, 25, 15, false}, // a point outside
	} {
		if got := crosses(segment{vg.Point{X: c.x0, Y: c.y0}, vg.Point{X: c.x1, Y: c.y1}}, r); got != c.want {
			t.Errorf("%v: %t, want %t", c, got, c.want)
		}
	}
}
