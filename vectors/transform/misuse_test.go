package transform

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// What a caller gets wrong is an error that says so.
func TestMisuse(t *testing.T) {
	var nobody context.Context
	var none *vectors.Set
	const nil1, nil2 = "transform: there is no set: it is nil, as what Open and Train return together with an error", "transform: there is no context to work in: it is nil"
	plain := func() *vectors.Set {
		return trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 4)})
	}
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"factors of nothing", func() error { _, _, err := Factorize(t.Context(), none, FactorizeOptions{Rank: 1}); return err }, nil1},
		{"factors of no rank", func() error { _, _, err := Factorize(t.Context(), plain(), FactorizeOptions{}); return err }, "the rank must be at least 1, is 0"},
		{"factors of a negative rank", func() error { _, _, err := Factorize(t.Context(), plain(), FactorizeOptions{Rank: -1}); return err }, "the rank must be at least 1, is -1"},
		{"factors of an energy of NaN", func() error {
			_, _, err := Factorize(t.Context(), plain(), FactorizeOptions{Energy: math.NaN()})
			return err
		}, "the energy to keep must be above 0 and at most 1, is NaN"},
		{"the first of nothing", func() error { _, err := First(none, 1); return err }, nil1},
		{"the first -1 dimensions", func() error { _, err := First(plain(), -1); return err }, "-1 dimensions asked for, must be at least 1"},
		{"the first of a set of nothing", func() error { _, err := First(new(vectors.Set), 1); return err }, "1 dimensions asked for, there are 0"},
		{"quantising nothing", func() error { _, err := Quantize(t.Context(), none, QuantizeOptions{}); return err }, nil1},
		{"quantising without a context", func() error { _, err := Quantize(nobody, plain(), QuantizeOptions{}); return err }, nil2},
		{"quantising to -1 bytes", func() error { _, err := Quantize(t.Context(), plain(), QuantizeOptions{Bytes: -1}); return err }, "-1 bytes a row, must be at least 1"},
		{"quantising by an unknown method", func() error { _, err := Quantize(t.Context(), plain(), QuantizeOptions{Method: "zip"}); return err }, `the method "zip" is not known; known are f16, int8, pq, opq`},
		{"reducing nothing", func() error { _, _, err := Reduce(t.Context(), none, 1, Computation{}); return err }, nil1},
		{"reducing to -1 dimensions", func() error { _, _, err := Reduce(t.Context(), plain(), -1, Computation{}); return err }, "-1 dimensions asked for, must be at least 1"},
		{"centring nothing", func() error { _, _, err := Center(t.Context(), none, Computation{}); return err }, nil1},
		{"centring without a context", func() error { _, _, err := Center(nobody, plain(), Computation{}); return err }, nil2},
		{"centring a set of nothing", func() error { _, _, err := Center(t.Context(), new(vectors.Set), Computation{}); return err }, "0 dimensions, must be at least 1"},
		{"removing from nothing", func() error { _, _, err := AllButTheTop(t.Context(), none, 1, Computation{}); return err }, nil1},
		{"removing 0 components", func() error { _, _, err := AllButTheTop(t.Context(), plain(), 0, Computation{}); return err }, "0 components to be removed of 4 dimensions, must be from 1 to 3"},
		{"removing all components", func() error { _, _, err := AllButTheTop(t.Context(), plain(), 4, Computation{}); return err }, "4 components to be removed of 4 dimensions, must be from 1 to 3"},
		{"whitening nothing", func() error { _, _, err := Whiten(t.Context(), none, Computation{}); return err }, nil1},
		{"whitening zeros", func() error { _, _, err := Whiten(t.Context(), plain(), Computation{}); return err }, "all 3 vectors are the same: there is no variance to be made 1"},
		{"whitening one word", func() error {
			_, _, err := Whiten(t.Context(), trial.OfRows([]float32{1, 2}), Computation{})
			return err
		}, "there is only one word with a finite vector, and one vector has no variance"},
		{"scaling nothing", func() error { _, err := Scaled(none, ScaleUnit); return err }, nil1},
		{"an unknown scale", func() error { _, err := Scaled(plain(), "twice"); return err }, `the scale "twice" is not known; known are none, unit, sqrt-dim, std=S`},
		{"a negative scale", func() error { _, err := Scaled(plain(), ScaleStd(-1)); return err }, `the scale std=S needs a number above 0, found "-1"`},
		{"special tokens of nothing", func() error { _, err := WithSpecialTokens(none, "x"); return err }, nil1},
		{"special tokens of a set of nothing", func() error { _, err := WithSpecialTokens(new(vectors.Set), "x"); return err }, "a special token has a vector of zeros, and the set has 0 dimensions"},
		{"an empty special token", func() error { _, err := WithSpecialTokens(plain(), ""); return err }, "a special token is empty"},
		{"vectors of nothing", func() error { _, err := WordVectors(none, KindSum); return err }, nil1},
		{"vectors of an unknown kind", func() error { _, err := WordVectors(plain(), "both"); return err }, `there are no "both" vectors; known are input, output, sum, concat`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

// A set of nothing has nothing to make others of.
func TestZeroValues(t *testing.T) {
	s := trial.New(vectors.Parts{})
	if s.Plain().Len()+Normalized(s).Len()+Whole(s).Len()+OneMatrix(s).Len()+Top(s, 3).Len()+WithDType(s, vectors.F16).Len() != 0 {
		t.Error("what is made of a set of nothing is not empty")
	}
	if selected, missing := Select(s, []string{"a"}); selected.Len() != 0 || len(missing) != 1 {
		t.Errorf("%d words selected, %q missing", selected.Len(), missing)
	}
	if (Factorization{}).Bound() != 0 {
		t.Error("nothing has an error")
	}
}

// Where no error is returned, what a caller gets wrong is a panic that says so.
func TestMisusePanics(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func()
		want string
	}{
		{"an unknown type", func() {
			WithDType(trial.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 4)}), "f64")
		}, "transform: "},
		{"a plain set of a storage that panics", func() {
			Normalized(trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.Matrix{Rows: 2, Cols: 4, Stride: 4, Storage: panicking{}}})).Directions()
		}, "out of paper"},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); got != test.want && !(strings.HasSuffix(test.want, " ") && strings.HasPrefix(got, test.want)) {
					t.Errorf("panic %s\nwant  %s", got, test.want)
				}
			}()
			test.do()
		})
	}
}

type panicking struct{}

func (panicking) Read([]float32, int) { panic("out of paper") }
