package tune

import (
	"context"
	"fmt"
	"time"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/internal/halving"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// leastRows is how many rows a quantised model has at least, and manyLabels from how many labels on their rows are quantised too.
const leastRows, manyLabels = 256, 256

// calmer is how many times lower the learning rate of rows that are trained again is, which are near their places.
const calmer = 10

// sample is for how many rows centroids are sought: 64 for each of them. With more the search takes longer, and models are as good.
const sample = 1 << 14

// A fit is how a trained model becomes as small as it must be.
type fit struct {
	quantised bool
	rows, of  int // that are kept, and all
}

func (f fit) prunes() bool { return f.rows < f.of }

// fit finds out how a model becomes as small as it must be, by the sizes of its parts: nothing is quantised.
func (t *tuner) fit(set *vectors.Set) (f fit, err error) {
	if t.ModelSize == 0 {
		return f, nil
	}
	inBytes := func(set *vectors.Set) (uint64, error) { return format.EncodedSize(set, t.Format) }
	if rows := set.Input(); !t.Quantize && 4*float64(rows.Rows)*float64(rows.Cols) <= float64(t.ModelSize) {
		if size, err := inBytes(set); err != nil || size <= t.ModelSize {
			return f, err
		}
	}
	f.quantised = true
	if f.rows, f.of, err = transform.ClassifierCutoff(set, t.coding(set), t.ModelSize, inBytes); err != nil {
		return f, err
	}
	if least := min(f.of, leastRows); f.rows < least {
		return f, fmt.Errorf("tune: %d rows of %d dimensions do not fit into %d bytes", least, set.Dim(), t.ModelSize)
	}
	return f, nil
}

// coding returns how a model is quantised.
func (t *tuner) coding(set *vectors.Set) transform.ClassifierOptions {
	return transform.ClassifierOptions{Norms: true, Output: set.Labels().Names.Len() >= manyLabels, Sample: sample, Computation: transform.Computation{Force: t.Force}}
}

// mostAgain is how many epochs the rows that are kept are trained again for. More of them make no model better.
const mostAgain = 5

// shrink makes a model that was trained on the texts as small as it must be.
func (t *tuner) shrink(ctx context.Context, set *vectors.Set, x *classify.Texts, o classify.Options, f fit) (*vectors.Set, error) {
	if !f.quantised {
		return set, nil
	}
	opt := t.coding(set)
	opt.Seed = o.Seed
	set, err := transform.PruneClassifier(ctx, set, f.rows, opt.Computation)
	if err == nil && f.prunes() {
		set, err = retrain(ctx, set, x, o, min(o.Epochs, mostAgain))
	}
	if err == nil {
		set, err = transform.QuantizeClassifier(ctx, set, opt)
	}
	return set, err
}

func retrain(ctx context.Context, set *vectors.Set, x *classify.Texts, o classify.Options, epochs int) (*vectors.Set, error) {
	return x.Retrain(ctx, set, classify.RetrainOptions{Epochs: epochs, LearningRate: o.LearningRate / calmer, Negatives: o.Negatives, Seed: o.Seed})
}

// A pace is how long it takes to make models smaller, measured on a small one.
type pace struct {
	again float64 // seconds of an epoch of training again, as a share of those of an epoch of training with one thread
	code  float64 // seconds of quantising a number of a row
}

// paceRows is how many rows of the first model are quantised to measure the pace: a small part of those of a whole model.
const paceRows = 2048

// measurePace measures how long it takes to make models smaller, with the rows of one that was trained on x with an epoch of so
// many seconds.
func (t *tuner) measurePace(ctx context.Context, set *vectors.Set, x *classify.Texts, o classify.Options, f fit, epoch float64) error {
	rows := min(f.rows, paceRows)
	few, err := transform.PruneClassifier(ctx, set, rows, transform.Computation{Force: t.Force})
	if err != nil {
		return err
	}
	var p pace
	if rows < f.of {
		begun := time.Now()
		if few, err = retrain(ctx, few, x, o, 1); err != nil {
			return err
		}
		p.again = time.Since(begun).Seconds() / epoch
	}
	begun := time.Now()
	if _, err := transform.QuantizeClassifier(ctx, few, t.coding(few)); err != nil {
		return err
	}
	p.code = time.Since(begun).Seconds() / float64(rows*set.Dim())
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pace = p
	return nil
}

// A work is what is to be done to a model after the search.
type work struct {
	epochs  int     // of training again
	epoch   float64 // seconds of an epoch of training with one thread, on all texts
	numbers float64 // to quantise
}

// workOf returns the work to make a model smaller that was trained on a share of the texts with an epoch of so many seconds.
func workOf(set *vectors.Set, o classify.Options, f fit, epoch, share float64) (w work) {
	if !f.quantised {
		return w
	}
	if f.prunes() {
		w.epochs, w.epoch = min(o.Epochs, mostAgain), epoch/share
	}
	// Centroids are sought for a sample of rows in many rounds, and after that once for each row.
	const rounds = 20
	w.numbers = (float64(min(f.rows, sample)) + float64(f.rows)/rounds) * float64(set.Dim())
	return w
}

// after returns about how long the work takes that follows the search if this trial is the best one.
func (t *tuner) after(trial *halving.Trial) time.Duration {
	const margin = 1.25
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.works[trial.Number]
	return time.Duration(margin * (w.epoch*float64(w.epochs)*t.pace.again + w.numbers*t.pace.code) * float64(time.Second))
}
