package phrases

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/plaintext"
)

// fileFormat begins the first line of a pass.
const fileFormat = "w2v-phrases-1"

// WriteTo writes the table as text, with tab-separated fields. Each pass begins with a line: the format's
// name, the pass's number, the number of its phrases, the delimiter and the connectors. Then each phrase has
// a line: the phrase, its first and its last word, count and score. Read reads this format. A token that
// contains a tab or newline, which tokens of text never do, is an error.
func (t *Table) WriteTo(w io.Writer) (int64, error) {
	var text bytes.Buffer
	all := t.Phrases()
	for i, p := range t.passes {
		end := 0
		for end < len(all) && all[end].Pass == i+1 {
			end++
		}
		head := []string{fileFormat, strconv.Itoa(i + 1), strconv.Itoa(end), p.delimiter}
		if err := writeFields(&text, append(head, slices.Sorted(maps.Keys(p.connectors))...)); err != nil {
			return 0, err
		}
		for _, of := range all[:end] {
			if err := writeFields(&text, []string{of.Phrase, of.First, of.Last, strconv.FormatUint(of.Count, 10), strconv.FormatFloat(of.Score, 'g', -1, 64)}); err != nil {
				return 0, err
			}
		}
		all = all[end:]
	}
	return text.WriteTo(w)
}

func writeFields(out *bytes.Buffer, fields []string) error {
	for _, f := range fields {
		if strings.ContainsAny(f, "\t\n\r") {
			return fmt.Errorf("phrases: token %.40q cannot be written: a field of the table has no tab and no newline", f)
		}
	}
	out.WriteString(strings.Join(fields, "\t") + "\n")
	return nil
}

// longestLine is larger than any line of a phrase. It also limits the line of connectors.
const longestLine = 64 * corpus.MaxToken

// Read reads a table that WriteTo has written. An error names the line.
func Read(r io.Reader) (*Table, error) {
	lines := bufio.NewScanner(plaintext.NewReader(r))
	lines.Buffer(nil, longestLine)
	t, left, number := &Table{}, 0, 0
	for lines.Scan() {
		number++
		fields := strings.Split(lines.Text(), "\t")
		var err error
		if left == 0 {
			fields[0] = strings.TrimPrefix(fields[0], "\ufeff") // some editors begin a text with it
			left, err = t.readPass(fields)
		} else {
			left--
			err = t.readPhrase(fields)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: has more than %d bytes, and no line of a table of phrases has", number+1, longestLine)
	case err != nil:
		return nil, err
	case number == 0:
		return nil, errors.New("is empty, and no table of phrases")
	case left > 0:
		return nil, fmt.Errorf("ends after line %d, and %d more phrases should follow: it was cut short", number, left)
	}
	return t, nil
}

func (t *Table) readPass(fields []string) (phrases int, err error) {
	const least = 4
	if fields[0] != fileFormat || len(fields) < least {
		return 0, fmt.Errorf("expected a pass of a table of phrases, which begins with %q, found %.40q", fileFormat, strings.Join(fields, "\t"))
	}
	if fields[1] != strconv.Itoa(len(t.passes)+1) || len(t.passes) == maxPasses {
		return 0, fmt.Errorf("expected pass %d of at most %d, found pass %.40q", len(t.passes)+1, maxPasses, fields[1])
	}
	if phrases, err = strconv.Atoi(fields[2]); err != nil || phrases < 0 {
		return 0, fmt.Errorf("expected how many phrases there are, found %.40q", fields[2])
	}
	connectors := fields[least:]
	if err := validateWords(fields[3], connectors); err != nil {
		return 0, err
	}
	t.passes = append(t.passes, newPass(Options{Delimiter: fields[3], Connectors: connectors}))
	return phrases, nil
}

func (t *Table) readPhrase(fields []string) error {
	if len(fields) != 5 {
		return fmt.Errorf("expected a phrase, its first and last word, its count and its score, found %d fields", len(fields))
	}
	p, joined, first, last := t.passes[len(t.passes)-1], fields[0], fields[1], fields[2]
	count, err := strconv.ParseUint(fields[3], 10, 64)
	if err != nil {
		return fmt.Errorf("expected the count of phrase %.40q, found %.40q", joined, fields[3])
	}
	score, err := decimal.Float(fields[4])
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return fmt.Errorf("expected the score of phrase %.40q, found %.40q", joined, fields[4])
	}
	if len(joined) > corpus.MaxToken {
		return fmt.Errorf("phrase %.20q… has %d bytes, at most %d are possible", joined, len(joined), corpus.MaxToken)
	}
	possible := false
	p.splits(joined, func(a, b string) { possible = possible || a == first && b == last })
	if !possible {
		return fmt.Errorf("phrase %.40q is not %.40q and %.40q with %q and connectors between them", joined, first, last, p.delimiter)
	}
	if p.has([]byte(joined), len(first), len(last)) {
		return fmt.Errorf("phrase %.40q stands there a second time", joined)
	}
	pairs := append(p.phrases[joined], pair{len(first), len(last), count, score})
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.first, b.first) })
	p.phrases[joined] = pairs
	return nil
}

// Written says what WriteText has written.
type Written struct {
	Sentences uint64 `json:"sentences"`
	Tokens    uint64 `json:"tokens"` // a joined phrase is one
	// TooLong describes the tokens that were left out.
	TooLong corpus.TooLong `json:"-"`
}

// WriteText writes a corpus as text, with its phrases joined: a line for each sentence, with a
// space between tokens. A token with white space in it, which text cannot hold, is an error.
func (t *Table) WriteText(ctx context.Context, w io.Writer, src *corpus.Source) (written Written, err error) {
	out := bufio.NewWriterSize(w, 1<<16)
	shards, err := t.Apply(src).Shards(1)
	if err != nil {
		return written, err
	}
	for _, shard := range shards {
		if err := writeShard(ctx, out, shard, &written); err != nil {
			return written, err
		}
	}
	written.TooLong = corpus.TooLongIn(shards)
	return written, out.Flush()
}

// checkEvery is how many tokens are written between two checks of the context.
const checkEvery = 1 << 16

func writeShard(ctx context.Context, out *bufio.Writer, shard corpus.Shard, written *Written) error {
	within, n := false, 0
	for token, err := range shard.Tokens(ctx) {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case err != nil:
			return err
		case len(token) == 0:
			within = false
			written.Sentences++
			_ = out.WriteByte('\n') // Flush returns the error
			continue
		case bytes.ContainsAny(token, separators):
			return fmt.Errorf("token %.40q contains white space, and text cannot hold it", token)
		case within:
			_ = out.WriteByte(' ')
		}
		within = true
		written.Tokens++
		if _, err := out.Write(token); err != nil {
			return err
		}
	}
	if !within {
		return nil
	}
	written.Sentences++
	return out.WriteByte('\n')
}
