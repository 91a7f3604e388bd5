package eval

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// An OutlierCluster is words that belong together, and words that do not belong to them.
type OutlierCluster struct {
	Name     string   `json:"category"`
	Words    []string `json:"words"`
	Outliers []string `json:"outliers"`
}

// An OutlierSet is an outlier detection set such as 8-8-8 or WikiSem500. Each outlier is one test:
// is it found among the words of its cluster?
type OutlierSet struct {
	Name     string
	Clusters []OutlierCluster
}

// Title returns the set's name.
func (o OutlierSet) Title() string { return o.Name }

// Task returns TaskOutliers.
func (o OutlierSet) Task() Task { return TaskOutliers }

// Words returns the words and outliers of all clusters, with repetitions.
func (o OutlierSet) Words() []string {
	var words []string
	for _, c := range o.Clusters {
		words = append(append(words, c.Words...), c.Outliers...)
	}
	return words
}

// ReadOutliers reads an outlier detection set. Errors and results call the set by name. There are
// three layouts:
//
//   - the text files of 8-8-8 and WikiSem500: the words of one cluster, one a line, a blank line,
//     and the outliers, one a line. A set is a folder of such files, each named by its cluster;
//   - JSON, one object a cluster: {"category": "…", "words": ["…"], "outliers": ["…"]};
//   - CSV with a header that has the columns words and outliers (and category), whose entries are
//     lists as Python prints them: "['a', 'b']".
//
// Empty words are skipped. White space within a word becomes an underscore. A cluster needs two
// words and an outlier.
//
// All errors are of type *ParseError and have the line's number. A set without clusters is an
// error.
func ReadOutliers(r io.Reader, name string) (OutlierSet, error) {
	var lines []numbered
	err := scanLines(r, name, func(number int, line string) error {
		lines = append(lines, numbered{number, strings.TrimSpace(line)})
		return nil
	})
	set := OutlierSet{Name: name}
	if err != nil {
		return set, err
	}
	lines = trimBlank(lines)
	switch {
	case len(lines) == 0:
		err = &ParseError{Set: name, Err: errNoOutliers}
	case isJSON(lines[0].text):
		set.Clusters, err = outlierJSON(lines, name)
	case isOutlierHeader(lines[0].text):
		set.Clusters, err = outlierCSV(lines, name)
	default:
		set.Clusters, err = outlierText(lines, name)
	}
	return set, err
}

var errNoOutliers = errors.New("no clusters: want words one a line, a blank line, and outliers one a line; or lines of JSON")

func outlierText(lines []numbered, name string) ([]OutlierCluster, error) {
	c := OutlierCluster{Name: SetName(name)}
	to := &c.Words
	for i, l := range lines {
		if l.text == "" {
			if to == &c.Outliers && lines[i-1].text != "" {
				return nil, &ParseError{Set: name, Line: l.number, Err: errors.New("want one cluster a file: words, a blank line, outliers; and here is a second blank line")}
			}
			to = &c.Outliers
			continue
		}
		*to = append(*to, l.text)
	}
	if err := c.tidy(); err != nil {
		return nil, &ParseError{Set: name, Err: err}
	}
	return []OutlierCluster{c}, nil
}

func outlierJSON(lines []numbered, name string) ([]OutlierCluster, error) {
	clusters, at, err := jsonValues[OutlierCluster](lines, name, `{"category": "…", "words": ["…"], "outliers": ["…"]}`)
	for i := range clusters {
		if err := clusters[i].tidy(); err != nil {
			return nil, &ParseError{Set: name, Line: at[i], Err: err}
		}
	}
	return clusters, err
}

func isOutlierHeader(line string) bool {
	header, err := splitCSV(line)
	return err == nil && columnNamed(header, "words") >= 0 && columnNamed(header, "outliers") >= 0
}

func outlierCSV(lines []numbered, name string) ([]OutlierCluster, error) {
	header, _ := splitCSV(lines[0].text)
	category, words, outliers := columnNamed(header, "category", "class", "name"), columnNamed(header, "words"), columnNamed(header, "outliers")
	var clusters []OutlierCluster
	for _, l := range lines[1:] {
		if l.text == "" {
			continue
		}
		columns, err := splitCSV(l.text)
		if err == nil && len(columns) != len(header) {
			err = fmt.Errorf("want %d columns as in the header, not %d", len(header), len(columns))
		}
		var c OutlierCluster
		if err == nil {
			if category >= 0 {
				c.Name = columns[category]
			}
			var errWords, errOutliers error
			c.Words, errWords = pythonList(columns[words])
			c.Outliers, errOutliers = pythonList(columns[outliers])
			if err = errors.Join(errWords, errOutliers); err == nil {
				err = c.tidy()
			}
		}
		if err != nil {
			return nil, &ParseError{Set: name, Line: l.number, Err: err}
		}
		clusters = append(clusters, c)
	}
	if len(clusters) == 0 {
		return nil, &ParseError{Set: name, Err: errNoOutliers}
	}
	return clusters, nil
}

// pythonList reads a list of strings as Python prints it.
func pythonList(text string) ([]string, error) {
	bad := fmt.Errorf("want a list such as ['a', 'b'], not %q", excerpt(text))
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "[")
	if !ok {
		return nil, bad
	}
	var list []string
	for {
		rest = strings.TrimLeft(rest, ", ")
		if rest == "]" {
			return list, nil
		}
		if rest == "" || rest[0] != '\'' && rest[0] != '"' {
			return nil, bad
		}
		var word strings.Builder
		end := -1
		for i := 1; i < len(rest); i++ {
			if rest[i] == '\\' && i+1 < len(rest) {
				i++
			} else if rest[i] == rest[0] {
				end = i
				break
			}
			word.WriteByte(rest[i])
		}
		if end < 0 {
			return nil, bad
		}
		list, rest = append(list, word.String()), rest[end+1:]
	}
}

// tidy removes empty words, joins those of several parts with underscores, and returns an error
// if the cluster is no test.
func (c *OutlierCluster) tidy() error {
	for _, list := range []*[]string{&c.Words, &c.Outliers} {
		kept := []string{}
		for _, word := range *list {
			if word = strings.Join(strings.Fields(word), "_"); word != "" {
				kept = append(kept, word)
			}
		}
		*list = kept
	}
	if len(c.Words) < 2 || len(c.Outliers) == 0 {
		return fmt.Errorf("want two or more words and one or more outliers in a cluster, not %d and %d", len(c.Words), len(c.Outliers))
	}
	return checkWords(slices.Concat(c.Words, c.Outliers)...)
}

func (o OutlierSet) named(name string) Set {
	o.Name = name
	return o
}

// part reports whether the set may be one file of a set that is a folder.
func (o OutlierSet) part() bool { return len(o.Clusters) == 1 }

// join is one set of the files of a folder.
func (o OutlierSet) join(name string, others []Set) Set {
	joined := OutlierSet{Name: name}
	for _, other := range append([]Set{o}, others...) {
		if o, ok := other.(OutlierSet); ok {
			joined.Clusters = append(joined.Clusters, o.Clusters...)
		}
	}
	return joined
}
