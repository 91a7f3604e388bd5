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
		"country>Italy":   `"country>Italy": the column "country" has texts, such as "Italy" in line 2, which are not ordered: want = or !=`,
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

// A condition that no row meets is answered with values that are near.
func TestWhyNone(t *testing.T) {
	table, err := metadata.Read(strings.NewReader("w\tkind\tprice\na\tshoes\t3\nb\tcoats\t30\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	for condition, want := range map[string]string{
		"kind=shoes":  "",
		"colour=red":  "",
		"kind=Shoes":  `the column "kind" has no value "Shoes"; did you mean "shoes"?`,
		"kind==shoes": `the column "kind" has no value "=shoes"; did you mean "shoes"?`,
		"kind=x":      `the column "kind" has no value "x"; its values are coats, shoes`,
		"price>30":    `the values of the column "price" are from 3 to 30`,
	} {
		if got := table.WhyNone(condition); got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}

// A model finds the words of a table as it finds all others: its own spelling counts before another.
func TestFor(t *testing.T) {
	table, err := metadata.Read(strings.NewReader("w\tland\tprice\nLONDON\tGB\t1\nlondon\tUK\t2\nParis\tFR\t3\nPARIS\tXX\tn/a\nOslo\tNO\t5\nOslo\tNO\t5\n"), "f.tsv")
	if err != nil {
		t.Fatal(err)
	}
	table = table.For(func(word string) (string, int) {
		word = strings.ToLower(word)
		return word, slices.Index([]string{"london", "paris"}, word)
	})
	for condition, want := range map[string]bool{"land=UK": true, "land=GB": false, "land=FR": false} {
		if meets, err := table.Where(condition); err != nil || meets("london") != want {
			t.Errorf("%s: %v", condition, err)
		}
	}
	want := []string{
		"4 of 5 words of f.tsv are in m.w2v",
		`f.tsv: of several rows of a word that with its spelling counts, or else the first: "Oslo" in line 6, not 7, "london" in line 3, not 2, "paris" in line 4, not 5`,
		`f.tsv: the column "price" has texts: "n/a" in line 5 is no number, and 4 of 5 values are`,
	}
	if got := table.Notes("m.w2v"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
