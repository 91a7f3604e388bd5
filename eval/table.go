package eval

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// A row is a line of a set that is a table: its number and its columns.
type row struct {
	number  int
	columns []string
}

// readTable reads the lines of a set as a table, without blank lines and comments. The first line
// says what separates columns: tabs, or else commas (with quotation marks as in CSV), semicolons,
// or white space.
func readTable(r io.Reader, name string) ([]row, error) {
	var rows []row
	split := func(string) ([]string, error) { return nil, nil }
	err := scanLines(r, name, func(number int, line string) error {
		line = strings.Trim(line, " \r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			return nil
		}
		if rows == nil {
			split = splitter(line)
		}
		columns, err := split(line)
		if err != nil {
			return err
		}
		rows = append(rows, row{number, trimmed(columns)})
		return nil
	})
	return rows, err
}

// splitter returns what splits the lines of a table whose first line is this.
func splitter(first string) func(line string) ([]string, error) {
	switch {
	case strings.Contains(first, "\t"):
		return func(line string) ([]string, error) { return strings.Split(line, "\t"), nil }
	case strings.Contains(first, ","):
		return splitCSV
	case strings.Contains(first, ";"):
		return func(line string) ([]string, error) { return strings.Split(line, ";"), nil }
	}
	return func(line string) ([]string, error) { return strings.Fields(line), nil }
}

// splitCSV splits a line of comma-separated values, which may be in quotation marks.
func splitCSV(line string) ([]string, error) {
	reader := csv.NewReader(strings.NewReader(line))
	reader.LazyQuotes = true
	columns, err := reader.Read()
	if err != nil {
		return nil, fmt.Errorf("want values separated by commas, not %q", excerpt(line))
	}
	return columns, nil
}

// columnNamed returns the index of the first column whose name is one of names, by the order of
// names and regardless of case, or -1.
func columnNamed(header []string, names ...string) int {
	for _, name := range names {
		for i, column := range header {
			if strings.EqualFold(column, name) {
				return i
			}
		}
	}
	return -1
}
