package format

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// Files that are not models say on one line what they are and what to do, as a stream,
// as a file and compressed, and none is called damaged.
func TestForeignFiles(t *testing.T) {
	tarOf := func(name, text string, format tar.Format) string {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644, Format: format})
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	zipOf := func(name string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		if _, err := w.Create(name); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	pickle := func(class string) string {
		module, name, _ := strings.Cut(class, " ")
		return "\x80\x04\x95\x40\x00\x00\x00\x00\x00\x00\x00\x8c" + string(rune(len(module))) + module + "\x94\x8c" + string(rune(len(name))) + name + "\x94\x93."
	}
	const (
		torch    = "this is a file of torch.save, a pickle, which is not executed here: "
		kv       = "this is a pickle of gensim's KeyedVectors, which is not executed here: in Python, say gensim.models.KeyedVectors.load(\"FILE\").save_word2vec_format("
		jsonFile = "this is JSON and not a model: "
		page     = "this is a web page and not a model: "
		lfs      = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
		model    = "2 3\na 1 2 3\nb 4 5 6\n"
	)
	for _, tt := range []struct{ name, file, want string }{
		{"gensim .kv", pickle("gensim.models.keyedvectors KeyedVectors"), kv},
		{"gensim .kv, protocol 2", "\x80\x02cgensim.models.keyedvectors\nWord2VecKeyedVectors\nq\x00)\x81q\x01.", strings.Replace(kv, "KeyedVectors", "Word2VecKeyedVectors", 1)},
		{"gensim .kv, protocol 0", "ccopy_reg\n_reconstructor\np0\n(cgensim.models.keyedvectors\nKeyedVectors\np1\n", kv},
		{"gensim .model", pickle("gensim.models.word2vec Word2Vec"), "this is a pickle of gensim's Word2Vec, which is not executed here: in Python, say gensim.models.Word2Vec.load("},
		{"gensim FastText", pickle("gensim.models.fasttext FastText"), "this is a pickle of gensim's FastText, which is not executed here: in Python, say gensim.models.fasttext.save_facebook_model("},
		{"gensim Doc2Vec", pickle("gensim.models.doc2vec Doc2Vec"), "this is a pickle of gensim's Doc2Vec, which is not executed here: in Python, say gensim.models.Doc2Vec.load("},
		{"gensim FastText .kv", pickle("gensim.models.fasttext FastTextKeyedVectors"), "this is a pickle of gensim's FastTextKeyedVectors, which is not executed here: in Python, with the package w2v, say w2v.from_gensim("},
		{"gensim Phrases", pickle("gensim.models.phrases Phrases"), "this is a pickle of gensim's Phrases, which is not executed here: it has no vectors; w2v phrases finds phrases in a text"},
		{"gensim Dictionary", pickle("gensim.corpora.dictionary Dictionary"), "this is a pickle of gensim's Dictionary, which is not executed here: it has no vectors of words "},
		{"gensim Poincaré", pickle("gensim.models.poincare PoincareKeyedVectors"), "this is a pickle of gensim's PoincareKeyedVectors, which is not executed here: it has no vectors of words that are compared by cosines"},
		{"gensim before 4", "\x80\x02cgensim.models.wrappers.fasttext\nFastText\nq\x00)\x81q\x01.", "this is a pickle of gensim's FastText, which is not executed here: gensim wrote it before version 4, which cannot load it"},
		{"a pickle that has gensim's vectors in it", "\x80\x04\x95\x40\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x01a\x94\x8c\x1bgensim.models.keyedvectors\x94\x8c\x0cKeyedVectors\x94\x93.", "this is a Python pickle, "},
		{"a pickle", pickle("numpy.core.multiarray _reconstruct"), "this is a Python pickle, which is not executed here: "},
		{"a pickle, protocol 5", "\x80\x05N.", "this is a Python pickle, "},
		{"torch.save", zipOf("archive/data.pkl"), torch},
		{"torch.save, another name", zipOf("model_best/data.pkl"), torch},
		{"torch.save of old", "\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19." + "\x80\x02M\xe9\x03.", torch},
		{"npz", zipOf("vectors.npy"), "this is a .npz file of numpy: "},
		{"zip", zipOf("glove.6B.50d.txt"), "this is a zip archive: unpack it first, "},
		{"tar of a text", tarOf("model.vec", model, tar.FormatGNU), "this is a tar archive: unpack it first, "},
		{"tar of POSIX", tarOf("dir/model.bin", strings.Repeat("\x00\xff", 300), tar.FormatPAX), "this is a tar archive: "},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04", "this is a 7z archive: "},
		{"lzip", "LZIP\x01\x17", "this is compressed with lzip: "},
		{"HDF5", "\x89HDF\r\n\x1a\n\x00\x00", "this is an HDF5 file, "},
		{"ONNX", "\x08\x07\x12\x07pytorch\x1a\x031.9:", "this is an ONNX model, "},
		{"GGUF", "GGUF\x03\x00\x00\x00", "this is a GGUF file, "},
		{"SQLite", "SQLite format 3\x00\x10\x00", "this is an SQLite database, "},
		{"Arrow", "ARROW1\x00\x00\xff\xff", "this is an Arrow file: "},
		{"fastText of 2016", file(fastTextArgs{Dim: 100, Window: 5, Epochs: 5, MinCount: 5, Negatives: 5, WordNgrams: 1, Loss: 2, Model: 2,
			Buckets: 2000000, MinN: 3, MaxN: 6, LRUpdateRate: 100, Sample: 1e-4}, int32(1), int32(1), int32(0), int64(7), "the\x00", int64(7), int8(0)),
			"this looks like a model of fastText from 2016, "},
		{"Git LFS", lfs, "this is a pointer of Git LFS and not the file itself: get that with git lfs pull"},
		{"web page", "\n<!DOCTYPE html>\n<html><head><title>404 5</title>", page},
		{"web page in capitals", "<HTML>\n", page},
		{"XML", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", page},
		{"JSON", `{"error": "Invalid username or password."}`, jsonFile},
		{"JSON over lines", "{\n  \"model_type\": \"bert\"\n}\n", jsonFile},
		{"JSON list", `[{"idx":0}]`, jsonFile},
		{"PDF", "%PDF-1.7\n%\xe2\xe3", "this is a PDF and not a model"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var zipped bytes.Buffer
			w := gzip.NewWriter(&zipped)
			if _, err := w.Write([]byte(tt.file)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			for how, content := range map[string]string{"plain": tt.file, "compressed": zipped.String()} {
				path := putFiles(t, t.TempDir(), Text, map[string][]byte{"m": []byte(content)})
				err := openErr(path)
				if got := errorText(err); !strings.HasPrefix(got, path+": byte 0: "+tt.want) || strings.Contains(got, "\n") {
					t.Errorf("%s: got %s, want %s", how, got, tt.want)
				}
				_, err = Read(strings.NewReader(content))
				if got := errorText(err); !strings.HasPrefix(got, "byte 0: "+tt.want) {
					t.Errorf("%s, as a stream: got %s, want %s", how, got, tt.want)
				}
			}
		})
	}
}

// Models that begin like files of another kind are read.
func TestModelsThatLookForeign(t *testing.T) {
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 2)})
	for _, length := range []int{0x280, 0x380, 0x480, 0x580} { // which a pickle's protocol looks like
		header := `{"__metadata__":{"format":"pt"},"embedding.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`
		header += strings.Repeat(" ", length-len(header))
		b := append(binary.LittleEndian.AppendUint64(nil, uint64(length)), header...)
		b = append(b, make([]byte, 8)...)
		path := putFiles(t, t.TempDir(), Torch, map[string][]byte{"m": b, "m.vocab.txt": []byte("a\n")})
		if err := openErr(path); err != nil {
			t.Errorf("a header of %d bytes: %v", length, err)
		}
	}
	for _, text := range []string{"{\" 1 2\n", "<html> 1 2\n", "[1 2 3\n", "version 1 2\n", "%PDF- 1 2\n", "GGUF 1 2\n", "PAR1 1 2\n", "ccopy_reg 1 2\n", "PK 1 2\n", "7z 1 2\n"} {
		if _, err := Read(strings.NewReader(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, f := range []Format{W2V, Word2Vec, Text, GloVe, FastText, Finalfusion} {
		if _, err := Read(bytes.NewReader(encode(t, s, f))); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}
