package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/tokenizer"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vocab"
)

func newTokenizer(s streams) *cobra.Command {
	c := command("tokenizer", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return c.Help() })
	c.AddCommand(newTokenizerTrain(s), newTokenizerEncode(s), newTokenizerDecode(s), newTokenizerInfo(s))
	return c
}

// addInput adds the flags that say where the text of a corpus is.
func addInput(flags *pflag.FlagSet, to *train.Settings) {
	for _, name := range []string{"text-column", "header", "json-field"} {
		addSetting(flags, to, name)
	}
}

type tokenizerTrain struct {
	input    train.Settings
	options  tokenizer.Options
	form     string
	prefixed bool
	output   string
	progress string
	json     bool
}

func newTokenizerTrain(s streams) *cobra.Command {
	f := tokenizerTrain{input: train.Defaults(), form: corpus.AsWritten.String(), prefixed: true}
	c := command("tokenizer-train", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	flags, o := c.Flags(), &f.options
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "write the tokenizer.json to `FILE`; - is standard output")
	o.Model, o.PreTokenizer = tokenizer.BPE, tokenizer.ByteLevel
	addEnum(flags, &o.Model, "model", "what cuts pieces into tokens", choicesOf(tokenizer.Models(), map[tokenizer.Model]string{
		tokenizer.BPE: "merges of pairs", tokenizer.Unigram: "the most probable tokens", tokenizer.WordPiece: "the longest tokens from the left",
	}))
	whole(flags, 1, &o.VocabSize, "vocab-size", "", tokenizer.DefaultVocabSize, "most tokens, with the alphabet and the special tokens")
	limit(flags, 1, tokenizer.MaxVocabSize, "vocab-size")
	whole(flags, 1, &o.MinFrequency, "min-frequency", "", tokenizer.DefaultMinFrequency, "merge pairs that are seen so often; unigram: tokens are seen so often")
	flags.StringSliceVar(&o.SpecialTokens, "special-tokens", nil, "`TOKENS` with commas between them that are never cut, and have the first ids")
	flags.StringVar(&o.UnknownToken, "unk-token", "", "`TOKEN` for characters that are not in the alphabet (default: <unk>, or [UNK] of wordpiece; none of bpe over bytes)")
	whole(flags, 0, &o.MaxTokenLength, "max-token-length", "", 0, "most characters of a token, which are bytes with byte-level (default: 16 for unigram, else no limit)")
	whole(flags, 0, &o.LimitAlphabet, "limit-alphabet", "", 0, "keep only the `N` most frequent characters; 0 keeps all")
	flags.StringVar(&o.ContinuingSubwordPrefix, "continuing-subword-prefix", "", "`PREFIX` of the tokens of wordpiece within a piece (default: ##)")
	grouped(flags, "Text", func() {
		addEnum(flags, &o.PreTokenizer, "pre-tokenizer", "what cuts text into pieces", choicesOf(tokenizer.PreTokenizers(), map[tokenizer.PreTokenizer]string{
			tokenizer.ByteLevel: "words with the space before them, over bytes", tokenizer.Metaspace: "before spaces, which become ▁",
			tokenizer.Whitespace: "at white space, and between words and punctuation", tokenizer.Bert: "at white space, punctuation and Chinese characters",
		}))
		flags.BoolVar(&f.prefixed, "add-prefix-space", true, "treat the first word of a line as if a space were before it")
		flags.BoolVar(&o.Lowercase, "lowercase", false, "turn text into lower case; the file says so")
		addEnum(flags, &f.form, "normalize", "Unicode normal form; the file says so", []choice{{corpus.AsWritten.String(), ""}, {corpus.NFC.String(), ""}, {corpus.NFKC.String(), ""}})
		flags.BoolVar(&o.StripAccents, "strip-accents", false, "remove accents and other marks from letters; the file says so")
		addInput(flags, &f.input)
	})
	addSetting(flags, &f.input, "threads")
	addVocabMemory(flags, &o.Memory)
	addProgress(flags, &f.progress)
	addJSON(c, &f.json)
	checked(c, func([]string) error {
		_ = o.Normalize.UnmarshalText([]byte(f.form)) // it is one of the choices
		o.NoPrefixSpace, o.Threads = !f.prefixed, f.input.Model.Threads
		return cmp.Or(broken(
			rule{f.output == "", "--output FILE is missing: - is standard output"},
			rule{f.output == "-" && f.json, "-o - and --json both print to standard output: name a file"},
		), asTokenizerFlags(o.Validate()), asFlags(f.input.Complete()))
	})
	return c
}

// tokenizerFlags are the options of package tokenizer as flags.
var tokenizerFlags = strings.NewReplacer("VocabSize", "--vocab-size", "MinFrequency", "--min-frequency", "MaxTokenLength", "--max-token-length",
	"LimitAlphabet", "--limit-alphabet", "NoPrefixSpace", "--add-prefix-space=false", "ContinuingSubwordPrefix", "--continuing-subword-prefix",
	"PreTokenizer", "--pre-tokenizer", "Model", "--model", "Memory", "--vocab-memory")

// asTokenizerFlags spells the options in an error of package tokenizer as flags.
func asTokenizerFlags(err error) error {
	if err == nil || !strings.HasPrefix(err.Error(), "tokenizer: ") {
		return err
	}
	return errors.New(tokenizerFlags.Replace(strings.TrimPrefix(err.Error(), "tokenizer: ")))
}

func (f *tokenizerTrain) run(c *cobra.Command, s streams, args []string) (err error) {
	if f.output != "-" {
		if err := atomicfile.Check(f.output); err != nil {
			return err
		}
	}
	src, err := corpus.FilesContext(c.Context(), args, s.in, f.input.Text)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	collectEarly()
	report := newReporter(s, f.progress)
	defer func() { err = errors.Join(err, report.close()) }()
	f.options.Note = func(text string) {
		report.countingDone()
		s.notes(tokenizerFlags.Replace(text))
	}
	f.options.TooLong = func(left corpus.TooLong) { f.options.Note(left.String()) }
	f.options.Empty = func(empty corpus.Empty) { f.options.Note(empty.String()) }
	f.options.Progress = func(p tokenizer.Progress) {
		if p.Total == 0 {
			report.count(p.Done, p.Step+": %.1f M pieces")
			return
		}
		report.count(1e6*p.Done/p.Total*100, p.Step+": %.0f %%")
	}
	text, result, err := tokenizer.Train(ctx, src, f.options)
	report.countingDone()
	if err != nil {
		return asTokenizerFlags(lessMemory(err))
	}
	if err := writeFile(s, f.output, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil || f.output == "-" {
		return err
	}
	fmt.Fprintf(s.err, "%s of %s, %d of them single %s, learned from %s of text: %s\n", wording.Count(result.Tokens, "token", "tokens"), result.Model,
		result.Alphabet, either(f.options.PreTokenizer == tokenizer.ByteLevel, "bytes", "characters"), wording.Count(result.Pieces, "piece", "pieces"), f.output)
	if f.json {
		return printJSON(s.out, result)
	}
	return nil
}

// openTokenizer reads a tokenizer.json.
func openTokenizer(path string) (*tokenizer.Tokenizer, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, atomicfile.Cause(err))
	}
	t, err := tokenizer.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// eachLine calls use with the tokens of each line of a corpus, or of standard input.
func eachLine(ctx context.Context, s streams, names []string, options corpus.Options, use func(line int, tokens []string) error) error {
	if len(names) == 0 {
		names = []string{"-"}
	}
	src, err := corpus.FilesContext(ctx, names, s.in, options)
	if err != nil {
		return err
	}
	shards, err := src.Shards(1)
	if err != nil {
		return err
	}
	number := 0
	for _, shard := range shards {
		var tokens []string
		open := false // a line has begun that no newline has ended
		for token, err := range shard.Tokens(ctx) {
			switch {
			case err != nil:
				return err
			case len(token) > 0:
				tokens, open = append(tokens, string(token)), true
				continue
			}
			number++
			if err := use(number, tokens); err != nil {
				return err
			}
			tokens, open = tokens[:0], false
		}
		if open {
			number++
			if err := use(number, tokens); err != nil {
				return err
			}
		}
	}
	return nil
}

// An encodedLine is the JSON of a line.
type encodedLine struct {
	Tokens []string `json:"tokens"`
	IDs    []uint32 `json:"ids"`
}

func newTokenizerEncode(s streams) *cobra.Command {
	input := train.Defaults()
	var asIDs, asJSON bool
	c := command("tokenizer-encode", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		t, err := openTokenizer(args[0])
		if err != nil {
			return err
		}
		ctx, stop := untilSignal(c.Context(), s.err)
		defer stop()
		input.Text.File = corpus.NewTokenizerFile(args[0])
		out := buffered{bufio.NewWriter(s.out), s.out}
		err = eachLine(ctx, s, args[1:], input.Text, func(_ int, tokens []string) error {
			line := encodedLine{Tokens: tokens, IDs: []uint32{}}
			for _, token := range tokens {
				id, _ := t.ID(token)
				line.IDs = append(line.IDs, id)
			}
			switch {
			case asJSON:
				line.Tokens = append([]string{}, tokens...)
				return printJSON(out, line)
			case asIDs:
				_, err = fmt.Fprintln(out, strings.Trim(fmt.Sprint(line.IDs), "[]"))
			default:
				_, err = fmt.Fprintln(out, strings.Join(tokens, " "))
			}
			return err
		})
		return errors.Join(err, out.Flush())
	})
	c.Flags().BoolVar(&asIDs, "ids", false, "print ids in place of tokens")
	addInput(c.Flags(), &input)
	addJSON(c, &asJSON)
	checked(c, func([]string) error { return asFlags(input.Complete()) })
	return c
}

func newTokenizerDecode(s streams) *cobra.Command {
	var skip, asJSON bool
	c := command("tokenizer-decode", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		t, err := openTokenizer(args[0])
		if err != nil {
			return err
		}
		ctx, stop := untilSignal(c.Context(), s.err)
		defer stop()
		out := buffered{bufio.NewWriter(s.out), s.out}
		err = eachLine(ctx, s, args[1:], corpus.Options{}, func(line int, tokens []string) error {
			var ids []uint32
			for _, number := range strings.FieldsFunc(strings.Join(tokens, ","), func(r rune) bool { return strings.ContainsRune("[],", r) }) {
				id, err := strconv.ParseUint(number, 10, 32)
				if err != nil {
					return fmt.Errorf("line %d: %.40q is not an id", line, number)
				}
				ids = append(ids, uint32(id))
			}
			text, err := t.Decode(ids, skip)
			if err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			if asJSON {
				return printJSON(out, text)
			}
			_, err = fmt.Fprintln(out, text)
			return err
		})
		return errors.Join(err, out.Flush())
	})
	c.Flags().BoolVar(&skip, "skip-special-tokens", false, "leave out special tokens")
	addJSON(c, &asJSON)
	return c
}

type tokenizerInfo struct {
	tokenizer.Description
	*tokenizer.Coverage
}

func newTokenizerInfo(s streams) *cobra.Command {
	input := train.Defaults()
	var memory uint64
	var asJSON bool
	c := command("tokenizer-info", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		t, err := openTokenizer(args[0])
		if err != nil {
			return err
		}
		info := tokenizerInfo{Description: t.Describe()}
		if len(args) > 1 {
			src, err := corpus.FilesContext(c.Context(), args[1:], s.in, input.Text)
			if err != nil {
				return err
			}
			ctx, stop := untilSignal(c.Context(), s.err)
			defer stop()
			covered, err := t.Cover(ctx, src, vocab.Options{Threads: input.Model.Threads, Memory: memory})
			if err != nil {
				return lessMemory(err)
			}
			info.Coverage = &covered
		}
		return s.print(asJSON, info, info.print)
	})
	addInput(c.Flags(), &input)
	addSetting(c.Flags(), &input, "threads")
	addVocabMemory(c.Flags(), &memory)
	addJSON(c, &asJSON)
	checked(c, func([]string) error { return asFlags(input.Complete()) })
	return c
}

func (i tokenizerInfo) print(w io.Writer) {
	t := newTable(w)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(t, "%s\t%s\n", name, value)
		}
	}
	row("model", i.Model)
	row("tokens", wording.Thousands(i.Description.Tokens))
	row("normalizer", i.Normalizer)
	row("pre-tokenizer", i.PreTokenizer)
	row("decoder", i.Decoder)
	row("special tokens", strings.Join(i.Specials, " "))
	row("unknown token", i.Description.Unknown)
	row("longest token", i.Longest)
	if c := i.Coverage; c != nil {
		share := func(n, of uint64) string { return percent(float64(n) / float64(max(of, 1))) }
		row("pieces of the text", wording.Thousands(c.Pieces))
		row("pieces that are one token", share(c.Whole, c.Pieces))
		row("tokens of the text", wording.Thousands(c.Tokens))
		row("tokens a piece", fmt.Sprintf("%.3f", float64(c.Tokens)/float64(max(c.Pieces, 1))))
		row("bytes a token", fmt.Sprintf("%.3f", float64(c.Bytes)/float64(max(c.Tokens, 1))))
		row("unknown tokens", share(c.Unknown, c.Tokens))
		row("tokens that are used", share(uint64(c.Used), uint64(i.Description.Tokens)))
	}
	t.Flush()
}
