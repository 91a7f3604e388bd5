package metadata_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors/metadata"
)

func TestWhere(t *testing.T) {
	table, err := metadata.Read(strings.NewReader("city\tcountry\tpeople\nrome\tItaly\t2.8e6\nmilan\tItaly\t1400000\nparis\tFrance\nbonn\t\t330000\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"rome", "milan", "paris", "bonn", "oslo"}
	for condition, want := range map[string]string{
		"country=Italy":   "rome milan",
		"country = Italy": "rome milan",
		"country!=Italy":  "paris",
		"people>1400000":  "rome",
		"people>=1.4e6":   "rome milan",
		"people<2e6":      "milan bonn",
		"people<=330000":  "bonn",
		"people=1400000":  "milan",
		"people!=1400000": "rome bonn",
		"country=":        "",
		"country=Italy=":  "",
		"x":               `"x" is no condition: want a column, a sign and a value, as in country=France`,
		"=x":              `"=x" is no condition: want a column, a sign and a value, as in country=France`,
		"land=Italy":      `"land=Italy": there is no column "land", only country, people`,
		"country>Italy":   `"country>Italy": the column "country" has texts, which are not ordered: want = or !=`,
		"country!Italy":   `"country!Italy": the sign ! is none: want = != < <= > or >=`,
		"people>many":     `"people>many": the column "people" has numbers, and "many" is none`,
	} {
		meets, err := table.Where(condition)
		if err != nil {
			if err.Error() != want {
				t.Errorf("%s: %v, want %s", condition, err, want)
			}
			continue
		}
		got := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !meets(word) })
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", condition, got, want)
		}
	}
}
