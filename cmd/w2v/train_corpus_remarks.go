package main

import (
	"fmt"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

// remarkLayout says what the corpus looks like, if that is not sentences, and what to do.
func (f *trainFlags) remarkLayout(src *corpus.Source, layout corpus.Layout, report *reporter) {
	what := ""
	switch layout.Kind {
	case corpus.LayoutText:
		return
	case corpus.LayoutJSON:
		what = "looks like JSON lines, whose names and braces become tokens: take the text out of them first, for example with jq -r .text"
	case corpus.LayoutTable:
		what = fmt.Sprintf("looks like a table of %d columns with %s between them, all of which become tokens: take the column that has the text, %s",
			layout.Fields, separatorName(layout.Separator), columnCommand(layout.Separator))
	case corpus.LayoutEdges:
		what = "looks like the edges of a graph, so that a token has one context a line: make random walks over the graph and train on these, one a line, --sample 0"
	case corpus.LayoutSequences:
		what = "looks like biological sequences, whose lines become tokens as a whole: leave out the lines of names, cut sequences into k-mers with spaces between them, and write one sequence a line"
	case corpus.LayoutUnsegmented:
		what = "is written without spaces between words: cut it into words with a segmenter first, or take single characters with --tokenizer unicode"
	case corpus.LayoutSingle:
		what = "has one token a line, and a line is a sentence, so that tokens have no contexts: " + joinAdvice(layout)
	}
	report.remark(string(layout.Kind), src.Name()+" "+what)
}

func separatorName(separator rune) string {
	switch separator {
	case '\t':
		return "tabs"
	case ',':
		return "commas"
	case ';':
		return "semicolons"
	}
	return fmt.Sprintf("%q", string(separator))
}

func columnCommand(separator rune) string {
	if separator == '\t' {
		return "for example with cut -f 2"
	}
	return "with a program that reads such tables"
}

// joinAdvice says how the tokens of lines that have one come together.
func joinAdvice(layout corpus.Layout) string {
	switch {
	case layout.Separator != 0:
		return fmt.Sprintf("put spaces in place of %s, for example with tr '%c' ' '", separatorName(layout.Separator), layout.Separator)
	case layout.Apart:
		return "join the tokens of a sentence into one line, for example with awk -v RS= '{$1=$1}1' where empty lines end sentences"
	}
	return "join the tokens of a sentence into one line, for example with tr '\\n' ' ', which makes one sentence of all"
}

// remarkSpelling says what of the vocabulary's spelling flags would change.
func (f *trainFlags) remarkSpelling(v *vocab.Vocab, report *reporter) {
	s := v.Spelling()
	cased := s.IsCased() && !f.corpus.options.Lowercase
	share := func(n int) string { return fmt.Sprintf("%d %%", 100*n/s.Tokens) }
	switch {
	case s.IsFew():
		report.remark("few-tokens", fmt.Sprintf("there are only %d distinct tokens, which tell little of each other: if these are letters or symbols, join several to one token; if rarer ones were dropped, lower --min-count (%d) or raise --max-vocab",
			s.Tokens, f.corpus.minCount))
	case s.IsPunctuated() && f.corpus.options.Tokenizer == corpus.Whitespace:
		text := fmt.Sprintf("%s of the distinct tokens begin or end with punctuation, as %q does, and are other words than without it: --tokenizer unicode", share(s.Punctuated), s.Example)
		if !f.corpus.options.Lowercase {
			text += " --lowercase"
		}
		report.remark("punctuation", text+" takes words without it")
	case cased:
		report.remark("case", fmt.Sprintf("%s of the distinct tokens differ from others by case alone: --lowercase makes one word of them", share(s.Cased)))
	}
}
