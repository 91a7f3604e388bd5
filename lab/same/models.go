package main

import (
	"fmt"
	"strings"
)

// kinds are the models that others start from.
var kinds = []struct{ name, flags string }{
	{"words", ""},
	{"n-grams", fasttext},
	{"floret", floret},
	{"hash", hash},
	{"appended", hash + " --append-weights"},
	{"cbow", "--arch cbow --position-weights"},
	{"runs", "--arch cbow --word-ngrams 2 --word-buckets 3000 " + fasttext},
	{"structured", "--arch structured"},
	{"hs", "--loss hs"},
	{"softmax", "--loss softmax"},
	{"directional", "--loss directional"},
	{"rank", "--rank 6"},
	{"tied", "--tied"},
	{"nested", "--nested 4,12,20"},
}

// warmCases start from other vectors.
func warmCases() []testCase {
	var all []testCase
	for _, k := range kinds {
		c := testCase{name: "warm/" + k.name, refused: true, prepare: []command{train("first.w2v", k.flags)}}
		for _, how := range []struct{ name, flags string }{
			{"init", ""}, {"grown", "--update-vocab"}, {"frozen", "--freeze known"}, {"frozen-grown", "--update-vocab --freeze known"},
			{"n-grams", fasttext}, {"wider", "--dim 24"},
		} {
			second := train(how.name+".w2v", k.flags, "--init first.w2v", how.flags)
			second.args[1] = "../../more.txt"
			c.run = append(c.run, second)
		}
		all = append(all, c)
	}
	return append(all, testCase{name: "warm/formats", refused: true,
		prepare: []command{train("first.vec"), train("first.bin", fasttext), train("first.floret", floret), train("first.fifu", fasttext)},
		run: []command{
			train("a.w2v", "--init first.vec"), train("b.w2v", fasttext, "--init first.bin"), train("c.w2v", floret, "--init first.floret"),
			train("d.w2v", fasttext, "--init first.fifu"), train("e.w2v", "--init first.vec", fasttext),
		}})
}

// checkpointCases write checkpoints, and go on from those that the old binary has written.
func checkpointCases() []testCase {
	var all []testCase
	for _, k := range kinds {
		all = append(all,
			testCase{name: "checkpoint/" + k.name, run: []command{
				train("m.w2v", k.flags, "--checkpoint m.checkpoint --validate 0.05"),
			}},
			testCase{name: "resume/" + k.name,
				prepare: []command{train("m.w2v", k.flags, "--checkpoint m.checkpoint"), w2v("convert m.checkpoint m.vec --skip-unwritable")},
				run: []command{
					w2v("train ../../text.txt -o longer.w2v --resume m.checkpoint --extend-epochs 1 --progress never"),
					w2v("train ../../more.txt -o newer.w2v --resume m.checkpoint --update-vocab --epochs 1 --progress never --threads 1"),
				}})
	}
	return all
}

// modelCases make other models of a model.
func modelCases() []testCase {
	var all []testCase
	for _, k := range kinds {
		prepare := []command{train("m.w2v", k.flags)}
		add := func(name string, runs ...command) {
			all = append(all, testCase{name: "model/" + k.name + "/" + name, refused: true, prepare: prepare, run: runs})
		}
		var formats []command
		for output := range strings.FieldsSeq("m.bin m.w2vbin m.vec m.glove m.npy m.fifu m.floret") {
			formats = append(formats, w2v("convert m.w2v "+output+" --skip-unwritable"))
			formats = append(formats, w2v("convert "+output+" from-"+strings.ReplaceAll(output, ".", "-")+".w2v"))
		}
		for _, format := range []string{"torch", "model2vec", "sentence-transformers", "projector", "word2vec"} {
			formats = append(formats, w2v(fmt.Sprintf("convert m.w2v out-%s --to %s", format, format)))
			formats = append(formats, w2v(fmt.Sprintf("convert out-%s from-%s.w2v", format, format)))
		}
		add("formats", formats...)
		var converted []command
		for i, flags := range []string{
			"--top 100", "--words ../../words.txt", "--words ../../words.txt --missing zero", "--words ../../words.txt --missing random --seed 3",
			"--words ../../words.txt --missing fail", "--dim 8", "--dim 8 --top 200", "--first 12", "--normalize",
			"--vectors output", "--vectors sum", "--vectors concat", "--scale unit", "--scale sqrt-dim", "--scale std=0.02 --special-tokens [PAD],[UNK]",
			"--dtype f16", "--dtype bf16 --top 50", "--tied --to torch",
		} {
			converted = append(converted, w2v(fmt.Sprintf("convert m.w2v converted-%02d.w2v %s", i, flags)))
		}
		add("convert", converted...)
		add("quantize",
			w2v("quantize m.w2v f16.w2v --method f16"), w2v("quantize m.w2v int8.w2v --method int8"),
			w2v("quantize m.w2v pq.w2v"), w2v("quantize m.w2v opq.w2v --method opq --bytes 5"),
			w2v("quantize m.w2v pq.fifu --bytes 4"), w2v("quantize m.w2v kept.w2v --method int8 --keep-output --prune=false"),
			w2v("convert pq.w2v from-pq.vec --skip-unwritable"), w2v("convert opq.w2v from-opq.w2v --top 50"), w2v("convert pq.fifu from-fifu.w2v"),
			w2v("convert int8.w2v from-int8.npy --skip-unwritable"),
		)
		add("factorize",
			w2v("factorize --rank 5 m.w2v rank.w2v"), w2v("factorize --energy 0.8 m.w2v energy.w2v"), w2v("factorize --rank 3 m.w2v rank.bin"),
			w2v("quantize rank.w2v rank-pq.w2v --method pq"), w2v("convert rank.w2v rank.vec --skip-unwritable"),
		)
	}
	return all
}

// queryCases ask models.
func queryCases() []testCase {
	var all []testCase
	for _, k := range kinds {
		all = append(all, testCase{name: "query/" + k.name, refused: true,
			prepare: []command{train("m.w2v", k.flags), w2v("quantize m.w2v q.w2v --method int8")},
			run: []command{
				asked("info.json", "info m.w2v --json"),
				asked("info-q.json", "info q.w2v --json"),
				asked("nn.json", "nn m.w2v paris dog unhappiness zzz --json"),
				asked("nn-q.json", "nn q.w2v paris dog unhappiness --json"),
				asked("analogy.json", "analogy m.w2v man king woman --json"),
				asked("similarity.txt", "similarity m.w2v king queen"),
				asked("vector.txt", "vector m.w2v king unhappiness"),
				asked("ngrams.txt", "ngrams m.w2v unhappiness"),
				asked("sentence.txt", "sentence m.w2v ../../sentences.txt"),
				asked("eval-similarity.json", "eval similarity m.w2v ../../pairs.tsv --json"),
				asked("eval-analogy.json", "eval analogy m.w2v ../../questions.txt --json"),
			}})
	}
	return all
}
