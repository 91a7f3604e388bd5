package corpus

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
)

// An Advice is another way to read a corpus, which was tried on a sample of it.
type Advice struct {
	Options Options // under which the sample is sentences; those that it was read with if there are none
	// Tokens is how many tokens a sentence of the sample has then; 0 if there is no advice.
	Tokens float64
	// Tabs says that this holds if tabs take the place of the separator.
	Tabs bool
	// Without is the characters without which this holds, such as brackets around the lists.
	Without string
}

// Advice looks for options under which a sample that looks like no sentences becomes some, and tries
// them. It only changes where the text is, and for text without spaces the tokenizer.
func (s Sample) Advice(o Options, l Layout) Advice {
	plain := o
	plain.TextColumn, plain.Header, plain.JSONField = 0, false, "" // of which the sample has the text already
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

// marks are what stands around lists and their items, as in ['a', 'b'].
const marks = "[](){}'\""

// withoutBrackets returns a sample of lists in brackets, which are no JSON, as lists without them, and the characters
// that are left out.
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

// hasPlace reports whether the text is in a part of a line.
func (o Options) hasPlace() bool { return o.TextColumn > 0 || o.JSONField != "" }

// A candidate is what to try.
type candidate struct {
	options Options
	sample  Sample
	tabs    bool
}

// candidates are what may be good for a layout, the best first.
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
			places = nil // a list of any length is no table
		}
		if l.Kind != LayoutEdges && l.Separator != 0 && (l.Kind == LayoutSingle || alike(places)) {
			with(func(o *Options) { o.Split = strings.ReplaceAll(string(l.Separator), "\t", `\t`) })
		}
		for _, c := range optionsOf(o, places, header) {
			all = append(all, candidate{c, at, l.Separator == '|'})
		}
		if l.Kind == LayoutSingle { // a list in quotation marks is a better reading of it than of what is within
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

// A trial is what a sample becomes.
type trial struct {
	sentences, tokens int // of sentences that have tokens
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
	r, err := shards[0].Open(context.Background())
	if err != nil {
		return trial{}
	}
	defer r.Close()
	within := false
	for {
		token, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return t
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
}

func (t trial) perSentence() float64 { return float64(t.tokens) / float64(max(1, t.sentences)) }

// good reports whether tokens have contexts, and some of them come again.
func (t trial) good() bool {
	return t.sentences > 1 && t.perSentence() >= 2 && len(t.counts) > 1 && len(t.counts) < t.tokens
}

// Keeps reports whether other options cut the words of the sample out of the text and leave them
// whole: at least four of five distinct tokens are words of it then, apart from punctuation at
// their ends and from case.
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

// Distinct returns how many distinct tokens the sample has.
func (s Sample) Distinct(o Options) int { return len(s.try(o).counts) }

// IsFASTA reports whether the sample begins as a FASTA file does.
func (s Sample) IsFASTA() bool { return len(s.Lines) > 0 && strings.HasPrefix(s.Lines[0], ">") }

// HasParagraphs reports whether empty lines stand between groups of lines, of two or more on the
// average.
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
