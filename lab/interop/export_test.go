package interop

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
)

// checkExports is a program that loads a model and what w2v convert made of it with
// gensim, and computes the same with numpy: arguments are the folder and the share
// of variance that w2v says 5 dimensions keep.
const checkExports = `
import sys, numpy as np
from gensim.models import KeyedVectors
from gensim.models.fasttext import load_facebook_model
folder, variance = sys.argv[1], float(sys.argv[2])
def binary(name): return KeyedVectors.load_word2vec_format(folder + '/' + name, binary=True, unicode_errors='backslashreplace')
def text(name): return KeyedVectors.load_word2vec_format(folder + '/' + name, binary=False, unicode_errors='backslashreplace')
model = load_facebook_model(folder + '/model.bin')
# gensim gives n-grams to </s>, and other ones to what is no UTF-8
words = [w for w in model.wv.index_to_key if w != '</s>' and '\\x' not in w]
x = np.array([model.wv[w] for w in words], dtype=np.float64)
context = np.array([model.syn1neg[model.wv.key_to_index[w]] for w in words], dtype=np.float64)
def same(name, kv, want, words=words):
    got = np.array([kv[w] for w in words], dtype=np.float64)
    assert got.shape == want.shape, (name, got.shape, want.shape)
    assert np.allclose(got, want, rtol=1e-4, atol=1e-5 * abs(want).max()), (name, abs(got - want).max())
same('unit', binary('unit.w2vbin'), x / np.linalg.norm(x, axis=1, keepdims=True))
same('output', text('output.vec'), context)
same('sum', text('sum.vec'), x + context)
same('concat', binary('concat.w2vbin'), np.hstack([x, context]))

counts = [model.wv.get_vecattr(w, 'count') for w in words]
assert counts == sorted(counts, reverse=True)
for top in text('top.vec'), load_facebook_model(folder + '/top.bin').wv:
    assert len(top) == 50, len(top)
    known = [w for w in top.index_to_key if w in words]
    assert known == words[:len(known)], known
    same('top', top, x[:len(known)], known)
unheard = ['unhappinesses', 'zzyzx', '日本日', 'naïvely']
oov = np.array([model.wv[w] for w in unheard], dtype=np.float64)
same('unheard of', top, oov, unheard)
asked = binary('words.w2vbin')
assert asked.index_to_key == ['unhappinesses', 'zzyzx', 'the', '日本日', 'dog', 'naïvely'], asked.index_to_key
same('asked for', asked, oov, unheard)

everything = text('all.vec').vectors.astype(np.float64)
same('all', text('all.vec'), x)
mean = everything.mean(axis=0)
_, sigma, axes = np.linalg.svd(everything - mean, full_matrices=False)
kept = (sigma[:5] ** 2).sum() / (sigma ** 2).sum()
assert abs(kept - variance) < 1e-5, (kept, variance)
axes = axes[:5].T
axes *= np.sign(axes[abs(axes).argmax(axis=0), range(5)])
same('principal components', binary('five.w2vbin'), (x - mean) @ axes)
five = load_facebook_model(folder + '/five.bin').wv
same('principal components of a model', five, (x - mean) @ axes)
same('principal components of unheard words', five, (oov - mean) @ axes, unheard)
`

func TestGensimReadsExports(t *testing.T) {
	needGensim(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	model := filepath.Join(dir, "model.bin")
	output(t, "", w2v, "train", text, "-o", model, "--subwords", "fasttext", "--dim", "12", "--buckets", "20000", "--epochs", "2")
	if err := tryExports(t, dir, model); err != nil {
		t.Fatal(err)
	}
}

func TestGensimReadsExportsOfFastText(t *testing.T) {
	needFastText(t)
	needGensim(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	model := filepath.Join(dir, "model")
	output(t, "", "fasttext", "skipgram", "-input", text, "-output", model, "-dim", "12", "-bucket", "20000", "-epoch", "2", "-thread", "12")
	if err := tryExports(t, dir, model+".bin"); err != nil {
		t.Fatal(err)
	}
}

func tryExports(t *testing.T, dir, model string) error {
	t.Helper()
	asked := "unhappinesses\nzzyzx\nthe\n日本日\ndog\nnaïvely\n"
	var done struct {
		Variance float64 `json:"variance_kept"`
		Streamed bool    `json:"streamed"`
	}
	for _, export := range [][]string{
		{"all.vec"},
		{"unit.w2vbin", "--normalize"},
		{"output.vec", "--vectors", "output"},
		{"sum.vec", "--vectors", "sum"},
		{"concat.w2vbin", "--vectors", "concat"},
		{"top.vec", "--top", "50"},
		{"top.bin", "--top", "50"},
		{"words.w2vbin", "--words", "-"},
		{"five.w2vbin", "--dim", "5"},
		{"five.bin", "--dim", "5"},
	} {
		args := append([]string{"convert", "--json", model, filepath.Join(dir, export[0])}, export[1:]...)
		if err := json.Unmarshal([]byte(output(t, asked, w2v, args...)), &done); err != nil {
			return err
		}
		if !done.Streamed {
			t.Errorf("%s: all of the model was read into memory", export[0])
		}
	}
	output(t, "", python, "-c", checkExports, dir, fmt.Sprint(done.Variance))
	return nil
}

// The same file has the same neighbours for w2v, fastText and gensim, whoever wrote
// it.
func TestNeighborsAgree(t *testing.T) {
	needFastText(t)
	needGensim(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	ours, theirs := filepath.Join(dir, "ours.bin"), filepath.Join(dir, "theirs")
	output(t, "", w2v, "train", text, "-o", ours, "--subwords", "fasttext", "--dim", "20", "--buckets", "20000", "--epochs", "2")
	output(t, "", "fasttext", "skipgram", "-input", text, "-output", theirs, "-dim", "20", "-bucket", "20000", "-epoch", "2", "-thread", "1") // the same model each time
	converted := filepath.Join(dir, "converted.bin")
	output(t, "", w2v, "convert", theirs+".bin", filepath.Join(dir, "theirs.w2v"))
	output(t, "", w2v, "convert", filepath.Join(dir, "theirs.w2v"), converted)
	for _, model := range []string{ours, theirs + ".bin", converted} {
		sameAsFastText(t, model)
		sameAsGensim(t, "facebook", model, queries)
	}
}
