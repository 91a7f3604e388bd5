// Package eval scores vectors on evaluation sets. Each task has a set, a reader of its files, a
// function that scores vectors on it, and a result with the score, its 95 % confidence interval,
// how many items could be used, and the words without vectors:
//
//   - pairs of words: [ReadPairs], [Similarity]
//   - analogies: [ReadQuestions], [Analogy]; relations as in BATS: [ReadRelations], [Relations]
//   - words in categories: [ReadCategories], [Categorization]
//   - words that do not belong: [ReadOutliers], [Outliers]
//   - associations of word lists (WEAT, RND): [ReadBias], [Bias]
//   - pairs of sentences: [ReadSentences], [Sentences]
//
// [ReadSets] and [ReadSet] recognise the task of a file by its content, [Evaluate] scores vectors
// on a set of any task, and [Measure] adds what others need to verify the result. [Compare] says
// which differences between models are more than noise, and [Runs] what the scores of models with
// several seeds have in common. [Spelling] says how the words of a set are looked up in the
// vocabulary, which is the same for all tasks.
package eval
