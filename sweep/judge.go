package sweep

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

// A judge says how good vectors are, by items that are the same for all vectors of a vocabulary.
type judge interface {
	// measure returns a record with the sample of each set, and with the interval of its score if that is asked for. The vectors
	// are those of a trial: of all of the text, or of two halves.
	measure(ctx context.Context, sets []*vectors.Set, interval bool) ([]eval.Record, error)
}

// givenSets are evaluation sets.
type givenSets struct {
	sets     []eval.Set
	restrict int
	begun    bool // models have been measured
	note     func(text string)
}

// measure measures words alone, without those that n-grams compose: words outside the vocabulary are harder, and models that know
// them would be worse than those that do not.
func (g *givenSets) measure(ctx context.Context, sets []*vectors.Set, interval bool) ([]eval.Record, error) {
	set, resamples := sets[0].Plain(), -1
	if interval {
		resamples = gainResamples
	}
	var all []eval.Record
	var used []eval.Set
	var unusable *unusableError
	for _, of := range g.sets {
		r, err := eval.Evaluate(ctx, set, of, eval.Options{Restrict: g.restrict, Resamples: resamples})
		if err != nil {
			return nil, err
		}
		sum := r.Summary
		if !sum.Score.Defined() {
			unusable = &unusableError{sum.Set, sum.Used, sum.Items}
			if !interval || g.begun {
				return nil, unusable
			}
			continue
		}
		used = append(used, of)
		sum.Missing, sum.Parts, sum.Notes = nil, nil, nil // they take memory
		all = append(all, eval.Record{Summary: sum, Result: eval.Result{Sample: r.Sample}})
	}
	if unusable != nil && len(used) == 0 {
		return nil, unusable
	}
	if interval && !g.begun { // the first model is measured before all others
		if unusable != nil && g.note != nil {
			names := strings.Join(wording.Map(used, func(set eval.Set) string { return set.Name }), ", ")
			g.note(fmt.Sprintf("%v: models are judged by %s", unusable, names))
		}
		g.sets, g.begun = used, true
	}
	return all, nil
}

// An unusableError says that a set has no score. No settings change that.
type unusableError struct {
	set         string
	used, items int
}

func (e *unusableError) Error() string {
	return fmt.Sprintf("the set %s has no score: the vocabulary has all words of %d of its %d items", e.set, e.used, e.items)
}

// A yardstick is what models are compared with: the scores of a model of the settings where the search began, on as much text.
type yardstick []eval.Record

// error returns the standard error of a score. If nothing is known of it, it is the share of one item.
func (y yardstick) error(set int) float64 {
	r, least := y[set], 1/float64(max(1, y[set].Used))
	if r.Interval.Known {
		return max(least, halfWidth(r.Interval)/distuv.UnitNormal.Quantile(0.975))
	}
	return least
}

func halfWidth(i eval.Interval) float64 { return (i.High - i.Low) / 2 }

// differences returns the difference of each score to that of the yardstick, in standard errors, bounded.
func (y yardstick) differences(score func(set int) eval.Score) (all []float64) {
	for i, r := range y {
		all = append(all, bounded(float64(score(i)-r.Score)/y.error(i)))
	}
	return all
}

const (
	sure    = 2.0 // standard errors that count in full
	surplus = 0.1 // of the logarithm of what is more
)

// bounded is the influence of a difference of z standard errors. Analogies have thousands of items, and n-grams change them by
// hundreds of standard errors, which would outweigh all other sets: how sure a gain is, is what other sets can be hoped to share.
func bounded(z float64) float64 {
	if math.Abs(z) <= sure {
		return z
	}
	return math.Copysign(sure+surplus*math.Log(math.Abs(z)/sure), z)
}

// slope is the derivative of bounded.
func slope(z float64) float64 {
	if math.Abs(z) <= sure {
		return 1
	}
	return surplus / math.Abs(z)
}

func meanScore(records []eval.Record) eval.Score {
	sum := eval.Score(0)
	for _, r := range records {
		sum += r.Score
	}
	return sum / eval.Score(len(records))
}
