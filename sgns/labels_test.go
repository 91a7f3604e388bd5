package sgns_test

import (
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vocab"
)

// Labels that do not fit the corpus or the architecture are refused before training.
func TestLabelsThatDoNotFit(t *testing.T) {
	all, ids, err := vocab.Index(t.Context(), corpus.Sentences("texts", [][]string{{"L", "a", "b"}, {"M", "b"}}, corpus.Options{}), vocab.Options{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	var words, names []string
	of := make([]int32, all.Len())
	for id, token := range all.Tokens() {
		if strings.ToUpper(token) == token {
			of[id] = -1 - int32(len(names))
			names = append(names, token)
		} else {
			of[id] = int32(len(words))
			words = append(words, token)
		}
	}
	vocabulary := func(tokens []string, counts ...uint64) *vocab.Vocab {
		v, err := vocab.FromCounts(tokens, counts)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	good := sgns.Data{IDs: ids, Vocab: vocabulary(words, 2, 1), Labels: &sgns.Labels{Vocab: vocabulary(names, 1, 1), Of: of}}
	config := sgns.Defaults()
	config.Arch, config.Window, config.Sample, config.Threads = sgns.Supervised, 0, 0, 1
	m, err := sgns.Train(t.Context(), good, config, sgns.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if l := m.Vectors.Labels(); l == nil || l.Names.Len() != 2 || l.Rows.Rows != 2 {
		t.Errorf("labels are %+v", l)
	}
	for want, change := range map[string]func(*sgns.Data, *sgns.Config){
		"sgns: architecture supervised needs labels of texts: use package classify": func(d *sgns.Data, _ *sgns.Config) { d.Labels, d.Vocab = nil, all },
		"sgns: labels of texts are for architecture supervised":                     func(_ *sgns.Data, c *sgns.Config) { c.Arch = sgns.SkipGram },
		"sgns: no text has a label":                                                 func(d *sgns.Data, _ *sgns.Config) { d.Labels = &sgns.Labels{Vocab: vocabulary(nil), Of: of} },
		"sgns: weights of 1 labels for 2": func(d *sgns.Data, _ *sgns.Config) {
			d.Labels = &sgns.Labels{Vocab: good.Labels.Vocab, Of: of, Weights: []float32{1}}
		},
		"of 2 words and 2 labels": func(d *sgns.Data, _ *sgns.Config) {
			d.Labels = &sgns.Labels{Vocab: good.Labels.Vocab, Of: []int32{0, 1, -3, -1}}
		},
		"has id 3, and the vocabulary has 3 words": func(d *sgns.Data, _ *sgns.Config) {
			d.Labels = &sgns.Labels{Vocab: good.Labels.Vocab, Of: of[:3]}
		},
		"runs of words have the buckets of fastText's n-grams":                func(_ *sgns.Data, c *sgns.Config) { c.WordNgrams, c.WordBuckets = 2, 100 },
		`loss "ova" is not known: ns, hs, softmax, directional and glove are`: func(_ *sgns.Data, c *sgns.Config) { c.Arch, c.Loss = sgns.SkipGram, sgns.OneVersusAll },
	} {
		d, c := good, config
		change(&d, &c)
		if _, err := sgns.Train(t.Context(), d, c, sgns.Hooks{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
