package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// compareFolders compares all files of two folders and returns how many there are.
func compareFolders(a, b string) (files int, differences []string, err error) {
	names := map[string]bool{}
	for _, folder := range []string{a, b} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(folder, path)
			names[name] = true
			return err
		})
		if err != nil {
			return 0, nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, errBefore := os.ReadFile(filepath.Join(a, name))
		after, errAfter := os.ReadFile(filepath.Join(b, name))
		switch {
		case errBefore != nil && errAfter != nil:
			return files, differences, errBefore
		case errBefore != nil:
			differences = append(differences, name+" is new")
		case errAfter != nil:
			differences = append(differences, name+" is missing")
		case filepath.Dir(name) == "results": // of a sweep: plots and tables, with times
			if filepath.Base(name) == "results.jsonl" {
				files++
				before, after = untimed(before), untimed(after)
				if d := describe(before, after); d != "" {
					differences = append(differences, name+": "+d)
				}
			}
		default:
			files++
			if d := describe(before, after); d != "" {
				differences = append(differences, name+": "+d)
			}
		}
	}
	return files, differences, nil
}

// timing is how the members of a sweep's results that are measured with a clock begin or end.
var timing = regexp.MustCompile(`seconds|per_second|time|_s$|speed|memory|version`)

// untimed is lines of JSON without what is measured with a clock.
func untimed(lines []byte) []byte {
	var out []byte
	for line := range bytes.Lines(lines) {
		var object map[string]any
		if json.Unmarshal(line, &object) == nil {
			drop(object)
			line, _ = json.Marshal(object) // it was JSON before
			line = append(line, '\n')
		}
		out = append(out, line...)
	}
	return out
}

func drop(object map[string]any) {
	for key, value := range object {
		if timing.MatchString(key) {
			delete(object, key)
		} else if inner, ok := value.(map[string]any); ok {
			drop(inner)
		}
	}
}

// describe says where two contents differ first. It is empty if they do not.
func describe(before, after []byte) string {
	if bytes.Equal(before, after) {
		return ""
	}
	at := 0
	for at < min(len(before), len(after)) && before[at] == after[at] {
		at++
	}
	text := fmt.Sprintf("differs from byte %d on, of %d before and %d now", at, len(before), len(after))
	if a, b := tensors(before), tensors(after); a != nil && b != nil {
		return text + ": " + describeTensors(a, b)
	}
	if printable(before, at) && printable(after, at) {
		return fmt.Sprintf("%s:\n  before: …%s…\n  now:    …%s…", text, around(before, at), around(after, at))
	}
	return text
}

// around is the text near a byte.
func around(text []byte, at int) string {
	return strings.ReplaceAll(string(text[max(0, at-60):min(len(text), at+60)]), "\n", "⏎")
}

func printable(content []byte, at int) bool {
	part := content[max(0, at-60):min(len(content), at+60)]
	return !bytes.ContainsFunc(part, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == '\uFFFD' })
}

// tensors are the contents of a safetensors file by name, the metadata among them; nil if it
// is none.
func tensors(file []byte) map[string]string {
	if len(file) < 8 {
		return nil
	}
	size := binary.LittleEndian.Uint64(file)
	if size > uint64(len(file)-8) {
		return nil
	}
	var header map[string]json.RawMessage
	if json.Unmarshal(file[8:8+size], &header) != nil {
		return nil
	}
	data := file[8+size:]
	found := map[string]string{}
	for name, raw := range header {
		if name == "__metadata__" {
			var metadata map[string]string
			if json.Unmarshal(raw, &metadata) != nil {
				return nil
			}
			for key, value := range metadata {
				found["metadata "+key] = value
			}
			continue
		}
		var tensor struct {
			DType   string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}
		if json.Unmarshal(raw, &tensor) != nil || tensor.Offsets[0] < 0 || tensor.Offsets[1] > len(data) || tensor.Offsets[0] > tensor.Offsets[1] {
			return nil
		}
		found[name] = fmt.Sprint(tensor.DType, tensor.Shape, " ") + string(data[tensor.Offsets[0]:tensor.Offsets[1]])
	}
	return found
}

// describeTensors names what differs.
func describeTensors(before, after map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		value, ok := after[name]
		switch {
		case !ok:
			parts = append(parts, name+" is missing")
		case value != before[name] && strings.HasPrefix(name, "metadata"):
			parts = append(parts, fmt.Sprintf("%s:\n  before: %s\n  now:    %s", name, shorten(before[name]), shorten(value)))
		case value != before[name]:
			parts = append(parts, name+" differs")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[name]; !ok {
			value := after[name]
			if !strings.HasPrefix(name, "metadata") {
				value, _, _ = strings.Cut(value, "] ") // the type and the shape
				value += "]"
			}
			parts = append(parts, name+" is new: "+shorten(value))
		}
	}
	if parts == nil {
		return "the same tensors in another order or place"
	}
	return strings.Join(parts, "; ")
}

func shorten(text string) string {
	if len(text) > 600 {
		return text[:600] + "…"
	}
	return text
}
