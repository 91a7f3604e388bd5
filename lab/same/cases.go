package main

import (
	"fmt"
	"slices"
	"strings"
)

// common are the flags of every training.
var common = strings.Fields("--threads 1 --seed 7 --epochs 1 --dim 20 --progress never")

// train is a training, with flags that follow the common ones and may overrule them.
func train(output string, flags ...string) command {
	args := slices.Concat([]string{"train", "../../text.txt", "-o", output}, common)
	for _, f := range flags {
		args = append(args, strings.Fields(f)...)
	}
	return command{args: args}
}

// w2v is any other command.
func w2v(line string) command { return command{args: strings.Fields(line)} }

// asked is a command whose standard output is compared too.
func asked(stdout, line string) command { return command{args: strings.Fields(line), stdout: stdout} }

// Flags of subwords, with tables that are small for small texts.
const (
	fasttext = "--subwords fasttext --buckets 4000"
	floret   = "--subwords floret --buckets 2000"
	hash     = "--subwords hash --buckets 1000 --importances 5000"
)

// cases are all that is compared.
func cases() []testCase {
	return slices.Concat(variantCases(), settingCases(), outputCases(), deterministicCases(), warmCases(), checkpointCases(), modelCases(), queryCases(), []testCase{
		{name: "sweep", run: []command{w2v("sweep ../../sweep.toml --progress never")}},
		{name: "vocab", run: []command{
			asked("a.tsv", "vocab ../../text.txt"),
			asked("b.tsv", "vocab --lowercase --tokenizer unicode --min-count 3 ../../text.txt ../../more.txt"),
			asked("c.tsv", "vocab --max-vocab 100 --json ../../text.txt"),
		}},
	})
}

// variantCases train each combination of variants. Many make no sense: those both binaries
// refuse.
func variantCases() []testCase {
	var all []testCase
	for _, arch := range []string{"skipgram", "cbow", "structured"} {
		for _, loss := range []string{"ns", "hs"} {
			for _, words := range []struct{ name, flags string }{
				{"words", ""}, {"fasttext", fasttext}, {"floret", floret}, {"hash", hash}, {"appended", hash + " --append-weights"},
			} {
				c := testCase{name: strings.Join([]string{"variant", arch, loss, words.name}, "/"), refused: true}
				for _, extra := range []struct{ name, flags string }{
					{"plain", ""},
					{"tied", "--tied"},
					{"rank", "--rank 6"},
					{"nested", "--nested 4,12,20"},
					{"positions", "--position-weights"},
					{"runs", "--word-ngrams 2 --word-buckets 3000"},
					{"positions-runs", "--position-weights --word-ngrams 3 --word-buckets 3000"},
					{"rank-nested", "--rank 6 --nested 12,20"},
					{"tied-rank", "--rank 6 --tied"},
				} {
					c.run = append(c.run, train(extra.name+".w2v", "--arch", arch, "--loss", loss, words.flags, extra.flags))
				}
				all = append(all, c)
			}
		}
	}
	return all
}

// settingCases train with settings that are not variants.
func settingCases() []testCase {
	var all []testCase
	for _, s := range []struct{ name, flags string }{
		{"defaults", "--dim 100"},
		{"odd", "--dim 33 --window 3 --negatives 7"},
		{"wide", "--dim 130 --window 12"},
		{"one", "--dim 1 --window 1 --negatives 1"},
		{"epochs", "--epochs 3"},
		{"sample", "--sample 0 --min-count 1"},
		{"noise", "--ns-exponent 0 --lr 0.2"},
		{"tokens", "--lowercase --tokenizer unicode"},
		{"seed", "--seed 18446744073709551615"},
		{"max-vocab", "--max-vocab 50"},
		{"vocab", "--vocab ../../vocabulary.tsv --save-vocab saved.tsv"},
		{"validate", "--epochs 3 --validate 0.05 --eval-every 20k --early-stop 2"},
		{"eval", "--epochs 2 --eval ../../pairs.tsv --eval ../../questions.txt --early-stop 5"},
		{"diverge", "--lr 50 --epochs 2"},
		{"many-negatives", "--negatives 40"},
	} {
		c := testCase{name: "setting/" + s.name}
		for i, arch := range []string{"", "--arch cbow", fasttext} {
			c.run = append(c.run, train(fmt.Sprintf("%d.w2v", i), arch, s.flags))
		}
		c.refused = s.name == "diverge"
		all = append(all, c)
	}
	return all
}

// outputCases train straight to each format that can be trained to.
func outputCases() []testCase {
	var all []testCase
	for _, m := range []struct{ name, flags, outputs string }{
		{"words", "", "m.safetensors m.w2vbin m.bin m.vec m.txt m.glove m.npy m.fifu m.vec.gz m.w2v.zst projector/"},
		{"n-grams", fasttext, "m.bin m.fifu m.vec m.glove m.npy"},
		{"floret", floret, "m.floret m.fifu m.bin m.vec"},
		{"hash", hash, "m.bin m.fifu m.vec"},
		{"appended", hash + " --append-weights", "m.vec m.w2vbin"},
		{"cbow", "--arch cbow --position-weights --word-ngrams 2 --word-buckets 3000 " + fasttext, "m.bin m.fifu m.vec"},
		{"structured", "--arch structured", "m.bin m.vec"},
		{"hs", "--loss hs " + fasttext, "m.bin m.fifu"},
		{"rank", "--rank 6 " + fasttext, "m.bin m.fifu m.vec"},
		{"tied", "--tied", "m.bin m.vec m.npy"},
		{"nested", "--nested 4,20", "m.bin m.vec"},
	} {
		for output := range strings.FieldsSeq(m.outputs) {
			all = append(all, testCase{name: "output/" + m.name + "/" + output, run: []command{train(output, m.flags, "--skip-unwritable")}})
		}
		for _, format := range []string{"torch", "model2vec", "sentence-transformers", "projector"} {
			all = append(all, testCase{name: "output/" + m.name + "/" + format, refused: true, run: []command{train("out-"+format, m.flags, "--format", format)}})
		}
	}
	return all
}

// deterministicCases train with several threads.
func deterministicCases() []testCase {
	var all []testCase
	for _, v := range []struct{ name, flags string }{
		{"words", ""}, {"n-grams", fasttext}, {"floret", floret}, {"hash", hash}, {"cbow", "--arch cbow"},
		{"cbow-positions", "--arch cbow --position-weights"}, {"structured", "--arch structured"}, {"hs", "--loss hs"}, {"directional", "--loss directional"},
		{"rank", "--rank 6"}, {"tied", "--tied"}, {"nested", "--nested 4,40"}, {"runs", "--arch cbow --word-ngrams 2 --word-buckets 3000"},
		{"cbow-hs-n-grams", "--arch cbow --loss hs " + fasttext},
	} {
		all = append(all, testCase{name: "deterministic/" + v.name, refused: true, run: []command{
			train("three.w2v", v.flags, "--deterministic --threads 3 --dim 40"),
			train("two.w2v", v.flags, "--deterministic --threads 2 --epochs 2 --dim 40 --checkpoint two.checkpoint"),
		}})
	}
	return all
}
