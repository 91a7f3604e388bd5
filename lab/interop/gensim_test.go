package interop

import (
	"path/filepath"
	"strings"
	"testing"
)

// askGensim is a program that loads a model with gensim and answers as w2v vector
// and w2v nn do: arguments are the loader and the file, then words whose
// neighbours are listed; words on stdin have their vectors printed.
const askGensim = `
import sys
from gensim.models import KeyedVectors
from gensim.models.fasttext import load_facebook_model
sys.stdin.reconfigure(encoding='utf8'); sys.stdout.reconfigure(encoding='utf8')
how, path, *queries = sys.argv[1:]
if how == 'facebook':
    kv = load_facebook_model(path).wv
else:
    kv = KeyedVectors.load_word2vec_format(path, binary=how == 'binary', unicode_errors='replace', no_header=how == 'glove')
for line in sys.stdin:
    word = line.strip()
    print(word, *(repr(float(x)) for x in kv[word]))
print('--')
for q in queries:
    for word, similarity in kv.most_similar(q, topn=10):
        print(word, similarity)
    print('--')
`

// writeGensim trains with gensim and saves word2vec binary, text, and fastText's
// own format.
const writeGensim = `
import sys
from gensim.models import Word2Vec, FastText
from gensim.models.fasttext import save_facebook_model
text, out = sys.argv[1:]
lines = [line.split() for line in open(text, encoding='utf8', errors='ignore')]
model = Word2Vec(lines, vector_size=20, sg=1, epochs=1, min_count=5, workers=1)
model.wv.save_word2vec_format(out + '.bin', binary=True)
model.wv.save_word2vec_format(out + '.txt', binary=False)
fast = FastText(lines, vector_size=20, sg=1, epochs=1, min_count=5, workers=1, bucket=20000)
save_facebook_model(fast, out + '.fasttext.bin')
`

func sameAsGensim(t *testing.T, how, model string, asked []string) {
	t.Helper()
	near := []string{"dog", "paris", "日本語"}
	stdin := strings.Join(asked, "\n") + "\n"
	vectors, lists, _ := strings.Cut(output(t, stdin, python, append([]string{"-c", askGensim, how, model}, near...)...), "--\n")
	sameRows(t, asked, rows(t, output(t, stdin, w2v, "vector", model)), rows(t, vectors))
	for i, theirs := range strings.Split(strings.TrimSuffix(lists, "--\n"), "--\n") {
		sameNeighbors(t, near[i], output(t, "", w2v, "nn", model, near[i]), theirs)
	}
}

var known = []string{"the", "dog", "paris", "日本語", "Ελλάδα", "naïve", "🙂"}

func TestGensimReadsOurModels(t *testing.T) {
	needGensim(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	for _, test := range []struct {
		how, file string
		flags     []string
		asked     []string
	}{
		{"facebook", "sub.bin", []string{"--subwords", "fasttext", "--buckets", "20000"}, queries},
		{"binary", "words.bin", nil, known},
		{"text", "words.vec", nil, known},
		{"glove", "words.glove", nil, known},
	} {
		model := filepath.Join(dir, test.file)
		output(t, "", w2v, append([]string{"train", text, "-o", model, "--dim", "20", "--epochs", "2"}, test.flags...)...)
		sameAsGensim(t, test.how, model, test.asked)
	}
}

func TestWeReadGensimsModels(t *testing.T) {
	needGensim(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "gensim")
	output(t, "", python, "-c", writeGensim, corpus(t, dir), out)
	sameAsGensim(t, "binary", out+".bin", known)
	sameAsGensim(t, "text", out+".txt", known)
	sameAsGensim(t, "facebook", out+".fasttext.bin", queries)
}
