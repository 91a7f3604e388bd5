package vectors

import (
	"bufio"

	"github.com/w2v-go/w2v/internal/safetensors"
)

// A safetensors file with the weight of a torch.nn.Embedding, a row a word, and
// possibly one for the layer that predicts words. The words are beside it.
const (
	torchInput  = "embedding.weight"
	torchOutput = "output.weight"
	// torchAlone is the name in the state of an Embedding that is no part of anything.
	torchAlone = "weight"
	// safetensorsAlign is what safetensors pads headers to.
	safetensorsAlign = 8

	torchFormat = "pt" // what transformers wants metaFormat to be
	metaTied    = "tied"
	// metaWords is the checksum of the words beside the file, see Words.lineSum.
	metaWords = "words_crc32c"
)

// sniffTorch takes every safetensors file that is not ours.
func sniffTorch(head []byte) bool { return safetensors.Sniff(head) }

func writeTorch(s *Set) ([]part, error) {
	d := s.dtypeFor(FormatTorch)
	metadata := map[string]string{metaFormat: torchFormat, metaWords: s.words.lineSum()}
	shape := []uint64{uint64(s.Len()), uint64(s.Dim())}
	sections := []safetensors.Section{safetensors.Written(torchInput, d.tensorType(), shape, func(w *bufio.Writer) error { return s.writeVectors(w, d) })}
	if s.tied {
		metadata[metaTied] = "true"
	}
	if s.output.Rows > 0 {
		d := s.output.DType()
		sections = append(sections, safetensors.Written(torchOutput, d.tensorType(), shape, func(w *bufio.Writer) error { return s.writeTyped(w, s.output, d) }))
	}
	file := func(w *bufio.Writer) error {
		return safetensors.Write(w, sections, metadata, torchInput, safetensorsAlign)
	}
	return []part{{"", file}, {besideSuffix, s.writeWordLines}}, nil
}

func readTorch(in *input) (*Set, error) {
	f, err := in.safetensorsHeader()
	if err != nil {
		return nil, err
	}
	name := torchInput
	if !f.Has(name) && f.Has(torchAlone) {
		name = torchAlone
	}
	s := &Set{tied: f.Metadata[metaTied] == "true"}
	if s.input, err = in.oneMatrix(f, name, func(t safetensors.Tensor) error {
		if t.Name != torchOutput {
			return in.skip(t.Size(), "a tensor")
		}
		s.output, err = in.tensorRows(t)
		return err
	}); err != nil {
		return nil, err
	}
	if s.words, err = in.wordsBeside(s.input.Rows); err != nil {
		return nil, err
	}
	if want, found := f.Metadata[metaWords], s.words.lineSum(); want != "" && want != found {
		return nil, in.failAt(safetensors.LengthSize, "the words in %s are not those that this file was written with: expected words whose CRC-32C is %.20s, found %s; "+
			"write both files anew, or copy both from one place; if these are its words nevertheless, save its tensors without %q in the metadata",
			in.path+besideSuffix, want, found, metaWords)
	}
	if err := s.checkSizes(); err != nil {
		return nil, in.failAt(safetensors.LengthSize, "%w", err)
	}
	return s, nil
}
