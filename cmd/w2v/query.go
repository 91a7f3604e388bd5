package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// withModel opens a model for as long as use takes.
func withModel(path string, use func(*vectors.Set) error) error {
	s, err := vectors.Open(path)
	if err != nil {
		return err
	}
	err = use(s)
	if err == nil {
		err = s.Err() // rows that could not be read counted as zeros
	}
	return errors.Join(err, s.Close())
}

// withWholeModel is withModel for what looks at every vector: nothing in the file
// is left unchecked.
func withWholeModel(path string, use func(*vectors.Set) error) error {
	return withModel(path, func(s *vectors.Set) error {
		if err := s.Check(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return use(s)
	})
}

// queries returns the words of the command line or, if there are none, those
// that split finds in the lines of r. A read error ends them and is left in err.
func queries(words []string, r io.Reader, split func(line string) []string, err *error) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, word := range words {
			if !yield(word) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		lines := bufio.NewReader(r)
		for {
			line, readErr := lines.ReadString('\n')
			for _, word := range split(strings.TrimRight(line, "\r\n")) {
				if !yield(word) {
					return
				}
			}
			if errors.Is(readErr, io.EOF) {
				return
			}
			if readErr != nil {
				*err = fmt.Errorf("standard input: %w", readErr)
				return
			}
		}
	}
}

// white are the bytes that separate tokens in a corpus. Other white space, such as
// no-break spaces, is part of words.
const white = " \t\r\n\v\f\x00"

// wordsOf splits a line into words as a corpus is split.
func wordsOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(white, r) })
}

// wholeLine takes a line as one query.
func wholeLine(line string) []string {
	if line = strings.Trim(line, white); line == "" {
		return nil
	}
	return []string{line}
}

// missing counts queries without an answer and says which they are.
type missing struct {
	to    io.Writer
	model string
	what  string // is asked for
	why   string
	n     int
	all   int
}

func newMissing(s streams, path string, set *vectors.Set) *missing {
	why := "not in the vocabulary"
	switch {
	case set.Composition == vectors.ComposeWeighted:
		why = "not in the vocabulary, and without n-grams that were trained"
	case set.Subword != nil:
		why = "not in the vocabulary, and without n-grams"
	}
	return &missing{to: s.err, model: path, what: "words", why: why}
}

func (m *missing) add(word string) {
	fmt.Fprintf(m.to, "w2v: %s: %.80q is %s\n", m.model, word, m.why)
	m.n++
}

func (m *missing) err() error {
	if m.n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d %s have no vector", m.n, m.all, m.what)
}

func printNeighbors(w io.Writer, indent string, neighbors []vectors.Neighbor) error {
	width := 0
	for _, n := range neighbors {
		width = max(width, len([]rune(n.Word)))
	}
	for _, n := range neighbors {
		pad := strings.Repeat(" ", width-len([]rune(n.Word)))
		if _, err := fmt.Fprintf(w, "%s%s%s %.4f\n", indent, n.Word, pad, n.Similarity); err != nil {
			return err
		}
	}
	return nil
}

func newNN(s streams) *cobra.Command {
	var k int
	var asJSON bool
	c := &cobra.Command{
		Use:   "nn [flags] MODEL [WORD...]",
		Short: "Print the nearest neighbours of words",
		Long: `Print the words nearest to each WORD by cosine, or to each line of standard input
if no WORD is given. Words that are not in the vocabulary are composed from
n-grams if the model has them. The exit code is 1 if a word has no vector.`,
		Example: `  w2v nn model.bin paris
  w2v nn model.bin -k 3 --json < words.txt`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if k < 1 {
				return &usageError{c.CommandPath(), fmt.Errorf("-k must be at least 1, is %d", k)}
			}
			return withWholeModel(args[0], func(set *vectors.Set) (err error) {
				out := bufio.NewWriter(s.out)
				defer func() { err = errors.Join(err, out.Flush()) }()
				if err := noteNotFinite(s.err, args[0], set, leftOut); err != nil {
					return err
				}
				absent := newMissing(s, args[0], set)
				words := args[1:]
				v := make([]float32, set.Dim())
				var readErr error
				for word := range queries(words, s.in, wholeLine, &readErr) {
					absent.all++
					found := []vectors.Neighbor{}
					if set.Vector(v, word) {
						var skip []int
						if id, ok := set.ID(word); ok {
							skip = append(skip, id)
						}
						found = set.Nearest(v, k, skip...)
					} else {
						absent.add(word)
						if !asJSON {
							continue
						}
					}
					if asJSON {
						err = printJSON(out, struct {
							Query     string             `json:"query"`
							Neighbors []vectors.Neighbor `json:"neighbors"`
						}{word, found})
					} else if len(words) == 1 {
						err = printNeighbors(out, "", found)
					} else {
						fmt.Fprintf(out, "%s\n", word)
						err = printNeighbors(out, "  ", found)
					}
					if err == nil && len(words) == 0 {
						err = out.Flush() // somebody may be waiting for the answer
					}
					if err != nil {
						return err
					}
				}
				return errors.Join(readErr, absent.err())
			})
		},
	}
	c.Flags().IntVarP(&k, "neighbors", "k", 10, "how many neighbours")
	addJSON(c, &asJSON)
	return c
}

func newAnalogy(s streams) *cobra.Command {
	var k int
	var method string
	var asJSON bool
	c := &cobra.Command{
		Use:   "analogy [flags] MODEL A B C",
		Short: `Answer "A is to B as C is to …"`,
		Long: `Print the words that are to C as B is to A, best first. A, B and C themselves are
no answers.`,
		Example: `  w2v analogy model.bin france paris italy`,
		Args:    usage(cobra.ExactArgs(4)),
		RunE: func(c *cobra.Command, args []string) error {
			if k < 1 {
				return &usageError{c.CommandPath(), fmt.Errorf("-k must be at least 1, is %d", k)}
			}
			m := vectors.AnalogyMethod(method)
			if err := m.Validate(); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			return withWholeModel(args[0], func(set *vectors.Set) error {
				if err := noteNotFinite(s.err, args[0], set, leftOut); err != nil {
					return err
				}
				found, err := set.Analogy(args[1], args[2], args[3], k, m)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				if asJSON {
					return printJSON(s.out, struct {
						A       string             `json:"a"`
						B       string             `json:"b"`
						C       string             `json:"c"`
						Answers []vectors.Neighbor `json:"answers"`
					}{args[1], args[2], args[3], found})
				}
				return printNeighbors(s.out, "", found)
			})
		},
	}
	c.Flags().IntVarP(&k, "neighbors", "k", 10, "how many answers")
	c.Flags().StringVar(&method, "method", string(vectors.CosAdd), "3cosadd or 3cosmul")
	addJSON(c, &asJSON)
	return c
}
