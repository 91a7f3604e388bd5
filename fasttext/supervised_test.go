package fasttext

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/classify/tune"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/sgns"
)

func supervised(line string) (*Supervised, error) {
	var o Supervised
	args := strings.Fields(line)
	for i := 0; i+1 < len(args); i += 2 {
		if err := o.Set(args[i][1:], strings.ReplaceAll(args[i+1], "''", "")); err != nil {
			return nil, err
		}
	}
	return &o, o.Check()
}

// A run that is interrupted leaves what is trained, as a file that replaces nothing.
func TestSupervisedInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("texts.txt", []byte(strings.Repeat("__label__good fine film\n__label__bad poor film\n", 50)), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := supervised("-input texts.txt -output m -dim 4 -bucket 100 -epoch 100000000 -thread 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"m.bin", "partial-m.bin", "partial-2-m.bin"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, files, err := o.Train(ctx, tune.Hooks{Hooks: classify.Hooks{Hooks: sgns.Hooks{Progress: func(p sgns.Progress) {
			if p.Tokens > 0 {
				cancel()
			}
		}, Every: 1}}})
		if !errors.Is(err, context.Canceled) || !slices.Equal(files, []string{want}) {
			t.Fatalf("wrote %q and returned %v, want %s and the context's error", files, err, want)
		}
		m, err := classify.Open(want)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat("m.vec"); err == nil {
		t.Error("an interrupted run wrote m.vec")
	}
}

// Numbers of fastText's metrics are percentages.
func TestAutotuneMetrics(t *testing.T) {
	for name, want := range map[string]labels.Metric{
		"f1":                          {Kind: labels.F1},
		"f1:__label__a,b:c":           {Kind: labels.F1, Label: "__label__a,b:c"},
		"recallAtPrecision:90":        {Kind: labels.RecallAtPrecision, At: 0.9},
		"recallAtPrecision:0.5":       {Kind: labels.RecallAtPrecision, At: 0.005},
		"precisionAtRecall:100:a,b:c": {Kind: labels.PrecisionAtRecall, At: 1, Label: "a,b:c"},
	} {
		o, err := supervised("-input t -output m -autotune-validation v -autotune-metric " + name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := o.tuneOptions(o.options()).Metric; got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	for _, name := range strings.Fields("recallAtPrecision:101 recallAtPrecision:0 recallAtPrecision:x recallAtPrecision: precisionAtRecall:50: precisionAtRecall:nan f1: accuracy auc recall-at-precision:0.5") {
		if _, err := supervised("-autotune-metric " + name); err == nil || !strings.Contains(err.Error(), "-autotune-metric: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSupervisedArguments(t *testing.T) {
	for line, want := range map[string]string{
		"-label ''":                      "-label: labels begin with nothing",
		"-dim 0":                         "-dim: 0 is less than 1",
		"-maxn -1":                       "-maxn: -1 is less than 0",
		"-thread -1":                     "-thread: -1 is less than 0",
		"-autotune-duration 0":           "-autotune-duration: 0 is less than 1",
		"-autotune-predictions 0":        "-autotune-predictions: 0 is less than 1",
		"-lr -0.1":                       `-lr: "-0.1" is not a number of 0 or more`,
		"-lr inf":                        `-lr: "inf" is not a number of 0 or more`,
		"-t x":                           `-t: "x" is not a number`,
		"-epoch 1.5":                     `-epoch: "1.5" is not a whole number`,
		"-neg 0 -loss ns":                "-neg 0: -loss ns draws 1 label or more",
		"-minn 4 -maxn 3":                "-minn 4 is more than -maxn 3",
		"-bucket 0 -maxn 3":              "-bucket 0: n-grams and runs of words need 1 or more",
		"-bucket 0 -wordNgrams 2":        "-bucket 0: n-grams and runs of words need 1 or more",
		"-autotune-modelsize 2M":         "-autotune-modelsize needs -autotune-validation",
		"-dsub 3":                        "-dsub 3 is not supported",
		"-input ''":                      "-input is missing",
		"-bucket 0":                      "",
		"-neg 0":                         "",
		"-lrUpdateRate 7 -ws -3 -t 0":    "",
		"-seed -5 -verbose 9 -minn 2":    "",
		"-minCount -1 -minCountLabel -1": "",
		"-autotune-predictions -1 -autotune-validation v": "",
	} {
		_, err := supervised("-input t -output m " + line)
		if want == "" && err == nil || err != nil && want != "" && strings.HasPrefix(err.Error(), want) {
			continue
		}
		t.Errorf("%s: %v, want %q", line, err, want)
	}
	if o, err := supervised("-input t -output m -seed -5"); err != nil || o.options().Seed == (classify.Options{}).Seed {
		t.Errorf("%v: a negative seed is a seed of its own", err)
	}
}

// An epoch or a learning rate of 0 trains nothing: rows of labels are zeros, and all labels are equally probable, as in
// fastText. The file says of its training what fastText's says.
func TestSupervisedOfNothing(t *testing.T) {
	dir := t.TempDir()
	text, model := filepath.Join(dir, "text.txt"), filepath.Join(dir, "model")
	if err := os.WriteFile(text, []byte(strings.Repeat("__label__a one two\n__label__b three four\n__label__b five\n", 9)), 0o666); err != nil {
		t.Fatal(err)
	}
	for line, epochs := range map[string]int{"-epoch 0": 0, "-epoch -3": -3, "-lr 0 -loss softmax": 5, "-lr 0 -loss hs": 5, "-epoch 2 -lr 1": 2} {
		o, err := supervised("-dim 4 -thread 1 -ws 7 -t 0.25 -minCount 0 -input " + text + " -output " + model + " " + line)
		if err != nil {
			t.Fatal(err)
		}
		trained, _, err := o.Train(t.Context(), tune.Hooks{})
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		zeros := true
		rows := trained.Vectors.Labels().Rows
		if o.Value("loss") == string(sgns.HierarchicalSoftmax) {
			rows.Rows--
		}
		row := make([]float32, 4)
		for i := range rows.Rows {
			rows.Read(row, i)
			zeros = zeros && row[0] == 0 && row[1] == 0 && row[2] == 0 && row[3] == 0
		}
		if zeros == strings.Contains(line, "-lr 1") {
			t.Errorf("%s: rows of labels are zeros: %t", line, zeros)
		}
		var args strings.Builder
		if err := Dump(&args, model+".bin", DumpArgs); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("dim 4\nws 7\nepoch %d\n", epochs); !strings.HasPrefix(args.String(), want) || !strings.HasSuffix(args.String(), "\nt 0.25\n") {
			t.Errorf("%s: arguments are\n%s", line, args.String())
		}
	}
}
