package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
)

// addSettings adds a flag for each setting of these groups. What a setting is now is its default.
func addSettings(flags *pflag.FlagSet, to *train.Settings, groups ...string) {
	titles := map[string]string{
		sgns.GroupModel: "Model", train.GroupSubwords: "Subword", train.GroupText: "Text",
		sgns.GroupFreeze: "Starting", sgns.GroupRun: "Run", sgns.GroupEvaluate: "Evaluation",
	}
	for _, row := range train.Table() {
		title := either(strings.HasPrefix(row.Name, "phrase"), "Phrase", titles[row.Group])
		if slices.Contains(groups, row.Group) {
			grouped(flags, title, func() { addSettingRow(flags, to, row) })
		}
	}
}

func addSetting(flags *pflag.FlagSet, to *train.Settings, name string) {
	for _, row := range train.Table() {
		if row.Name == name {
			addSettingRow(flags, to, row)
		}
	}
}

func addSettingRow(flags *pflag.FlagSet, to *train.Settings, row train.Setting) {
	standard := either(to.Given(row.Name), to.Value(row.Name), row.Default)
	if len(row.Choices) == 0 {
		flags.Var(&settingFlag{to, row}, row.Name, row.Help)
		flags.Lookup(row.Name).DefValue = standard
	} else {
		e := &enum{
			get: func() string { return cmp.Or(to.Value(row.Name), standard) },
			set: func(value string) { _ = to.Set(row.Name, value) }, // it is one of the choices
		}
		e.choices = mapped(row.Choices, func(c train.Choice) choice { return choice{c.Value, c.Meaning} })
		if row.Open {
			e.further = func(value string) error { return to.Set(row.Name, value) }
		}
		e.add(flags, row.Name, row.Help)
	}
	if row.Type == "bool" {
		flags.Lookup(row.Name).NoOptDefVal = "true"
	}
}

type settingFlag struct {
	settings *train.Settings
	row      train.Setting
}

func (f *settingFlag) String() string {
	if f.settings == nil { // pflag asks a zero value what its default is
		return ""
	}
	return f.settings.Value(f.row.Name)
}

func (f *settingFlag) Type() string { return f.row.Type }

// Set sets the setting. An error is the reason alone: see explainFlag.
func (f *settingFlag) Set(text string) error {
	err := f.settings.Set(f.row.Name, text)
	if e, ok := errors.AsType[*train.ValueError](err); ok {
		return e.Err
	}
	return err
}

// asFlags returns an error of package train with settings and options named as flags.
func asFlags(err error) error { return train.Spell(err, asFlag) }

// asFlag names a setting or an option as a flag.
func asFlag(name, value string) string {
	switch name {
	case "reduce":
		return "w2v convert --dim"
	case "convert":
		return "w2v convert"
	case "factorize":
		return "w2v factorize --rank " + value
	}
	space := " "
	switch {
	case value == "", value == "true":
		return "--" + name
	case isSwitch(name):
		space = "="
	}
	return "--" + name + space + wording.Quoted(value)
}

// isSwitch reports whether a flag is a setting that takes a value behind = only.
func isSwitch(name string) bool {
	return slices.ContainsFunc(train.Table(), func(row train.Setting) bool { return row.Name == name && row.Type == "bool" })
}

// checkSwitches returns an error if an argument was meant as the value of a switch: it is one, and no file.
func checkSwitches(flags *pflag.FlagSet, args []string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal == "" || f.Value.String() != f.NoOptDefVal || !isSwitch(f.Name) {
			return
		}
		values := []string{"false", "true"}
		if e, ok := f.Value.(*enum); ok {
			values = e.values()
		}
		for _, arg := range args {
			if _, missing := os.Stat(arg); missing != nil && slices.Contains(values, arg) {
				err = fmt.Errorf("%s: no such file: if it is a value, say --%s=%s", arg, f.Name, arg)
			}
		}
	})
	return err
}
