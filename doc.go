// Package w2v is the root of a library that trains word vectors, and of the program w2v
// that is made of it. It exports nothing: each step from text to vectors is a package of
// its own, and a program imports those that it needs. In the order in which bytes become
// vectors:
//
//   - [github.com/w2v-go/w2v/corpus] reads files, folders, globs, compressed streams and
//     any [io.Reader], and cuts them into sentences of tokens.
//   - [github.com/w2v-go/w2v/vocab] counts tokens, gives them ids by falling count, and
//     remembers the corpus as ids, so that text is read once however many epochs there are.
//   - [github.com/w2v-go/w2v/subword] says which rows make up a word where character
//     n-grams have vectors too; [github.com/w2v-go/w2v/hashing] has the hashes beneath it.
//   - [github.com/w2v-go/w2v/sgns] trains: skip-gram, CBOW and their variants, on all
//     cores, with checkpoints. It takes ids, counts and a configuration.
//   - [github.com/w2v-go/w2v/vectors] holds what comes out: words and their vectors, nearest
//     neighbours, analogies, and the files of word2vec, fastText, gensim, GloVe and others.
//   - [github.com/w2v-go/w2v/eval] scores vectors on similarity and analogy sets.
//   - [github.com/w2v-go/w2v/train] does all of it in one call, with checkpoints, evaluation
//     and all else that a long run needs.
//
// Data flows one way: no package imports one that is further down in this list. None of
// them prints, exits or reads flags. To use vectors that exist already, vectors is all that is needed:
//
//	set, err := vectors.Open("model.bin") // any format
//
// The example trains on a few lines in memory, writes a model, and opens it again.
// docs/architecture.md says how it all works and why. The program is in cmd/w2v:
//
//	go install github.com/w2v-go/w2v/cmd/w2v@latest
package w2v
