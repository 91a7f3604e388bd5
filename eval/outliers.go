package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// An OutlierCluster is a list of words that belong together, and words that do not belong to them.
type OutlierCluster struct {
	Name     string   `json:"category"`
	Words    []string `json:"words"`
	Outliers []string `json:"outliers"`
}

// readOutliers reads clusters of words with outliers: the text files of 8-8-8 and WikiSem500, a cluster
// each (words, a blank line, outliers); JSON, an object a cluster; or CSV with a header, whose entries are
// lists as Python prints them: "['a', 'b']".
func readOutliers(t *text, set *Set) error {
	add := func(c OutlierCluster) error {
		c.Words, c.Outliers = tidied(c.Words), tidied(c.Outliers)
		if len(c.Words) < 2 || len(c.Outliers) == 0 {
			return fmt.Errorf("want two or more words and one or more outliers in a cluster, not %d and %d", len(c.Words), len(c.Outliers))
		}
		set.Clusters = append(set.Clusters, c)
		return checkWords(slices.Concat(c.Words, c.Outliers)...)
	}
	switch {
	case len(t.full) == 0:
		return nil
	case t.json():
		return eachJSON(t, `{"category": "…", "words": ["…"], "outliers": ["…"]}`, add)
	case isOutlierHeader(t.full[0].text):
		return readOutlierCSV(t, add)
	}
	c := OutlierCluster{Name: SetName(t.name)}
	to := &c.Words
	for i, l := range t.lines {
		switch {
		case l.text != "":
			*to = append(*to, l.text)
		case to == &c.Outliers && t.lines[i-1].text != "":
			return at(l.number, errors.New("want one cluster a file: words, a blank line, outliers; and here is a second blank line"))
		default:
			to = &c.Outliers
		}
	}
	return add(c)
}

func isOutlierHeader(line string) bool {
	header, err := splitCSV(line)
	return err == nil && columnNamed(header, "words") >= 0 && columnNamed(header, "outliers") >= 0
}

func readOutlierCSV(t *text, add func(OutlierCluster) error) error {
	var header []string
	return t.eachLine(func(line string) error {
		columns, err := splitCSV(line)
		if err != nil || header == nil {
			header = columns
			return err
		}
		if len(columns) != len(header) {
			return fmt.Errorf("want %d columns as in the header, not %d", len(header), len(columns))
		}
		var c OutlierCluster
		if category := columnNamed(header, "category", "class", "name"); category >= 0 {
			c.Name = columns[category]
		}
		var errWords, errOutliers error
		c.Words, errWords = pythonList(columns[columnNamed(header, "words")])
		c.Outliers, errOutliers = pythonList(columns[columnNamed(header, "outliers")])
		if err := errors.Join(errWords, errOutliers); err != nil {
			return err
		}
		return add(c)
	})
}

func pythonList(text string) ([]string, error) {
	bad := fmt.Errorf("want a list such as ['a', 'b'], not %q", excerpt(text))
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "[")
	if !ok {
		return nil, bad
	}
	var list []string
	for {
		rest = strings.TrimLeft(rest, ", ")
		if rest == "]" {
			return list, nil
		}
		if rest == "" || rest[0] != '\'' && rest[0] != '"' {
			return nil, bad
		}
		var word strings.Builder
		end := -1
		for i := 1; i < len(rest); i++ {
			if rest[i] == '\\' && i+1 < len(rest) {
				i++
			} else if rest[i] == rest[0] {
				end = i
				break
			}
			word.WriteByte(rest[i])
		}
		if end < 0 {
			return nil, bad
		}
		list, rest = append(list, word.String()), rest[end+1:]
	}
}

// scoreOutliers tests whether the word that does not belong to a cluster is found (Camacho-Collados and
// Navigli 2016): whether every word of the cluster has a larger compactness, the sum of its cosines with
// all other words. Equal compactness counts against the outlier. A word of a cluster that has no vector
// is left out of the cluster, as in the script of WikiSem500 (Blair, Merhav and Barry 2016).
func scoreOutliers(_ context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	r := OutlierResult{Set: set.Name, Published: opt.Published, Detections: []OutlierTest{}}
	var items []Item
	for _, c := range set.Clusters {
		r.Clusters = append(r.Clusters, words.test(c, &r, &items))
	}
	r.LookedUp = words.lookedUp()
	r.OOV = r.Tests - r.Used
	var found, positions []float64
	for _, t := range r.Detections {
		found, positions = append(found, oneIf(t.Found)), append(positions, float64(t.Position)/float64(t.Words))
	}
	accuracy, opp := meanSample(items, found), meanSample(items, positions)
	r.Accuracy, r.CI95 = accuracy.once(), bootstrap(accuracy, opt)
	r.OPP, r.OPPCI95 = opp.once(), bootstrap(opp, opt)
	sum := Summary{
		Metric: "accuracy", Score: r.Accuracy, Interval: r.CI95, Items: r.Tests, Used: r.Used, Composed: r.Composed, Missing: r.Missing,
		Parts: []Part{{Name: "opp", Metric: "opp", Score: r.OPP, Interval: r.OPPCI95, Items: r.Tests, Used: r.Used}},
	}
	first := 0
	for i := range r.Clusters {
		c := &r.Clusters[i]
		c.CI95 = bootstrap(meanSample(items[first:first+c.Used], accuracy.Values[first:first+c.Used]), opt)
		first += c.Used
		sum.Parts = append(sum.Parts, Part{Name: c.Name, Metric: "accuracy", Score: c.Accuracy, Interval: c.CI95, Items: c.Tests, Used: c.Used})
	}
	return Result{Summary: sum, Sample: accuracy, Details: r, zero: new(Score(share(float64(r.Accuracy), r.Used, r.Tests)))}, nil
}

type placed struct {
	word     string
	unit     []float64
	composed bool
}

// place returns a word with its vector. It returns false if the word needs a vector and has none.
func (l *lookup) place(word string) (placed, bool) {
	e, ok := l.use(word)
	if ok || !l.opt.Published {
		return placed{word, unit64(e.vector), e.composed()}, ok
	}
	mean := make([]float32, l.set.Dim())
	for _, part := range parts(word) {
		if e := l.find(part); !l.opt.lacks(e) {
			for i, x := range e.vector {
				mean[i] += x
			}
		}
	}
	return placed{word, unit64(mean), true}, true
}

func (l *lookup) test(c OutlierCluster, to *OutlierResult, items *[]Item) OutlierTally {
	tally := OutlierTally{Name: c.Name, Tests: len(c.Outliers), Words: len(c.Words)}
	to.Tests += len(c.Outliers)
	var cluster []placed
	for _, word := range c.Words {
		if p, ok := l.place(word); ok {
			cluster = append(cluster, p)
		}
	}
	tally.UsedWords = len(cluster)
	within := make([]float64, len(cluster)) // sums of cosines with the other words of the cluster
	for i := range cluster {
		for j := range cluster {
			if i != j {
				within[i] += dot64(cluster[i].unit, cluster[j].unit)
			}
		}
	}
	for _, outlier := range c.Outliers {
		o, ok := l.place(outlier)
		if !ok || len(cluster) < 2 {
			continue
		}
		t := OutlierTest{Cluster: c.Name, Outlier: outlier, Words: len(cluster)}
		cosines, sum := make([]float64, len(cluster)), 0.0
		for i, p := range cluster {
			cosines[i] = dot64(p.unit, o.unit)
			sum += cosines[i]
		}
		least, composed := math.Inf(1), o.composed
		item := Item{Key: c.Name + "\t" + outlier}
		for i, p := range cluster {
			compactness := within[i] + cosines[i]
			// Rounding must not decide between equal values.
			if compactness-sum > 1e-12 {
				t.Position++
			}
			if compactness < least {
				least, t.Instead = compactness, p.word
			}
			composed = composed || p.composed
			item.Words = append(item.Words, p.word)
		}
		if t.Found = t.Position == len(cluster); t.Found {
			t.Instead = ""
			tally.Detected++
		}
		tally.Used++
		tally.positions += float64(t.Position) / float64(len(cluster))
		if composed {
			to.Composed++
		}
		to.Used++
		to.Detections = append(to.Detections, t)
		*items = append(*items, Item{Key: item.Key, Words: append(item.Words, outlier)})
	}
	tally.Accuracy = Score(float64(tally.Detected) / float64(tally.Used))
	tally.OPP = Score(tally.positions / float64(tally.Used))
	return tally
}

func dot64(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// An OutlierResult says how many outliers of a set were found. Used + OOV = Tests.
type OutlierResult struct {
	Set      string   `json:"set"`
	Tests    int      `json:"tests"` // outliers of all clusters
	Used     int      `json:"used"`  // tests that are scored
	OOV      int      `json:"oov"`   // tests not scored because vectors are missing
	Accuracy Score    `json:"accuracy"`
	CI95     Interval `json:"ci95,omitzero"` // of the accuracy: 95 % bootstrap interval over tests
	OPP      Score    `json:"opp"`           // outlier position percentage, 0…1
	OPPCI95  Interval `json:"opp_ci95,omitzero"`

	Composed  int  `json:"composed"`            // used tests with a composed word
	Published bool `json:"published,omitempty"` // see Options
	LookedUp
	Clusters []OutlierTally `json:"clusters"`
	// Detections are the scored tests.
	Detections []OutlierTest `json:"detections"`
}

// An OutlierTally says how many outliers of a cluster were found.
type OutlierTally struct {
	Name      string   `json:"name"`
	Words     int      `json:"words"`
	UsedWords int      `json:"used_words"` // words of the cluster with a vector
	Tests     int      `json:"tests"`
	Used      int      `json:"used"`
	Detected  int      `json:"detected"`
	Accuracy  Score    `json:"accuracy"`
	CI95      Interval `json:"ci95,omitzero"`
	OPP       Score    `json:"opp"`

	positions float64
}

// An OutlierTest is one outlier among the words of its cluster.
type OutlierTest struct {
	Cluster  string `json:"cluster"`
	Outlier  string `json:"outlier"`
	Words    int    `json:"words"`    // words of the cluster with a vector: n
	Position int    `json:"position"` // 0…n; n if the outlier is found
	Found    bool   `json:"found"`
	Instead  string `json:"instead,omitempty"` // the least compact word of the cluster, if the outlier is not found
}

func parts(word string) []string {
	return strings.FieldsFunc(word, func(r rune) bool { return r == '_' })
}
