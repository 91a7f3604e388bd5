// Package report writes what package eval found in the forms that people cite and share: a
// Markdown table, CSV, and a page of HTML. The page is one file. It asks for nothing from
// elsewhere, runs no script, and draws its charts as SVG.
//
// An [Evaluation] is one model on many sets, a [Comparison] the differences of models,
// [Runs] are models that differ by chance alone, a [Classification] is classifiers on labelled texts.
package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// A Document can be written in every form.
type Document interface {
	// CSV writes the numbers with a header of stable names, as RFC 4180 describes. A value that
	// does not exist is an empty field.
	CSV(w io.Writer) error
	// Markdown writes tables in GitHub's dialect.
	Markdown(w io.Writer) error
	// HTML writes a page that needs no other file.
	HTML(w io.Writer) error
}

// A Fact is a line of what readers need to know in order to repeat an evaluation: a checksum, a
// rule, a setting.
type Fact struct {
	Name, Value string
}

// An Evaluation is one model on many sets.
type Evaluation struct {
	// ListMissing lists the words without vectors in Markdown too. HTML always has them.
	ListMissing bool

	model    string // the model's name
	checksum string // SHA-256 of the model, for CSV; facts have it for the other forms
	facts    []Fact // what holds for all sets, in the order of the report
	entries  []entry
}

type entry struct {
	summary        eval.Summary
	checksum       string           // SHA-256 of the set; empty if it is not known
	facts          []Fact           // what holds for this set
	bands, byWords []eval.Band      // the set's score by the frequency of words, and by what is known of them
	scores         []scored         // the set's score by other conventions
	details        []detail         // tables of this set's task
	judgements     []eval.Judgement // for a scatter
}

type scored struct {
	key  string // its name in CSV
	name string
	eval.Convention
}

func (e Evaluation) title() string {
	if e.model == "" {
		return "Evaluation"
	}
	return "Evaluation of " + e.model
}

func (e entry) allFacts() []Fact {
	if e.checksum == "" {
		return e.facts
	}
	return append([]Fact{{"set", "SHA-256 " + e.checksum}}, e.facts...)
}

// NewEvaluation returns the report of what eval.Measure found of one model. Records that were read
// from JSON have neither parts nor pairs for a scatter.
func NewEvaluation(model string, records []eval.Record) Evaluation {
	e := Evaluation{model: model, facts: Rules(records)}
	for _, r := range records {
		e.checksum = r.ModelFile.SHA256
		e.entries = append(e.entries, entry{
			summary: r.Summary, checksum: r.SetFile.SHA256, scores: conventions(r), bands: r.Bands, byWords: r.ByWords,
			details: detailsOf(r.Result), judgements: r.Result.Judgements,
		})
	}
	return e
}

func conventions(r eval.Record) []scored {
	scores := []scored{{"in_vocabulary", "items with all words in the vocabulary", r.Conventions.InVocabulary}}
	if r.Settings.Composes {
		scores = append(scores, scored{"composed", "items with composed words too", r.Conventions.Composed})
	}
	if zero := r.Conventions.Zero; zero != nil {
		scores = append(scores, scored{"zero", "all items, the others counted as 0", *zero})
	}
	if zero := r.Conventions.ComposedZero; zero != nil {
		scores = append(scores, scored{"composed_zero", "all items, composed words too, the others counted as 0", *zero})
	}
	return scores
}

// HTML writes a page: all sets with their intervals, then a section for each set with its parts,
// its pairs and its missing words, then the rules.
func (e Evaluation) HTML(w io.Writer) error {
	p := page{Title: e.title(), Lead: e.lead(), Sections: []section{e.overview()}}
	for i, entry := range e.entries {
		p.Sections = append(p.Sections, entry.section(setID(i)))
	}
	return p.write(w, e.facts)
}

func setID(i int) string { return fmt.Sprintf("set-%d", i+1) }

func (e Evaluation) lead() string {
	return fmt.Sprintf("%s. Intervals are 95 %% bootstrap intervals.", wording.Count(len(e.entries), "set", "sets"))
}

func (e Evaluation) overview() section {
	s := section{ID: "sets", Title: "All sets"}
	var all byMetric
	var links []string
	for i, entry := range e.entries {
		sum := entry.summary
		links = append(links, setID(i))
		all.add(sum.Metric, mark{
			name: sum.Set, link: setID(i), score: float64(sum.Score), interval: sum.Interval, value: decimals(float64(sum.Score)), note: used(sum.Used, sum.Items),
		})
	}
	s.Blocks = all.drawn(func(metric string, marks []mark) block {
		return drawn(metricTitle(metric)+" with 95 % interval", marks, false, bounds(metric)...)
	})
	s.Blocks = append(s.Blocks, summaryTable(e.entries).block("Scores", links...))
	return s
}

func used(used, items int) string {
	return fmt.Sprintf("%s of %s used", wording.Thousands(used), wording.Thousands(items))
}

var metrics = map[string]struct {
	title string
	share bool
}{
	"spearman":     {"Spearman’s correlation", true},
	"pearson":      {"Pearson’s correlation", true},
	"accuracy":     {"Accuracy", true},
	"purity":       {"Purity", true},
	"v_measure":    {"V-measure", true},
	"homogeneity":  {"Homogeneity", true},
	"completeness": {"Completeness", true},
	"opp":          {"Outlier position percentage", true},
	"ndcg@10":      {"nDCG@10", true},
	"map":          {"Mean average precision", true},
	"mrr@10":       {"Mean reciprocal rank, of the first 10", true},
	"recall@10":    {"Recall of the first 10", true},
	"recall@100":   {"Recall of the first 100", true},
	"effect_size":  {"Effect size", false},
	"micro_f1":     {"Micro F1", true},
	"macro_f1":     {"Macro F1", true},
}

func metricTitle(metric string) string { return cmp.Or(metrics[metric].title, metric) }

func (e entry) section(id string) section {
	sum := e.summary
	s := section{ID: id, Title: sum.Set, Note: string(sum.Task)}
	s.Blocks = append(s.Blocks, paragraph(fmt.Sprintf("%s: %s, 95 %% interval %s; %s, %s with composed words.",
		metricTitle(sum.Metric), decimals(float64(sum.Score)), span(sum.Interval), used(sum.Used, sum.Items), wording.Thousands(sum.Composed))))
	for _, note := range e.summary.Notes {
		s.Blocks = append(s.Blocks, paragraph(note))
	}
	same, further := partsOf(sum)
	s.Blocks = append(s.Blocks, drawn(metricTitle(sum.Metric)+" by part, with 95 % interval", partMarks(same), true, bounds(sum.Metric)...))
	more := []block{
		scoredTable(e.scores).block("By each convention about missing words"),
		partTable(same).block("Parts"), furtherChart(further), partTable(further).block("Further scores"),
	}
	more = append(more, judgementBlocks(e.judgements)...)
	more = append(more, bandsChart(sum.Metric, e.bands), bandTable(byRarest, e.bands).block("By frequency"), bandTable(byKnown, e.byWords).block("By vocabulary"))
	for _, d := range e.details {
		b := d.table().block(d.Title)
		if d.Long {
			b = folded(d.Title, b)
		}
		more = append(more, b)
	}
	if n := len(sum.Missing); n > 0 {
		more = append(more, folded(wording.Count(n, "word without a vector", "words without vectors"), wordList(sum.Missing)))
	}
	more = append(more, factList(e.allFacts()))
	s.Blocks = append(s.Blocks, folded("More of "+sum.Set, together(more)))
	return s
}

// partsOf returns the sections of a set, which have its metric, and further scores, which have no
// common axis with it.
func partsOf(s eval.Summary) (same, further []eval.Part) {
	for _, p := range s.Parts {
		if p.Metric == s.Metric {
			same = append(same, p)
		} else {
			further = append(further, p)
		}
	}
	return same, further
}

func partMarks(parts []eval.Part) (marks []mark) {
	for _, p := range parts {
		marks = append(marks, mark{name: metricTitle(p.Name), score: float64(p.Score), interval: p.Interval, value: decimals(float64(p.Score)), note: used(p.Used, p.Items)})
	}
	return marks
}

// furtherChart draws further scores if there are several, all from 0 to 1.
func furtherChart(parts []eval.Part) block {
	if len(parts) < 2 || slices.ContainsFunc(parts, func(p eval.Part) bool { return !metrics[p.Metric].share }) {
		return nil
	}
	marks := partMarks(parts)
	if slices.ContainsFunc(parts, func(p eval.Part) bool { return p.Metric != parts[0].Metric }) {
		for i, p := range parts {
			marks[i].name = strings.TrimPrefix(metricTitle(p.Name)+", "+metricTitle(p.Metric), metricTitle(p.Metric)+", ")
		}
	}
	return drawn("Further scores with 95 % interval", marks, false, 0, 1)
}

// bandsChart draws the bands in which there is a score, if there are several.
func bandsChart(metric string, bands []eval.Band) block {
	var marks []mark
	for _, b := range bands {
		if b.Score.Defined() {
			marks = append(marks, mark{name: b.Name + ", " + wording.Count(b.Items, "item", "items"), score: float64(b.Score), value: decimals(float64(b.Score))})
		}
	}
	if len(marks) < 2 {
		return nil
	}
	return drawn(metricTitle(metric)+" by the rank of an item’s rarest word", marks, true, bounds(metric)...)
}

// header has the columns of an evaluation. New columns are added at the end.
var header = []string{
	"model", "set", "task", "kind", "part", "metric", "score", "low", "high", "items", "used", "composed", "missing", "model_sha256", "set_sha256",
}

// CSV writes a row for each set, whose kind is "set", followed by rows of its parts, of its
// conventions, of its bands by frequency, and of its items by what the vocabulary knows of their
// words: their kinds are "part", "convention", "band" and "words". Low and high are the ends of the
// 95 % interval; missing is the number of words without vectors.
func (e Evaluation) CSV(w io.Writer) error {
	rows := [][]string{header}
	for _, entry := range e.entries {
		s := entry.summary
		add := func(kind, part, metric string, score eval.Score, interval eval.Interval, items, used, composed, missing string) {
			low, high := ends(interval)
			rows = append(rows, []string{
				e.model, s.Set, string(s.Task), kind, part, metric, plain(float64(score)), low, high, items, used, composed, missing, e.checksum, entry.checksum,
			})
		}
		add("set", "", s.Metric, s.Score, s.Interval, strconv.Itoa(s.Items), strconv.Itoa(s.Used), strconv.Itoa(s.Composed), strconv.Itoa(len(s.Missing)))
		for _, p := range s.Parts {
			add("part", p.Name, p.Metric, p.Score, p.Interval, strconv.Itoa(p.Items), strconv.Itoa(p.Used), "", "")
		}
		for _, c := range entry.scores {
			add("convention", c.key, s.Metric, c.Score, c.Interval, strconv.Itoa(s.Items), strconv.Itoa(c.Used), "", "")
		}
		for _, b := range entry.bands {
			add("band", b.Name, s.Metric, b.Score, eval.Interval{}, strconv.Itoa(b.Items), "", "", "")
		}
		for _, b := range entry.byWords {
			add("words", b.Name, s.Metric, b.Score, eval.Interval{}, strconv.Itoa(b.Items), "", "", "")
		}
	}
	return writeCSV(w, rows)
}

// writeCSV ends lines with CR LF, as RFC 4180 does.
func writeCSV(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	return out.WriteAll(rows)
}

type detail struct {
	Title   string
	Columns []string
	Rows    [][]string
	// Long tables are folded up on a page, and are not in Markdown.
	Long bool
}

func (d detail) table() table {
	t := table{rows: d.Rows}
	for _, name := range d.Columns {
		t.columns = append(t.columns, column{Name: name})
	}
	return t
}

const wrongAnswers = 10

// detailsOf returns what a result has beyond its scores.
func detailsOf(r eval.Result) []detail {
	if r.Answers != nil {
		return answerDetails(r.Answers)
	}
	switch r := r.Details.(type) {
	case eval.CategoryResult:
		return clusterDetails(r.Clusters)
	case eval.OutlierResult:
		return outlierDetails(r.Detections)
	case eval.BiasResult:
		return biasDetails(r.Tests)
	}
	return nil
}

func answerDetails(all []eval.Answered) []detail {
	d := detail{Title: fmt.Sprintf("Wrong answers, the first %d of each section", wrongAnswers), Columns: []string{"question", "right", "answer", "section"}, Long: true}
	shown := map[string]int{}
	for _, a := range all {
		if !a.Used || a.Correct || shown[a.Section] == wrongAnswers {
			continue
		}
		shown[a.Section]++
		question := fmt.Sprintf("%s : %s = %s : ?", a.Words[0], a.Words[1], a.Words[2])
		if a.Words[1] == "" {
			question = a.Words[0] + a.Words[2]
		}
		d.Rows = append(d.Rows, []string{question, a.Words[3], cmp.Or(a.Answer, absent), a.Section})
	}
	return []detail{d}
}

func clusterDetails(all []eval.ClusteredWord) []detail {
	d := detail{Title: "Clusters and the categories of their words", Columns: []string{"cluster", "words", "of the largest category", "categories"}, Long: true}
	clusters := map[int]map[string][]string{}
	for _, w := range all {
		if clusters[w.Cluster] == nil {
			clusters[w.Cluster] = map[string][]string{}
		}
		clusters[w.Cluster][w.Category] = append(clusters[w.Cluster][w.Category], w.Word)
	}
	for i := range len(clusters) {
		var names, texts []string
		words := 0
		for name, of := range clusters[i] {
			names = append(names, name)
			words += len(of)
		}
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(clusters[i][b]), len(clusters[i][a])), strings.Compare(a, b))
		})
		for _, name := range names {
			texts = append(texts, fmt.Sprintf("%s: %s", name, strings.Join(clusters[i][name], ", ")))
		}
		if words > 0 {
			d.Rows = append(d.Rows, []string{fmt.Sprint(i + 1), wording.Thousands(words), wording.Thousands(len(clusters[i][names[0]])), strings.Join(texts, "; ")})
		}
	}
	return []detail{d}
}

func outlierDetails(all []eval.OutlierTest) []detail {
	d := detail{Title: "Outliers that are not found", Columns: []string{"cluster", "outlier", "position", "taken for it"}, Long: true}
	for _, t := range all {
		if !t.Found {
			d.Rows = append(d.Rows, []string{t.Cluster, t.Outlier, fmt.Sprintf("%d of %d", t.Position, t.Words), t.Instead})
		}
	}
	return []detail{d}
}

func biasDetails(all []eval.BiasTestResult) []detail {
	d := detail{Title: "Tests", Columns: []string{"test", "effect size", "95 % interval", "p", "partitions", "words of X, Y, A, B", "refused because"}}
	for _, t := range all {
		var words []string
		for _, list := range []eval.BiasList{t.X, t.Y, t.A, t.B} {
			words = append(words, fmt.Sprintf("%d of %d", list.Used, list.Words))
		}
		partitions := wording.Thousands(t.Partitions)
		if t.Exact {
			partitions = "all " + partitions
		}
		p := probability(float64(t.P))
		if t.P == 0 { // no partition is larger; few partitions cannot say more than this
			p = "< " + strings.TrimPrefix(probability(float64(t.PWithTies)), "< ")
		}
		d.Rows = append(d.Rows, []string{
			t.Name, decimals(float64(t.EffectSize)), span(t.CI95), p, partitions, strings.Join(words, ", "), cmp.Or(t.Refused, absent),
		})
	}
	return []detail{d}
}

// Rules says in words how the scores of records came about: the rules, the settings, the version
// and the model. What differs between tasks has a line for each.
func Rules(records []eval.Record) []Fact {
	if len(records) == 0 {
		return nil
	}
	s := records[0].Settings // the records of an evaluation differ by task alone
	vocabulary, intervals := "all words of the model", "none"
	if s.Restrict > 0 {
		vocabulary = fmt.Sprintf("the first %d words of the model", s.Restrict)
	}
	if s.Resamples > 0 {
		intervals = fmt.Sprintf("95 %%, bootstrap of %d resamples, seed %d", s.Resamples, s.Seed)
	}
	facts := []Fact{
		{"words", lookedUp(s)},
		{"vocabulary", vocabulary},
		{"words outside it", outside(s)},
	}
	if vectors := spelledOut(s.Vectors); vectors != "" {
		facts = append(facts, Fact{"vectors", vectors})
	}
	var tasks []eval.Task
	for _, r := range records {
		if slices.Contains(tasks, r.Task) {
			continue
		}
		tasks = append(tasks, r.Task)
		if rule := ruleOf(r); rule != "" {
			facts = append(facts, Fact{string(r.Task), rule})
		}
	}
	facts = append(facts, Fact{"intervals", intervals})
	if m := records[0].ModelFile; m.SHA256 != "" {
		facts = append(facts, Fact{"model", "SHA-256 " + m.SHA256})
	}
	if v := records[0].Version; v != "" {
		facts = append(facts, Fact{"w2v", v})
	}
	return facts
}

func lookedUp(s eval.Settings) string {
	how := "looked up as they are"
	switch {
	case s.FoldVocab:
		how = "in upper case, as is the vocabulary"
	case s.IgnoreCase:
		how += ", then in lower case"
	}
	if s.AsTrained {
		how += ", then as the training text has them"
	}
	return how
}

func outside(s eval.Settings) string {
	if s.Composes {
		return "composed of n-grams; what has no vector is left out"
	}
	return "left out"
}

func ruleOf(r eval.Record) string {
	rule := r.Metric
	for _, part := range []struct{ name, value string }{
		{"normalisation: ", r.Settings.Normalization}, {"ties: ", r.Settings.Ties}, {"", spelledOut(r.Settings.Options)},
	} {
		if part.value != "" {
			rule += "; " + part.name + part.value
		}
	}
	return rule
}

// spelledOut lists the fields of a struct by their JSON names: "max_lost 0.2; permutations 1000".
// It is empty for nil.
func spelledOut(v any) string {
	text, err := json.Marshal(v)
	if v == nil || err != nil {
		return ""
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return string(text)
	}
	var parts []string
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err = errors.Join(err, dec.Decode(&value)); err != nil {
			return string(text)
		}
		var plain string
		if json.Unmarshal(value, &plain) != nil {
			plain = string(value)
		}
		parts = append(parts, fmt.Sprintf("%s %s", name, plain))
	}
	return strings.Join(parts, "; ")
}
