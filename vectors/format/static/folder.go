package vectors

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
)

// Folders that sentence-transformers and model2vec load as models which look words
// up and take the mean of their vectors. Sources: SentenceTransformer.py and
// models/StaticEmbedding.py of github.com/UKPLab/sentence-transformers, and
// persistence/ and model.py of github.com/MinishLab/model2vec.
const (
	sentenceModules = "modules.json"
	sentenceConfig  = "config_sentence_transformers.json"
	// sentenceFolder is where the matrix and the tokens are if they are not in the
	// folder itself.
	sentenceFolder = "0_StaticEmbedding/"

	model2VecConfig  = "config.json"
	model2VecMatrix  = "embeddings"
	model2VecWeights = "weights"
	model2VecMapping = "mapping"

	staticMatrix          = "model.safetensors"
	staticTokenizer       = "tokenizer.json"
	staticTokenizerConfig = "tokenizer_config.json"
	staticModule          = "StaticEmbedding"
)

// longestConfig is more than any configuration has.
const longestConfig = 16 << 20

func writeSentenceTransformers(s *Set) ([]part, error) {
	d := s.dtypeFor(FormatSentenceTransformers)
	s = s.Exact(d).tokenizerWords()
	return []part{
		{sentenceModules, jsonWriter(staticModules(""))},
		{sentenceConfig, jsonWriter(map[string]any{
			"model_type": "SentenceTransformer", "prompts": struct{}{}, "default_prompt_name": nil, "similarity_fn_name": "cosine",
		})},
		{staticTokenizer, s.writeTokenizer},
		{staticTokenizerConfig, s.writeTokenizerConfig},
		{staticMatrix, s.staticMatrix(torchInput, d)},
	}, nil
}

func writeModel2Vec(s *Set) ([]part, error) {
	d := s.dtypeFor(FormatModel2Vec)
	s = s.Exact(d).tokenizerWords()
	return []part{
		{model2VecConfig, jsonWriter(map[string]any{
			"model_type":      "model2vec",
			"architectures":   []string{"StaticModel"},
			"tokenizer_name":  "w2v", // what the vectors were distilled from: nothing else
			"apply_pca":       nil,
			"sif_coefficient": nil,
			"hidden_dim":      s.Dim(),
			"seq_length":      longestSequence,
			"normalize":       false, // so that a word's vector is what it was
			"embedding_dtype": map[DType]string{F32: "float32", F16: "float16"}[d],
		})},
		{sentenceModules, jsonWriter(staticModules("."))},
		{staticTokenizer, s.writeTokenizer},
		{staticTokenizerConfig, s.writeTokenizerConfig},
		{staticMatrix, s.staticMatrix(model2VecMatrix, d)},
		{"README.md", func(w *bufio.Writer) error {
			_, err := fmt.Fprintf(w, `---
library_name: model2vec
tags:
- embeddings
- static-embeddings
- sentence-transformers
---

Static word embeddings: %d words and tokens of %d dimensions.

    from model2vec import StaticModel
    model = StaticModel.from_pretrained("PATH/TO/THIS/FOLDER")
    model.encode(["some text"])
`, s.Len(), s.Dim())
			return err
		}},
	}, nil
}

// staticModules is what modules.json says of a StaticEmbedding in a folder.
func staticModules(path string) any {
	return []map[string]any{{"idx": 0, "name": "0", "path": path, "type": "sentence_transformers.models." + staticModule}}
}

func jsonWriter(v any) func(w *bufio.Writer) error {
	return func(w *bufio.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	}
}

// staticMatrix writes a file of the words' vectors alone.
func (s *Set) staticMatrix(name string, d DType) func(w *bufio.Writer) error {
	return func(w *bufio.Writer) error {
		return safetensors.Write(w, []safetensors.Section{safetensors.Written(name, d.tensorType(), []uint64{uint64(s.Len()), uint64(s.Dim())}, func(w *bufio.Writer) error { return s.writeVectors(w, d) })}, map[string]string{metaFormat: torchFormat}, name, safetensorsAlign)
	}
}

func readModel2Vec(in *input) (*Set, error) {
	var config struct {
		Type string `json:"model_type"`
	}
	if err := in.readJSON(model2VecConfig, "the configuration", &config); err != nil {
		return nil, err
	}
	if config.Type != "" && config.Type != "model2vec" {
		return nil, fmt.Errorf("%s: expected a model_type of model2vec, found %.40q: only static embeddings can be read", model2VecConfig, config.Type)
	}
	return in.readStatic("", model2VecMatrix)
}

func readSentenceTransformers(in *input) (*Set, error) {
	var modules []struct {
		Type string `json:"type"`
	}
	if err := in.readJSON(sentenceModules, "the modules", &modules); err != nil {
		return nil, err
	}
	for i, m := range modules {
		kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]
		switch {
		case i == 0 && kind != staticModule:
			return nil, fmt.Errorf("%s: expected a %s, found %.60q: only static embeddings can be read", sentenceModules, staticModule, m.Type)
		case i > 0 && kind != "Normalize":
			return nil, fmt.Errorf("%s: expected nothing that changes vectors after the %s, found %.60q", sentenceModules, staticModule, m.Type)
		}
	}
	if len(modules) == 0 {
		return nil, fmt.Errorf("%s: expected a %s, found no module", sentenceModules, staticModule)
	}
	s, err := in.readStatic("", torchInput)
	if errors.Is(err, fs.ErrNotExist) {
		if nested, nestedErr := in.readStatic(sentenceFolder, torchInput); !errors.Is(nestedErr, fs.ErrNotExist) {
			return nested, nestedErr
		}
	}
	return s, err
}

// readJSON reads a small file of the set.
func (in *input) readJSON(name, expected string, v any) error {
	return in.readPart(name, expected, func(part *input) error {
		if left, known := part.left(); known && left > longestConfig {
			return part.fail("expected JSON of at most %d bytes, found %d", longestConfig, left)
		}
		text := part.whole
		if text == nil {
			var err error
			if text, err = part.rest("JSON", longestConfig); err != nil {
				return err
			}
		}
		if err := json.Unmarshal(text, v); err != nil {
			return part.fail("%w", err)
		}
		return nil
	})
}

// readStatic reads the matrix and the tokens in a folder of the folder. The matrix
// has that name, or else the one that model2vec gives it.
func (in *input) readStatic(folder, name string) (*Set, error) {
	s := &Set{}
	var weights []float32
	var mapped bool
	err := in.readPart(folder+staticMatrix, "the vectors", func(part *input) error {
		f, err := part.safetensorsHeader()
		if err != nil {
			return err
		}
		if !f.Has(name) && f.Has(model2VecMatrix) {
			name = model2VecMatrix
		}
		s.input, err = part.oneMatrix(f, name, func(t safetensors.Tensor) (err error) {
			switch {
			case name == model2VecMatrix && t.Name == model2VecWeights:
				weights, err = part.tensorFloats(t)
			case name == model2VecMatrix && t.Name == model2VecMapping:
				s.wordRows, err = part.tensorIndices(t)
				mapped = true
			default:
				err = part.skip(t.Size(), "a tensor")
			}
			return err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	words := s.input.Rows
	if mapped {
		words = len(s.wordRows)
	}
	for token, row := range s.wordRows {
		if int64(row) >= int64(s.input.Rows) {
			return nil, fmt.Errorf("%s%s: token %d has the row %d of %d", folder, staticMatrix, token, row, s.input.Rows)
		}
	}
	if weights != nil {
		if len(weights) != words {
			return nil, fmt.Errorf("%s%s: expected a weight for each of %d tokens, found %d", folder, staticMatrix, words, len(weights))
		}
		s.input = Stored(words, s.input.Cols, weighted{s.input, s.wordRows, weights})
		s.wordRows = nil
	}
	err = in.readPart(folder+staticTokenizer, "the tokens", func(part *input) error { return part.readTokenizer(s, words) })
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("%s%s: %w", folder, staticMatrix, err)
	}
	return s.withoutUnknown(), nil
}

// tensorFloats reads a row of numbers.
func (in *input) tensorFloats(t safetensors.Tensor) ([]float32, error) {
	if len(t.Shape) != 1 || t.Shape[0] > math.MaxInt32 {
		return nil, in.failAt(safetensors.LengthSize, "tensor %q: expected a shape of one dimension, found %v", t.Name, t.Shape)
	}
	flat := t
	flat.Shape = []uint64{1, t.Shape[0]}
	m, err := in.tensorRows(flat)
	if err != nil || m.Rows == 0 || m.Cols == 0 {
		return []float32{}, err
	}
	return m.Row(0), nil
}

// tensorIndices reads numbers of rows.
func (in *input) tensorIndices(t safetensors.Tensor) ([]uint32, error) {
	if len(t.Shape) != 1 || t.Shape[0] > math.MaxInt32 {
		return nil, in.failAt(safetensors.LengthSize, "tensor %q: expected a shape of one dimension, found %v", t.Name, t.Shape)
	}
	rows := make([]uint32, 0, in.backed(int64(t.Shape[0]), 4))
	add := func(row int64) error {
		if row < 0 || row > math.MaxInt32 {
			return in.fail("tensor %q: token %d has the row %d", t.Name, len(rows), row)
		}
		rows = append(rows, uint32(row))
		return nil
	}
	switch t.DType {
	case "I64":
		numbers, err := array[int64](in, t.Size()/8, "tensor "+t.Name)
		if err != nil {
			return nil, err
		}
		for _, n := range numbers {
			if err := add(n); err != nil {
				return nil, err
			}
		}
	case "I32":
		numbers, err := array[int32](in, t.Size()/4, "tensor "+t.Name)
		if err != nil {
			return nil, err
		}
		for _, n := range numbers {
			if err := add(int64(n)); err != nil {
				return nil, err
			}
		}
	default:
		return nil, in.failAt(safetensors.LengthSize, "tensor %q: expected dtype I64 or I32, found %.20q", t.Name, t.DType)
	}
	return rows, nil
}

// weighted are rows of a matrix, each times a number.
type weighted struct {
	source  Matrix
	rows    []uint32 // of source; nil if they are all in order
	weights []float32
}

func (m weighted) Read(dst []float32, r int) {
	row := r
	if m.rows != nil {
		row = int(m.rows[r])
	}
	m.source.Read(dst, row)
	for i := range dst {
		dst[i] *= m.weights[r]
	}
}
