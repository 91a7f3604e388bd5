package corpus_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/corpus"
)

// cutInto returns the sentences of a text.
func cutInto(t *testing.T, text io.Reader, o corpus.Options) (all []string) {
	t.Helper()
	shards, err := corpus.Stream("text", text, o).Shards(1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := shards[0].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var sentence []string
	for {
		token, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(token) > 0 {
			sentence = append(sentence, string(token))
			continue
		}
		all = append(all, strings.Join(sentence, "|"))
		sentence = nil
	}
	if sentence != nil {
		all = append(all, strings.Join(sentence, "|"))
	}
	return all
}

// What each option does, with each tokenizer.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name    string
		options corpus.Options
		text    string
		want    []string
	}{
		{"characters", corpus.Options{Tokenizer: corpus.Characters}, "日本 e\u0301a.\r\nกำ\t👩\u200d💻 \u0301x", []string{"日|本|e\u0301|a|.", "กำ|👩\u200d💻|x"}},
		{"bytes that are not UTF-8 are characters", corpus.Options{Tokenizer: corpus.Characters}, "a\xff\xfeb", []string{"a|\xff|\xfe|b"}},
		{"nfc", corpus.Options{Normalize: corpus.NFC}, "cafe\u0301 ﬁ \xff", []string{"café|ﬁ|\xff"}},
		{"nfkc", corpus.Options{Normalize: corpus.NFKC}, "cafe\u0301 ﬁ x² ａ\u00a0ｂ \xff", []string{"café|fi|x2|a|b|\xff"}},
		{"accents", corpus.Options{StripAccents: true}, "Café naïve Ł Ångström ﬁ 각 \xffé", []string{"Cafe|naive|Ł|Angstrom|ﬁ|각|\xffe"}},
		{"accents and nfkc", corpus.Options{StripAccents: true, Normalize: corpus.NFKC}, "ﬁancé é²", []string{"fiance|e2"}},
		{"accents and lower case", corpus.Options{StripAccents: true, Lowercase: true, Tokenizer: corpus.Unicode}, "ÉTÉ, İ!", []string{"ete|i"}},
		{"zero digits", corpus.Options{Digits: corpus.ZeroDigits}, "in 1987 mp3 ٣٤ ² 1,000.5", []string{"in|0000|mp0|00|²|0,000.0"}},
		{"no numbers", corpus.Options{Digits: corpus.DropNumbers}, "in 1987 mp3 ٣٤ ² 1,000.5 — ½", []string{"in|mp3|—"}},
		{"no numbers, unicode", corpus.Options{Digits: corpus.DropNumbers, Tokenizer: corpus.Unicode}, "in 1987, mp3 1,000.5!", []string{"in|mp3"}},
		{"no numbers, characters", corpus.Options{Digits: corpus.DropNumbers, Tokenizer: corpus.Characters}, "a1b", []string{"a|b"}},
		{"no punctuation", corpus.Options{Punctuation: corpus.DropPunctuation}, `("Don't) e-mail, $5 C++ — ... 🙂! «été» ` + "\xff.", []string{"Don't|e-mail|5|C|🙂|été|\xff"}},
		{"no punctuation, characters", corpus.Options{Punctuation: corpus.DropPunctuation, Tokenizer: corpus.Characters}, "日。本、", []string{"日|本"}},
		{"no punctuation, unicode", corpus.Options{Punctuation: corpus.DropPunctuation, Tokenizer: corpus.Unicode}, "It's (so) 3.5 _x_", []string{"It's|so|3.5|x"}},
		{"punctuation, unicode", corpus.Options{Punctuation: corpus.KeepPunctuation, Tokenizer: corpus.Unicode}, "It's (so) \u00a0\u200b\u0001$5...\n«x»", []string{"It's|(|so|)|$|5|.|.|.", "«|x|»"}},
		{"no punctuation and zero digits", corpus.Options{Punctuation: corpus.DropPunctuation, Digits: corpus.ZeroDigits}, "(12) 3", []string{"00|0"}},
		{"sentences", corpus.Options{Sentences: corpus.UnicodeSentences}, "One is. Two e.g. is this? Three\nFour. ", []string{"One|is.", "Two|e.g.|is|this?", "Three", "Four."}},
		{"sentences of another script", corpus.Options{Sentences: corpus.UnicodeSentences, Tokenizer: corpus.Characters, Punctuation: corpus.DropPunctuation}, "一二。三四！五", []string{"一|二", "三|四", "五"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"at once":      strings.NewReader(c.text),
				"bytes":        iotest.OneByteReader(strings.NewReader(c.text)),
				"halves":       iotest.HalfReader(strings.NewReader(c.text)),
				"data and err": iotest.DataErrReader(strings.NewReader(c.text)),
			} {
				if got := cutInto(t, r, c.options); !slices.Equal(got, c.want) {
					t.Errorf("%s: got %q, want %q", name, got, c.want)
				}
			}
			var all []string
			for _, s := range c.want {
				all = append(all, strings.Split(s, "|")...)
			}
			if got, _, _ := c.options.Tokens(c.text); !slices.Equal(got, all) {
				t.Errorf("Tokens: got %q, want %q", got, all)
			}
		})
	}
}

// Tokens that are given as such go through what is not cutting.
func TestOptionsOfTokens(t *testing.T) {
	o := corpus.Options{Tokenizer: corpus.Characters, Lowercase: true, StripAccents: true, Normalize: corpus.NFKC, Digits: corpus.ZeroDigits, Punctuation: corpus.DropPunctuation}
	shards, err := corpus.Sentences("tokens", [][]string{{"New York", "«ÉTÉ»", "...", "ﬁ-1²"}}, o).Shards(1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := shards[0].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		token, err := r.Next()
		if err != nil || len(token) == 0 {
			break
		}
		got = append(got, string(token))
	}
	if want := []string{"new york", "ete", "fi-00"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// No token, character or sentence is held in memory whatever its length, and what is too long is
// left out and reported.
func TestOptionsOfLongText(t *testing.T) {
	const long = 3 << 20
	for _, c := range []struct {
		name    string
		options corpus.Options
		text    string
		want    []string
		left    uint64
	}{
		{"dashes", corpus.Options{Punctuation: corpus.DropPunctuation}, "a " + strings.Repeat("—", long/3) + " b", []string{"a|b"}, 0},
		{"a word in dashes", corpus.Options{Punctuation: corpus.DropPunctuation}, strings.Repeat("-", long) + "a" + strings.Repeat("—", long/3) + " b", []string{"a|b"}, 0},
		{"a long word", corpus.Options{Punctuation: corpus.DropPunctuation}, "a " + strings.Repeat("x", long) + " b", []string{"a|b"}, 1},
		{"a word with long dashes", corpus.Options{Punctuation: corpus.DropPunctuation}, "a " + "x" + strings.Repeat("-", long) + "y b", []string{"a|b"}, 1},
		{"marks", corpus.Options{Tokenizer: corpus.Characters}, "a" + strings.Repeat("\u0301", long/2) + "b", []string{"b"}, 1},
		{"marks on a space", corpus.Options{Tokenizer: corpus.Characters}, "a " + strings.Repeat("\u0301", long/2) + "b", []string{"a|b"}, 0},
		{"marks that are removed", corpus.Options{StripAccents: true}, "a" + strings.Repeat("\u0301", long/2) + "b", []string{"ab"}, 0},
		{"a long sentence", corpus.Options{Sentences: corpus.UnicodeSentences}, strings.Repeat("word ", long/5) + "ends. Next", []string{strings.Repeat("word|", long/5) + "ends.", "Next"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			shards, err := corpus.Stream("text", strings.NewReader(c.text), c.options).Shards(1)
			if err != nil {
				t.Fatal(err)
			}
			got := cutInto(t, strings.NewReader(c.text), c.options)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %.200q, want %.200q", got, c.want)
			}
			r, err := shards[0].Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = r.Next()
			}
			if left := corpus.TooLongIn(shards).Tokens; left != c.left {
				t.Errorf("%d tokens are left out, want %d", left, c.left)
			}
		})
	}
}

// Whatever the pieces in which a text arrives, its tokens are the same.
func FuzzOptions(f *testing.F) {
	f.Add("Caf\u00e9 1,000.5 «x». e\u0301 日本\xff", uint16(0x5a5))
	f.Fuzz(func(t *testing.T, text string, bits uint16) {
		o := corpus.Options{
			Tokenizer: corpus.Tokenizer(bits % 3), Lowercase: bits&4 != 0, Normalize: corpus.Normalization(bits >> 3 % 3), StripAccents: bits&32 != 0,
			Digits: corpus.Digits(bits >> 6 % 3), Punctuation: corpus.Punctuation(bits >> 8 % 3), Sentences: corpus.Breaks(bits >> 10 % 2),
		}
		if len(text) > 1000 || strings.Contains(text, "\x1b") {
			return
		}
		text = "text in front so that it is text\n" + text
		if _, err := corpus.Stream("t", strings.NewReader(text), o).Shards(1); err != nil {
			return
		}
		whole, _, _ := o.Tokens(text)
		pieces := tokensIn(t, iotest.OneByteReader(strings.NewReader(text)), o)
		if pieces != nil && !slices.Equal(whole, pieces) {
			t.Errorf("%q: %q by bytes, %q at once", text, pieces, whole)
		}
	})
}

// tokensIn returns the tokens of a text, nil if it does not look like one.
func tokensIn(t *testing.T, text io.Reader, o corpus.Options) []string {
	shards, err := corpus.Stream("text", text, o).Shards(1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := shards[0].Open(t.Context())
	if err != nil {
		return nil // such as UTF-16
	}
	tokens := []string{}
	for {
		token, err := r.Next()
		if err != nil {
			return tokens
		}
		if len(token) > 0 {
			tokens = append(tokens, string(token))
		}
	}
}
