package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

func printNeighbors(w io.Writer, indent string, neighbors []vectors.Neighbor) {
	width := widthOf(neighbors, func(n vectors.Neighbor) string { return lineBreaks.Replace(n.Word) })
	shown := terminalOf(w)
	for _, n := range neighbors {
		fmt.Fprintf(w, "%s%s %s\n", indent, padded(listed(w, n.Word), width), shown.Paint(terminal.Name, fmt.Sprintf("%.4f", n.Similarity)))
	}
}

func widthOf[T any](items []T, text func(T) string) (width int) {
	for _, item := range items {
		width = max(width, min(widest, utf8.RuneCountInString(text(item))))
	}
	return width
}

// A neighborhood is what w2v nn prints of a word or an expression. Its JSON is read by scripts.
type neighborhood struct {
	Query        string             `json:"query"`
	FoundAs      string             `json:"found_as,omitempty"` // if that is another spelling
	Terms        []query.Term       `json:"terms,omitempty"`    // of an expression
	Neighbors    []vectors.Neighbor `json:"neighbors"`
	Explanations []explanation      `json:"explanations,omitempty"` // of the neighbours, with --explain
	Suggestions  []string           `json:"suggestions,omitempty"`  // if the word has no vector
	missing      bool
}

type nearestRun struct {
	modelFlags
	answers answerFlags
	sum     sumFlags
	explain bool
	asJSON  bool
}

func newNN(s streams) *cobra.Command {
	var f nearestRun
	c := command("nn", cobra.MinimumNArgs(1), s.asking(func() opening { return f.answers.opening(&f.modelFlags) }, func(ctx context.Context, words *finder, args []string) error {
		return f.run(ctx, s, args, words)
	}))
	f.answers.add(c, "neighbours", "words", 10, func(args []string) bool { return len(args) == 1 && !f.sum.given() })
	f.sum.add(c)
	c.Flags().BoolVar(&f.explain, "explain", false, "say which n-grams make each cosine")
	f.modelFlags.add(c)
	addJSON(c, &f.asJSON)
	return c
}

func (f *nearestRun) run(ctx context.Context, s streams, asked []string, words *finder) error {
	if f.explain && words.set.Subword() == nil {
		return fmt.Errorf("%s: --explain: %s", words.path, f.noParts())
	}
	if err := words.checkExpressions(asked...); err != nil {
		return err
	}
	from, err := f.answers.answerer(s, words)
	if err != nil {
		return err
	}
	answer := func(queries ...question) error {
		found, err := words.neighborsOf(ctx, queries, from, f.explain)
		return errors.Join(err, f.print(words.out, found, len(asked) == 1 || f.sum.given()))
	}
	if f.sum.given() {
		return errors.Join(answer(f.sum.query(words)), words.absent.err())
	}
	queries := batches(asked, s.queries(words.Finder, asked), vectors.MaxWord, together(from.k), words.absent.tooLong)
	return answerEach(words, queries, func(batch []string) error {
		queries := wording.Map(batch, func(text string) question { return question{text: text} })
		return answer(queries...)
	})
}

func (f *nearestRun) noParts() string {
	if f.post.settings() != (postSettings{}) {
		return "the vectors that are asked for have no n-grams, so a cosine is that of two rows"
	}
	return "the model has no n-grams, so a cosine is that of two rows"
}

// print prints the neighbours; alone says that there was a single query.
func (f *nearestRun) print(out io.Writer, all []neighborhood, alone bool) error {
	for _, found := range all {
		if f.asJSON {
			if err := printJSON(out, found); err != nil {
				return err
			}
			continue
		}
		if found.missing {
			continue
		}
		indent := ""
		if !alone {
			indent = "  "
			fmt.Fprintf(out, "%s\n", terminalOf(out).Paint(terminal.Heading, lineBreaks.Replace(found.Query)))
		}
		if f.explain {
			printExplained(out, indent, found)
		} else {
			printNeighbors(out, indent, found.Neighbors)
		}
	}
	return nil
}

type question struct {
	text string
	sum  vectors.Expression // nil to parse the text
}

type sumFlags struct{ positive, negative []string }

func (f *sumFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.positive, "positive", nil, "`WORDS` to add, with commas between; may be repeated")
	c.Flags().StringArrayVar(&f.negative, "negative", nil, "`WORDS` to subtract, with commas between; may be repeated")
	checked(c, func(args []string) error { return f.check(args[1:]) })
}

func (f *sumFlags) given() bool { return len(f.positive)+len(f.negative) > 0 }

func (f *sumFlags) check(words []string) error {
	if f.given() && len(words) > 0 {
		return errors.New("--positive and --negative ask one question, and a WORD another one: write all words behind the flags")
	}
	for _, list := range slices.Concat(f.positive, f.negative) {
		for word := range strings.SplitSeq(list, ",") {
			if strings.Trim(word, white) == "" {
				return errors.New("--positive and --negative: a word is empty")
			}
			if err := checkLength(word); err != nil {
				return err
			}
		}
	}
	return nil
}

// query returns the expression. A list that is a word of the vocabulary, such as 1,000, is that word.
func (f *sumFlags) query(words *finder) question {
	var q question
	add := func(lists []string, weight float64, sign string) {
		for _, list := range lists {
			several := strings.Split(list, ",")
			if _, id := words.Spelling(list); id >= 0 {
				several = []string{list}
			}
			for _, word := range several {
				word = strings.Trim(word, white)
				q.sum = append(q.sum, vectors.Term{Word: word, Weight: weight})
				if q.text != "" || weight < 0 {
					q.text += sign
				}
				q.text += word
			}
		}
	}
	add(f.positive, 1, " + ")
	add(f.negative, -1, " - ")
	q.text = strings.TrimLeft(q.text, " ")
	return q
}

func (f *finder) neighborsOf(ctx context.Context, asked []question, from answerer, explain bool) ([]neighborhood, error) {
	found := make([]neighborhood, len(asked))
	queries := make([]vectors.Query, len(asked))
	words := make([]query.Found, len(asked))
	absent := f.absent
	for i, q := range asked {
		absent.all++
		v := make([]float32, f.set.Dim())
		w, err := f.find(v, q.text, q.sum)
		if err != nil {
			return nil, err
		}
		words[i] = w
		found[i] = neighborhood{Query: q.text, FoundAs: w.FoundAs(), Terms: w.Terms, missing: w.Missing()}
		queries[i] = vectors.Query{Vector: v, K: from.k, Skip: w.IDs(from.set)}
		switch {
		case w.Missing():
			clear(v) // a zero vector has no neighbours
			found[i].Suggestions = f.suggestions.For(w)
			absent.addFound(w, found[i].Suggestions)
		case math.IsNaN(vectors.Cosine(w.Vector, w.Vector)):
			absent.noDirection(q.text)
		}
	}
	all, err := from.nearest(ctx, queries...)
	if err := errors.Join(f.set.Err(), err); err != nil {
		return nil, err
	}
	for i, near := range all {
		found[i].Neighbors = from.cut(near)
		if explain && !found[i].missing {
			found[i].Explanations = f.explain(words[i], found[i].Neighbors)
		}
	}
	return found, f.set.Err() // which parts may have led to
}

// An explanation says which parts of two vectors make their cosine. Its JSON is read by scripts.
type explanation struct {
	Word       string     `json:"word"`        // the neighbour
	Similarity float64    `json:"similarity"`  // sum over all pairs
	Words      float64    `json:"words"`       // share of pairs of whole words' rows
	Same       float64    `json:"same_ngrams"` // share of pairs of the same n-gram
	Others     float64    `json:"others"`      // all other pairs
	Query      []share    `json:"query_parts"`
	Neighbor   []share    `json:"neighbor_parts"`
	Pairs      []pairPart `json:"pairs"` // the largest contribution first
}

type share struct {
	Word         string  `json:"word,omitempty"` // the word of the part, in an expression
	Part         string  `json:"part"`
	Whole        bool    `json:"whole,omitempty"` // the part is the row of the whole word
	Contribution float64 `json:"contribution"`
}

type pairPart struct {
	Query        string  `json:"query"`
	Neighbor     string  `json:"neighbor"`
	Contribution float64 `json:"contribution"`
}

// label names a part: that of a whole word stands in square brackets.
func (p share) label() string {
	return when(p.Word != "", "%s:", p.Word) + either(p.Whole, "["+p.Part+"]", p.Part)
}

func (f *finder) partsOf(w query.Found) (parts []vectors.WordPart, shares []share) {
	if w.Terms == nil {
		parts = f.set.WordParts(w.Spelling)
		return parts, sharesOf("", parts)
	}
	v := make([]float32, f.set.Dim())
	for _, t := range w.Terms {
		f.set.Vector(v, t.Spelling())
		squares := 0.0
		for _, x := range v {
			squares += float64(x) * float64(x)
		}
		by := t.Weight / math.Sqrt(squares)
		own := f.set.WordParts(t.Spelling())
		for _, p := range own {
			for k, x := range p.Vector {
				p.Vector[k] = float32(by * float64(x))
			}
		}
		parts, shares = append(parts, own...), append(shares, sharesOf(t.Spelling(), own)...)
	}
	return parts, shares
}

func sharesOf(word string, parts []vectors.WordPart) (shares []share) {
	return wording.Map(parts, func(p vectors.WordPart) share { return share{Word: word, Part: p.Text, Whole: p.Own} })
}

func (f *finder) explain(w query.Found, neighbors []vectors.Neighbor) (all []explanation) {
	parts, named := f.partsOf(w)
	for _, n := range neighbors {
		others := f.set.WordParts(n.Word)
		pairs, cosine := vectors.Contributions(parts, others)
		e := explanation{Word: n.Word, Similarity: cosine, Query: append([]share{}, named...), Neighbor: sharesOf("", others)}
		for _, p := range pairs {
			a, b := &e.Query[p.A], &e.Neighbor[p.B]
			a.Contribution += p.Cosine
			b.Contribution += p.Cosine
			switch {
			case a.Whole && b.Whole:
				e.Words += p.Cosine
			case !a.Whole && !b.Whole && a.Part == b.Part:
				e.Same += p.Cosine
			default:
				e.Others += p.Cosine
			}
			e.Pairs = append(e.Pairs, pairPart{a.label(), b.label(), p.Cosine})
		}
		all = append(all, e)
	}
	return all
}

const explained = 5

func printExplained(w io.Writer, indent string, found neighborhood) {
	for i, e := range found.Explanations {
		fmt.Fprintf(w, "%s%s %.4f = %.4f words + %.4f same n-grams + %.4f others\n", indent, listed(w, e.Word), found.Neighbors[i].Similarity, e.Words, e.Same, e.Others)
		first := e.Pairs[:min(explained, len(e.Pairs))]
		width := widthOf(first, func(p pairPart) string { return p.Query })
		rest := e.Similarity
		for _, p := range first {
			rest -= p.Contribution
			fmt.Fprintf(w, "%s  %7.4f  %s  %s\n", indent, p.Contribution, padded(listed(w, p.Query), width), listed(w, p.Neighbor))
		}
		if n := len(e.Pairs) - len(first); n > 0 {
			fmt.Fprintf(w, "%s  %7.4f  %s\n", indent, rest, wording.Count(n, "other pair", "other pairs"))
		}
	}
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// appendVector appends the numbers of v, each behind a space, in the shortest form that reads back the same.
func appendVector(line []byte, v []float32) []byte {
	for _, x := range v {
		line = strconv.AppendFloat(append(line, ' '), float64(x), 'g', -1, 32)
	}
	return line
}

func newVector(s streams) *cobra.Command {
	var f modelFlags
	var asJSON bool
	c := command("vector", cobra.MinimumNArgs(1), s.asking(f.opening, func(_ context.Context, words *finder, args []string) error {
		if err := words.checkExpressions(args...); err != nil {
			return err
		}
		v := make([]float32, words.set.Dim())
		notFinite := &unfinite{path: words.path, set: words.set}
		defer notFinite.note(s)
		var line []byte
		answer := func(word string) error {
			words.absent.all++
			w, err := words.find(v, word, nil)
			if err != nil {
				return err
			}
			if w.Missing() {
				words.absent.addFound(w, words.suggestions.For(w))
				return nil
			}
			if err := notFinite.add(word, v); err != nil {
				return err
			}
			if asJSON {
				return printJSON(words.out, struct {
					Word    string       `json:"word"`
					FoundAs string       `json:"found_as,omitempty"` // if that is another spelling
					Terms   []query.Term `json:"terms,omitempty"`    // of an expression
					Vector  query.Vector `json:"vector"`
				}{word, w.FoundAs(), w.Terms, v})
			}
			line = appendVector(append(line[:0], word...), v)
			_, err = words.out.Write(append(line, '\n'))
			return err
		}
		queries := batches(args, s.queries(words.Finder, args), vectors.MaxWord, together(1), words.absent.tooLong)
		return answerEach(words, queries, func(batch []string) error {
			for _, word := range batch {
				if err := answer(word); err != nil {
					return err
				}
			}
			return nil
		})
	}))
	f.add(c)
	addJSON(c, &asJSON)
	return c
}

// An ngramRow is what w2v ngrams prints of an n-gram. Its JSON is read by scripts.
type ngramRow struct {
	Ngram      string       `json:"ngram"`
	Bucket     uint32       `json:"bucket"`
	Importance *float32     `json:"importance,omitempty"` // of hash embeddings
	Vector     query.Vector `json:"vector"`
}

func (r ngramRow) line(line []byte) []byte {
	line = append(append(line, r.Ngram...), ' ')
	line = strconv.AppendUint(line, uint64(r.Bucket), 10)
	if r.Importance != nil {
		line = appendVector(line, []float32{*r.Importance})
	}
	return append(appendVector(line, r.Vector), '\n')
}

func ngramsOf(set *vectors.Set, word string) (rows []ngramRow) {
	buckets, weights := set.Subword().Append(nil, word), set.NgramWeights(word)
	zeros := make([]float32, set.Input().Cols)
	for i, ngram := range set.Subword().Ngrams(word) {
		row := ngramRow{Ngram: ngram, Bucket: buckets[i], Vector: set.BucketVector(buckets[i])}
		if row.Vector == nil {
			row.Vector = zeros
		}
		if weights != nil {
			row.Importance = &weights[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func newNgrams(s streams) *cobra.Command {
	var asJSON bool
	var letters caseFlag
	c := command("ngrams", cobra.ExactArgs(2), s.asking(func() opening { return opening{rule: letters.rule()} }, func(_ context.Context, words *finder, args []string) error {
		if words.set.Subword() == nil {
			return fmt.Errorf("%s: the model has no n-grams", words.path)
		}
		if err := checkLength(args[0]); err != nil {
			return err
		}
		rows := ngramsOf(words.set, words.spelling(args[0]))
		if asJSON {
			return eachJSON(words.out, rows)
		}
		for _, row := range rows {
			words.out.Write(row.line(nil))
		}
		return nil
	}))
	letters.add(c)
	addJSON(c, &asJSON)
	return c
}
