package interop

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func needNumpy(t *testing.T) { need(t, python, "-c", "import numpy") }
func needTorch(t *testing.T) { need(t, python, "-c", "import torch") }

// loadBridge prints the rows of a file for numerical programs as w2v vector does:
// arguments are how to load it and its path.
const loadBridge = `
import sys, json, struct, numpy as np
sys.stdout.reconfigure(encoding='utf8')
how, path = sys.argv[1:]

def safetensors(path):
    b = open(path, 'rb').read()
    n, = struct.unpack('<Q', b[:8])
    header = json.loads(b[8:8+n])
    assert (8 + n) % 8 == 0 and header.pop('__metadata__')['format'] == 'pt'
    types = {'F32': '<f4', 'F16': '<f2', 'BF16': '<u2'}
    out = {}
    for name, t in header.items():
        first, last = t['data_offsets']
        a = np.frombuffer(b[8+n+first:8+n+last], types[t['dtype']]).reshape(t['shape'])
        if t['dtype'] == 'BF16':
            import torch
            a = torch.from_numpy(a.astype('<i2')).view(torch.bfloat16)
        out[name] = a
    return out

def lines(path):
    return open(path, encoding='utf8', errors='surrogateescape', newline='\n').read().split('\n')[:-1]

if how == 'npy':
    rows, words = np.load(path, mmap_mode='r'), lines(path + '.vocab.txt')
elif how == 'projector':
    rows = np.loadtxt(path + '/vectors.tsv', delimiter='\t', dtype='f4')
    words = [line.split('\t')[0] for line in lines(path + '/metadata.tsv')[1:]]
else:
    import torch
    name = 'embedding.weight'
    if how == 'torch' or how == 'output':
        tensors, words = safetensors(path), lines(path + '.vocab.txt')
        if how == 'output':
            name = 'output.weight'
    else:
        tensors = safetensors(path + '/model.safetensors')
        name = {'sentence-transformers': name, 'model2vec': 'embeddings'}[how]
        vocab = json.load(open(path + '/tokenizer.json', encoding='utf8'))['model']['vocab']
        words = sorted(vocab, key=vocab.get)
        assert [vocab[w] for w in words] == list(range(len(words)))
    weight = tensors[name]
    if not isinstance(weight, torch.Tensor):
        weight = torch.from_numpy(weight.copy())
    embedding = torch.nn.Embedding.from_pretrained(weight)
    rows = embedding(torch.arange(len(words))).float().numpy()
assert len(words) == len(rows), (len(words), len(rows))
for word, row in zip(words, rows):
    try:
        word.encode('utf8')
    except UnicodeEncodeError:
        continue
    print(word, *(repr(float(x)) for x in row))
`

// numpy and torch have the rows that w2v vector prints, of every type of number, of
// words and of words that are composed.
func TestNumpyAndTorchReadOurModels(t *testing.T) {
	needNumpy(t)
	needTorch(t)
	dir := t.TempDir()
	text := strings.ReplaceAll(readText(t, corpus(t, dir)), " caf\xe9", "") // JSON holds no such words
	if err := os.WriteFile(filepath.Join(dir, "utf8.txt"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(dir, "model.w2v")
	output(t, "", w2v, "train", filepath.Join(dir, "utf8.txt"), "-o", model, "--dim", "20", "--epochs", "2", "--subwords", "fasttext", "--buckets", "20000")
	for _, test := range []struct {
		format string
		dtypes []string
	}{
		{"npy", []string{"f32", "f16"}},
		{"torch", []string{"f32", "f16", "bf16"}},
		{"projector", []string{""}},
		{"sentence-transformers", []string{"f32", "f16", "bf16"}},
		{"model2vec", []string{"f32", "f16"}},
	} {
		for _, dtype := range test.dtypes {
			out := filepath.Join(dir, test.format+dtype)
			args := []string{"convert", model, out, "--to", test.format}
			if dtype != "" {
				args = append(args, "--dtype", dtype)
			}
			output(t, "", w2v, args...)
			theirs := rows(t, output(t, "", python, "-c", loadBridge, test.format, out))
			exactRows(t, out, theirs, rows(t, output(t, "", w2v, "vector", out, "the", "dog", "日本語", "Ελλάδα", "naïve", "🙂")))
			pooled := test.format == "sentence-transformers" || test.format == "model2vec" // with the weights of words
			if !pooled && (dtype == "f32" || dtype == "") {                                // and those of the model that it was
				exactRows(t, out, theirs, rows(t, output(t, "", w2v, "vector", model, "the", "dog", "日本語", "Ελλάδα", "naïve", "🙂")))
			}
			if test.format == "torch" && dtype == "f32" {
				context := filepath.Join(dir, "context.vec")
				output(t, "", w2v, "convert", model, context, "--vectors", "output")
				exactRows(t, out, rows(t, output(t, "", python, "-c", loadBridge, "output", out)), rows(t, output(t, "", w2v, "vector", context, "the", "dog")))
			}
		}
	}
}

// exactRows wants the float32 that is printed to be the same one.
func exactRows(t *testing.T, what string, theirs, ours map[string][]float64) {
	t.Helper()
	for word, want := range ours {
		got := theirs[word]
		if len(got) != len(want) || len(want) == 0 {
			t.Errorf("%s: %q has %d numbers, want %d", what, word, len(got), len(want))
			continue
		}
		for i := range want {
			if math.Float32bits(float32(got[i])) != math.Float32bits(float32(want[i])) {
				t.Errorf("%s: %q, number %d: %v there, %v here", what, word, i, got[i], want[i])
				break
			}
		}
	}
}

// writeBridge saves what we are to read: a matrix of numpy in several types, and the
// state of an Embedding with the header that safetensors documents.
const writeBridge = `
import sys, json, struct, numpy as np, torch
out = sys.argv[1]
words = ['the', 'dog', 'Ελλάδα']
m = torch.nn.Embedding(3, 5).weight.detach().numpy()
for t in ['f2', 'f4', 'f8']:
    np.save(out + t, m.astype('<' + t))
    open(out + t + '.npy.vocab.txt', 'w', encoding='utf8').write('\n'.join(words))
data = m.astype('<f4').tobytes()
header = json.dumps({'weight': {'dtype': 'F32', 'shape': list(m.shape), 'data_offsets': [0, len(data)]}}).encode()
open(out + 'm.safetensors', 'wb').write(struct.pack('<Q', len(header)) + header + data)
open(out + 'm.safetensors.vocab.txt', 'w', encoding='utf8').write('\n'.join(words))
for word, row in zip(words, m):
    print(word, *(repr(float(x)) for x in row))
print('--')
for word, row in zip(words, m):
    print(word, *(repr(float(x)) for x in row.astype('f2')))
`

func TestWeReadNumpyAndTorch(t *testing.T) {
	needNumpy(t)
	needTorch(t)
	dir := t.TempDir() + string(filepath.Separator)
	single, half, _ := strings.Cut(output(t, "", python, "-c", writeBridge, dir), "--\n")
	for file, want := range map[string]string{"f2.npy": half, "f4.npy": single, "f8.npy": single, "m.safetensors": single} {
		exactRows(t, file, rows(t, output(t, "", w2v, "vector", dir+file, "the", "dog", "Ελλάδα")), rows(t, want))
	}
}

// What a network starts from has the size that was asked for.
func TestScaleAsTorchMeasuresIt(t *testing.T) {
	needTorch(t)
	dir := t.TempDir()
	model, out := filepath.Join(dir, "model.w2v"), filepath.Join(dir, "start.safetensors")
	output(t, "", w2v, "train", corpus(t, dir), "-o", model, "--dim", "20", "--epochs", "1")
	output(t, "", w2v, "convert", model, out, "--to", "torch", "--scale", "std=0.02")
	std := output(t, "", python, "-c", strings.ReplaceAll(loadBridge, "rows = embedding(torch", "print(float(embedding.weight.double().std(unbiased=False))); sys.exit(0); rows = embedding(torch"), "torch", out)
	if x, err := strconv.ParseFloat(strings.TrimSpace(std), 64); err != nil || math.Abs(x-0.02) > 1e-8 {
		t.Errorf("torch measures a standard deviation of %s", std)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
