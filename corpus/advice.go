package corpus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An Advice is a better way to read a corpus, tried on a sample.
type Advice struct {
	Options Options // options that read sentences from the sample; unchanged without advice
	Tokens  float64 // mean number of tokens in a sentence of the sample; 0 without advice
	Tabs    bool    // the separators must first be replaced by tabs
	Without string  // characters that must first be removed, such as brackets around lists
}

// Advice finds and tries options that read sentences from a sample that does not look like sentences. It
// changes only where the text is and, for text without spaces, the tokenizer.
func (s Sample) Advice(o Options, l Layout) Advice {
	plain := o
	plain.TextColumn, plain.Header, plain.JSONField = 0, false, "" // the sample's lines are this text already
	nested := o.hasRecords()
	bare, without := s.withoutBrackets(l)
	for _, c := range bare.candidates(plain, l) {
		if t := c.sample.try(c.options); t.good() && !(nested && c.options.hasPlace()) {
			better := c.options
			if nested {
				better = o
				better.Split = c.options.Split
			}
			return Advice{better, t.perSentence(), c.tabs, without}
		}
	}
	return Advice{Options: o}
}

// marks are the characters around lists and their items, as in ['a', 'b'].
const marks = "[](){}'\""

// withoutBrackets removes the brackets of lists that are not JSON. It returns the sample without brackets and
// the removed characters.
func (s Sample) withoutBrackets(l Layout) (bare Sample, without string) {
	bracketed := func(line string) bool {
		line = strings.TrimSpace(line)
		return len(line) > 1 && strings.Contains("[] () {}", line[:1]+line[len(line)-1:])
	}
	if l.Kind == LayoutJSON || share(s.Lines, bracketed) < nearlyAll {
		return s, ""
	}
	bare = Sample{Lines: make([]string, len(s.Lines)), name: s.name}
	for i, line := range s.Lines {
		bare.Lines[i] = strings.Map(func(r rune) rune {
			if strings.ContainsRune(marks, r) {
				return -1
			}
			return r
		}, line)
	}
	return bare, marks
}

// hasPlace reports whether the text is only part of a line.
func (o Options) hasPlace() bool { return o.TextColumn > 0 || o.JSONField != "" }

// A candidate is a reading to try.
type candidate struct {
	options Options
	sample  Sample
	tabs    bool
}

// candidates returns readings that may suit a layout, the best first.
func (s Sample) candidates(o Options, l Layout) (all []candidate) {
	with := func(change func(*Options)) {
		c := o
		change(&c)
		all = append(all, candidate{options: c, sample: s})
	}
	if o.lists() {
		return nil
	}
	switch l.Kind {
	case LayoutJSON:
		for _, c := range optionsOf(o, jsonPlaces(s.Lines), false) {
			all = append(all, candidate{options: c, sample: s})
		}
	case LayoutTable, LayoutEdges, LayoutSingle:
		separator := l.Separator
		if l.Kind == LayoutEdges {
			separator = '\t'
		}
		at := s
		if separator == '|' {
			at = Sample{Lines: make([]string, len(s.Lines)), name: "x.tsv"}
			for i, line := range s.Lines {
				at.Lines[i] = strings.ReplaceAll(line, "|", "\t")
			}
			separator = '\t'
		}
		places, header := tablePlaces(at, separator)
		if l.Kind == LayoutSingle && len(places) > 1 {
			places = nil // lists of any length are not tables
		}
		if l.Kind != LayoutEdges && l.Separator != 0 && (l.Kind == LayoutSingle || alike(places)) {
			with(func(o *Options) { o.Split = strings.ReplaceAll(string(l.Separator), "\t", `\t`) })
		}
		for _, c := range optionsOf(o, places, header) {
			all = append(all, candidate{c, at, l.Separator == '|'})
		}
		if l.Kind == LayoutSingle { // prefer to read a quoted list as a list, not by its content
			slices.Reverse(all)
		}
	case LayoutText:
		if separator, ok := repeatedList(s.Lines); ok {
			with(func(o *Options) { o.Split = separator })
		}
	case LayoutUnsegmented:
		with(func(o *Options) { o.Tokenizer = Unicode })
		with(func(o *Options) { o.Tokenizer = Characters })
	}
	return all
}

// A trial is the result of reading a sample.
type trial struct {
	sentences, tokens int // number of tokens, in sentences with tokens
	counts            map[string]int
}

// try reads the sample as a corpus.
func (s Sample) try(o Options) trial {
	t := trial{counts: map[string]int{}}
	var text bytes.Buffer
	for _, line := range s.Lines {
		text.WriteString(line)
		text.WriteByte('\n')
	}
	shards, err := Stream(s.name, &text, o).Shards(1)
	if err != nil {
		return trial{}
	}
	within := false
	for token, err := range shards[0].Tokens(context.Background()) {
		switch {
		case err != nil:
			return trial{}
		case len(token) == 0:
			within = false
		default:
			if !within {
				t.sentences, within = t.sentences+1, true
			}
			t.tokens++
			t.counts[string(token)]++
		}
	}
	return t
}

func (t trial) perSentence() float64 { return float64(t.tokens) / float64(max(1, t.sentences)) }

// good reports whether tokens have contexts and some tokens repeat.
func (t trial) good() bool {
	return t.sentences > 1 && t.perSentence() >= 2 && len(t.counts) > 1 && len(t.counts) < t.tokens
}

// Keeps reports whether other options cut the sample into mostly the same words: at least four of five
// distinct tokens of o are also tokens with other, apart from case and from punctuation at their ends.
func (s Sample) Keeps(o, other Options) bool {
	folded := func(t trial) map[string]bool {
		words := map[string]bool{}
		for token := range t.counts {
			if word := strings.ToLower(strings.TrimFunc(token, isPunctuation)); word != "" {
				words[word] = true
			}
		}
		return words
	}
	before, after := folded(s.try(o)), folded(s.try(other))
	kept := 0
	for word := range before {
		if after[word] {
			kept++
		}
	}
	return len(before) > 0 && 5*kept >= 4*len(before)
}

// Distinct returns the number of distinct tokens of the sample.
func (s Sample) Distinct(o Options) int { return len(s.try(o).counts) }

// IsFASTA reports whether the sample begins as a FASTA file does.
func (s Sample) IsFASTA() bool { return len(s.Lines) > 0 && strings.HasPrefix(s.Lines[0], ">") }

// HasParagraphs reports whether empty lines separate groups of lines, of two or more lines on average.
func (s Sample) HasParagraphs() bool {
	lines, groups, within := 0, 0, false
	for _, line := range s.Lines {
		if strings.TrimSpace(line) == "" {
			within = false
			continue
		}
		if lines++; !within {
			groups, within = groups+1, true
		}
	}
	return groups > 1 && lines >= 2*groups
}

// A textPlace is a column of a table or a field of JSON, with its value in each line.
type textPlace struct {
	name   string // name of the column in the header, or of the field
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
	listWords = 3 // mean number of words in an item of a list, at most
	textWords = 3 // mean number of words in a text, at least
)

// optionsOf returns options that read the places, the best first: lists, texts, and events grouped by user.
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

// listOf returns the separator of values that are lists of short texts, and the mean number of items.
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

// repeatedList returns the separator if lines are lists whose items repeat or are single words. Clauses of
// prose, which commas separate too, are neither.
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

// events looks for two places with short values: the key of an event, such as a user, and the item. The
// values of both must repeat.
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

// alike reports whether all columns have the same kind of values, as in lists: many values occur in several
// columns.
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
	if separator == 0 { // lines of one token may be a column
		separator = ','
	}
	if columnSeparator(s.name, []byte(first)) != separator && len(s.Lines) > 0 && strings.ContainsRune(first, separator) {
		return nil, false // the table would not be read this way
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
		rows, _ = r.ReadAll() // text that is not CSV has no columns, or fewer rows
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

// isHeader reports whether the first row has column names: short, distinct, different from all values, and
// without digits in columns that contain digits.
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

// jsonPlaces returns the fields that occur in all lines.
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

// eachField calls use for the texts, the numbers, and the arrays of these in a JSON value.
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
