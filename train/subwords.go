package train

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/subword"
)

// subwordsName is the setting for how words are composed, plainWords its value for whole words.
const (
	subwordsName = "subwords"
	plainWords   = "none"
)

func subwordSettings() setting.Table[Settings] {
	kinds := setting.Setting[Settings]{
		Name: subwordsName, Group: GroupSubwords, Help: "how words are composed", Unsaved: true,
		At:      func(s *Settings) any { return (*kindText)(s) },
		Choices: []setting.Choice{{Value: plainWords, Meaning: "one row a word"}},
	}
	table := setting.Table[Settings]{kinds}
	for _, k := range subword.Kinds() {
		table[0].Choices = append(table[0].Choices, setting.Choice{Value: k.Name, Meaning: k.Meaning})
		for _, s := range k.Settings {
			if _, known := table.Find(s.Name); !known {
				table = append(table, subwordSetting(s.Name))
			}
		}
	}
	return table
}

type kindSetting struct {
	subword.Setting
	kind subword.Kind
}

func (s kindSetting) usual() any { return s.Field(s.kind.Usual) }

func kindsWith(name string) (all []kindSetting) {
	for _, k := range subword.Kinds() {
		if s, ok := k.Setting(name); ok {
			all = append(all, kindSetting{s, k})
		}
	}
	return all
}

func subwordSetting(name string) setting.Setting[Settings] {
	having := wording.Map(kindsWith(name), func(s kindSetting) string { return s.kind.Name })
	return setting.Setting[Settings]{
		Name: name, Group: GroupSubwords, Help: subwordHelp(name), Unsaved: true,
		At: func(s *Settings) any { return &subwordText{s, name} },
		Needs: &setting.Need[Settings]{
			Setting: subwordsName, Values: setting.Or(having),
			Met: func(s *Settings) bool { return slices.Contains(having, s.kind()) },
		},
	}
}

// subwordHelp describes a setting, what kinds have or add to it, and defaults where they differ.
func subwordHelp(name string) string {
	var help string
	var having, usual []string
	more := make(map[string][]string) // kinds with this addition
	var rests []string                // its keys, in the order of the kinds
	for _, s := range kindsWith(name) {
		if help == "" {
			help = s.Help
		} else if rest := strings.TrimPrefix(s.Help, help); rest != "" {
			if more[rest] == nil {
				rests = append(rests, rest)
			}
			more[rest] = append(more[rest], s.kind.Name)
		}
		having = append(having, s.kind.Name)
		usual = append(usual, cmp.Or(s.Default, fmt.Sprint(s.usual())))
	}
	if len(having) < len(subword.Kinds()) {
		help = "with " + setting.And(having) + ": " + help
	}
	for _, rest := range rests {
		help += rest + " with " + setting.And(more[rest])
	}
	switch {
	case len(slices.Compact(slices.Clone(usual))) > 1:
		for i, kind := range having {
			usual[i] += " with " + kind
		}
		help += " (default " + strings.Join(usual, ", ") + ")"
	case usualText(name) == "":
		help += " (default " + usual[0] + ")"
	}
	return help
}

// usualText returns the default; empty if kinds differ, or if it depends on other settings.
func usualText(name string) string {
	text := ""
	for _, s := range kindsWith(name) {
		one := fmt.Sprint(s.usual())
		if s.Default != "" || text != "" && text != one {
			return ""
		}
		text = one
	}
	return text
}

// kind returns the name of the kind of subwords: the requested kind, or the indexer's kind.
func (s *Settings) kind() string {
	if s.named.kind != "" {
		return s.named.kind
	}
	if k, ok := subword.KindOf(s.Model.Subword); ok {
		return k.Name
	}
	return plainWords
}

type kindText Settings

func (k *kindText) String() string { return (*Settings)(k).kind() }

func (k *kindText) Type() string { return "name" }

func (k *kindText) Set(name string) error {
	k.named.kind = name
	return nil
}

// A subwordText is a setting of subwords, whose kind may be unknown until all settings are set.
type subwordText struct {
	s    *Settings
	name string
}

func (t *subwordText) String() string {
	if text, ok := t.s.named.subword[t.name]; ok {
		return text
	}
	if k, ok := subword.KindOf(t.s.Model.Subword); ok {
		if s, ok := k.Setting(t.name); ok {
			return fmt.Sprint(s.Field(t.s.Model.Subword))
		}
	}
	return usualText(t.name)
}

func (t *subwordText) Type() string { return fmt.Sprintf("%T", kindsWith(t.name)[0].usual()) }

func (t *subwordText) Set(text string) error {
	of := kindsWith(t.name)[0]
	changed, err := of.With(of.kind.Usual, func(field any) error { return setting.Parse(field, text) })
	if err != nil {
		return err
	}
	t.s.named.subword = with(t.s.named.subword, t.name, fmt.Sprint(of.Field(changed)))
	return nil
}

// completeSubword sets Model.Subword: settings change the indexer, or the default of another kind.
func (s *Settings) completeSubword() error {
	kind, _ := subword.KindOf(s.Model.Subword)
	switch of := s.kind(); {
	case len(s.named.subword) == 0 && s.named.kind == "":
		return nil // the field says everything
	case of == plainWords:
		s.Model.Subword = nil
		return nil
	case of != kind.Name:
		all := subword.Kinds()
		kind = all[slices.IndexFunc(all, func(k subword.Kind) bool { return k.Name == of })]
		s.Model.Subword = kind.Usual
	}
	var err error
	given := func(name string) bool { _, ok := s.named.subword[name]; return ok }
	for _, row := range kind.Settings {
		if !given(row.Name) {
			continue
		}
		if s.Model.Subword, err = row.With(s.Model.Subword, func(field any) error { return setting.Parse(field, s.named.subword[row.Name]) }); err != nil {
			return err
		}
	}
	if s.Model.Subword, err = kind.Complete(s.Model.Subword, given); err != nil {
		return subwordError(err)
	}
	return nil
}

func subwordError(err error) error {
	e, ok := errors.AsType[*subword.SettingError](err)
	if !ok {
		return optionErrorf("%s", strings.TrimPrefix(err.Error(), "subword: "))
	}
	args := make([]any, len(e.Settings))
	for i, s := range e.Settings {
		args[i] = name(s.Name)
		if s.Value != "" {
			args[i] = name(s.Name).to(s.Value)
		}
	}
	return optionErrorf(e.Format, args...)
}
