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

// A SetFile is a set and the files that it was read from. Their checksums are those of the content,
// decompressed.
type SetFile struct {
	Set   Set
	Files []File // usually one
}

// Source returns the checksum of the set's content.
func (s SetFile) Source() Source { return newSource(s.Files) }

// A Skipped is a file of a folder that was not read, and why.
type Skipped struct {
	Path string
	Err  error // wraps ErrLayout if the file is no evaluation set at all
}

// ReadOptions are the settings of ReadSets. The zero value works.
type ReadOptions struct {
	Stdin io.Reader // what the path "-" stands for
	Task  Task      // the task of all sets; any if empty
}

// ReadSets reads the sets at paths, each of which is a file or a folder, all of whose files are
// read, in the order of their paths. Files may be compressed. Sets are named by [SetName], with as
// many folders before the name as tell them apart. Files of a folder that are parts of one set, as
// those of BATS are, are one set with the folder's name.
//
// A file that is named must be a set. In a folder, ReadSets skips the files that it cannot read,
// those that begin with a dot, and returns why. It returns an error if a path has no set at all.
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

// A Content is what is in a file.
type Content struct {
	Path string
	Text []byte
}

// ReadContents reads sets that are not in files, as ReadSets reads those of a folder. Each must be
// a set.
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
			return ofPath(path, err)
		}
		if info.IsDir() {
			return r.folder(path)
		}
	}
	if r.again(path) {
		return nil
	}
	set, err := r.file(path, false)
	if err != nil {
		return err
	}
	r.sets = append(r.sets, set)
	return nil
}

// again reports whether a path was read before.
func (r *setReader) again(path string) bool {
	path = filepath.Clean(path)
	before := r.seen[path]
	if before {
		r.skipped = append(r.skipped, Skipped{path, errors.New("the file is named twice, and read once")})
	}
	r.seen[path] = true
	return before
}

// folder reads the files below a folder. Those that can be joined become one set for each folder
// and type.
func (r *setReader) folder(root string) error {
	var found []SetFile
	before := 0 // files that were read before
	err := filepath.WalkDir(root+string(filepath.Separator), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.Clean(path)
		if path == filepath.Clean(root) {
			return nil
		}
		if strings.HasPrefix(entry.Name(), ".") {
			r.skipped = append(r.skipped, Skipped{path, errors.New("its name begins with a dot")})
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			if !entry.IsDir() {
				r.skipped = append(r.skipped, Skipped{path, errors.New("it is no regular file")})
			}
			return nil
		}
		if r.again(path) {
			before++
			return nil
		}
		set, err := r.file(path, true)
		if err != nil {
			r.skipped = append(r.skipped, Skipped{path, err})
			return nil
		}
		found = append(found, set)
		return nil
	})
	if err != nil {
		return ofPath(root, err)
	}
	found = r.beside(found)
	r.sets = append(r.sets, joined(found)...)
	if len(found)+before == 0 {
		return &ParseError{Set: root, Err: fmt.Errorf("no file of the folder is an evaluation set: %w", ErrLayout)}
	}
	return nil
}

// beside adds the files in two columns that are beside relations and were not recognised. A relation
// whose pairs share few answers, as persons and their nationalities, looks like words in categories.
func (r *setReader) beside(found []SetFile) []SetFile {
	relations := make(map[string]bool) // folders
	for _, s := range found {
		if s.Set.Task() == TaskRelation {
			relations[filepath.Dir(s.Files[0].Path)] = true
		}
	}
	r.skipped = slices.DeleteFunc(r.skipped, func(s Skipped) bool {
		if !errors.Is(s.Err, ErrLayout) || !relations[filepath.Dir(s.Path)] {
			return false
		}
		raw, err := r.content(s.Path)
		if err != nil || !newText(raw).most(func(line string) bool { return strings.Count(line, "\t") == 1 }) {
			return false
		}
		set, err := readFile(s.Path, raw, TaskRelation, false)
		if err == nil {
			found = append(found, set)
		}
		return err == nil
	})
	slices.SortStableFunc(found, func(a, b SetFile) int { return strings.Compare(walked(a), walked(b)) })
	return found
}

// walked is the path of a set, such that paths compare as a walk through folders meets them.
func walked(s SetFile) string {
	return strings.ReplaceAll(s.Files[0].Path, string(filepath.Separator), "\x00")
}

// file reads a set. If strict is true, a file that is not of the task is no set.
func (r *setReader) file(path string, strict bool) (SetFile, error) {
	raw, err := r.content(path)
	if err != nil {
		return SetFile{}, ofPath(path, err)
	}
	return readFile(path, raw, r.opt.Task, strict)
}

func readFile(path string, raw []byte, task Task, strict bool) (SetFile, error) {
	set, err := parse(raw, path, task, strict)
	if err != nil {
		return SetFile{}, err
	}
	return SetFile{set, []File{{path, fmt.Sprintf("%x", sha256.Sum256(raw)), int64(len(raw))}}}, nil
}

// content returns what is in a file, decompressed.
func (r *setReader) content(path string) ([]byte, error) {
	from := r.opt.Stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	} else if from == nil {
		return nil, errors.New("there is no standard input")
	}
	plain, _, err := compression.NewReader(from)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	return readAll(plain, path)
}

// ofPath puts a path before an error, in place of the system call that package os puts there.
func ofPath(path string, err error) error {
	if _, ok := errors.AsType[*ParseError](err); ok {
		return err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
