package interop

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// owners does with a folder what model2vec and sentence-transformers do, as far as their sources say: cut prints
// the part of each text that is encoded, and pool the vectors of texts of these ids.
const owners = `
import sys, json, struct, os, numpy as np
step, owner, folder, given = sys.argv[1:]
given = json.load(open(given, encoding='utf8'))
deep = folder + '/0_StaticEmbedding' if os.path.exists(folder + '/0_StaticEmbedding') else folder
tokenizer = json.load(open(deep + '/tokenizer.json', encoding='utf8'))
model = tokenizer['model']
if step == 'cut':
    if owner == 'model2vec':
        vocab = model['vocab']
        tokens = {t for t in vocab} if isinstance(vocab, dict) else {t for t, _ in vocab}
        tokens |= {a['content'] for a in tokenizer.get('added_tokens', [])}
        most = 512 * int(np.median([len(t) for t in tokens]))
        given = [text[:most] for text in given]
    print(json.dumps(given))
    sys.exit()
data = open(deep + '/model.safetensors', 'rb').read()
n, = struct.unpack('<Q', data[:8])
tensors = {}
for name, t in json.loads(data[8:8+n]).items():
    if name != '__metadata__':
        first, last = t['data_offsets']
        kind = {'F64': '<f8', 'F32': '<f4', 'F16': '<f2', 'I8': 'i1', 'I64': '<i8', 'I32': '<i4'}[t['dtype']]
        tensors[name] = np.frombuffer(data[8+n+first:8+n+last], kind).reshape(t['shape'])
rows = tensors['embeddings' if owner == 'model2vec' else 'embedding.weight' if 'embedding.weight' in tensors else 'embeddings']
weights, mapping = tensors.get('weights'), tensors.get('mapping')
out = []
for ids in given:
    if owner == 'model2vec':
        if model['type'] != 'Unigram' and model.get('unk_token') is not None:
            vocab = dict(model['vocab'])
            vocab.update({a['content']: a['id'] for a in tokenizer.get('added_tokens', []) if a['content'] not in vocab})
            ids = [i for i in ids if i != vocab[model['unk_token']]]
        ids = ids[:512]
        v = np.zeros(rows.shape[1])
        if ids:
            v = rows[ids if mapping is None else mapping[ids]]
            if weights is not None:
                v = v * weights[ids][:, None]
            v = v.mean(axis=0)
        if json.load(open(folder + '/config.json')).get('normalize', False):
            v = v / (np.linalg.norm(v) + 1e-32)
    else:
        v = rows[ids].astype('<f4').mean(axis=0) if ids else np.zeros(rows.shape[1])
        modules = json.load(open(folder + '/modules.json')) if os.path.exists(folder + '/modules.json') else []
        if any(m['type'].endswith('Normalize') for m in modules):
            v = v / max(np.linalg.norm(v), 1e-12)
    out.append([float(x) for x in v])
print(json.dumps(out))
`

// ownersVectors returns the vectors that the owner of a folder gives texts, with the tokenizers library.
func ownersVectors(t *testing.T, npm, owner, folder string, texts []string) (all [][]float64) {
	t.Helper()
	given := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "given.json")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var cut []string
	if err := json.Unmarshal([]byte(output(t, "", python, "-c", owners, "cut", owner, folder, given(texts))), &cut); err != nil {
		t.Fatal(err)
	}
	deep := folder
	if _, err := os.Stat(filepath.Join(folder, "0_StaticEmbedding")); err == nil {
		deep = filepath.Join(folder, "0_StaticEmbedding")
	}
	ids := output(t, "", "node", filepath.Join(npm, "encode.js"), "rust", deep, given(cut))
	if err := json.Unmarshal([]byte(output(t, "", python, "-c", owners, "pool", owner, folder, given(json.RawMessage(ids)))), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// ourVectors returns the vectors of w2v sentence; nil for a text without one.
func ourVectors(t *testing.T, model string, texts []string) (all [][]float64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "texts.txt")
	if err := os.WriteFile(path, []byte(strings.Join(texts, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(w2v, "sentence", model, path, "--json").Output() // the exit code tells of texts without words
	for line := range strings.Lines(string(out)) {
		var s struct{ Vector []float64 }
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s.Vector)
	}
	return all
}

// sameVectors compares vectors of texts, to a millionth of their length; only their directions if asked to.
func sameVectors(t *testing.T, texts []string, ours, theirs [][]float64, byDirection bool) {
	t.Helper()
	if len(ours) != len(texts) || len(theirs) != len(texts) {
		t.Fatalf("%d texts, %d vectors of ours and %d of theirs", len(texts), len(ours), len(theirs))
	}
	different, some := 0, 0
	for i, text := range texts {
		if ours[i] == nil {
			ours[i] = make([]float64, len(theirs[i]))
		}
		length, own, off, scale := 0.0, 0.0, 0.0, 1.0
		for k, x := range theirs[i] {
			length, own = length+x*x, own+ours[i][k]*ours[i][k]
		}
		length, own = math.Sqrt(length), math.Sqrt(own)
		if byDirection && own > 0 {
			scale = length / own
		}
		for k, x := range theirs[i] {
			off = max(off, math.Abs(x-scale*ours[i][k]))
		}
		if length > 0 {
			some++
		}
		most := 1e-6
		if len(text) > 4000 {
			most = 5e-6 // both add up thousands of float32, one after the other
		}
		if off > most*max(length, 1e-3) {
			if different++; different <= 3 {
				t.Errorf("%.80q: off by %g of %g\nours   %.4v\ntheirs %.4v", text, off, length, ours[i], theirs[i])
			}
		}
	}
	if different > 0 || some < len(texts)/2 {
		t.Errorf("%d of %d texts have other vectors; %d have one", different, len(texts), some)
	}
}

// sentences returns odd lines, and long texts of more tokens and characters than model2vec reads.
func sentences(n int) []string {
	lines := settledLines(n, 7)
	for i, line := range lines {
		lines[i] = strings.NewReplacer("\ufeff", "", "\r", "", "\n", "").Replace(line)
	}
	return append(lines, strings.Repeat("the cat sat ", 400), strings.Repeat("incomprehensibilities and ", 400), strings.Repeat(lines[3]+" ", 500))
}

// saveTensors writes matrices as the safetensors libraries do.
func saveTensors(t *testing.T, path string, tensors map[string]any, shapes map[string][]int) {
	t.Helper()
	header, data := map[string]any{}, &bytes.Buffer{}
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		first := data.Len()
		if err := binary.Write(data, binary.LittleEndian, tensors[name]); err != nil {
			t.Fatal(err)
		}
		kind := map[string]string{"[]float32": "F32", "[]float64": "F64", "[]int8": "I8", "[]int64": "I64"}[fmt.Sprintf("%T", tensors[name])]
		header[name] = object{"dtype": kind, "shape": shapes[name], "data_offsets": []int{first, data.Len()}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	file := slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data.Bytes())
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
}

// Folders of every kind of tokenizer and layout have the vectors that their owners give texts.
func TestStaticModelsOfPeers(t *testing.T) {
	needNumpy(t)
	npm := installed(t, "tokenizers")
	texts := sentences(300)
	files := tokenizerFiles(settledLines(600, 3))
	r := rand.New(rand.NewPCG(4, 2))
	numbers := func(n int) (all []float32) {
		for range n {
			all = append(all, float32(r.NormFloat64()))
		}
		return all
	}
	const dim = 12
	for i, name := range slices.Sorted(maps.Keys(files)) {
		file := files[name]
		if i%2 == 0 {
			file["truncation"] = object{"direction": "Right", "max_length": 20 + i, "strategy": "LongestFirst", "stride": 0}
		}
		rows := 0
		for _, a := range file["added_tokens"].([]object) {
			rows = max(rows, a["id"].(int)+1)
		}
		switch v := file["model"].(object)["vocab"].(type) {
		case map[string]int:
			rows = max(rows, len(v))
		case [][]any:
			rows = max(rows, len(v))
		}
		save := func(t *testing.T, folder, name string, value any) {
			t.Helper()
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Run("model2vec/"+name, func(t *testing.T) {
			folder := t.TempDir()
			save(t, folder, "tokenizer.json", file)
			save(t, folder, "config.json", object{"normalize": i%3 == 0, "model_type": "model2vec"})
			tensors, shapes := map[string]any{"embeddings": numbers(rows * dim)}, map[string][]int{"embeddings": {rows, dim}}
			switch i % 4 {
			case 1: // of a quantised vocabulary
				mapping, weights := make([]int64, rows), make([]float64, rows)
				for id := range mapping {
					mapping[id], weights[id] = r.Int64N(40), r.Float64()
				}
				tensors = map[string]any{"embeddings": numbers(40 * dim), "mapping": mapping, "weights": weights}
				shapes = map[string][]int{"embeddings": {40, dim}, "mapping": {rows}, "weights": {rows}}
			case 2: // quantised numbers
				small := make([]int8, rows*dim)
				for k := range small {
					small[k] = int8(r.IntN(255) - 127)
				}
				tensors["embeddings"] = small
			}
			saveTensors(t, filepath.Join(folder, "model.safetensors"), tensors, shapes)
			sameVectors(t, texts, ourVectors(t, folder, texts), ownersVectors(t, npm, "model2vec", folder, texts), false)
		})
		if i%4 == 0 || i%4 == 3 {
			continue // half of them is enough of what both owners have
		}
		t.Run("sentence-transformers/"+name, func(t *testing.T) {
			folder := t.TempDir()
			deep := folder
			if i%3 > 0 {
				deep = filepath.Join(folder, "0_StaticEmbedding")
				modules := []object{{"idx": 0, "name": "0", "path": "0_StaticEmbedding", "type": "sentence_transformers.models.StaticEmbedding"}}
				if i%3 == 1 {
					modules = append(modules, object{"idx": 1, "name": "1", "path": "1_Normalize", "type": "sentence_transformers.models.Normalize"})
				}
				save(t, folder, "modules.json", modules)
			}
			save(t, deep, "tokenizer.json", file)
			more := 3 * (i % 2) // rows for tokens that may come
			saveTensors(t, filepath.Join(deep, "model.safetensors"), map[string]any{"embedding.weight": numbers((rows + more) * dim)}, map[string][]int{"embedding.weight": {rows + more, dim}})
			sameVectors(t, texts, ourVectors(t, folder, texts), ownersVectors(t, npm, "sentence-transformers", folder, texts), false)
		})
	}
}

// Models that w2v trains have the same vectors of texts in the folders of their owners.
func TestOurModelsAsStaticModels(t *testing.T) {
	needNumpy(t)
	npm := installed(t, "tokenizers")
	texts := sentences(200)
	short := texts[:200] // that model2vec reads to the end
	dir := t.TempDir()
	text := filepath.Join(dir, "text.txt")
	if err := os.WriteFile(text, []byte(strings.Join(slices.Repeat(texts, 4), "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	files := tokenizerFiles(settledLines(600, 3))
	for name, test := range map[string]struct {
		args  []string
		exact string // the owners that make vectors of the same length: the others count unknown words otherwise
	}{
		"gpt2":             {[]string{"--tokenizer", "gpt2"}, "model2vec sentence-transformers"},
		"gpt2, n-grams":    {[]string{"--tokenizer", "gpt2", "--subwords", "fasttext", "--buckets", "5000"}, "model2vec sentence-transformers"},
		"t5":               {[]string{"--tokenizer", "t5"}, "model2vec sentence-transformers"},
		"bert uncased":     {[]string{"--tokenizer", "bert uncased"}, "sentence-transformers"},
		"white space":      {[]string{"--lowercase"}, "model2vec"},
		"unicode":          {[]string{"--tokenizer", "unicode", "--lowercase"}, "model2vec"},
		"numbers, accents": {[]string{"--tokenizer", "unicode", "--digits", "zero", "--strip-accents", "--punctuation", "drop"}, "model2vec"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			model := filepath.Join(folder, "m.w2v")
			args := slices.Clone(test.args)
			if file, ok := files[args[1%len(args)]]; ok {
				encoded, err := json.Marshal(file)
				if err != nil {
					t.Fatal(err)
				}
				args[1] = filepath.Join(folder, "tokenizer.json")
				if err := os.WriteFile(args[1], encoded, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			output(t, "", w2v, append([]string{"train", text, "-o", model, "--dim", "10", "--epochs", "1", "--min-count", "1"}, args...)...)
			ours := ourVectors(t, model, short)
			for _, owner := range []string{"model2vec", "sentence-transformers"} {
				to := filepath.Join(folder, owner)
				output(t, "", w2v, "convert", model, to, "--to", owner)
				exact := strings.Contains(test.exact, owner)
				if !exact && name == "bert uncased" {
					continue // model2vec leaves unknown words out, and a note says so
				}
				sameVectors(t, short, ours, ownersVectors(t, npm, owner, to, short), !exact)
				sameVectors(t, texts, ourVectors(t, to, texts), ownersVectors(t, npm, owner, to, texts), !exact)
			}
		})
	}
}
