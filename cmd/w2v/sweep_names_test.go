package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/sweep"
)

// A sweep knows every flag of train: models may differ by it, or the message says why they may
// not.
func TestSweepKnowsFlagsOfTrain(t *testing.T) {
	train, _, err := newRoot(streams{}).Find([]string{"train"})
	if err != nil {
		t.Fatal(err)
	}
	ofOutput := []string{"help", "json", "log-json", "progress"} // no option of training
	known := 0
	train.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		_, err := sweep.Parse("s.toml", []byte("corpus = ['a']\nsimilarity = ['b']\n[settings]\n"+f.Name+" = 1\n"), nil)
		if err != nil && strings.Contains(err.Error(), "is no setting of a model") && !slices.Contains(ofOutput, f.Name) {
			t.Errorf("--%s: %v", f.Name, err)
		}
		known++
	})
	if known < 30 {
		t.Errorf("train has %d flags", known)
	}
}
