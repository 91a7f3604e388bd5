// Package align rotates one set of vectors onto another one, so that vectors of two periods, two
// languages or two runs can be compared, and says how well that worked.
//
//	anchors, _ := align.Shared(old, new, align.SharedOptions{})           // words that both have
//	fit, err := align.Procrustes(ctx, new, old, anchors, align.Options{}) // new's space → old's
//	aligned, err := fit.Apply(new)                                        // a set, n-grams and all
//	moved, err := align.Diff(ctx, old, new, align.DiffOptions{})          // words whose vectors moved most
//
// Vectors that were trained separately have no axes in common: only angles and lengths within a
// set mean something. Procrustes finds the rotation or reflection that brings the vectors of given
// pairs of words, the anchors, as near to each other as one rotation can (Schönemann 1966). A
// rotation changes no angle within the set that it is applied to.
//
// Retrieve measures an alignment by pairs that were not anchors: how often the translation of a
// word is among its nearest neighbours, by cosine and by cross-domain similarity local scaling
// (Conneau, Lample, Ranzato, Denoyer and Jégou 2018).
//
// All sums are in float64. Results do not depend on the number of cores.
package align
