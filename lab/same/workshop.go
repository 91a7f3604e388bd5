package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/internal/demo"
)

// A workshop is where both binaries run.
type workshop struct {
	programs [2]string // the old binary and the new one
	folder   string
	verbose  bool

	mu   sync.Mutex
	made map[string]func() (folder string, err error) // what has been prepared, by its commands
}

// A testCase is what is run with both binaries, each in a folder of its own.
type testCase struct {
	name    string
	prepare []command // run by the old binary in both folders
	run     []command // run by each binary in its own folder
	refused bool      // both binaries may refuse, if they do it alike
}

// A command is one run of w2v.
type command struct {
	args   []string
	stdout string // the file that standard output is compared as; empty to ignore it
}

// counts are what a case came to.
type counts struct{ files, refused int }

// writeInputs writes the files that all cases read.
func (w *workshop) writeInputs(path string) error {
	var text []byte
	var err error
	if path != "" {
		text, err = os.ReadFile(path)
	} else {
		text, err = generate()
	}
	if err != nil {
		return err
	}
	half := bytes.IndexByte(text[len(text)/2:], '\n') + len(text)/2 + 1
	for name, content := range map[string][]byte{
		"text.txt":       text,
		"more.txt":       append(bytes.Clone(text[half:]), strings.Repeat("a newcomer is a newcomer everywhere\n", 20)...),
		"pairs.tsv":      []byte(demo.Similarities()),
		"questions.txt":  []byte(demo.Analogies()),
		"words.txt":      []byte("the\nparis\ndog\nunhappiness\nnaïve\nzzz\nking\n"),
		"sentences.txt":  text[:min(len(text), 2000)],
		"sweep.toml":     []byte(sweepConfig),
		"vocabulary.tsv": []byte("the 100\na 90\nking 20\ndog 10\nnothing 7\n"),
	} {
		if err := os.WriteFile(filepath.Join(w.folder, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

const sweepConfig = `corpus = ["../../text.txt"]
similarity = ["../../pairs.tsv"]
analogy = ["../../questions.txt"]
output = "results"
keep = true
threads = 1
seeds = [7]
[settings]
epochs = 1
dim = [8, 12]
[[variants]]
name = "words"
[[variants]]
name = "n-grams"
subwords = "fasttext"
buckets = 3000
[[variants]]
name = "cbow"
arch = "cbow"
position-weights = [false, true]
`

// generate makes a text of which some words are not ASCII.
func generate() ([]byte, error) {
	text, err := io.ReadAll(demo.Corpus(2500, 1))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	n := 0
	for line := range bytes.Lines(text) {
		out.Write(line)
		if n++; n%50 == 0 {
			out.WriteString("the naïve Mädchen of 東京 drinks café in Ωmega 🙂 weather\n")
		}
	}
	return out.Bytes(), nil
}

// runAll runs the cases, several at once, and prints what differs in their order.
func (w *workshop) runAll(ctx context.Context, all []testCase, workers int) (total counts, different int) {
	type result struct {
		counts counts
		report string
	}
	results := make([]chan result, len(all))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	next := make(chan int)
	for range workers {
		wg.Go(func() {
			for i := range next {
				n, report := w.runCase(ctx, i, all[i])
				results[i] <- result{n, report}
			}
		})
	}
	wg.Go(func() {
		defer close(next)
		for i := range all {
			next <- i
		}
	})
	for i, c := range all {
		r := <-results[i]
		total.files += r.counts.files
		total.refused += r.counts.refused
		if r.report != "" {
			different++
			if ctx.Err() == nil {
				fmt.Printf("DIFFERENT %s\n%s", c.name, r.report)
			}
		}
	}
	return total, different
}

// runCase runs one case with both binaries and compares what they wrote. The report is empty
// if it is the same.
func (w *workshop) runCase(ctx context.Context, number int, c testCase) (n counts, report string) {
	var folders [2]string
	for i, kind := range []string{"old", "new"} {
		folders[i] = filepath.Join(w.folder, "cases", fmt.Sprintf("%03d", number)+"-"+kind)
		if err := errors.Join(os.RemoveAll(folders[i]), os.MkdirAll(folders[i], 0o777)); err != nil {
			return n, indent(err.Error())
		}
		if len(c.prepare) > 0 {
			prepared, err := w.prepared(ctx, c.prepare)
			if err == nil {
				err = os.CopyFS(folders[i], os.DirFS(prepared))
			}
			if err != nil {
				return n, indent(err.Error())
			}
		}
	}
	for _, step := range c.run {
		before, saidBefore := w.execute(ctx, w.programs[0], folders[0], step)
		after, saidAfter := w.execute(ctx, w.programs[1], folders[1], step)
		switch {
		case before != after:
			report += indent(fmt.Sprintf("w2v %s: exit code %d before, %d now\nbefore: %s\nnow: %s", strings.Join(step.args, " "), before, after, saidBefore, saidAfter))
		case before != 0 && !c.refused:
			report += indent(fmt.Sprintf("w2v %s: both fail with exit code %d: %s", strings.Join(step.args, " "), before, saidBefore))
		case before != 0:
			n.refused++
			if w.verbose {
				fmt.Printf("refused by both: w2v %s: %s\n", strings.Join(step.args, " "), saidAfter)
			}
		}
	}
	files, differences, err := compareFolders(folders[0], folders[1])
	n.files = files
	if err != nil {
		report += indent(err.Error())
	}
	for _, d := range differences {
		report += indent(d)
	}
	if report == "" {
		for _, folder := range folders {
			_ = os.RemoveAll(folder) // what stays is removed at the end
		}
	} else {
		for _, step := range c.run {
			report += indent("$ w2v " + strings.Join(step.args, " "))
		}
	}
	return n, report
}

// prepared runs commands with the old binary, unless some case has had that done before, and
// returns the folder with what they wrote.
func (w *workshop) prepared(ctx context.Context, commands []command) (folder string, err error) {
	key := fmt.Sprint(commands)
	w.mu.Lock()
	prepare, ok := w.made[key]
	if !ok {
		folder := filepath.Join(w.folder, "prepared", fmt.Sprintf("%03d", len(w.made)))
		prepare = sync.OnceValues(func() (string, error) {
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return "", err
			}
			for _, step := range commands {
				if code, said := w.execute(ctx, w.programs[0], folder, step); code != 0 {
					return "", fmt.Errorf("preparing: w2v %s: exit code %d: %s", strings.Join(step.args, " "), code, said)
				}
			}
			return folder, nil
		})
		w.made[key] = prepare
	}
	w.mu.Unlock()
	return prepare()
}

// execute runs a command and returns its exit code and what it said on standard error.
func (w *workshop) execute(ctx context.Context, program, folder string, step command) (code int, said string) {
	c := exec.CommandContext(ctx, program, step.args...)
	c.Dir = folder
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	if step.stdout != "" {
		if err := os.WriteFile(filepath.Join(folder, step.stdout), stdout.Bytes(), 0o666); err != nil {
			return -1, err.Error()
		}
	}
	if err != nil {
		if _, ended := errors.AsType[*exec.ExitError](err); !ended {
			return -1, err.Error()
		}
	}
	return c.ProcessState.ExitCode(), strings.TrimSpace(stderr.String())
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ") + "\n"
}
