// Package sgns trains word vectors on a corpus of ids. It reads no text and writes no files:
// package corpus cuts text into tokens, package vocab gives them ids, and package vectors holds
// what comes out.
//
// [Train] takes [Data], which is the corpus with its vocabulary, and a [Config]. [Defaults] is a
// Config that suits most corpora: skip-gram with negative sampling, with a row for each word.
// Other fields of it choose another architecture (Arch), another loss (Loss), words that are
// composed of character n-grams (Subword), and more. Config.Validate refuses what does not work
// together, with the reason.
//
// Workers share all matrices without locks (Hogwild), and groups of them have copies of the rows that change most
// (Sharing). One worker comes to the same bits every time; with Deterministic any number of threads does.
//
// [Hooks] hear how a run goes on. They also get checkpoints: a [Checkpoint] is a set of
// vectors with the state of the run, from which [Resume] goes on as if the run had never stopped.
// A [Plan] says how much memory a run will use, before it is allocated.
//
// docs/settings.md explains every setting.
//
// Inside, internal/run is the loop of training. What it trains has three parts, and none depends on the kinds
// of the others: an architecture (internal/arch), a loss (internal/loss) and a composition of words
// (internal/compose) are the variant (internal/variant); a step (internal/step) trains a block of it, an engine
// (internal/engine) a corpus. All its matrices are described in one list (internal/params), from
// which memory plans, checkpoints, models and warm starts are made. docs/architecture.md is the map.
package sgns
