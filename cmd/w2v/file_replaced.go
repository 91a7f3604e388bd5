package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/fileuse"
	"github.com/w2v-go/w2v/vectors/format"
)

// checkReplaced refuses to replace a model by something else, and a checkpoint by a model.
func (of stated) checkReplaced(c *cobra.Command) error {
	if of.value == "-" || of.use != fileuse.Writes {
		return nil
	}
	if len(of.extensions) > 0 && !slices.Contains(of.extensions, strings.ToLower(filepath.Ext(of.value))) {
		return fmt.Errorf("%s is %q: want a name that ends with %s, or - for standard output", of.called, of.value, anyOf(of.extensions))
	}
	info, err := os.Stat(of.value)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	switch is, err := format.Detect(of.value); {
	case err != nil && of.model && !strings.HasPrefix(of.called, "-") && info.Size() > 0:
		return fmt.Errorf("%s: is no model, and %s would replace it: name another file, or move it away", of.value, of.called)
	case err != nil:
		return nil
	case of.model && c.Name() != "train": // which knows its own
		if state, err := format.HasState(of.value); err == nil && state {
			return fmt.Errorf("%s: is a checkpoint, which the model would replace: name another file for %s, or move it away", of.value, of.called)
		}
	case !of.model && is != format.GloVe && !(is == format.Text && isTable(of.value)): // as many a text looks
		return fmt.Errorf("%s: is a model of the format %s, which %s would replace: name another file, or move it away", of.value, is, of.called)
	}
	return nil
}

// isTable reports whether a file that begins with two whole numbers, as a text of vectors does, is a list of
// ids with counts, or of walks: its second line has other than the numbers that the first one says, or no
// word and no point.
func isTable(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	text, _, err := compression.NewReader(file)
	if err != nil {
		return false
	}
	defer text.Close()
	lines := bufio.NewScanner(text)
	var fields [2][]string
	for i := range fields {
		if !lines.Scan() {
			return i > 0 && lines.Err() == nil && fields[0][0] != "0" // a model of no words is one line
		}
		fields[i] = strings.Fields(lines.Text())
	}
	if len(fields[0]) != 2 || fmt.Sprint(len(fields[1])-1) != fields[0][1] {
		return true
	}
	return strings.Trim(strings.Join(fields[1], ""), "0123456789") == ""
}
