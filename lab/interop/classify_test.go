package interop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// topics writes lines of words that depend on their labels, and each label's share of the words that all have.
// Some lines have several labels, none, odd bytes, blanks, or the word that ends lines.
func topics(t *testing.T, path string, lines, labels int, odd bool, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 7))
	letters := []rune("abcdefghijklmnoprstuväéßжя漢🙂")
	word := func(n int) string { // the same word for the same number
		of := rand.New(rand.NewPCG(uint64(n), 3))
		var b strings.Builder
		for range 2 + of.IntN(7) {
			b.WriteRune(letters[of.IntN(len(letters))])
		}
		return b.String()
	}
	var text strings.Builder
	for i := range lines {
		label := int(float64(labels) * random.Float64() * random.Float64())
		words := []string{fmt.Sprintf("__label__%d", label)}
		if random.IntN(4) == 0 {
			words = append(words, fmt.Sprintf("__label__%d", random.IntN(labels)))
		}
		for range 1 + random.IntN(20) {
			n := int(1000 * random.Float64() * random.Float64())
			if random.IntN(3) == 0 {
				n = 2000 + 50*label + random.IntN(50)
			}
			words = append(words, word(n))
		}
		if odd && i%9 == 0 {
			more := []string{"", "\t ", "</s>", "</s> x", "__label__none", "\xff\xfe", "a\x00b", strings.Repeat("long ", 3000), word(1 << 30), "\r"}
			words = append(words[random.IntN(2):], more[random.IntN(len(more))])
		}
		if odd && i%50 == 0 {
			words = nil
		}
		text.WriteString(strings.Join(words, " "))
		if i < lines-1 || !odd {
			text.WriteByte('\n')
		}
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Models of all losses and options predict what fastText predicts: digit by digit from fastText's file, and by fastText
// from what is written of it; within rounding from a native file.
func TestClassifiersPredictWhatFastTextPredicts(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	few, many, lines := filepath.Join(dir, "few.txt"), filepath.Join(dir, "many.txt"), filepath.Join(dir, "lines.txt")
	topics(t, few, 3000, 6, false, 1)
	topics(t, many, 3000, 400, false, 2)
	topics(t, lines, 900, 6, true, 3)
	predicted := func(program []string, model string) string {
		args := slices.Concat(program[1:], []string{"predict-prob", model, lines, "4", "0.001"})
		return output(t, "", program[0], args...)
	}
	same := func(what, got, want string) {
		t.Helper()
		if got == want {
			return
		}
		a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Errorf("%s: line %d of %d is %q, want %q", what, i+1, len(b), a[i], b[i])
				return
			}
		}
		t.Errorf("%s: %d lines, want %d", what, len(a), len(b))
	}
	// A native model sums the rows of words first, so that the last of six digits may be another one.
	near := func(what, got, want string) {
		t.Helper()
		a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
		if len(a) != len(b) {
			t.Fatalf("%s: %d lines, want %d", what, len(a), len(b))
		}
		for i := range a {
			got, want := strings.Fields(a[i]), strings.Fields(b[i])
			if !slices.EqualFunc(got, want, func(a, b string) bool {
				x, err := strconv.ParseFloat(a, 64)
				y, err2 := strconv.ParseFloat(b, 64)
				return a == b || err == nil && err2 == nil && math.Abs(x-y) < 3e-5*y
			}) {
				t.Errorf("%s: line %d of %d is %q, want %q", what, i+1, len(b), a[i], b[i])
				return
			}
		}
	}
	theirs, ours := []string{"fasttext"}, []string{w2v, "fasttext"}
	for name, model := range map[string]struct {
		text     string
		train    string
		quantize []string // each makes a model more
	}{
		"softmax":       {few, "-loss softmax", []string{"", "-qnorm -cutoff 400"}},
		"softmax-chars": {few, "-minn 2 -maxn 4 -bucket 3000 -dim 16", []string{"-qnorm", "-cutoff 900 -dsub 3"}},
		"softmax-runs":  {few, "-wordNgrams 2 -bucket 2000", []string{"-cutoff 700", "-cutoff 300 -qnorm"}},
		"softmax-both":  {few, "-wordNgrams 3 -minn 3 -maxn 5 -bucket 4000 -dim 32", []string{"-qnorm -cutoff 1200 -dsub 4", "-cutoff 800 -retrain -epoch 1 -thread 1"}},
		"hs":            {few, "-loss hs -dim 9", []string{"-qnorm"}},
		"hs-both":       {few, "-loss hs -wordNgrams 2 -minn 1 -maxn 3 -bucket 2500", []string{"-cutoff 600"}},
		"ova":           {few, "-loss ova -dim 1", nil},
		"ova-both":      {few, "-loss ova -wordNgrams 4 -minn 4 -maxn 6 -bucket 700", []string{"-qnorm -dsub 5"}},
		"ns":            {few, "-loss ns -neg 3 -minCount 4", nil},
		"ns-chars":      {few, "-loss ns -minn 2 -maxn 2 -bucket 999 -minCount 2", []string{"-cutoff 500"}},
		"many":          {many, "-dim 12", []string{"-qout", "-qout -qnorm -cutoff 800"}},
		"many-hs":       {many, "-loss hs -wordNgrams 2 -bucket 1000 -dim 12", []string{"-qout", "-qout -qnorm -dsub 7"}},
		"many-ova":      {many, "-loss ova -lr 0.05 -dim 12", []string{"-qout"}},
		"many-ns":       {many, "-loss ns -minn 3 -maxn 3 -bucket 1000 -dim 12", []string{"-qout -qnorm"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			trained := filepath.Join(dir, "model")
			args := strings.Fields("supervised -input " + model.text + " -output " + trained + " -epoch 5 -lr 0.5 -thread 1 -verbose 0 " + model.train)
			output(t, "", "fasttext", args...)
			files := []string{trained + ".bin"}
			for i, flags := range model.quantize {
				small := filepath.Join(dir, fmt.Sprint("small", i))
				if err := os.Symlink(trained+".bin", small+".bin"); err != nil {
					t.Fatal(err)
				}
				output(t, "", "fasttext", strings.Fields("quantize -input "+model.text+" -output "+small+" -verbose 0 "+flags)...)
				files = append(files, small+".ftz")
			}
			if len(model.quantize) > 0 { // by w2v, read by fastText
				small := filepath.Join(dir, "own")
				if err := os.Symlink(trained+".bin", small+".bin"); err != nil {
					t.Fatal(err)
				}
				flags := strings.ReplaceAll(model.quantize[len(model.quantize)-1], "-retrain", "")
				output(t, "", w2v, strings.Fields("fasttext quantize -output "+small+" "+flags)...)
				files = append(files, small+".ftz")
			}
			for _, file := range files {
				want := predicted(theirs, file)
				same(filepath.Base(file), predicted(ours, file), want)
				native, again := file+".w2v", file+".again.bin"
				output(t, "", w2v, "convert", file, native)
				near(filepath.Base(native), predicted(ours, native), want)
				label := func(program []string) string {
					return output(t, "", program[0], slices.Concat(program[1:], []string{"predict", file, lines})...)
				}
				same("labels of "+filepath.Base(file), label(ours), label(theirs))
				output(t, "", w2v, "convert", native, again)
				same("fastText with "+filepath.Base(again), predicted(theirs, again), want)
				labels := func(program []string) string {
					args := slices.Concat(program[1:], []string{"test", file, lines, "2"})
					return output(t, "", program[0], args...)
				}
				same("test of "+filepath.Base(file), labels(ours), labels(theirs))
			}
		})
	}
}
