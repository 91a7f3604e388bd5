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

// A chart has a row for each value. Rows are SVGs of their own, whose places are in per cent, so
// that text keeps its size on narrow screens.
type chart struct {
	Caption string
	Ticks   []tick
	Rows    []chartRow
}

type chartRow struct {
	Name, Link, Value, Title, Class string
	At, Low, High                   string // in per cent; empty if there is none
	Bar                             bool
	From, Width                     string   // of the bar
	Runs                            []string // in per cent
}

// A mark is the chart's entry for one value.
type mark struct {
	name, link string
	score      float64
	interval   eval.Interval
	value      string    // how the value is printed
	note       string    // what the hover text says after the value
	class      string    // the row's look, or ""
	runs       []float64 // scores whose mean is the value
}

// drawn returns the chart of marks, with bars from zero or dots. The axis has
// the bounds, too.
func drawn(caption string, marks []mark, bars bool, bounds ...float64) block {
	if len(marks) == 0 {
		return block{}
	}
	values := slices.Clone(bounds)
	for _, m := range marks {
		values = append(append(values, m.score), m.runs...)
		if exists(m.interval) {
			values = append(values, m.interval.Low, m.interval.High)
		}
	}
	a := newAxis(7, values...)
	c := &chart{Caption: caption, Ticks: a.ticks(a.at)}
	for _, m := range marks {
		r := chartRow{Name: m.name, Link: m.link, Value: m.value, Class: m.class, Bar: bars, Title: m.name + ": " + m.value}
		if exists(m.interval) {
			r.Low, r.High = a.at(m.interval.Low), a.at(m.interval.High)
			r.Title += fmt.Sprintf(", 95 %% interval %s", span(m.interval))
		}
		for _, run := range m.runs {
			if !math.IsNaN(run) {
				r.Runs = append(r.Runs, a.at(run))
			}
		}
		if m.note != "" {
			r.Title += ", " + m.note
		}
		if math.IsNaN(m.score) {
			r.Bar = false
		} else {
			zero := a.share(0)
			r.At = a.at(m.score)
			r.From, r.Width = percent(min(zero, a.share(m.score))), percent(math.Abs(a.share(m.score)-zero))
		}
		c.Rows = append(c.Rows, r)
	}
	return block{Chart: c}
}

// byMetric is marks by their metrics, which have an axis each.
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

// drawn draws the marks of each metric.
func (b *byMetric) drawn(draw func(metric string, marks []mark) block) (blocks []block) {
	for _, metric := range b.metrics {
		blocks = append(blocks, draw(metric, b.marks[metric]))
	}
	return blocks
}

// bounds returns the values that the axis of a metric always has, so that a chart does not make a
// small difference look large. Effect sizes have none but zero.
func bounds(metric string) []float64 {
	switch metric {
	case "spearman", "pearson", "accuracy", "purity", "v_measure", "homogeneity", "completeness", "opp":
		return []float64{0, 1}
	}
	return []float64{0}
}

// An axis maps values to shares of a chart's width.
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

// A tick is a value that an axis names.
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

// A scatter has a point for each item, at the number of people and the number of the model. The
// items whose ranks differ most are marked and numbered.
type scatter struct {
	Caption, Title, X, Y string
	AboveKey, BelowKey   string
	XTicks, YTicks       []tick
	Points               []point
	Worst                []point
}

type point struct {
	X, Y   string // in per cent
	Title  string
	Above  bool // the model ranks the item higher than people do
	Number int
	Name   string
	Label  label
}

// A label lies beside a point: how far off, in pixels, and which end of the text is there.
type label struct {
	DX, DY int
	Anchor string // "start" or "end", a class; "" if there is no room
	// NumberOnly says that there is no room for the words.
	NumberOnly bool
}

// worstItems is how many items are named.
const worstItems = 20

// apart returns the model's rank of an item minus people's rank.
func apart(j eval.Judgement) float64 { return j.ModelRank - j.HumanRank }

// worst returns the items with the largest rank differences, the largest first.
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

// judgementBlocks draws items, and lists the worst of them.
func judgementBlocks(all []eval.Judgement) []block {
	if len(all) == 0 {
		return nil
	}
	xs, ys := make([]float64, len(all)), make([]float64, len(all))
	for i, j := range all {
		xs[i], ys[i] = j.Human, j.Model
	}
	x, y := newAxis(8, xs...), newAxis(7, ys...)
	s := &scatter{
		Caption: "Human score and cosine", X: "human score →", Y: "↑ cosine",
		AboveKey: "the model ranks the pair too high", BelowKey: "too low",
		XTicks: x.ticks(x.at), YTicks: y.ticks(y.up),
	}
	place := func(j eval.Judgement) point {
		return point{X: x.at(j.Human), Y: y.up(j.Model), Title: describe(j, len(all)), Above: apart(j) > 0, Name: pairName(j.Item)}
	}
	order, named := worst(all), map[int]bool{}
	taken := &room{}
	for _, i := range order {
		taken.dot(x.share(all[i].Human), 1-y.share(all[i].Model))
	}
	var rows [][]string
	for n, i := range order {
		j, p := all[i], place(all[i])
		p.Number = n + 1
		p.Label = taken.beside(x.share(j.Human), 1-y.share(j.Model), fmt.Sprintf("%d %s", p.Number, p.Name))
		if p.Label.Anchor == "" {
			p.Label = taken.beside(x.share(j.Human), 1-y.share(j.Model), fmt.Sprint(p.Number))
			p.Label.NumberOnly = true
		}
		s.Worst, named[i] = append(s.Worst, p), true
		rows = append(rows, []string{fmt.Sprintf("%d  %s", p.Number, p.Name), short(j.Human), decimals(j.Model), short(j.HumanRank), short(j.ModelRank), signedRank(apart(j))})
	}
	for i, j := range all {
		if !named[i] {
			s.Points = append(s.Points, place(j))
		}
	}
	s.Title = fmt.Sprintf("%s as points: the number of people to the right, the cosine upwards. The %s whose ranks differ most are numbered and listed below.",
		wording.Count(len(all), "pair", "pairs"), wording.Thousands(len(s.Worst)))
	return []block{{Scatter: s}, newTable("Largest differences of ranks", worstColumns, rows)}
}

var worstColumns = []column{{"pair", false}, {"human", true}, {"cosine", true}, {"human rank", true}, {"model rank", true}, {"difference", true}}

func describe(j eval.Judgement, of int) string {
	return fmt.Sprintf("%s: human %s (rank %s of %s), cosine %s (rank %s)", pairName(j.Item), short(j.Human), short(j.HumanRank), wording.Thousands(of), decimals(j.Model), short(j.ModelRank))
}

// pairName names an item by its words, or by its key if it has more than two, as sentences do.
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

// short writes a number with as many decimals as it needs, three at most.
func short(x float64) string {
	return strings.Replace(strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64), "-", "−", 1)
}

func signedRank(x float64) string {
	if x > 0 {
		return "+" + short(x)
	}
	return short(x)
}

func (h *hypertext) chart(c *chart) {
	h.line()
	h.begin("figure")
	h.line()
	h.element("figcaption", c.Caption)
	for _, r := range c.Rows {
		h.chartRow(r, c.Ticks)
	}
	h.line()
	h.begin("div", "class", "row axis", "aria-hidden", "true")
	h.line()
	h.element("span", "", "class", "name")
	h.element("span", "", "class", "value")
	h.line()
	h.begin("svg", "class", "plot")
	for _, t := range c.Ticks {
		h.element("text", t.Label, "x", t.At, "y", "1em")
	}
	h.end("svg")
	h.line()
	h.end("div")
	h.line()
	h.end("figure")
}

func (h *hypertext) chartRow(r chartRow, ticks []tick) {
	h.line()
	h.begin("div", "class", "row "+r.Class)
	h.line()
	h.begin("span", "class", "name")
	h.link(r.Link, r.Name)
	h.end("span")
	h.line()
	h.element("span", r.Value, "class", "value")
	h.line()
	h.begin("svg", "class", "plot", "role", "img")
	h.element("title", r.Title)
	h.upright(ticks)
	if r.Bar {
		h.empty("rect", "class", "bar", "x", r.From, "width", r.Width, "y", "25%", "height", "50%")
	}
	if r.Low != "" {
		h.empty("line", "class", "whisker", "x1", r.Low, "x2", r.High, "y1", "50%", "y2", "50%")
		h.empty("line", "class", "whisker", "x1", r.Low, "x2", r.Low, "y1", "30%", "y2", "70%")
		h.empty("line", "class", "whisker", "x1", r.High, "x2", r.High, "y1", "30%", "y2", "70%")
	}
	for _, run := range r.Runs {
		h.empty("circle", "class", "run", "cx", run, "cy", "50%", "r", "3")
	}
	if r.At != "" && !r.Bar {
		h.empty("circle", "class", "dot", "cx", r.At, "cy", "50%", "r", "5")
	}
	h.end("svg")
	h.line()
	h.end("div")
}

// upright draws the lines of a grid for the ticks of a horizontal axis.
func (h *hypertext) upright(ticks []tick) {
	for _, t := range ticks {
		h.empty("line", "class", t.class(), "x1", t.At, "x2", t.At, "y1", "0", "y2", "100%")
	}
}

func (t tick) class() string {
	if t.Zero {
		return "zero"
	}
	return "grid"
}

func (h *hypertext) scatter(s *scatter) {
	h.line()
	h.begin("figure", "class", "scatter")
	h.line()
	h.element("figcaption", s.Caption)
	h.line()
	h.begin("p", "class", "key")
	h.begin("svg", "class", "mark", "aria-hidden", "true")
	h.empty("circle", "class", "above", "cx", "50%", "cy", "50%", "r", "5")
	h.end("svg")
	h.text(" " + s.AboveKey + " ")
	h.begin("svg", "class", "mark", "aria-hidden", "true")
	h.empty("rect", "class", "below", "x", "3", "y", "3", "width", "8", "height", "8")
	h.end("svg")
	h.text(" " + s.BelowKey)
	h.end("p")
	h.line()
	h.begin("div", "class", "field")
	h.line()
	h.begin("svg", "class", "upright", "aria-hidden", "true")
	h.element("text", s.Y, "class", "title", "x", "0", "y", "-0.9em")
	for _, t := range s.YTicks {
		h.element("text", t.Label, "x", "100%", "dx", "-6", "y", t.At, "dy", "0.35em")
	}
	h.end("svg")
	h.line()
	h.points(s)
	h.line()
	h.begin("svg", "class", "across", "aria-hidden", "true")
	for _, t := range s.XTicks {
		h.element("text", t.Label, "x", t.At, "y", "1.2em")
	}
	h.element("text", s.X, "class", "title", "x", "100%", "y", "2.6em")
	h.end("svg")
	h.line()
	h.end("div")
	h.line()
	h.end("figure")
}

func (h *hypertext) points(s *scatter) {
	h.begin("svg", "class", "points", "role", "img")
	h.element("title", s.Title)
	h.upright(s.XTicks)
	for _, t := range s.YTicks {
		h.empty("line", "class", t.class(), "x1", "0", "x2", "100%", "y1", t.At, "y2", t.At)
	}
	for _, p := range s.Points {
		h.line()
		h.begin("circle", "class", "point", "cx", p.X, "cy", p.Y, "r", "3.5")
		h.element("title", p.Title)
		h.end("circle")
	}
	for _, p := range s.Worst {
		h.line()
		h.worst(p)
	}
	h.end("svg")
}

// worst draws one of the points that are named.
func (h *hypertext) worst(p point) {
	if p.Above {
		h.begin("circle", "class", "above", "cx", p.X, "cy", p.Y, "r", "5")
		h.element("title", p.Title)
		h.end("circle")
	} else {
		h.begin("svg", "class", "at", "x", p.X, "y", p.Y)
		h.begin("rect", "class", "below", "x", "-4", "y", "-4", "width", "8", "height", "8")
		h.element("title", p.Title)
		h.end("rect", "svg")
	}
	if p.Label.Anchor == "" {
		return
	}
	h.begin("text", "class", "label "+p.Label.Anchor, "x", p.X, "y", p.Y, "dx", strconv.Itoa(p.Label.DX), "dy", strconv.Itoa(p.Label.DY))
	h.text(strconv.Itoa(p.Number))
	if !p.Label.NumberOnly {
		h.element("tspan", " "+p.Name, "class", "pair")
	}
	h.end("text")
}
