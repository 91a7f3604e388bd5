package eval

import (
	"path/filepath"
	"strings"
)

// A joiner is a set that may be a part of a larger one: a relation of many, a group of many.
type joiner interface {
	// part reports whether the set is such a part.
	part() bool
	// join returns one set of this one and the others, which have its type.
	join(name string, others []Set) Set
}

// joined puts the sets together that are parts of one.
func joined(found []SetFile) []SetFile {
	type part struct {
		folder string
		task   Task
	}
	of := func(s SetFile) part { return part{filepath.Dir(s.Files[0].Path), s.Set.Task()} }
	var sets []SetFile
	done := make(map[part]bool)
	for i, s := range found {
		first, ok := s.Set.(joiner)
		if !ok || !first.part() {
			sets = append(sets, s)
			continue
		}
		if done[of(s)] {
			continue
		}
		done[of(s)] = true
		var others []Set
		for _, other := range found[i+1:] {
			if o, ok := other.Set.(joiner); ok && o.part() && of(other) == of(s) {
				others = append(others, other.Set)
				s.Files = append(s.Files, other.Files...)
			}
		}
		if len(others) > 0 {
			s.Set = first.join(of(s).folder, others)
		}
		sets = append(sets, s)
	}
	return sets
}

// unique gives the sets short names that differ.
func unique(sets []SetFile) {
	paths := make([][]string, len(sets)) // of each set the elements of its path, without extensions
	depth := make([]int, len(sets))
	for i, s := range sets {
		paths[i] = elements(s)
		depth[i] = 1
	}
	short := func(i int) string { return strings.Join(paths[i][max(0, len(paths[i])-depth[i]):], "/") }
	for again := true; again; {
		again = false
		names := make(map[string][]int)
		for i := range sets {
			names[short(i)] = append(names[short(i)], i)
		}
		for _, same := range names {
			if len(same) == 1 {
				continue
			}
			for _, i := range same {
				if depth[i] < len(paths[i]) {
					depth[i]++
					again = true
				}
			}
		}
	}
	for i := range sets {
		sets[i].Set = sets[i].Set.named(short(i))
	}
}

// elements returns the folders of a set's path and its name.
func elements(s SetFile) []string {
	path := s.Files[0].Path
	if path == "-" {
		return []string{"stdin"}
	}
	if len(s.Files) > 1 {
		path = filepath.Dir(path)
		if whole, err := filepath.Abs(path); err == nil {
			path = whole // "." has no name
		}
		return strings.Split(filepath.ToSlash(path), "/")
	}
	folder, _ := filepath.Split(path)
	return strings.Split(filepath.ToSlash(folder)+SetName(path), "/")
}
