package interop

import (
	"path/filepath"
	"strings"
	"testing"
)

func sameAsFastText(t *testing.T, model string) {
	t.Helper()
	asked := strings.Join(queries, "\n") + "\n"
	sameRows(t, queries,
		rows(t, output(t, asked, w2v, "vector", model)),
		rows(t, output(t, asked, "fasttext", "print-word-vectors", model)))

	for _, query := range []string{"dog", "paris", "日本語", "unhappinesses"} {
		theirs := output(t, query+"\n", "fasttext", "nn", model, "10")
		sameNeighbors(t, query, output(t, "", w2v, "nn", model, query), strings.ReplaceAll(theirs, "Query word?", ""))
	}

	for _, word := range []string{"dog", "naïve", "Ελληνικά", "日本語"} {
		ours := strings.Split(strings.TrimSpace(output(t, "", w2v, "ngrams", model, word)), "\n")
		theirs := strings.Split(strings.TrimSpace(output(t, "", "fasttext", "print-ngrams", model, word)), "\n")
		if len(theirs) == len(ours)+1 && strings.HasPrefix(theirs[0], word+" ") {
			theirs = theirs[1:] // the word itself, which is in the vocabulary
		}
		if len(ours) != len(theirs) {
			t.Errorf("%q has %d n-grams, by fastText %d", word, len(ours), len(theirs))
			continue
		}
		for i := range ours {
			ngram, rest, _ := strings.Cut(ours[i], " ")
			_, numbers, _ := strings.Cut(rest, " ") // behind the bucket
			sameRows(t, []string{ngram}, rows(t, ngram+" "+numbers), rows(t, theirs[i]))
		}
	}
}

func TestFastTextReadsOurModel(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	model := filepath.Join(dir, "model.bin")
	output(t, "", w2v, "train", corpus(t, dir), "-o", model, "--subwords", "fasttext", "--dim", "20", "--buckets", "20000", "--epochs", "2")
	sameAsFastText(t, model)
}

func TestWeReadFastTextsModel(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	for name, flags := range map[string][]string{
		"skipgram": {"skipgram"},
		"cbow":     {"cbow", "-minn", "1", "-maxn", "4"},
	} {
		model := filepath.Join(dir, name)
		output(t, "", "fasttext", append(flags, "-input", text, "-output", model, "-dim", "20", "-bucket", "20000", "-epoch", "2", "-thread", "12")...)
		sameAsFastText(t, model+".bin")

		// And back: what we write of it is what it was.
		output(t, "", w2v, "convert", model+".bin", model+".w2v")
		output(t, "", w2v, "convert", model+".w2v", model+"2.bin")
		sameAsFastText(t, model+"2.bin")
	}
}

func TestFastTextReadsOurWords(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	model := filepath.Join(dir, "words.bin")
	output(t, "", w2v, "train", corpus(t, dir), "-o", model, "--format", "fasttext", "--dim", "20", "--epochs", "2")
	known := []string{"the", "dog", "日本語", "naïve"}
	asked := strings.Join(known, "\n") + "\n"
	sameRows(t, known,
		rows(t, output(t, asked, w2v, "vector", model)),
		rows(t, output(t, asked, "fasttext", "print-word-vectors", model)))
}
