// Package pipeline cuts a text into tokens as the text was cut that a model was trained on.
//
// A [Pipeline] is how text becomes tokens: options of package corpus, the k-mers of sequences, and phrases
// that are joined. Models record it: Describe writes it into a model's record of training, and Of reads it.
package pipeline

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/phrases"
)

// A Pipeline is how text becomes tokens. The zero value cuts at white space. A pipeline does not change, and
// its methods may be called by several goroutines.
type Pipeline struct {
	Text corpus.Options
	// Kmers, if not nil, says that a text is a sequence, and what its k-mers are. Text applies to the k-mers.
	Kmers *kmers.Options
	// Phrases, if not nil, are the phrases that are joined.
	Phrases *phrases.Table
	// Characters and Tokens, if above 0, are how many code points of a text are read, and into how many tokens it is
	// cut at most: the others are left out.
	Characters, Tokens int
	// Lacks says what cut the training text and is not known, for users; it is empty if everything is known.
	// Cut does the rest.
	Lacks string
}

// Facts are what a model records of its training: values by name, see vectors.Training.
type Facts interface {
	Text(name string) string
	Bool(name string) bool
	Int(name string) int
	Attached(name string) []byte
}

// Names of what models attach: see vectors.Training.Attach.
const (
	attachedTokenizer = "tokenizer.json"
	attachedPhrases   = "phrases"
)

// mostAttached is the maximum number of bytes of what is attached: vectors.MaxAttached.
const mostAttached = 1 << 28

// ErrNoTokenizer says that a model was trained with a tokenizer.json that its file does not hold.
var ErrNoTokenizer = errors.New("the text was cut by a tokenizer.json, which the model's file does not hold")

// Of returns the pipeline that a model records. It is an error if this version lacks a tokenizer or a rule,
// or if an attachment is damaged. Without the tokenizer.json that the model names, Of returns an error that
// wraps ErrNoTokenizer, beside the pipeline as far as it is known.
func Of(f Facts) (*Pipeline, error) {
	p := &Pipeline{Characters: f.Int("text_characters"), Tokens: f.Int("text_tokens"), Text: corpus.Options{
		Lowercase: f.Bool("lowercase"), Language: f.Text("lowercase_language"), StripAccents: f.Bool("strip_accents"),
		TextColumn: columnOf(f), Header: f.Bool("header"), JSONField: f.Text("json_field"),
		Split: f.Text("split"), GroupBy: f.Text("group_by"),
	}}
	o := &p.Text
	named := []struct {
		name string
		to   encoding.TextUnmarshaler
	}{{"normalize", &o.Normalize}, {"digits", &o.Digits}, {"punctuation", &o.Punctuation}, {"sentences", &o.Sentences}}
	tokenizer := f.Text("tokenizer")
	file, isFile := corpus.TokenizerFileNamed(tokenizer)
	if !isFile {
		named = append(named, struct {
			name string
			to   encoding.TextUnmarshaler
		}{"tokenizer", &o.Tokenizer})
	}
	for _, n := range named {
		if text := f.Text(n.name); text != "" {
			if err := n.to.UnmarshalText([]byte(text)); err != nil {
				return nil, err
			}
		}
	}
	if k := f.Int("kmers"); k > 0 {
		p.Kmers = &kmers.Options{K: k, Stride: f.Int("kmer_stride"), Alphabet: kmers.Alphabet(f.Text("kmer_alphabet")), Canonical: f.Bool("kmer_canonical"), Join: f.Bool("kmer_join")}
		if err := p.Kmers.Validate(); err != nil {
			return nil, err
		}
	}
	if err := p.takePhrases(f); err != nil {
		return nil, err
	}
	if !isFile {
		return p, p.text().Validate()
	}
	o.File = file
	text := f.Attached(attachedTokenizer)
	if text == nil {
		return p, fmt.Errorf("%w (%s)", ErrNoTokenizer, tokenizer)
	}
	o.File = corpus.ReadTokenizer("the model's tokenizer.json", text)
	if _, err := o.File.Text(); err != nil {
		return nil, err
	}
	if is := o.File.String(); is != tokenizer {
		return nil, fmt.Errorf("the model's tokenizer.json is damaged: its checksum is %s, expected %s", is, tokenizer)
	}
	return p, p.text().Validate()
}

// columnOf returns the column of text: a number or a name.
func columnOf(f Facts) corpus.Column {
	if n := f.Int("text_column"); n > 0 {
		return corpus.Column(strconv.Itoa(n))
	}
	return corpus.Column(f.Text("text_column"))
}

// text returns the options for a text that is asked for, which does not stand in a column or a field. Older
// models say what their items are grouped by, and not where items are.
func (p *Pipeline) text() corpus.Options {
	o := p.Text
	o.TextColumn, o.Header, o.JSONField = "", false, ""
	if o.Split == "" && o.GroupBy != "" {
		o.Split = "\n"
	}
	o.GroupBy = ""
	return o
}

func (p *Pipeline) takePhrases(f Facts) error {
	table := f.Attached(attachedPhrases)
	if table == nil {
		if f.Bool("phrases") {
			p.Lacks = "phrases of the training text were joined, and the model's file does not hold them: the words of a phrase stay apart"
		}
		return nil
	}
	if sum := sumOf(table); sum != f.Text("phrase_table") {
		return fmt.Errorf("the model's table of phrases is damaged: its checksum is %s, expected %s", sum, f.Text("phrase_table"))
	}
	var err error
	if p.Phrases, err = phrases.Read(bytes.NewReader(table)); err != nil {
		return fmt.Errorf("the model's table of phrases: %w", err)
	}
	return nil
}

func sumOf(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

// A Record receives what Describe writes: see vectors.Training.
type Record interface {
	Set(name string, value any)
	Attach(name string, data []byte)
}

// Describe writes the pipeline into a model's record of training. It is an error if the tokenizer.json cannot
// be read, if a phrase cannot be written, or if one of them is larger than a model's file may hold.
func (p *Pipeline) Describe(to Record) error {
	o := &p.Text
	to.Set("lowercase", o.Lowercase)
	to.Set("lowercase_language", o.Language)
	to.Set("strip_accents", o.StripAccents)
	to.Set("text_column", o.TextColumn)
	to.Set("header", o.Header)
	to.Set("json_field", o.JSONField)
	to.Set("split", o.Split)
	to.Set("group_by", o.GroupBy)
	changed := func(name string, value fmt.Stringer, usual fmt.Stringer) {
		text := value.String()
		if text == usual.String() {
			text = ""
		}
		to.Set(name, text)
	}
	changed("normalize", o.Normalize, corpus.AsWritten)
	changed("digits", o.Digits, corpus.KeepDigits)
	changed("punctuation", o.Punctuation, corpus.UsualPunctuation)
	changed("sentences", o.Sentences, corpus.Lines)
	to.Set("tokenizer", o.Tokenizer.String())
	to.Attach(attachedTokenizer, nil)
	if o.File != nil {
		text, err := o.File.Text()
		if err != nil {
			return err
		}
		to.Set("tokenizer", o.File.String())
		if err := attach(to, attachedTokenizer, text); err != nil {
			return fmt.Errorf("%s %w", o.File.Path(), err)
		}
	}
	k := kmers.Options{}
	if p.Kmers != nil {
		k = *p.Kmers
		to.Set("tokenizer", "")
	}
	to.Set("kmers", k.K)
	to.Set("kmer_stride", k.Stride)
	to.Set("kmer_alphabet", string(k.Alphabet))
	to.Set("kmer_canonical", k.Canonical)
	to.Set("kmer_join", k.Join)
	to.Set("text_characters", p.Characters)
	to.Set("text_tokens", p.Tokens)
	to.Set("phrase_table", "")
	to.Attach(attachedPhrases, nil)
	if p.Phrases != nil {
		var table bytes.Buffer
		if _, err := p.Phrases.WriteTo(&table); err != nil {
			return err
		}
		to.Set("phrase_table", sumOf(table.Bytes()))
		if err := attach(to, attachedPhrases, table.Bytes()); err != nil {
			return fmt.Errorf("the table of %d phrases %w: a higher threshold or minimum count gives fewer", p.Phrases.Len(), err)
		}
	}
	return nil
}

func attach(to Record, name string, data []byte) error {
	if len(data) > mostAttached {
		return fmt.Errorf("has %d bytes, and a model's file holds at most %d", len(data), mostAttached)
	}
	to.Attach(name, data)
	return nil
}

// Cut cuts a text into tokens. If tokens are items of a list, a text is a list, or else an item in each line.
// With k-mers, the text is a sequence, or records of FASTA or FASTQ. Tokens pass through further stages before
// phrases are joined. left describes tokens that are too long. It is an error if the tokenizer.json is not
// known or cannot cut the text, if the text is not a sequence, or if its k-mers have more than 256 MB.
func (p *Pipeline) Cut(text string, further ...func() corpus.Stage) (tokens []string, left corpus.TooLong, err error) {
	o := p.text()
	text = p.Beginning(text)
	if o.File != nil {
		if _, err := o.File.Tokens(); err != nil {
			return nil, left, err
		}
	}
	if p.Kmers != nil {
		if text, err = p.sequence(text); err != nil {
			return nil, left, err
		}
	}
	if p.Phrases != nil {
		further = slices.Concat(further, p.Phrases.Stages())
	}
	tokens, left, err = o.Tokens(text, further...)
	if p.Tokens > 0 {
		tokens = tokens[:min(len(tokens), p.Tokens)]
	}
	return tokens, left, err
}

// Beginning returns what Cut reads of a text: all of it, unless Characters is above 0.
func (p *Pipeline) Beginning(text string) string {
	if n := 0; p.Characters > 0 && len(text) > p.Characters {
		for at := range text {
			if n == p.Characters {
				return text[:at]
			}
			n++
		}
	}
	return text
}

// mostKmers limits the memory for the k-mers of a text, in bytes.
const mostKmers = 1 << 28

// sequence returns the k-mers of a sequence with blanks between them.
func (p *Pipeline) sequence(text string) (string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	read := kmers.NewReader
	if head := strings.TrimLeft(text, "\r\n"); !strings.ContainsAny(head[:1], ">@;") {
		read = kmers.NewSequence
	}
	kmers, err := io.ReadAll(io.LimitReader(read("", strings.NewReader(text), *p.Kmers), mostKmers+1))
	if len(kmers) > mostKmers {
		return "", fmt.Errorf("the k-mers of a sequence of %d letters have more than %d bytes: cut it into pieces", len(text), mostKmers)
	}
	return string(kmers), err
}

// Word returns the token that a word becomes which is asked for: in lower case, joined to a phrase, or as the
// canonical k-mer, if the training text was cut so. If the pipeline does not make exactly one token of the
// word, or only the token for what is unknown, ok is false.
func (p *Pipeline) Word(word string) (token string, ok bool) {
	if p.Kmers != nil && len(word) != p.Kmers.K {
		return word, false
	}
	tokens, left, err := p.Cut(word)
	if err != nil || len(tokens) != 1 || left.Tokens > 0 || p.Text.File != nil && tokens[0] == p.Text.File.Unknown() {
		return word, false
	}
	return tokens[0], true
}

// Plain reports whether tokens are what stands between white space, perhaps in lower case.
func (p *Pipeline) Plain() bool {
	return p.text() == corpus.Options{Lowercase: p.Text.Lowercase, Language: p.Text.Language} &&
		p.Kmers == nil && p.Phrases == nil && p.Characters == 0 && p.Tokens == 0
}

// Cuts reports whether tokens are parts of words or of sequences, or items of lists: then no token may be cut
// further.
func (p *Pipeline) Cuts() bool {
	return p.Text.File != nil || p.Kmers != nil || p.Text.Split != "" || p.Text.GroupBy != "" || p.Text.Tokenizer != corpus.Whitespace
}
