package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
)

// A flag of a setting sets it, says what is wrong in plain words, and has in its help what
// is usual.
func TestSettingFlags(t *testing.T) {
	s := train.Defaults()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	addSettings(flags, &s, sgns.GroupModel, train.GroupSubwords)
	addSetting(flags, &s, "min-count")
	for flag, want := range map[string]string{
		"dim": "100", "arch": "skipgram", "word-buckets": "500000", "subwords": "none", "minn": "3", "seed": "1", "sample": "0.0003", "min-count": "5", "tied": "false",
	} {
		if got := flags.Lookup(flag).DefValue; got != want {
			t.Errorf("--%s: the default is %q, want %q", flag, got, want)
		}
	}
	if err := flags.Parse(strings.Fields("--tied --dim=0x10 --arch cbow --nested 8,16 --subwords hash --append-weights --min-count 3")); err != nil {
		t.Fatal(err)
	}
	if s.Model.Arch != sgns.CBOW || !s.Model.Tied || s.Model.Dim != 16 || s.Value("append-weights") != "true" || s.MinCount != 3 || !s.Given("nested") || s.Given("seed") {
		t.Errorf("%+v", s)
	}
	for line, want := range map[string]string{
		"--dim many":                   `--dim: "many" is not a whole number`,
		"--tied=so":                    `--tied: "so" is neither true nor false`,
		"--arch cbov":                  `--arch: "cbov" is not skipgram, cbow or structured; did you mean cbow?`,
		"--nested 3,2":                 `--nested: "3,2" is no rising list of numbers of dimensions, as 32,64,128 is`,
		"--lr low":                     `--lr: "low" is not a number`,
		"--buckets 1e99":               `--buckets: "1e99" is not a whole number`,
		"--seed 999999999999999999999": `--seed: "999999999999999999999" is too large a number`,
	} {
		err := flags.Parse(strings.Fields(line))
		if err == nil || explainFlag(flags, err).Error() != want {
			t.Errorf("%s: %v, want %q", line, explainFlag(flags, err), want)
		}
	}
}

// What a library says of settings is said of flags.
func TestErrorsNameFlags(t *testing.T) {
	s := train.Defaults()
	if err := errors.Join(s.Set("loss", "hs"), s.Set("negatives", "3")); err != nil {
		t.Fatal(err)
	}
	if err := asFlags(s.Complete()); err == nil || !strings.HasPrefix(err.Error(), "--negatives needs --loss ns") {
		t.Error(err)
	}
}

// An advice can be pasted into a shell, and a switch takes its value from no other word.
func TestAsFlag(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"split", ";", "--split ';'"}, {"split", "|", "--split '|'"}, {"split", `\t`, `--split '\t'`}, {"split", ",", "--split ,"},
		{"json-field", "item name", "--json-field 'item name'"}, {"group-by", "user's id", `--group-by 'user'\''s id'`},
		{"tokenizer", "my file.json", "--tokenizer 'my file.json'"}, {"factorize", "8", "w2v factorize --rank 8"},
		{"lowercase", "true", "--lowercase"}, {"lowercase", "tr", "--lowercase=tr"}, {"deterministic", "false", "--deterministic=false"},
		{"header", "", "--header"}, {"validate", "FILE", "--validate FILE"}, {"no-cache", "true", "--no-cache"},
	} {
		if got := asFlag(c.name, c.value); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.name, c.value, got, c.want)
		}
	}
}
