package sgns

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// goldenData is the text of the checkpoints in testdata.
func goldenData(t *testing.T) Data {
	t.Helper()
	src, err := corpus.Files([]string{"../testdata/toy.txt"}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, ids, err := vocab.Index(t.Context(), src, vocab.Options{MinCount: 2}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ids.Close() })
	return Data{IDs: ids, Vocab: v}
}

// Checkpoints of revisions that this program does not go on with are refused with that reason.
// Their vectors are vectors: a new run starts from them.
func TestCheckpointsOfRevisionsBefore(t *testing.T) {
	d := goldenData(t)
	for revision := 1; revision < checkpoint.OldestResumed; revision++ {
		files, err := filepath.Glob(fmt.Sprintf("../testdata/checkpoints/revision%d/*.w2v", revision))
		if err != nil || len(files) == 0 {
			t.Fatalf("%v: there are no checkpoints of revision %d", err, revision)
		}
		for _, file := range files {
			t.Run(fmt.Sprintf("%d/%s", revision, filepath.Base(file)), func(t *testing.T) {
				set, err := format.Open(file)
				if err != nil {
					t.Fatal(err)
				}
				defer set.Close()
				want := fmt.Sprintf("made by algorithm revision %d, and this program is revision %d", revision, Revision)
				if _, err := NewCheckpoint(set); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want %q", err, want)
				}
				d.Init = set
				c := small(func(c *Config) { c.Dim, c.Epochs, c.Subword = set.Dim(), 1, set.Subword() })
				if _, err := Train(t.Context(), d, c, Hooks{}); err != nil {
					t.Errorf("a run that starts from its vectors: %v", err)
				}
			})
		}
	}
}

// changed returns a checkpoint whose state has been changed in its file.
func changed(t *testing.T, file []byte, change func(state map[string]any)) (*Checkpoint, error) {
	t.Helper()
	set, err := format.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var state map[string]any
	d := json.NewDecoder(bytes.NewReader(set.State()))
	d.UseNumber() // generators have more bits than a float64
	if err := d.Decode(&state); err != nil {
		t.Fatal(err)
	}
	change(state)
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	set = withState(set, text)
	var again bytes.Buffer
	if err := format.Encode(&again, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	if set, err = format.Read(&again); err != nil {
		t.Fatal(err)
	}
	return NewCheckpoint(set)
}

// interrupted returns the file of a checkpoint of a run of one worker in its middle.
func interrupted(t *testing.T, d Data, c Config) []byte {
	t.Helper()
	var k *Checkpoint
	for tries := 0; k == nil; tries++ { // on a busy machine a run may end before its progress is seen
		if tries == 50 {
			t.Fatal("the run ended before it was cut")
		}
		k, _ = cut(t, d, c, nil, 1)
	}
	var file bytes.Buffer
	if err := encode(&file, k); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A run goes on with the sizes that it began with, whatever this program would begin with.
func TestResumeGoesOnWithTheSizesOfTheCheckpoint(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	d := Data{IDs: ids, Vocab: v}
	group := func(c *Config) { c.Dim, c.Deterministic, c.Threads = 100, true, 2 }
	for name, change := range map[string]func(c *Config){
		"draws":             func(c *Config) { config.TuningOf(c).Division.Draws = 31 },
		"draws of CBOW":     func(c *Config) { c.Arch, config.TuningOf(c).Division.Draws = CBOW, 13 },
		"a projection":      func(c *Config) { c.Rank, config.TuningOf(c).Division.Projection = 8, 0.1 },
		"draws by position": func(c *Config) { c.Arch, config.TuningOf(c).Division.Draws = Structured, 7*2*c.Window },
		"centres":           func(c *Config) { config.TuningOf(c).Division.Centres = 5 },
		"a super-step":      func(c *Config) { group(c); config.TuningOf(c).Division.SuperStep = 3 },
		"a composition cache": func(c *Config) {
			c.Subword = fastText
			config.TuningOf(c).Division = step.Division{Centres: 4, Draws: 9, Cached: 12}
		},
		"contexts": func(c *Config) {
			c.Arch = CBOW
			config.TuningOf(c).Division = step.Division{Centres: 16, Draws: 10, Contexts: 1.25}
		},
		"segments": func(c *Config) {
			group(c)
			config.TuningOf(c).Division = step.Division{Centres: 16, Draws: 24, SuperStep: 2, Segments: []int{0, 16, 64, 100}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := small(func(c *Config) { c.Epochs, c.LearningRate = 8, 0.02 }) // a rate that never diverges: when divergence is noticed depends on time
			usual := c
			change(&c)
			k, err := changed(t, interrupted(t, d, c), func(map[string]any) {})
			if err != nil {
				t.Fatal(err)
			}
			resumed, err := Resume(t.Context(), d, k, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			whole, err := Train(t.Context(), d, c, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			sameModel(t, resumed.Vectors, whole.Vectors)
			usual.Arch, usual.Subword, usual.Dim, usual.Deterministic, usual.Threads = c.Arch, c.Subword, c.Dim, c.Deterministic, c.Threads
			other, err := Train(t.Context(), d, usual, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(numbers(other.Vectors.Input()), numbers(whole.Vectors.Input())) {
				t.Error("the sizes of this test are those that this program has anyway")
			}
		})
	}
}

// A run on a small corpus goes on as it began, also if that was before small corpora were kept whole.
func TestSmallCorporaOfRevisionsBefore(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	d := Data{IDs: ids, Vocab: v}
	c := small(func(c *Config) { c.Epochs = 100 })
	now, err := changed(t, interrupted(t, d, c), func(map[string]any) {})
	if err != nil || !contentsOf(now).Sizes.Whole {
		t.Fatalf("%+v, %v", now, err)
	}
	config.TuningOf(&c).Subsample = true
	k, err := changed(t, interrupted(t, d, c), func(state map[string]any) {
		if _, there := state["sizes"].(map[string]any)["whole"]; there {
			t.Error("the sizes of revision 4 have another one")
		}
		state["revision"] = 4
	})
	if err != nil {
		t.Fatal(err)
	}
	resumed, err := Resume(t.Context(), d, k, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Train(t.Context(), d, c, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	sameModel(t, resumed.Vectors, whole.Vectors)
	config.TuningOf(&c).Subsample = false
	if other, err := Train(t.Context(), d, c, Hooks{}); err != nil || bytes.Equal(numbers(other.Vectors.Input()), numbers(whole.Vectors.Input())) {
		t.Errorf("a run that begins now gives the same, %v", err)
	}
}

// A checkpoint holds the rate that its run began with, also where that was the default. So a run goes on
// with it, whatever this program would begin with.
func TestCheckpointsHoldTheDefaultRate(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	c := small(func(c *Config) { c.Epochs, c.LearningRate = 1000, 0 })
	_, err := changed(t, interrupted(t, Data{IDs: ids, Vocab: v}, c), func(state map[string]any) {
		want := fmt.Sprint(c.RateFor(ids.Tokens() * uint64(c.Epochs)))
		if got := fmt.Sprint(state["config"].(map[string]any)["lr"]); got != want {
			t.Errorf("rate %s in the checkpoint, want %s", got, want)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A checkpoint of another revision, or of sizes that this program does not have, is refused
// by that reason.
func TestCheckpointsOfOtherRevisions(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	d := Data{IDs: ids, Vocab: v}
	files := map[string][]byte{
		"words":      interrupted(t, d, small(func(c *Config) { c.Epochs = 1000 })),
		"group":      interrupted(t, d, small(func(c *Config) { c.Epochs, c.Dim, c.Deterministic = 1000, 100, true })),
		"structured": interrupted(t, d, small(func(c *Config) { c.Epochs, c.Arch = 1000, Structured })),
	}
	of := func(name string, value any) func(map[string]any) {
		return func(state map[string]any) { state["sizes"].(map[string]any)[name] = value }
	}
	for _, test := range []struct {
		name, of string
		change   func(state map[string]any)
		want     string
	}{
		{"a newer revision", "words", func(s map[string]any) { s["revision"] = Revision + 1 },
			fmt.Sprintf("made by algorithm revision %d, and this program is revision %d", Revision+1, Revision)},
		{"a newer revision of another state", "words", func(s map[string]any) { s["revision"], s["run"] = Revision+1, "elsewhere" },
			fmt.Sprintf("made by algorithm revision %d, and this program is revision %d", Revision+1, Revision)},
		{"a revision before the first", "words", func(s map[string]any) { s["revision"] = -3 },
			fmt.Sprintf("made by algorithm revision -3, and this program is revision %d, which resumes revisions %d to %d: train again", Revision, checkpoint.OldestResumed, Revision)},
		{"no centres", "words", of("centres", 0), "began with blocks of 0 centres, and this program has from 1 to 16"},
		{"more centres than lanes", "words", of("centres", 32), "began with blocks of 32 centres, and this program has from 1 to 16"},
		{"no draws", "words", of("draws", 0), "began with 0 negatives a block"},
		{"half a draw a position", "structured", of("draws", 9), "began with 9 negatives a block, and this program draws a multiple of"},
		{"super-steps without a group", "words", of("round", 4), "began with steps of 4 blocks"},
		{"no super-step of a group", "group", of("round", 0), "began with steps of 0 blocks"},
		{"a composition cache of plain words", "words", of("stretch", 64), "began with words composed for 64 tokens"},
		{"contexts", "words", of("contexts", 3), "began with 3 contexts for a centre"},
		{"other texts", "words", of("text", 4096), "began with texts of 4096 tokens, and this program has 2048"},
		{"other sentences", "words", of("sentence", 512), "began with sentences of 512 tokens, and this program has 1024"},
		{"other chunks", "words", of("chunk", 1000), "began with chunks of the corpus of 1000 tokens, and this program has 8192"},
		{"segments without a group", "words", of("segments", []int{0, 16}), "began with columns that a group divides"},
		{"narrow segments", "group", of("segments", []int{0, 8, 100}), "began with columns divided at [0 8 100]"},
		{"too few columns", "group", of("segments", []int{0, 48}), "began with columns divided at [0 48]"},
		{"no segments", "group", of("segments", nil), "began with columns divided at []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := changed(t, files[test.of], test.change)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if _, damaged := err.(*StateError); damaged {
				t.Errorf("%v: is said to be damaged", err)
			}
		})
	}
}

// A state that is not JSON is damaged, and what is wrong with it is said.
func TestStateErrorsHaveTheirCause(t *testing.T) {
	set, err := format.Open(filepath.Join("..", "testdata", "checkpoints", "revision1", "words-portable.w2v"))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	for state, want := range map[string]string{
		`{"version":1`: "invalid state JSON: unexpected end of JSON input",
		fmt.Sprintf(`{"version":1,"revision":%d,"config":{"dim":"4"}}`, Revision): "invalid state JSON: dim: json: cannot unmarshal string into Go value",
		`{"version":"1"}`: "invalid state JSON: json: cannot unmarshal string into Go struct field",
	} {
		set := withState(set, []byte(state))
		_, err := NewCheckpoint(set)
		damaged, ok := err.(*StateError)
		if !ok || !strings.Contains(err.Error(), want) || damaged.Unwrap() == nil {
			t.Errorf("%s: error %v, want %q", state, err, want)
		}
	}
}

// The table of revisions in the documentation ends with the one that this program is.
func TestRevisionIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= Revision+1; n++ {
		if there := strings.Contains(string(text), fmt.Sprintf("\n| revision %d |", n)); there != (n <= Revision) {
			t.Errorf("docs/reliability.md: a line of revision %d: %v", n, there)
		}
	}
}
