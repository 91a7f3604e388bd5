package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/phrases"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
)

// Settings decide which vectors a text gives. The same settings and the same text give the same
// vectors (bit for bit with one thread or Model.Deterministic).
//
// The zero Settings stand for Defaults(), and a zero Model for that of Defaults(). A Go program
// starts from Defaults and changes fields. A program that has names and values as text, from a
// command line or a configuration file, calls Set. Table and docs/settings.md list the names.
type Settings struct {
	Model    sgns.Config    // what is trained, and how
	Text     corpus.Options // how text becomes tokens
	Phrases  Phrases        // which tokens are joined to phrases
	MinCount int            // rarer tokens are left out
	MaxVocab int            // the most frequent tokens are kept; 0 means no limit

	named      named
	autoEpochs bool             // the number of epochs was chosen by the size of the corpus
	kmers      *kmers.Options   // of a corpus of sequences
	joined     *phrases.Table   // phrases that are joined, once they are known
	tabled     bool             // a file says which phrases those are
	pooled     vectors.Training // how the model that goes on makes vectors of texts
}

// Defaults returns the settings that w2v train has without flags.
func Defaults() Settings {
	s := Settings{Model: sgns.Defaults(), MinCount: 5}
	s.Model.Arch, s.Model.Loss = sgns.Archs()[0], sgns.Losses()[0]
	return s
}

func (s Settings) orDefaults() Settings {
	switch usual := Defaults(); {
	case reflect.ValueOf(s).IsZero():
		return usual
	case reflect.ValueOf(s.Model).IsZero():
		s.Model = usual.Model
	}
	return s
}

// The groups of settings, in addition to those of package sgns.
const (
	GroupSubwords = "subwords" // how words are cut
	GroupText     = "text"     // how text becomes tokens, and which tokens are words
)

const afterSubwords = "rank" // the first model setting that help lists after the subword settings

// A Setting describes a setting, for the flags of a program and for documentation.
type Setting struct {
	Name    string // as Set takes it
	Group   string // related settings share a group: one of the constants
	Help    string // one line; a value between backquotes names the value in the help of a flag
	Type    string // of a value: int, uint64, float64, bool, name, numbers or tokens
	Default string // the value if the setting is not set
	Choices []Choice
	Open    bool // there are other values besides the choices
	// OfDimensions says that the setting is about some of the dimensions of vectors, and may be
	// invalid for fewer dimensions.
	OfDimensions bool
}

// A Choice is one of the few values of a setting, and its meaning.
type Choice struct{ Value, Meaning string }

// Table returns all settings, in the order of help and documentation.
func Table() []Setting { return slices.Clone(settingsTable()) }

var settingsTable = sync.OnceValue(func() []Setting {
	usual := Defaults()
	return wording.Map(table(), func(row setting.Setting[Settings]) Setting {
		return Setting{Name: row.Name, Group: row.Group, Help: row.Help, Type: setting.Type(row.At(&usual)), Default: row.Default(&usual), Open: row.Open, OfDimensions: row.OfDimensions,
			Choices: wording.Map(row.Choices, func(c setting.Choice) Choice { return Choice(c) })}
	})
})

// table is Table with access to the fields. It is built once, because every flag reads it.
var table = sync.OnceValue(func() setting.Table[Settings] {
	model := setting.Of(func(s *Settings) *sgns.Config { return &s.Model }, sgns.Settings())
	at := slices.IndexFunc(model, func(s setting.Setting[Settings]) bool { return s.Name == afterSubwords })
	return slices.Concat(model[:at], subwordSettings(), model[at:], textSettings())
})

// textRow returns a setting of text, whose value a model records.
func textRow(name, help string, at func(*Settings) any, choices ...setting.Choice) setting.Setting[Settings] {
	return setting.Setting[Settings]{
		Name: name, Group: GroupText, Help: help, OmitZero: true, At: at, Choices: choices,
		Record: func(s *Settings) any { return setting.Value(at(s)) },
	}
}

func choice(value fmt.Stringer, meaning string) setting.Choice {
	return setting.Choice{Value: value.String(), Meaning: meaning}
}

func textSettings() setting.Table[Settings] {
	lower := textRow("lowercase", "turn tokens into lower case", func(s *Settings) any { return &lowercase{&s.Text} }, lowercases()...)
	lower.Open, lower.OmitZero = true, false
	cut := textRow("tokenizer", "how text is cut into tokens, or the path of a tokenizer.json", func(s *Settings) any { return &cutting{&s.Text} }, tokenizers()...)
	cut.Open, cut.OmitZero = true, false
	minCount := textRow("min-count", "drop tokens that occur less often", func(s *Settings) any { return &s.MinCount })
	minCount.Bounds, minCount.OmitZero = &setting.Bounds{Most: unlimited}, false
	maxVocab := textRow("max-vocab", "keep only the `N` most frequent tokens; 0 keeps all", func(s *Settings) any { return &s.MaxVocab })
	maxVocab.Bounds, maxVocab.OmitZero, maxVocab.Record = &setting.Bounds{Most: unlimited}, false, nil
	return slices.Concat(inputSettings(), setting.Table[Settings]{
		lower,
		cut,
		textRow("normalize", "Unicode normal form that text is brought into", func(s *Settings) any { return &s.Text.Normalize },
			choice(corpus.AsWritten, "leave text as it is"),
			choice(corpus.NFC, "join letters and marks, drop soft hyphens and marks of direction"),
			choice(corpus.NFKC, "also replace variants of characters")),
		textRow("strip-accents", "remove accents and other marks from letters", func(s *Settings) any { return &s.Text.StripAccents }),
		textRow("digits", "what to do with numbers", func(s *Settings) any { return &s.Text.Digits },
			choice(corpus.KeepDigits, "leave them"),
			choice(corpus.ZeroDigits, "make each decimal digit a 0"),
			choice(corpus.DropNumbers, "drop tokens that have a number and no letter")),
		textRow("punctuation", "what to do with punctuation", func(s *Settings) any { return &s.Text.Punctuation },
			choice(corpus.UsualPunctuation, "drop it with the tokenizer unicode, else keep it"),
			choice(corpus.KeepPunctuation, "leave it; the tokenizer unicode makes tokens of it"),
			choice(corpus.DropPunctuation, "take it off both ends of tokens")),
		textRow("sentences", "where sentences end", func(s *Settings) any { return &s.Text.Sentences },
			choice(corpus.Lines, "at newlines"),
			choice(corpus.UnicodeSentences, "at newlines and sentence boundaries by UAX #29")),
		minCount,
		maxVocab,
	}, phraseSettings())
}

const unlimited = 1 << 63 // more than any number of tokens

func tokenizers() []setting.Choice {
	meanings := map[corpus.Tokenizer]string{
		corpus.Whitespace: "tokens separated by white space",
		corpus.Unicode:    "words by UAX #29, without punctuation",
		corpus.Characters: "characters, for scripts without spaces",
	}
	return wording.Map(corpus.Tokenizers(), func(t corpus.Tokenizer) setting.Choice { return choice(t, meanings[t]) })
}

func lowercases() []setting.Choice {
	meanings := map[string]string{
		"az": "Azerbaijani, as Turkish", "el": "Greek, with ς at the end of words", "lt": "Lithuanian, whose i keeps its dot below accents", "tr": "Turkish: I is ı, and İ is i",
	}
	all := []setting.Choice{{Value: "false", Meaning: "leave them"}, {Value: "true", Meaning: "letter by letter"}}
	return append(all, wording.Map(corpus.Languages(), func(language string) setting.Choice {
		return setting.Choice{Value: language, Meaning: meanings[language]}
	})...)
}

// named records which settings were set by name. Copies share it, so it is replaced, never changed.
type named struct {
	given   map[string]bool   // by Set
	taken   map[string]bool   // by adopt or startFrom
	kind    string            // kind of subwords; empty means the kind of Model.Subword
	subword map[string]string // settings of this kind
}

func with[V any](all map[string]V, name string, value V) map[string]V {
	more := maps.Clone(all)
	if more == nil {
		more = make(map[string]V)
	}
	more[name] = value
	return more
}

// Set sets the setting with this name to a value given as text. Call Complete after the last Set.
// Set returns an error if the setting is unknown, and a *ValueError if the value is invalid.
func (s *Settings) Set(option, text string) error {
	row, ok := table().Find(option)
	if !ok {
		return fmt.Errorf("train: no setting is called %q", option)
	}
	if err := row.Set(s, text); err != nil {
		return &ValueError{option, text, err}
	}
	s.named.given = with(s.named.given, option, true)
	return nil
}

// A ValueError says that a value is invalid for a setting.
type ValueError struct {
	Setting string // its name
	Text    string // the value
	Err     error  // the reason, such as "is not a whole number"
}

func (e *ValueError) Error() string { return e.Spell(field) }

// Spell returns the text with the setting as spell names it: see Message.Spell.
func (e *ValueError) Spell(spell func(name, value string) string) string {
	return fmt.Sprintf("%s: %q %v", spell(e.Setting, ""), e.Text, e.Err)
}

// Unwrap returns Err.
func (e *ValueError) Unwrap() error { return e.Err }

// Given reports whether a setting was set: by Set, or by a field that differs from Defaults. It
// returns false for unknown names.
func (s *Settings) Given(name string) bool {
	if s.named.given[name] || s.named.taken[name] {
		return s.named.given[name]
	}
	row, ok := table().Find(name)
	usual := Defaults()
	switch {
	case !ok:
		return false
	case row.Group == GroupSubwords:
		return s.Model.Subword != nil && name == subwordsName
	}
	return !setting.Equal(row.At(s), row.At(&usual))
}

// Value returns the value of a setting, as Set takes it. It is empty if the setting is unknown.
func (s *Settings) Value(name string) string {
	row, ok := table().Find(name)
	if !ok {
		return ""
	}
	return row.Text(s)
}

// Validate reports the first setting that is out of bounds. Complete checks more.
func (s *Settings) Validate() error {
	for _, row := range table() {
		err := row.Check(s)
		if err != nil && row.Bounds.Least == 0 && row.Group != sgns.GroupModel {
			return optionErrorf("%s must not be negative, is %s", name(row.Name), row.Text(s))
		}
		if err != nil {
			return optionErrorf("%s", err)
		}
	}
	return nil
}

// Complete fills in the fields from settings set by name and from defaults. It returns an
// *OptionError if settings are invalid, alone or in combination.
func (s *Settings) Complete() error {
	table := table()
	for _, row := range table {
		switch need := row.Needs; {
		case need == nil:
		case s.named.given[row.Name] && !need.Met(s):
			first, _, _ := strings.Cut(strings.ReplaceAll(need.Values, ",", " "), " ") // "fasttext, floret or hash"
			return optionErrorf("%v needs %v%s", name(row.Name), name(need.Setting).to(first), need.Values[len(first):])
		case row.Usual != "" && !s.Given(row.Name) && !s.named.taken[row.Name] && need.Met(s):
			if err := row.Set(s, row.Usual); err != nil {
				return err
			}
			s.named.taken = with(s.named.taken, row.Name, true)
		}
	}
	if rate := s.Model.LearningRate; s.named.given["lr"] && !(rate > 0) {
		return optionErrorf("%s must be above 0, is %v", name("lr"), rate)
	}
	s.completeDim()
	if err := s.completeLoss(); err != nil {
		return err
	}
	if err := inOrder(s.completeSubword, s.completeText, s.Validate, s.validateInput, s.validatePhrases); err != nil {
		return err
	}
	if err := s.Model.Validate(); err != nil {
		return optionErrorf("%s", strings.TrimPrefix(err.Error(), "sgns: "))
	}
	return nil
}

func (s *Settings) completeDim() {
	if !s.Given("dim") {
		s.Model.FitDim()
	}
}

// completeLoss takes what suits the loss, unless it was set.
func (s *Settings) completeLoss() error {
	if !s.Model.Counts() {
		return nil
	}
	fit := *s
	if fit.Model.FitLoss(); s.Given("window") && s.Model.Window == 0 { // which is refused with its own reason
		fit.Model.WindowMode = s.Model.WindowMode
	}
	for _, row := range table() {
		text := row.Text(&fit)
		if row.Group != sgns.GroupModel || text == row.Text(s) || s.Given(row.Name) || s.named.taken[row.Name] {
			continue
		}
		if err := row.Set(s, text); err != nil {
			return err
		}
		s.named.taken = with(s.named.taken, row.Name, true)
	}
	return nil
}

// Describe adds the settings of text to a model's training record.
func (s *Settings) Describe(t *vectors.Training) {
	rows := phraseSettings()
	if s.tabled { // nobody knows how the phrases were found
		rows = rows[:1]
	}
	minCount, _ := table().Find("min-count")
	for key, value := range append(rows, minCount).Records(s) {
		t.Set(key, value)
	}
	if s.autoEpochs {
		t.Set(autoEpochs, true)
	}
	_ = s.pipeline().Describe(t) // has no error: readSource has tried it
	for name, value := range s.pooled.All() {
		t.Set(name, json.RawMessage(value))
	}
}

// autoEpochs is the fact of a model that nobody gave its number of epochs. A run on new text then has a number of
// its own.
const autoEpochs = "epochs_auto"

// factsOfTexts say how a model makes vectors of texts, apart from how it cuts them.
var factsOfTexts = []string{"pooling", "smoothing", "text_norm", "text_limit", "text_characters", "text_tokens", "unknown"}

// takePooling takes how the model of a checkpoint or of vectors makes vectors of texts, for the same tokens.
func (s *Settings) takePooling(was vectors.Training) {
	for name, value := range was.All() {
		if slices.Contains(factsOfTexts, name) {
			s.pooled.Set(name, json.RawMessage(value))
		}
	}
}

// pipeline returns how text becomes tokens. Phrases that are learned are known when the corpus has been read.
func (s *Settings) pipeline() *pipeline.Pipeline {
	return &pipeline.Pipeline{Text: s.Text, Kmers: s.kmers, Phrases: s.joined}
}

// inputSettings say where the text is in the input.
func inputSettings() setting.Table[Settings] {
	column := textRow(textColumn, "read the text from `COLUMN` of tables (Parquet, TSV, CSV): its number from 1, or its name in Parquet and with a header; a.b is field b of a struct", func(s *Settings) any { return &s.Text.TextColumn })
	header := textRow("header", "the first row of each TSV or CSV file has the names of columns, and is not text", func(s *Settings) any { return &s.Text.Header })
	header.Needs = &setting.Need[Settings]{Setting: textColumn, Values: "COLUMN", Met: func(s *Settings) bool { return s.Text.TextColumn != "" }}
	return setting.Table[Settings]{
		column,
		header,
		textRow("json-field", "read the text, or an array of tokens, from field `NAME` of JSON lines; a.b is field b in field a", func(s *Settings) any { return &s.Text.JSONField }),
		textRow("split", "the text, or without a column or field each line, is a list of tokens with `SEPARATOR` between them, such as a comma; \\t is a tab", func(s *Settings) any { return &s.Text.Split }),
		textRow(groupBy, "make a sentence of the tokens of all rows with the same value in `COLUMN`, such as a user: its number, its name in Parquet and with a header, or a field of JSON lines", func(s *Settings) any { return &s.Text.GroupBy }),
	}
}

const (
	textColumn = "text-column"
	groupBy    = "group-by"
)

func (s *Settings) validateInput() error {
	switch {
	case s.Text.TextColumn != "" && s.Text.JSONField != "":
		return optionErrorf("%v and %v both say where the text is: only one of them is possible", name(textColumn), name("json-field"))
	case s.Text.Header && s.Text.TextColumn == "":
		return optionErrorf("%v needs %v", name("header"), name(textColumn).to("COLUMN"))
	case s.Text.GroupBy != "" && s.Text.TextColumn == "" && s.Text.JSONField == "":
		return optionErrorf("%v needs %v or %v, which say where the tokens of a row are", name(groupBy), name(textColumn).to("COLUMN"), name("json-field").to("NAME"))
	}
	for _, lists := range []struct{ setting, value string }{{"split", s.Text.Split}, {groupBy, s.Text.GroupBy}} {
		for _, cuts := range []struct {
			setting string
			used    bool
		}{{"tokenizer", s.Text.Tokenizer != corpus.Whitespace || s.Text.File != nil}, {"sentences", s.Text.Sentences != corpus.Lines}} {
			if lists.value != "" && cuts.used {
				return optionErrorf("%v takes tokens as they are, and %v would cut them: only one of them is possible", name(lists.setting), name(cuts.setting))
			}
		}
	}
	if n, err := strconv.Atoi(s.Text.GroupBy); s.Text.GroupBy != "" && s.Text.TextColumn.Number() > 0 && !s.Text.Header && (err != nil || n < 1) {
		return optionErrorf("%v is not a number of a column, and without %v columns have no names", name(groupBy).to(s.Text.GroupBy), name("header"))
	}
	return nil
}

// Phrases says whether the phrases of the text are joined to single tokens before counting, and
// what a phrase is. Each pass of phrase finding reads the text once more.
type Phrases struct {
	Join bool
	phrases.Options
}

type connectorList []string

func (l *connectorList) String() string { return strings.Join(*l, ",") }

func (l *connectorList) Type() string { return "words" }

// Set takes a list with commas. It rejects file names, which are likely mistakes.
func (l *connectorList) Set(text string) error {
	if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() && strings.ContainsAny(text, "./") {
		return errors.New("is a file, and the words themselves are wanted, with commas between them, as of,the")
	}
	var words []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			return errors.New("is not a list of words with commas between them, as of,the is")
		}
		words = append(words, word)
	}
	*l = words
	return nil
}

func phraseSettings() setting.Table[Settings] {
	joined := &setting.Need[Settings]{Setting: "phrases", Values: "true", Met: func(s *Settings) bool { return s.Phrases.Join }}
	scorings := wording.Map(phrases.Scorings(), func(s phrases.Scoring) setting.Choice { return setting.Choice{Value: string(s), Meaning: s.Help()} })
	row := func(name, help, usual string, at func(*Phrases) any) setting.Setting[Settings] {
		s := textRow(name, help, func(s *Settings) any { return at(&s.Phrases) })
		s.Usual, s.Needs = usual, joined
		return s
	}
	table := setting.Table[Settings]{
		row("phrases", "find pairs of words that are often seen together and join each to one token, as new_york; reads the corpus once more", "", func(p *Phrases) any { return &p.Join }),
		row("phrase-scoring", "how pairs are scored", "", func(p *Phrases) any { return &p.Scoring }),
		row("phrase-threshold", "score that a phrase exceeds (default 10, or 0.5 with npmi)", "", func(p *Phrases) any { return &p.Threshold }),
		row("phrase-min-count", "pairs that are seen less often are not phrases", "5", func(p *Phrases) any { return &p.MinCount }),
		row("phrase-passes", "how often neighbours are joined; with 2, phrases have up to four words", "1", func(p *Phrases) any { return &p.Passes }),
		row("phrase-delimiter", "what stands between the words of a phrase", "_", func(p *Phrases) any { return &p.Delimiter }),
		row("phrase-connectors", "words that may be within a phrase, and neither begin nor end one, such as of,the", "", func(p *Phrases) any { return (*connectorList)(&p.Connectors) }),
	}
	table[0].Needs = nil
	table[1].Choices = scorings
	// A checkpoint names the default, which a new run may leave empty: neither of them records it.
	table[1].Record = func(s *Settings) any {
		if s.Phrases.Scoring == phrases.Default {
			return ""
		}
		return string(s.Phrases.Scoring)
	}
	return table
}

func (s *Settings) validatePhrases() error {
	if !s.Phrases.Join {
		return nil
	}
	if s.Text.File != nil && s.joined == nil {
		return optionErrorf("%v would make tokens that are not in the tokenizer.json of %v", name("phrases"), name("tokenizer"))
	}
	if err := s.Phrases.Validate(); err != nil {
		return optionErrorf("%s", strings.TrimPrefix(err.Error(), "phrases: "))
	}
	return nil
}

// readPhrases reads the table of phrases that the options name.
func (r *run) readPhrases() error {
	path, s := r.options.PhraseTable, &r.settings
	if path == "" {
		return nil
	}
	for _, row := range phraseSettings() {
		if row.Name != "phrases" && s.Given(row.Name) {
			return optionErrorf("%v has phrases that are found already: leave %v out", name("phrase-table").to(path), name(row.Name))
		}
	}
	table, err := compression.ReadFile(path, phrases.Read)
	if err != nil {
		return err
	}
	s.joined, s.tabled, s.Phrases.Join = table, true, true
	return nil
}

// JoinPhrases returns the corpus with its phrases joined, as the settings say, and the phrases. If
// the settings join no phrases, it returns the corpus and nil. Unless the phrases are those of a file, a
// checkpoint or vectors to start from, it reads the corpus, which must be readable more than once.
// Reading, if not nil, is called now and then with the number of tokens read so far.
func (s Settings) JoinPhrases(ctx context.Context, src *corpus.Source, reading func(tokens uint64)) (*corpus.Source, *phrases.Table, error) {
	switch {
	case !s.Phrases.Join:
		return src, nil, nil
	case s.joined != nil:
		return s.joined.Apply(src), s.joined, nil
	}
	if err := src.Again(); err != nil {
		return nil, nil, errorf("%v, and %v reads it first to find the phrases, and then to join them", err, name("phrases"))
	}
	o := s.Phrases.Options
	o.Threads, o.Force, o.Progress = s.Model.Threads, s.Model.Force, reading
	table, err := phrases.Learn(ctx, src, o)
	if err != nil {
		return nil, nil, fmt.Errorf("finding phrases: %w", explainReading(err))
	}
	return table.Apply(src), table, nil
}
