// Package convert makes of a model what another file is to hold: some of its words, other
// vectors, fewer dimensions, another scale, in a format that may hold less than the model
// has. It is what w2v convert does, in one call:
//
//	done, err := convert.File(ctx, "model.w2v", "start.npy", convert.Options{
//		Top:   50_000,
//		Dim:   100,
//		DType: vectors.F16,
//	})
//
// QuantizeFile and FactorizeFile make a model smaller in one call.
//
// Options are applied in one order, whatever the order in which they are named: which
// vectors of a word, which words, the first dimensions or the principal components, centring,
// the removal of components, whitening, unit length, then what a network that starts from the vectors wants (scale, special tokens,
// number type), and last the words that the format can hold. Result says what was left out
// on the way, and why. Process does only the first of these, up to unit length, and so shows what
// a file would answer that was written with the same options.
package convert
