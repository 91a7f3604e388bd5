package train

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// A warmStart is the vectors that training starts from.
type warmStart struct {
	file  string       // empty if they were given as a set
	set   *vectors.Set // nil if there are none
	notes []Message

	was  Settings // of the training of the vectors
	told []string // the names of those that are known
}

// openWarm opens the vectors that training starts from, and takes from them the settings that
// the caller left open.
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
	w.was, w.told = recorded(w.set)
	if r.input != textInput {
		w.was.Text.Split, w.was.Text.GroupBy = "", "" // there are no lists in it
	}
	if init.UpdateVocab && r.options.Checkpoint.Resume == "" && w.told != nil {
		own := r.settings.validateInput()
		if err := r.settings.inherit(w.was); err != nil {
			return err
		}
		taken := slices.DeleteFunc(slices.Clone(w.told), r.settings.Given)
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
	was, is := cuttingOf(corpus.Options{Lowercase: w.set.Training().Bool("lowercase"), Language: w.set.Training().Text("lowercase_language")}, w.set.Training().Text("tokenizer")), cuttingOf(r.settings.Text, (&cutting{&r.settings.Text}).String())
	if w.set.Training().Text("tokenizer") != "" && was.String() != is.String() {
		w.note("%s was trained on text read with %v, and this one is read with %v: words may not match", w.name(), was, is)
	}
	for _, text := range w.set.Unread() {
		w.note("what is not read of %s: %s", w.name(), text)
	}
	for _, text := range w.set.Notes() {
		w.note("%s: %s", w.name(), text)
	}
	return nil
}

// complete takes from the vectors the settings that the caller left open.
func (w *warmStart) complete(s *Settings) error {
	err := s.startFrom(w.set)
	e, ok := errors.AsType[*dimensionsError](err)
	if !ok {
		return err
	}
	if e.Setting == "nested" {
		return optionErrorf("%v ends at %d, and %s has %d dimensions: leave it out, or make them %d first with %v",
			name("nested").to(s.Value("nested")), e.Asked, w.name(), e.Has, e.Asked, name("reduce"))
	}
	return optionErrorf("%v is %d, and %s has %d dimensions: leave %v out, or make them %d first with %v",
		name("dim"), e.Asked, w.name(), e.Has, name("dim"), e.Asked, name("reduce"))
}

// cuttingOf names the settings that say how a text becomes words.
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

// name names the vectors in messages.
func (w *warmStart) name() string {
	if w.file == "" {
		return "the vectors to start from"
	}
	return w.file
}

// known returns the vocabulary of the vectors if it is to grow, else nil.
func (w *warmStart) known(grow bool) (*vocab.Vocab, error) {
	if !grow {
		return nil, nil
	}
	var v *vocab.Vocab
	err := w.set.Guard(func() (err error) {
		if v, err = vocab.New(w.set.Words().Strings(), w.set.Counts()); err != nil {
			return fmt.Errorf("%s: %w", w.name(), err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if w.set.Counts() == nil {
		w.note("%s does not say how often its words were seen: each counts as once, and as often as the corpus has it", w.name())
	}
	return v, nil
}

// named puts the name of the vectors in an error of what is in them.
func (w *warmStart) named(err error) error {
	if e, ok := errors.AsType[*sgns.ProjectionError](err); ok {
		return projectionError(w.name(), e)
	}
	if e, ok := errors.AsType[*sgns.InitError](err); ok {
		return fmt.Errorf("%s: %w", w.name(), e.Err)
	}
	return err
}

// changed says which settings differ from those that the vectors were trained with.
func (w *warmStart) changed(s Settings) (Remark, bool) {
	is, was := s.differing(w.was, w.told)
	if len(is) == 0 {
		return Remark{}, false
	}
	return remarkf(RemarkSettings, "%s was trained with %v, and this run has %v", w.name(), messages(was), messages(is)), true
}

// started describes what training starts from.
func (w *warmStart) started(warm sgns.Warm, s Settings) Warm {
	if warm.Left > 0 {
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
	return Warm{Warm: warm, File: w.file, Settings: s, HadContext: w.hasContext(), Notes: w.notes}
}

// hasContext tells whether the vectors come with context vectors of any kind.
func (w *warmStart) hasContext() bool {
	return w.set.Output().Rows > 0 || slices.ContainsFunc(w.set.Matrices(), func(m vectors.NamedMatrix) bool { return m.Kind().Output })
}

// close gives the file back.
func (w *warmStart) close() error {
	if w.set == nil || w.file == "" {
		return nil
	}
	set := w.set
	w.set = nil
	return set.Close()
}
