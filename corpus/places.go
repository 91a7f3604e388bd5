package corpus

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A textPlace is a column or a field, with its value in each line.
type textPlace struct {
	name   string // of a column in the header, or of a field
	column int    // 0 for a field
	values []string
	arrays bool
}

// options returns options that read the place.
func (p textPlace) options(o Options, header bool) Options {
	if p.column == 0 {
		o.JSONField = p.name
		return o
	}
	o.TextColumn, o.Header = p.column, header
	return o
}

// distinct returns the number of values that differ.
func (p textPlace) distinct() int {
	seen := map[string]bool{}
	for _, v := range p.values {
		seen[v] = true
	}
	return len(seen)
}

const (
	listWords = 3 // in a token of a list at most, on the average
	textWords = 3 // in a text at least
)

// optionsOf returns options that read the places, the best first: lists, texts, and the events of a
// user.
func optionsOf(o Options, places []textPlace, header bool) (all []Options) {
	type rated struct {
		options Options
		rate    float64
	}
	var lists, texts []rated
	var single []textPlace
	for _, p := range places {
		read := p.options(o, header)
		separator, parts := listOf(p.values)
		words := 0.0
		for _, v := range p.values {
			words += float64(len(strings.Fields(v))) / float64(len(p.values))
		}
		switch {
		case p.arrays:
			lists = append(lists, rated{read, words})
		case separator != "":
			read.Split = separator
			lists = append(lists, rated{read, parts})
		case words >= textWords:
			texts = append(texts, rated{read, words})
		case words > 0:
			single = append(single, p)
		}
	}
	for _, of := range [][]rated{lists, texts} {
		slices.SortStableFunc(of, func(a, b rated) int { return cmp.Compare(b.rate, a.rate) })
		for _, r := range of {
			all = append(all, r.options)
		}
	}
	if key, item, ok := events(single); ok {
		read := item.options(o, header)
		if read.GroupBy = strconv.Itoa(key.column); key.column == 0 || header {
			read.GroupBy = key.name
		}
		all = append(all, read)
	}
	return all
}

// listOf returns the separator of values that are lists of short texts, and how many these have.
func listOf(values []string) (separator string, parts float64) {
	for _, c := range []string{",", ";", "|"} {
		n, words, with := 0, 0, 0
		for _, v := range values {
			if strings.Contains(v, c) {
				with++
			}
			for _, part := range strings.Split(v, c) {
				if k := len(strings.Fields(part)); k > 0 {
					n, words = n+1, words+k
				}
			}
		}
		if mean := float64(n) / float64(max(1, len(values))); 2*with >= len(values) && n > 0 && words <= listWords*n && mean > parts {
			separator, parts = c, mean
		}
	}
	return separator, parts
}

// repeatedList returns what separates the items of lists that are lines, if items come again or are single words.
// Clauses of prose, between which there are commas too, do not and are not.
func repeatedList(lines []string) (separator string, ok bool) {
	separator, _ = listOf(lines)
	if separator == "" {
		return "", false
	}
	seen, n, single := map[string]bool{}, 0, 0
	for _, line := range lines {
		for part := range strings.SplitSeq(line, separator) {
			if part = strings.TrimSpace(part); part != "" {
				seen[part] = true
				n++
				if !strings.ContainsAny(part, " \t") {
					single++
				}
			}
		}
	}
	return separator, 2*len(seen) <= n || float64(single) >= nearlyAll*float64(n)
}

// events looks among places with short values for the one that says whose an event is, such as a
// user, and for the one that says what it is. The values of both must come again.
func events(places []textPlace) (key, item textPlace, ok bool) {
	called := func(p textPlace, words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(p.name), w) })
	}
	keys := slices.DeleteFunc(slices.Clone(places), func(p textPlace) bool { n := p.distinct(); return n < 2 || 2*n > len(p.values) })
	slices.SortStableFunc(keys, func(a, b textPlace) int {
		rank := func(p textPlace) int {
			if called(p, "session", "basket", "order", "playlist", "user", "customer", "client", "visitor", "member") {
				return 0
			}
			return 1
		}
		return rank(a) - rank(b)
	})
	if len(keys) == 0 {
		return key, item, false
	}
	key = keys[0]
	items := slices.DeleteFunc(slices.Clone(places), func(p textPlace) bool {
		n := p.distinct()
		return p.name == key.name && p.column == key.column || n < 2 || 10*n > 9*len(p.values)
	})
	slices.SortStableFunc(items, func(a, b textPlace) int {
		rank := func(p textPlace) int {
			switch {
			case called(p, "item", "product", "sku", "track", "song", "movie", "article", "page", "url", "event", "action", "game", "book"):
				return 0
			case !slices.ContainsFunc(p.values, func(v string) bool { return !isNumber(v) }):
				return 2
			}
			return 1
		}
		return cmp.Or(rank(a)-rank(b), b.distinct()-a.distinct())
	})
	if len(items) == 0 {
		return key, item, false
	}
	return key, items[0], true
}

// alike reports whether all columns have the same kind of values, as lists have: many values are in
// more than one of them.
func alike(places []textPlace) bool {
	all, sum := map[string]bool{}, 0
	for _, p := range places {
		if share(p.values, isNumber) > 0.5 {
			return false
		}
		sum += p.distinct()
		for _, v := range p.values {
			all[v] = true
		}
	}
	return len(places) > 1 && 10*len(all) <= 7*sum
}

// tablePlaces returns the columns of a table, and whether it has a header.
func tablePlaces(s Sample, separator rune) (places []textPlace, header bool) {
	var rows [][]string
	first := ""
	if len(s.Lines) > 0 {
		first = s.Lines[0]
	}
	if separator == 0 { // lines of one token may be one column
		separator = ','
	}
	if columnSeparator(s.name, []byte(first)) != separator && len(s.Lines) > 0 && strings.ContainsRune(first, separator) {
		return nil, false // which is not how the table would be read
	}
	if separator == '\t' {
		for _, line := range s.Lines {
			if strings.TrimSpace(line) != "" {
				rows = append(rows, strings.Split(line, "\t"))
			}
		}
	} else {
		r := csv.NewReader(strings.NewReader(strings.Join(s.Lines, "\n")))
		r.Comma, r.FieldsPerRecord = separator, -1
		rows, _ = r.ReadAll() // what is no CSV has no columns, or fewer rows
	}
	width := 1 << 10
	for _, row := range rows {
		width = min(width, len(row))
	}
	if len(rows) < fewLines {
		return nil, false
	}
	header = isHeader(rows, width)
	for c := range width {
		p := textPlace{column: c + 1}
		if header {
			p.name = strings.TrimSpace(rows[0][c])
		}
		for _, row := range rows {
			p.values = append(p.values, strings.TrimSpace(row[c]))
		}
		if header {
			p.values = p.values[1:]
		}
		places = append(places, p)
	}
	return places, header
}

// isHeader reports whether the first row has names of columns: short ones, different from each other and
// from all values, and without digits in a column that has some.
func isHeader(rows [][]string, width int) bool {
	digits, seen := false, map[string]bool{}
	for c := range width {
		name := strings.TrimSpace(rows[0][c])
		if name == "" || hasDigit(name) || len(name) > shortID || seen[name] {
			return false
		}
		seen[name] = true
		all := true
		for _, row := range rows[1:] {
			if strings.TrimSpace(row[c]) == name {
				return false
			}
			all = all && hasDigit(row[c])
		}
		digits = digits || all
	}
	return digits
}

// jsonPlaces returns the fields that all lines have.
func jsonPlaces(lines []string) []textPlace {
	found, n := map[string]*textPlace{}, 0
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		var value any
		if d.Decode(&value) != nil {
			continue
		}
		n++
		eachField("", value, func(path, text string, array bool) {
			if found[path] == nil {
				found[path] = &textPlace{name: path}
			}
			p := found[path]
			p.values, p.arrays = append(p.values, text), p.arrays || array
		})
	}
	var places []textPlace
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if len(found[path].values) == n {
			places = append(places, *found[path])
		}
	}
	return places
}

// eachField calls use for the texts, numbers and arrays of them in a value of JSON.
func eachField(path string, value any, use func(path, text string, array bool)) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if name != "" && !strings.Contains(name, ".") {
				eachField(strings.TrimPrefix(path+"."+name, "."), inner, use)
			}
		}
	case []any:
		var texts []string
		for _, element := range v {
			switch element := element.(type) {
			case string:
				texts = append(texts, strings.ReplaceAll(element, " ", "_"))
			case json.Number:
				texts = append(texts, element.String())
			default:
				return
			}
		}
		use(cmp.Or(path, wholeLine), strings.Join(texts, " "), true)
	case string:
		use(cmp.Or(path, wholeLine), v, false)
	case json.Number:
		use(path, v.String(), false)
	}
}
