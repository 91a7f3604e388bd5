package eval

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
)

// A SetFile is a set and the files that it was read from. Checksums are of the decompressed
// content.
type SetFile struct {
	Set   Set
	Files []File // usually one
}

// Source returns the checksum of the set's content.
func (s SetFile) Source() Source { return newSource(s.Files) }

// A Skipped is a file that ReadSets did not read, and why.
type Skipped struct {
	Path string
	Err  error // wraps ErrLayout if the file is not an evaluation set
}

// ReadOptions are the settings of ReadSets. The zero value works.
type ReadOptions struct {
	Stdin io.Reader // read for the path "-"
	Task  Task      // the task of all sets; empty means any task
}

// ReadSets reads the sets in files and folders. Of a folder it reads all files, in the order of
// their paths. Files may be compressed. Sets are named by [SetName], preceded by as many folders as
// are needed to tell sets apart. If the files of a folder are parts of one set, as in BATS, they
// form one set with the folder's name. A folder with corpus.jsonl is a retrieval set, or one for each file of judgements.
//
// A path that is a file must be a set. In a folder, ReadSets skips files whose names begin with a
// dot and files that it cannot read, and returns the reasons. It returns an error if a path
// contains no set.
func ReadSets(paths []string, opt ReadOptions) ([]SetFile, []Skipped, error) {
	r := &setReader{opt: opt, seen: make(map[string]bool)}
	for _, path := range paths {
		if err := r.path(path); err != nil {
			return nil, nil, err
		}
	}
	unique(r.sets)
	return r.sets, r.skipped, nil
}

// A Content is the content of a file.
type Content struct {
	Path string
	Text []byte
}

// ReadContents reads sets from memory, as ReadSets reads the files of a folder. Each content must
// be a set.
func ReadContents(contents []Content, task Task) ([]SetFile, error) {
	var found []SetFile
	for _, c := range contents {
		set, err := readFile(c.Path, c.Text, task, false)
		if err != nil {
			return nil, err
		}
		found = append(found, set)
	}
	sets := joined(found)
	unique(sets)
	return sets, nil
}

type setReader struct {
	opt     ReadOptions
	sets    []SetFile
	skipped []Skipped
	seen    map[string]bool // paths
}

func (r *setReader) path(path string) error {
	if path != "-" {
		info, err := os.Stat(path)
		if err != nil {
			return compression.Named(path, err)
		}
		if info.IsDir() {
			return r.folder(path)
		}
	}
	if r.again(path) {
		return nil
	}
	if folder, ok := isQrels(path); ok && r.retrieves() {
		sets, err := r.collections(folder, path)
		r.sets = append(r.sets, sets...)
		return err
	}
	if name := plainName(path); r.retrieves() && (name == corpusName || name == queriesName) {
		return &ParseError{Name: path, Err: errNoCollection}
	}
	if test, train, ok := r.partsOf(path); ok {
		if test != path && r.again(test) {
			return nil
		}
		set, err := r.classification(test, train)
		r.seen[filepath.Clean(train)] = true
		if err == nil {
			r.sets = append(r.sets, set)
		}
		return err
	}
	set, err := r.file(path, r.opt.Task, false)
	if err == nil {
		r.sets = append(r.sets, set)
	}
	return err
}

func (r *setReader) skip(path string, why error) { r.skipped = append(r.skipped, Skipped{path, why}) }

func (r *setReader) again(path string) bool {
	path = filepath.Clean(path)
	before := r.seen[path]
	if before {
		r.skip(path, errors.New("the file is named twice, and read once"))
	}
	r.seen[path] = true
	return before
}

// folder reads the files below a folder. Files that can be joined become one set for each folder
// and type.
func (r *setReader) folder(root string) error {
	var found []SetFile
	before := 0 // files read before
	err := filepath.WalkDir(root+string(filepath.Separator), func(path string, entry fs.DirEntry, err error) error {
		path = filepath.Clean(path)
		info, errStat := os.Stat(path)
		atRoot := path == filepath.Clean(root)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (atRoot || !strings.HasPrefix(entry.Name(), ".")) && r.retrieves() && fileNamed(path, corpusName) != "":
			sets, err := r.collections(path, judgementFiles(path)...)
			if err != nil && atRoot {
				return err
			}
			if err != nil {
				r.skip(path, err)
			}
			found = append(found, sets...)
			return filepath.SkipDir
		case atRoot:
		case strings.HasPrefix(entry.Name(), "."):
			r.skip(path, errors.New("its name begins with a dot"))
			if entry.IsDir() {
				return filepath.SkipDir
			}
		case entry.IsDir(), beside(path, ".gs.", ".input.") != "": // the file of the sentences reads that of the scores
		case errStat != nil || !info.Mode().IsRegular():
			r.skip(path, errors.New("it is not a regular file"))
		case r.again(path):
			before++
		default:
			if test, train, ok := r.partsOf(path); ok {
				if set, err := r.classification(test, train); path == train { // the file of the texts to classify reads both
				} else if err != nil {
					r.skip(path, err)
				} else {
					found = append(found, set)
				}
				return nil
			}
			if set, err := r.file(path, r.opt.Task, true); err != nil {
				r.skip(path, err)
			} else {
				found = append(found, set)
			}
		}
		return nil
	})
	if _, ofSet := errors.AsType[*ParseError](err); ofSet {
		return err
	}
	if err != nil {
		return compression.Named(root, err)
	}
	found = r.unrecognized(found)
	r.sets = append(r.sets, joined(found)...)
	if len(found)+before == 0 {
		return &ParseError{Name: root, Err: fmt.Errorf("no file of the folder is an evaluation set: %w", ErrLayout)}
	}
	return nil
}

// unrecognized adds the two-column files next to relation files that were not recognised. A relation
// whose pairs share few answers, such as persons and their nationalities, looks like words in
// categories.
func (r *setReader) unrecognized(found []SetFile) []SetFile {
	relations := make(map[string]bool) // folders
	for _, s := range found {
		if s.Set.Task == TaskRelation {
			relations[filepath.Dir(s.Files[0].Path)] = true
		}
	}
	r.skipped = slices.DeleteFunc(r.skipped, func(s Skipped) bool {
		if !errors.Is(s.Err, ErrLayout) || !relations[filepath.Dir(s.Path)] {
			return false
		}
		raw, err := r.content(s.Path)
		if err != nil || !newText(raw, "").most(func(line string) bool { return strings.Count(line, "\t") == 1 }) {
			return false
		}
		set, err := readFile(s.Path, raw, TaskRelation, false)
		if err == nil {
			found = append(found, set)
		}
		return err == nil
	})
	// Separators sort before other characters, as in the walk of a folder.
	walked := func(s SetFile) string {
		return strings.ReplaceAll(s.Files[0].Path, string(filepath.Separator), "\x00")
	}
	slices.SortStableFunc(found, func(a, b SetFile) int { return strings.Compare(walked(a), walked(b)) })
	return found
}

// file reads a set. If strict is true, a file of another task is not a set.
func (r *setReader) file(path string, task Task, strict bool) (SetFile, error) {
	if scores := beside(path, ".input.", ".gs."); scores != "" && (task == "" || task == TaskSentences) {
		return r.paired(path, scores)
	}
	raw, err := r.content(path)
	if err != nil {
		return SetFile{}, err
	}
	return readFile(path, raw, task, strict)
}

// beside returns the file that has another part in its name than path; "" if there is none.
func beside(path, part, other string) string {
	before, after, ok := strings.Cut(filepath.Base(path), part)
	path = filepath.Join(filepath.Dir(path), before+other+after)
	if info, err := os.Stat(path); !ok || err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}

// paired reads pairs of sentences whose scores are in another file, a line each, as in SemEval and SentEval.
func (r *setReader) paired(path, scores string) (s SetFile, err error) {
	var all [2][]string
	for i, p := range []string{path, scores} {
		raw, err := r.content(p)
		if err != nil {
			return s, err
		}
		for _, line := range linesOf(raw) {
			all[i] = append(all[i], strings.TrimRight(line, "\r"))
		}
		for n := len(all[i]); n > 0 && all[i][n-1] == ""; n-- {
			if i == 0 || n > len(all[0]) { // the last pairs may have no scores
				all[i] = all[i][:n-1]
			}
		}
		s.Files = append(s.Files, newFile(p, raw))
	}
	if len(all[0]) != len(all[1]) {
		return s, &ParseError{Name: scores, Err: fmt.Errorf("there are %d scores, and %d pairs of sentences in %s", len(all[1]), len(all[0]), filepath.Base(path))}
	}
	var joined strings.Builder
	for i, pair := range all[0] {
		fmt.Fprintf(&joined, "%s\t%s\n", all[1][i], pair)
	}
	s.Set, err = parse([]byte(joined.String()), path, TaskSentences, false)
	return s, err
}

func newFile(path string, raw []byte) File {
	return File{path, fmt.Sprintf("%x", sha256.Sum256(raw)), int64(len(raw))}
}

func readFile(path string, raw []byte, task Task, strict bool) (SetFile, error) {
	set, err := parse(raw, path, task, strict)
	return SetFile{set, []File{newFile(path, raw)}}, err
}

func (r *setReader) content(path string) ([]byte, error) {
	read := func(from io.Reader) ([]byte, error) { return readAll(from, path) }
	switch {
	case path != "-":
		return compression.ReadFile(path, read)
	case r.opt.Stdin == nil:
		return nil, compression.Named(path, errors.New("there is no standard input"))
	}
	plain, _, err := compression.NewReader(r.opt.Stdin)
	if err != nil {
		return nil, compression.Named(path, err)
	}
	defer plain.Close()
	return read(plain)
}

// A File is a file that was read.
type File struct {
	Path   string `json:"path"`   // "-" for standard input
	SHA256 string `json:"sha256"` // in hexadecimal digits
	Bytes  int64  `json:"bytes"`
}

// A Source is what was read from files, usually from one file.
type Source struct {
	// SHA256 identifies the content of the files. For one file it is the file's checksum. For
	// several files it is the checksum of a text with one line per file: "checksum, two spaces, file
	// name". sha256sum prints the same text in the files' folder.
	SHA256 string `json:"sha256"`
	Files  []File `json:"files"`
}

func newSource(files []File) Source {
	s := Source{Files: files}
	if len(files) == 1 {
		s.SHA256 = files[0].SHA256
		return s
	}
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s  %s\n", f.SHA256, filepath.Base(f.Path)) // writing to a hash never fails
	}
	s.SHA256 = fmt.Sprintf("%x", h.Sum(nil))
	return s
}

// Hash returns the checksums of files as they are stored, compressed or not. It reads each file
// once, from beginning to end.
func Hash(paths ...string) (Source, error) {
	var files []File
	buffer := make([]byte, 1<<20)
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return Source{}, compression.Named(path, err)
		}
		h := sha256.New()
		n, err := io.CopyBuffer(h, file, buffer)
		file.Close()
		if err != nil {
			return Source{}, compression.Named(path, err)
		}
		files = append(files, File{path, fmt.Sprintf("%x", h.Sum(nil)), n})
	}
	return newSource(files), nil
}

func joined(found []SetFile) []SetFile {
	type whole struct {
		folder string
		task   Task
	}
	var sets []SetFile
	at := make(map[whole]int) // index in sets
	for _, s := range found {
		of := whole{filepath.Dir(s.Files[0].Path), s.Set.Task}
		first, ok := at[of]
		switch {
		case !s.Set.isPart():
			sets = append(sets, s)
		case !ok:
			at[of] = len(sets)
			sets = append(sets, s)
		default:
			sets[first].Set.join(s.Set)
			sets[first].Files = append(slices.Clip(sets[first].Files), s.Files...)
		}
	}
	return sets
}

// unique gives the sets short, distinct names: the last elements of their paths, as many as it takes.
func unique(sets []SetFile) {
	paths, depth := make([][]string, len(sets)), slices.Repeat([]int{1}, len(sets))
	for i, s := range sets {
		paths[i] = elements(s)
	}
	for again := true; again; {
		again = false
		same := make(map[string][]int)
		for i, path := range paths {
			sets[i].Set.Name = strings.Join(path[max(0, len(path)-depth[i]):], "/")
			same[sets[i].Set.Name] = append(same[sets[i].Set.Name], i)
		}
		for i, s := range sets {
			if len(same[s.Set.Name]) > 1 && depth[i] < len(paths[i]) {
				depth[i]++
				again = true
			}
		}
	}
}

func elements(s SetFile) []string {
	path := s.Files[0].Path
	folder, name := filepath.Dir(path), SetName(path)
	switch {
	case path == "-":
		return []string{"stdin"}
	case s.Set.Task == TaskRetrieval:
		if whole, err := filepath.Abs(folder); err == nil {
			folder = whole
		}
		split := s.Files[len(s.Files)-1].Path
		path := strings.Split(filepath.ToSlash(folder), "/")
		if filepath.Base(filepath.Dir(split)) == qrelsName {
			path[len(path)-1] += "/" + SetName(split)
		}
		return path
	case len(s.Files) > 1 && s.Set.Task != TaskSentences && s.Set.Task != TaskClassification:
		if whole, err := filepath.Abs(folder); err == nil {
			folder = whole // "." has no name
		}
		return strings.Split(filepath.ToSlash(folder), "/")
	}
	folder, _ = filepath.Split(path)
	return strings.Split(filepath.ToSlash(folder)+name, "/")
}

// SetName returns the name of a set for reports: its file name without folder and extensions.
func SetName(path string) string {
	name, _ := compression.SplitExt(filepath.Base(path))
	return strings.TrimSuffix(name, filepath.Ext(name))
}
