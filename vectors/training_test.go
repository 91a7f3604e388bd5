package vectors_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// What is known of a training is written in one order, and is what it was when it is read.
func TestTraining(t *testing.T) {
	all := vectors.NewTraining("tokenizer", "unicode", "seed", uint64(math.MaxUint64), "further", 7, "lr", 1e-7, "arch", "cbow", "tied", true, "window", 5, "more", "x<y",
		"loss", "", "lowercase", false, "sample", 0.0)
	text, err := json.Marshal(all)
	if want := `{"arch":"cbow","tied":true,"window":5,"lr":1e-7,"seed":18446744073709551615,"tokenizer":"unicode","further":7,"more":"x\u003cy"}`; err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
	var back vectors.Training
	if err := json.Unmarshal(text, &back); err != nil || !back.Equal(all) || back.Equal(vectors.Training{}) {
		t.Errorf("%v is read as %v, %v", all, back, err)
	}
	if back.Text("arch") != "cbow" || back.Text("more") != "x<y" || !back.Bool("tied") || back.Int("window") != 5 || back.Float("lr") != 1e-7 || back.Uint("seed") != math.MaxUint64 || back.Int("further") != 7 {
		t.Errorf("%v", back)
	}
	// What is not known, or is something else, is zero.
	if back.Text("loss") != "" || back.Bool("lowercase") || back.Int("arch") != 0 || back.Uint("arch") != 0 || back.Float("arch") != 0 || back.Text("window") != "" {
		t.Errorf("%v", back)
	}
	if want := []string{"arch", "tied", "window", "lr", "seed", "tokenizer", "further", "more"}; !slices.Equal(back.Known(), want) {
		t.Errorf("%q, want %q", back.Known(), want)
	}
	copied := back
	back.Set("window", 0)
	back.Set("arch", "skipgram")
	if back.Int("window") != 0 || back.Text("arch") != "skipgram" || !copied.Equal(all) {
		t.Errorf("%v, and the copy is %v", back, copied)
	}
}

// Values in a file have the types that w2v gives them, or the file is not one of ours.
func TestTrainingJSON(t *testing.T) {
	for text, want := range map[string]string{
		`null`:                                  `{}`,
		`{}`:                                    `{}`,
		`{"window":5,"arch":"cbow","window":6}`: `{"arch":"cbow","window":6}`,
		`{"lr":5.0e-2,"sample":0,"arch":"","tied":false,"seed":null}`: `{"lr":0.05}`,
		`{"colour":{"a":[1, 2]},"epochs":3}`:                          `{"epochs":3,"colour":{"a":[1,2]}}`,
	} {
		var read vectors.Training
		err := json.Unmarshal([]byte(text), &read)
		got, _ := json.Marshal(read)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{`[]`, `3`, `{"window":"5"}`, `{"window":5.5}`, `{"seed":-1}`, `{"arch":1}`, `{"tied":"true"}`, `{"lr":"fast"}`} {
		var read vectors.Training
		if err := json.Unmarshal([]byte(text), &read); err == nil {
			t.Errorf("%s is read as %v", text, read)
		}
	}
}
