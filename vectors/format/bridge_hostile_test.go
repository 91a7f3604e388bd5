package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// npyFile returns a .npy of version 1.0 with that header and data.
func npyFile(header, data string) string {
	return npyMagic + "\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header + data
}

// npyMatrix returns a .npy of that type and shape.
func npyMatrix(descr, shape, data string) string {
	return npyFile("{'descr': '"+descr+"', 'fortran_order': False, 'shape': "+shape+", }\n", data)
}

// matrixFile returns a safetensors file of one tensor.
func matrixFile(name, dtype, shape, data string) string {
	return safetensorsFileOf(fmt.Sprintf(`{"%s":{"dtype":"%s","shape":%s,"data_offsets":[0,%d]}}`, name, dtype, shape, len(data)), data)
}

const twoTokens = `{"model":{"type":"WordLevel","vocab":{"a":0,"b":1},"unk_token":"[UNK]"}}`

// Files as other programs write them, and might.
func TestBridgeForeign(t *testing.T) {
	four := file(float32(1), float32(2), float32(3), float32(4))
	matrix := matrixFile("embeddings", "F32", "[2,2]", four)
	model2vec := func(config, matrix, tokenizer string) map[string]string {
		return map[string]string{"config.json": config, "model.safetensors": matrix, "tokenizer.json": tokenizer}
	}
	tokens := func(tokenizer string) map[string]string { return model2vec("{}", matrix, tokenizer) }
	tests := []struct {
		name   string
		format Format
		files  map[string]string
		want   string // vectors of a and b, or the error
	}{
		{"f4", Npy, map[string]string{"m": npyMatrix("<f4", "(2, 2)", four), "m.vocab.txt": "a\nb\n"}, "[1 2] [3 4]"},
		{"Windows", Npy, map[string]string{"m": npyMatrix("<f4", "(2, 2)", four), "m.vocab.txt": "a\r\nb\r\n\r\n"}, "[1 2] [3 4]"},
		{"no final newline", Npy, map[string]string{"m": npyMatrix("<f4", "(2, 2)", four), "m.vocab.txt": "a\nb"}, "[1 2] [3 4]"},
		{"|f4", Npy, map[string]string{"m": npyMatrix("|f4", "(2L, 2L)", four), "m.vocab.txt": "a\nb"}, "[1 2] [3 4]"},
		{"f8", Npy, map[string]string{"m": npyMatrix("<f8", "(2,1)", file(0.1, -7.0)), "m.vocab.txt": "a\nb"}, "[0.1] [-7]"},
		{"f2", Npy, map[string]string{"m": npyMatrix("<f2", "(2,1)", "\x00\x3c\x00\xc0"), "m.vocab.txt": "a\nb"}, "[1] [-2]"},
		{"version 2", Npy, map[string]string{
			"m": npyMagic + "\x02\x00\x40\x00\x00\x00" + fmt.Sprintf("%-64s", `{"shape":(2,1),"fortran_order":False,"descr":"<f4"}`) + four[:8], "m.vocab.txt": "a\nb"}, "[1] [2]"},
		{"version 4", Npy, map[string]string{"m": npyMagic + "\x04\x00\x00\x00\x00\x00", "m.vocab.txt": ""}, "m: byte 6: expected version 1.0 to 3.0 of numpy's format, found 4.0"},
		{"columns", Npy, map[string]string{"m": npyFile("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n", four[:15])}, "m: byte 69: expected the matrix of 16 bytes, but 15 are left: unexpected EOF"},
		{"order of bytes", Npy, map[string]string{"m": npyMatrix(">f8", "(1, 1)", "\x7f\xe0\x00\x00\x00\x00\x00\x00")}, "m: byte 70: 8.98846567431158e+307 is too large for a float32"},
		{"whole numbers", Npy, map[string]string{"m": npyMatrix("<i8", "(2, 1)", four)}, `m: byte 10: header: expected numbers of type f4, f2 or f8, found "<i8": save them with .astype('<f4')`},
		{"records", Npy, map[string]string{"m": npyFile("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2, 2), }\n", four)}, "m: byte 10: header: expected numbers, found a matrix of records"},
		{"one dimension", Npy, map[string]string{"m": npyMatrix("<f4", "(4,)", four)}, "m: byte 10: header: expected a matrix of rows and columns, found a shape of 1 dimensions"},
		{"no columns", Npy, map[string]string{"m": npyMatrix("<f4", "(4, 0)", four)}, "m: byte 10: header: expected at least one column, found 0"},
		{"claims", Npy, map[string]string{"m": npyMatrix("<f4", "(1000000000, 1000)", four)}, "expected the matrix"},
		{"claims more", Npy, map[string]string{"m": npyMatrix("<f8", "(9223372036854775807, 9223372036854775807)", four)}, "more than fit into memory"},
		{"overflow", Npy, map[string]string{"m": npyMatrix("<f4", "(9223372036854775808, 1)", four)}, "m: byte 10: header: expected a number, found"},
		{"no shape", Npy, map[string]string{"m": npyFile("{'descr': '<f4', 'fortran_order': False}", four)}, "m: byte 10: header: expected descr, fortran_order and shape, found 2 of them"},
		{"twice", Npy, map[string]string{"m": npyFile("{'descr': '<f4', 'descr': '<f8'}", four)}, `m: byte 10: header: "descr" stands there twice`},
		{"no string", Npy, map[string]string{"m": npyFile("{'descr", four)}, "m: byte 10: header: expected a dictionary in braces, found "},
		{"long header", Npy, map[string]string{"m": npyMagic + "\x02\x00\xff\xff\xff\x7f"}, "m: byte 12: expected a header of at most 65536 bytes, found 2147483647"},
		{"more numbers", Npy, map[string]string{"m": npyMatrix("<f4", "(1, 2)", four)}, "expected the end of the file, found 8 bytes more"},
		{"no words", Npy, map[string]string{"m": npyMatrix("<f4", "(2, 2)", four)}, "m: the words, one a line, are expected in DIR/m.vocab.txt: no such file or directory"},
		{"too few words", Npy, map[string]string{"m": npyMatrix("<f4", "(2, 2)", four), "m.vocab.txt": "a\n"}, "m.vocab.txt: line 2: expected 2 words, as the matrix has rows, but the file ends after 1: unexpected EOF"},
		{"too many words", Npy, map[string]string{"m": npyMatrix("<f4", "(2, 2)", four), "m.vocab.txt": "a\nb\nc\n"}, `m.vocab.txt: line 3: expected the end of the words after 2, as the matrix has rows, found "c"`},

		{"an Embedding's own state", Torch, map[string]string{"m": matrixFile("weight", "F32", "[2,2]", four), "m.vocab.txt": "a\nb\n"}, "[1 2] [3 4]"},
		{"F64", Torch, map[string]string{"m": matrixFile("embedding.weight", "F64", "[2,1]", file(0.5, 2.0)), "m.vocab.txt": "a\nb\n"}, "[0.5] [2]"},
		{"BF16", Torch, map[string]string{"m": matrixFile("embedding.weight", "BF16", "[2,1]", "\x80\x3f\x00\xc0"), "m.vocab.txt": "a\nb\n"}, "[1] [-2]"},
		{"a whole network", Torch, map[string]string{"m": safetensorsFileOf(`{"__metadata__":{"format":"pt"},"bias":{"dtype":"I16","shape":[1],"data_offsets":[0,2]},"embedding.weight":{"dtype":"F32","shape":[2,1],"data_offsets":[2,10]}}`, "zz"+four[:8]), "m.vocab.txt": "a\nb\n"}, "[1] [2]"},
		{"another name", Torch, map[string]string{"m": matrixFile("wte", "F32", "[2,2]", four)}, `m: byte 8: expected a tensor "embedding.weight", found "wte"`},
		{"a vector", Torch, map[string]string{"m": matrixFile("weight", "F32", "[4]", four)}, `m: byte 8: tensor "weight": expected a shape of rows and columns, found [4]`},
		{"whole numbers", Torch, map[string]string{"m": matrixFile("weight", "I32", "[2,2]", four)}, `m: byte 8: tensor "weight": expected dtype F32, F16 or BF16, found "I32"`},
		{"another size of output", Torch, map[string]string{"m": safetensorsFileOf(`{"embedding.weight":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},"output.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]}}`, four), "m.vocab.txt": "a\nb\n"}, "m: byte 8: output matrix of 1×2, must be 2×1"},

		{"no configuration", Projector, map[string]string{"vectors.tsv": "1\t2\n3\t4\n", "metadata.tsv": "a\nb\n"}, "[1 2] [3 4]"},
		{"Windows", Projector, map[string]string{"vectors.tsv": "1\t2\r\n3\t4\r\n\r\n", "metadata.tsv": "a\r\nb\r\n"}, "[1 2] [3 4]"},
		{"columns", Projector, map[string]string{"vectors.tsv": "1\t2e0\n3\t4", "metadata.tsv": "id\tWord\n7\ta\n8\tb"}, "[1 2] [3 4]"},
		{"the configuration leads nowhere", Projector, map[string]string{"vectors.tsv": "1\n2\n", "metadata.tsv": "a\nb\n", "projector_config.pbtxt": `embeddings { tensor_path: "../secret.tsv" }`}, "[1] [2]"},
		{"other names", Projector, map[string]string{"tensor.tsv": "1\t2\n3\t4\n", "labels.tsv": "a\nb\n", "projector_config.pbtxt": "# tensor_path: \"x\"\nembeddings {\n  tensor_path: \"tensor.tsv\"\n  metadata_path: 'labels.tsv'\n}\n"}, "[1 2] [3 4]"},
		{"the first of two", Projector, map[string]string{"x.tsv": "1\n2\n", "y.tsv": "3\n", "metadata.tsv": "a\nb\n", "projector_config.pbtxt": `embeddings { tensor_name: "x" tensor_path: "x.tsv" } embeddings: < tensor_path: "y.tsv" >`}, "[1] [2]"},
		{"without a configuration", Projector, map[string]string{"tensors.tsv": "1\n2\n", "metadata.tsv": "a\nb\n"}, "[1] [2]"},
		{"nowhere at all", Projector, map[string]string{"metadata.tsv": "a\nb\n", "projector_config.pbtxt": `embeddings { tensor_path: "/etc/x.tsv" }`}, "the vectors are expected in DIR/vectors.tsv: no such file or directory"},
		{"a checkpoint of TensorFlow", Projector, map[string]string{"metadata.tsv": "a\nb\n", "projector_config.pbtxt": `embeddings { tensor_name: "x" }`}, "the vectors are expected in DIR/vectors.tsv: no such file or directory"},
		{"named and not there", Projector, map[string]string{"metadata.tsv": "a\nb\n", "projector_config.pbtxt": `embeddings { tensor_path: "x/y.tsv" }`}, "the vectors are expected in DIR/x/y.tsv: no such file or directory"},
		{"short row", Projector, map[string]string{"vectors.tsv": "1\t2\n3\n", "metadata.tsv": "a\nb\n"}, `vectors.tsv: line 2: expected 2 numbers, found "3"`},
		{"long row", Projector, map[string]string{"vectors.tsv": "1\n3\t4\n", "metadata.tsv": "a\nb\n"}, "vectors.tsv: line 2: expected 1 numbers, found \"3\\t4\""},
		{"header", Projector, map[string]string{"vectors.tsv": "x\ty\n3\t4\n", "metadata.tsv": "a\nb\n"}, "vectors.tsv: line 1: expected 2 numbers, found \"x\\ty\""},
		{"empty line", Projector, map[string]string{"vectors.tsv": "1\n\n2\n", "metadata.tsv": "a\nb\n"}, "vectors.tsv: line 2: expected 1 numbers, found an empty line"},
		{"nothing", Projector, map[string]string{"vectors.tsv": "", "metadata.tsv": ""}, "vectors.tsv: line 1: expected numbers, but the file is empty: unexpected EOF"},
		{"too few words", Projector, map[string]string{"vectors.tsv": "1\n2\n", "metadata.tsv": "a\n"}, "metadata.tsv: line 2: expected 2 words, as there are vectors, but the file ends after 1: unexpected EOF"},
		{"header without columns", Projector, map[string]string{"vectors.tsv": "1\n2\n", "metadata.tsv": "word\na\nb\n"}, `metadata.tsv: line 3: expected the end of the words after 2, as there are vectors, found "b"`},
		{"short column", Projector, map[string]string{"vectors.tsv": "1\n2\n", "metadata.tsv": "word\tcount\na\t1\nb\n"}, "metadata.tsv: line 3: expected 2 columns, found 1"},
		{"no count", Projector, map[string]string{"vectors.tsv": "1\n2\n", "metadata.tsv": "word\tcount\na\t1\nb\tmany\n"}, `metadata.tsv: line 3: expected a count, found "many"`},

		{"as we do", Model2Vec, model2vec(`{"model_type":"model2vec"}`, matrix, twoTokens), "[1 2] [3 4]"},
		{"another order", Model2Vec, tokens(`{"model":{"vocab":{"b":0,"a":1},"type":"WordPiece"}}`), "[3 4] [1 2]"},
		{"BPE", Model2Vec, tokens(`{"model":{"type":"BPE","merges":[["a","b"],"x y"],"vocab":{"b":1,"a":0}},"decoder":{"x":[1,{}]}}`), "[1 2] [3 4]"},
		{"Unigram", Model2Vec, tokens(`{"model":{"type":"Unigram","unk_id":0,"vocab":[["a",-1.5],["b",0]]}}`), "[1 2] [3 4]"},
		{"added tokens", Model2Vec, tokens(`{"added_tokens":[{"id":1,"content":"b"},{"id":0,"content":"a","special":true}],"model":{"type":"BPE","vocab":{"a":0}}}`), "[1 2] [3 4]"},
		{"I8", Model2Vec, model2vec("{}", matrixFile("embeddings", "I8", "[2,2]", "\x01\x02\xff\x80"), twoTokens), "[1 2] [-1 -128]"},
		{"weights and a mapping", Model2Vec, model2vec("{}", safetensorsFileOf(`{"mapping":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},"weights":{"dtype":"F64","shape":[2],"data_offsets":[16,32]},"embeddings":{"dtype":"F32","shape":[1,2],"data_offsets":[32,40]}}`,
			file(int64(0), int64(0), 0.5, 10.0)+four[:8]), twoTokens), "[0.5 1] [10 20]"},
		{"a mapping", Model2Vec, model2vec("{}", safetensorsFileOf(`{"mapping":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]}}`,
			file(int32(1), int32(0))+four), twoTokens), "[3 4] [1 2]"},
		{"a mapping too far", Model2Vec, model2vec("{}", safetensorsFileOf(`{"mapping":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]}}`,
			file(int32(1), int32(2))+four), twoTokens), "model.safetensors: token 1 has the row 2 of 2"},
		{"a negative mapping", Model2Vec, model2vec("{}", safetensorsFileOf(`{"mapping":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]}}`,
			file(int32(-1), int32(2))+four), twoTokens), `tensor "mapping": token 0 has the row -1`},
		{"too few weights", Model2Vec, model2vec("{}", safetensorsFileOf(`{"weights":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"embeddings":{"dtype":"F32","shape":[2,1],"data_offsets":[4,12]}}`,
			four[:12]), twoTokens), "model.safetensors: expected a weight for each of 2 tokens, found 1"},
		{"no model2vec", Model2Vec, model2vec(`{"model_type":"bert"}`, matrix, twoTokens), `config.json: expected a model_type of model2vec, found "bert": only static embeddings can be read`},
		{"another matrix", Model2Vec, model2vec("{}", matrixFile("x", "F32", "[2,2]", four), twoTokens), `model.safetensors: byte 8: expected a tensor "embeddings", found "x"`},
		{"a version among merges", Model2Vec, tokens(`{"model":{"type":"BPE","merges":["#version: 0.2","a b"],"vocab":{"b":1,"a":0}}}`), "[1 2] [3 4]"},
		{"a long token", Model2Vec, model2vec("{}", matrixFile("embeddings", "F32", "[3,1]", four[:12]), `{"model":{"vocab":{"a":0,"`+strings.Repeat("x", 18722)+`":1,"b":2}}}`), "[1] [3]"},
		{"a long added token", Model2Vec, model2vec("{}", matrixFile("embeddings", "F32", "[3,1]", four[:12]), `{"added_tokens":[{"id":0,"content":"`+strings.Repeat("x", 18722)+`"}],"model":{"vocab":{"a":1,"b":2}}}`), "[2] [3]"},
		{"a long token and weights", Model2Vec, model2vec("{}", safetensorsFileOf(`{"weights":{"dtype":"F64","shape":[3],"data_offsets":[0,24]},"embeddings":{"dtype":"F32","shape":[3,1],"data_offsets":[24,36]}}`,
			file(2.0, 4.0, 8.0)+four[:12]), `{"model":{"vocab":{"a":0,"`+strings.Repeat("x", 18722)+`":1,"b":2}}}`), "[2] [24]"},
		{"too few tokens", Model2Vec, tokens(`{"model":{"vocab":{"a":0}}}`), "tokenizer.json: byte 0: expected 2 tokens, as there are rows, found 1"},
		{"no model", Model2Vec, tokens(`{"model":5}`), "tokenizer.json: byte 10: model cannot be a JSON number"},
		{"no tokens", Model2Vec, tokens(`{"added_tokens":[{"id":"x"}]}`), "added_tokens.id cannot be a JSON string"},
		{"no whole number", Model2Vec, tokens(`{"model":{"vocab":{"a":0,"b":1.5}}}`), `tokenizer.json: byte 0: token "b": json: cannot unmarshal number 1.5 into Go value of type int`},
		{"two vocabularies", Model2Vec, tokens(`{"model":{"vocab":{"a":0,"b":1},"vocab":{"b":0,"a":1}}}`), "expected one vocabulary, found another"},
		{"no pair", Model2Vec, tokens(`{"model":{"vocab":[["a",1],5]}}`), "token 1: expected a token and its score, found 5"},
		{"a hole", Model2Vec, tokens(`{"model":{"vocab":{"a":1,"b":1}}}`), `tokenizer.json: byte 0: the tokens "a" and "b" both have the number 1`},
		{"no token", Model2Vec, tokens(`{"model":{"vocab":{"a":1}}}`), `tokenizer.json: byte 0: expected 2 tokens, as there are rows, found 1`},
		{"no token, and a row", SentenceTransformers, map[string]string{"model.safetensors": matrixFile("embedding.weight", "F32", "[2,2]", four), "tokenizer.json": `{"model":{"vocab":{"b":1}}}`}, "[0 0]? [3 4]"},
		{"an added token of the vocabulary", Model2Vec, tokens(`{"added_tokens":[{"id":7,"content":"b"}],"model":{"vocab":{"a":0,"b":1}}}`), "[1 2] [3 4]"},
		{"a number too far", Model2Vec, tokens(`{"model":{"vocab":{"a":0,"b":7}}}`), `tokenizer.json: byte 0: token "b" has the number 7, but there are 2 rows`},
		{"no number", Model2Vec, tokens(`{"model":{"vocab":{"a":0,"b":null}}}`), `token "b": expected a number, found null`},
		{"no vocabulary", Model2Vec, tokens(`{"model":{"type":"WordLevel"}}`), "expected a model with a vocabulary, found none"},
		{"another model", Model2Vec, tokens(`{"model":{"type":"Magic","vocab":{"a":0,"b":1}}}`), `expected a model of type WordLevel, WordPiece, BPE or Unigram, found "Magic"`},
		{"no object", Model2Vec, tokens(`[]`), `expected a JSON object, found "["`},
		{"no JSON", Model2Vec, tokens(`{"model":}`), "tokenizer.json: byte 9: "},
		{"more JSON", Model2Vec, tokens(twoTokens + "{}"), "invalid character '{' after top-level value"},
		{"no UTF-8", Model2Vec, tokens("{\"model\":{\"vocab\":{\"a\":0,\"\xff\":1}}}"), "tokenizer.json: byte 26: expected JSON in UTF-8"},

		{"as we do", SentenceTransformers, map[string]string{"modules.json": `[{"type":"sentence_transformers.models.StaticEmbedding"},{"type":"sentence_transformers.models.Normalize"}]`,
			"model.safetensors": matrixFile("embedding.weight", "F32", "[2,2]", four), "tokenizer.json": twoTokens}, "[1 2] [3 4]"},
		{"by model2vec's name", SentenceTransformers, map[string]string{"modules.json": `[{"type":"StaticEmbedding"}]`, "model.safetensors": matrix, "tokenizer.json": twoTokens}, "[1 2] [3 4]"},
		{"in a folder", SentenceTransformers, map[string]string{"modules.json": `[{"path":"0_StaticEmbedding","type":"sentence_transformers.models.StaticEmbedding"}]`,
			"0_StaticEmbedding/model.safetensors": matrixFile("embedding.weight", "F32", "[2,2]", four), "0_StaticEmbedding/tokenizer.json": twoTokens}, "[1 2] [3 4]"},
		{"in another folder", SentenceTransformers, map[string]string{"modules.json": `[{"path":"static","type":"sentence_transformers.models.StaticEmbedding"}]`,
			"static/model.safetensors": matrixFile("embedding.weight", "F32", "[2,2]", four), "static/tokenizer.json": twoTokens}, "[1 2] [3 4]"},
		{"a module alone", SentenceTransformers, map[string]string{"model.safetensors": matrixFile("embedding.weight", "F32", "[2,2]", four), "tokenizer.json": twoTokens}, "[1 2] [3 4]"},
		{"no list of modules", SentenceTransformers, map[string]string{"0_StaticEmbedding/model.safetensors": matrixFile("embedding.weight", "F32", "[2,2]", four), "0_StaticEmbedding/tokenizer.json": twoTokens}, "[1 2] [3 4]"},
		{"a tokenizer alone", SentenceTransformers, map[string]string{"tokenizer.json": twoTokens}, "the vectors are expected in DIR/model.safetensors: no such file or directory"},
		{"a path that leads away", SentenceTransformers, map[string]string{"modules.json": `[{"path":"../secret","type":"sentence_transformers.models.StaticEmbedding"}]`}, "the vectors are expected in DIR/model.safetensors: no such file or directory"},
		{"a network", SentenceTransformers, map[string]string{"modules.json": `[{"type":"sentence_transformers.models.Transformer"}]`}, `modules.json: expected a StaticEmbedding, found "sentence_transformers.models.Transformer": only static embeddings can be read`},
		{"something after it", SentenceTransformers, map[string]string{"modules.json": `[{"type":"x.StaticEmbedding"},{"type":"x.Dense"}]`}, `modules.json: expected nothing that changes vectors after the StaticEmbedding, found "x.Dense"`},
		{"no module", SentenceTransformers, map[string]string{"modules.json": `[]`}, "modules.json: expected a StaticEmbedding, found no module"},
		{"no list", SentenceTransformers, map[string]string{"modules.json": `{`}, "modules.json: byte 0: unexpected end of JSON input"},
	}
	for _, tt := range tests {
		t.Run(string(tt.format)+": "+tt.name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string][]byte{}
			for name, text := range tt.files {
				files[name] = []byte(text)
			}
			path := putFiles(t, dir, tt.format, files)
			for name, open := range map[string]func(string) (*vectors.Set, error){
				"Open":       Open,
				"OpenStream": func(path string) (*vectors.Set, error) { return OpenStream(path, nil) },
			} {
				s, err := open(path)
				if err == nil {
					if got := vectorsOf(s, "a", "b"); got != tt.want || Format(s.Format()) != tt.format {
						t.Errorf("%s: %s by %s, want %s", name, got, s.Format(), tt.want)
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
					continue
				}
				want := strings.ReplaceAll(tt.want, "DIR", dir)
				if !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s:\ngot  %v\nwant %s", name, err, want)
				}
			}
		})
	}
}

// A number that float32 cannot hold is an error when it is come to.
func TestNpyTooLarge(t *testing.T) {
	dir := t.TempDir()
	path := putFiles(t, dir, Npy, map[string][]byte{
		"m": []byte(npyMatrix("<f8", "(2, 1)", file(1.0, math.MaxFloat64))), "m.vocab.txt": []byte("a\nb\n"),
	})
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if row := s.Vectors().Row(1); row[0] != 0 || s.Err() == nil {
		t.Errorf("the row is %v, and the error %v", row, s.Err())
	}
	if err := Write(t.Context(), filepath.Join(dir, "x.vec"), s, Text); err == nil ||
		!strings.Contains(err.Error(), "1.7976931348623157e+308 is too large for a float32") || !strings.Contains(err.Error(), path+": byte ") {
		t.Errorf("got %v", err)
	}
}

// A stream has no words beside it.
func TestBesideStream(t *testing.T) {
	for _, file := range []string{npyMatrix("<f4", "(1, 1)", "...."), matrixFile("weight", "F32", "[1,1]", "....")} {
		want := "the words, one a line, are in a file of their own, so this cannot be read from a stream: name the file"
		if _, err := Read(strings.NewReader(file)); err == nil || err.Error() != want {
			t.Errorf("got %v", err)
		}
	}
}
