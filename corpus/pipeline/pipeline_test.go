package pipeline_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/phrases"
	"github.com/w2v-go/w2v/vectors"
)

// tokenizerJSON is a tokenizer of two words in lower case.
const tokenizerJSON = `{"normalizer":{"type":"Lowercase"},"pre_tokenizer":{"type":"WhitespaceSplit"},` +
	`"model":{"type":"WordLevel","vocab":{"hello":0,"world":1,"[UNK]":2},"unk_token":"[UNK]"}}`

// learned returns phrases of two passes: new york, and new york city.
func learned(t *testing.T) *phrases.Table {
	t.Helper()
	sentences := make([][]string, 0, 400)
	for i := range 400 {
		word := string(rune('a' + i%26))
		sentences = append(sentences, []string{word, "new", "york", "city", word + word})
	}
	table, err := phrases.Learn(context.Background(), corpus.Sentences("text", sentences, corpus.Options{}), phrases.Options{Passes: 2, Scoring: phrases.NPMI})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// A pipeline that a model records cuts texts and words as before, and records the same again.
func TestRecorded(t *testing.T) {
	cases := []struct {
		name string
		p    *pipeline.Pipeline
		text string
		want []string
		word string // asked for
		is   string // the token that it becomes; empty for none
	}{
		{"white space", &pipeline.Pipeline{}, "New York, now", []string{"New", "York,", "now"}, "York,", "York,"},
		{"Turkish", &pipeline.Pipeline{Text: corpus.Options{Lowercase: true, Language: "tr"}}, "IŞIK İstanbul", []string{"ışık", "istanbul"}, "IŞIK", "ışık"},
		{"Unicode without accents", &pipeline.Pipeline{Text: corpus.Options{Tokenizer: corpus.Unicode, Lowercase: true, Normalize: corpus.NFKC, StripAccents: true, Digits: corpus.ZeroDigits}},
			"Ｃafé, 1987!", []string{"cafe", "0000"}, "CAFÉ!", "cafe"},
		{"characters", &pipeline.Pipeline{Text: corpus.Options{Tokenizer: corpus.Characters}}, "我 爱你", []string{"我", "爱", "你"}, "爱你", ""},
		{"punctuation and numbers dropped", &pipeline.Pipeline{Text: corpus.Options{Punctuation: corpus.DropPunctuation, Digits: corpus.DropNumbers}}, "“In 1987, (Rome)”", []string{"In", "Rome"}, "(Rome)", "Rome"},
		{"items of a list", &pipeline.Pipeline{Text: corpus.Options{Split: ",", TextColumn: "2", Header: true}}, "red wine, bread", []string{"red wine", "bread"}, "red wine", "red wine"},
		{"items by user", &pipeline.Pipeline{Text: corpus.Options{GroupBy: "user", JSONField: "item"}}, "red wine\nbread", []string{"red wine", "bread"}, "red wine", "red wine"},
		{"k-mers", &pipeline.Pipeline{Kmers: &kmers.Options{K: 3}}, "acgTNaaa", []string{"ACG", "CGT", "AAA"}, "uuu", "TTT"},
		{"k-mers of both strands", &pipeline.Pipeline{Kmers: &kmers.Options{K: 3, Canonical: true, Stride: 2, Join: true}}, ">a gene\nTTTAC\n", []string{"AAA", "GTA"}, "ttt", "AAA"},
		{"phrases", &pipeline.Pipeline{Text: corpus.Options{Lowercase: true}, Phrases: learned(t)}, "to New York City by train", []string{"to", "new_york_city", "by", "train"}, "New York", "new_york"},
		{"tokenizer.json", &pipeline.Pipeline{Text: corpus.Options{File: corpus.ReadTokenizer("mine", []byte(tokenizerJSON))}}, "Hello wide World", []string{"hello", "[UNK]", "world"}, "WORLD", "world"},
		{"tokenizer.json without a word", &pipeline.Pipeline{Text: corpus.Options{File: corpus.ReadTokenizer("mine", []byte(tokenizerJSON))}}, "wide", []string{"[UNK]"}, "wide", ""},
		{"the beginning of a text", &pipeline.Pipeline{Characters: 8, Tokens: 2}, "Straße und", []string{"Straße", "u"}, "Straße", "Straße"},
		{"the first tokens", &pipeline.Pipeline{Tokens: 2}, "one two three", []string{"one", "two"}, "one", "one"},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			var record, again vectors.Training
			if err := test.p.Describe(&record); err != nil {
				t.Fatal(err)
			}
			p, err := pipeline.Of(record)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Describe(&again); err != nil || !again.Equal(record) {
				t.Errorf("recorded again: %v %v, want %v", again, err, record)
			}
			for _, of := range []*pipeline.Pipeline{test.p, p} {
				if tokens, _, err := of.Cut(test.text); err != nil || !slices.Equal(tokens, test.want) {
					t.Errorf("%q becomes %q (%v), want %q", test.text, tokens, err, test.want)
				}
				if token, ok := of.Word(test.word); ok != (test.is != "") || ok && token != test.is {
					t.Errorf("the word %q becomes %q %v, want %q", test.word, token, ok, test.is)
				}
			}
		})
	}
}

func TestDamaged(t *testing.T) {
	whole := &pipeline.Pipeline{Text: corpus.Options{File: corpus.ReadTokenizer("mine", []byte(tokenizerJSON))}}
	var file, joined vectors.Training
	if err := errors.Join(whole.Describe(&file), (&pipeline.Pipeline{Phrases: learned(t)}).Describe(&joined)); err != nil {
		t.Fatal(err)
	}
	changed := func(of vectors.Training, change func(*vectors.Training)) vectors.Training {
		change(&of)
		return of
	}
	for _, test := range []struct {
		name     string
		training vectors.Training
		want     string // of the error
	}{
		{"no file", changed(file, func(t *vectors.Training) { t.Attach(vectors.AttachedTokenizer, nil) }), "does not hold"},
		{"another file", changed(file, func(t *vectors.Training) {
			t.Attach(vectors.AttachedTokenizer, []byte(strings.Replace(tokenizerJSON, "world", "earth", 1)))
		}), "is damaged"},
		{"no JSON", changed(file, func(t *vectors.Training) { t.Attach(vectors.AttachedTokenizer, []byte("{")) }), "expected the JSON of a tokenizer"},
		{"phrases cut short", changed(joined, func(t *vectors.Training) {
			t.Attach(vectors.AttachedPhrases, t.Attached(vectors.AttachedPhrases)[:20])
		}), "is damaged"},
		{"unknown tokenizer", vectors.NewTraining("tokenizer", "of tomorrow"), `unknown tokenizer "of tomorrow"`},
		{"k-mers of proteins in canonical form", vectors.NewTraining("kmers", 3, "kmer_alphabet", "protein", "kmer_canonical", true), "proteins have no strands"},
	} {
		if _, err := pipeline.Of(test.training); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q in it", test.name, err, test.want)
		}
	}
	// Older models do not say where the items of their lists are.
	if p, err := pipeline.Of(vectors.NewTraining("group_by", "user")); err != nil {
		t.Error(err)
	} else if items, _, err := p.Cut("red wine\nbread"); err != nil || !slices.Equal(items, []string{"red wine", "bread"}) {
		t.Errorf("items are cut into %q %v", items, err)
	}
	// Older models do not hold their phrases.
	if p, err := pipeline.Of(vectors.NewTraining("phrases", true)); err != nil || p.Lacks == "" {
		t.Errorf("phrases are missing: %v %v", p, err)
	}
}

// The text of a door is not a sequence.
func TestNoSequence(t *testing.T) {
	p := &pipeline.Pipeline{Kmers: &kmers.Options{K: 3}}
	for text, want := range map[string]string{"hello": "is not a letter of a sequence of dna", "": "", "  \n": ""} {
		if tokens, _, err := p.Cut(text); len(tokens) > 0 || (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q %v, want error %q", text, tokens, err, want)
		}
	}
}
