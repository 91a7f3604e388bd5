package atomicfile

import "os"

// CreateNamed is Create where files cannot be without a name.
func CreateNamed(path string) (*File, error) {
	return create(path, func(string) (*os.File, bool) { return nil, false })
}
