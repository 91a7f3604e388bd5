// Package sweep trains many models on one corpus that differ in their settings, and says what each
// is worth, with its uncertainty, and what it costs. The corpus is read once, and all models
// have the same vocabulary.
//
// A [Config] names the corpus, the sets to evaluate by, and variants: settings, each with the
// values to try. Settings have the names of package train's table, which docs/settings.md
// lists:
//
//	config := sweep.Config{
//		Corpus:   train.Files("wiki.txt.gz"),
//		Variants: []sweep.Variant{{Axes: []sweep.Axis{sweep.Values("dim", 50, 100), sweep.Values("window", 3, 5)}}},
//		Sets:     []sweep.Set{{Kind: sweep.Similarity, Path: "ws353.tsv"}},
//		Seeds:    []uint64{1, 2, 3},
//		Output:   "wiki-sweep",
//	}
//	report, err := sweep.Run(ctx, config, sweep.Hooks{})
//
// This trains 2 × 2 points with 3 seeds each, and two baselines: random vectors, and the first
// point with 8 dimensions. Parse reads a Config from a TOML file, as w2v sweep does.
//
// Run writes each result to results.jsonl in the folder Output when it is there. A sweep that was
// interrupted goes on: what that file has is not done again. [Report.Table] and [Report.Write]
// make tables and plots of a report. Combinations of settings that make no sense are points
// that are skipped, with the reason.
package sweep
