package train

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/vectors"
)

// Every setting of text is in the note of a checkpoint, and comes back out of it.
func TestNoteHasTheSettingsOfText(t *testing.T) {
	usual := note{Settings: Defaults()}
	was := usual
	for _, row := range table() {
		if row.Group != GroupText {
			continue
		}
		if err := row.Set(&was.Settings, other(row, &usual.Settings)); err != nil {
			t.Fatal(err)
		}
	}
	text := asJSON(t, was)
	var keys map[string]any
	var back note
	if err := json.Unmarshal([]byte(text), &keys); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &back); err != nil {
		t.Fatal(err)
	}
	for _, row := range table() {
		if row.Group != GroupText {
			continue
		}
		_, ok := keys[row.JSONKey()]
		if got, want := row.Text(&back.Settings), row.Text(&was.Settings); !ok || got != want || want == row.Text(&usual.Settings) {
			t.Errorf("%s is %q, was %q, in %s", row.Name, got, want, slices.Sorted(maps.Keys(keys)))
		}
	}
}

// other is a value that a setting does not have.
func other(row setting.Setting[Settings], than *Settings) string {
	if n := len(row.Choices); n > 0 {
		return row.Choices[n-1].Value
	}
	return map[string]string{"bool": "true", "int": "77", "name": "other", "float64": "0.25", "words": "of,the"}[setting.Type(row.At(than))]
}

// The note is what it was before there was a table, byte for byte.
func TestNoteJSON(t *testing.T) {
	n := note{Threads: 2, noteOfRun: noteOfRun{Vocabulary: true, Fraction: 0.5, Sets: []noted{{"a", "b"}}, Extended: 1, LearningRate: 0.1, CheckpointEvery: "1m0s"}}
	n.Settings.Text.Tokenizer, n.Settings.MinCount, n.Settings.MaxVocab = corpus.Unicode, 3, 9
	const want = `{"tokenizer":"unicode","lowercase":false,"threads":2,"min_count":3,"max_vocab":9,"vocabulary":true,"fraction":0.5,"held_out":false,` +
		`"sets":[{"name":"a","sha256":"b"}],"extended":1,"lr":0.1,"checkpoint_every":"1m0s"}`
	if text := asJSON(t, n); text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	for _, wrong := range []string{``, `3`, `{"tokenizer":"odd"}`, `{"threads":"x"}`, `{"sets":3}`} {
		if json.Unmarshal([]byte(wrong), &n) == nil {
			t.Errorf("%q is a note", wrong)
		}
	}
}

// Every format that keeps what is known of a training has a place for each setting that a model
// says something of.
func TestRecordedSettingsHaveTrainingNames(t *testing.T) {
	for _, row := range table() {
		if row.Record != nil && !slices.Contains(vectors.TrainingNames(), row.JSONKey()) {
			t.Errorf("vectors.TrainingNames lacks %s: files other than native ones would lose it", row.JSONKey())
		}
	}
}
