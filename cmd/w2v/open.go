package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/query"
)

type opening struct {
	rule    vectors.Case            // how the case of words is looked up
	post    *postFlags              // changes to the vectors; nil for none
	whole   bool                    // check the whole file
	leftOut bool                    // note vectors that are left out of answers
	file    *string                 // the tokenizer.json that the model's file may lack; nil for none
	empty   func(path string) error // error for a model without a list of words; nil if the command needs none
}

type modelFlags struct {
	letters caseFlag
	post    postFlags
}

func (f *modelFlags) add(c *cobra.Command) {
	f.letters.add(c)
	f.post.add(c)
}

func (f *modelFlags) opening() opening { return opening{rule: f.letters.rule(), post: &f.post} }

// opening is for commands that answer with words of the model, or of --among.
func (a *answerFlags) opening(f *modelFlags) opening {
	o := opening{rule: f.letters.rule(), post: &f.post, whole: true, leftOut: true}
	if a.among.file == "" {
		o.empty = errNoAnswers
	}
	return o
}

func scored(post *postFlags) opening { return opening{post: post, whole: true, leftOut: true} }

// open opens the model at path for as long as use takes, and notes what is unusual in it.
func (s streams) open(ctx context.Context, path string, o opening, use func(*finder) error) error {
	end := func() {}
	opened := query.Options{Case: o.rule, Check: o.whole}
	if o.file != nil {
		opened.Tokenizer = *o.file
	}
	var said error // an error that needs no path
	opened.Opened = func(set *vectors.Set) error {
		s.noteWords(path, set)
		if o.empty != nil && set.Len() == 0 {
			said = o.empty(path)
		} else if o.leftOut {
			said = s.noteLeftOut(path, set, o.post.settings().Vectors == "")
		}
		return said
	}
	if o.post != nil && o.post.settings() != (postSettings{}) {
		process := o.post.options
		if o.post.slow() {
			process.Computation, end = computation(s, false)
		}
		opened.Process = &process
	}
	m, err := query.Open(ctx, path, opened)
	end()
	if err = cmp.Or(said, err); err != nil {
		return err
	}
	if m.Made != nil {
		o.post.notes(s, m)
	}
	err = s.ask(path, m.Finder, use)
	if wrong := m.Close(); wrong != nil && !errors.Is(err, context.Canceled) {
		return wrong // takes precedence over resulting errors
	}
	return err
}

// ask calls use with a finder, and lets out what it has written.
func (s streams) ask(path string, m *query.Finder, use func(*finder) error) error {
	words := newFinder(s, path, m)
	err := use(words)
	if full := words.out.Flush(); !errors.Is(err, full) { // a full disk is said once
		err = errors.Join(err, full)
	}
	s.noteIf(len(words.lowered) > 0, "looked up in lower case: %s", some(words.lowered))
	s.noteIf(len(words.recast) > 0, "looked up as the training text has them: %s", list(words.recast, ", "))
	return err
}

func (s streams) noteWords(path string, set *vectors.Set) {
	for _, note := range set.Notes() {
		s.notes(path + ": " + note)
	}
}

func (s streams) noteUnread(path string, set *vectors.Set) {
	s.noteIf(len(set.Unread()) > 0, "what is not read of %s: %s", path, strings.Join(set.Unread(), "; "))
}

// noteLeftOut notes how many rows are not finite: words with such vectors are left out of comparisons.
func (s streams) noteLeftOut(path string, set *vectors.Set, inputOnly bool) error {
	look := either(inputOnly, set.NotFiniteInput, set.NotFinite)
	return s.noteNotFinite(path, look, "words with such vectors are left out")
}

func (s streams) noteNotFinite(path string, look func() (vectors.NotFinite, error), become string) error {
	found, err := look()
	s.noteIf(err == nil && found.Rows > 0, "%s: %s; %s", path, found, become)
	return err
}

// ofModel puts the model's path before an error about its content, unless the error names the file.
func ofModel(path string, err error) error {
	if err == nil || errors.Is(err, vectors.ErrChanged) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// noTokenizer is ofModel that says what to do about a model without its tokenizer.json.
func noTokenizer(path string, err error) error {
	if errors.Is(err, pipeline.ErrNoTokenizer) {
		err = fmt.Errorf("%w: --tokenizer FILE gives it", err)
	}
	return ofModel(path, err)
}

func errNoAnswers(path string) error {
	return fmt.Errorf("%s: the model has no list of words to answer with, only n-grams that compose the words one asks for", path)
}

type caseFlag struct {
	ignore bool
	flag   *pflag.Flag
}

func (f *caseFlag) add(c *cobra.Command) {
	const name = "ignore-case"
	c.Flags().BoolVar(&f.ignore, name, false, "if a word is not in the vocabulary, look it up in lower case (default true if the model was trained with --lowercase, or its vocabulary has no upper-case letters)")
	f.flag = c.Flags().Lookup(name)
}

func (f *caseFlag) rule() vectors.Case {
	if !f.flag.Changed {
		return vectors.CaseAuto
	}
	return either(f.ignore, vectors.CaseIgnored, vectors.CaseKept)
}

// searches limits the searches for similar words: with millions of words, each takes some tenths of a second.
const searches = 10

// A finder looks up words in a model, and records which words were found in another spelling.
type finder struct {
	*query.Finder
	set         *vectors.Set
	path        string
	out         buffered // standard output
	absent      *missing
	suggestions *query.Suggester
	lowered     []string // words that were looked up in lower case, each once
	recast      []string // words that were looked up as another token, with the token, each once
	seen        map[string]bool
}

func (f *finder) spelling(word string) string {
	spelling, id := f.Spelling(word)
	if id >= 0 {
		f.spelt(word, spelling)
	}
	return spelling
}

func (f *finder) spelt(asked, spelling string) {
	switch {
	case spelling == asked || f.seen[asked]:
		return
	case spelling == f.Lower(asked):
		f.lowered = append(f.lowered, asked)
	default:
		f.recast = append(f.recast, asked+" as "+spelling)
	}
	f.seen[asked] = true
}

// find is Find, or Express for an expression that is not nil, and records how words were found.
func (f *finder) find(v []float32, text string, e vectors.Expression) (w query.Found, err error) {
	if e == nil {
		if e, err = f.Parse(text); err != nil {
			return f.Find(v, text)
		}
	}
	if w, err = f.Express(v, text, e); err != nil || w.Missing() {
		return w, err
	}
	for i, spelling := range w.Words() {
		if _, known := f.set.ID(spelling); known {
			f.spelt(e[i].Word, spelling)
		}
	}
	return w, nil
}

// checkExpressions returns a usage error if a text of the command line is neither a word nor an expression.
func (f *finder) checkExpressions(texts ...string) error {
	for _, text := range texts {
		if _, err := f.Parse(text); err != nil {
			return misuse(err)
		}
	}
	return f.set.Err()
}

type missing struct {
	to    io.Writer
	model string
	one   string // what is asked for, singular: "word"
	what  string // plural: "words"
	lack  string // what is missing: "vector"
	why   string
	n     int
	wrong int // number of queries that are not expressions
	// recast returns the token that the training text has for a word; nil if words are not what is asked for.
	recast func(word string) (token string, ok bool)
	all    int
}

func (m *missing) add(query string, suggestions ...string) {
	m.say(query, suggestions)
	m.n++
}

func (m *missing) say(query string, suggestions []string) {
	as := ""
	if m.recast != nil {
		if token, ok := m.recast(query); ok {
			as = fmt.Sprintf(", %.80q in the training text,", token)
		}
	}
	fmt.Fprintf(m.to, "w2v: %s: %.80q%s is %s%s%s\n", m.model, query, as, m.why, orElse(suggestions), spacesFor(query))
}

// spacesFor returns how to write something that looks like an expression without white space.
func spacesFor(query string) string {
	if first, rest, ok := strings.Cut(query, "+"); !ok || first == "" || rest == "" || strings.ContainsAny(query, " \t") {
		return ""
	}
	return `; an expression has spaces around + and -, as in "king - man + woman"`
}

func (m *missing) addFound(w query.Found, suggestions []string) {
	m.count(w.Wrong != nil)
	m.sayFound(w, suggestions)
}

func (m *missing) count(wrong bool) {
	if wrong {
		m.wrong++
	} else {
		m.n++
	}
}

func (m *missing) sayFound(w query.Found, suggestions []string) {
	switch {
	case w.Wrong != nil:
		fmt.Fprintf(m.to, "w2v: %s: %v\n", m.model, w.Wrong)
	case w.Terms != nil:
		fmt.Fprintf(m.to, "w2v: %s: %.80q: %.80q has no vector, or one that is zero or not finite%s\n", m.model, w.Asked, w.Lacking, orElse(suggestions))
	default:
		m.say(w.Asked, suggestions)
	}
}

func (m *missing) tooLong(p piece) {
	where := when(p.line > 0, "standard input: line %d: ", p.line)
	fmt.Fprintf(m.to, "w2v: %s%.20q… has %d bytes, and no word has more than %d\n", where, p.text, p.size, vectors.MaxWord)
	m.n++
	m.all++
}

func (m *missing) noDirection(query string) {
	fmt.Fprintf(m.to, "w2v: %s: the vector of %.80q is zero or not finite, and no other is near to it\n", m.model, query)
	m.n++
}

func (m *missing) err() error {
	tell := func(n int, has, have string) error {
		if n == 0 {
			return nil
		}
		return errors.New(wording.Of(n, m.all, m.one, m.what, has, have))
	}
	return errors.Join(tell(m.n, "has no "+m.lack, "have no "+m.lack), tell(m.wrong, "cannot be read", "cannot be read"))
}

func orElse(words []string) string {
	return didYouMean("", setting.Or(wording.Map(words, func(word string) string { return fmt.Sprintf("%.80q", word) })))
}

// asking returns how a command opens the model that its first argument names, and asks it with the others.
func (s streams) asking(o func() opening, use func(ctx context.Context, words *finder, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		return s.open(c.Context(), args[0], o(), func(words *finder) error { return use(c.Context(), words, args[1:]) })
	}
}

// noLongWords refuses words of the command line that are longer than any word of a model.
func noLongWords(c *cobra.Command) {
	before(c, func(args []string) error { return checkLength(args[1:]...) })
}

func newFinder(s streams, path string, m *query.Finder) *finder {
	set := m.Set()
	why := "not in the vocabulary"
	switch {
	case set.Learned().Any():
		why += ", and without n-grams that were trained"
	case set.Subword() != nil:
		why += ", and without n-grams"
	}
	return &finder{
		Finder: m, set: set, path: path, out: buffered{bufio.NewWriter(s.out), s.out}, suggestions: m.Suggester(searches), seen: make(map[string]bool),
		absent: &missing{to: s.err, model: path, one: "word", what: "words", lack: "vector", why: why, recast: m.Recast},
	}
}

func (s streams) notes(texts ...string) {
	for _, text := range texts {
		fmt.Fprintf(s.err, "note: %s\n", text)
	}
}

func (s streams) note(format string, args ...any) { s.notes(fmt.Sprintf(format, args...)) }

// files returns how a command reads a model for a conversion. Once it is open, the first signal ends the context.
func (s streams) files(ctx context.Context, path string, skip skipFlag) (of context.Context, name string, files convert.Files, end func()) {
	of, cancel := context.WithCancel(ctx)
	stop := func() {}
	files = convert.Files{
		SkipUnwritable: skip.on,
		Whole: func(reason string) {
			s.note("%s %s, so all of it is read into memory", path, reason)
		},
		Opened: func(set *vectors.Set) error {
			s.noteWords(name, set)
			var heard context.Context
			heard, stop = untilSignal(of, s.err)
			context.AfterFunc(heard, cancel)
			return nil
		},
	}
	name = path
	if path == "-" {
		s.notes("standard input cannot be read twice, so all of it is read into memory")
		name, files.In = "standard input", s.in
	}
	return of, name, files, func() { stop(); cancel() }
}

// fullDisk adds the flag --force to an error about a disk that is too small.
func fullDisk(err error) error { return advised[*sysinfo.DiskFullError](err, "--force tries anyway") }

func formatChoices() []choice { return choicesOf(format.All(), nil) }

var extensions = sync.OnceValue(func() []string {
	var all []string
	for _, f := range format.All() {
		if can, err := format.Describe(f); err == nil {
			all = append(all, can.Extensions...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
})

func outputFormat(path, name string, subwords bool) (format.Format, error) {
	if name == "" {
		return format.ForPath(path, subwords)
	}
	return format.Parse(name)
}

func checkTarget(path, name string) error {
	outFormat, err := outputFormat(path, name, false) // subwords do not change the kind of target
	if err != nil {
		outFormat = format.W2V // the error is reported later, when the format is needed
	}
	return format.CheckTarget(path, outFormat)
}

type skipFlag struct{ on bool }

const skipName = "skip-unwritable"

func (f *skipFlag) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, skipName, false, "skip words that the output format cannot hold, such as empty ones, and name them")
}

func (s streams) noteSkipped(skipped []*format.UnwritableWord, outFormat format.Format) {
	const shown = 5
	list := wording.Map(skipped[:min(shown, len(skipped))], func(word *format.UnwritableWord) string { return fmt.Sprintf("%.40q %v", word.Word, word.Reason) })
	more := when(len(skipped) > shown, "; and %d more", len(skipped)-shown)
	s.noteIf(len(skipped) > 0, "%s left out, which the format %s cannot hold: %s%s", wording.Count(len(skipped), "word is", "words are"), outFormat, strings.Join(list, "; "), more)
}

// advise adds to an error about an unwritable word the flag that skips such words.
func (f *skipFlag) advise(err error) error {
	if f.on {
		return err
	}
	return advised[*format.UnwritableWord](err, "--"+skipName+" leaves such words out")
}

type unwritable struct {
	ID     int    `json:"id"` // id in the input model
	Word   string `json:"word"`
	Reason string `json:"reason"`
}

// inJSON converts the words for JSON, in which invalid UTF-8 becomes U+FFFD.
func inJSON(skipped []*format.UnwritableWord) []unwritable {
	return wording.Map(skipped, func(word *format.UnwritableWord) unwritable {
		return unwritable{word.ID, word.Word, word.Reason.Error()}
	})
}

type unfinite struct {
	path  string
	set   *vectors.Set
	in    vectors.NotFinite // counts of the model
	count int
	first string
}

// add checks a vector that is printed for a text. It is an error if a sum of finite rows has overflowed.
func (u *unfinite) add(text string, v []float32) (err error) {
	if vectors.Finite(v) {
		return nil
	}
	if u.count == 0 {
		u.first = text
		u.in, err = u.set.NotFinite()
	}
	if err == nil && u.in.Rows == 0 {
		err = fmt.Errorf("%s: the vector of %.40q has numbers beyond those of float32, though all rows of the model are finite", u.path, text)
	}
	if err == nil {
		u.count++
	}
	return err
}

// addTokens adds the vectors of those tokens that are not finite. Used is how many tokens have part in the
// vector of a text, which leaves such vectors out.
func (u *unfinite) addTokens(tokens []vectors.Token, used int) error {
	known := slices.DeleteFunc(slices.Clone(tokens), func(t vectors.Token) bool { return t.ID < 0 })
	if used >= len(known) {
		return nil
	}
	v := make([]float32, u.set.Dim())
	for _, token := range known {
		u.set.WordVector(v, token.ID)
		if err := u.add(token.Word, v); err != nil {
			return err
		}
	}
	return nil
}

func (u *unfinite) note(s streams) {
	s.noteIf(u.count > 0, "%s numbers that are not finite, first that of %.40q: in %s, %s", wording.Count(u.count, "of the vectors has", "of the vectors have"), u.first, u.path, u.in)
}

func advised[E error](err error, advice string) error {
	if _, ok := errors.AsType[E](err); ok {
		return fmt.Errorf("%w; %s", err, advice)
	}
	return err
}
