package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/inspect"
)

// info is what w2v info prints. Its JSON is read by scripts.
type info struct {
	File       string         `json:"file"`
	Bytes      int64          `json:"bytes"`
	Format     format.Format  `json:"format"`
	Words      int            `json:"words"`
	Dim        int            `json:"dim"`
	DType      string         `json:"dtype"` // type of the file's numbers: a vectors.DType, int8, pq or opq
	InputRows  int            `json:"input_rows"`
	Rank       int            `json:"rank,omitempty"` // dimensions of an input row before the projection
	OutputRows int            `json:"output_rows"`    // of words; 0 where outputs are something else
	Facts      []vectors.Fact `json:"-"`              // each with its own key
	moreInfo   `json:"-"`
}

type moreInfo struct {
	Parameters struct {
		Input  uint64 `json:"input"`  // that words' vectors are made of
		Output uint64 `json:"output"` // that they were trained against; 0 where they are the same
		Total  uint64 `json:"total"`
	} `json:"parameters"`
	Ngrams      *ngramInfo       `json:"ngrams,omitempty"`
	Training    vectors.Training `json:"training"`
	Attached    map[string]int   `json:"attached,omitempty"`   // size of what cut the text, in bytes, by name
	Checkpoint  bool             `json:"checkpoint,omitempty"` // training can be resumed from it
	MemoryBytes int64            `json:"memory_bytes"`         // of all vectors when they are used
	First       []string         `json:"first_words"`
	Notes       []string         `json:"notes,omitempty"` // what is unusual about the words
	Stats       *inspect.Report  `json:"stats,omitempty"` // with --stats
}

func describe(path string, set *vectors.Set) (i info, err error) {
	i = info{
		File: path, Format: format.Format(set.Format()), Words: set.Len(), Dim: set.Dim(),
		DType: set.Input().Encoding(), InputRows: set.Input().Rows, OutputRows: set.Output().Rows, Facts: set.Facts(),
	}
	if i.Bytes, err = sizeOf(path); err != nil {
		return i, err
	}
	p := set.Parameters()
	i.Parameters.Input, i.Parameters.Output, i.Parameters.Total = p.Input, p.Output, p.Total()
	i.Training, i.Checkpoint, i.MemoryBytes, i.Notes = set.Training(), set.SharedParts().State != nil, p.Bytes, set.Notes()
	if i.Format == format.FastText && set.Labels() == nil && isZero(set.Output()) { // such a file has the default loss and architecture, whatever the model was trained with
		i.OutputRows, i.Parameters.Output, i.Parameters.Total = 0, 0, p.Input
		i.Training.Set("negatives", 0)
		if i.Training.Text("arch") == string(sgns.Archs()[0]) {
			i.Training.Set("arch", "")
		}
	}
	for _, name := range vectors.Attachments() {
		if data := i.Training.Attached(name); data != nil {
			if i.Attached == nil {
				i.Attached = map[string]int{}
			}
			i.Attached[name] = len(data)
		}
	}
	if rows, _, ok := set.Input().Factors(); ok {
		i.Rank = rows.Cols
	}
	i.First = []string{}
	for id := range min(5, set.Len()) {
		i.First = append(i.First, set.Words().At(id))
	}
	if set.Subword() != nil {
		const float = 4
		i.MemoryBytes += float * int64(set.Len()) * int64(set.Dim()) // the words' composed vectors
		i.Ngrams = newNgramInfo(set)
	}
	return i, nil
}

// isZero reports whether a matrix has rows, and all of them are 0.
func isZero(m vectors.Matrix) bool {
	row := make([]float32, m.Cols)
	for r := range m.Rows {
		if m.Read(row, r); slices.ContainsFunc(row, func(x float32) bool { return x != 0 }) {
			return false
		}
	}
	return m.Rows > 0
}

func sizeOf(path string) (int64, error) {
	var size int64
	err := filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err == nil && !info.IsDir() {
			size += info.Size()
		}
		return err
	})
	return size, err
}

func (i info) print(w io.Writer) {
	t := newTable(w)
	row := func(label, format string, values ...any) { fmt.Fprintf(t, label+"\t"+format+"\n", values...) }
	row("file", "%s (%s)", i.File, megabytes(i.Bytes))
	row("format", "%s", i.Format)
	words := wording.Thousands(i.Words)
	words += either(i.Words > 0, ": "+strings.Join(i.First, " ")+" …", "")
	row("words", "%s", words)
	row("dimensions", "%d, of type %s", i.Dim, i.DType)
	rank := when(i.Rank > 0, ", of %d numbers each, times a projection", i.Rank)
	row("input rows", "%s%s", wording.Thousands(i.InputRows), rank)
	const outputRows = "output rows"
	output := either(i.Training.Bool("tied") && i.OutputRows > 0, "the input rows", wording.Thousands(i.OutputRows))
	var facts [][2]string
	for _, f := range i.Facts {
		text := fmt.Sprintf(f.Text, wording.Thousands(f.Count))
		if f.Label == outputRows {
			output = text
		} else {
			facts = append(facts, [2]string{f.Label, text})
		}
	}
	row(outputRows, "%s", output)
	if n := i.Ngrams; n != nil && n.Trained > 0 {
		row("n-grams", "%s, %s of them trained", n.text, wording.Thousands(n.Trained))
	} else if n != nil {
		row("n-grams", "%s", n.text)
	}
	for _, f := range facts {
		row(f[0], "%s", f[1])
	}
	row("parameters", "%s: %s of input, %s of output", wording.Thousands(i.Parameters.Total), wording.Thousands(i.Parameters.Input), wording.Thousands(i.Parameters.Output))
	row("memory", "%s if all is used", megabytes(i.MemoryBytes))
	row("training", "%s", cmp.Or(trainingText(i.Training), "unknown"))
	for _, name := range slices.Sorted(maps.Keys(i.Attached)) {
		row("attached", "%s (%s), as the text was cut", name, megabytes(int64(i.Attached[name])))
	}
	if i.Checkpoint {
		row("checkpoint", "yes")
	}
	t.Flush()
	if i.Stats != nil {
		printStats(w, i.Stats)
	}
}

func newInfo(s streams) *cobra.Command {
	var asJSON bool
	var stats statsFlags
	ofModels := s.asking(func() opening { return opening{} }, func(ctx context.Context, words *finder, _ []string) error {
		i, err := describe(words.path, words.set)
		if err != nil {
			return err
		}
		if i.Stats, err = stats.measure(ctx, s, words.set); err != nil {
			return ofModel(words.path, err)
		}
		return s.print(asJSON, i, i.print)
	})
	c := command("info", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
		if format.IsIndex(args[0]) {
			if stats.on {
				return misuse(fmt.Errorf("%s: is an index: --stats is about models", args[0]))
			}
			return s.describeIndex(args[0], asJSON)
		}
		return ofModels(c, args)
	})
	stats.add(c)
	addJSON(c, &asJSON)
	return c
}

// MarshalJSON puts the facts between the others, as fields of the same object.
func (i info) MarshalJSON() ([]byte, error) {
	type fields info
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(fields(i)); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - len("}\n"))
	for _, f := range i.Facts {
		fmt.Fprintf(&b, ",%q:%d", f.Key, f.Value)
	}
	next := b.Len()
	if err := encoder.Encode(i.moreInfo); err != nil {
		return nil, err
	}
	b.Bytes()[next] = ','
	return b.Bytes(), nil
}

type ngramInfo struct {
	Kind    string `json:"kind"` // hash function; "explicit" for listed n-grams
	MinN    int    `json:"minn"`
	MaxN    int    `json:"maxn"`
	Buckets int    `json:"buckets"`
	Hashes  int    `json:"hashes,omitempty"` // rows per n-gram, for floret and hash embeddings
	Listed  int    `json:"listed,omitempty"` // how many there are, in a list
	// Trained is the number of buckets with a row, own or shared. It is absent if the file does not say.
	Trained int `json:"trained_buckets,omitempty"`
	// Importances counts the weight rows of hash embeddings. Appended says that weights are dimensions too.
	Importances int  `json:"importances,omitempty"`
	Appended    bool `json:"append_weights,omitempty"`

	text string // how words are cut, as text
}

func newNgramInfo(set *vectors.Set) *ngramInfo {
	sub := set.Subword()
	n := &ngramInfo{Buckets: sub.Rows(), Kind: subword.NameOf(sub)}
	_ = set.Guard(func() error { // a set that cannot be read has an error, which is seen later
		for _, row := range set.SharedParts().BucketRows {
			if row >= 0 {
				n.Trained++
			}
		}
		return nil
	})
	encoded, err := subword.Encode(sub)
	if err != nil {
		return n
	}
	number := func(setting string) int {
		x, _ := strconv.Atoi(encoded.Settings[setting]) // 0 for what it does not have
		return x
	}
	n.Kind, n.Listed, n.text = encoded.Kind, len(encoded.Ngrams), subword.Describe(sub)
	n.MinN, n.MaxN, n.Hashes = number("minn"), number("maxn"), number("hashes")
	n.Importances, n.Appended = number("importances"), encoded.Settings["append_weights"] == "true"
	return n
}

type statsFlags struct {
	on      bool
	options inspect.Options
}

func (f *statsFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.on, "stats", false, "measure norms, isotropy, hubs, buckets and memory")
	whole(flags, 1, &f.options.Queries, "queries", "", 20_000, "--stats asks at most `N` words for their neighbours")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "seed of the sample of --queries")
	whole(flags, 1, &f.options.Top, "hubs", "", 10, "--stats names `N` hubs")
	checked(c, func([]string) error {
		given := flags.Changed("queries") || flags.Changed("seed") || flags.Changed("hubs")
		return broken(rule{!f.on && given, "--queries, --seed and --hubs need --stats"})
	})
}

func (f *statsFlags) measure(ctx context.Context, s streams, set *vectors.Set) (*inspect.Report, error) {
	if !f.on {
		return nil, nil
	}
	if err := set.Check(); err != nil {
		return nil, err
	}
	how, end := computation(s, false)
	defer end()
	f.options.Progress = how.Progress
	return inspect.Set(ctx, set, f.options)
}

func printStats(w io.Writer, r *inspect.Report) {
	t := newTable(w)
	printNorms(t, r.Norms)
	i := r.Isotropy
	fmt.Fprintf(t, "\nisotropy of %s\n", wording.Count(i.Words, "word", "words"))
	fmt.Fprintf(t, "  mean cosine\t%.4f, standard deviation %.4f, of all pairs of words\n", i.MeanCosine, i.CosineDeviation)
	fmt.Fprintf(t, "  mean vector\t%.4f of the root mean square of the norms\n", i.MeanNorm)
	fmt.Fprintf(t, "  participation ratio\t%.1f of %d dimensions\n", i.ParticipationRatio, i.Dim)
	fmt.Fprintf(t, "  components\tthe first has %.1f %% of the variance; %d have 90 %%\n", 100*i.FirstComponent, i.Components90)
	printHubs(t, r.Hubs)
	if r.Buckets != nil {
		printBuckets(t, r.Buckets)
	}
	fmt.Fprintf(t, "\nmemory\tMB\trows\tnumbers\ttype\n")
	for _, m := range r.Memory {
		name, columns := strings.ReplaceAll(m.Part, "_", " "), "–"
		name += when(m.Later, ", when used")
		if m.Cols > 0 {
			columns = wording.Thousands(m.Cols)
		}
		fmt.Fprintf(t, "  %s\t%.1f\t%s\t%s\t%s\n", name, float64(m.Bytes)/1e6, wording.Thousands(m.Rows), columns, cmp.Or(m.Encoding, "–"))
	}
	t.Flush()
}

func printNorms(w io.Writer, n inspect.Norms) {
	fmt.Fprintf(w, "\nnorms\tmin\t5 %%\t25 %%\tmedian\t75 %%\t95 %%\tmax\tmean\n")
	row := func(name string, q inspect.Quantiles) {
		fmt.Fprintf(w, "  %s", name)
		for _, x := range []float64{q.Min, q.Q05, q.Q25, q.Q50, q.Q75, q.Q95, q.Max, q.Mean} {
			fmt.Fprintf(w, "\t%.4g", x)
		}
		fmt.Fprintln(w)
	}
	row("all words", n.Quantiles)
	for _, b := range n.Bands {
		name := fmt.Sprintf("ranks %s–%s", wording.Thousands(b.FirstRank), wording.Thousands(b.LastRank))
		name += when(n.Counted, " (counts %s–%s)", wording.Thousands(b.MaxCount), wording.Thousands(b.MinCount))
		row(name, b.Quantiles)
	}
	if n.Zero > 0 {
		fmt.Fprintf(w, "  %s of zeros\n", wording.Count(n.Zero, "vector is", "vectors are"))
	}
	if n.NotFinite > 0 {
		fmt.Fprintf(w, "  %s NaN or infinite numbers, and no part in this\n", wording.Count(n.NotFinite, "vector has", "vectors have"))
	}
}

func printHubs(w io.Writer, h inspect.Hubs) {
	how := either(!h.Exact, fmt.Sprintf("a random sample of %s of %s words was asked", wording.Thousands(h.Queries), wording.Thousands(h.Words)), "all words were asked")
	fmt.Fprintf(w, "\nhubs: how often a word is among the %d nearest of others; %s\n", h.K, how)
	fmt.Fprintf(w, "  skewness\t%.2f\n", h.Skewness)
	fmt.Fprintf(w, "  mean\t%.4g\n", h.Mean)
	fmt.Fprintf(w, "  over 10 times the mean\t%s\n", wording.Count(h.Over10, "word", "words"))
	fmt.Fprintf(w, "  never\t%s\n", wording.Count(h.Never, "word", "words"))
	name := "  most often"
	for _, hub := range h.Top {
		of := when(!h.Exact, " (about %s of all words)", wording.Thousands(uint64(hub.Estimate+0.5)))
		fmt.Fprintf(w, "%s\t%s %s%s\n", name, wording.Thousands(hub.Occurrences), hub.Word, of)
		name = ""
	}
}

func printBuckets(w io.Writer, b *inspect.Buckets) {
	share := func(n int) string {
		return fmt.Sprintf("%s (%.1f %%)", wording.Thousands(n), 100*float64(n)/float64(max(1, b.Buckets)))
	}
	fmt.Fprintf(w, "\nbuckets of %s n-grams, of %s of the vocabulary\n", b.Kind, wording.Count(b.Ngrams, "n-gram", "different n-grams"))
	reached := share(b.Reached)
	reached += when(b.Expected > 0, "; random hashes reach %s on average", wording.Thousands(uint64(b.Expected+0.5)))
	fmt.Fprintf(w, "  reached\t%s\n", reached)
	fmt.Fprintf(w, "  dead\t%s have no n-gram of the vocabulary\n", share(b.Dead))
	if b.Untrained > 0 {
		fmt.Fprintf(w, "  untrained\t%s have no row in the model\n", share(b.Untrained))
	}
	fmt.Fprintf(w, "  colliding\t%s n-grams (%.1f %%) share each of their buckets\n", wording.Thousands(b.Colliding), 100*float64(b.Colliding)/float64(max(1, b.Ngrams)))
	fmt.Fprintf(w, "  fullest\t%s\n", wording.Count(b.Most, "n-gram", "n-grams"))
	for _, l := range b.Loads[1:] {
		more := either(l.Ngrams == len(b.Loads)-1, " or more", "")
		fmt.Fprintf(w, "  with %d%s\t%s\n", l.Ngrams, more, share(l.Buckets))
	}
	fmt.Fprintf(w, "  rows\t%s\n", wording.Thousands(b.Rows))
}

// trainingText says what is known of a model's training, by the names that JSON has for it.
func trainingText(training vectors.Training) string {
	text, err := json.Marshal(training)
	var known map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // prints numbers unchanged
	if err := errors.Join(err, decoder.Decode(&known)); err != nil {
		return err.Error()
	}
	list := wording.Map(slices.Sorted(maps.Keys(known)), func(name string) string { return fmt.Sprintf("%s %v", name, known[name]) })
	return strings.Join(list, ", ")
}
