package vectors

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// TrainingNames returns the names in JSON of all fields of Training, in the order in which
// they are declared.
func TrainingNames() []string { return slices.Clone(trainingNames()) }

var trainingNames = sync.OnceValue(func() []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Training]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
})

// Known returns the names in JSON of the fields that are known, in the order in
// which they are declared.
func (t Training) Known() []string {
	v := reflect.ValueOf(t)
	var names []string
	for i, name := range trainingNames() {
		if !v.Field(i).IsZero() {
			names = append(names, name)
		}
	}
	return names
}
