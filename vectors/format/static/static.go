// Package static reads and writes vectors as neural network programs load them: a safetensors file with the
// weight of a torch.nn.Embedding, and folders that sentence-transformers and model2vec load as models. These
// models cut a text with a tokenizer.json and take the mean of the vectors of its tokens. A set that was read
// has this file as an attachment, unless w2v wrote the file for words that it cuts itself.
//
// Sources: SentenceTransformer.py and models/StaticEmbedding.py of github.com/UKPLab/sentence-transformers,
// persistence/ and model.py of github.com/MinishLab/model2vec, and tokenizers/src/tokenizer/serialization.rs
// of github.com/huggingface/tokenizers.
package static

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

const (
	sentenceModules = "modules.json"
	sentenceConfig  = "config_sentence_transformers.json"
	// sentenceFolder is the folder of the matrix and the tokens, if they are in a subfolder.
	sentenceFolder = "0_StaticEmbedding/"

	model2VecConfig  = "config.json"
	model2VecMatrix  = "embeddings"
	model2VecWeights = "weights"
	model2VecMapping = "mapping"

	staticMatrix          = "model.safetensors"
	staticTokenizer       = "tokenizer.json"
	staticTokenizerConfig = "tokenizer_config.json"
	staticModule          = "StaticEmbedding"
	normalizeModule       = "Normalize"
)

const longestConfig = 16 << 20

// SentenceTransformers is the format of a folder that sentence-transformers loads as a
// model of a StaticEmbedding.
var SentenceTransformers = codec.Codec{
	Name:     codec.SentenceTransformers,
	Known:    []string{sentenceModules, staticTokenizer, sentenceFolder + staticTokenizer}, // a module by itself has no list of modules
	Decode:   readSentenceTransformers,
	Maps:     true,
	Parts:    writeSentenceTransformers,
	Size:     func(s vectors.Shape) float64 { return sizeOfFolder(s, types) },
	Word:     checkTokenizerWord,
	Distinct: "a tokenizer",
	Misread:  func(s *vectors.Set) []string { return misread(s, false) },
	DTypes:   types,
	Keeps:    codec.Kept{Training: keptFacts, Attached: []string{vectors.AttachedTokenizer}},
	Programs: "sentence-transformers, model2vec",
}

// Model2Vec is the format of a folder that model2vec loads as a StaticModel.
var Model2Vec = codec.Codec{
	Name:     codec.Model2Vec,
	Known:    []string{model2VecConfig},
	Decode:   readModel2Vec,
	Maps:     true,
	Parts:    writeModel2Vec,
	Size:     func(s vectors.Shape) float64 { return sizeOfFolder(s, model2VecTypes) },
	Word:     checkTokenizerWord,
	Distinct: "a tokenizer",
	Misread:  func(s *vectors.Set) []string { return misread(s, true) },
	DTypes:   model2VecTypes,
	Keeps: codec.Kept{
		Training: slices.Concat(keptFacts, []string{factCharacters, factTokens}), Attached: []string{vectors.AttachedTokenizer},
	},
	Programs: "model2vec, sentence-transformers",
}

// types and model2VecTypes are the element types of the formats.
var types, model2VecTypes = vectors.DTypes(), []vectors.DType{vectors.F32, vectors.F16}

// sizeOfFolder is never more than the size of a folder with a tokenizer: see writeTokenizer.
func sizeOfFolder(s vectors.Shape, types []vectors.DType) float64 {
	return codec.WordSize(s, len(`"":0,`)) + codec.VectorSize(s, types)
}

func writeSentenceTransformers(s *vectors.Set) ([]codec.Part, error) {
	d := rowio.DType(s, types)
	m, err := modelOf(s, d, s.Training().Int(factLimit))
	if err != nil {
		return nil, err
	}
	return []codec.Part{
		{Name: sentenceModules, Write: jsonWriter(staticModules("", s.Training()))},
		{Name: sentenceConfig, Write: jsonWriter(map[string]any{
			"model_type": "SentenceTransformer", "prompts": struct{}{}, "default_prompt_name": nil, "similarity_fn_name": "cosine",
		})},
		{Name: staticTokenizer, Write: m.tokenizer},
		{Name: staticTokenizerConfig, Write: jsonWriter(m.config())},
		{Name: staticMatrix, Write: matrixWriter(m.set, torchInput, d)},
	}, nil
}

func writeModel2Vec(s *vectors.Set) ([]codec.Part, error) {
	d := rowio.DType(s, model2VecTypes)
	limit := s.Training().Int(factTokens)
	if own := s.Training().Int(factLimit); own > 0 && own < model2VecLimit {
		limit = cmp.Or(min(limit, own), own)
	}
	m, err := modelOf(s, d, limit)
	if err != nil {
		return nil, err
	}
	return []codec.Part{
		{Name: model2VecConfig, Write: jsonWriter(map[string]any{
			"model_type":      "model2vec",
			"architectures":   []string{"StaticModel"},
			"tokenizer_name":  "w2v", // the model was not distilled from another one
			"apply_pca":       nil,
			"sif_coefficient": nil,
			"hidden_dim":      s.Dim(),
			"seq_length":      longestSequence,
			"normalize":       s.Training().Bool(factNorm),
			"embedding_dtype": map[vectors.DType]string{vectors.F32: "float32", vectors.F16: "float16"}[d],
		})},
		{Name: sentenceModules, Write: jsonWriter(staticModules(".", s.Training()))},
		{Name: staticTokenizer, Write: m.tokenizer},
		{Name: staticTokenizerConfig, Write: jsonWriter(m.config())},
		{Name: staticMatrix, Write: matrixWriter(m.set, model2VecMatrix, d, m.mapping...)},
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
`, m.set.Len(), s.Dim())
			return err
		}},
	}, nil
}

func staticModules(path string, t vectors.Training) any {
	module := func(idx int, path, kind string) map[string]any {
		return map[string]any{"idx": idx, "name": fmt.Sprint(idx), "path": path, "type": "sentence_transformers.models." + kind}
	}
	modules := []map[string]any{module(0, path, staticModule)}
	if t.Bool(factNorm) {
		modules = append(modules, module(1, "1_"+normalizeModule, normalizeModule))
	}
	return modules
}

func jsonWriter(v any) func(w *bufio.Writer) error {
	return func(w *bufio.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	}
}

func matrixWriter(s *vectors.Set, name string, d vectors.DType, more ...safetensors.Section) func(w *bufio.Writer) error {
	return func(w *bufio.Writer) error {
		return safetensors.Write(w, append([]safetensors.Section{vectorSection(name, s, d)}, more...), map[string]string{metaFormat: torchFormat}, name, safetensorsAlign)
	}
}

func vectorSection(name string, s *vectors.Set, d vectors.DType) safetensors.Section {
	shape := []uint64{uint64(s.Len()), uint64(s.Dim())}
	return safetensors.Written(name, rowio.TensorType(d), shape, func(w *bufio.Writer) error { return rowio.WriteVectors(w, s, d) })
}

// An owner is the library that a folder belongs to, and what it makes of a text.
type owner struct {
	format, matrix string
	drops          bool // it leaves out the token of unknown words
	normalizes     bool // vectors of texts have length 1
	limit          int  // tokens of a text; 0 for all
	exact          bool // every row needs a token
	own            bool // w2v wrote the tokenizer.json, for words
	unread         []string
}

// model2VecLimit is how many tokens of a text model2vec reads, unless it is told another number. It first cuts
// the text to as many times the median length of its tokens, in code points.
const model2VecLimit = 512

func readModel2Vec(in *source.Input) *vectors.Set {
	var config struct {
		Type      string `json:"model_type"`
		Normalize bool   `json:"normalize"`
	}
	source.Check(readJSON(in, model2VecConfig, "the configuration", &config))
	if config.Type != "" && config.Type != "model2vec" {
		source.Check(fmt.Errorf("%s: expected a model_type of model2vec, found %.40q: only static embeddings can be read", model2VecConfig, config.Type))
	}
	of := owner{format: codec.Model2Vec, matrix: model2VecMatrix, drops: true, exact: true, normalizes: config.Normalize, limit: model2VecLimit}
	return source.Must(readStatic(in, of, ""))
}

func readSentenceTransformers(in *source.Input) *vectors.Set {
	of := owner{format: codec.SentenceTransformers, matrix: torchInput}
	var modules []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	err := readJSON(in, sentenceModules, "the modules", &modules)
	if errors.Is(err, fs.ErrNotExist) {
		return readModule(in, of)
	}
	source.Check(err)
	for i, m := range modules {
		kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]
		switch {
		case i == 0 && kind != staticModule:
			source.Check(fmt.Errorf("%s: expected a %s, found %.60q: only static embeddings can be read", sentenceModules, staticModule, m.Type))
		case i > 0 && kind != normalizeModule:
			source.Check(fmt.Errorf("%s: expected nothing that changes vectors after the %s, found %.60q", sentenceModules, staticModule, m.Type))
		}
		of.normalizes = i > 0
	}
	if len(modules) == 0 {
		source.Check(fmt.Errorf("%s: expected a %s, found no module", sentenceModules, staticModule))
	}
	var config struct {
		Prompts map[string]string `json:"prompts"`
		Name    string            `json:"default_prompt_name"`
	}
	if err := readJSON(in, sentenceConfig, "the configuration", &config); !errors.Is(err, fs.ErrNotExist) {
		source.Check(err)
	}
	if prompt := config.Prompts[config.Name]; prompt != "" {
		of.unread = append(of.unread, fmt.Sprintf("the prompt %.40q, which sentence-transformers puts before each text", prompt))
	}
	if path := modules[0].Path; path != "" && filepath.IsLocal(path) {
		return readModule(in, of, path+"/")
	}
	return readModule(in, of)
}

func readModule(in *source.Input, of owner, folders ...string) (s *vectors.Set) {
	var missing error // error for the first folder
	for _, folder := range append(folders, "", sentenceFolder) {
		s, err := readStatic(in, of, folder)
		if !errors.Is(err, fs.ErrNotExist) {
			return source.Must(s, err)
		}
		missing = cmp.Or(missing, err)
	}
	return source.Must(s, missing)
}

func readJSON(in *source.Input, name, expected string, v any) error {
	return in.ReadPart(name, expected, func(part *source.Input) {
		if left, known := part.Left(); known && left > longestConfig {
			part.Fail("expected JSON of at most %d bytes, found %d", longestConfig, left)
		}
		part.CheckAt(0, json.Unmarshal(part.Rest("JSON", longestConfig), v))
	})
}

// readStatic reads the matrix and the tokens in a subfolder. The matrix has the owner's name, or else
// model2vec's name.
func readStatic(in *source.Input, of owner, folder string) (*vectors.Set, error) {
	name := of.matrix
	p := vectors.Parts{Source: in.Behind, Origin: vectors.Origin{Format: of.format, Unread: of.unread}}
	var weights []float32
	err := in.ReadPart(folder+staticMatrix, "the vectors", func(part *source.Input) {
		f := rowio.TensorHeader(part)
		if !f.Has(name) && f.Has(model2VecMatrix) {
			name = model2VecMatrix
		}
		p.Input = rowio.OneTensor(part, f, name, func(t safetensors.Tensor) {
			switch {
			case name == model2VecMatrix && t.Name == model2VecWeights:
				weights = tensorFloats(part, t)
			case name == model2VecMatrix && t.Name == model2VecMapping:
				p.WordRows = tensorIndices(part, t)
			default:
				part.Skip(t.Size(), "a tensor")
			}
		})
	})
	if err != nil {
		return nil, err
	}
	words := p.Input.Rows
	if p.WordRows != nil {
		words, of.exact = len(p.WordRows), false
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
		p.Input = vectors.Stored(words, p.Input.Cols, codec.Rows{Of: p.Input, IDs: p.WordRows, Weights: weights})
		p.WordRows = nil
	}
	err = in.ReadPart(folder+staticTokenizer, "the tokens", func(part *source.Input) { readTokenizer(part, &p, words, &of) })
	if err != nil {
		return nil, err
	}
	s, err := codec.Settle(codec.Unchecked(p)) // tokens may be longer than words
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("%s%s: %w", folder, staticMatrix, err)
	}
	if of.own {
		s = withoutUnknown(s)
	}
	return s, nil
}

func oneDimension(in *source.Input, t safetensors.Tensor) {
	if len(t.Shape) != 1 || t.Shape[0] > math.MaxInt32 {
		rowio.Header(in, fmt.Errorf("tensor %q: expected a shape of one dimension, found %v", t.Name, t.Shape))
	}
}

func tensorFloats(in *source.Input, t safetensors.Tensor) []float32 {
	oneDimension(in, t)
	t.Shape = []uint64{1, t.Shape[0]}
	m := rowio.TensorRows(in, t)
	if m.Rows == 0 || m.Cols == 0 {
		return []float32{}
	}
	return m.Row(0)
}

func tensorIndices(in *source.Input, t safetensors.Tensor) []uint32 {
	oneDimension(in, t)
	n, expected := int64(t.Shape[0]), "tensor "+t.Name
	rows := make([]uint32, 0, in.Backed(n, 4))
	add := func(row int64) {
		if row < 0 || row > math.MaxInt32 {
			in.Fail("tensor %q: token %d has the row %d", t.Name, len(rows), row)
		}
		rows = append(rows, uint32(row))
	}
	switch t.DType {
	case "I64":
		for _, row := range source.Array[int64](in, n, expected) {
			add(row)
		}
	case "I32":
		for _, row := range source.Array[int32](in, n, expected) {
			add(int64(row))
		}
	default:
		rowio.Header(in, fmt.Errorf("tensor %q: expected dtype I64 or I32, found %.20q", t.Name, t.DType))
	}
	return rows
}

const (
	torchInput  = "embedding.weight"
	torchOutput = "output.weight"
	// torchAlone is the tensor's name in the state of an Embedding that is not part of another module.
	torchAlone = "weight"
	// safetensorsAlign is the alignment of headers in safetensors.
	safetensorsAlign = 8

	torchFormat = "pt" // the format's name in transformers
	metaFormat  = "format"
	metaTied    = "tied"
	// metaWords is the checksum of the word list beside the file: see codec.SumWords.
	metaWords = "words_crc32c"
)

// Torch is the format of a safetensors file with the weight of a torch.nn.Embedding, "embedding.weight",
// one row per word, and with "output.weight" if there are context vectors. The word list is beside the file.
var Torch = codec.Codec{
	Name:     codec.Torch,
	Sniff:    safetensors.Sniff, // any safetensors file that is not native
	Decode:   readTorch,
	Maps:     true,
	Parts:    writeTorch,
	Size:     sizeOfTorch,
	Word:     codec.LineRules(),
	DTypes:   types,
	Keeps:    codec.Kept{Context: true},
	Programs: "PyTorch, whatever reads safetensors",
}

func sizeOfTorch(s vectors.Shape) float64 {
	bytes := codec.WordSize(s, 1) + codec.VectorSize(s, types)
	if s.ContextBytes > 0 {
		bytes += min(codec.VectorSize(s, types), float64(s.ContextBytes)*float64(s.Words))
	}
	return bytes
}

func writeTorch(s *vectors.Set) ([]codec.Part, error) {
	d := rowio.DType(s, types)
	metadata := map[string]string{metaFormat: torchFormat, metaWords: codec.SumWords(s.Words())}
	sections := []safetensors.Section{vectorSection(torchInput, s, d)}
	if s.SharedParts().OneMatrix {
		metadata[metaTied] = "true"
	}
	if output := s.Output(); output.Rows > 0 {
		sections = append(sections, rowio.Section(torchOutput, s, output, output.DType()))
	}
	return codec.WithWords(s, func(w *bufio.Writer) error {
		return safetensors.Write(w, sections, metadata, torchInput, safetensorsAlign)
	}), nil
}

func readTorch(in *source.Input) *vectors.Set {
	f := rowio.TensorHeader(in)
	name := torchInput
	if !f.Has(name) && f.Has(torchAlone) {
		name = torchAlone
	}
	p := vectors.Parts{
		OneMatrix: f.Metadata[metaTied] == "true", Source: in.Behind, Origin: vectors.Origin{Format: codec.Torch},
	}
	p.Input = rowio.OneTensor(in, f, name, func(t safetensors.Tensor) {
		if t.Name == torchOutput {
			p.Output = rowio.TensorRows(in, t)
		} else {
			in.Skip(t.Size(), "a tensor")
		}
	})
	p.Words = codec.ReadWords(in, p.Input.Rows)
	if want, found := f.Metadata[metaWords], codec.SumWords(p.Words); want != "" && want != found {
		rowio.Header(in, fmt.Errorf("the words in %s are not those that this file was written with: expected words whose CRC-32C is %.20s, found %s; "+
			"write both files anew, or copy both from one place; if these are its words nevertheless, save its tensors without %q in the metadata",
			in.Path+codec.WordsSuffix, want, found, metaWords))
	}
	s := codec.Unchecked(p)
	rowio.Header(in, s.CheckSizes())
	return s
}
