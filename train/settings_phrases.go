package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/phrases"
)

// Phrases says whether the phrases of the text are joined to one token, before its tokens are
// counted, and what a phrase is. Finding them reads the text once more for each pass.
type Phrases struct {
	Join bool
	phrases.Options
}

// connectorList is a list of words, with commas between them as text.
type connectorList []string

func (l *connectorList) String() string { return strings.Join(*l, ",") }

// Type is how a flag's help calls the list.
func (l *connectorList) Type() string { return "words" }

// Set takes a list with commas. The name of a file is no word: it is taken for a mistake.
func (l *connectorList) Set(text string) error {
	if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() && strings.ContainsAny(text, "./") {
		return errors.New("is a file, and the words themselves are wanted, with commas between them, as of,the")
	}
	var words []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			return errors.New("is no list of words with commas between them, as of,the is")
		}
		words = append(words, word)
	}
	*l = words
	return nil
}

// phraseSettings are the settings of phrases.
func phraseSettings() setting.Table[Settings] {
	joined := &setting.Need[Settings]{Setting: "phrases", Values: "true", Met: func(s *Settings) bool { return s.Phrases.Join }}
	var scorings []setting.Choice
	for _, s := range phrases.Scorings() {
		scorings = append(scorings, setting.Choice{Value: string(s), Meaning: s.Help()})
	}
	row := func(name, help, usual string, at func(*Phrases) any) setting.Setting[Settings] {
		return setting.Setting[Settings]{
			Name: name, Group: GroupText, Help: help, Usual: usual, OmitZero: true, Needs: joined,
			At:     func(s *Settings) any { return at(&s.Phrases) },
			Record: func(s *Settings) any { return setting.Value(at(&s.Phrases)) },
		}
	}
	table := setting.Table[Settings]{
		row("phrases", "find pairs of words that are often seen together and join each to one token, as new_york; reads the corpus once more", "", func(p *Phrases) any { return &p.Join }),
		row("phrase-scoring", "how pairs are scored", "", func(p *Phrases) any { return &p.Scoring }),
		row("phrase-threshold", "score that a phrase exceeds (default 10, or 0.5 with npmi)", "", func(p *Phrases) any { return &p.Threshold }),
		row("phrase-min-count", "pairs that are seen less often are no phrases", "5", func(p *Phrases) any { return &p.MinCount }),
		row("phrase-passes", "how often neighbours are joined; with 2, phrases have up to four words", "1", func(p *Phrases) any { return &p.Passes }),
		row("phrase-delimiter", "what stands between the words of a phrase", "_", func(p *Phrases) any { return &p.Delimiter }),
		row("phrase-connectors", "words that may be within a phrase, and neither begin nor end one, such as of,the", "", func(p *Phrases) any { return (*connectorList)(&p.Connectors) }),
	}
	table[0].Needs = nil
	table[1].Choices = scorings
	return table
}

// validate reports settings of phrases that make no sense.
func (p Phrases) validate(text corpus.Options) error {
	if !p.Join {
		return nil
	}
	if text.File != nil {
		return optionErrorf("%v would make tokens that are not in the tokenizer.json of %v", name("phrases"), name("tokenizer"))
	}
	if err := p.Options.Validate(); err != nil {
		return optionErrorf("%s", strings.TrimPrefix(err.Error(), "phrases: "))
	}
	return nil
}

// JoinPhrases returns the corpus with its phrases joined, as the settings say, and the phrases. If
// they say that none are, it returns the corpus and nil. It reads the corpus, which must be one
// that can be read again. Reading, if not nil, is called now and then with the tokens read so far.
func (s Settings) JoinPhrases(ctx context.Context, src *corpus.Source, reading func(tokens uint64)) (*corpus.Source, *phrases.Table, error) {
	if !s.Phrases.Join {
		return src, nil, nil
	}
	if err := src.Again(); err != nil {
		return nil, nil, errorf("%v, and %v reads it first to find the phrases, and then to join them", err, name("phrases"))
	}
	o := s.Phrases.Options
	o.Threads, o.Force, o.Progress = s.Model.Threads, s.Model.Force, reading
	table, err := phrases.Learn(ctx, src, o)
	if err != nil {
		return nil, nil, fmt.Errorf("finding phrases: %w", explainReading(err))
	}
	return table.Apply(src), table, nil
}
