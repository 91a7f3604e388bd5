package train

import (
	"fmt"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vocab"
)

// remarkf returns a remark.
func remarkf(kind, format string, args ...any) Remark { return Remark{kind, messagef(format, args...)} }

// layoutRemark says what a corpus looks like, if that is not sentences, and what to do.
func layoutRemark(corpusName string, layout corpus.Layout) (Remark, bool) {
	var what Message
	switch layout.Kind {
	case corpus.LayoutJSON:
		what = messagef("looks like JSON lines, whose names and braces become tokens: name the field that has the text, for example with %v", name("json-field").to("text"))
	case corpus.LayoutTable:
		what = messagef("looks like a table of %d columns with %s between them, all of which become tokens: %v",
			layout.Fields, separatorName(layout.Separator), columnAdvice(layout.Separator))
	case corpus.LayoutEdges:
		what = messagef("looks like the edges of a graph, so that a token has one context a line: train on random walks over the graph with %v and %v", name("graph"), name("sample").to(0))
	case corpus.LayoutSequences:
		what = messagef("looks like biological sequences, whose lines become tokens as a whole: train on their k-mers, for example with %v", name("kmers").to(6))
	case corpus.LayoutUnsegmented:
		what = messagef("is written without spaces between words: cut it into words with a segmenter first, or take single characters with %v", name("tokenizer").to(corpus.Unicode))
	case corpus.LayoutSingle:
		what = messagef("has one token a line, and a line is a sentence, so that tokens have no contexts: %s", joinAdvice(layout))
	default:
		return Remark{}, false
	}
	return remarkf(string(layout.Kind), "%s %v", corpusName, what), true
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

// columnAdvice says how the text of a table is read.
func columnAdvice(separator rune) Message {
	if separator == '|' {
		return messagef("put tabs in place of %s, and name the column that has the text, for example with %v", separatorName(separator), name(textColumn).to(2))
	}
	return messagef("name the column that has the text, for example with %v", name(textColumn).to(2))
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

// spellingRemark says what of the vocabulary's spelling settings would change.
func spellingRemark(v *vocab.Vocab, settings Settings) (Remark, bool) {
	if settings.Text.File != nil {
		return Remark{}, false // pieces are spelt as the file has them
	}
	s := v.Spelling()
	cased := s.IsCased() && !settings.Text.Lowercase
	share := func(n int) string { return fmt.Sprintf("%d %%", 100*n/s.Tokens) }
	switch {
	case s.IsFew():
		return remarkf(RemarkFewTokens, "there are only %d distinct tokens, which tell little of each other: if these are letters or symbols, join several to one token; if rarer ones were dropped, lower %v (%d) or raise %v",
			s.Tokens, name("min-count"), settings.MinCount, name("max-vocab")), true
	case s.IsPunctuated() && settings.Text.Tokenizer == corpus.Whitespace:
		words := messagef("%v takes", name("tokenizer").to(corpus.Unicode))
		if !settings.Text.Lowercase {
			words = messagef("%v and %v take", name("tokenizer").to(corpus.Unicode), name("lowercase"))
		}
		return remarkf(RemarkPunctuation, "%s of the distinct tokens begin or end with punctuation, as %q does, and are other words than without it: %v words without it",
			share(s.Punctuated), s.Example, words), true
	case cased:
		return remarkf(RemarkCase, "%s of the distinct tokens differ from others by case alone: %v makes one word of them", share(s.Cased), name("lowercase")), true
	}
	return Remark{}, false
}

// modelRemarks are the remarks on a model, with the settings that help. More epochs do not
// help a corpus that is not sentences. Rate is the learning rate that was asked for, 0 for none.
func modelRemarks(model *sgns.Model, layout corpus.LayoutKind, c sgns.Config, rate float64) []Remark {
	var all []Remark
	usual := c.RateFor(model.Progress.Total)
	for _, r := range model.Remarks {
		remark := remarkf(string(r.Kind), "%s", r)
		switch r.Kind {
		case sgns.RemarkNoPairs:
			if layout == corpus.LayoutText { // else it has been said what to do
				remark.Message = messagef("%s: a newline ends a sentence, so put more than one token on a line, or keep rarer ones with a lower %v", r, name("min-count"))
			}
		case sgns.RemarkOneWord:
			remark.Message = messagef("%s: look whether white space separates the words of the text, or %v does, and whether %v and %v leave more than one",
				r, name("tokenizer").to(corpus.Unicode), name("min-count"), name("max-vocab"))
		case sgns.RemarkUntrained, sgns.RemarkCollapsed:
			if layout == corpus.LayoutText {
				remark.Message = messagef("%s%v", r, moreTraining(rate, usual, r.Epochs))
			}
		case sgns.RemarkHalved:
			remark.Message = messagef("%s; with %v it begins there", r, name("lr").to(r.Value))
			if usual < r.Value {
				remark.Message = messagef("%v, and without %v at %v", remark.Message, name("lr"), usual)
			}
		}
		all = append(all, remark)
	}
	return all
}

// moreTraining names what trains vectors more: a usual learning rate, or so many epochs.
func moreTraining(rate, usual float64, epochs int) Message {
	const sensible = 1000 // epochs; with so little text, vectors learn it by heart
	switch {
	case rate > 0 && rate < usual/2:
		return messagef("; %v is low, and %v is usual for a corpus of this size", name("lr").to(rate), usual)
	case epochs > sensible:
		return messagef("; more text helps")
	case epochs > 0:
		return messagef("; more text helps, or %v", name("epochs").to(epochs))
	}
	return messagef("")
}
