package vectors

import (
	"os"
	"path/filepath"
)

// TargetFiles returns the paths of the files that Write makes of a set at path in format f:
// the file itself and those beside it, or those in the folder.
func TargetFiles(path string, f Format) ([]string, error) {
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	names, err := c.names()
	if err != nil {
		return nil, err
	}
	files := make([]string, len(names))
	for i, name := range names {
		if c.folder {
			files[i] = filepath.Join(path, name)
		} else {
			files[i] = path + name
		}
	}
	return files, nil
}

// names returns the names of the parts of the format.
func (c codec) names() ([]string, error) {
	if c.parts == nil {
		return []string{""}, nil
	}
	parts, err := c.partsOf(&Set{words: NewWords("a"), input: NewMatrix(1, 1)}) // any set has the same names
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names, nil
}

// HasState reports whether the file at path holds a state of training, as checkpoints do.
// Of files in other formats than the native one only the beginning is read. It is an error
// if the file is no model, or a damaged one.
func HasState(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, withPath(path, pathless(err))
	}
	defer file.Close()
	in, err := decompress(file, -1)
	if err != nil {
		return false, withPath(path, err)
	}
	defer in.close()
	head, err := in.head()
	if err != nil {
		return false, withPath(path, pathless(err))
	}
	c, err := sniff(head)
	if err != nil {
		return false, withPath(path, err)
	}
	if c.format != FormatW2V {
		return false, nil
	}
	set, err := OpenStream(path, nil)
	if err != nil {
		return false, err
	}
	has := len(set.state) > 0
	if err := set.Close(); err != nil {
		return false, withPath(path, err)
	}
	return has, nil
}
