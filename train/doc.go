// Package train makes a model of a text in one call, and cares for all that can happen to a
// run that takes hours.
//
//	result, err := train.Run(ctx, train.Files("wiki/*.gz"), train.Options{Output: "wiki.w2v"}, train.Hooks{})
//
// # What goes in
//
// A Corpus is text in files, of a reader, or sentences in memory or from an iterator:
//
//	train.Files("corpus.txt", "more/")       // files, directories, globs; compressed or not
//	train.FS(fsys, ".")                      // in any file system
//	train.Reader("sessions", r)              // any reader
//	train.Sentences([][]string{{"a", "b"}})  // tokens in memory, taken as they are
//	train.Seq2(rows)                         // an iterator of sentences that may fail
//
// The same sentences make the same model, whatever way they come in.
//
// # What decides about the vectors
//
// Settings. Their zero value stands for Defaults; a program that changes some begins with these:
//
//	settings := train.Defaults()
//	settings.Model.Dim = 300
//	settings.Model.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000}
//	settings.Text.Lowercase = true
//
// # What Run cares for
//
//   - Before anything is read it makes sure that files can be written, that none is written
//     and read at once, and that no other process writes them. Before it trains it makes sure
//     that memory and disk suffice. See Options.Force.
//   - With Checkpoint.File it writes the state of the run now and then. Checkpoint.Resume goes
//     on from it: with one thread, or Settings.Model.Deterministic, to the same bits.
//   - When the context ends it saves what is trained. A model that cannot be written where it
//     should be goes to the system's folder for temporary files. See Options.Saving.
//   - With Evaluation it measures the loss on held-out text, or scores the vectors on sets or
//     by a function, and keeps the best vectors if Settings.Model.Patience says so.
//   - With Init it starts from vectors, and with Init.UpdateVocab their vocabulary grows.
//   - It remarks on a corpus that looks like something else than sentences, and on vectors
//     that learned little. See Remark.
//
// Run prints nothing. Hooks tell how it is doing, and the Result says what came of it. Errors
// and remarks name the options that would help, as fields of Options; a program that has
// other names for them, such as flags, calls Spell.
//
// To train on one corpus more than once, Read it, and call Text.Train.
package train
