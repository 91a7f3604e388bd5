package train_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

// Programs find remarks by their kinds, which the page on logs has.
func TestKindsOfRemarksAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`Remark\w+\s+(?:RemarkKind )?= +"([a-z-]+)"`)
	found := 0
	for _, file := range []string{"result.go", "rows.go", "../sgns/remark.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range kinds.FindAllSubmatch(source, -1) {
			if found++; !bytes.Contains(page, fmt.Appendf(nil, "`%s`", kind[1])) {
				t.Errorf("docs/reliability.md does not have %s of %s", kind[1], file)
			}
		}
	}
	if found < 14 {
		t.Errorf("%d kinds are found", found)
	}
}

// A model of a corpus that is kept whole says so, and a larger one that goes on with it is subsampled as usual.
func TestSampleOfASmallCorpus(t *testing.T) {
	var last *vectors.Set
	run := func(lines int, init *vectors.Set) float64 {
		t.Helper()
		o := train.Options{Settings: train.Defaults(), Init: train.Init{Vectors: init, UpdateVocab: init != nil}}
		o.Settings.Model.Dim, o.Settings.Model.Epochs = 4, 1
		result, err := train.Run(t.Context(), train.Sentences(slices.Repeat([][]string{strings.Fields("tea and bread and wine")}, lines)), o, train.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		last = result.Vectors
		return last.Training().Float("sample")
	}
	if sample := run(100, nil); sample != 0 {
		t.Errorf("the small corpus was trained with --sample %v", sample)
	}
	if sample, usual := run(2000, last), train.Defaults().Model.Sample; sample != usual {
		t.Errorf("the large one was trained with --sample %v, want %v", sample, usual)
	}
}
