package eval

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
)

// The files of a retrieval set.
const (
	corpusName  = "corpus.jsonl"
	queriesName = "queries.jsonl"
	qrelsName   = "qrels"
)

// maxDocument is the largest length of a line of a corpus in bytes.
const maxDocument = 64 << 20

// plainName returns the name of a file without what says that it is compressed.
func plainName(path string) string {
	name, _ := compression.SplitExt(filepath.Base(path))
	return name
}

// fileNamed returns the file of a folder that has a name, or that name with an extension of compressed files; else "".
func fileNamed(folder, name string) string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if plainName(e.Name()) == name {
			return filepath.Join(folder, e.Name())
		}
	}
	return ""
}

// isQrels reports whether a file may have the judgements of a retrieval set, and returns the folder of the set.
func isQrels(path string) (folder string, ok bool) {
	name := plainName(path)
	if ext := filepath.Ext(name); ext != ".tsv" && ext != ".txt" && ext != ".trec" {
		return "", false
	}
	folder = filepath.Dir(path)
	if abs, err := filepath.Abs(folder); err == nil && filepath.Base(abs) == qrelsName {
		folder = filepath.Dir(abs)
	} else if !strings.HasPrefix(name, qrelsName) {
		return "", false
	}
	return folder, fileNamed(folder, corpusName) != ""
}

// judgementFiles returns the files of a folder with the judgements of a retrieval set.
func judgementFiles(folder string) (all []string) {
	for _, in := range []string{folder, filepath.Join(folder, qrelsName)} {
		entries, _ := os.ReadDir(in)
		for _, e := range entries {
			path := filepath.Join(in, e.Name())
			if _, ok := isQrels(path); ok && !strings.HasPrefix(e.Name(), ".") {
				all = append(all, path)
			}
		}
	}
	return all
}

// retrieves reports whether sets of the task may be read.
func (r *setReader) retrieves() bool { return r.opt.Task == "" || r.opt.Task == TaskRetrieval }

// collections reads the retrieval sets of a folder: one for each file of judgements.
func (r *setReader) collections(folder string, judgements ...string) ([]SetFile, error) {
	fail := func(lacks string) error {
		return &ParseError{Name: folder, Err: fmt.Errorf("the folder has %s and no %s: %w", corpusName, lacks, errNoCollection)}
	}
	queries := fileNamed(folder, queriesName)
	if queries == "" {
		return nil, fail(queriesName)
	}
	if len(judgements) == 0 {
		return nil, fail("judgements")
	}
	corpus := fileNamed(folder, corpusName)
	var set Set
	files := make([]File, 2)
	var err error
	if files[0], err = eachDocument(corpus, func(d Document) { set.Documents = append(set.Documents, d) }); err != nil {
		return nil, err
	}
	if files[1], err = eachDocument(queries, func(d Document) { set.Queries = append(set.Queries, Query{ID: d.ID, Text: d.whole()}) }); err != nil {
		return nil, err
	}
	var all []SetFile
	for _, path := range judgements {
		one := Set{Name: path, Task: TaskRetrieval, Documents: set.Documents, Queries: slices.Clone(set.Queries)}
		file, err := one.judge(path)
		if err != nil {
			return nil, err
		}
		all = append(all, SetFile{one, append(slices.Clone(files), file)})
	}
	return all, nil
}

// eachDocument calls add with each line of a file of JSON. IDs must differ.
func eachDocument(path string, add func(Document)) (File, error) {
	seen := make(map[string]int)
	file, err := eachLineOf(path, func(number int, line []byte) error {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return nil
		}
		var d struct {
			ID    any     `json:"_id"`
			Title *string `json:"title"`
			Text  *string `json:"text"`
		}
		reader := json.NewDecoder(bytes.NewReader(line))
		reader.UseNumber()
		if err := reader.Decode(&d); err != nil {
			return fmt.Errorf(`want {"_id": "…", "text": "…"}: %w`, err)
		}
		id := fmt.Sprint(d.ID)
		_, isText := d.ID.(string)
		if _, isNumber := d.ID.(json.Number); !isText && !isNumber || id == "" || d.Text == nil {
			return fmt.Errorf(`want {"_id": "…", "text": "…"}, not %q`, excerpt(string(line)))
		}
		if before, twice := seen[id]; twice {
			return fmt.Errorf("the _id %q is that of line %d too", excerpt(id), before)
		}
		seen[id] = number
		document := Document{ID: id, Text: *d.Text}
		if d.Title != nil {
			document.Title = *d.Title
		}
		add(document)
		return nil
	})
	if err == nil && len(seen) == 0 {
		err = &ParseError{Name: path, Err: errors.New(`the file is empty: want lines of {"_id": "…", "text": "…"}`)}
	}
	return file, err
}

// judge reads the grades of documents: lines of a query, a document and a grade in columns between tabs, below a header, as
// in BEIR; or four columns between blanks, of which the second says nothing, as trec_eval reads them.
func (s *Set) judge(path string) (File, error) {
	number := make(map[string]int, len(s.Queries))
	for i, q := range s.Queries {
		number[q.ID] = i
	}
	first, judged := true, 0
	file, err := eachLineOf(path, func(_ int, raw []byte) error {
		line := strings.TrimSpace(string(raw))
		if line == "" {
			return nil
		}
		columns := strings.Fields(line)
		if strings.Contains(line, "\t") {
			columns = trimmed(strings.Split(line, "\t"))
		}
		header := first
		first = false
		if len(columns) == 4 {
			columns = slices.Delete(columns, 1, 2)
		}
		if len(columns) != 3 {
			return fmt.Errorf("want a query, a document and a grade, not %q", excerpt(line))
		}
		grade, err := strconv.ParseFloat(columns[2], 64)
		switch {
		case err != nil && header:
			return nil
		case err != nil || grade != math.Trunc(grade) || math.Abs(grade) > math.MaxInt32:
			return fmt.Errorf("want a whole number as grade, not %q", excerpt(columns[2]))
		}
		i, ok := number[columns[0]]
		if !ok {
			return fmt.Errorf("the query %q is not in %s", excerpt(columns[0]), queriesName)
		}
		q := &s.Queries[i]
		if q.Grades == nil {
			q.Grades = make(map[string]int)
		}
		if before, twice := q.Grades[columns[1]]; twice && before != int(grade) {
			return fmt.Errorf("document %q of query %q has the grade %d too", excerpt(columns[1]), excerpt(columns[0]), before)
		}
		q.Grades[columns[1]] = int(grade)
		judged++
		return nil
	})
	if err == nil && judged == 0 {
		err = &ParseError{Name: path, Err: errors.New("there are no judgements: want lines of a query, a document and a grade")}
	}
	return file, err
}

// eachLineOf calls use with each line of a file, which may be compressed.
func eachLineOf(path string, use func(number int, line []byte) error) (File, error) {
	return compression.ReadFile(path, func(src io.Reader) (File, error) {
		sum := sha256.New()
		size := int64(0)
		in := bufio.NewReaderSize(io.TeeReader(src, sum), 1<<16)
		var line []byte
		for number := 1; ; {
			part, err := in.ReadSlice('\n')
			size += int64(len(part))
			line = append(line, part...)
			if len(line) > maxDocument {
				return File{}, &ParseError{Name: path, Line: number, Err: fmt.Errorf("the line has more than %d MB", maxDocument>>20)}
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return File{}, &ParseError{Name: path, Line: number, Err: err}
			}
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			if bad := use(number, line); bad != nil {
				return File{}, &ParseError{Name: path, Line: number, Err: bad}
			}
			if err != nil {
				return File{path, fmt.Sprintf("%x", sum.Sum(nil)), size}, nil
			}
			line = line[:0]
			number++
		}
	})
}
