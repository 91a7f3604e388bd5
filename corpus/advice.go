package corpus

import (
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
	plain.TextColumn, plain.Header, plain.JSONField = "", false, "" // the sample's lines are this text already
	nested := o.hasRecords()
	bare, without := s.withoutBrackets(l)
	for _, c := range bare.candidates(plain, l) {
		if t := c.sample.try(c.options); t.good() && !(nested && (c.options.TextColumn != "" || c.options.JSONField != "")) {
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

// withoutBrackets removes the brackets of lists that are not JSON, as in ['a', 'b'], and says which.
func (s Sample) withoutBrackets(l Layout) (bare Sample, without string) {
	const marks = "[](){}'\""
	bracketed := func(line string) bool {
		line = strings.TrimSpace(line)
		return len(line) > 1 && strings.Contains("[] () {}", line[:1]+line[len(line)-1:])
	}
	if l.Kind == LayoutJSON || share(s.Lines, bracketed) < nearlyAll {
		return s, ""
	}
	return s.mapped(func(line string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(marks, r) {
				return -1
			}
			return r
		}, line)
	}), marks
}

func (s Sample) mapped(to func(line string) string) Sample {
	lines := make([]string, len(s.Lines))
	for i, line := range s.Lines {
		lines[i] = to(line)
	}
	return Sample{Lines: lines, name: s.name}
}

type candidate struct {
	options Options
	sample  Sample
	tabs    bool
}

// candidates returns readings that may suit a layout, the best first.
func (s Sample) candidates(o Options, l Layout) (all []candidate) {
	if o.lists() {
		return nil
	}
	add := func(options ...Options) {
		for _, c := range options {
			all = append(all, candidate{c, s, l.Separator == '|'})
		}
	}
	split := func(separator string) Options {
		o := o
		o.Split = separator
		return o
	}
	switch l.Kind {
	case LayoutJSON:
		add(optionsOf(o, jsonPlaces(s.Lines), false)...)
	case LayoutTable, LayoutEdges, LayoutSingle:
		separator := l.Separator
		if l.Kind == LayoutEdges {
			separator = '\t'
		}
		at := s
		if separator == '|' {
			at = s.mapped(func(line string) string { return strings.ReplaceAll(line, "|", "\t") })
			at.name, separator = "x.tsv", '\t'
		}
		places, header := tablePlaces(at, separator)
		if l.Kind == LayoutSingle && len(places) > 1 {
			places = nil // lists of any length are not tables
		}
		if l.Kind != LayoutEdges && l.Separator != 0 && (l.Kind == LayoutSingle || alike(places)) {
			all = append(all, candidate{options: split(strings.ReplaceAll(string(l.Separator), "\t", `\t`)), sample: s})
		}
		s = at
		add(optionsOf(o, places, header)...)
		if l.Kind == LayoutSingle { // prefer to read a quoted list as a list, not by its content
			slices.Reverse(all)
		}
	case LayoutText:
		if separator, ok := repeatedList(s.Lines); ok {
			add(split(separator))
		}
	case LayoutUnsegmented:
		words, characters := o, o
		words.Tokenizer, characters.Tokenizer = Unicode, Characters
		add(words, characters)
	}
	return all
}

type trial struct {
	sentences, tokens int // number of tokens, in sentences with tokens
	counts            map[string]int
}

func (s Sample) try(o Options) trial {
	t := trial{counts: map[string]int{}}
	shards, err := Stream(s.name, strings.NewReader(strings.Join(s.Lines, "\n")), o).Shards(1)
	if err != nil {
		return trial{}
	}
	within := false
	for token, err := range shards[0].Tokens(context.Background()) {
		if err != nil {
			return trial{}
		}
		if len(token) > 0 {
			if !within {
				t.sentences++
			}
			t.tokens++
			t.counts[string(token)]++
		}
		within = len(token) > 0
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

func (p textPlace) options(o Options, header bool) Options {
	if p.column == 0 {
		o.JSONField = p.name
		return o
	}
	o.TextColumn, o.Header = Column(strconv.Itoa(p.column)), header
	return o
}

func distinct(values []string) int {
	seen := map[string]bool{}
	for _, v := range values {
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
		text    int // 0 for a list
		rate    float64
	}
	var several []rated
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
			several = append(several, rated{read, 0, words})
		case separator != "":
			read.Split = separator
			several = append(several, rated{read, 0, parts})
		case words >= textWords:
			several = append(several, rated{read, 1, words})
		case words > 0:
			single = append(single, p)
		}
	}
	slices.SortStableFunc(several, func(a, b rated) int { return cmp.Or(a.text-b.text, cmp.Compare(b.rate, a.rate)) })
	for _, r := range several {
		all = append(all, r.options)
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

// repeatedList returns the separator of lists whose items repeat or are single words, unlike clauses of prose.
func repeatedList(lines []string) (separator string, ok bool) {
	if separator, _ = listOf(lines); separator == "" {
		return "", false
	}
	var items []string
	for _, item := range strings.Split(strings.Join(lines, separator), separator) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	single := func(item string) bool { return !strings.ContainsAny(item, " \t") }
	return separator, 2*distinct(items) <= len(items) || share(items, single) >= nearlyAll
}

// events looks for the key of an event, such as a user, and its item: short values that repeat.
func events(places []textPlace) (key, item textPlace, ok bool) {
	// called returns 0 for a place that is called so, else 1.
	called := func(p textPlace, words ...string) int {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(p.name), w) }) {
			return 0
		}
		return 1
	}
	keyRank := func(p textPlace) int {
		return called(p, "session", "basket", "order", "playlist", "user", "customer", "client", "visitor", "member")
	}
	itemRank := func(p textPlace) int {
		rank := called(p, "item", "product", "sku", "track", "song", "movie", "article", "page", "url", "event", "action", "game", "book")
		if rank > 0 && share(p.values, isNumber) == 1 {
			rank = 2
		}
		return rank
	}
	keys := slices.DeleteFunc(slices.Clone(places), func(p textPlace) bool { n := distinct(p.values); return n < 2 || 2*n > len(p.values) })
	if len(keys) == 0 {
		return key, item, false
	}
	key = slices.MinFunc(keys, func(a, b textPlace) int { return keyRank(a) - keyRank(b) })
	items := slices.DeleteFunc(slices.Clone(places), func(p textPlace) bool {
		n := distinct(p.values)
		return p.name == key.name && p.column == key.column || n < 2 || 10*n > 9*len(p.values)
	})
	if len(items) == 0 {
		return key, item, false
	}
	return key, slices.MinFunc(items, func(a, b textPlace) int {
		return cmp.Or(itemRank(a)-itemRank(b), distinct(b.values)-distinct(a.values))
	}), true
}

// alike reports whether many values occur in several columns, as in lists.
func alike(places []textPlace) bool {
	var all []string
	sum := 0
	for _, p := range places {
		if share(p.values, isNumber) > 0.5 {
			return false
		}
		sum += distinct(p.values)
		all = append(all, p.values...)
	}
	return len(places) > 1 && 10*distinct(all) <= 7*sum
}

func tablePlaces(s Sample, separator rune) (places []textPlace, header bool) {
	if separator == 0 { // lines of one token may be a column
		separator = ','
	}
	first := strings.Join(s.Lines[:min(1, len(s.Lines))], "")
	if columnSeparator(s.name, []byte(first)) != separator && strings.ContainsRune(first, separator) {
		return nil, false // the table would not be read this way
	}
	r := csv.NewReader(strings.NewReader(strings.Join(s.Lines, "\n")))
	r.Comma, r.FieldsPerRecord = separator, -1
	rows, _ := r.ReadAll() // text that is not CSV has no columns, or fewer rows
	if separator == '\t' { // without quoting
		rows = nil
		for _, line := range s.Lines {
			if strings.TrimSpace(line) != "" {
				rows = append(rows, strings.Split(line, "\t"))
			}
		}
	}
	if len(rows) < fewLines {
		return nil, false
	}
	width := 1 << 10
	for _, row := range rows {
		width = min(width, len(row))
	}
	header = isHeader(rows, width)
	for c := range width {
		p := textPlace{column: c + 1}
		for _, row := range rows {
			p.values = append(p.values, strings.TrimSpace(row[c]))
		}
		if header {
			p.name, p.values = p.values[0], p.values[1:]
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
