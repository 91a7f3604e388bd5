package format

import (
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/native"
)

// Files of ours whose tensors do not fit together.
func TestNativeQuantisedErrors(t *testing.T) {
	const words = `"word_offsets":{"dtype":"U64","shape":[3],"data_offsets":[0,24]},"words":{"dtype":"U8","shape":[2],"data_offsets":[24,26]}`
	offsets := file(uint64(0), uint64(1), uint64(2), "ab")
	metadata := func(more string) string {
		return `{"__metadata__":{"format":"w2v","version":"1"` + more + `},` + words
	}
	one := `,"input_centroids":{"dtype":"F32","shape":[2,2],"data_offsets":[28,44]}}`
	centroids := file([4]float32{1, 2, 3, 4})
	for _, tt := range []struct{ name, file, want string }{
		{"good", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids), ""},
		{"code", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x02"+centroids),
			`byte 8: input matrix: row 1 has code 2 of 2`},
		{"part", safetensorsFileOf(metadata(`,"input_part":"3"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids),
			`byte 8: metadata "input_part": expected a number from 1 to 2, found "3"`},
		{"parts", safetensorsFileOf(metadata(`,"input_part":"1"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids),
			`byte 8: tensor "input": 2 codes for 2 rows of 2`},
		{"no centroids", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: expected a tensor "input_centroids" beside "input" of U8, found none`},
		{"no scales", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2,1],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: expected a tensor "input_scales" beside "input" of I8, found none`},
		{"scales", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2,1],"data_offsets":[26,28]},"input_scales":{"dtype":"F32","shape":[1],"data_offsets":[28,32]}}`, offsets+"\x00\x01abcd"),
			`byte 8: tensor "input": scales of 1 rows for 2 rows`},
		{"norm codes", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]},"input_norm_codes":{"dtype":"U8","shape":[2],"data_offsets":[44,46]}`+one[:len(one)-1]+`}`, offsets+"\x00\x01"+centroids+"ab"),
			`byte 8: expected a tensor "input_norms" beside "input" of U8, found none`},
		{"dtype", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"input_scales":{"dtype":"U8","shape":[1],"data_offsets":[34,35]}}`, offsets+"12345678a"),
			`byte 8: tensor "input_scales": expected dtype F32, found "U8"`},
		{"composition without subwords", safetensorsFileOf(metadata(`,"composition":"whole"`)+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]}}`, offsets+"12345678"),
			`byte 8: composition "whole" in a set without subwords`},
		{"bucket set without subwords", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"bucket_set":{"dtype":"U8","shape":[1],"data_offsets":[34,35]}}`, offsets+"12345678a"),
			`byte 8: tensor "bucket_set": expected only with metadata "subword"`},
		{"n-grams without subwords", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"ngram_buckets":{"dtype":"U32","shape":[1],"data_offsets":[34,38]}}`, offsets+"12345678abcd"),
			`byte 8: tensor "ngram_buckets": expected only with metadata "subword"`},
		{"n-gram", safetensorsFileOf(metadata(`,"subword":"fasttext","minn":"3","maxn":"6","buckets":"9"`)+`,"input":{"dtype":"F32","shape":[3,1],"data_offsets":[26,38]},"ngram_buckets":{"dtype":"U32","shape":[1],"data_offsets":[38,42]}}`, offsets+"12345678abcd"+"\x09\x00\x00\x00"),
			`byte 8: n-grams: bucket 9 of 9`},
		{"shape", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: tensor "input": expected a shape of rows and columns, found [2]`},
	} {
		_, err := Read(strings.NewReader(tt.file))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
			t.Errorf("%s: got  %v\nwant %s", tt.name, err, tt.want)
		}
		view, viewErr := native.Codec().Read(source.View([]byte(tt.file)))
		if viewErr == nil {
			// Codes are looked at by Check, and until then stand for zeros.
			_ = view.Vectors()
			viewErr = view.Check()
		}
		if (viewErr == nil) != (tt.want == "") {
			t.Errorf("%s: mapped: got %v", tt.name, viewErr)
		}
	}
}
