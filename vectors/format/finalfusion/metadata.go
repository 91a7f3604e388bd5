package finalfusion

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Metadata are TOML of any sort. Ours are a table of what is known of the training,
// a line a field. It is read again; what other programs say is passed over.

const trainingTable = "[training]"

// longestMetadata is more than ours ever are.
const longestMetadata = 1 << 16

// trainingTOML returns what is known of the training as TOML, nothing if nothing is.
func trainingTOML(t vectors.Training) (text []byte) {
	if t.Equal(vectors.Training{}) {
		return nil
	}
	text = []byte(trainingTable + "\n")
	for name, value := range t.All() { // TOML writes such values as JSON does
		if !slices.Contains(vectors.TrainingNames(), name) {
			continue
		}
		if _, err := strconv.ParseInt(value, 10, 64); errors.Is(err, strconv.ErrRange) {
			value = strconv.Quote(value) // but its integers have a sign
		}
		text = fmt.Appendf(text, "%s = %s\n", name, value)
	}
	return text
}

// parseTrainingTOML returns what trainingTOML wrote, and nothing of other metadata.
func parseTrainingTOML(text []byte) vectors.Training {
	var t vectors.Training
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	if string(first) != trainingTable {
		return t
	}
	object := []byte{'{'}
	for line := range bytes.Lines(rest) {
		name, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte(" = "))
		if !ok || !slices.Contains(vectors.TrainingNames(), string(name)) {
			return t
		}
		if n, err := strconv.Unquote(string(value)); err == nil {
			if _, err := strconv.ParseInt(n, 10, 64); errors.Is(err, strconv.ErrRange) {
				value = []byte(n)
			}
		}
		object = fmt.Appendf(object, "%q:%s,", name, value)
	}
	object = append(bytes.TrimSuffix(object, []byte{','}), '}')
	if err := json.Unmarshal(object, &t); err != nil {
		return vectors.Training{}
	}
	return t
}

// metadata reads a chunk of metadata.
func (f *reader) metadata() error {
	length, err := f.chunk(chunkMetadata)
	if err != nil {
		return err
	}
	if length > longestMetadata {
		f.unread = []string{"metadata"}
		n := int64(min(length, 1<<63-1))
		return f.in.Skip(n, "metadata")
	}
	text, err := source.Array[byte](f.in, int64(length), "metadata")
	if err == nil {
		f.training = parseTrainingTOML(text)
		if f.training.Equal(vectors.Training{}) && len(bytes.TrimSpace(text)) > 0 {
			f.unread = []string{"metadata"}
		}
	}
	return err
}
