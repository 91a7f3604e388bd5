package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
)

// A Training describes how a set was trained: values by name, such as "window": 5. docs/format.md lists the
// names that w2v uses. A missing name means unknown. What cut the training text and is too large for a value
// is attached. The zero Training is empty.
type Training struct {
	facts    []fact
	attached [len(attachments)][]byte
}

type fact struct{ name, value string }

// Names of attachments.
const (
	AttachedTokenizer = "tokenizer.json" // the tokenizer.json that cut the text into tokens
	AttachedPhrases   = "phrases"        // the table of phrases that were joined, as phrases.Table.WriteTo writes it
)

var attachments = [...]string{AttachedTokenizer, AttachedPhrases}

// Attachments returns the names of attachments.
func Attachments() []string { return slices.Clone(attachments[:]) }

// MaxAttached is the maximum number of bytes of an attachment.
const MaxAttached = 1 << 28

// Attached returns the attachment of that name, which must not be changed; nil if there is none.
func (t Training) Attached(name string) []byte {
	if i := slices.Index(attachments[:], name); i >= 0 {
		return t.attached[i]
	}
	return nil
}

// Attach sets the attachment of that name: AttachedTokenizer or AttachedPhrases. Data without bytes removes it.
// Attach panics if the name is another one, or if data has more than MaxAttached bytes. Data must not be
// changed afterwards.
func (t *Training) Attach(name string, data []byte) {
	i := slices.Index(attachments[:], name)
	if i < 0 || len(data) > MaxAttached {
		panic(fmt.Errorf("vectors: nothing of %d bytes can be attached as %q", len(data), name))
	}
	if len(data) == 0 {
		data = nil
	}
	t.attached[i] = data
}

// trainingNames are the names that every format with training facts stores, in the order of files, each with
// a value of its type. Only native files store other names; these follow in the order in which they are set.
var trainingNames = []struct {
	name string
	zero any
}{
	{"arch", ""}, {"loss", ""}, {"tied", false}, {"nested", ""}, {"word_ngrams", 0}, {FactPooling, ""}, {"labels_apart", false}, {"label_prefix", ""}, {"several_labels", false}, {"window", 0}, {"epochs", 0}, {"epochs_auto", false}, {"negatives", 0}, {"draws", 0}, {"ns_exponent", 0.0}, {"x_max", 0.0}, {"own_weight", 0.0}, {"power", 0.0},
	{"min_count", 0}, {"sample", 0.0}, {"lr", 0.0}, {"seed", uint64(0)}, {"shuffle", false}, {"deterministic", false}, {"tokens", uint64(0)}, {"trained", uint64(0)},
	{"lowercase", false}, {"lowercase_language", ""}, {"tokenizer", ""}, {"normalize", ""}, {"strip_accents", false}, {"digits", ""}, {"punctuation", ""}, {"sentences", ""}, {"split", ""}, {"group_by", ""},
	{"text_column", numberOrName("")}, {"header", false}, {"json_field", ""}, {"kmers", 0}, {"kmer_stride", 0}, {"kmer_alphabet", ""}, {"kmer_canonical", false}, {"kmer_join", false},
	{"window_mode", ""}, {"precision", ""},
	{"phrases", false}, {"phrase_scoring", ""}, {"phrase_threshold", 0.0}, {"phrase_min_count", 0}, {"phrase_passes", 0}, {"phrase_delimiter", ""}, {"phrase_connectors", ""}, {"phrase_table", ""},
	{"merge", ""}, {"merge_parts", ""}, {"merge_weights", ""}, {"merge_power", 0.0}, {"recipe", ""},
}

// A numberOrName is a number or a string, as it is in JSON.
type numberOrName string

func (n numberOrName) MarshalJSON() ([]byte, error) { return []byte(n), nil }

func (n *numberOrName) UnmarshalJSON(data []byte) error {
	var number int
	var name string
	if json.Unmarshal(data, &number) != nil && json.Unmarshal(data, &name) != nil {
		return fmt.Errorf("%s is neither a whole number nor a string", data)
	}
	*n = numberOrName(data)
	return nil
}

// TrainingNames returns the names that w2v uses, in the order of files.
func TrainingNames() []string {
	names := make([]string, len(trainingNames))
	for i, n := range trainingNames {
		names[i] = n.name
	}
	return names
}

// NewTraining makes a Training from pairs of a name and a value: see Set.
func NewTraining(pairs ...any) (t Training) {
	for i := 0; i+1 < len(pairs); i += 2 {
		t.Set(pairs[i].(string), pairs[i+1])
	}
	return t
}

// Set sets the value of a name: a string, a bool or a number. The empty string, false and 0 remove the name.
func (t *Training) Set(name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Errorf("vectors: what is known of a training as %q: %w", name, err)) // NaN, or an unsupported type
	}
	t.set(name, string(text))
}

func (t *Training) set(name, value string) {
	all := slices.DeleteFunc(slices.Clone(t.facts), func(k fact) bool { return k.name == name })
	if !slices.Contains([]string{`""`, "false", "0", "null"}, value) {
		all = append(all, fact{name, value})
	}
	place := func(k fact) int {
		if i := slices.Index(TrainingNames(), k.name); i >= 0 {
			return i
		}
		return len(trainingNames)
	}
	slices.SortStableFunc(all, func(a, b fact) int { return place(a) - place(b) })
	t.facts = all
}

func (t Training) value(name string) string {
	for _, k := range t.facts {
		if k.name == name {
			return k.value
		}
	}
	return ""
}

// Text returns the string of that name; empty if it is unknown.
func (t Training) Text(name string) (text string) {
	_ = json.Unmarshal([]byte(t.value(name)), &text) // stays empty if the value is not a string
	return text
}

// Bool returns the bool of that name; false if it is unknown.
func (t Training) Bool(name string) bool { return t.value(name) == "true" }

// Int returns the integer of that name; 0 if it is unknown.
func (t Training) Int(name string) int {
	n, _ := strconv.Atoi(t.value(name))
	return n
}

// Uint returns the non-negative integer of that name; 0 if it is unknown.
func (t Training) Uint(name string) uint64 {
	if n, err := strconv.ParseUint(t.value(name), 10, 64); err == nil { // otherwise n may be the largest number
		return n
	}
	return 0
}

// Float returns the number of that name; 0 if it is unknown.
func (t Training) Float(name string) float64 {
	if x, err := strconv.ParseFloat(t.value(name), 64); err == nil {
		return x
	}
	return 0
}

// Known returns the names that are set, in the order of files.
func (t Training) Known() (names []string) {
	for _, k := range t.facts {
		names = append(names, k.name)
	}
	return names
}

// All yields names and values in JSON, in the order of files.
func (t Training) All() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, k := range t.facts {
			if !yield(k.name, k.value) {
				return
			}
		}
	}
}

// Equal reports whether both have the same names, values and attachments.
func (t Training) Equal(other Training) bool {
	return slices.Equal(t.facts, other.facts) && slices.EqualFunc(t.attached[:], other.attached[:], bytes.Equal)
}

// MarshalJSON returns an object with all names and values. It leaves attachments out.
func (t Training) MarshalJSON() ([]byte, error) {
	object := []byte{'{'}
	for i, k := range t.facts {
		if i > 0 {
			object = append(object, ',')
		}
		name, _ := json.Marshal(k.name) // a string has no errors
		object = append(append(append(object, name...), ':'), k.value...)
	}
	return append(object, '}'), nil
}

// UnmarshalJSON reads the output of MarshalJSON, and keeps attachments. A value of another type than w2v uses for
// its name is an error.
func (t *Training) UnmarshalJSON(data []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		return err
	}
	var read Training
	d := json.NewDecoder(bytes.NewReader(data)) // knows the order of names
	_, _ = d.Token()                            // no errors from here on: the object is valid
	for d.More() {
		token, _ := d.Token()
		var value json.RawMessage
		_ = d.Decode(&value)
		name, _ := token.(string)
		for _, n := range trainingNames {
			if n.name != name {
				continue
			}
			v := reflect.New(reflect.TypeOf(n.zero)).Interface() // rewritten as Set writes a value of the type
			if err := json.Unmarshal(value, v); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			value, _ = json.Marshal(v)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			return err
		}
		read.set(name, compact.String())
	}
	t.facts = read.facts
	return nil
}
