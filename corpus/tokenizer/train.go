package tokenizer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/tokenizerfile"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vocab"
)

// A Result describes a trained tokenizer.
type Result struct {
	Model    Model  `json:"model"`
	Tokens   int    `json:"tokens"`             // in the vocabulary
	Specials int    `json:"special_tokens"`     // of Tokens
	Alphabet int    `json:"alphabet"`           // single characters of Tokens, or bytes
	Merges   int    `json:"merges,omitempty"`   // of BPE
	Pieces   uint64 `json:"pieces"`             // in the text
	Distinct int    `json:"distinct_pieces"`    // that were trained on
	LeftOut  uint64 `json:"left_out,omitempty"` // pieces of the text that did not fit into memory
}

// Train trains a tokenizer on a corpus and returns its tokenizer.json, which is the same whatever the number of
// threads. It reads the corpus once. The options of src say where the text is; if they change text, the file does not
// say so. It returns an error if the options are invalid, if the corpus cannot be read or has no text, and ctx's error if
// ctx ends.
func Train(ctx context.Context, src *corpus.Source, o Options) ([]byte, Result, error) {
	if err := o.Validate(); err != nil {
		return nil, Result{}, err
	}
	o = o.complete()
	r := Result{Model: o.Model, Specials: len(o.SpecialTokens)}
	file := o.file()
	file.Model = object{"type": "WordLevel", "unk_token": "", "vocab": object{" ": len(o.SpecialTokens)}} // which nothing is cut with
	text, err := encode(file)
	if err != nil {
		return nil, r, err
	}
	cut, err := tokenizerfile.Parse(text)
	if err != nil {
		return nil, r, err
	}
	words, err := o.count(ctx, src.Pieces(corpus.ReadTokenizer("tokenizer.json", text)), cut, &r)
	if err != nil {
		return nil, r, err
	}
	alphabet, err := o.alphabet(words)
	if err != nil {
		return nil, r, err
	}
	r.Alphabet = len(alphabet)
	switch o.Model {
	case Unigram:
		file.Model, err = o.trainUnigram(ctx, words, alphabet, &r)
	default:
		file.Model, err = o.trainBPE(ctx, words, alphabet, &r)
	}
	if err != nil {
		return nil, r, err
	}
	if r.Tokens < o.VocabSize {
		o.note("the text gives %s, and not the %d that were asked for: more text, or a smaller MinFrequency, gives more", wording.Count(r.Tokens, "token", "tokens"), o.VocabSize)
	}
	text, err = encode(file)
	return text, r, err
}

func (o Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

func (o Options) progress(step string, done, total int) {
	if o.Progress != nil {
		o.Progress(Progress{step, uint64(done), uint64(total)})
	}
}

// Words are the different pieces of a text, the most frequent first, and pieces of equal count by their bytes.
type words struct {
	text   []byte   // the characters that the model gets
	ends   []uint32 // in text
	counts []uint64
}

func (w *words) len() int { return len(w.ends) }

func (w *words) at(i int) []byte {
	begin := uint32(0)
	if i > 0 {
		begin = w.ends[i-1]
	}
	return w.text[begin:w.ends[i]]
}

// perByte is about how many bytes of memory training takes for a byte of the different pieces.
const perByte = 24

func (o Options) count(ctx context.Context, src *corpus.Source, cut *tokenizerfile.Tokenizer, r *Result) (*words, error) {
	w := &words{}
	most := int(min(o.Memory/perByte, math.MaxInt32))
	options := vocab.Options{Threads: o.Threads, Memory: o.Memory, Folder: o.Folder, TooLong: o.TooLong, Empty: o.Empty}
	if o.Progress != nil {
		options.Progress = func(pieces uint64) { o.Progress(Progress{Step: "counting", Done: pieces}) }
	}
	distinct := 0
	for of, err := range vocab.Each(ctx, src, options) {
		if err != nil {
			return nil, err
		}
		r.Pieces += of.Count
		piece := cut.Mapped(string(of.Token))
		if distinct++; r.LeftOut > 0 || len(w.text)+len(piece) > most {
			r.LeftOut += of.Count
			continue
		}
		w.text = append(w.text, piece...)
		w.ends, w.counts = append(w.ends, uint32(len(w.text))), append(w.counts, of.Count)
	}
	if r.Distinct = w.len(); r.LeftOut > 0 {
		o.note("the %d rarest of %d different pieces, %.2f %% of the text, are left out: more do not fit into %.0f MB of memory",
			distinct-r.Distinct, distinct, 100*float64(r.LeftOut)/float64(r.Pieces), float64(o.Memory)/1e6)
	}
	return w, nil
}

// alphabet returns the characters that become tokens, in rising order.
func (o Options) alphabet(w *words) ([]rune, error) {
	counts := map[rune]uint64{}
	for i, n := range w.counts {
		for text := w.at(i); len(text) > 0; {
			r, size := utf8.DecodeRune(text)
			counts[r] += n
			text = text[size:]
		}
	}
	if o.PreTokenizer == ByteLevel {
		for _, r := range tokenizerfile.ByteAlphabet() {
			counts[r] += 0
		}
	}
	all := make([]rune, 0, len(counts))
	for r := range counts {
		all = append(all, r)
	}
	slices.Sort(all)
	if n := o.LimitAlphabet; n > 0 && n < len(all) {
		slices.SortStableFunc(all, func(a, b rune) int { return cmp.Compare(counts[b], counts[a]) })
		var rest uint64
		for _, r := range all[n:] {
			rest += counts[r]
		}
		o.note("%d rare characters, seen %s, are not in the alphabet of %d", len(all)-n, wording.Count(rest, "time", "times"), n)
		all = all[:n]
		slices.Sort(all)
	}
	return all, o.room(len(all) + len(o.SpecialTokens))
}

// room returns an error if there is no room for the tokens that there have to be.
func (o Options) room(least int) error {
	if least > o.VocabSize {
		return fmt.Errorf("tokenizer: VocabSize is %d, and the alphabet and the special tokens need %d: allow more, or set LimitAlphabet for a smaller alphabet", o.VocabSize, least)
	}
	return nil
}

// encode writes a file with a token or a merge a line, and never with escapes for HTML.
func encode(f fileOf) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(f); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// list is a list or an object in JSON with an item a line, in the order in which they were added.
type list struct {
	b     strings.Builder
	close byte
}

func newList(brackets string) *list {
	l := &list{close: brackets[1]}
	l.b.WriteByte(brackets[0])
	return l
}

// add adds an item, which is a format of values in JSON.
func (l *list) add(format string, values ...any) {
	if l.b.Len() > 1 {
		l.b.WriteByte(',')
	}
	for i, v := range values {
		if text, ok := v.(string); ok {
			values[i] = quoted(text)
		}
	}
	fmt.Fprintf(&l.b, format, values...)
}

// quoted returns a text as JSON.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // there are no errors
	return strings.TrimSuffix(b.String(), "\n")
}

// MarshalJSON returns the list.
func (l *list) MarshalJSON() ([]byte, error) { return []byte(l.b.String() + string(l.close)), nil }
