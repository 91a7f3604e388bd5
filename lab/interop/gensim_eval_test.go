package interop

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// evaluateWithGensim is a program that scores vectors in word2vec's text format: the
// arguments are the file, a similarity set or an analogy set in which each question has a
// section of its own, restrict_vocab, and True or False for case_insensitive.
const evaluateWithGensim = `
import json, sys
from gensim.models import KeyedVectors
path, kind, sets, restrict, fold = sys.argv[1:]
kv = KeyedVectors.load_word2vec_format(path)
args = dict(restrict_vocab=int(restrict), case_insensitive=fold == 'True')
if kind == 'similarity':
    pearson, spearman, oov = kv.evaluate_word_pairs(sets, **args)
    print(json.dumps(dict(pearson=float(pearson[0]), spearman=float(spearman[0]), oov=oov)))
else:
    _, sections = kv.evaluate_word_analogies(sets, **args)
    print(json.dumps({s['section']: [len(s['correct']), len(s['incorrect'])] for s in sections[:-1]}))
`

// spellings writes a vocabulary of cities of no country in up to two spellings each, with
// vectors that are random, or near those of the other spelling, and sets about them.
func spellings(t *testing.T, dir string, rng *rand.Rand) (model, pairs, questions string, asked int) {
	t.Helper()
	var words []string
	rows := map[string][]float64{}
	add := func(word string, near []float64) {
		if rows[word] != nil {
			return
		}
		row := make([]float64, 6)
		for i := range row {
			row[i] = rng.NormFloat64()
			if near != nil {
				row[i] = near[i] + row[i]/8
			}
		}
		words, rows[word] = append(words, word), row
	}
	syllables := []string{"ba", "ke", "lo", "mün", "straß", "né", "Ωt", "ﬁ", "ŉe", "жи", "xy"}
	for len(words) < 500 {
		word := syllables[rng.IntN(len(syllables))] + syllables[rng.IntN(len(syllables))] + fmt.Sprint(rng.IntN(20))
		lower := strings.ToLower(word)
		switch rng.IntN(4) {
		case 0:
			add(lower, nil)
		case 1:
			add(strings.ToUpper(lower), nil)
		case 2:
			r := []rune(lower)
			r[0] = unicode.ToUpper(r[0])
			add(string(r), nil)
			add(lower, rows[string(r)])
		case 3:
			add(lower, nil)
			add(strings.ToUpper(lower), rows[lower])
		}
	}
	rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	draw := func() string {
		word := words[rng.IntN(len(words))]
		switch rng.IntN(6) {
		case 0:
			return strings.ToUpper(word)
		case 1:
			return strings.ToLower(word)
		case 2:
			return "nowhere" + word
		}
		return word
	}
	var text, sims, analogies strings.Builder
	fmt.Fprintf(&text, "%d 6\n", len(words))
	for _, word := range words {
		fmt.Fprint(&text, word)
		for _, x := range rows[word] {
			fmt.Fprintf(&text, " %v", float32(x))
		}
		text.WriteByte('\n')
	}
	for range 400 {
		fmt.Fprintf(&sims, "%s\t%s\t%v\n", draw(), draw(), rng.IntN(10))
	}
	asked = 1500
	for i := range asked {
		a, b, c, d := draw(), draw(), draw(), draw()
		if i%2 == 0 { // one that comes out right if no other spelling is nearer
			d = plausible(words, rows, a, b, c)
		}
		fmt.Fprintf(&analogies, ": q%d\n%s %s %s %s\n", i, a, b, c, d)
	}
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cities.vec", text.String()), write("pairs.tsv", sims.String()), write("questions.txt", analogies.String()), asked
}

// plausible returns a word that is nearly what b − a + c is, or c if that cannot be said.
func plausible(words []string, rows map[string][]float64, a, b, c string) string {
	if rows[a] == nil || rows[b] == nil || rows[c] == nil {
		return c
	}
	unit := func(word string) []float64 {
		sum := 0.0
		for _, x := range rows[word] {
			sum += x * x
		}
		u := make([]float64, len(rows[word]))
		for i, x := range rows[word] {
			u[i] = x / math.Sqrt(sum)
		}
		return u
	}
	ua, ub, uc := unit(a), unit(b), unit(c)
	best, most := c, math.Inf(-1)
	for _, word := range words {
		if strings.EqualFold(word, a) || strings.EqualFold(word, b) || strings.EqualFold(word, c) {
			continue
		}
		dot := 0.0
		for i, x := range unit(word) {
			dot += x * (ub[i] - ua[i] + uc[i])
		}
		if dot > most {
			best, most = word, dot
		}
	}
	return best
}

// --fold-vocab and --restrict are gensim's case_insensitive=True and restrict_vocab, question
// for question; and --ignore-case=false is case_insensitive=False.
func TestGensimScoresTheSame(t *testing.T) {
	needGensim(t)
	dir := t.TempDir()
	model, pairs, questions, asked := spellings(t, dir, rand.New(rand.NewPCG(12, 22)))
	right := 0
	for _, test := range []struct{ fold, flag string }{{"True", "--fold-vocab"}, {"False", "--ignore-case=false"}} {
		for _, restrict := range []string{"300", "300000"} {
			name := test.flag + " --restrict " + restrict
			var theirs struct{ Pearson, Spearman, OOV float64 }
			var ours struct {
				Pearson, Spearman float64
				Pairs, OOV        int
			}
			decode(t, output(t, "", python, "-c", evaluateWithGensim, model, "similarity", pairs, restrict, test.fold), &theirs)
			decode(t, output(t, "", w2v, "eval", "similarity", model, pairs, test.flag, "--restrict", restrict, "--json"), &ours)
			oov := 100 * float64(ours.OOV) / float64(ours.Pairs)
			for _, x := range [][2]float64{{ours.Pearson, theirs.Pearson}, {ours.Spearman, theirs.Spearman}, {oov, theirs.OOV}} {
				if math.Abs(x[0]-x[1]) > 1e-6 {
					t.Errorf("%s: ours %+v, gensim's %+v", name, ours, theirs)
				}
			}

			sections := map[string][2]int{}
			var counted struct {
				Used, Correct int
				Sections      []struct {
					Name          string
					Used, Correct int
				}
			}
			decode(t, output(t, "", python, "-c", evaluateWithGensim, model, "analogy", questions, restrict, test.fold), &sections)
			decode(t, output(t, "", w2v, "eval", "analogy", model, questions, test.flag, "--restrict", restrict, "--json"), &counted)
			if len(counted.Sections) != asked || len(sections) != asked {
				t.Fatalf("%s: %d questions, gensim has %d, want %d", name, len(counted.Sections), len(sections), asked)
			}
			differ := 0
			for _, s := range counted.Sections {
				if theirs := sections[s.Name]; theirs != [2]int{s.Correct, s.Used - s.Correct} {
					if differ++; differ <= 5 {
						t.Errorf("%s: %s: %d right of %d; gensim has %d right and %d wrong", name, s.Name, s.Correct, s.Used, theirs[0], theirs[1])
					}
				}
			}
			right += counted.Correct
			if counted.Correct == 0 || counted.Correct == counted.Used || counted.Used == asked {
				t.Errorf("%s: the set tells nothing: %d of %d right, of %d", name, counted.Correct, counted.Used, asked)
			}
			t.Logf("%s: %d right of %d used of %d, gensim differs in %d", name, counted.Correct, counted.Used, asked, differ)
		}
	}
}

func decode(t *testing.T, text string, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), to); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
}
