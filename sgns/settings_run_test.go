package sgns

import (
	"reflect"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// Each setting that a variant depends on follows the field of Config that has its name, and no
// other field.
func TestRunFollowsConfig(t *testing.T) {
	usual := reflect.ValueOf(Config{Threads: 1}.run())
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
		changed := reflect.ValueOf(c.run())
		for k := range changed.NumField() {
			differs := !reflect.DeepEqual(changed.Field(k).Interface(), usual.Field(k).Interface())
			if differs != (k == i) {
				t.Errorf("another %s changes %s of the run: %t", name, changed.Type().Field(k).Name, differs)
			}
		}
	}
}
