package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/w2v-go/w2v/internal/compression"
)

// corpusHelp explains the CORPUS arguments.
const corpusHelp = `CORPUS is any number of files, folders or globs; "-" is standard input. Plain text,
gzip, bzip2, xz and Zstandard are detected from file contents. A newline ends a sentence.
--text-column reads a column of tables, --json-field a field of JSON lines, --split a list;
--group-by makes sentences of rows with the same user, session or the like.
A token of more than 16384 bytes is skipped and reported with its line.`

// readFile parses the file at path, which may be compressed.
func readFile[T any](path string, parse func(r io.Reader) (T, error)) (parsed T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return parsed, err
	}
	defer file.Close()
	plain, _, err := compression.NewReader(file)
	if err != nil {
		return parsed, err
	}
	defer plain.Close()
	return parse(plain)
}

// named puts a file's name before an error, in place of the system call that
// package os puts there.
func named(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
