package fasttext

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/train"
)

// options returns the options of a command line of fastText.
func options(t *testing.T, line string) (*Options, error) {
	t.Helper()
	words := strings.Fields(line)
	o, err := NewOptions(words[0])
	if err != nil {
		t.Fatal(err)
	}
	for words = words[1:]; len(words) > 0; {
		name, value := strings.TrimPrefix(words[0], "-"), "true"
		words = words[1:]
		if a, _ := Find(name); !a.Switch && len(words) > 0 {
			value, words = words[0], words[1:]
		}
		if err := o.Set(name, value); err != nil {
			return o, err
		}
	}
	return o, nil
}

// Arguments become settings of package train; without any, they are fastText's defaults.
func TestArgumentsAreSettings(t *testing.T) {
	const usual = "min-count 5 buckets 2000000 minn 3 maxn 6 sample 0.0001 lr 0.05 dim 100 window 5 epochs 5 negatives 5 loss ns threads 12 seed 0 subwords fasttext ns-exponent 0.5"
	for _, test := range []struct{ line, want string }{
		{"skipgram", usual + " arch skipgram"},
		{"cbow", usual + " arch cbow"},
		{"skipgram -minn 2 -maxn 5 -dim 300", "minn 2 maxn 5 dim 300"},
		{"skipgram -epoch 1 -lr 0.5 -thread 4", "epochs 1 lr 0.5 threads 4"},
		{"skipgram -maxn 0 -bucket 100", "subwords none"},
		{"skipgram -minn 0 -maxn 3", "subwords fasttext minn 1 maxn 3"},
		{"cbow -loss hs -minCount 2 -ws 3 -neg 5 -t 1e-3 -seed 9", "loss hs min-count 2 window 3 sample 0.001 seed 9"},
		{"skipgram -neg 7 -neg 9", "negatives 9"},
		{"skipgram -wordNgrams 1 -minCountLabel 0 -lrUpdateRate 100 -cutoff 0 -dsub 2", usual}, // as fastText's own scripts say
	} {
		o, err := options(t, test.line)
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		s, err := o.settings()
		if err == nil {
			err = s.Complete()
		}
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
		}
		want := strings.Fields(test.want)
		for i := 0; i < len(want); i += 2 {
			if got := s.Value(want[i]); got != want[i+1] {
				t.Errorf("%s: %s is %s, want %s", test.line, want[i], got, want[i+1])
			}
		}
	}
}

// What is not supported is refused by name, and so is what fastText does not know.
func TestArgumentsAreRefused(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"skipgram -wordNgrams 2", "-wordNgrams 2 is not supported"},
		{"skipgram -minCountLabel 1", "-minCountLabel 1 is not supported"},
		{"skipgram -lrUpdateRate 50", "-lrUpdateRate 50 is not supported"},
		{"skipgram -ws 0", "-ws 0 is not supported"},
		{"skipgram -loss ova", "-loss ova is not supported"},
		{"skipgram -loss one-vs-all", "-loss one-vs-all is not supported"},
		{"skipgram -autotune-validation v.txt", "-autotune-validation v.txt is not supported"},
		{"skipgram -autotune-duration 60", "-autotune-duration 60 is not supported"},
		{"skipgram -qnorm", "-qnorm is not supported"},
		{"cbow -retrain", "-retrain is not supported"},
		{"cbow -cutoff 100", "-cutoff 100 is not supported"},
		{"cbow -dims 100", "unknown argument: -dims"},
		{"cbow -dim many", `-dim: "many" is not a whole number`},
		{"skipgram -loss glove", `-loss: "glove" is not ns, hs or softmax`},
		{"cbow -loss hinge", `-loss: "hinge" is not ns, hs or softmax`},
		{"cbow -minn x", `-minn: "x" is not a whole number`},
		{"cbow -verbose x", `-verbose: "x" is not a whole number`},
	} {
		if _, err := options(t, test.line); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.line, err, test.want)
		}
	}
	if _, err := NewOptions("supervised"); err == nil {
		t.Error("there are classifiers")
	}
}

// Settings that make no sense together are named as fastText names them.
func TestRefusalsAreSpelled(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"skipgram -output m", "-input is missing"},
		{"skipgram -input x.txt", "-output is missing"},
		{"skipgram -input x.txt -output m -loss hs -neg 7", "-neg needs -loss ns"},
		{"skipgram -input x.txt -output m -minn 5 -maxn 3", "maxn is 3, must be from minn, 5, to 255"},
		{"skipgram -input x.txt -output m -lr 0", "-lr must be above 0, is 0"},
	} {
		o, err := options(t, test.line)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Train(context.Background(), o, train.Hooks{})
		_, misused := errors.AsType[*train.OptionError](err)
		_, missing := errors.AsType[*MissingError](err)
		if err = Spell(err); !misused && !missing || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.line, err, test.want)
		}
	}
}

// Options that NewOptions did not make are an error.
func TestOptionsWithoutCommand(t *testing.T) {
	var o Options
	if err := o.Set("input", "x.txt"); err != nil {
		t.Error(err)
	}
	if _, err := Train(context.Background(), &o, train.Hooks{}); err == nil || !strings.Contains(err.Error(), "NewOptions makes them") {
		t.Error(err)
	}
}

// The three files are there, and the words and their counts are those that fastText counts: a token
// for each newline, and none for labels.
func TestTrain(t *testing.T) {
	dir := t.TempDir()
	text, model := filepath.Join(dir, "text.txt"), filepath.Join(dir, "model")
	lines := strings.Repeat("the cat sat on the mat __label__cats\n", 20) + "\n\na dog\vand\x00a cat\r\n"
	if err := os.WriteFile(text, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := options(t, "skipgram -saveOutput -minCount 1 -dim 3 -bucket 50 -thread 1 -t 1 -input "+text+" -output "+model)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Train(context.Background(), o, train.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{model + ".vec", model + ".output"}; !slices.Equal(result.Files, want) || result.Output != model+".bin" {
		t.Errorf("files are %q and %q", result.Output, result.Files)
	}
	var dict, vectors, words strings.Builder
	if err := Dump(&dict, model+".bin", DumpDict); err != nil {
		t.Fatal(err)
	}
	want := "9\nthe 40 word\n</s> 23 word\ncat 21 word\nsat 20 word\non 20 word\nmat 20 word\na 2 word\ndog 1 word\nand 1 word\n"
	got := strings.Split(dict.String(), "\n")
	slices.Sort(got)
	sorted := strings.Split(want, "\n")
	slices.Sort(sorted)
	if !slices.Equal(got, sorted) {
		t.Errorf("words are\n%s\nwant\n%s", dict.String(), want)
	}
	// The text has the vectors that are printed of the file.
	for _, word := range result.Vectors.Words().Strings() {
		words.WriteString(word + "\n")
	}
	if err := NewModel(result.Vectors).WordVectors(&vectors, strings.NewReader(words.String())); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(model + ".vec"); err != nil || string(text) != "9 3\n"+vectors.String() {
		t.Errorf("%v, the text is\n%s\nwant\n%s", err, text, vectors.String())
	}
	contexts, err := os.ReadFile(model + ".output")
	if err != nil || strings.Count(string(contexts), "\n") != 10 || !strings.HasPrefix(string(contexts), "9 3\nthe ") {
		t.Errorf("%v, context vectors are\n%s", err, contexts)
	}
}

// The page for people who come from fastText says of every argument what becomes of it.
func TestArgumentsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/from-fasttext.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| argument | default |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, a := range Arguments() {
		name := "`-" + a.Name + "`"
		if strings.HasPrefix(a.Name, "autotune-") {
			name = "`-autotune-…`"
		}
		if !strings.Contains(table, name) {
			t.Errorf("the table has no %s", name)
		}
	}
}
