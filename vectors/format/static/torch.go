package static

import (
	"bufio"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/beside"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/size"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/internal/tensors"
)

const (
	torchInput  = "embedding.weight"
	torchOutput = "output.weight"
	// torchAlone is the name in the state of an Embedding that is no part of anything.
	torchAlone = "weight"
	// safetensorsAlign is what safetensors pads headers to.
	safetensorsAlign = 8

	torchFormat = "pt" // what transformers wants the format to be
	metaFormat  = "format"
	metaTied    = "tied"
	// metaWords is the checksum of the words beside the file, see beside.Sum.
	metaWords = "words_crc32c"
)

// types are the types of numbers that safetensors files are written with.
func types() []vectors.DType { return vectors.DTypes() }

// Torch returns the format of a safetensors file with the weight of a torch.nn.Embedding,
// "embedding.weight", a row a word, and, where there are context vectors, "output.weight".
// The words are beside it.
func Torch() codec.Codec {
	return codec.Codec{
		Name:     codec.Torch,
		Sniff:    safetensors.Sniff, // every safetensors file that is not native
		Read:     readTorch,
		Maps:     true,
		Parts:    writeTorch,
		Size:     sizeOfTorch,
		Word:     beside.Check,
		DTypes:   types(),
		Streams:  true,
		Keeps:    codec.Kept{Context: true},
		Programs: "PyTorch, whatever reads safetensors",
	}
}

func sizeOfTorch(s vectors.Shape) float64 {
	bytes := size.Words(s, 1) + size.Vectors(s, types())
	if s.ContextBytes > 0 {
		bytes += min(size.Vectors(s, types()), float64(s.ContextBytes)*float64(s.Words))
	}
	return bytes
}

func writeTorch(s *vectors.Set) ([]codec.Part, error) {
	d := rowio.DType(s, types())
	metadata := map[string]string{metaFormat: torchFormat, metaWords: beside.Sum(s.Words())}
	shape := []uint64{uint64(s.Len()), uint64(s.Dim())}
	sections := []safetensors.Section{safetensors.Written(torchInput, tensors.Type(d), shape, func(w *bufio.Writer) error { return rowio.WriteVectors(w, s, d) })}
	if s.SharedParts().OneMatrix {
		metadata[metaTied] = "true"
	}
	if s.Output().Rows > 0 {
		d := s.Output().DType()
		sections = append(sections, safetensors.Written(torchOutput, tensors.Type(d), shape, func(w *bufio.Writer) error { return rowio.WriteTyped(w, s, s.Output(), d) }))
	}
	file := func(w *bufio.Writer) error {
		return safetensors.Write(w, sections, metadata, torchInput, safetensorsAlign)
	}
	return []codec.Part{{Write: file}, {Name: beside.Suffix, Write: func(w *bufio.Writer) error { return beside.Write(w, s.Words()) }}}, nil
}

func readTorch(in *source.Input) (*vectors.Set, error) {
	f, err := tensors.Header(in)
	if err != nil {
		return nil, err
	}
	name := torchInput
	if !f.Has(name) && f.Has(torchAlone) {
		name = torchAlone
	}
	p := vectors.Parts{
		OneMatrix: f.Metadata[metaTied] == "true", File: in.Behind(), Origin: vectors.Origin{Format: codec.Torch},
	}
	if p.Input, err = tensors.OneMatrix(in, f, name, func(t safetensors.Tensor) error {
		if t.Name != torchOutput {
			return in.Skip(t.Size(), "a tensor")
		}
		p.Output, err = tensors.Rows(in, t)
		return err
	}); err != nil {
		return nil, err
	}
	if p.Words, err = beside.Read(in, p.Input.Rows); err != nil {
		return nil, err
	}
	if want, found := f.Metadata[metaWords], beside.Sum(p.Words); want != "" && want != found {
		return nil, in.FailAt(safetensors.LengthSize, "the words in %s are not those that this file was written with: expected words whose CRC-32C is %.20s, found %s; "+
			"write both files anew, or copy both from one place; if these are its words nevertheless, save its tensors without %q in the metadata",
			in.Path()+beside.Suffix, want, found, metaWords)
	}
	s := vectors.NewUnchecked(p)
	if err := s.CheckSizes(); err != nil {
		return nil, in.FailAt(safetensors.LengthSize, "%w", err)
	}
	return s, nil
}
