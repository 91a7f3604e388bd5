// Package vectors holds word vectors in memory, or mapped from a file, and answers questions
// about them: the vector of a word, the nearest words, analogies, the vector of a text.
//
//	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords("sun", "moon"), Input: rows})
//	…
//	v := make([]float32, set.Dim())
//	if set.Vector(v, "sun") {
//		fmt.Println(set.Nearest(v, 10))
//	}
//
// A Set is words and the rows that their vectors are made of. In a set of plain words, word i
// has row i. In a set with n-grams (see Parts.Subword) vectors are composed of several rows,
// and words outside of the vocabulary have vectors too. What only some models have, such as
// the nodes of hierarchical softmax, are named matrices.
//
// A Matrix holds float32 rows in memory, or decodes or computes rows when they are asked for:
// of fewer bits, of a file, of other matrices.
//
// A set does not change after New, and its methods may be called by several goroutines. This
// package neither reads nor writes files. Package format does that, package transform makes
// sets of other sets, and package convert combines both.
package vectors
