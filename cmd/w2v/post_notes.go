package main

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors/convert"
)

// postNotes says what came of the flags that change vectors.
func postNotes(r *convert.Result) (notes []string) {
	if r.First != nil {
		notes = append(notes, noteFirst(r.First)...)
	}
	notFinite := 0
	if done := r.Reduced; done != nil {
		notes = append(notes, fmt.Sprintf("%d of %d dimensions keep %.2f %% of the variance", done.To, done.From, 100*done.VarianceKept))
		notFinite = max(notFinite, done.NotFinite)
	}
	if of := r.Centred; of != nil {
		notes = append(notes, fmt.Sprintf("the mean of %s vectors has length %.3g; the root mean square of their lengths is %.3g",
			wording.Thousands(of.Words), of.MeanNorm, of.RootMeanSquare))
		notFinite = max(notFinite, of.NotFinite)
	}
	if done := r.Removed; done != nil {
		notes = append(notes, fmt.Sprintf("the removed components had %.2f %% of the variance", 100*done.VarianceRemoved))
		notFinite = max(notFinite, done.NotFinite)
	}
	if done := r.Whitened; done != nil {
		if done.Directions < r.Set.Dim() {
			notes = append(notes, fmt.Sprintf("vectors vary in %d of %d directions, and have nothing in the others", done.Directions, r.Set.Dim()))
		}
		notFinite = max(notFinite, done.NotFinite)
	}
	if notFinite > 0 {
		notes = append(notes, fmt.Sprintf("%s not finite, before and after", wording.Count(notFinite, "vector is", "vectors are")))
	}
	return notes
}
