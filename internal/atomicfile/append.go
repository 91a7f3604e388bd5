package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
)

// An Appender adds records to the end of a file. A record that Append has added survives a power cut.
// One that was being added may be there in part.
type Appender struct {
	path string
	file *os.File
}

// OpenAppender opens or creates the file at path, and cuts off what is behind its first whole bytes.
// Errors are one line that begins with path.
func OpenAppender(path string, whole int64) (*Appender, error) {
	file, err := system.create(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cause(err))
	}
	a := &Appender{path, file}
	if err = file.Truncate(whole); err == nil {
		_, err = file.Seek(whole, 0)
	}
	if err != nil {
		return nil, join(a.failed(err), a.Close())
	}
	syncFolder(filepath.Dir(path))
	return a, nil
}

// Append adds a record, and waits until it is on the disk.
func (a *Appender) Append(record []byte) error {
	_, err := a.file.Write(record)
	if err == nil {
		err = system.sync(a.file)
	}
	return a.failed(err)
}

// Close closes the file.
func (a *Appender) Close() error { return a.failed(a.file.Close()) }

func (a *Appender) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", a.path, cause(err))
}
