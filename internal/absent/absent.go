// Package absent recognizes arguments that a caller has left out.
package absent

import "reflect"

// Is reports whether an argument is nil, or an interface that holds a nil pointer, function, map,
// slice or channel. A caller who forgot to make the argument passes one of these.
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
