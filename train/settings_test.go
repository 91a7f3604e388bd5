package train

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
)

// set returns the defaults with what a line of flags says.
func set(t *testing.T, line string) Settings {
	t.Helper()
	s := Defaults()
	words := strings.Fields(line)
	for i := 0; i < len(words); i++ {
		option, text := strings.TrimPrefix(words[i], "--"), "true"
		if i+1 < len(words) && !strings.HasPrefix(words[i+1], "--") {
			i++
			text = words[i]
		}
		if err := s.Set(option, text); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return s
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Names and texts make a configuration, and what is not set is what is usual.
func TestSettingsByName(t *testing.T) {
	usual := func(change func(*sgns.Config)) sgns.Config {
		c := Defaults().Model
		change(&c)
		return c
	}
	floret := subword.Floret{MinN: 3, MaxN: 6, Buckets: 200_000, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	for _, c := range []struct {
		line string
		want sgns.Config
	}{
		{"", usual(func(*sgns.Config) {})},
		{"--subwords fasttext", usual(func(c *sgns.Config) {
			c.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000}
		})},
		{"--subwords floret", usual(func(c *sgns.Config) { c.Subword = floret })},
		{"--subwords floret --maxn 0 --buckets 100 --hashes 3", usual(func(c *sgns.Config) {
			words := floret
			words.MinN, words.MaxN, words.Buckets, words.Hashes = 0, 0, 100, 3
			c.Subword = words
		})},
		{"--subwords hash", usual(func(c *sgns.Config) {
			c.Subword = subword.Hash{MinN: 3, MaxN: 6, Buckets: 50_000, Hashes: 2, Importances: 500_000}
		})},
		{"--subwords hash --maxn 0 --buckets 100 --append-weights", usual(func(c *sgns.Config) {
			c.Subword = subword.Hash{Buckets: 100, Hashes: 2, Importances: 1000, AppendWeights: true}
		})},
		{"--arch cbow --position-weights --word-ngrams 3", usual(func(c *sgns.Config) {
			c.Arch, c.PositionWeights, c.WordNgrams, c.WordBuckets = sgns.CBOW, true, 3, 500_000
		})},
		{"--arch cbow --word-ngrams 1", usual(func(c *sgns.Config) { c.Arch, c.WordNgrams = sgns.CBOW, 1 })},
		{"--arch structured --rank 8", usual(func(c *sgns.Config) { c.Arch, c.Rank = sgns.Structured, 8 })},
		{"--loss hs", usual(func(c *sgns.Config) { c.Loss = sgns.HierarchicalSoftmax })},
		{"--tied --nested 32,64", usual(func(c *sgns.Config) { c.Tied, c.Nested, c.Dim = true, []int{32, 64}, 64 })},
		{"--nested 50,100 --dim 100", usual(func(c *sgns.Config) { c.Nested = []int{50, 100} })},
		{"--dim 8 --window 2 --epochs 3 --negatives 4 --ns-exponent 0.5 --sample 0 --lr 0.1 --seed 7 --deterministic", usual(func(c *sgns.Config) {
			c.Dim, c.Window, c.Epochs, c.Negatives, c.NSExponent, c.Sample, c.LearningRate, c.Seed, c.Deterministic = 8, 2, 3, 4, 0.5, 0, 0.1, 7, true
		})},
	} {
		s := set(t, c.line)
		for range 2 { // again it is complete already
			if err := s.Complete(); err != nil {
				t.Errorf("%s: %v", c.line, err)
				continue
			}
			if got := s.Model; got.Subword != c.want.Subword || asJSON(t, got) != asJSON(t, c.want) {
				t.Errorf("%s:\n%+v, want\n%+v", c.line, got, c.want)
			}
		}
	}
}

// A run that goes on has the settings that it had, all of them.
func TestSettingsOfARunAreTaken(t *testing.T) {
	for _, line := range []string{
		"",
		"--arch cbow --position-weights --word-ngrams 3 --word-buckets 70 --window 3 --epochs 2",
		"--arch structured --rank 8 --negatives 3 --ns-exponent 0.5 --sample 0 --seed 9",
		"--loss hs --nested 8,16 --subwords fasttext --minn 2 --maxn 4 --buckets 50",
		"--subwords floret --minn 2 --maxn 4 --buckets 50 --hashes 3",
		"--subwords floret --maxn 0",
		"--subwords hash --minn 2 --maxn 4 --buckets 50 --hashes 3 --importances 70 --append-weights",
		"--tied --dim 8 --deterministic",
		"--lowercase --tokenizer unicode --min-count 3 --max-vocab 8 --eval-every 10k --early-stop 2 --threads 3",
	} {
		was := set(t, line)
		if err := was.Complete(); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		var saved sgns.Config
		if err := json.Unmarshal([]byte(asJSON(t, was.Model)), &saved); err != nil {
			t.Fatal(err)
		}
		saved.Subword = was.Model.Subword // the vectors have it
		got := Defaults()
		if err := got.adopt(Settings{Model: saved, Text: was.Text, MinCount: was.MinCount, MaxVocab: was.MaxVocab}, "a.w2v"); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if err := got.Complete(); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if got.Model.Subword != was.Model.Subword || asJSON(t, got.Model) != asJSON(t, was.Model) || got.Text != was.Text || got.MinCount != was.MinCount || got.MaxVocab != was.MaxVocab {
			t.Errorf("%s:\n%+v, was\n%+v", line, got, was)
		}
	}
}

// What is asked for is what a run has, or it is told which setting is not.
func TestSettingsThatARunDoesNotHave(t *testing.T) {
	const run = "--dim 8 --subwords floret --maxn 4 --buckets 50 --word-ngrams 2 --arch cbow --nested 4,8"
	for _, c := range []struct{ line, want string }{
		{"--dim 8 --buckets 50 --nested 4,8", ""},
		{"--subwords floret --maxn 4", ""},
		{"--dim 9", "Settings.Model.Dim is 9, and the run in a.w2v has 8"},
		{"--arch structured", "Settings.Model.Arch is structured, and the run in a.w2v has cbow"},
		{"--tied", "Settings.Model.Tied is true, and the run in a.w2v has false"},
		{"--nested 2,8", "Settings.Model.Nested is 2,8, and the run in a.w2v has 4,8"},
		{"--eval-every 5k", "Settings.Model.EvaluateEvery is 5000, and the run in a.w2v has none"},
		{"--word-buckets 7", "Settings.Model.WordBuckets is 7, and the run in a.w2v has 500000"},
		{"--subwords none", "Settings.Model.Subword is none, and the run in a.w2v has floret"},
		{"--buckets 51", "buckets of Settings.Model.Subword is 51, and the run in a.w2v has 50"},
		{"--lowercase", "Settings.Text.Lowercase is true, and the run in a.w2v has false"},
		{"--min-count 1", "Settings.MinCount is 1, and the run in a.w2v has 5"},
	} {
		was, asked := set(t, run), set(t, c.line)
		if err := was.Complete(); err != nil {
			t.Fatal(err)
		}
		err := asked.adopt(was, "a.w2v")
		if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.HasPrefix(err.Error(), c.want+": leave it out")) {
			t.Errorf("%s: %v, want %q", c.line, err, c.want)
		}
		loose := set(t, c.line)
		if err := loose.adopt(was, ""); err != nil {
			t.Errorf("%s: for a new run: %v", c.line, err)
		}
	}
	// Fields that were set are asked for as well.
	was, asked := set(t, run), Defaults()
	asked.Model.Window = 7
	if err := was.Complete(); err != nil {
		t.Fatal(err)
	}
	if err := asked.adopt(was, "a.w2v"); err == nil || !strings.HasPrefix(err.Error(), "Settings.Model.Window is 7, and the run in a.w2v has 5") {
		t.Errorf("a field: %v", err)
	}
}

// Settings that mean nothing are refused with the reason.
func TestSettingsWithoutMeaning(t *testing.T) {
	dashes := func(option, value string) string { return strings.TrimSpace("--" + option + " " + value) }
	for _, c := range []struct{ line, want string }{
		{"--minn 2", "--minn needs --subwords fasttext, floret or hash"},
		{"--subwords fasttext --hashes 2", "--hashes needs --subwords floret or hash"},
		{"--subwords floret --importances 2", "--importances needs --subwords hash"},
		{"--subwords floret --maxn 0 --minn 2", "--minn needs n-grams, and --maxn 0 takes words whole"},
		{"--subwords fasttext --maxn 0", "--maxn must be at least 1 with --subwords fasttext, is 0"},
		{"--subwords hash --buckets 0", "buckets is 0, must be from 1 to 2147483647"},
		{"--word-buckets 7", "--word-buckets needs --word-ngrams of 2 or more"},
		{"--arch cbow --word-ngrams 2 --word-buckets 0", "word n-grams: 0 buckets are not from 1 to 1073741824"},
		{"--loss hs --negatives 3", "--negatives needs --loss ns or directional"},
		{"--loss hs --ns-exponent 3", "--ns-exponent needs --loss ns or directional"},
		{"--lr 0", "--lr must be above 0, is 0"},
		{"--dim 0", "dimensions: 0 is not from 1 to 1073741824"},
		{"--min-count -1", "--min-count must not be negative, is -1"},
		{"--threads -1", "--threads must not be negative, is -1"},
		{"--early-stop -1", "--early-stop must not be negative, is -1"},
	} {
		s := set(t, c.line)
		err := s.Complete()
		if _, ok := errors.AsType[*OptionError](err); !ok || Spell(err, dashes).Error() != c.want {
			t.Errorf("%s: %v, want %q", c.line, err, c.want)
		}
	}
	s := Defaults()
	for _, c := range []struct{ option, text, want string }{
		{"dim", "many", `--dim: "many" is not a whole number`},
		{"seed", "-1", `--seed: "-1" is not a whole number from 0`},
		{"window", "99999999999999999999", `--window: "99999999999999999999" is too large a number`},
		{"lr", "low", `--lr: "low" is not a number`},
		{"tied", "so", `--tied: "so" is neither true nor false`},
		{"arch", "cbov", `--arch: "cbov" is not skipgram, cbow or structured`},
		{"subwords", "all", `--subwords: "all" is not none, fasttext, floret or hash`},
		{"buckets", "x", `--buckets: "x" is not a whole number`},
		{"nested", "3,2", `--nested: "3,2" is not a rising list of numbers of dimensions, as 32,64,128 is`},
		{"eval-every", "0", `--eval-every: "0" expected a number of tokens from 1, such as 500000, 500k or 10M`},
	} {
		err := s.Set(c.option, c.text)
		if err == nil || Spell(err, dashes).Error() != c.want {
			t.Errorf("%s: %v, want %q", c.option, err, c.want)
		}
	}
	if err := s.Set("colour", "red"); err == nil {
		t.Error("there is a setting colour")
	}
	if !s.isDefault() {
		t.Errorf("what could not be set is set: %+v", s)
	}
}

func (s Settings) isDefault() bool {
	usual := Defaults()
	for _, row := range table() {
		if s.Given(row.Name) || row.Text(&s) != row.Text(&usual) {
			return false
		}
	}
	return true
}

// Every setting has a field by which messages name it, a line of help and a group.
func TestTable(t *testing.T) {
	usual := Defaults()
	seen := make(map[string]bool)
	for _, row := range table() {
		if field := settingField(row.Name); !strings.Contains(field, "Settings.") || strings.HasSuffix(field, ".") {
			t.Errorf("%s: messages have the field %q for it", row.Name, field)
		}
		if row.Help == "" || row.Group == "" || seen[row.Name] {
			t.Errorf("%s: no help, no group, or there twice", row.Name)
		}
		seen[row.Name] = true
		if text := row.Default(&usual); text != "" && row.Set(&usual, text) != nil && row.Group != sgns.GroupEvaluate {
			t.Errorf("%s: the default %q is not a value", row.Name, text)
		}
	}
}

// The n-grams of a file of fastText, which has 0 for 1 as their least length, are trained on.
func TestSettingsOfAForeignFile(t *testing.T) {
	for _, c := range []struct {
		line string
		want subword.Indexer
	}{
		{"", subword.FastText{MinN: 1, MaxN: 3, Buckets: 100}},
		{"--maxn 2", subword.FastText{MinN: 1, MaxN: 2, Buckets: 100}},
		{"--subwords none", nil},
		{"--subwords floret --buckets 5", subword.Floret{MinN: 3, MaxN: 6, Buckets: 5, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}},
	} {
		s := set(t, c.line)
		if err := s.adoptSubword(&subword.FastText{MaxN: 3, Buckets: 100}, ""); err != nil {
			t.Fatal(err)
		}
		if err := s.Complete(); err != nil || s.Model.Subword != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.line, s.Model.Subword, err, c.want)
		}
	}
	s := Defaults()
	if err := s.adoptSubword(subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: 8}, ""); err != nil || s.Model.Subword != nil {
		t.Errorf("n-grams that are not trained: %+v, %v", s.Model.Subword, err)
	}
	s = Defaults() // the program fastText also writes n-grams that no word has
	if err := s.adoptSubword(subword.FastText{MinN: 3, MaxN: 2, Buckets: 100}, ""); err == nil || !strings.Contains(err.Error(), "must be from ") || s.Model.Subword != nil {
		t.Errorf("n-grams that cannot be trained: %+v, %v", s.Model.Subword, err)
	}
}

var update = flag.Bool("update", false, "write docs/settings.md")

// The page of settings is what the table of settings says.
func TestSettingsAreDocumented(t *testing.T) {
	path := filepath.Join("..", "docs", "settings.md")
	want := settingsPage()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Errorf("%s is not what the table of settings says: go test ./train -run SettingsAreDocumented -update writes it", path)
	}
}

func settingsPage() string {
	var b strings.Builder
	b.WriteString(`# Settings

All settings of a training run. [Choose settings](howto/settings.md) says which of them matter. A setting has one name, which is

- a flag of ` + "`w2v train`" + `: ` + "`--dim 200`" + `;
- a key under ` + "`[settings]`" + ` of a [sweep](sweep.md): ` + "`dim = 200`" + `;
- a name for ` + "`train.Settings.Set`" + ` in Go;
- the name in error messages.

In Go, each setting is also a field, which the tables show. ` + "`train.Defaults()`" + ` returns the defaults.

A checkpoint holds the settings that have a key in JSON, and a resumed run takes them from there. Settings with * are in the
[metadata](format.md#metadata) of a model too.

The tests of package train write this page from the table of settings:
` + "`go test ./train -run SettingsAreDocumented -update`" + `.
`)
	for _, group := range []struct{ id, title, text string }{
		{sgns.GroupModel, "The model", "What is trained, whatever the text. A sweep can vary these settings, except `seed`, and those of subwords."},
		{GroupSubwords, "Subwords", "How words are cut into n-grams."},
		{GroupText, "The text", "How text becomes tokens, and which tokens become words. `w2v vocab` has these settings too; its default for `min-count` is 1."},
		{sgns.GroupFreeze, "What training starts from", ""},
		{sgns.GroupRun, "The run", ""},
		{sgns.GroupEvaluate, "Evaluation", ""},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n", group.title)
		if group.text != "" {
			fmt.Fprintf(&b, "%s\n\n", group.text)
		}
		b.WriteString("| setting | default | values | what it is | in Go | in JSON |\n|---|---|---|---|---|---|\n")
		for _, row := range table() {
			if row.Group == group.id {
				cells := settingCells(row)
				for i := range cells {
					cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
				}
				fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
			}
		}
	}
	return b.String()
}

// settingCells are the columns that the page has of a setting.
func settingCells(row setting.Setting[Settings]) []string {
	usual := Defaults()
	help := strings.ReplaceAll(row.Help, "`", "")
	help = strings.ToUpper(help[:1]) + help[1:] + "."
	if row.Needs != nil {
		help += fmt.Sprintf(" Only with `%s` %s.", row.Needs.Setting, row.Needs.Values)
	}
	key := ""
	if !row.Unsaved && row.Group != GroupText {
		key = "`" + row.JSONKey() + "`"
	}
	if row.Record != nil {
		key = "`" + row.JSONKey() + "` *"
	}
	standard := row.Default(&usual)
	if standard == "" || standard == "0" && strings.Contains(row.Help, "(default") {
		standard = "see there"
		if !strings.Contains(row.Help, "(default") {
			standard = "none"
		}
	}
	return []string{"`" + row.Name + "`", standard, settingValues(row), help, "`" + settingField(row.Name) + "`", key}
}

// settingValues says what a setting may be.
func settingValues(row setting.Setting[Settings]) string {
	var usual Settings
	kind := map[string]string{"int": "whole number", "uint64": "whole number", "float64": "number", "bool": "true, false", "numbers": "rising numbers", "tokens": "number of tokens"}[setting.Type(row.At(&usual))]
	if len(row.Choices) > 0 {
		var all []string
		for _, c := range row.Choices {
			all = append(all, strings.TrimSuffix(fmt.Sprintf("`%s`: %s", c.Value, c.Meaning), ": "))
		}
		return strings.Join(all, "<br>")
	}
	switch b := row.Bounds; {
	case b == nil:
		return kind
	case b.Elsewhere:
		return fmt.Sprintf("%s %s", kind, b)
	case b.Words != "" && b.Most == 1<<30:
		return fmt.Sprintf("%s %s", kind, b)
	case b.Most >= math.MaxInt32 || b.Most == 1<<30:
		return fmt.Sprintf("%s from %v", kind, b.Least)
	default:
		return fmt.Sprintf("%s %s", kind, b)
	}
}
