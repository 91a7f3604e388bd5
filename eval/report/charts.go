package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

type mark struct {
	name, link string
	score      float64
	interval   eval.Interval
	value      string    // how the value is printed
	note       string    // what the hover text says after the value
	class      string    // the row's look, or ""
	runs       []float64 // scores whose mean is the value
}

func drawn(caption string, marks []mark, bars bool, bounds ...float64) block {
	if len(marks) == 0 {
		return nil
	}
	values := slices.Clone(bounds)
	for _, m := range marks {
		values = append(append(values, m.score), m.runs...)
		if exists(m.interval) {
			values = append(values, m.interval.Low, m.interval.High)
		}
	}
	a := newAxis(7, values...)
	ticks := a.ticks(a.at)
	return func(h *hypertext) {
		h.put("\n<figure>\n<figcaption>%s</figcaption>", caption)
		for _, m := range marks {
			h.mark(m, a, ticks, bars)
		}
		h.put(`
<div class="row axis" aria-hidden="true">
<span class="name"></span><span class="value"></span>
<svg class="plot">`)
		for _, t := range ticks {
			h.put(`<text x="%s" y="1em">%s</text>`, t.At, t.Label)
		}
		h.put("</svg>\n</div>\n</figure>")
	}
}

func (h *hypertext) mark(m mark, a axis, ticks []tick, bar bool) {
	title := m.name + ": " + m.value
	if exists(m.interval) {
		title += fmt.Sprintf(", 95 %% interval %s", span(m.interval))
	}
	if m.note != "" {
		title += ", " + m.note
	}
	h.put(`
<div class="row %s">
<span class="name">%s</span>
<span class="value">%s</span>
<svg class="plot" role="img"><title>%s</title>`, m.class, link(m.link, m.name), m.value, title)
	h.upright(ticks)
	if !math.IsNaN(m.score) && bar {
		zero, at := a.share(0), a.share(m.score)
		h.put(`<rect class="bar" x="%s" width="%s" y="25%%" height="50%%"/>`, percent(min(zero, at)), percent(math.Abs(at-zero)))
	}
	if exists(m.interval) {
		h.put(`<line class="whisker" x1="%[1]s" x2="%[2]s" y1="50%%" y2="50%%"/>`+
			`<line class="whisker" x1="%[1]s" x2="%[1]s" y1="30%%" y2="70%%"/>`+
			`<line class="whisker" x1="%[2]s" x2="%[2]s" y1="30%%" y2="70%%"/>`, a.at(m.interval.Low), a.at(m.interval.High))
	}
	for _, run := range m.runs {
		if !math.IsNaN(run) {
			h.put(`<circle class="run" cx="%s" cy="50%%" r="3"/>`, a.at(run))
		}
	}
	if !math.IsNaN(m.score) && !bar {
		h.put(`<circle class="dot" cx="%s" cy="50%%" r="5"/>`, a.at(m.score))
	}
	h.put("</svg>\n</div>")
}

func (h *hypertext) upright(ticks []tick) {
	for _, t := range ticks {
		h.put(`<line class="%[1]s" x1="%[2]s" x2="%[2]s" y1="0" y2="100%%"/>`, t.class(), t.At)
	}
}

type byMetric struct {
	metrics []string // in the order of their first mention
	marks   map[string][]mark
}

func (b *byMetric) add(metric string, m mark) {
	if b.marks == nil {
		b.marks = make(map[string][]mark)
	}
	if b.marks[metric] == nil {
		b.metrics = append(b.metrics, metric)
	}
	b.marks[metric] = append(b.marks[metric], m)
}

func (b *byMetric) drawn(draw func(metric string, marks []mark) block) (blocks []block) {
	for _, metric := range b.metrics {
		blocks = append(blocks, draw(metric, b.marks[metric]))
	}
	return blocks
}

// bounds returns the values that the axis of a metric always has, so that a chart does not make a
// small difference look large. Effect sizes have none but zero.
func bounds(metric string) []float64 {
	if metrics[metric].share {
		return []float64{0, 1}
	}
	return []float64{0}
}

type axis struct {
	low, high, step float64
}

// newAxis returns an axis with about so many steps of 1, 2 or 5 times a power of ten, that covers
// all finite values.
func newAxis(steps float64, values ...float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	if low == high {
		low, high = low-0.5*max(1, math.Abs(low)), high+0.5*max(1, math.Abs(high))
	}
	rough := (high - low) / steps
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step := 10 * power
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= rough*(1-1e-9) {
			step = factor * power
			break
		}
	}
	// A value that rounding puts a hair beyond a tick does not need another step.
	return axis{step * math.Floor(low/step+1e-9), step * math.Ceil(high/step-1e-9), step}
}

// at returns where a value lies, in per cent of the width. Values beyond the ends lie on the ends.
func (a axis) at(v float64) string { return percent(a.share(v)) }

func (a axis) share(v float64) float64 { return min(1, max(0, (v-a.low)/(a.high-a.low))) }

// up is at for a vertical axis, whose values grow upwards.
func (a axis) up(v float64) string { return percent(1 - a.share(v)) }

type tick struct {
	At    string // its place in per cent
	Label string
	Zero  bool
}

func (a axis) ticks(place func(float64) string) []tick {
	digits := max(0, int(math.Ceil(-math.Log10(a.step)-1e-9)))
	var all []tick
	for i := range int(math.Round((a.high-a.low)/a.step)) + 1 {
		v := a.low + float64(i)*a.step
		label := strconv.FormatFloat(v, 'f', digits, 64)
		if strings.Trim(label, "-0.") == "" {
			label = strings.TrimPrefix(label, "-")
		}
		all = append(all, tick{place(v), strings.Replace(label, "-", "−", 1), math.Abs(v) < a.step/1e6})
	}
	return all
}

// The size of the field for which labels are placed, in pixels. On a narrow screen labels are
// numbers alone, which need less room.
const (
	fieldWidth  = 760
	fieldHeight = 440
	letterWidth = 7
	lineHeight  = 16
)

type room struct{ boxes []box }

type box struct{ left, top, right, bottom float64 }

func (b box) overlaps(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

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
		if !slices.ContainsFunc(r.boxes, b.overlaps) {
			r.boxes = append(r.boxes, b)
			return candidate
		}
	}
	return label{}
}

type label struct {
	DX, DY int
	Anchor string // "start" or "end", a class; "" if there is no room
}

const worstItems = 20

func apart(j eval.Judgement) float64 { return j.ModelRank - j.HumanRank }

func worst(all []eval.Judgement) []int {
	var order []int
	for i, j := range all {
		if apart(j) != 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(apart(all[j])), math.Abs(apart(all[i]))) })
	return order[:min(worstItems, len(order))]
}

func judgementBlocks(all []eval.Judgement) []block {
	if len(all) == 0 {
		return nil
	}
	order := worst(all)
	list := table{columns: []column{{"pair", false}, {"human", true}, {"cosine", true}, {"human rank", true}, {"model rank", true}, {"difference", true}}}
	for n, i := range order {
		j := all[i]
		list.rows = append(list.rows, []string{fmt.Sprintf("%d  %s", n+1, pairName(j.Item)), short(j.Human), decimals(j.Model), short(j.HumanRank), short(j.ModelRank), plus(apart(j), short)})
	}
	return []block{scatter(all, order), list.block("Largest differences of ranks")}
}

// scatter has a point for each item, at the number of people and the number of the model. The worst
// items are marked and numbered.
func scatter(all []eval.Judgement, worst []int) block {
	xs, ys := make([]float64, len(all)), make([]float64, len(all))
	for i, j := range all {
		xs[i], ys[i] = j.Human, j.Model
	}
	x, y := newAxis(8, xs...), newAxis(7, ys...)
	title := fmt.Sprintf("%s as points: the number of people to the right, the cosine upwards. The %s whose ranks differ most are numbered and listed below.",
		wording.Count(len(all), "pair", "pairs"), wording.Thousands(len(worst)))
	return plane{
		caption: "Human score and cosine", title: title, x: x, y: y, across: "human score", upwards: "cosine",
		key: `<svg class="mark" aria-hidden="true"><circle class="above" cx="50%" cy="50%" r="5"/></svg> the model ranks the pair too high <svg class="mark" aria-hidden="true"><rect class="below" x="3" y="3" width="8" height="8"/></svg> too low`,
	}.block(func(h *hypertext) {
		for i, j := range all {
			if !slices.Contains(worst, i) {
				h.put("\n"+`<circle class="point" cx="%s" cy="%s" r="3.5"><title>%s</title></circle>`, x.at(j.Human), y.up(j.Model), describe(j, len(all)))
			}
		}
		taken := &room{}
		for _, i := range worst {
			taken.dot(x.share(all[i].Human), 1-y.share(all[i].Model))
		}
		for n, i := range worst {
			h.worst(n+1, all[i], x, y, len(all), taken)
		}
	})
}

// A plane has points between two axes.
type plane struct {
	caption, title  string
	key             markup // below the caption; empty for none
	x, y            axis
	across, upwards string // titles of the axes
}

// block draws the axes, and calls points to draw what is between them.
func (p plane) block(points func(h *hypertext)) block {
	xTicks, yTicks := p.x.ticks(p.x.at), p.y.ticks(p.y.up)
	return func(h *hypertext) {
		h.put(`
<figure class="scatter">
<figcaption>%s</figcaption>`, p.caption)
		if p.key != "" {
			h.put("\n"+`<p class="key">%s</p>`, p.key)
		}
		h.put(`
<div class="field">
<svg class="upright" aria-hidden="true"><text class="title" x="0" y="-0.9em">↑ %s</text>`, p.upwards)
		for _, t := range yTicks {
			h.put(`<text x="100%%" dx="-6" y="%s" dy="0.35em">%s</text>`, t.At, t.Label)
		}
		h.put(`</svg>
<svg class="points" role="img"><title>%s</title>`, p.title)
		h.upright(xTicks)
		for _, t := range yTicks {
			h.put(`<line class="%[1]s" x1="0" x2="100%%" y1="%[2]s" y2="%[2]s"/>`, t.class(), t.At)
		}
		points(h)
		h.put("</svg>\n" + `<svg class="across" aria-hidden="true">`)
		for _, t := range xTicks {
			h.put(`<text x="%s" y="1.2em">%s</text>`, t.At, t.Label)
		}
		h.put(`<text class="title" x="100%%" y="2.6em">%s →</text></svg>
</div>
</figure>`, p.across)
	}
}

func (h *hypertext) worst(number int, j eval.Judgement, x, y axis, of int, taken *room) {
	px, py, title := x.at(j.Human), y.up(j.Model), describe(j, of)
	if apart(j) > 0 {
		h.put("\n"+`<circle class="above" cx="%s" cy="%s" r="5"><title>%s</title></circle>`, px, py, title)
	} else {
		h.put("\n"+`<svg class="at" x="%s" y="%s"><rect class="below" x="-4" y="-4" width="8" height="8"><title>%s</title></rect></svg>`, px, py, title)
	}
	name := pairName(j.Item)
	l := taken.beside(x.share(j.Human), 1-y.share(j.Model), fmt.Sprintf("%d %s", number, name))
	named := l.Anchor != ""
	if !named {
		l = taken.beside(x.share(j.Human), 1-y.share(j.Model), fmt.Sprint(number))
	}
	if l.Anchor == "" {
		return
	}
	h.put(`<text class="label %s" x="%s" y="%s" dx="%d" dy="%d">%d`, l.Anchor, px, py, l.DX, l.DY, number)
	if named {
		h.put(`<tspan class="pair"> %s</tspan>`, name)
	}
	h.put("</text>")
}

func describe(j eval.Judgement, of int) string {
	return fmt.Sprintf("%s: human %s (rank %s of %s), cosine %s (rank %s)", pairName(j.Item), short(j.Human), short(j.HumanRank), wording.Thousands(of), decimals(j.Model), short(j.ModelRank))
}

func pairName(item eval.Item) string {
	name := item.Key
	if len(item.Words) == 2 {
		name = item.Words[0] + " – " + item.Words[1]
	}
	const most = 80
	if utf8.RuneCountInString(name) > most {
		name = strings.TrimSpace(string([]rune(name)[:most])) + "…"
	}
	return name
}

func short(x float64) string {
	return strings.Replace(strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64), "-", "−", 1)
}

func (t tick) class() string {
	if t.Zero {
		return "zero"
	}
	return "grid"
}
