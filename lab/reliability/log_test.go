package reliability

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/demo"
)

// page is docs/reliability.md.
func page(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "docs", "reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// documented returns the fields of every event in the page: the first column of the
// table below a heading with the event's name.
func documented(t testing.TB) map[string][]string {
	t.Helper()
	events := map[string][]string{}
	heading, row := regexp.MustCompile("^### `([a-z]+)`"), regexp.MustCompile("^\\| (`[^|]+`) \\|")
	event := ""
	for line := range strings.Lines(page(t)) {
		if strings.HasPrefix(line, "#") {
			event = ""
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			event = m[1]
		}
		if m := row.FindStringSubmatch(line); m != nil && event != "" {
			for field := range strings.SplitSeq(m[1], ", ") {
				events[event] = append(events[event], strings.Trim(field, "`"))
			}
		}
	}
	for _, fields := range events {
		slices.Sort(fields)
	}
	return events
}

// Every field of a log is in the page, and the other way round.
func TestLogLinesAreDocumented(t *testing.T) {
	p := newPlace(t)
	p.write("pairs.tsv", []byte(demo.Similarities()))
	p.write("questions.txt", []byte(demo.Analogies()))
	p.must("train corpus.txt -o model.w2v --epochs 3 --validate 0.1 --eval pairs.tsv --eval questions.txt --eval-every 200k --log-json log.json --checkpoint run.ckpt --checkpoint-every 10ms --dim 20")
	logged := p.log("log.json")
	p.run("train corpus.txt -o other.w2v --epochs 3 --lr 100 --log-json diverged.json --dim 20") // whether it recovers or not
	logged = append(logged, p.log("diverged.json")...)
	exit := p.must("train corpus.txt -o third.w2v --dim 20 --log-json -")
	p.write("stderr.json", []byte(exit.Stderr))
	notes := p.log("stderr.json")
	logged = append(notes, logged...)
	p.write("edges.txt", []byte(strings.Repeat("1 2\n2 3\n", 50)))
	p.must("train edges.txt -o edges.w2v --sample 0 --log-json edges.json --dim 2")
	logged = append(logged, p.log("edges.json")...)
	p.must("train corpus.txt -o best.w2v --recipe best --epochs 1 --log-json best.json --dim 2 --eval pairs.tsv")
	logged = append(logged, p.log("best.json")...)
	long := strings.Repeat("word ", 300_000)
	p.write("labelled.txt", []byte(strings.Repeat("__label__a one\n__label__b two\n", 50)+"__label__a "+long+"\n"))
	p.must("classify train labelled.txt -o labels.w2v --validate 0.1 --log-json labels.json --dim 2")
	logged = append(logged, p.log("labels.json")...)

	seen := map[string]map[string]bool{}
	for _, l := range logged {
		event, _ := l["event"].(string)
		if seen[event] == nil {
			seen[event] = map[string]bool{}
		}
		for field := range l {
			seen[event][field] = true
		}
	}
	want := documented(t)
	for event := range want {
		if seen[event] == nil {
			t.Errorf("event %s is documented and never logged", event)
		}
	}
	for event, fields := range seen {
		if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want[event]) {
			t.Errorf("event %s has fields %q, documented are %q", event, got, want[event])
		}
	}
	if final := last(p.log("log.json"), "progress"); final["final"] != true || final["tokens"] != final["total"] {
		t.Errorf("the last line of progress is %v", final)
	}
}

// promise is a row of the page's first table: what is promised, its test, and a figure.
var promise = regexp.MustCompile("^\\| [^|]+ \\| (`(?:[a-z0-9]+\\.)?(?:Test|Fuzz)[^|]*) \\|[^|]*\\|$")

// promisedTest is the name of a test in such a row, or of a script that is one.
var promisedTest = regexp.MustCompile("`([^`]+)`")

// testFunction is the beginning of one.
var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(\w+ \*testing\.[TF]\)`)

// Every test that the page names is there, and every test here is named.
func TestPromisesHaveTests(t *testing.T) {
	promised := map[string]bool{}
	for line := range strings.Lines(page(t)) {
		row := promise.FindStringSubmatch(strings.TrimSpace(line))
		if row == nil {
			continue
		}
		for _, m := range promisedTest.FindAllStringSubmatch(row[1], -1) {
			promised[m[1]] = true
		}
	}
	there := map[string]bool{}
	var files []string
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Base(filepath.Dir(file))
		if folder == "reliability" {
			folder = ""
		} else {
			folder += "."
		}
		for _, m := range testFunction.FindAllSubmatch(source, -1) {
			there[folder+string(m[1])] = true
		}
	}
	scripts, err := filepath.Glob(filepath.Join("..", "..", "cmd", "w2v", "testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		there["w2v.TestScripts/"+strings.TrimSuffix(filepath.Base(script), ".txtar")] = true
	}
	if len(promised) < 20 {
		t.Errorf("the page has %d promises", len(promised))
	}
	for test := range promised {
		if !there[test] {
			t.Errorf("there is no %s", test)
		}
	}
	for test := range there {
		if !strings.Contains(test, ".") && !promised[test] && test != "TestMain" && test != "TestPromisesHaveTests" {
			t.Errorf("%s is the test of no promise", test)
		}
	}
}
