package format

import (
	"path/filepath"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
)

// TargetFiles returns the paths of the files that Write makes of a set at path in format f:
// the file itself and those beside it, or those in the folder.
func TargetFiles(path string, f Format) ([]string, error) {
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	names, err := namesOf(c)
	if err != nil {
		return nil, err
	}
	files := make([]string, len(names))
	for i, name := range names {
		if c.Folder() {
			files[i] = filepath.Join(path, name)
		} else {
			files[i] = path + name
		}
	}
	return files, nil
}

// namesOf returns the names of the parts of a format.
func namesOf(c codec.Codec) ([]string, error) {
	if c.Parts == nil {
		return []string{""}, nil
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 1)}) // any set has the same names
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(c, s)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return names, nil
}

// CheckTarget tells whether Write of a set to path in format f will find a place that
// it can write to, without leaving anything behind. It is for asking before hours of
// work. Errors are one line that begins with path.
func CheckTarget(path string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	if !c.Folder() {
		return atomicfile.Check(path)
	}
	names, err := namesOf(c)
	if err != nil {
		return err
	}
	return atomicfile.CheckFolder(path, names...)
}
