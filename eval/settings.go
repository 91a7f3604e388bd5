package eval

import (
	"github.com/w2v-go/w2v/vectors"
)

// Settings are the rules by which a score came about, with defaults filled in.
type Settings struct {
	Case       string `json:"case"`        // "auto", "ignored" or "kept": see vectors.Case
	IgnoreCase bool   `json:"ignore_case"` // what "auto" came to: words are looked up in lower case too
	FoldVocab  bool   `json:"fold_vocab"`  // words with the same upper-case form are one word
	Restrict   int    `json:"restrict"`    // words of the vocabulary that are used; 0 for all
	Composes   bool   `json:"composes"`    // the model composes words outside the vocabulary
	// Ties says what happens to equal values, and Normalization which vectors are compared.
	Ties          string `json:"ties"`
	Normalization string `json:"normalization"`
	Resamples     int    `json:"resamples"` // of bootstrap intervals; 0 for none
	Seed          uint64 `json:"seed"`
	// Options are further settings of the task.
	Options any `json:"options,omitempty"`
	// Vectors says what was made of the model's vectors before. It is for the caller to set.
	Vectors any `json:"vectors,omitempty"`
}

// settingsOf describes how a set of a task is scored.
func settingsOf(s *vectors.Set, task Task, opt Options) (Settings, error) {
	l, err := newLookup(s, Spelling{Case: opt.Case}, nil)
	if err != nil {
		return Settings{}, err
	}
	r := Settings{
		Case:       caseName(opt.Case),
		IgnoreCase: l.ignoresCase() || opt.FoldVocab,
		FoldVocab:  opt.FoldVocab,
		Restrict:   opt.Restrict,
		Composes:   l.composes(),
		Resamples:  opt.Resamples,
		Seed:       opt.Seed,
	}
	switch {
	case r.Resamples == 0:
		r.Resamples = DefaultResamples
	case r.Resamples < 0:
		r.Resamples = 0
	}
	switch task {
	case TaskSimilarity:
		r.Ties, r.Normalization = "equal values share the mean of their ranks", "cosine"
	case TaskAnalogy:
		r.Ties, r.Normalization = "the more frequent word", "vectors of length 1"
		method := opt.Analogy.Method
		if method == "" {
			method = vectors.CosAdd
		}
		r.Options = struct {
			Method vectors.AnalogyMethod `json:"method"`
		}{method}
	case TaskRelation:
		r.Ties, r.Normalization = "the more frequent word", "vectors of length 1"
		r.Options = struct {
			Method vectors.AnalogyMethod `json:"method"`
		}{AnalogyOptions{Method: opt.Relation.Method}.method()}
	case TaskCategorization:
		o := opt.Categories
		if o.Repeats == 0 {
			o.Repeats = DefaultRepeats
		}
		r.Ties, r.Normalization = "of equally near clusters the one with the lower number", "vectors of length 1"
		r.Options = struct {
			Method  string `json:"method"`
			Repeats int    `json:"repeats"`
		}{"k-means with k-means++; the smallest inertia of the repeats", o.Repeats}
	case TaskOutliers:
		r.Ties, r.Normalization = "equal compactness counts against the outlier", "cosine"
		r.Options = struct {
			Published bool `json:"published"`
		}{opt.Outliers.Published}
	case TaskBias:
		o := opt.Bias.orDefaults()
		r.Ties, r.Normalization = "p_value counts larger statistics only", "vectors of length 1"
		r.Options = struct {
			MaxLost      float64 `json:"max_lost"`
			Permutations int     `json:"permutations"`
		}{max(0, o.MaxLost), o.Permutations}
	case TaskSentences:
		o := opt.Sentences.orDefaults()
		tokens := "white space, then word boundaries of what is not in the vocabulary"
		if o.Tokens != nil {
			tokens = "as the text was cut that the vectors were trained on"
		}
		r.Ties, r.Normalization = "equal values share the mean of their ranks", "cosine of sentence vectors, of word vectors as they are"
		r.Options = struct {
			Method    SentenceMethod `json:"method"`
			Smoothing float64        `json:"smoothing"`
			Tokens    string         `json:"tokens"`
		}{o.Method, o.Smoothing, tokens}
	}
	return r, nil
}

func caseName(c vectors.Case) string {
	switch c {
	case vectors.CaseIgnored:
		return "ignored"
	case vectors.CaseKept:
		return "kept"
	}
	return "auto"
}
