package eval_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

// A file is recognised by what most of its lines are, whatever its name is.
func TestReadSetRecognises(t *testing.T) {
	tests := []struct {
		name, text string
		task       eval.Task
	}{
		{"tabs", "sun\tmoon\t5.5\nsea\tlake\t7\n", eval.TaskSimilarity},
		{"commas, with a header", "Word 1,Word 2,Human (mean)\nsun,moon,5.5\n", eval.TaskSimilarity},
		{"colons, with parts of speech", "#WORD1:WORD2:Value:POS1:POS2\nSonne:Mond:5,5:n:n\n", eval.TaskSimilarity},
		{"a part of speech before the number", "word1\tword2\tPOS\tscore\nsun\tmoon\tN\t5.5\nsee\tlook\tV\t7\n", eval.TaskSimilarity},
		{"four columns, the last of them a number", "sun moon N 5.5\nsee look V 7\n", eval.TaskSimilarity},
		{"a topic before the words", "topic,term1,term2,score\nsea,boat,ship,0.5\nsea,house,ship,0.1\n", eval.TaskSimilarity},
		{"names of several words", "New York\tcity\t9\nRio de Janeiro\tcity\t9\n", eval.TaskSimilarity},
		{"Latin-1", "stra\xdfe\tweg\t7\nbach\tflu\xdf\t8\n", eval.TaskSimilarity},
		{"sections", ": countries\nrome italy paris france\n", eval.TaskAnalogy},
		{"no sections", "rome italy paris france\nparis france rome italy\n", eval.TaskAnalogy},
		{"several right answers", ": animals\ndog puppy cat kitten/kitty\n", eval.TaskAnalogy},
		{"comments and blank lines", "# ours\n\n: family\n\nman woman king queen\n", eval.TaskAnalogy},
		{"numbers as answers", "one 1 two 2\ntwo 2 three 3\n", eval.TaskAnalogy},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			set, err := eval.ReadSet(strings.NewReader(test.text), "test", "")
			if err != nil {
				t.Fatal(err)
			}
			if set.Task != test.task || set.Name != "test" {
				t.Errorf("a set %q of the task %s, want %s", set.Name, set.Task, test.task)
			}
		})
	}
}

// What is not a set is an error that says what sets look like.
func TestReadSetRefuses(t *testing.T) {
	for _, empty := range []string{"", "\n\n# a comment\n"} {
		if _, err := eval.ReadSet(strings.NewReader(empty), "test.txt", ""); !errors.Is(err, eval.ErrLayout) || !strings.Contains(err.Error(), "has no lines") {
			t.Errorf("%q: %v", empty, err)
		}
	}
	for _, foreign := range []string{"a b 1\rc d 2\r", "\xff\xfea\x00 \x00b\x00 \x001\x00\n\x00"} {
		_, guessed := eval.ReadSet(strings.NewReader(foreign), "test.txt", "")
		_, err := eval.ReadSet(strings.NewReader(foreign), "test.txt", eval.TaskSimilarity)
		for _, err := range []error{guessed, err} {
			if err == nil || !strings.Contains(err.Error(), "convert it first, as") {
				t.Errorf("%q: %v", foreign, err)
			}
		}
	}
	tests := []struct{ name, text string }{
		{"prose", "These are sets of our own.\nThey have pairs of words, and questions about people.\n"},
		{"a model as text", "3 2\nsun 0.5 0.25\nmoon 0.1 -0.7\nsea 0.3 0.9\n"},
		{"edges with weights", "1 2 0.5\n2 3 0.25\n"},
		{"bytes", "sun\tmoon\t5\x00\n"},
		{"only the name of a section", ": family\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadSet(strings.NewReader(test.text), "test.txt", "")
			if !errors.Is(err, eval.ErrLayout) || !strings.Contains(err.Error(), "similarity (") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A set with a wrong line is still recognised, and the error names the line.
func TestReadSetNamesTheWrongLine(t *testing.T) {
	_, err := eval.ReadSet(strings.NewReader("a b c d\na b c d\nbad line\na b c d\na b c d\na b c d\n"), "ours.txt", "")
	var parse *eval.ParseError
	if !errors.As(err, &parse) || parse.Line != 3 || errors.Is(err, eval.ErrLayout) {
		t.Errorf("got %v", err)
	}
}

// With a task, the file is read as a set of that task, and the error is that of its reader.
func TestReadSetOf(t *testing.T) {
	const text = "man woman king queen\nking queen man woman\n"
	if set, err := eval.ReadSet(strings.NewReader(text), "t", eval.TaskAnalogy); err != nil || set.Task != eval.TaskAnalogy {
		t.Errorf("got %v, %v", set, err)
	}
	_, err := eval.ReadSet(strings.NewReader(text), "t", eval.TaskSimilarity)
	if err == nil || !strings.HasPrefix(err.Error(), "t:2: want two words and a number") {
		t.Errorf("got %v", err)
	}
	_, err = eval.ReadSet(strings.NewReader(text), "t", "taste")
	if err == nil || !strings.Contains(err.Error(), `there is no task "taste"`) {
		t.Errorf("got %v", err)
	}
}

// write writes files below a new folder and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func titles(sets []eval.SetFile) []string {
	var all []string
	for _, s := range sets {
		all = append(all, s.Set.Name)
	}
	return all
}

const (
	somePairs     = "sun\tmoon\t5.5\nsea\tlake\t7\n"
	someQuestions = "man woman king queen\n"
)

// Of a folder all sets are read, in the order of their paths. Names have as many folders as tell
// sets apart. What is skipped is returned with the reason.
func TestReadSetsOfFolder(t *testing.T) {
	folder := write(t, map[string]string{
		"en/sim/rare.tsv":   somePairs,
		"de/sim/rare.tsv":   somePairs,
		"en/sim/verbs.tsv":  somePairs,
		"en/questions.txt":  someQuestions,
		"en/broken.txt":     strings.Repeat(someQuestions, 9) + "one two\n",
		"README.md":         "These are sets of our own.\n",
		".git/config":       somePairs,
		"en/sim/.DS_Store":  "\x00\x01",
		"model/model.vec":   "2 2\nsun 1 0\nmoon 0 1\n",
		"en/empty/.gitkeep": "",
	})
	sets, skipped, err := eval.ReadSets([]string{folder}, eval.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := titles(sets), []string{"de/sim/rare", "questions", "en/sim/rare", "verbs"}; !slices.Equal(got, want) {
		t.Errorf("sets %q, want %q", got, want)
	}
	reasons := make(map[string]error)
	for _, s := range skipped {
		name, _ := filepath.Rel(folder, s.Path)
		reasons[filepath.ToSlash(name)] = s.Err
	}
	for name, isLayout := range map[string]bool{"README.md": true, "model/model.vec": true, ".git": false, "en/sim/.DS_Store": false, "en/empty/.gitkeep": false, "en/broken.txt": false} {
		if err := reasons[name]; err == nil || errors.Is(err, eval.ErrLayout) != isLayout {
			t.Errorf("%s is skipped with %v", name, err)
		}
	}
	if len(reasons) != 6 {
		t.Errorf("skipped %v", reasons)
	}
	if err := reasons["en/broken.txt"]; err == nil || !strings.HasSuffix(strings.SplitN(err.Error(), ": ", 2)[0], "broken.txt:10") {
		t.Errorf("got %v", err)
	}

	only, skipped, err := eval.ReadSets([]string{folder}, eval.ReadOptions{Task: eval.TaskAnalogy})
	if err != nil || !slices.Equal(titles(only), []string{"questions"}) || len(skipped) != 9 {
		t.Errorf("of one task: %q, %d skipped, %v", titles(only), len(skipped), err)
	}
}

// The relations of a folder are one set, also those that look like categories by themselves.
func TestReadSetsJoinsRelations(t *testing.T) {
	people := "aristotle\tgreek\nbach\tgerman\nbalzac\tfrench\nbeethoven\tgerman\ndescartes\tfrench\ngoethe\tgerman\nhomer\tgreek\nkant\tgerman\n"
	folder := write(t, map[string]string{
		"BATS/E01 capital.txt":     "berlin\tgermany\nparis\tfrance\nlondon\tengland/britain\n",
		"BATS/E04 nationality.txt": people,
		"BATS/E08 color.txt":       "ant\tblack/brown\nblood\tred\nmilk\twhite\n",
		"BATS/README":              "The pairs of our own\nrelations.\n",
	})
	for _, task := range []eval.Task{"", eval.TaskRelation} {
		sets, skipped, err := eval.ReadSets([]string{folder}, eval.ReadOptions{Task: task})
		if err != nil || len(sets) != 1 || len(skipped) != 1 {
			t.Fatalf("sets %q, skipped %v, %v", titles(sets), skipped, err)
		}
		var names []string
		for _, r := range sets[0].Set.Relations {
			names = append(names, r.Name)
		}
		if want := []string{"E01 capital", "E04 nationality", "E08 color"}; !slices.Equal(names, want) || sets[0].Set.Name != "BATS" || len(sets[0].Files) != 3 {
			t.Errorf("%s: relations %q, want %q", sets[0].Set.Name, names, want)
		}
	}
	path := filepath.Join(folder, "BATS", "E04 nationality.txt")
	if _, _, err := eval.ReadSets([]string{path}, eval.ReadOptions{}); !errors.Is(err, eval.ErrLayout) {
		t.Errorf("by itself it is not a relation: %v", err)
	}
	if sets, _, err := eval.ReadSets([]string{path}, eval.ReadOptions{Task: eval.TaskRelation}); err != nil || len(sets[0].Set.Words()) != 16 {
		t.Errorf("with the task it is: %v", err)
	}
}

func TestReadSetsErrors(t *testing.T) {
	folder := write(t, map[string]string{"README.md": "There is no set here.\n", "sets/pairs.tsv": somePairs})
	tests := []struct{ name, path, want string }{
		{"no such file", filepath.Join(folder, "none"), "no such file"},
		{"a file that is not a set", filepath.Join(folder, "README.md"), "has no layout of an evaluation set"},
		{"no standard input", "-", "-: there is no standard input"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, _, err := eval.ReadSets([]string{test.path}, eval.ReadOptions{}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, _, err := eval.ReadSets([]string{folder}, eval.ReadOptions{Task: eval.TaskAnalogy}); !errors.Is(err, eval.ErrLayout) {
		t.Errorf("a folder without sets of the task: %v", err)
	}
	path := filepath.Join(folder, "sets", "pairs.tsv")
	sets, skipped, err := eval.ReadSets([]string{path, folder, path}, eval.ReadOptions{})
	if err != nil || len(sets) != 1 || len(skipped) != 3 {
		t.Errorf("a set that is named three times: %q, %v, %v", titles(sets), skipped, err)
	}
}

// The checksum is that of the content, compressed or not, and of standard input.
func TestReadSetsChecksums(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, somePairs); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	folder := write(t, map[string]string{"plain.tsv": somePairs, "packed.tsv.gz": packed.String()})
	sets, _, err := eval.ReadSets([]string{folder, "-"}, eval.ReadOptions{Stdin: strings.NewReader(somePairs)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := titles(sets), []string{"packed", "plain", "stdin"}; !slices.Equal(got, want) {
		t.Errorf("sets %q, want %q", got, want)
	}
	want := fmt.Sprintf("%x", sha256.Sum256([]byte(somePairs)))
	for _, s := range sets {
		if source := s.Source(); source.SHA256 != want || source.Files[0].SHA256 != want || source.Files[0].Bytes != int64(len(somePairs)) {
			t.Errorf("%s: %+v, want %s", s.Set.Name, source, want)
		}
	}
}

// Hash returns what sha256sum prints; of several files, the checksum of its output.
func TestHash(t *testing.T) {
	folder := write(t, map[string]string{"a": "alpha", "b": "beta"})
	a, b := filepath.Join(folder, "a"), filepath.Join(folder, "b")
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	one, err := eval.Hash(a)
	if err != nil || one.SHA256 != sum("alpha") || one.Files[0] != (eval.File{Path: a, SHA256: sum("alpha"), Bytes: 5}) {
		t.Errorf("%+v, %v", one, err)
	}
	two, err := eval.Hash(a, b)
	if want := sum(sum("alpha") + "  a\n" + sum("beta") + "  b\n"); err != nil || two.SHA256 != want {
		t.Errorf("%+v, %v; want %s", two, err, want)
	}
	if _, err := eval.Hash(filepath.Join(folder, "c")); err == nil || !strings.HasSuffix(err.Error(), "c: no such file or directory") {
		t.Errorf("got %v", err)
	}
}

// Whatever the bytes are, reading ends with a set that has words or with an error of one line.
func FuzzReadSet(f *testing.F) {
	for _, text := range []string{somePairs, someQuestions, ": x\n", "{", "[]", "a\tb/c\n", "a\n\nb\n", "\ufeffa,b,1\n", "sun 0.5 1\n", `{"a":["b"]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		set, err := eval.ReadSet(bytes.NewReader(text), "fuzz", "")
		switch {
		case err != nil && strings.Contains(err.Error(), "\n"):
			t.Errorf("an error of several lines: %q", err)
		case err == nil && (len(set.Words()) == 0 || set.Name != "fuzz" || set.Task == ""):
			t.Errorf("a set without words, name or task: %+v", set)
		}
	})
}

// recognizes checks that a set is taken for one of a task by its content.
func recognizes(t *testing.T, text string, task eval.Task) {
	t.Helper()
	if set, err := eval.ReadSet(strings.NewReader(text), "birds.txt", ""); err != nil || set.Task != task {
		t.Errorf("not recognised as %s: %v, %v", task, set, err)
	}
}

// What has the columns of another task is not taken for it.
func TestRecognizeTasksThatAreAlike(t *testing.T) {
	tests := []struct {
		name, text string
		task       eval.Task
	}{
		{"analogies that begin alike", "king queen man woman\nking queen boy girl\nking queen son daughter\nking queen cock hen\n", eval.TaskAnalogy},
		{"analogies with tabs", "athens\tgreece\toslo\tnorway\nathens\tgreece\trome\titaly\nrome\titaly\toslo\tnorway\nrome\titaly\tathens\tgreece\n", eval.TaskAnalogy},
		{"pairs that begin alike", "car bus 3\ncar tree 1\ncar van 4\nowl wren 3\nowl car 0\n", eval.TaskSimilarity},
		{"pairs with tabs", "car\tbus\t3\ncar\ttree\t1\ncar\tvan\t4\nowl\twren\t3\nowl\tcar\t0\n", eval.TaskSimilarity},
		{"pairs of names", "New York\tBig Apple\t3\nLos Angeles\tNew York\t1\n", eval.TaskSimilarity},
		{"pairs of sentences", "A man is eating.\tSomeone eats something.\t4\nAn owl flies.\tThe axe is sharp.\t0.5\n", eval.TaskSentences},
		{"levels of categories", "owl bird animal natural\nwren bird animal natural\noak tree plant natural\nelm tree plant natural\naxe tool thing made\nsaw tool thing made\n", eval.TaskCategorization},
		{"categories in any order", "owl\tbird\naxe\ttool\nwren\tbird\nsaw\ttool\nauk\tbird\nfile\ttool\nhen\tbird\nawl\ttool\ndove\tbird\nadze\ttool\n", eval.TaskCategorization},
		{"a word apart from its category", "bird\towl\nbird\twren\nbird\tauk\ntool\taxe\ntool\tsaw\ntool\tadze\nbird\them\n", eval.TaskCategorization},
		{"lists of WEAT", `{"math": ["sum"], "arts": ["poem"], "male_terms": ["man"], "female_terms": ["woman"]}`, eval.TaskBias},
		{"outliers with a space", "Oslo\nRome\nNew York\nParis\nBern\n\naxe\nsaw\nowl\n", eval.TaskOutliers},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { recognizes(t, test.text, test.task) })
	}
}

// newSet is vectors.New of parts that fit together.
func newSet(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}

// with returns s with some of its parts changed.
func with(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return newSet(p)
}

func ExampleSetName() {
	fmt.Println(eval.SetName("sets/wordsim353.tsv.gz"), eval.SetName("questions-words.txt"))
	// Output: wordsim353 questions-words
}

func TestRealCategories(t *testing.T) {
	tests := []struct {
		path              string
		words, categories int
		first, last       eval.Member
	}{
		// The files have a line without a word for each category of AP and of BLESS.
		{"en/categorization/ap.tsv", 402, 21, eval.Member{Word: "acne", Category: "illness"}, eval.Member{Word: "weight", Category: "physical_property"}},
		{"en/categorization/bless.tsv", 200, 17, eval.Member{Word: "carp", Category: "water_animal"}, eval.Member{Word: "willow", Category: "tree"}},
		{"en/categorization/essli-2008.tsv", 45, 9, eval.Member{Word: "suggest", Category: "communication-cognition"}, eval.Member{Word: "break", Category: "changeState-changeState"}},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			set, err := eval.ReadSet(openData(t, test.path), test.path, eval.TaskCategorization)
			if err != nil {
				t.Fatal(err)
			}
			categories := map[string]bool{}
			for _, m := range set.Members {
				categories[m.Category] = true
			}
			if len(set.Members) != test.words || len(categories) != test.categories {
				t.Errorf("%d words in %d categories, want %d in %d", len(set.Members), len(categories), test.words, test.categories)
			}
			if first, last := set.Members[0], set.Members[len(set.Members)-1]; first != test.first || last != test.last {
				t.Errorf("first %+v, last %+v", first, last)
			}
		})
	}
}

func TestRealOutliers(t *testing.T) {
	set, err := eval.ReadSet(openData(t, "en/outlier/8-8-8.jsonl"), "8-8-8", eval.TaskOutliers)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Clusters) != 8 {
		t.Errorf("%d clusters", len(set.Clusters))
	}
	for _, c := range set.Clusters {
		if len(c.Words) != 8 || len(c.Outliers) != 8 {
			t.Errorf("%s has %d words and %d outliers", c.Name, len(c.Words), len(c.Outliers))
		}
	}
}

func TestRealBias(t *testing.T) {
	set, err := eval.ReadSet(openData(t, "en/weat/WEAT.json"), "WEAT", eval.TaskBias)
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int{25, 25, 32, 18, 18, 8, 8, 8, 6, 8}
	if len(set.Tests) != len(sizes) {
		t.Fatalf("%d tests", len(set.Tests))
	}
	for i, test := range set.Tests {
		if len(test.X.Words) != sizes[i] || len(test.Y.Words) != sizes[i] || len(test.A.Words) != len(test.B.Words) {
			t.Errorf("%s: %d and %d targets, %d and %d attributes", test.Name, len(test.X.Words), len(test.Y.Words), len(test.A.Words), len(test.B.Words))
		}
	}
}
