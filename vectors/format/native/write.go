package native

import (
	"bufio"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
)

func write(w *bufio.Writer, s *vectors.Set) error {
	metadata := map[string]string{metaFormat: codec.W2V, metaVersion: version}
	training, err := json.Marshal(s.Training())
	if err != nil {
		return err
	}
	metadata[metaTraining] = string(training)
	rows, projection, factored := s.Input().Factors()
	if factored {
		metadata[metaVersion] = factoredVersion
	} else {
		rows = s.Input()
	}
	if s.Subword() != nil && s.Composition() != subword.Mean {
		metadata[metaCompose] = string(s.Composition())
	}
	sub, err := encodedSubword(metadata, s.Subword())
	if err != nil {
		return err
	}

	table := s.Words().Table()
	offsets, slots := table.Offsets, table.Slots
	words := uint64(s.Len())
	var sections []safetensors.Section
	add := func(s safetensors.Section) { sections = append(sections, s) }
	add(safetensors.Array(tensorOffsets, "U64", []uint64{words + 1}, offsets))
	parts := s.SharedParts()
	if parts.Counts != nil {
		add(safetensors.Array(tensorCounts, "U64", []uint64{words}, parts.Counts))
	}
	sections = append(sections, ngramSections(sub)...)
	sections = append(sections, matrixSections(s, tensorInput, rows, metadata)...)
	_, made := parts.MadeOutput()
	switch {
	case s.Output().Rows == 0 || made: // of others
	case parts.OutputIsInput():
		metadata[metaTied] = "true"
	default:
		sections = append(sections, matrixSections(s, tensorOutput, s.Output(), metadata)...)
	}
	var further []string
	for _, m := range namedMatrices(s, projection) {
		sections = append(sections, matrixSections(s, m.Name, m.Matrix, metadata)...)
		if m.Name != tensorProjection && !isKnown(m.Name) {
			further = append(further, m.Name)
		}
	}
	if len(further) > 0 {
		metadata[metaMatrices] = strings.Join(further, ",")
	}
	if parts.WordRows != nil {
		add(safetensors.Array(tensorWordRow, "U32", []uint64{words}, parts.WordRows))
	}
	sections = append(sections, bucketSections(s)...)
	if sub.Kept != nil {
		add(safetensors.List(tensorKept, "U32", sub.Kept))
	}
	add(safetensors.List(tensorSlots, "U32", slots))
	add(safetensors.Array(tensorWords, "U8", []uint64{offsets[words]}, table.Text))
	sections = append(sections, stateSections(s)...)
	// Larger numbers come first, so that everything is aligned without holes.
	slices.SortStableFunc(sections, func(a, b safetensors.Section) int { return cmp.Compare(b.ItemSize(), a.ItemSize()) })
	aligned := tensorInput
	if s.Input().Encoding() != string(vectors.F32) {
		aligned = tensorOffsets
	}
	if parts.State != nil {
		return writeChecked(w, sections, metadata, aligned)
	}
	return safetensors.Write(w, sections, metadata, aligned, align)
}
