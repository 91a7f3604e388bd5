package interop

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// makeForeign is a program that writes what gensim, torch and numpy save by default, into
// the folder that is its argument.
const makeForeign = `
import sys, os, tarfile
import numpy as np, torch
from gensim.models import Word2Vec, FastText, Doc2Vec, KeyedVectors
from gensim.models.doc2vec import TaggedDocument
folder = sys.argv[1]
at = lambda name: os.path.join(folder, name)
text = [['the', 'cat', 'sat'], ['the', 'dog', 'sat']] * 5
model = Word2Vec(text, vector_size=4, min_count=1, epochs=1, workers=1)
model.save(at('w2v.model'))
model.wv.save(at('w2v.kv'))
fasttext = FastText(text, vector_size=4, min_count=1, epochs=1, workers=1, bucket=20)
fasttext.save(at('ft.model'))
fasttext.wv.save(at('ft.kv'))
Doc2Vec([TaggedDocument(s, [i]) for i, s in enumerate(text)], vector_size=4, min_count=1, epochs=1, workers=1).save(at('d2v.model'))
weights = torch.zeros(2, 3)
torch.save({'embedding.weight': weights}, at('new.pt'))
torch.save({'embedding.weight': weights}, at('old.pt'), _use_new_zipfile_serialization=False)
np.savez(at('m.npz'), vectors=np.zeros((2, 3), 'f4'))
model.wv.save_word2vec_format(at('m.vec'))
with tarfile.open(at('m.tar'), 'w') as t:
    t.add(at('m.vec'), 'm.vec')
with tarfile.open(at('m.tar.gz'), 'w:gz') as t:
    t.add(at('m.vec'), 'm.vec')
# What is advised gives a model.
KeyedVectors.load(at('w2v.kv')).save_word2vec_format(at('kv.w2vbin'), binary=True)
KeyedVectors.load(at('ft.kv')).save_word2vec_format(at('ftkv.w2vbin'), binary=True)
Word2Vec.load(at('w2v.model')).wv.save_word2vec_format(at('model.w2vbin'), binary=True)
import gensim
gensim.models.fasttext.save_facebook_model(gensim.models.FastText.load(at('ft.model')), at('ft.bin'))
`

// What people take for models, as the programs themselves write it, is called by its name,
// and what is advised to do gives a model.
func TestForeignFilesAreNamed(t *testing.T) {
	needGensim(t)
	needTorch(t)
	dir := t.TempDir()
	output(t, "", python, "-c", makeForeign, dir)
	for name, want := range map[string]string{
		"w2v.model": "this is a pickle of gensim's Word2Vec, which is not executed here",
		"w2v.kv":    "this is a pickle of gensim's KeyedVectors",
		"ft.model":  "this is a pickle of gensim's FastText,",
		"ft.kv":     "this is a pickle of gensim's FastTextKeyedVectors",
		"d2v.model": "this is a pickle of gensim's Doc2Vec",
		"new.pt":    "this is a file of torch.save",
		"old.pt":    "this is a file of torch.save",
		"m.npz":     "this is a .npz file of numpy",
		"m.tar":     "this is a tar archive",
		"m.tar.gz":  "this is a tar archive",
	} {
		out, err := exec.Command(w2v, "convert", filepath.Join(dir, name), filepath.Join(dir, "x.w2v")).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: %v, %s; want %q", name, err, out, want)
		}
	}
	for name, words := range map[string]string{"kv.w2vbin": "cat", "ftkv.w2vbin": "cat", "model.w2vbin": "cat", "ft.bin": "catty"} {
		output(t, "", w2v, "vector", filepath.Join(dir, name), words)
	}
}
