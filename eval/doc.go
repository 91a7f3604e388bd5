// Package eval scores vectors. [Similarity] measures how well the cosines of word pairs agree
// with the judgements of people. [Analogy] counts how many analogies the vectors answer
// correctly. Each result holds the score, its 95 % confidence interval, and how many pairs or
// questions could be used.
//
// [ReadPairs] and [ReadQuestions] read the usual evaluation sets. [Spelling] says how the words
// of a set are looked up in the vocabulary, which is the same for all evaluations.
package eval
