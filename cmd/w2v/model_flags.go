package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/query"
	"github.com/w2v-go/w2v/vectors/transform"
)

type postFlags struct {
	options convert.Options // of which these flags set some
}

func (p *postFlags) add(c *cobra.Command) {
	flags := c.Flags()
	p.options.Vectors = transform.KindInput
	grouped(flags, "Vector", func() {
		addEnum(flags, &p.options.Vectors, "vectors", "which vectors of a word", choicesOf(transform.Kinds(), map[transform.Kind]string{
			transform.KindInput:  "the default",
			transform.KindOutput: "context vectors",
			transform.KindSum:    "both, added",
			transform.KindConcat: "both, concatenated",
		}))
		whole(flags, 1, &p.options.First, "first", "", 0, "use only the first `N` dimensions, unchanged: for models of train --nested")
		whole(flags, 1, &p.options.Dim, "dim", "", 0, "reduce to `N` dimensions by principal components")
		flags.BoolVar(&p.options.Center, "center", false, "subtract the mean of all vectors")
		whole(flags, 1, &p.options.AllButTheTop, "abtt", "", 0, "all-but-the-top: subtract the mean and remove the first `D` principal components")
		flags.BoolVar(&p.options.Whiten, "whiten", false, "subtract the mean and make dimensions uncorrelated, of variance 1 (ZCA)")
		flags.BoolVar(&p.options.Normalize, "normalize", false, "scale every vector to length 1")
	})
	checked(c, func([]string) error {
		return broken(rule{p.options.First > 0 && p.options.Dim > 0, "--first and --dim exclude each other: dimensions are left as they are, or new ones are made of all"})
	})
}

func (p *postFlags) slow() bool {
	return p.options.Dim > 0 || p.options.Center || p.options.AllButTheTop > 0 || p.options.Whiten
}

// A postSettings is what the flags ask for, for the record of a result.
type postSettings struct {
	Vectors      string `json:"vectors,omitempty"` // empty for input vectors
	First        int    `json:"first,omitempty"`
	Dim          int    `json:"dim,omitempty"`
	Center       bool   `json:"center,omitempty"`
	AllButTheTop int    `json:"abtt,omitempty"`
	Whiten       bool   `json:"whiten,omitempty"`
	Normalize    bool   `json:"normalize,omitempty"`
}

func (p *postFlags) settings() postSettings {
	o := p.options
	if o.Vectors == transform.KindInput {
		o.Vectors = ""
	}
	return postSettings{string(o.Vectors), o.First, o.Dim, o.Center, o.AllButTheTop, o.Whiten, o.Normalize}
}

// String names the settings as flags, in the order in which they apply: nothing for none.
func (s postSettings) String() string {
	return strings.TrimSpace(when(s.Vectors != "", "--vectors %s ", s.Vectors) + when(s.First > 0, "--first %d ", s.First) +
		when(s.Dim > 0, "--dim %d ", s.Dim) + when(s.Center, "--center ") + when(s.AllButTheTop > 0, "--abtt %d ", s.AllButTheTop) +
		when(s.Whiten, "--whiten ") + when(s.Normalize, "--normalize"))
}

func (p *postFlags) notes(s streams, m *query.Model) {
	s.notePost(m.Made)
	if m.Made.ByOption.Subwords {
		why := "vectors of hash embeddings are not means of rows"
		switch s := p.settings(); {
		case s.Vectors != "":
			why = "context vectors have none"
		case s.Normalize:
			why = "a mean of rows of length 1 is another vector"
		}
		s.notes("n-grams are dropped, and with them the vectors of words outside the vocabulary: " + why)
	}
}

func (s streams) notePost(r *convert.Result) {
	if f := r.First; f != nil && !f.Trained {
		why := either(f.Known, "the model was not trained with --nested %d, so", "it is not known whether the model was trained with --nested %d; if not,")
		s.note(why+" its first %[1]d dimensions are not vectors of their own", f.Dim)
	}
	notFinite := 0
	if done := r.Reduced; done != nil {
		s.note("%d of %d dimensions keep %.2f %% of the variance", done.To, done.From, 100*done.VarianceKept)
		notFinite = max(notFinite, done.NotFinite)
	}
	if of := r.Centred; of != nil {
		s.note("the mean of %s vectors has length %.3g; the root mean square of their lengths is %.3g", wording.Thousands(of.Words), of.MeanNorm, of.RootMeanSquare)
		notFinite = max(notFinite, of.NotFinite)
	}
	if done := r.Removed; done != nil {
		s.note("the removed components had %.2f %% of the variance", 100*done.VarianceRemoved)
		notFinite = max(notFinite, done.NotFinite)
	}
	if done := r.Whitened; done != nil {
		s.noteIf(done.Directions < r.Set.Dim(), "vectors vary in %d of %d directions, and have nothing in the others", done.Directions, r.Set.Dim())
		notFinite = max(notFinite, done.NotFinite)
	}
	s.noteIf(notFinite > 0, "%s not finite, before and after", wording.Count(notFinite, "vector is", "vectors are"))
}

type bridgeFlags struct {
	scale   string
	dtype   string
	tied    bool
	special []string
}

func (f *bridgeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.scale = string(transform.ScaleNone)
	addEnum(flags, &f.scale, "scale", "scale vectors", []choice{
		{string(transform.ScaleNone), "not at all"},
		{string(transform.ScaleUnit), "each to length 1"},
		{string(transform.ScaleSqrtDim), "by the square root of the dimensions"},
		{"std=S", "to the standard deviation S of all numbers"},
	}).further = func(value string) error {
		_, err := transform.ParseScale(value)
		return err
	}
	addEnum(flags, &f.dtype, "dtype", "type of numbers; the default is that of IN if the format has it", choicesOf(vectors.DTypes(), nil))
	flags.BoolVar(&f.tied, "tied", false, "for --to torch: leave out context vectors, for a network with one matrix for input and output")
	flags.StringSliceVar(&f.special, "special-tokens", nil, "put rows of zeros for these `TOKENS` first: '[PAD],[UNK]'")
	checked(c, func([]string) error {
		for i, token := range f.special {
			f.special[i] = strings.TrimSpace(token)
			if f.special[i] == "" {
				return errors.New("--special-tokens: a token is empty")
			}
			if slices.Contains(f.special[:i], f.special[i]) {
				return fmt.Errorf("--special-tokens: %s is named twice", f.special[i])
			}
		}
		return nil
	})
}

func (f *bridgeFlags) set(o *convert.Options) {
	o.Scale, o.DType, o.OneMatrix, o.SpecialTokens = transform.Scale(f.scale), vectors.DType(f.dtype), f.tied, f.special
}

// A wordList is the words that --words asks for, and what is done with those that have no vector.
type wordList struct {
	file    string
	missing convert.Missing
	seed    uint64
	lines   int // with a word
}

func (l *wordList) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&l.file, "words", "", "keep only the words in `FILE`, one a line, in that order; - means standard input")
	l.missing = convert.MissingSkip
	addEnum(flags, &l.missing, "missing", "what happens to words of --words without a vector", choicesOf(convert.Missings(), nil))
	flags.Uint64Var(&l.seed, "seed", 1, "seed of the rows of --missing random")
	checked(c, func([]string) error {
		return broken(
			rule{l.file == "" && flags.Changed("missing"), "--missing is about the words of --words, and there are none"},
			rule{l.missing != convert.MissingRandom && flags.Changed("seed"), "--seed is for --missing random alone"},
		)
	})
}

func (l *wordList) read(stdin io.Reader) (list *convert.WordList, err error) {
	switch l.file {
	case "":
		return nil, nil
	case "-":
		if list, err = l.parse(stdin); err != nil {
			err = compression.Named(l.file, err)
		}
		return list, err
	}
	return compression.ReadFile(l.file, l.parse)
}

func (l *wordList) words(stdin io.Reader) ([]string, error) {
	list, err := l.read(stdin)
	if list == nil {
		return nil, err
	}
	return list.Words, err
}

func (l *wordList) parse(r io.Reader) (*convert.WordList, error) {
	list := &convert.WordList{Missing: l.missing, Seed: l.seed}
	end, empty := 0, 0 // empty is the first empty line before another word, end the first one after it
	for p, err := range pieces(r, vectors.MaxWord) {
		if err != nil {
			return nil, err
		}
		if !p.whole() {
			return nil, fmt.Errorf("line %d: %.20q… has %d bytes, and no word has more than %d", p.line, p.text, p.size, vectors.MaxWord)
		}
		if word := strings.Trim(p.text, white); word != "" {
			list.Words = append(list.Words, word)
			empty = cmp.Or(empty, end)
		} else {
			end = cmp.Or(end, p.line)
		}
	}
	l.lines = len(list.Words)
	switch {
	case l.lines == 0:
		return nil, errors.New("there are no words in it")
	case list.Aligned() && empty > 0:
		return nil, fmt.Errorf("line %d is empty, so line i would not have row i: remove it, or say --missing skip", empty)
	}
	return list, nil
}

func some(words []string) string { return list(words, " ") }

// list joins the first items, and says how many more there are.
func list(items []string, between string) string {
	const shown = 10
	if len(items) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(items[:shown], between), len(items)-shown)
	}
	return strings.Join(items, between)
}

type answerFlags struct {
	flags     *pflag.FlagSet
	k         int
	restrict  int
	among     wordList
	exclude   wordList
	metadata  string
	where     []string
	none      string // why --where may leave out everything
	threshold float64
}

// add adds the flags. Candidates are what may answer: words or entries. Asks tells whether standard input has the queries.
func (a *answerFlags) add(c *cobra.Command, what, candidates string, most int, asks func(args []string) bool) {
	a.flags, a.among.missing = c.Flags(), convert.MissingSkip
	whole(a.flags, 1, &a.k, "neighbors", "k", most, "number of "+what)
	whole(a.flags, 0, &a.restrict, "restrict", "", 0, "answer only with the first `N` "+candidates+when(candidates == "words", " of the vocabulary, which are the most frequent")+"; 0 allows all")
	a.flags.StringVar(&a.among.file, "among", "", "answer only with the "+candidates+" in `FILE`, one a line; - means standard input")
	a.flags.StringVar(&a.exclude.file, "exclude", "", "never answer with the "+candidates+" in `FILE`, one a line; - means standard input")
	a.flags.StringVar(&a.metadata, "metadata", "", "`FILE` of facts about "+candidates+" for --where: columns separated by tabs, a header, "+candidates+" in the first column")
	a.flags.StringArrayVar(&a.where, "where", nil, "answer only with "+candidates+" that meet this `CONDITION` on a column of --metadata, as in country=France or 'year>=1990'; of several, all must be met")
	a.flags.Float64Var(&a.threshold, "threshold", 0, "leave out answers with a score below `T`")
	checked(c, func(args []string) error {
		return broken(
			rule{asks(args) && a.among.file == "-", "queries and the words of --among cannot both come from standard input"},
			rule{(asks(args) || a.among.file == "-") && a.exclude.file == "-", "--exclude cannot read standard input, which has queries or the words of --among"},
			rule{math.IsNaN(a.threshold), "--threshold must be a number"},
			rule{(a.metadata == "") != (len(a.where) == 0), "--metadata and --where belong together: facts, and what they must be"},
		)
	})
}

type answerer struct {
	set       *vectors.Set // of the words that may be answers
	nearest   func(context.Context, ...vectors.Query) ([][]vectors.Neighbor, error)
	k         int
	threshold *float64
}

func (a *answerFlags) answerer(s streams, words *finder) (answerer, error) {
	from := answerer{set: words.set, k: a.k}
	list, err := a.among.read(s.in)
	if err != nil {
		return from, fmt.Errorf("%s: %w", words.path, err)
	}
	without := map[string]bool{}
	excluded, err := a.exclude.words(s.in)
	if err != nil {
		return from, err
	}
	for _, word := range excluded {
		spelling, _ := words.Spelling(word)
		without[spelling] = true
	}
	meets, err := a.conditions(s, words)
	if err != nil {
		return from, err
	}
	switch {
	case list != nil:
		var chosen, beyond []string
		for _, word := range list.Words {
			spelling, id := words.Spelling(word)
			switch {
			case a.restrict > 0 && (id < 0 || id >= a.restrict):
				beyond = append(beyond, word)
			case meets(spelling) && !without[spelling]:
				chosen = append(chosen, spelling)
			}
		}
		s.noteIf(len(beyond) > 0, "%s not among the first %s of the vocabulary and cannot answer: %s", a.among.count(beyond, "is", "are"), wording.Thousands(a.restrict), some(beyond))
		var missing []string
		if from.set, missing = transform.SelectComposed(words.set, chosen); len(missing) > 0 {
			s.note("%s no vector and cannot answer: %s", a.among.count(missing, "has", "have"), some(missing))
		}
		if from.set.Len() == 0 {
			return from, fmt.Errorf("%s: %s: none of its words has a vector, or --restrict, --exclude or --where leaves all of them out%s", words.path, a.among.file, a.none)
		}
	case a.restrict > 0 && a.restrict < words.set.Len() || len(a.where)+len(without) > 0:
		n := words.set.Len()
		if a.restrict > 0 {
			n = min(n, a.restrict)
		}
		some := make([]uint32, 0, n)
		for id := range n {
			if word := words.set.Words().At(id); meets(word) && !without[word] {
				some = append(some, uint32(id))
			}
		}
		if len(some) == 0 {
			return from, fmt.Errorf("%s: no word may answer: --restrict, --exclude and --where leave out all of them%s", words.path, a.none)
		}
		from.set = transform.Pick(words.set.Plain(), some)
	}
	from.nearest = from.set.Nearest
	a.least(&from)
	return from, nil
}

// conditions returns what reports whether a word meets --where. Without it all words do. It fills none.
func (a *answerFlags) conditions(s streams, words *finder) (meets func(word string) bool, err error) {
	if a.metadata == "" {
		return func(string) bool { return true }, nil
	}
	table, err := metadata.ReadFile(a.metadata)
	if err != nil {
		return nil, err
	}
	table = table.For(words.Spelling)
	s.notes(table.Notes(words.path)...)
	all := make([]func(word string) bool, len(a.where))
	for i, condition := range a.where {
		if all[i], err = table.Where(condition); err != nil {
			return nil, misuse(fmt.Errorf("--where: %w", err))
		}
		if why := table.WhyNone(condition); why != "" {
			a.none += "; " + why
		}
	}
	return func(word string) bool {
		return !slices.ContainsFunc(all, func(one func(string) bool) bool { return !one(word) })
	}, nil
}

// least adds --threshold, with which answers may be any number.
func (a *answerFlags) least(from *answerer) {
	if a.flags.Changed("threshold") {
		from.threshold = &a.threshold
		if !a.flags.Changed("neighbors") {
			from.k = from.set.Len()
		}
	}
}

func (l *wordList) count(words []string, one, more string) string {
	of := "of the words in " + l.file + " "
	return wording.Count(len(words), of+one, of+more)
}

func (a answerer) cut(found []vectors.Neighbor) []vectors.Neighbor {
	for i, n := range found {
		if a.threshold != nil && float64(n.Similarity) < *a.threshold {
			return found[:i]
		}
	}
	return found
}
