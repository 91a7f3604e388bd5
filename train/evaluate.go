package train

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

type evaluator struct {
	fraction float64 // of the corpus that is held out
	heldOut  Corpus
	divided  bool           // the resumed run's held-out text is not measured
	file     bool           // the resumed run's held-out text was a file
	source   *corpus.Source // heldOut, opened; else nil
	sets     []Set
	custom   func(context.Context, *vectors.Set) (float64, error)

	scores []Score // of the current evaluation
}

func (r *run) readSets() error {
	e := r.options.Evaluation
	r.evaluator = evaluator{fraction: e.Fraction, heldOut: e.HeldOut, custom: e.Score, divided: r.options.Divide}
	switch {
	case e.Fraction != 0 && !(e.Fraction > 0 && e.Fraction < 1):
		return optionErrorf("%v: a fraction must be above 0 and below 1, is %v", name("validate"), e.Fraction)
	case e.Fraction != 0 && !e.HeldOut.isZero():
		return optionErrorf("%v: a fraction of the corpus is held out, or another text: only one of them is possible", name("validate"))
	}
	for _, set := range e.Sets {
		read, err := set.read()
		if err != nil {
			return err
		}
		r.evaluator.sets = append(r.evaluator.sets, read)
	}
	return nil
}

func (r *run) openHeldOut(ctx context.Context) (err error) {
	if e := &r.evaluator; !e.heldOut.isZero() {
		if of := r.settings.kmers; of != nil && e.heldOut.kmers == nil {
			e.heldOut = e.heldOut.sequences(*of, nil)
		}
		e.source, err = e.heldOut.source(ctx, 0, r.settings.Text)
	}
	return err
}

// resume takes over what a resumed run held out, and checks that the sets are the same.
func (e *evaluator) resume(n note) error {
	switch {
	case e.divided:
		e.fraction, e.file = n.Fraction, n.HeldOut
	case n.Fraction > 0 && e.fraction == 0 && e.heldOut.isZero():
		e.fraction = n.Fraction
	case e.fraction != n.Fraction:
		return optionErrorf("%v, and the run held out a fraction of %v of its corpus: leave it out", e.validate(), n.Fraction)
	case n.HeldOut && e.heldOut.isZero():
		return optionErrorf("the run held out a file: name it with %v", name("validate").to("FILE"))
	case !n.HeldOut && !e.heldOut.isZero():
		return optionErrorf("%v: the run held out no file", name("validate").to(e.heldOut.name))
	}
	if len(e.sets) != len(n.Sets) {
		names := wording.Map(n.Sets, func(set noted) string { return set.Name })
		return optionErrorf("the run is evaluated on %s: name the sets again with %v, in this order", cmp.Or(strings.Join(names, ", "), "no sets"), name("eval"))
	}
	for i, set := range e.noted() {
		if set.SHA256 != n.Sets[i].SHA256 {
			return optionErrorf("%v is another set than %s, on which the run is evaluated", name("eval").to(e.sets[i].name), n.Sets[i].Name)
		}
	}
	return nil
}

func (e *evaluator) validate() Message {
	if e.heldOut.isZero() {
		return messagef("%v is %v", name("validate"), e.fraction)
	}
	return messagef("%v is %s", name("validate"), e.heldOut.name)
}

func (e *evaluator) noted() []noted {
	return append([]noted{}, wording.Map(e.sets, func(set Set) noted { return noted{set.Name(), set.sum} })...) // not null in JSON
}

// checkSets remarks on sets with too few known words, an error if early stopping goes by one.
func (r *run) checkSets(v *vocab.Vocab) error {
	e := &r.evaluator
	for i, set := range e.sets {
		if set.usable(v, r.settings.pipeline()) {
			continue
		}
		text := messagef("nothing in %s can be scored: each of its lines has a word that is not in the vocabulary", set.name)
		if i == 0 && r.settings.Model.Patience > 0 && e.fraction == 0 && e.heldOut.isZero() {
			return errorf("%v, and %v goes by it: put another set first, or use %v", text, name("early-stop"), name("validate"))
		}
		r.remark(Remark{RemarkUnusableSet, text})
	}
	return nil
}

func (e *evaluator) split(ctx context.Context, t *Text, o ReadOptions, tell func(Message)) (train, heldOut *vocab.IDs, err error) {
	train = t.IDs
	switch {
	case follows(o.ranks): // the first rank evaluates
	case e.fraction > 0:
		if train, heldOut, err = t.IDs.Split(e.fraction); err == nil && e.divided {
			tell(messagef("the run held out a fraction of %v of its corpus, which is still not trained; %v measures no loss on it", e.fraction, name("divide")))
			heldOut = nil
		}
	case e.source != nil:
		index := o.index(t.settings)
		index.TooLong = func(left corpus.TooLong) { tell(messagef("%v: %v", name("validate"), left)) }
		index.Empty = func(empty corpus.Empty) { tell(messagef("%v: %v", name("validate"), empty)) }
		source := e.source
		if t.Phrases != nil {
			source = t.Phrases.Apply(source)
		}
		_, heldOut, err = vocab.Index(ctx, source, index, o.Cache)
	}
	if err != nil {
		return nil, nil, errorf("%v: %v", name("validate"), err)
	}
	return train, heldOut, nil
}

// evaluatesVectors reports whether evaluations need the vectors.
func (r *run) evaluatesVectors() bool {
	return len(r.evaluator.sets) > 0 || r.evaluator.custom != nil || r.options.Evaluation.EpochModels != ""
}

func (e *evaluator) score(ctx context.Context, set *vectors.Set) (float64, error) {
	e.scores = nil
	for _, s := range e.sets {
		score, err := s.score(ctx, set)
		if err != nil {
			return 0, err
		}
		e.scores = append(e.scores, Score{s.Name(), score})
	}
	var err error
	custom := math.NaN()
	if e.custom != nil {
		custom, err = e.custom(ctx, set)
	}
	if len(e.scores) > 0 {
		custom = float64(e.scores[0].Score)
	}
	return custom, err
}

// A Set scores vectors while they are trained. SetFile and ReadSet make one.
type Set struct {
	path string // the file; empty for ReadSet
	name string

	set eval.Set
	sum string // SHA-256 of its text
}

// SetFile is the set in a file: lines of two words and a number form a similarity set, lines of
// four words an analogy set. Run reads the file, which may be compressed.
func SetFile(path string) Set { return Set{path: path, name: path} }

// ReadSet reads a set of either kind from r. Messages call it name.
func ReadSet(name string, r io.Reader) (Set, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Set{}, compression.Named(name, err)
	}
	return newSet(name, text)
}

// Name returns the name of the set for reports: its file name without folder and extension.
func (s Set) Name() string { return eval.SetName(s.name) }

func newSet(name string, text []byte) (Set, error) {
	s := Set{name: name, sum: fmt.Sprintf("%x", sha256.Sum256(text))}
	var err, pairErr error
	if s.set, err = eval.ReadSet(bytes.NewReader(text), name, eval.TaskAnalogy); err == nil {
		return s, nil
	}
	if s.set, pairErr = eval.ReadSet(bytes.NewReader(text), name, eval.TaskSimilarity); pairErr == nil {
		return s, nil
	}
	return s, fmt.Errorf("%s is neither a similarity set (%w) nor an analogy set (%w)", name, pairErr, err)
}

func (s Set) read() (Set, error) {
	switch {
	case s.path == "" && s.sum == "":
		return s, optionErrorf("%v: a set is empty: SetFile and ReadSet make one", name("eval"))
	case s.path == "":
		return s, nil
	}
	text, err := compression.ReadFile(s.path, io.ReadAll)
	if err != nil {
		return s, err
	}
	read, err := newSet(s.name, text)
	read.path = s.path
	return read, err
}

func (s *Set) score(ctx context.Context, set *vectors.Set) (eval.Score, error) {
	r, err := eval.Evaluate(ctx, set, s.set, eval.Options{Resamples: -1})
	return r.Summary.Score, err
}

// usable reports whether all words of a pair or question are known, perhaps in lower case or as the text has
// them.
func (s *Set) usable(v *vocab.Vocab, cut *pipeline.Pipeline) bool {
	unknown := func(word string) bool {
		lower := []byte(strings.ToLower(word))
		if language := cut.Text.Language; language != "" {
			lower = wordbreak.LowerText(language, []byte(word))
		}
		_, found := v.ID([]byte(word))
		_, inLower := v.ID(lower)
		if found || inLower {
			return false
		}
		token, _ := cut.Word(word)
		_, found = v.ID([]byte(token))
		return !found
	}
	for _, p := range s.set.Pairs {
		if !unknown(p.A) && !unknown(p.B) {
			return true
		}
	}
	for _, section := range s.set.Sections {
		for _, q := range section.Questions {
			if !slices.ContainsFunc(q[:], unknown) {
				return true
			}
		}
	}
	return false
}
