// Package fasttext does what the program fastText 0.9.2 does with word vectors, in its terms: it
// knows fastText's arguments and their defaults, reads text as fastText does, writes the files that
// fastText writes, and answers with the lines that fastText prints.
//
// Train trains, with the arguments of "fasttext skipgram" and "fasttext cbow":
//
//	o, err := fasttext.NewOptions("skipgram")
//	err = errors.Join(o.Set("input", "corpus.txt"), o.Set("output", "model"), o.Set("minCount", "2"))
//	result, err := fasttext.Train(ctx, o, train.Hooks{}) // model.bin and model.vec
//
// A Model prints vectors, n-grams, neighbours and analogies. It computes in the order in which
// fastText computes, so that of the same file both print the same bytes. Dump prints what is in a
// file.
//
// Training is w2v's own, so vectors are as good as fastText's but not the same. Classification is
// not here.
package fasttext
