package train

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
)

// A Message is a text that names options, for example options to change. String names options as
// fields of Options. A program whose users know other names, such as flags, calls Spell.
type Message struct {
	format string
	args   []any
}

// A name is the name of an option in the command: "min-count".
type name string

type setTo struct {
	name  name
	value string
}

func (n name) to(value any) setTo { return setTo{n, fmt.Sprint(value)} }

// messagef returns a message; args that are names are options.
func messagef(format string, args ...any) Message { return Message{format, args} }

func messages(all []Message) Message {
	args := make([]any, len(all))
	for i, m := range all {
		args[i] = m
	}
	return Message{strings.TrimSuffix(strings.Repeat("%v ", len(all)), " "), args}
}

// String returns the text. Options are named as fields: "Settings.MinCount".
func (m Message) String() string { return m.Spell(field) }

// Spell returns the text with options named by spell. It calls spell with the name of the option,
// such as "min-count", and with the suggested value, which may be empty. Names are those of the
// table of settings or of package train's options.
func (m Message) Spell(spell func(name, value string) string) string {
	args := slices.Clone(m.args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case name:
			args[i] = spell(string(arg), "")
		case setTo:
			args[i] = spell(string(arg.name), arg.value)
		case Message:
			args[i] = arg.Spell(spell)
		case error:
			args[i] = Spell(arg, spell)
		}
	}
	return fmt.Sprintf(m.format, args...)
}

// field returns the name of an option as a field of Options.
func field(option, value string) string {
	text := cmp.Or(fields[name(option)], settingField(option))
	if text == "" {
		text = option
	}
	switch value {
	case "":
		return text
	case "true":
		return text + ": true"
	}
	return text + ": " + value
}

// An OptionError says that options contradict each other, their files, or the resumed run.
type OptionError struct{ Message }

func (e *OptionError) Error() string { return e.String() }

func optionErrorf(format string, args ...any) error { return &OptionError{messagef(format, args...)} }

// An Error is an error whose text says which options would help.
type Error struct {
	Message
	Err error // what went wrong; nil if the text says everything
}

func (e *Error) Error() string { return e.String() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// errorf returns an Error, whose Err is the first error of args.
func errorf(format string, args ...any) error {
	e := &Error{Message: messagef(format, args...)}
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			e.Err = err
			break
		}
	}
	return e
}

// Spell returns an error with options named by spell: see Message.Spell. errors.Is and errors.As
// still find what it wraps. An error that names no options is returned unchanged.
func Spell(err error, spell func(name, value string) string) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(interface { //nolint:errorlint // the tree is walked by hand
		Spell(func(name, value string) string) string
	}); ok {
		return &spelled{e.Spell(spell), err, Spell(errors.Unwrap(err), spell)}
	}
	switch e := err.(type) { //nolint:errorlint // likewise
	case interface{ Unwrap() []error }:
		text, again := err.Error(), slices.Clone(e.Unwrap())
		for i, part := range again {
			again[i] = Spell(part, spell)
			text = strings.Replace(text, part.Error(), again[i].Error(), 1)
		}
		if text == err.Error() {
			return err
		}
		return &spelled{text, err, errors.Join(again...)}
	case interface{ Unwrap() error }:
		inner := e.Unwrap()
		if inner == nil {
			return err
		}
		again := Spell(inner, spell)
		if text := strings.Replace(err.Error(), inner.Error(), again.Error(), 1); text != err.Error() {
			return &spelled{text, err, again}
		}
	}
	return err
}

type spelled struct {
	text  string
	whole error // the original error
	inner error // the wrapped error, spelled too; nil if there is none
}

func (e *spelled) Error() string        { return e.text }
func (e *spelled) Unwrap() error        { return e.inner }
func (e *spelled) Is(target error) bool { return errors.Is(e.whole, target) }
func (e *spelled) As(target any) bool   { return errors.As(e.whole, target) }

func explainTraining(err error, s *Settings, rate float64) error {
	if _, ok := errors.AsType[*sgns.MemoryError](err); ok && !s.Model.Force {
		return errorf("%v: see %v, %v, %v and %v; %v tries anyway",
			err, name("dim"), name("min-count"), name("max-vocab"), name("buckets"), name("force"))
	}
	e, diverged := errors.AsType[*sgns.DivergedError](err)
	if !diverged {
		return err
	}
	tooHigh := rate > 0 && e.UsualRate < e.LastRate
	if e.Apart > 0 && (e.Apart > 2*e.UsualApart || !tooHigh) {
		return errorf("%v: ranks that exchange changes more often diverge less: %v, or fewer ranks", err, name("sync-every").to(min(e.UsualApart, e.Apart/2)))
	}
	if tooHigh {
		return errorf("%v: leave out %v, or make it lower", err, name("lr"))
	}
	c, usual := s.Model, sgns.Defaults()
	help := messagef("%v", name("lr").to(fmt.Sprintf("%.1g", e.LastRate/2)))
	add := func(format string, args ...any) {
		help = messagef("%v, "+format, slices.Insert(args, 0, any(help))...)
	}
	if row, ok := table().Find("negatives"); ok && row.Needs != nil && row.Needs.Met(s) && c.Negatives > usual.Negatives {
		add("fewer %v than %d", name("negatives"), c.Negatives)
	}
	if c.Window > usual.Window {
		add("a smaller %v than %d", name("window"), c.Window)
	}
	if c.Sample == 0 {
		add("%v", name("sample").to(usual.Sample))
	}
	return errorf("%v: what makes steps smaller is %v", err, help)
}

func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func checkBytes(path string, bytes uint64) error {
	if err := sysinfo.CheckDisk(path, bytes); err != nil {
		return errorf("%v; %v tries anyway", err, name("force"))
	}
	return nil
}

func remarkf(kind, format string, args ...any) Remark { return Remark{kind, messagef(format, args...)} }

// layoutRemark says what a corpus that is no sentences looks like. Its advice was tried on the sample.
func layoutRemark(t *Text, settings Settings) Remark {
	layout := t.Layout
	tried := t.Sample.Advice(settings.Text, layout)
	advice := spellAdvice(settings, tried)
	var what Message
	switch layout.Kind {
	case corpus.LayoutJSON:
		if tried.Tokens == 0 {
			advice = messagef("%v reads a field", name("json-field"))
		}
		what = messagef("looks like JSON lines, whose names and braces become tokens: %v", advice)
	case corpus.LayoutTable:
		if tried.Tokens == 0 {
			advice = messagef("%v reads a column, %v a list in it, and %v makes sentences of rows with the same user or session", name(textColumn), name("split"), name(groupBy))
		}
		what = messagef("looks like a table of %d columns with %s between them, all of which become tokens: %v", layout.Fields, cmp.Or(separators[layout.Separator], strconv.Quote(string(layout.Separator))), advice)
	case corpus.LayoutEdges:
		what = messagef("looks like the edges of a graph, so that a token has one context a line: train on random walks over the graph with %v and %v", name("graph"), name("sample").to(0))
		if tried.Tokens > 0 {
			what = messagef("%v; or, if lines are events, %v", what, advice)
		}
	case corpus.LayoutSequences:
		what = messagef("looks like biological sequences, whose lines become tokens as a whole: train on their k-mers, for example with %v", name("kmers").to(6))
		if !t.Sample.IsFASTA() {
			what = messagef("%v, for which a line that begins with > comes before each sequence", what)
		}
	case corpus.LayoutUnsegmented:
		what = messagef("is written without spaces between words: cut it into words with a segmenter first")
		if tried.Tokens > 0 {
			what = messagef("%v, or take single characters with %v", what, settingsAdvised(settings, tried.Options))
		}
	case corpus.LayoutSingle:
		if tried.Tokens == 0 {
			advice = messagef("join the tokens of a sentence into one line, so that those stand together that occur together")
			switch {
			case settings.Text.TextColumn != "" || settings.Text.JSONField != "":
				advice = messagef("%v makes sentences of rows with the same user or session", name(groupBy))
			case t.Sample.HasParagraphs():
				advice = messagef("join the tokens of a sentence into one line, for example with awk -v RS= '{$1=$1}1' where empty lines end sentences")
			}
		}
		what = messagef("has one token a line, and a line is a sentence, so that tokens have no contexts: %v", advice)
	default:
		return Remark{}
	}
	return remarkf(string(layout.Kind), "%s %v", t.name, what)
}

func spellAdvice(settings Settings, tried corpus.Advice) Message {
	advice := messagef("a sample of it is sentences of %.1f tokens with %v", tried.Tokens, settingsAdvised(settings, tried.Options))
	if tried.Tabs {
		return messagef("put tabs in place of bars in a file whose name ends in .tsv; %v", advice)
	}
	if tried.Without != "" {
		return messagef("take the characters %s away; %v", tried.Without, advice)
	}
	return advice
}

func settingsAdvised(settings Settings, other corpus.Options) Message {
	better := settings
	better.Text = other
	var all Message
	for _, row := range textSettings() {
		value := row.Text(&better)
		if value == row.Text(&settings) {
			continue
		}
		if one := name(row.Name).to(value); all.format == "" {
			all = messagef("%v", one)
		} else {
			all = messagef("%v %v", all, one)
		}
	}
	return all
}

var separators = map[rune]string{'\t': "tabs", ',': "commas", ';': "semicolons"}

func spellingRemark(t *Text, settings Settings) Remark {
	if settings.Text.File != nil {
		return Remark{} // pieces are spelled as in the file
	}
	s := t.Vocab.Spelling()
	share := func(n int) string { return fmt.Sprintf("%d %%", 100*n/s.Tokens) }
	lower := settings.Text
	lower.Lowercase = true
	cased := s.IsCased() && !settings.Text.Lowercase
	list := t.Sample.Advice(settings.Text, t.Layout)
	switch {
	case s.IsFew():
		remark := messagef("there are only %d distinct tokens, which tell little of each other", s.Tokens)
		if list.Tokens > 0 {
			remark = messagef("%v: %v", remark, spellAdvice(settings, list))
		} else if more := t.moreWords(settings); more.format != "" {
			remark = messagef("%v: rarer ones were dropped, so %v", remark, more)
		} else if !slices.ContainsFunc(t.Vocab.Tokens(), func(word string) bool { return utf8.RuneCountInString(word) > 1 }) {
			remark = messagef("%v: if these are letters or symbols, join several to one token", remark)
		}
		return Remark{RemarkFewTokens, remark}
	case s.IsPunctuated() && settings.Text.Tokenizer == corpus.Whitespace:
		remark := messagef("%s of the distinct tokens begin or end with punctuation, as %q does, and are other words than without it", share(s.Punctuated), s.Example)
		if list.Tokens > 0 {
			return remarkf(RemarkPunctuation, "%v: %v", remark, spellAdvice(settings, list))
		}
		words, dropped := settings.Text, settings.Text
		words.Tokenizer, dropped.Punctuation = corpus.Unicode, corpus.DropPunctuation
		for _, better := range []corpus.Options{words, dropped} {
			if !t.Sample.Keeps(settings.Text, better) || better.Tokenizer != corpus.Whitespace && better.Validate() != nil {
				continue
			}
			how := name("tokenizer").to(corpus.Unicode)
			if better.Tokenizer == corpus.Whitespace {
				how = name("punctuation").to(corpus.DropPunctuation)
			}
			if lower := !settings.Text.Lowercase && better.Tokenizer == corpus.Unicode; lower {
				return remarkf(RemarkPunctuation, "%v: %v and %v take words without it", remark, how, name("lowercase"))
			}
			return remarkf(RemarkPunctuation, "%v: %v takes words without it", remark, how)
		}
		return Remark{RemarkPunctuation, remark}
	case list.Tokens > 0 && settings.Text.Tokenizer == corpus.Whitespace:
		return remarkf(RemarkPunctuation, "%s has a list a line, whose separators become part of tokens: %v", t.name, spellAdvice(settings, list))
	case cased && t.Sample.Keeps(settings.Text, lower):
		return remarkf(RemarkCase, "%s of the distinct tokens differ from others by case alone: %v makes one word of them", share(s.Cased), name("lowercase"))
	}
	return Remark{}
}

// moreWords names the settings that dropped tokens of the sample; empty if all tokens are words.
func (t *Text) moreWords(settings Settings) Message {
	least, most := name("min-count"), name("max-vocab")
	switch some := t.Sample.Distinct(settings.Text) > t.Vocab.Len(); {
	case some && settings.MaxVocab > 0 && t.Vocab.Len() >= settings.MaxVocab:
		return messagef("raise %v", most)
	case some && settings.MinCount > 1:
		return messagef("lower %v (%d)", least, settings.MinCount)
	}
	return Message{}
}

// modelRemarks returns the remarks on a model, with the settings that help. More epochs do not help
// a corpus that is not sentences. Rate is the requested learning rate, or 0 if none was requested.
func modelRemarks(model *sgns.Model, t *Text, settings Settings, rate float64) []Remark {
	var all []Remark
	usual := settings.Model.RateFor(model.Progress.Total)
	for _, r := range model.Remarks {
		remark := remarkf(string(r.Kind), "%s", r)
		switch r.Kind {
		case sgns.RemarkNoPairs:
			if t.Layout.Kind == corpus.LayoutText { // otherwise a remark on the layout has said what to do
				remark.Message = messagef("%s: a newline ends a sentence, so put more than one token on a line", r)
				if more := t.moreWords(settings); more.format != "" {
					remark.Message = messagef("%v, or keep rarer ones: %v", remark.Message, more)
				}
			}
		case sgns.RemarkOneWord:
			words := settings.Text
			words.Tokenizer = corpus.Unicode
			if more := t.moreWords(settings); more.format != "" {
				remark.Message = messagef("%s: rarer ones were dropped, so %v", r, more)
			} else if words.Validate() == nil && t.Sample.Distinct(words) > 1 {
				remark.Message = messagef("%s: white space separates no others, but %v does", r, name("tokenizer").to(corpus.Unicode))
			} else {
				remark.Message = messagef("%s: look whether white space separates the words of the text", r)
			}
		case sgns.RemarkUntrained, sgns.RemarkCollapsed:
			if t.Layout.Kind == corpus.LayoutText {
				remark.Message = messagef("%s%v", r, moreTraining(rate, usual, r.Epochs))
			}
		case sgns.RemarkApart:
			remark.Message = messagef("%s: a lower %v, a higher %v, a faster network or fewer ranks bring them together", r, name("sync-every"), name("sync-budget"))
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

// moreTraining names a usual learning rate or a number of epochs that train vectors more.
func moreTraining(rate, usual float64, epochs int) Message {
	const sensible = 1000 // epochs; more would make vectors memorise so little text
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
