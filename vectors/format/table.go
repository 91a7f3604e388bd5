package format

import (
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/vectors/format/fasttext"
	"github.com/w2v-go/w2v/vectors/format/finalfusion"
	"github.com/w2v-go/w2v/vectors/format/floret"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/native"
	"github.com/w2v-go/w2v/vectors/format/npy"
	"github.com/w2v-go/w2v/vectors/format/projector"
	"github.com/w2v-go/w2v/vectors/format/static"
	"github.com/w2v-go/w2v/vectors/format/text"
	"github.com/w2v-go/w2v/vectors/format/word2vec"
)

// codecs returns the formats in the order in which they are sniffed: those with a
// magic number first; then floret's table, whose first line has eight fields and
// could be a row of the last; then the two that begin with a line "words
// dimensions", told apart by what the first row looks like; last the text that has
// nothing but numbers at the end of its first line to be known by. What none of them
// takes is no model. Compression is undone before any of this. Folders are known by a file
// in them. A new format is a new line.
func codecs() []codec.Codec {
	return []codec.Codec{
		fasttext.Codec(),
		finalfusion.Codec(),
		native.Codec(),
		floret.Codec(),
		static.Torch(),
		npy.Codec(),
		text.Headed(),
		word2vec.Codec(),
		text.GloVe(),
		static.Model2Vec(),
		static.SentenceTransformers(),
		projector.Codec(),
	}
}

func codecOf(f Format) (codec.Codec, error) {
	for _, c := range codecs() {
		if c.Name == string(f) {
			return c, nil
		}
	}
	var names []string
	for _, f := range All() {
		names = append(names, string(f))
	}
	return codec.Codec{}, fmt.Errorf("the format %q is not known; known are %s", string(f), strings.Join(names, ", "))
}
