package train

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

type warmStart struct {
	file  string       // empty if the vectors were given as a set
	set   *vectors.Set // nil if there are no vectors
	notes []Message

	was  Settings // with which the vectors were trained
	told []string // names of the settings that are known
}

// openWarm opens the vectors to start from, and takes their settings where none are given.
func (r *run) openWarm() error {
	init := r.options.Init
	switch {
	case !init.given() && (init.UpdateVocab || r.settings.Given("freeze")):
		return optionErrorf("%v and %v need %v (%v also with %v)",
			name("freeze"), name("update-vocab"), name("init").to("FILE"), name("update-vocab"), name("resume").to("FILE"))
	case !init.given():
		return nil
	case init.UpdateVocab && r.options.Vocabulary.given():
		return optionErrorf("%v counts the vocabulary, and %v gives it: only one of them is possible", name("update-vocab"), name("vocab"))
	}
	w := &r.warm
	w.set = init.Vectors
	if w.set == nil {
		set, err := format.OpenStream(init.File, nil)
		if err != nil {
			return err
		}
		w.set, w.file = set, init.File
	}
	was, err := pipeline.Of(w.set.Training())
	if was == nil {
		return ofModel(w.name(), err)
	}
	w.was, w.told = recorded(w.set)
	if w.set.Labels() != nil { // texts have no windows, and their settings suit no others
		w.told = nil
		w.note("%s is a classifier: its labels are left out, and its settings are not taken, but for how text is cut", w.name())
	}
	w.was.Text = was.Text
	if err := w.takePipeline(r, was, err == nil); err != nil {
		return err
	}
	if init.UpdateVocab && r.options.Checkpoint.Resume == "" && w.told != nil {
		own, noted := r.settings.validateInput(), r.settings.named.taken // by takePipeline
		if err := r.settings.inherit(w.was); err != nil {
			return err
		}
		taken := slices.DeleteFunc(slices.Clone(w.told), func(name string) bool { return r.settings.Given(name) || noted[name] })
		is, _ := r.settings.differing(Defaults(), taken)
		if e, ok := errors.AsType[*OptionError](r.settings.validateInput()); ok && own == nil {
			lists, _ := r.settings.differing(Defaults(), []string{"split", groupBy})
			return optionErrorf("%s was trained with %v, and so is this run, unless another value or an empty one is given: %v", w.name(), messages(lists), e.Message)
		}
		if len(is) > 0 {
			w.note("%s was trained with %v, and so is this run", w.name(), messages(is))
		}
	}
	if err := w.complete(&r.settings); err != nil {
		return err
	}
	cut, is := cuttingOf(was.Text, w.set.Training().Text("tokenizer")), cuttingOf(r.settings.Text, (&cutting{&r.settings.Text}).String())
	if w.set.Training().Text("tokenizer") != "" && cut.String() != is.String() {
		w.note("%s was trained on text read with %v, and this one is read with %v: words may not match", w.name(), cut, is)
	}
	for _, text := range w.set.Unread() {
		w.note("what is not read of %s: %s", w.name(), text)
	}
	for _, text := range w.set.Notes() {
		w.note("%s: %s", w.name(), text)
	}
	return nil
}

// wholeLine is the field of JSON lines that is the line itself.
const wholeLine = "."

// takePipeline takes what cut the text of the vectors, unless the caller says otherwise: settings of text, phrases,
// and that the corpus is sequences. whole says that everything is known: then a tokenizer.json can be used.
func (w *warmStart) takePipeline(r *run, was *pipeline.Pipeline, whole bool) error {
	s := &r.settings
	givesText := slices.ContainsFunc(textSettings(), func(row setting.Setting[Settings]) bool {
		return row.Name != "min-count" && row.Name != "max-vocab" && s.Given(row.Name)
	})
	if was.Kmers != nil && r.input == textInput && !r.lists && !givesText {
		s.kmers, r.input = was.Kmers, nameOfKmers(*was.Kmers)
		w.note("%s was trained on %s, and so is this run", w.name(), r.input)
	}
	if r.input != textInput {
		w.was.Text = corpus.Options{}
		if was.Kmers != nil && s.kmers != nil {
			if made := nameOfKmers(*was.Kmers); made != r.input {
				w.note("%s was trained on %s, and this run is on %s: words may not match", w.name(), made, r.input)
			}
		}
		return nil
	}
	if r.lists || slices.ContainsFunc(inputSettings(), func(row setting.Setting[Settings]) bool { return s.Given(row.Name) }) {
		text := &w.was.Text // where text is belongs to the files of a corpus
		text.TextColumn, text.Header, text.JSONField = "", false, ""
		if r.lists {
			text.Split, text.GroupBy = "", ""
		}
	}
	if w.was.Text.JSONField == wholeLine { // as Python's package passes sentences on
		w.was.Text.JSONField = ""
		w.note("%s was trained on lines of JSON, and this run reads text, unless it is given %v", w.name(), name("json-field").to(wholeLine))
	}
	if was.Phrases != nil && !r.givenPhrases() {
		s.joined, s.Phrases = was.Phrases, w.was.Phrases
		s.Phrases.Join, s.tabled = true, isTabled(w.set.Training())
		for _, row := range phraseSettings() {
			s.named.taken = with(s.named.taken, row.Name, true)
		}
		w.note("%s was trained with %s joined, and so is this run", w.name(), wording.Count(was.Phrases.Len(), "phrase", "phrases"))
	}
	if was.Text.File != nil && whole && (!s.Given("tokenizer") || s.Text.File != nil && s.Text.File.String() == was.Text.File.String()) {
		s.takePooling(w.set.Training())
	}
	var taken []Message
	for _, row := range textSettings() {
		switch {
		case row.Name == "min-count" || row.Name == "max-vocab" || strings.HasPrefix(row.Name, "phrase") || s.Given(row.Name):
		case row.Name == "tokenizer" && !whole:
		case row.Text(s) != row.Text(&w.was):
			if err := s.adoptOne(row, &w.was, ""); err != nil {
				return err
			}
			taken = append(taken, messagef("%v", name(row.Name).to(row.Text(s))))
		}
	}
	if len(taken) > 0 {
		w.note("%s was trained with %v, and so is this run", w.name(), messages(taken))
	}
	return nil
}

// complete takes dimensions, subwords and rank of the vectors, unless they are given.
func (w *warmStart) complete(s *Settings) error {
	dim, nested := s.Given("dim"), s.Given("nested")
	s.completeDim()
	has := w.set.Dim()
	switch {
	case !dim && !nested:
		s.Model.Dim = has
		s.named.taken = with(s.named.taken, "dim", true)
	case s.Model.Dim == has:
	case dim:
		return optionErrorf("%v is %d, and %s has %d dimensions: leave %v out, or make them %d first with %v",
			name("dim"), s.Model.Dim, w.name(), has, name("dim"), s.Model.Dim, name("reduce"))
	default:
		return optionErrorf("%v ends at %d, and %s has %d dimensions: leave it out, or make them %d first with %v",
			name("nested").to(s.Value("nested")), s.Model.Dim, w.name(), has, s.Model.Dim, name("reduce"))
	}
	if w.set.Subword() != nil {
		if err := s.adoptSubword(w.set.Subword(), ""); err != nil {
			return err
		}
	}
	if rows, _, ok := w.set.Input().Factors(); ok && !s.Given("rank") {
		s.Model.Rank = rows.Cols
		s.named.taken = with(s.named.taken, "rank", true)
	}
	return nil
}

func cuttingOf(o corpus.Options, tokenizer string) Message {
	switch {
	case o.Language != "":
		return messagef("%v %v", name("tokenizer").to(tokenizer), name("lowercase").to(o.Language))
	case o.Lowercase:
		return messagef("%v %v", name("tokenizer").to(tokenizer), name("lowercase"))
	}
	return messagef("%v", name("tokenizer").to(tokenizer))
}

func (w *warmStart) note(text string, args ...any) {
	w.notes = append(w.notes, messagef(text, args...))
}

func (w *warmStart) name() string {
	if w.file == "" {
		return "the vectors to start from"
	}
	return w.file
}

func (w *warmStart) known(grow bool) (*vocab.Vocab, error) {
	if !grow {
		return nil, nil
	}
	var v *vocab.Vocab
	err := w.set.Guard(func() (err error) {
		if v, err = vocab.New(w.set.Words().Strings(), w.set.Counts()); err != nil {
			err = fmt.Errorf("%s: %w", w.name(), err)
		}
		return err
	})
	if err == nil && w.set.Counts() == nil {
		w.note("%s does not say how often its words were seen: each counts as once, and as often as the corpus has it", w.name())
	}
	return v, err
}

func (w *warmStart) named(err error) error {
	if e, ok := errors.AsType[*sgns.ProjectionError](err); ok {
		return &Error{messagef("%s: rows of %d numbers, and rows of %d times a projection are to be trained: factorize the vectors first with %v, or train without a rank",
			w.name(), e.Cols, e.Rank, name("factorize").to(e.Rank)), e}
	}
	if e, ok := errors.AsType[*sgns.InitError](err); ok {
		return fmt.Errorf("%s: %w", w.name(), e.Err)
	}
	return err
}

func (w *warmStart) started(warm sgns.Warm, s Settings) Warm {
	if warm.Left > 0 && s.Text.File == nil { // all tokens of a tokenizer.json have rows
		w.note("%s words of %s are not in the vocabulary and left out: %v keeps them", wording.Thousands(warm.Left), w.name(), name("update-vocab"))
	}
	if len(warm.Unused) > 0 {
		w.note("what does not fit of %s is left out: %s", w.name(), strings.Join(warm.Unused, ", "))
	}
	switch sub := w.set.Subword(); {
	case warm.Composed:
		text := "the model has none"
		if s.Model.Subword != nil {
			text = "those of the model start as the mean of the known words that have them"
		}
		w.note("n-grams of %s (%s) are left out, its words start as what they are composed to: %s", w.name(), subword.Describe(sub), text)
	case s.Model.Subword != nil && sub == nil:
		w.note("%s has no n-grams: those of the model start as the mean of the known words that have them", w.name())
	}
	context := w.set.Output().Rows > 0 || slices.ContainsFunc(w.set.Matrices(), func(m vectors.NamedMatrix) bool { return m.Kind().Output })
	return Warm{Warm: warm, File: w.file, Settings: s, HadContext: context, Notes: w.notes}
}

func (w *warmStart) close() error {
	if w.file == "" {
		return nil
	}
	return closeOnce(&w.set)
}

// conflict is the error of a setting that differs from that of the run that goes on.
func conflict(file, setting, asked, has string) error {
	more := messagef("")
	if setting == "epochs" {
		more = messagef("; %v trains more", name("extend-epochs"))
	}
	return optionErrorf("%v is %s, and the run in %s has %s: leave it out, its settings are taken%v", name(setting), asked, file, has, more)
}

// adopt takes all settings of a run that are not given. A file goes on: given ones must not differ.
// Else a new run starts, and adopt takes settings of the model, not of the run.
func (s *Settings) adopt(run Settings, file string) error {
	if err := s.adoptTable(run, file); err != nil {
		return err
	}
	return s.adoptSubword(run.Model.Subword, file)
}

func (s *Settings) adoptTable(run Settings, file string) error {
	for _, row := range table() {
		if row.Unsaved || row.Group == GroupSubwords || row.Group == sgns.GroupFreeze || file == "" && row.Group != sgns.GroupModel && row.Group != GroupText {
			continue
		}
		if text := row.Text(&run); text == "" && len(row.Choices) > 0 {
			if err := row.Set(&run, row.Choices[0].Value); err != nil {
				return err
			}
		}
		if row.Usual != "" && !row.Needs.Met(&run) {
			continue // the run does not use it
		}
		if err := s.adoptOne(row, &run, file); err != nil {
			return err
		}
	}
	return nil
}

// agreeOnText returns an error if a given setting would cut text into other tokens than the
// run did: new text would then have words that the run does not recognise.
func (s *Settings) agreeOnText(run Settings, file string) error {
	for _, row := range textSettings() {
		if row.Name == "min-count" || row.Name == "max-vocab" { // these settings only select tokens
			continue
		}
		if err := s.adoptOne(row, &run, file); err != nil {
			return err
		}
	}
	return nil
}

func (s *Settings) adoptOne(row setting.Setting[Settings], run *Settings, file string) error {
	if !s.Given(row.Name) {
		setting.Copy(row.At(s), row.At(run))
		s.named.taken = with(s.named.taken, row.Name, true)
		return nil
	}
	if file != "" && row.Name == "epochs" && s.Model.Epochs == 0 { // the run has chosen its number
		setting.Copy(row.At(s), row.At(run))
		return nil
	}
	if file != "" && row.Text(s) != row.Text(run) {
		return conflict(file, row.Name, row.Text(s), cmp.Or(row.Text(run), "none"))
	}
	return nil
}

// adoptSubword takes the kind of subwords, if models can be trained with this kind.
func (s *Settings) adoptSubword(indexer subword.Indexer, file string) error {
	indexer = subword.Value(indexer)
	kind, ok := subword.KindOf(indexer)
	if !ok && indexer != nil {
		return nil
	}
	name := cmp.Or(kind.Name, plainWords)
	switch {
	case s.Given(subwordsName) && s.kind() != name && file == "":
		return nil
	case s.Given(subwordsName) && s.kind() != name:
		return conflict(file, subwordsName, s.kind(), name)
	case s.Model.Subword != nil && file != "" && !subword.Same(s.Model.Subword, indexer):
		return conflict(file, subwordsName, subword.Describe(s.Model.Subword), cmp.Or(subword.Describe(indexer), "none"))
	}
	if ok && subword.Validate(indexer) != nil { // files store this kind differently than training does
		made, err := kind.Complete(indexer, func(string) bool { return false })
		if err != nil {
			return subwordError(err)
		}
		indexer = made
	}
	s.Model.Subword = indexer
	s.named.taken = with(s.named.taken, subwordsName, true)
	for _, row := range kind.Settings {
		asked, given := s.named.subword[row.Name]
		if has := fmt.Sprint(row.Field(indexer)); given && file != "" && asked != has {
			return conflict(file, row.Name, asked, has)
		}
	}
	return nil
}

// ofTheRun lists settings that commonly differ between runs, that say where text is in files, that have warnings of their own, or that
// change vectors when training has ended.
var ofTheRun = []string{"epochs", "lr", "own-weight", "power", "seed", "deterministic", "min-count", "max-vocab", "tokenizer", "lowercase", "text-column", "header", "json-field"}

// recorded returns the settings that vectors record, with defaults elsewhere, and their names.
func recorded(set *vectors.Set) (was Settings, told []string) {
	was = Defaults()
	was.Model.Dim = set.Dim()
	was.Model.PositionWeights = set.Matrix(vectors.MatrixPositionWeights).Rows > 0
	was.Model.WordBuckets = set.Matrix(vectors.MatrixWordNgrams).Rows
	if rows, _, ok := set.Input().Factors(); ok {
		was.Model.Rank = rows.Cols
	}
	facts := maps.Collect(set.Training().All())
	if facts["epochs"] == "" { // nothing is known about the training
		return was, nil
	}
	for _, row := range table() {
		text, has := facts[row.JSONKey()]
		if name, err := strconv.Unquote(text); err == nil {
			text = name
		}
		switch language := set.Training().Text("lowercase_language"); {
		case !has && (row.Name == "window" || row.Name == "sample"):
			text, has = "0", true // facts omit zeros
		case row.Name == "lowercase" && language != "":
			text = language
		}
		switch {
		case row.Name == "lr" || row.Group != sgns.GroupModel && row.Group != GroupText:
		case has && row.Record != nil && row.Set(&was, text) != nil: // from another version
		case has || row.OmitZero:
			told = append(told, row.Name)
		}
	}
	if isAuto(set.Training()) {
		was.Model.Epochs = 0
	}
	return was, told
}

// isAuto reports whether the number of epochs of a model was chosen by the size of its corpus.
func isAuto(t vectors.Training) bool { return t.Bool(autoEpochs) }

// inherit takes settings of vectors whose training goes on, except parts that do not fit given ones.
func (s *Settings) inherit(was Settings) error {
	all := *s
	if err := all.adoptTable(was, ""); err != nil {
		return err
	}
	if all.Model.Validate() == nil {
		*s = all
		return nil
	}
	usual := Defaults()
	for _, row := range table() {
		if row.Group == sgns.GroupModel && row.OmitZero && len(row.Choices) == 0 {
			setting.Copy(row.At(&was), row.At(&usual))
		}
	}
	return s.adoptTable(was, "")
}

// differing returns the named settings that differ between s and other, with the values of s and
// with the values of other. It skips settings that one of them does not use.
func (s *Settings) differing(other Settings, names []string) (these, others []Message) {
	for _, row := range table() {
		text := func(of *Settings) string {
			if text := row.Text(of); text != "" || len(row.Choices) == 0 {
				return cmp.Or(text, "none")
			}
			return row.Choices[0].Value
		}
		switch {
		case !slices.Contains(names, row.Name) || slices.Contains(ofTheRun, row.Name):
		case row.Needs != nil && !(row.Needs.Met(s) && row.Needs.Met(&other)):
		case text(s) != text(&other):
			these = append(these, messagef("%v", name(row.Name).to(text(s))))
			others = append(others, messagef("%v", name(row.Name).to(text(&other))))
		}
	}
	return these, others
}
