package setting

import (
	"math"
	"slices"
	"testing"
)

type colour string

type bread struct {
	Grams   int
	Salt    float64
	Seed    uint64
	Rye     bool
	Crust   colour
	Slices  []int
	Eaten   uint64
	Unlined int
}

func table() Table[bread] {
	grown := &Need[bread]{"grams", "above 0", func(b *bread) bool { return b.Grams > 0 }}
	return Table[bread]{
		{Name: "crust", Help: "how it looks", At: func(b *bread) any { return &b.Crust }, Choices: []Choice{{"brown", ""}, {"black", "burnt"}}, OmitZero: true},
		{Name: "grams", Label: "weight", Help: "of `N` grams", At: func(b *bread) any { return &b.Grams }, Bounds: &Bounds{Least: 1, Most: 10}, Record: func(b *bread) any { return b.Grams }},
		{Name: "salt", At: func(b *bread) any { return &b.Salt }, Bounds: &Bounds{Least: 0, Most: math.MaxFloat64, Words: "0 or more"}},
		{Name: "sow-seed", At: func(b *bread) any { return &b.Seed }, Needs: grown, Record: func(b *bread) any { return b.Seed }},
		{Name: "rye", At: func(b *bread) any { return &b.Rye }, OmitZero: true},
		{Name: "slices", At: func(b *bread) any { return (*Rising)(&b.Slices) }, OmitZero: true, OfDimensions: true},
		{Name: "eaten", Key: "gone", At: func(b *bread) any { return (*Tokens)(&b.Eaten) }, Usual: "5"},
		{Name: "unlined", At: func(b *bread) any { return &b.Unlined }, Unsaved: true},
	}
}

// What is set by name comes out as text, and as JSON in the order of old files.
func TestTable(t *testing.T) {
	var b bread
	for _, c := range []struct{ name, text, want, wrong string }{
		{"crust", "black", "black", `is not brown or black`},
		{"grams", "0x10", "16", "is not a whole number"},
		{"salt", "1e-3", "0.001", "is not a number"},
		{"sow-seed", "7", "7", "is not a whole number from 0"},
		{"rye", "1", "true", "is neither true nor false"},
		{"slices", "2, 4", "2,4", "is not a rising list of numbers of dimensions, as 32,64,128 is"},
		{"eaten", "1.5k", "1500", "expected a number of tokens from 1, such as 500000, 500k or 10M"},
	} {
		row, ok := table().Find(c.name)
		if !ok {
			t.Fatal(c.name)
		}
		if err := row.Set(&b, c.text); err != nil || row.Text(&b) != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, row.Text(&b), err, c.want)
		}
		if err := row.Set(&b, "wrong"); err == nil || err.Error() != c.wrong {
			t.Errorf("%s: %v, want %q", c.name, err, c.wrong)
		}
	}
	text, err := table().Marshal(&b, []string{"gone", "salt"})
	if want := `{"gone":1500,"salt":0.001,"crust":"black","grams":16,"sow_seed":7,"rye":true,"slices":[2,4]}`; err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
	var back bread
	if err := table().Unmarshal(append(text[:len(text)-1], `,"more":null}`...), &back); err != nil {
		t.Fatal(err)
	}
	for _, row := range table() {
		if !Equal(row.At(&b), row.At(&back)) {
			t.Errorf("%s is %s, was %s", row.Name, row.Text(&back), row.Text(&b))
		}
	}
	if err := table().Unmarshal([]byte(`{"gone":"x"}`), &back); err == nil || err.Error()[:6] != "gone: " {
		t.Errorf("a wrong value: %v", err)
	}
	if text, err := table().Marshal(&bread{}, nil); err != nil || string(text) != `{"grams":0,"salt":0,"sow_seed":0,"gone":0}` {
		t.Errorf("%s, %v", text, err)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		bread bread
		want  string
	}{
		{bread{Grams: 1}, ""},
		{bread{Grams: 11}, "weight: 11 is not from 1 to 10"},
		{bread{Grams: 1, Salt: -1}, "salt: -1 is not 0 or more"},
		{bread{Grams: 1, Salt: math.NaN()}, "salt: NaN is not 0 or more"},
		{bread{Grams: 1, Salt: math.Inf(1)}, "salt: +Inf is not 0 or more"},
	} {
		got := ""
		if err := table().Check(&c.bread); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.bread, got, c.want)
		}
	}
}

// What a setting says is not said where it has no meaning, nor where it is zero.
func TestRecords(t *testing.T) {
	type loaf struct{ Inner bread }
	whole := Of(func(l *loaf) *bread { return &l.Inner }, table())
	for _, c := range []struct {
		bread bread
		want  []string
	}{
		{bread{Grams: 3, Seed: 7}, []string{"grams", "sow_seed"}},
		{bread{Seed: 7}, nil},
		{bread{Grams: 3}, []string{"grams"}},
	} {
		var keys []string
		for key := range whole.Records(&loaf{c.bread}) {
			keys = append(keys, key)
		}
		if !slices.Equal(keys, c.want) {
			t.Errorf("%+v: %q, want %q", c.bread, keys, c.want)
		}
	}
	row, _ := whole.Find("eaten")
	var l loaf
	if row.Default(&l) != "5" || row.JSONKey() != "gone" || Type(row.At(&l)) != "tokens" {
		t.Errorf("%+v", row)
	}
	if row, _ := whole.Find("crust"); row.Default(&l) != "brown" || Type(row.At(&l)) != "name" {
		t.Errorf("%+v", row)
	}
	if row, _ := whole.Find("slices"); !row.OfDimensions {
		t.Error("what a setting of a part is about is forgotten")
	}
	if _, ok := whole.Find("unheard-of"); ok {
		t.Error("there is a setting that there is not")
	}
}
