// Package absent tells whether an argument is there.
package absent

import "reflect"

// Is reports whether an argument is nil, or an interface that holds a nil pointer, function,
// map, slice or channel: what a caller passes who forgot to make it.
func Is(argument any) bool {
	if argument == nil {
		return true
	}
	switch v := reflect.ValueOf(argument); v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Slice, reflect.Chan:
		return v.IsNil()
	}
	return false
}
