package tokenizer

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

// A Model is a way to cut pieces into tokens.
type Model string

// The models. The empty Model is BPE.
const (
	BPE       Model = "bpe"       // byte-pair encoding: frequent neighbours are merged, step by step (Sennrich et al., 2016)
	Unigram   Model = "unigram"   // the most probable cut by a language model of single tokens (Kudo, 2018)
	WordPiece Model = "wordpiece" // the longest tokens from the left; tokens within a piece have a prefix
)

// Models returns all models.
func Models() []Model { return []Model{BPE, Unigram, WordPiece} }

// A PreTokenizer is a way to cut a text into pieces. No token crosses the end of a piece.
type PreTokenizer string

// The pre-tokenizers. The empty PreTokenizer is ByteLevel.
const (
	// ByteLevel cuts words with the space before them, numbers and punctuation, and has a character for each of the
	// 256 bytes, so that nothing is unknown.
	ByteLevel PreTokenizer = "byte-level"
	// Metaspace cuts before spaces, which become the character U+2581.
	Metaspace PreTokenizer = "metaspace"
	// Whitespace cuts at white space and between words and punctuation.
	Whitespace PreTokenizer = "whitespace"
	// Bert cuts at white space, at each character of punctuation and at each Chinese character, and drops control
	// characters.
	Bert PreTokenizer = "bert"
)

// PreTokenizers returns all pre-tokenizers.
func PreTokenizers() []PreTokenizer { return []PreTokenizer{ByteLevel, Metaspace, Whitespace, Bert} }

// Options say what Train makes. The zero value makes a byte-level BPE with the defaults of the fields.
type Options struct {
	Model        Model
	PreTokenizer PreTokenizer
	VocabSize    int // most tokens, with the alphabet and special tokens; 0 means DefaultVocabSize
	// MinFrequency is how often a pair must be seen to be merged, or a text to become a token of Unigram; 0 means
	// DefaultMinFrequency.
	MinFrequency  int
	SpecialTokens []string // are never cut; they have the first ids
	// UnknownToken stands for characters that are not in the alphabet. Empty means <unk>, [UNK] for WordPiece, and none
	// for BPE over bytes.
	UnknownToken string
	// NoPrefixSpace makes ByteLevel and Metaspace leave the beginning of a text as it is. Otherwise the first word
	// gets a space before it, as the others have.
	NoPrefixSpace bool

	Normalize    corpus.Normalization // normal form of text
	StripAccents bool                 // remove accents and other marks
	Lowercase    bool

	// MaxTokenLength is the largest number of characters of a token, which are bytes with ByteLevel; 0 means 16 for
	// Unigram and no limit otherwise.
	MaxTokenLength int
	LimitAlphabet  int // most characters of the alphabet, the most frequent ones; 0 means all. Not for ByteLevel
	// ContinuingSubwordPrefix begins WordPiece's tokens that do not begin a piece; empty means "##".
	ContinuingSubwordPrefix string

	Threads int // 0 means GOMAXPROCS. The result does not depend on it
	// Memory is about how many bytes counting may take, and then training, at least vocab.LeastMemory; 0 means
	// vocab.DefaultMemory(). Counts beyond that are merged on disk. If the different pieces do not fit, Train
	// leaves out the rarest and tells Note.
	Memory uint64
	Folder string // for temporary files; empty means the system's

	Progress func(Progress)       // if not nil, is called by several goroutines
	Note     func(text string)    // if not nil, is called with what was left out
	TooLong  func(corpus.TooLong) // if not nil, is called if the text has tokens in lists that are too long
	Empty    func(corpus.Empty)   // if not nil, is called if only some of the inputs have text
}

// Progress says how far Train is.
type Progress struct {
	Step        string // "counting", "merging" or "estimating"
	Done, Total uint64 // pieces or tokens; Total is 0 while it is not known
}

// Defaults of Options.
const (
	DefaultVocabSize    = 30000
	DefaultMinFrequency = 2
	defaultPrefix       = "##"
	defaultPieceLength  = 16 // characters of a token of Unigram
)

// MaxVocabSize is the largest VocabSize.
const MaxVocabSize = 1 << 24

func (o Options) complete() Options {
	o.Model, o.PreTokenizer = cmp.Or(o.Model, BPE), cmp.Or(o.PreTokenizer, ByteLevel)
	o.VocabSize, o.MinFrequency = cmp.Or(o.VocabSize, DefaultVocabSize), cmp.Or(o.MinFrequency, DefaultMinFrequency)
	o.Threads, o.Memory = cmp.Or(o.Threads, runtime.GOMAXPROCS(0)), cmp.Or(o.Memory, vocab.DefaultMemory())
	switch {
	case o.Model == WordPiece:
		o.ContinuingSubwordPrefix = cmp.Or(o.ContinuingSubwordPrefix, defaultPrefix)
		o.UnknownToken = cmp.Or(o.UnknownToken, "[UNK]")
	case o.Model == Unigram || o.PreTokenizer != ByteLevel:
		o.UnknownToken = cmp.Or(o.UnknownToken, "<unk>")
	}
	if o.Model == Unigram {
		o.MaxTokenLength = cmp.Or(o.MaxTokenLength, defaultPieceLength)
	}
	o.MaxTokenLength = min(o.MaxTokenLength, corpus.LongestPiece) // no piece has more characters
	if o.UnknownToken != "" && !slices.Contains(o.SpecialTokens, o.UnknownToken) {
		o.SpecialTokens = slices.Concat([]string{o.UnknownToken}, o.SpecialTokens)
	}
	return o
}

// Validate returns an error if an option has an invalid value, or if options contradict each other.
func (o Options) Validate() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"VocabSize", o.VocabSize}, {"MinFrequency", o.MinFrequency}, {"MaxTokenLength", o.MaxTokenLength}, {"LimitAlphabet", o.LimitAlphabet}, {"Threads", o.Threads}} {
		if n.value < 0 {
			return fmt.Errorf("tokenizer: %s is %d, must be 0 or more", n.name, n.value)
		}
	}
	o = o.complete()
	switch {
	case !slices.Contains(Models(), o.Model):
		return fmt.Errorf("tokenizer: the Model %q is not one of %v", o.Model, Models())
	case !slices.Contains(PreTokenizers(), o.PreTokenizer):
		return fmt.Errorf("tokenizer: the PreTokenizer %q is not one of %v", o.PreTokenizer, PreTokenizers())
	case o.VocabSize > MaxVocabSize:
		return fmt.Errorf("tokenizer: VocabSize is %d, must be at most %d", o.VocabSize, MaxVocabSize)
	case o.Memory < vocab.LeastMemory:
		return fmt.Errorf("tokenizer: Memory is %d bytes, must be %d or more, or 0", o.Memory, vocab.LeastMemory)
	case o.LimitAlphabet > 0 && o.PreTokenizer == ByteLevel:
		return errors.New("tokenizer: LimitAlphabet is for characters, and the PreTokenizer byte-level has the alphabet of the 256 bytes")
	case o.NoPrefixSpace && o.PreTokenizer != ByteLevel && o.PreTokenizer != Metaspace:
		return fmt.Errorf("tokenizer: NoPrefixSpace is for byte-level and metaspace: the PreTokenizer %s keeps no spaces", o.PreTokenizer)
	case o.ContinuingSubwordPrefix != "" && o.Model != WordPiece:
		return fmt.Errorf("tokenizer: ContinuingSubwordPrefix is for wordpiece, and the Model is %s", o.Model)
	case o.Model == WordPiece && o.PreTokenizer == ByteLevel && utf8.RuneCountInString(o.ContinuingSubwordPrefix) < 2:
		return fmt.Errorf("tokenizer: ContinuingSubwordPrefix is %q, must be two characters or more: a byte may have the only one", o.ContinuingSubwordPrefix)
	}
	seen := map[string]bool{}
	for _, special := range o.SpecialTokens {
		if special == "" || !utf8.ValidString(special) || seen[special] {
			return fmt.Errorf("tokenizer: the special token %q is empty, not valid UTF-8, or given twice", special)
		}
		seen[special] = true
	}
	return nil
}

type object = map[string]any

// A fileOf is a tokenizer.json, with its parts in the order in which the library writes them.
type fileOf struct {
	Version      string   `json:"version"`
	Truncation   any      `json:"truncation"`
	Padding      any      `json:"padding"`
	Added        []object `json:"added_tokens"`
	Normalizer   any      `json:"normalizer"`
	PreTokenizer any      `json:"pre_tokenizer"`
	Processor    any      `json:"post_processor"`
	Decoder      any      `json:"decoder"`
	Model        any      `json:"model"`
}

// file returns all of a tokenizer.json but the model.
func (o Options) file() fileOf {
	f := fileOf{Version: "1.0", Added: []object{}, Normalizer: o.normalizer()}
	for id, token := range o.SpecialTokens {
		f.Added = append(f.Added, object{"id": id, "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})
	}
	scheme := "always"
	if o.NoPrefixSpace {
		scheme = "never"
	}
	bytes := object{"type": "ByteLevel", "add_prefix_space": !o.NoPrefixSpace, "trim_offsets": true, "use_regex": true}
	spaces := object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": true}
	// What remains of tokens behind the prefix, as a text may be the prefix itself.
	joined := object{"type": "Replace", "pattern": object{"Regex": "^" + regexp.QuoteMeta(o.ContinuingSubwordPrefix) + "(?=.)"}, "content": ""}
	var decoders []any
	if o.Model == WordPiece && (o.PreTokenizer == ByteLevel || o.PreTokenizer == Metaspace) {
		decoders = append(decoders, joined)
	}
	switch o.PreTokenizer {
	case ByteLevel:
		f.PreTokenizer = bytes
		if decoders = append(decoders, bytes); !o.NoPrefixSpace {
			decoders = append(decoders, object{"type": "Strip", "content": " ", "start": 1, "stop": 0})
		}
		if o.Model == WordPiece {
			// A piece that begins like the prefix would be cut into tokens of the inside of pieces: "##!" is "!" there.
			first, _ := utf8.DecodeRuneInString(o.ContinuingSubwordPrefix)
			alone := object{"type": "Split", "pattern": object{"String": string(first)}, "behavior": "Isolated", "invert": false}
			f.PreTokenizer = object{"type": "Sequence", "pretokenizers": []any{bytes, alone}}
		}
	case Metaspace:
		f.PreTokenizer, decoders = spaces, append(decoders, spaces)
	case Whitespace:
		f.PreTokenizer = object{"type": "Whitespace"}
	case Bert:
		f.PreTokenizer = object{"type": "BertPreTokenizer"}
	}
	switch len(decoders) {
	case 0:
	case 1:
		f.Decoder = decoders[0]
	default:
		f.Decoder = object{"type": "Sequence", "decoders": decoders}
	}
	if f.Decoder == nil && o.Model == WordPiece {
		f.Decoder = object{"type": "WordPiece", "prefix": o.ContinuingSubwordPrefix, "cleanup": true}
	}
	return f
}

// normalizer returns the steps that text is normalized by, in the order of corpus.Options; nil for none.
func (o Options) normalizer() any {
	var steps []any
	add := func(kinds ...string) {
		for _, kind := range kinds {
			steps = append(steps, object{"type": kind})
		}
	}
	bert := o.PreTokenizer == Bert
	switch {
	case o.StripAccents && !bert && o.Normalize == corpus.NFKC:
		add("NFKD", "StripAccents", "NFC")
	case o.StripAccents && !bert:
		add("NFD", "StripAccents", "NFC")
	case o.Normalize == corpus.NFKC:
		add("NFKC")
	case o.Normalize == corpus.NFC:
		add("NFC")
	}
	switch {
	case bert:
		steps = append(steps, object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": o.StripAccents, "lowercase": o.Lowercase})
	case o.Lowercase:
		add("Lowercase")
	}
	switch len(steps) {
	case 0:
		return nil
	case 1:
		return steps[0]
	}
	return object{"type": "Sequence", "normalizers": steps}
}
