// Package static reads and writes vectors as programs of neural networks load them: a
// safetensors file with the weight of a torch.nn.Embedding, and folders that
// sentence-transformers and model2vec load as models which look words up and take the mean of
// their vectors, with a tokenizer.json that cuts text as it was cut for training.
//
// Sources: SentenceTransformer.py and models/StaticEmbedding.py of
// github.com/UKPLab/sentence-transformers, persistence/ and model.py of
// github.com/MinishLab/model2vec, and tokenizers/src/tokenizer/serialization.rs of
// github.com/huggingface/tokenizers.
package static

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/size"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/internal/tensors"
	"github.com/w2v-go/w2v/vectors/format/internal/vocabulary"
)

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

// SentenceTransformers returns the format of a folder that sentence-transformers loads as a
// model of a StaticEmbedding.
func SentenceTransformers() codec.Codec {
	c := folder(types())
	c.Name = codec.SentenceTransformers
	c.Known = []string{sentenceModules, staticTokenizer, sentenceFolder + staticTokenizer} // a module alone has no list of modules
	c.Read, c.Parts = readSentenceTransformers, writeSentenceTransformers
	c.Programs = "sentence-transformers, model2vec"
	return c
}

// model2VecTypes are the types of numbers that model2vec knows.
func model2VecTypes() []vectors.DType { return []vectors.DType{vectors.F32, vectors.F16} }

// Model2Vec returns the format of a folder that model2vec loads as a StaticModel.
func Model2Vec() codec.Codec {
	c := folder(model2VecTypes())
	c.Name, c.Known = codec.Model2Vec, []string{model2VecConfig}
	c.Read, c.Parts = readModel2Vec, writeModel2Vec
	c.Programs = "model2vec, sentence-transformers"
	return c
}

// folder returns what both formats of folders are like.
func folder(types []vectors.DType) codec.Codec {
	return codec.Codec{
		Maps: true,
		Size: func(s vectors.Shape) float64 { // see writeTokenizer
			return size.Words(s, len(`"":0,`)) + size.Vectors(s, types)
		},
		Word:     checkTokenizerWord,
		Misread:  misread,
		Distinct: "a tokenizer",
		DTypes:   types,
		Streams:  true,
		Keeps:    codec.Kept{Training: []string{"lowercase", "lowercase_language", "tokenizer"}},
	}
}

func writeSentenceTransformers(s *vectors.Set) ([]codec.Part, error) {
	d := rowio.DType(s, types())
	s = withUnknown(s.Exact(d))
	return []codec.Part{
		{Name: sentenceModules, Write: jsonWriter(staticModules(""))},
		{Name: sentenceConfig, Write: jsonWriter(map[string]any{
			"model_type": "SentenceTransformer", "prompts": struct{}{}, "default_prompt_name": nil, "similarity_fn_name": "cosine",
		})},
		{Name: staticTokenizer, Write: func(w *bufio.Writer) error { return writeTokenizer(w, s) }},
		{Name: staticTokenizerConfig, Write: func(w *bufio.Writer) error { return writeTokenizerConfig(w, s) }},
		{Name: staticMatrix, Write: matrixWriter(s, torchInput, d)},
	}, nil
}

func writeModel2Vec(s *vectors.Set) ([]codec.Part, error) {
	d := rowio.DType(s, model2VecTypes())
	s = withUnknown(s.Exact(d))
	return []codec.Part{
		{Name: model2VecConfig, Write: jsonWriter(map[string]any{
			"model_type":      "model2vec",
			"architectures":   []string{"StaticModel"},
			"tokenizer_name":  "w2v", // what the vectors were distilled from: nothing else
			"apply_pca":       nil,
			"sif_coefficient": nil,
			"hidden_dim":      s.Dim(),
			"seq_length":      longestSequence,
			"normalize":       false, // so that a word's vector is what it was
			"embedding_dtype": map[vectors.DType]string{vectors.F32: "float32", vectors.F16: "float16"}[d],
		})},
		{Name: sentenceModules, Write: jsonWriter(staticModules("."))},
		{Name: staticTokenizer, Write: func(w *bufio.Writer) error { return writeTokenizer(w, s) }},
		{Name: staticTokenizerConfig, Write: func(w *bufio.Writer) error { return writeTokenizerConfig(w, s) }},
		{Name: staticMatrix, Write: matrixWriter(s, model2VecMatrix, d)},
		{Name: "README.md", Write: func(w *bufio.Writer) error {
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

// matrixWriter writes a file of the words' vectors alone.
func matrixWriter(s *vectors.Set, name string, d vectors.DType) func(w *bufio.Writer) error {
	return func(w *bufio.Writer) error {
		return safetensors.Write(w, []safetensors.Section{safetensors.Written(name, tensors.Type(d), []uint64{uint64(s.Len()), uint64(s.Dim())}, func(w *bufio.Writer) error { return rowio.WriteVectors(w, s, d) })}, map[string]string{metaFormat: torchFormat}, name, safetensorsAlign)
	}
}

func readModel2Vec(in *source.Input) (*vectors.Set, error) {
	var config struct {
		Type string `json:"model_type"`
	}
	if err := readJSON(in, model2VecConfig, "the configuration", &config); err != nil {
		return nil, err
	}
	if config.Type != "" && config.Type != "model2vec" {
		return nil, fmt.Errorf("%s: expected a model_type of model2vec, found %.40q: only static embeddings can be read", model2VecConfig, config.Type)
	}
	return readStatic(in, codec.Model2Vec, "", model2VecMatrix)
}

func readSentenceTransformers(in *source.Input) (*vectors.Set, error) {
	var modules []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	err := readJSON(in, sentenceModules, "the modules", &modules)
	if errors.Is(err, fs.ErrNotExist) {
		return readModule(in)
	}
	if err != nil {
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
	if path := modules[0].Path; path != "" && filepath.IsLocal(path) {
		return readModule(in, path+"/")
	}
	return readModule(in)
}

// readModule reads a StaticEmbedding in the first of the folders that has one.
func readModule(in *source.Input, folders ...string) (s *vectors.Set, err error) {
	for i, folder := range append(folders, "", sentenceFolder) {
		found, foundErr := readStatic(in, codec.SentenceTransformers, folder, torchInput)
		if !errors.Is(foundErr, fs.ErrNotExist) {
			return found, foundErr
		}
		if i == 0 {
			err = foundErr
		}
	}
	return nil, err
}

// readJSON reads a small file of the set.
func readJSON(in *source.Input, name, expected string, v any) error {
	return in.ReadPart(name, expected, func(part *source.Input) error {
		if left, known := part.Left(); known && left > longestConfig {
			return part.Fail("expected JSON of at most %d bytes, found %d", longestConfig, left)
		}
		text := part.Whole()
		if text == nil {
			var err error
			if text, err = part.Rest("JSON", longestConfig); err != nil {
				return err
			}
		}
		if err := json.Unmarshal(text, v); err != nil {
			return part.Fail("%w", err)
		}
		return nil
	})
}

// readStatic reads the matrix and the tokens in a folder of the folder. The matrix
// has that name, or else the one that model2vec gives it.
func readStatic(in *source.Input, format, folder, name string) (*vectors.Set, error) {
	p := vectors.Parts{File: in.Behind(), Origin: vectors.Origin{Format: format}}
	var weights []float32
	var mapped bool
	err := in.ReadPart(folder+staticMatrix, "the vectors", func(part *source.Input) error {
		f, err := tensors.Header(part)
		if err != nil {
			return err
		}
		if !f.Has(name) && f.Has(model2VecMatrix) {
			name = model2VecMatrix
		}
		p.Input, err = tensors.OneMatrix(part, f, name, func(t safetensors.Tensor) (err error) {
			switch {
			case name == model2VecMatrix && t.Name == model2VecWeights:
				weights, err = tensorFloats(part, t)
			case name == model2VecMatrix && t.Name == model2VecMapping:
				p.WordRows, err = tensorIndices(part, t)
				mapped = true
			default:
				err = part.Skip(t.Size(), "a tensor")
			}
			return err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	words := p.Input.Rows
	if mapped {
		words = len(p.WordRows)
	}
	for token, row := range p.WordRows {
		if int64(row) >= int64(p.Input.Rows) {
			return nil, fmt.Errorf("%s%s: token %d has the row %d of %d", folder, staticMatrix, token, row, p.Input.Rows)
		}
	}
	if weights != nil {
		if len(weights) != words {
			return nil, fmt.Errorf("%s%s: expected a weight for each of %d tokens, found %d", folder, staticMatrix, words, len(weights))
		}
		p.Input = vectors.Stored(words, p.Input.Cols, weighted{p.Input, p.WordRows, weights})
		p.WordRows = nil
	}
	err = in.ReadPart(folder+staticTokenizer, "the tokens", func(part *source.Input) error { return readTokenizer(part, &p, words) })
	if err != nil {
		return nil, err
	}
	s, err := vocabulary.Settle(vectors.NewUnchecked(p)) // tokens may be longer than words
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("%s%s: %w", folder, staticMatrix, err)
	}
	return withoutUnknown(s), nil
}
