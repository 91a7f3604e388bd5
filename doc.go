// Package w2v is the root of a library that trains word vectors, and of the program w2v that is
// built on it. It exports nothing. Each step from text to vectors is a package of its own, and
// most programs need one or two of them:
//
//   - [github.com/w2v-go/w2v/train] makes a model of a text in one call, with all that a long
//     run needs: checkpoints, evaluation, early stopping. It does what the program's command
//     train does, with the same defaults.
//   - [github.com/w2v-go/w2v/sweep] trains many settings on one vocabulary, and compares them.
//   - [github.com/w2v-go/w2v/classify] sorts texts into labels, with the classifiers that fastText
//     trains. [github.com/w2v-go/w2v/classify/tune] searches for their settings.
//   - [github.com/w2v-go/w2v/embed] writes the vectors of all texts of a corpus to a file.
//   - [github.com/w2v-go/w2v/pairs] trains vectors of texts on pairs of texts that belong together.
//   - [github.com/w2v-go/w2v/fasttext] trains and answers as the program fastText does: its
//     arguments, its files, its output to the byte.
//   - [github.com/w2v-go/w2v/vectors] is a set of named vectors: lookup, nearest neighbours,
//     analogies.
//   - [github.com/w2v-go/w2v/vectors/format] reads and writes the files of word2vec, fastText,
//     gensim, GloVe and others. Each family of formats has a package beneath it:
//     [github.com/w2v-go/w2v/vectors/format/native],
//     [github.com/w2v-go/w2v/vectors/format/fasttext],
//     [github.com/w2v-go/w2v/vectors/format/word2vec],
//     [github.com/w2v-go/w2v/vectors/format/text],
//     [github.com/w2v-go/w2v/vectors/format/finalfusion],
//     [github.com/w2v-go/w2v/vectors/format/floret],
//     [github.com/w2v-go/w2v/vectors/format/npy],
//     [github.com/w2v-go/w2v/vectors/format/static] and
//     [github.com/w2v-go/w2v/vectors/format/projector].
//   - [github.com/w2v-go/w2v/vectors/query] opens a model to be asked: words in its spelling,
//     expressions such as "king - man + woman", and words that may have been meant.
//   - [github.com/w2v-go/w2v/vectors/pooling] makes the vector of a text of those of its words.
//   - [github.com/w2v-go/w2v/vectors/transform] makes other sets of a set: some words, fewer
//     dimensions, fewer bits.
//   - [github.com/w2v-go/w2v/vectors/index] finds the nearest of millions of vectors.
//   - [github.com/w2v-go/w2v/vectors/metadata] reads facts about words from a table.
//   - [github.com/w2v-go/w2v/vectors/align] rotates one set onto another one, so that they can be
//     compared.
//   - [github.com/w2v-go/w2v/vectors/inspect] measures a set without a test set: norms, isotropy, hubs,
//     shared buckets.
//   - [github.com/w2v-go/w2v/vectors/projection] shows words as points in the plane: principal
//     components and UMAP, and clusters with labels.
//   - [github.com/w2v-go/w2v/vectors/convert] makes another file of a model in one call, as the
//     program's command convert does.
//   - [github.com/w2v-go/w2v/eval] scores vectors on similarity and analogy sets.
//   - [github.com/w2v-go/w2v/eval/labels] measures predictions of labels.
//   - [github.com/w2v-go/w2v/eval/report] writes what eval found as Markdown, CSV and HTML.
//   - [github.com/w2v-go/w2v/plots] draws maps of words, heat maps, training curves, scores by
//     frequency and spectra, as SVG and PNG.
//   - [github.com/w2v-go/w2v/serve] answers questions about models over HTTP.
//   - [github.com/w2v-go/w2v/serve/explorer] writes a model as one page that needs no server.
//   - [github.com/w2v-go/w2v/serve/lessons] writes short interactive pages about word vectors.
//   - [github.com/w2v-go/w2v/serve/web] holds the page in which people explore a model.
//
// Package train is built on these, in the order in which bytes become vectors:
//
//   - [github.com/w2v-go/w2v/corpus] reads files, folders, globs, compressed streams and
//     sentences in memory, and cuts them into tokens.
//   - [github.com/w2v-go/w2v/corpus/tokenizer] trains tokenizers of subwords, and cuts and joins
//     texts with them.
//   - [github.com/w2v-go/w2v/corpus/kmers] cuts sequences of DNA and proteins into k-mers, and
//     [github.com/w2v-go/w2v/graph] walks over graphs: both make corpora of what is not text.
//   - [github.com/w2v-go/w2v/corpus/pipeline] cuts a text as the text was cut that a model was
//     trained on.
//   - [github.com/w2v-go/w2v/vocab] counts tokens, gives them ids by falling count, and
//     remembers the corpus as ids, so that text is read once, however many epochs there are.
//   - [github.com/w2v-go/w2v/phrases] finds collocations, such as "new york", and joins each to one
//     token.
//   - [github.com/w2v-go/w2v/subword] says which rows make up a word where character n-grams
//     have vectors too. [github.com/w2v-go/w2v/hashing] has the hashes beneath it.
//   - [github.com/w2v-go/w2v/sgns] trains: skip-gram, CBOW and their variants, on all cores. It
//     takes ids, counts and a configuration.
//   - [github.com/w2v-go/w2v/cluster] joins processes that train together, and
//     [github.com/w2v-go/w2v/cluster/mpi] does so with MPI.
//
// None of them prints, exits or reads flags.
//
// The example trains on sentences in memory, writes a model, and opens it again.
// docs/architecture.md is a map of the packages. The program is in cmd/w2v:
//
//	go install github.com/w2v-go/w2v/cmd/w2v@latest
package w2v
