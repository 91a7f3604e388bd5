package sweep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// A Gain says how much better the settings that were found are than those where the search began, by models that were trained on
// all of the text with two seeds (one, if time ended before the other) that no trial had before the settings were chosen. If there was no time for these models, or fewer than
// 6 trials, the models are those by which the settings were chosen: they flatter the settings, and there is no Interval.
type Gain struct {
	Start, Best           eval.Score // mean scores
	StartSeeds, BestSeeds int
	Score                 float64 // as TunedTrial.Score, of mean scores of seeds
	// Interval is the 95 % interval of Score. Its width has three parts: other items of the sets, by a paired bootstrap over
	// the items (eval.Compare); other seeds; and other sets, by how much more the sets differ than their items explain (DerSimonian
	// and Laird 1986). There is none if the models are those by which the settings were chosen.
	Interval eval.Interval
	Sets     []SetGain
}

// A SetGain is the gain in one set.
type SetGain struct {
	Set, Metric string
	Start, Best eval.Score
	Error       eval.Score // standard error of Start
}

// Found reports whether the gain is more than chance.
func (g *Gain) Found() bool { return g != nil && g.Interval.Known && g.Interval.Low > 0 }

const gainResamples = 2000

// A measured is a model with its records.
type measured struct {
	repeat  int
	records []eval.Record
}

// gainOf compares models. deviation is the standard deviation of scores of trials between seeds, with so many degrees of freedom; with
// none, there is no interval.
func gainOf(unit yardstick, start, best []measured, deviation float64, freedom int) (*Gain, error) {
	if len(start) == 0 || len(best) == 0 {
		return nil, nil
	}
	for _, models := range []*[]measured{&start, &best} { // trials of the same point end in any order
		*models = slices.SortedFunc(slices.Values(*models), func(a, b measured) int { return a.repeat - b.repeat })
	}
	g := &Gain{StartSeeds: len(start), BestSeeds: len(best)}
	k := float64(len(unit))
	for i, r := range unit {
		set := SetGain{r.Set, r.Metric, meanOfSet(start, i), meanOfSet(best, i), eval.Score(unit.error(i))}
		g.Sets = append(g.Sets, set)
		g.Start, g.Best = g.Start+set.Start/eval.Score(k), g.Best+set.Best/eval.Score(k)
	}
	z := wording.Map(g.Sets, func(set SetGain) float64 { return float64((set.Best - set.Start) / set.Error) })
	each := wording.Map(z, bounded)
	g.Score = stat.Mean(each, nil)
	if freedom == 0 {
		return g, nil
	}
	items := 0.0 // sum of the variances of each
	pairs := min(len(start), len(best))
	for i := range pairs {
		of := []eval.Measured{{Name: "start", Records: start[i].records}, {Name: "best", Records: best[i].records}}
		all, err := eval.Compare(of, eval.CompareOptions{Resamples: gainResamples})
		if err != nil {
			return nil, err
		}
		for j, c := range all {
			se := slope(z[j]) * halfWidth(c.Interval) / distuv.UnitNormal.Quantile(0.975) / unit.error(j)
			items += se * se / float64(pairs)
		}
	}
	seeds := deviation * deviation * (1/float64(len(start)) + 1/float64(len(best)))
	variance, uncertain := items/(k*k)+seeds, seeds*seeds/float64(freedom)
	if k > 1 {
		if between := stat.Variance(each, nil); between > items/k+seeds*k {
			variance, uncertain = between/k+seeds, uncertain+between*between/(k*k*(k-1))
		}
	}
	if variance == 0 {
		return g, nil
	}
	t := distuv.UnitNormal.Quantile(0.975)
	if nu := variance * variance / uncertain; nu < 1e6 { // Satterthwaite's degrees of freedom of a sum of variances
		t = distuv.StudentsT{Sigma: 1, Nu: nu}.Quantile(0.975)
	}
	half := t * math.Sqrt(variance)
	g.Interval = eval.Between(g.Score-half, g.Score+half)
	return g, nil
}

func meanOfSet(models []measured, set int) (mean eval.Score) {
	for _, m := range models {
		mean += m.records[set].Score / eval.Score(len(models))
	}
	return mean
}

// pooled returns the standard deviation within groups of scores, and its degrees of freedom.
func pooled(groups [][]float64) (deviation float64, freedom int) {
	sum := 0.0
	for _, scores := range groups {
		scores = slices.Sorted(slices.Values(scores))
		if n := len(scores); n > 1 {
			sum += stat.Variance(scores, nil) * float64(n-1)
			freedom += n - 1
		}
	}
	if freedom == 0 {
		return math.NaN(), 0
	}
	return math.Sqrt(sum / float64(freedom)), freedom
}
