package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type jsonLines struct {
	lines  *lineReader
	called string   // what messages call the text
	path   []string // field names on the way to the text; none for the line itself
	key    []string // field names on the way to the key of GroupBy
	lists  bool     // numbers are tokens too
	text   []byte   // buffer for a text with escapes
}

// wholeLine names the line itself as the field.
const wholeLine = "."

func newJSONLines(size int, src io.Reader, o Options) *jsonLines {
	j := &jsonLines{lines: newLineReader(size, src), called: "the line", lists: o.lists()}
	if o.JSONField != wholeLine {
		j.path, j.called = strings.Split(o.JSONField, "."), strconv.Quote(o.JSONField)
	}
	if o.GroupBy != "" {
		j.key = strings.Split(o.GroupBy, ".")
	}
	return j
}

// JSONTexts yields the text of each line of JSON in r, in the field that Options.JSONField would name: empty if it
// is null. Blank lines are left out. An error, which names the line, ends the texts: the line is not JSON, or has
// something else than a text there.
func JSONTexts(r io.Reader, field string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		j := newJSONLines(bufferSize, r, Options{JSONField: field})
		for {
			text, err := j.next()
			switch {
			case errors.Is(err, io.EOF):
				return
			case err == nil && text.isList:
				err = j.lines.fail(0, "%s is an array, and must be a text", j.called)
			}
			if !yield(string(text.text), err) || err != nil {
				return
			}
		}
	}
}

func (j *jsonLines) line() uint64 { return j.lines.n }

func (j *jsonLines) next() (record, error) {
	line, err := j.lines.next()
	if err != nil {
		return record{}, err
	}
	if !json.Valid(line) {
		return record{}, j.invalid(line)
	}
	line = bytes.Trim(line, jsonSpace)
	key, err := j.keyOf(line)
	if err != nil {
		return record{}, err
	}
	value, err := j.find(line, j.path)
	if err != nil {
		return record{}, err
	}
	switch value[0] {
	case '"':
		return record{text: j.unquoted(value), key: key}, nil
	case 'n':
		return record{key: key}, nil // the line has no text
	case '[':
		tokens, err := j.list(value)
		return record{tokens: tokens, isList: true, key: key}, err
	}
	if kindOf(value) == aNumber && j.lists {
		return record{text: value, key: key}, nil
	}
	return record{}, j.lines.fail(0, "%s is %s, and must be a text or an array of tokens", j.called, kindOf(value))
}

func (j *jsonLines) keyOf(line []byte) ([]byte, error) {
	if len(j.key) == 0 {
		return nil, nil
	}
	value, err := j.find(line, j.key)
	if err != nil {
		return nil, err
	}
	switch c := value[0]; {
	case c == '"':
		value = bytes.Trim(bytes.Clone(j.unquoted(value)), blanks)
	case c == '{' || c == '[':
		return nil, j.lines.fail(0, "%q is %s, and lines are grouped by texts and numbers", strings.Join(j.key, "."), kindOf(value))
	}
	if len(value) == 0 || string(value) == "null" {
		return nil, j.lines.fail(0, "there is nothing in %q, by which lines are grouped", strings.Join(j.key, "."))
	}
	return value, nil
}

func (j *jsonLines) find(value []byte, path []string) ([]byte, error) {
	found, err := find(value, path)
	if err != nil {
		err = j.lines.fail(0, "%v", err)
	}
	return found, err
}

// find returns the value at a path of field names.
func find(value []byte, path []string) ([]byte, error) {
	value = bytes.Trim(value, jsonSpace)
	for i, name := range path {
		if value[0] != '{' {
			what := "the line is"
			if i > 0 {
				what = fmt.Sprintf("%q is", strings.Join(path[:i], "."))
			}
			return nil, fmt.Errorf("there is no field %q: %s %s and no object", strings.Join(path, "."), what, kindOf(value))
		}
		found, ok := member(value, name)
		if !ok {
			return nil, fmt.Errorf("there is no field %q", strings.Join(path[:i+1], "."))
		}
		value = found
	}
	return value, nil
}

func (j *jsonLines) invalid(line []byte) error {
	at, err := invalidJSON(line)
	return j.lines.fail(at, "%v", err)
}

// invalidJSON returns what is wrong with a line, and where.
func invalidJSON(line []byte) (at int, _ error) {
	var whatever json.RawMessage
	err := json.Unmarshal(line, &whatever)
	at = len(line)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok && e.Offset > 0 {
		at = int(e.Offset) - 1
	}
	return at, fmt.Errorf("the line is not one JSON value: %w", err)
}

// list returns the elements of an array: texts unescaped, and numbers as written.
func (j *jsonLines) list(array []byte) ([]string, error) {
	var tokens []string
	for element := range elements(array) {
		switch element[0] {
		case '"':
			tokens = append(tokens, string(j.unquoted(element)))
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			tokens = append(tokens, string(element))
		default:
			return nil, j.lines.fail(0, "element %d of %s is %s, and must be a text or a number", len(tokens)+1, j.called, kindOf(element))
		}
	}
	return tokens, nil
}

// elements yields the elements of an array.
func elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := skipSpace(array, 1); array[i] != ']'; {
			end := skipValue(array, i)
			if !yield(array[i:end]) {
				return
			}
			if i = skipSpace(array, end); array[i] == ',' {
				i = skipSpace(array, i+1)
			}
		}
	}
}

// unquoted returns the text of a string. It is valid until the next call.
func (j *jsonLines) unquoted(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	j.text = appendUnescaped(j.text[:0], inner)
	return j.text
}

// The functions below walk through JSON that is known to be valid, without allocating values as package
// encoding/json would.

const jsonSpace = " \t\r\n"

func skipSpace(b []byte, i int) int {
	for i < len(b) && strings.IndexByte(jsonSpace, b[i]) >= 0 {
		i++
	}
	return i
}

func skipString(b []byte, i int) int {
	for i++; ; i++ {
		k := bytes.IndexByte(b[i:], '"')
		end := i + k
		escapes := 0
		for b[end-1-escapes] == '\\' {
			escapes++
		}
		if i = end; escapes%2 == 0 {
			return end + 1
		}
	}
}

func skipValue(b []byte, i int) int {
	depth := 0
	for {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			i++ // in an object or an array
			continue
		default:
			for i < len(b) && strings.IndexByte(",:]} \t\r\n", b[i]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// member returns the value of a name in an object: of several, the last, as in most programs.
func member(object []byte, name string) (value []byte, ok bool) {
	for i := skipSpace(object, 1); object[i] != '}'; {
		end := skipString(object, i)
		key := object[i+1 : end-1]
		i = skipSpace(object, skipSpace(object, end)+1)
		end = skipValue(object, i)
		if string(key) == name || bytes.IndexByte(key, '\\') >= 0 && string(appendUnescaped(nil, key)) == name {
			value, ok = object[i:end], true
		}
		if i = skipSpace(object, end); object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
	return value, ok
}

// appendUnescaped appends the text within quotation marks. Halves of surrogate pairs become U+FFFD.
func appendUnescaped(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		c := s[i+1]
		s = s[i+2:]
		if at := strings.IndexByte("bfnrt", c); at >= 0 {
			dst = append(dst, "\b\f\n\r\t"[at])
			continue
		}
		if c != 'u' {
			dst = append(dst, c)
			continue
		}
		r := hexRune(s)
		s = s[4:]
		if utf16.IsSurrogate(r) {
			second := rune(utf8.RuneError)
			if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
				second = hexRune(s[2:])
			}
			if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
				s = s[6:]
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
}

func hexRune(s []byte) rune {
	n, _ := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(n)
}

const aNumber = "a number"

func kindOf(value []byte) string {
	switch c := value[0]; {
	case c == '{':
		return "an object"
	case c == '[':
		return "an array"
	case c == '"':
		return "a text"
	case slices.Contains([]byte("tfn"), c):
		return string(value)
	}
	return aNumber
}
