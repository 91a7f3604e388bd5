package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/lab/trainers"
)

// A textFile is a text that the command line names.
type textFile struct{ name, language, path string }

// parseText reads NAME=LANGUAGE:FILE.
func parseText(s string) (textFile, error) {
	name, rest, named := strings.Cut(s, "=")
	language, path, found := strings.Cut(rest, ":")
	if !named || !found || name == "" || path == "" {
		return textFile{}, fmt.Errorf("-text: %q is not like NAME=LANGUAGE:FILE", s)
	}
	return textFile{name, language, path}, nil
}

// A text is what programs train on: a whole text, or a piece of one.
type text struct {
	trainers.Text
	name     string
	language string
	hash     string // of the content
}

// prepareTexts writes the chosen texts and their pieces to plain files in a folder. Pieces have
// so many tokens, if the text has more; 0 is for no pieces.
func prepareTexts(files []textFile, only []string, piece int, folder string) ([]text, error) {
	var all []text
	known := make(map[string]bool)
	for i, f := range files {
		short := f.name + "-" + tokensName(piece)
		known[f.name], known[short] = true, piece > 0 || known[short]
		wanted, wantedPiece := has(only, f.name), piece > 0 && has(only, short)
		if !wanted && !wantedPiece {
			continue
		}
		path := filepath.Join(folder, fmt.Sprintf("text-%d.txt", i))
		whole, err := writePlain(f, path)
		if err != nil {
			return nil, err
		}
		if wanted {
			all = append(all, whole)
		}
		if wantedPiece && whole.Tokens > uint64(piece) {
			part := text{name: short, language: f.language}
			if part.Text, part.hash, err = writePiece(whole.Text, uint64(piece), filepath.Join(folder, fmt.Sprintf("piece-%d.txt", i))); err != nil {
				return nil, err
			}
			all = append(all, part)
		}
	}
	for _, name := range only {
		if !known[name] {
			return nil, fmt.Errorf("-texts: there is no text %q", name)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there is no text: -texts chooses none, or only pieces of texts that are shorter")
	}
	return all, nil
}

// tokensName is a number of tokens in a name: 2M, 500k.
func tokensName(n int) string {
	switch {
	case n >= 1e6 && n%1e6 == 0:
		return fmt.Sprintf("%dM", n/1e6)
	case n >= 1e3 && n%1e3 == 0:
		return fmt.Sprintf("%dk", n/1e3)
	}
	return fmt.Sprint(n)
}

// writePlain writes a text to a plain file.
func writePlain(f textFile, path string) (_ text, err error) {
	t := text{name: f.name, language: f.language}
	in, err := os.Open(f.path)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	plain, _, err := compression.NewReader(in)
	if err != nil {
		return t, fmt.Errorf("%s: %w", f.path, err)
	}
	defer func() { err = errors.Join(err, plain.Close()) }()
	t.Text, t.hash, err = writeLines(plain, path, func(uint64) (bool, bool) { return true, true })
	if err != nil {
		return t, fmt.Errorf("%s: %w", f.path, err)
	}
	if t.Tokens == 0 {
		return t, fmt.Errorf("%s has no tokens", f.path)
	}
	return t, nil
}

// writePiece writes as many lines of a text as have so many tokens. They begin a third into the
// text, where it is like the most of it.
func writePiece(whole trainers.Text, tokens uint64, path string) (_ trainers.Text, _ string, err error) {
	in, err := os.Open(whole.Path)
	if err != nil {
		return trainers.Text{}, "", err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	start := min(whole.Tokens/3, whole.Tokens-tokens)
	written := uint64(0)
	seen := uint64(0)
	return writeLines(in, path, func(n uint64) (take, more bool) {
		seen += n
		if seen <= start {
			return false, true
		}
		written += n
		return true, written < tokens
	})
}

// writeLines writes those lines of a reader to a file that choose takes, until it wants no more.
// choose is called with the tokens of each line. The hash is that of what is written.
func writeLines(in io.Reader, path string, choose func(tokens uint64) (take, more bool)) (_ trainers.Text, hash string, err error) {
	t := trainers.Text{Path: path}
	out, err := os.Create(path)
	if err != nil {
		return t, "", err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	sum := sha256.New()
	to := bufio.NewWriterSize(io.MultiWriter(out, sum), 1<<20)
	from := bufio.NewReaderSize(in, 1<<20)
	for more := true; more; {
		line, readErr := from.ReadBytes('\n')
		if len(line) > 0 {
			var n trainers.Counter
			_, _ = n.Write(line) // never fails
			var take bool
			if take, more = choose(n.Tokens); take {
				t.Tokens += n.Tokens
				t.Lines++
				if _, err := to.Write(line); err != nil {
					return t, "", err
				}
			}
		}
		if readErr == io.EOF {
			break
		}
		if readErr != nil {
			return t, "", readErr
		}
	}
	if err := to.Flush(); err != nil {
		return t, "", err
	}
	return t, hex.EncodeToString(sum.Sum(nil)), nil
}
