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

// A judgement is an item with its ranks.
type judgement struct {
	eval.Judgement
	humanRank, modelRank float64
}

// apart is by how many ranks the model puts an item higher than people do.
func (j judgement) apart() float64 { return j.modelRank - j.humanRank }

// ranked returns items with their ranks.
func ranked(all []eval.Judgement) []judgement {
	human, model := eval.JudgementRanks(all)
	with := make([]judgement, len(all))
	for i, j := range all {
		with[i] = judgement{j, human[i], model[i]}
	}
	return with
}

// worst returns which items have the largest differences of ranks, the largest first.
func worst(all []judgement) []int {
	var order []int
	for i, j := range all {
		if j.apart() != 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(all[j].apart()), math.Abs(all[i].apart())) })
	return order[:min(worstItems, len(order))]
}

// judgementBlocks draws items, and lists the worst of them.
func judgementBlocks(judgements []eval.Judgement) []block {
	if len(judgements) == 0 {
		return nil
	}
	all := ranked(judgements)
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
	place := func(j judgement) point {
		return point{X: x.at(j.Human), Y: y.up(j.Model), Title: j.describe(len(all)), Above: j.apart() > 0, Name: pairName(j.Item)}
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
		rows = append(rows, []string{fmt.Sprintf("%d  %s", p.Number, p.Name), short(j.Human), decimals(j.Model), short(j.humanRank), short(j.modelRank), signedRank(j.apart())})
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

func (j judgement) describe(of int) string {
	return fmt.Sprintf("%s: human %s (rank %s of %s), cosine %s (rank %s)", pairName(j.Item), short(j.Human), short(j.humanRank), wording.Thousands(of), decimals(j.Model), short(j.modelRank))
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
