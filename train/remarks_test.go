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

// A model of a corpus that is kept whole says so.
func TestSampleOfASmallCorpus(t *testing.T) {
	o := train.Options{Settings: train.Defaults()}
	o.Settings.Model.Dim, o.Settings.Model.Epochs = 4, 1
	for lines, want := range map[int]float64{100: 0, 2000: o.Settings.Model.Sample} {
		result, err := train.Run(t.Context(), train.Sentences(slices.Repeat([][]string{strings.Fields("tea and bread and wine")}, lines)), o, train.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if sample := result.Vectors.Training().Float("sample"); sample != want {
			t.Errorf("%d lines were trained with the threshold %v, and say %v", lines, want, sample)
		}
	}
}
