package main

import (
	"context"
	"path/filepath"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/vocab"
)

// The languages, by the names of their folders.
const (
	english = "en"
	german  = "de"
)

// languages are all, in their order.
var languages = []string{english, german}

// Evaluation sets, by their names in results and tables.
const (
	ws353         = "WS353"
	simlex        = "SimLex-999"
	rareWords     = "RW"
	gur350        = "GUR350"
	questions     = "questions-words"
	questionsInDE = "questions-de"
)

// A language is a corpus that has been read, and what its vectors are asked.
type language struct {
	name  string
	path  string // of the text
	vocab *vocab.Vocab
	ids   *vocab.IDs
	exams exams
}

// exams are the sets of a language.
type exams struct {
	similarity []eval.Set
	analogy    []eval.Set
}

// readLanguage reads the sets, and then the corpus, once for all models.
func readLanguage(ctx context.Context, name, path string, o options) (*language, error) {
	l := &language{name: name, path: path}
	var err error
	if l.exams, err = readExams(filepath.Join(o.eval, name), name); err != nil {
		return nil, err
	}
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		return nil, err
	}
	l.vocab, l.ids, err = vocab.Index(ctx, src, vocab.Options{MinCount: minCount, Threads: o.threads}, o.results)
	return l, err
}

// readExams reads the sets of a language in a folder, which must all be there.
func readExams(folder, language string) (exams, error) {
	var x exams
	pairs := map[string]string{ws353: "ws353.tsv", simlex: "simlex999.tsv", rareWords: "rw.tsv"}
	analogy, file := questions, "questions-words.txt"
	if language == german {
		pairs = map[string]string{gur350: "gur350.tsv"}
		analogy, file = questionsInDE, "questions-de.txt"
	}
	for name, file := range pairs {
		set, err := battery.ReadSet(filepath.Join(folder, "sim", file), eval.TaskSimilarity)
		if err != nil {
			return x, err
		}
		set.Name = name
		x.similarity = append(x.similarity, set)
	}
	set, err := battery.ReadSet(filepath.Join(folder, "analogy", file), eval.TaskAnalogy)
	set.Name = analogy
	x.analogy = append(x.analogy, set)
	return x, err
}
