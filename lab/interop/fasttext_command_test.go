package interop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The commands of fastText's tutorial on word representations, and what their arguments add up to,
// after "fasttext". The corpus of the tutorial is another one.
var tutorial = []struct{ command, args string }{
	{"skipgram -input data/fil9 -output result/fil9", "dim 100 minn 3 maxn 6 epoch 5 bucket 2000000 model sg"},
	{"cbow -input data/fil9 -output result/fil9", "model cbow"},
	{"skipgram -input data/fil9 -output result/fil9 -minn 2 -maxn 5 -dim 300", "dim 300 minn 2 maxn 5"},
	{"skipgram -input data/fil9 -output result/fil9 -epoch 1 -lr 0.5", "epoch 1"},
	{"skipgram -input data/fil9 -output result/fil9 -thread 4", "ws 5 neg 5 loss ns t 0.0001 minCount 5"},
	{"skipgram -input data/fil9 -output result/fil9-none -maxn 0", "maxn 0 bucket 0"},
}

// inTutorial makes the folders of the tutorial and goes there.
func inTutorial(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for _, folder := range []string{"data", "result"} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(corpus(t, dir), "data/fil9"); err != nil {
		t.Fatal(err)
	}
}

// The tutorial's commands work when "fasttext" becomes "w2v fasttext". Of each model fastText prints
// the same bytes as w2v fasttext does.
func TestFastTextsTutorial(t *testing.T) {
	needFastText(t)
	inTutorial(t)
	for i, step := range tutorial {
		line := step.command
		if i > 0 {
			line += " -bucket 500" // files of 2,000,000 take a gigabyte
		}
		output(t, "", w2v, append([]string{"fasttext"}, strings.Fields(line)...)...)
		name := strings.Fields(step.command)[4]
		dumped := "\n" + output(t, "", "fasttext", "dump", name+".bin", "args")
		want := strings.Fields(step.args)
		for j := 0; j < len(want); j += 2 {
			if text := fmt.Sprintf("\n%s %s\n", want[j], want[j+1]); !strings.Contains(dumped, text) {
				t.Errorf("%s: the arguments in the file lack %q:\n%s", line, text, dumped)
			}
		}
		if strings.Contains(line, "-maxn") { // n-grams and words alone
			sameAnswers(t, name+".bin")
			sameText(t, name)
		}
	}
}

// sameText wants the vectors of a text to be those that fastText prints of the binary file beside it.
func sameText(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name + ".vec")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(text), "\n")
	var words strings.Builder
	for line := range strings.Lines(lines) {
		word, _, _ := strings.Cut(line, " ")
		words.WriteString(word + "\n")
	}
	if printed := output(t, words.String(), "fasttext", "print-word-vectors", name+".bin"); printed != lines {
		t.Errorf("%s.vec differs from what fastText prints of %s.bin", name, name)
	}
}

// sameAnswers wants w2v fasttext and fastText to print the same bytes of a model.
func sameAnswers(t *testing.T, model string) {
	t.Helper()
	same := func(stdin string, args ...string) {
		t.Helper()
		ours := output(t, stdin, w2v, append([]string{"fasttext"}, args...)...)
		theirs := output(t, stdin, "fasttext", args...)
		if ours != theirs {
			t.Errorf("%s: printed\n%s\nand by fastText\n%s", strings.Join(args, " "), first(ours), first(theirs))
		}
	}
	asked := strings.Join(queries, "\n") + "\n"
	same("asparagus pidgey yellow", "print-word-vectors", model)
	same("enviroment\n", "print-word-vectors", model)
	same(asked, "print-word-vectors", model)
	same("", "print-word-vectors", model)
	same("the dog\n\n  paris\tand japan \nzzyzx\r\nthe", "print-sentence-vectors", model)
	same("", "print-sentence-vectors", model)
	same("asparagus\npidgey\nenviroment\ngearshift\n", "nn", model)
	same(asked, "nn", model, "3")
	same("", "nn", model)
	for _, word := range []string{"dog", "naïve", "Ελληνικά", "日本語", "zzyzx", ""} {
		same("", "print-ngrams", model, word)
	}
	for _, part := range []string{"args", "dict", "input", "output"} {
		same("", "dump", model, part)
	}
	// At the end of its input fastText prints the last answers for ever.
	triples := "berlin germany france\npsx sony nintendo\nparis paris rome\n"
	ours := output(t, triples, w2v, "fasttext", "analogies", model)
	script := fmt.Sprintf("fasttext analogies %s | head -c %d", model, len(ours))
	if theirs := output(t, triples, "sh", "-c", script); ours != theirs {
		t.Errorf("analogies: printed\n%s\nand by fastText\n%s", ours, theirs)
	}
}

// first is the beginning of a text.
func first(text string) string { return text[:min(len(text), 1000)] }

// A model that fastText trained answers alike as well.
func TestSameAnswersOfFastTextsModel(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	for _, line := range []string{"skipgram", "cbow -minn 1 -maxn 4 -loss hs"} {
		model := filepath.Join(dir, "model")
		args := append(strings.Fields(line), "-input", text, "-output", model, "-dim", "16", "-bucket", "500", "-epoch", "1", "-thread", "12")
		output(t, "", "fasttext", args...)
		sameAnswers(t, model+".bin")
		sameText(t, model)
	}
}

// Both count the same words in a text.
func TestSameDictionary(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	file, err := os.OpenFile(text, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("\n\nthe\vdog\fand\x00the\rcat\t\n </s>\n"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	dictionary := func(program ...string) map[string]bool {
		model := filepath.Join(dir, filepath.Base(program[0]))
		args := append(program[1:], "skipgram", "-input", text, "-output", model, "-dim", "2", "-bucket", "100", "-epoch", "1", "-minCount", "1", "-verbose", "0")
		output(t, "", program[0], args...)
		all := make(map[string]bool)
		for line := range strings.Lines(output(t, "", "fasttext", "dump", model+".bin", "dict")) {
			all[line] = true
		}
		return all
	}
	ours, theirs := dictionary(w2v, "fasttext"), dictionary("fasttext")
	for line := range ours {
		if !theirs[line] {
			t.Errorf("fastText does not have %q", line)
		}
	}
	if len(ours) != len(theirs) || len(ours) < 100 {
		t.Errorf("%d lines, and by fastText %d", len(ours), len(theirs))
	}
}

// gensim and fastText's module for Python read what w2v fasttext writes.
func TestPythonReadsFilesOfTheFastTextCommand(t *testing.T) {
	need(t, python, "-c", "import gensim, fasttext")
	dir := t.TempDir()
	model := filepath.Join(dir, "model")
	output(t, "", w2v, "fasttext", "skipgram", "-input", corpus(t, dir), "-output", model, "-dim", "8", "-bucket", "20000", "-epoch", "1", "-verbose", "0")
	const script = `
import sys, warnings
import numpy as np
warnings.simplefilter("ignore")
import fasttext
from gensim.models.fasttext import load_facebook_model
from gensim.models import KeyedVectors
path = sys.argv[1]
fasttext.FastText.eprint = lambda x: None
ours, theirs, text = fasttext.load_model(path + ".bin"), load_facebook_model(path + ".bin").wv, KeyedVectors.load_word2vec_format(path + ".vec", unicode_errors="replace")
for word in ["the", "dog", "</s>", "unhappinesses", "日本語"]:
    if word != "</s>": # which gensim gives n-grams
        np.testing.assert_allclose(ours[word], theirs[word], atol=1e-6)
    if word in text:
        np.testing.assert_allclose(ours[word], text[word], rtol=1e-4, atol=1e-7)
print(len(text) == len(theirs) == len(ours.get_words(on_unicode_error="replace")))
`
	if out := output(t, "", python, "-c", script, model); out != "True\n" {
		t.Error(out)
	}
}
