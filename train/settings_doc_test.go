package train

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns"
)

var update = flag.Bool("update", false, "write docs/settings.md")

// The page of settings is what the table of settings says.
func TestSettingsAreDocumented(t *testing.T) {
	path := filepath.Join("..", "docs", "settings.md")
	want := settingsPage()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Errorf("%s is not what the table of settings says: go test ./train -run SettingsAreDocumented -update writes it", path)
	}
}

func settingsPage() string {
	var b strings.Builder
	b.WriteString(`# Settings

All settings of a training run. [Choose settings](howto/settings.md) says which of them matter. A setting has one name, which is

- a flag of ` + "`w2v train`" + `: ` + "`--dim 200`" + `;
- a key under ` + "`[settings]`" + ` of a [sweep](sweep.md): ` + "`dim = 200`" + `;
- a name for ` + "`train.Settings.Set`" + ` in Go;
- the name in error messages.

In Go, each setting is also a field, which the tables show. ` + "`train.Defaults()`" + ` returns the defaults.

A checkpoint holds the settings that have a key in JSON, and a resumed run takes them from there. Settings with * are in the
[metadata](format.md#metadata) of a model too.

The tests of package train write this page from the table of settings:
` + "`go test ./train -run SettingsAreDocumented -update`" + `.
`)
	for _, group := range []struct{ id, title, text string }{
		{sgns.GroupModel, "The model", "What is trained, whatever the text. A sweep can vary these settings, except `seed`, and those of subwords."},
		{GroupSubwords, "Subwords", "How words are cut into n-grams."},
		{GroupText, "The text", "How text becomes tokens, and which tokens become words. `w2v vocab` has these settings too; its default for `min-count` is 1."},
		{sgns.GroupFreeze, "What training starts from", ""},
		{sgns.GroupRun, "The run", ""},
		{sgns.GroupEvaluate, "Evaluation", ""},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n", group.title)
		if group.text != "" {
			fmt.Fprintf(&b, "%s\n\n", group.text)
		}
		b.WriteString("| setting | default | values | what it is | in Go | in JSON |\n|---|---|---|---|---|---|\n")
		for _, row := range table() {
			if row.Group == group.id {
				cells := settingCells(row)
				for i := range cells {
					cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
				}
				fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
			}
		}
	}
	return b.String()
}

// settingCells are the columns that the page has of a setting.
func settingCells(row setting.Setting[Settings]) []string {
	usual := Defaults()
	help := strings.ReplaceAll(row.Help, "`", "")
	help = strings.ToUpper(help[:1]) + help[1:] + "."
	if row.Needs != nil {
		help += fmt.Sprintf(" Only with `%s` %s.", row.Needs.Setting, row.Needs.Values)
	}
	key := ""
	if !row.Unsaved && row.Group != GroupText {
		key = "`" + row.JSONKey() + "`"
	}
	if row.Record != nil {
		key = "`" + row.JSONKey() + "` *"
	}
	standard := row.Default(&usual)
	if standard == "" || standard == "0" && strings.Contains(row.Help, "(default") {
		standard = "see there"
		if !strings.Contains(row.Help, "(default") {
			standard = "none"
		}
	}
	return []string{"`" + row.Name + "`", standard, settingValues(row), help, "`" + settingField(row.Name) + "`", key}
}

// settingValues says what a setting may be.
func settingValues(row setting.Setting[Settings]) string {
	var usual Settings
	kind := map[string]string{"int": "whole number", "uint64": "whole number", "float64": "number", "bool": "true, false", "numbers": "rising numbers", "tokens": "number of tokens"}[setting.Type(row.At(&usual))]
	if len(row.Choices) > 0 {
		var all []string
		for _, c := range row.Choices {
			all = append(all, strings.TrimSuffix(fmt.Sprintf("`%s`: %s", c.Value, c.Meaning), ": "))
		}
		return strings.Join(all, "<br>")
	}
	switch b := row.Bounds; {
	case b == nil:
		return kind
	case b.Elsewhere:
		return fmt.Sprintf("%s %s", kind, b)
	case b.Most >= math.MaxInt32 || b.Most == 1<<30:
		return fmt.Sprintf("%s from %v", kind, b.Least)
	default:
		return fmt.Sprintf("%s %s", kind, b)
	}
}
