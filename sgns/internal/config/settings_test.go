package config

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// Every field of a configuration is in the table, but for those that say so.
func TestSettingsAreAllThere(t *testing.T) {
	var c Config
	rows := make(map[uintptr]string)
	for _, row := range Settings() {
		rows[reflect.ValueOf(row.At(&c)).Pointer()] = row.Name
	}
	elsewhere := []string{"Force", "Subword"} // nothing that a run is told apart by, and what belongs to the vectors
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, ok := rows[v.Field(i).Addr().Pointer()]
		if field.IsExported() && ok == slices.Contains(elsewhere, field.Name) {
			t.Errorf("the field %s is setting %q of the table", field.Name, name)
		}
	}
}

// Keys that have a place of their own in files are those of settings.
func TestSavedOrder(t *testing.T) {
	var keys []string
	for _, row := range Settings() {
		keys = append(keys, row.JSONKey())
	}
	for i, key := range savedOrder {
		if !slices.Contains(keys, key) || slices.Contains(savedOrder[:i], key) {
			t.Errorf("%s is not a setting, or there twice", key)
		}
	}
}

// The JSON of checkpoints is what it was before there was a table, byte for byte.
func TestConfigJSON(t *testing.T) {
	all := Config{
		Dim: 8, Window: 3, Epochs: 2, Negatives: 4, NSExponent: 0.5, Sample: 1e-7, LearningRate: 1e21, Threads: 3, Seed: 1<<64 - 1, Deterministic: true,
		EvaluateEvery: 10, Patience: 2, Force: true, Arch: CBOW, Loss: HierarchicalSoftmax, PositionWeights: true, Rank: 4, Tied: true, WordNgrams: 3, WordBuckets: 9,
		Nested: []int{4, 8}, Freeze: FreezeKnown,
	}
	for _, test := range []struct {
		config Config
		want   string
	}{
		{Defaults(), `{"dim":100,"window":5,"epochs":0,"negatives":5,"ns_exponent":0.7,"sample":0.0003,"lr":0,"threads":0,"seed":1,"deterministic":false,"evaluate_every":0,"patience":0}`},
		{all, `{"dim":8,"window":3,"epochs":2,"negatives":4,"ns_exponent":0.5,"sample":1e-7,"lr":1e+21,"threads":3,"seed":18446744073709551615,"deterministic":true,` +
			`"evaluate_every":10,"patience":2,"arch":"cbow","loss":"hs","position_weights":true,"rank":4,"tied":true,"word_ngrams":3,"word_buckets":9,"nested":[4,8],"freeze":"known"}`},
	} {
		text, err := json.Marshal(struct {
			Config Config `json:"config"`
		}{test.config})
		if want := `{"config":` + test.want + `}`; err != nil || string(text) != want {
			t.Errorf("%s, %v\nwant %s", text, err, want)
		}
		var back Config
		if err := json.Unmarshal([]byte(test.want), &back); err != nil {
			t.Fatal(err)
		}
		test.config.Force = false
		if !reflect.DeepEqual(back, test.config) {
			t.Errorf("%+v\nwant %+v", back, test.config)
		}
	}
	// What an older program did not write is zero, and what a newer one wrote is passed over.
	var c Config
	if err := json.Unmarshal([]byte(`{"dim":4,"nested":null,"flavour":"sweet"}`), &c); err != nil || !reflect.DeepEqual(c, Config{Dim: 4}) {
		t.Errorf("%+v, %v", c, err)
	}
}

// Each setting that a variant depends on follows the field of Config that has its name, and no
// other field.
func TestRunFollowsConfig(t *testing.T) {
	usual := reflect.ValueOf(Resolve(Config{Threads: 1}))
	for i := range usual.NumField() {
		name := usual.Type().Field(i).Name
		c := Config{Threads: 1}
		field := reflect.ValueOf(&c).Elem().FieldByName(name)
		if !field.IsValid() {
			t.Errorf("Config has no %s, which is a setting of a run", name)
			continue
		}
		switch field.Kind() {
		case reflect.Int:
			field.SetInt(3)
		case reflect.Uint64:
			field.SetUint(3)
		case reflect.Float64:
			field.SetFloat(3)
		case reflect.Bool:
			field.SetBool(true)
		case reflect.String:
			field.SetString("other")
		case reflect.Slice:
			field.Set(reflect.ValueOf([]int{3}))
		case reflect.Interface:
			field.Set(reflect.ValueOf(subword.FastText{MinN: 3, MaxN: 6, Buckets: 3}))
		default:
			t.Fatalf("no other value is known for %s", name)
		}
		changed := reflect.ValueOf(Resolve(c))
		for k := range changed.NumField() {
			differs := !reflect.DeepEqual(changed.Field(k).Interface(), usual.Field(k).Interface())
			if differs != (k == i) {
				t.Errorf("another %s changes %s of the run: %t", name, changed.Type().Field(k).Name, differs)
			}
		}
	}
}
