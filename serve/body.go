package serve

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
)

// readJSON reads the body of a request, which is one JSON object with no fields but those that are
// known, into the variables that they are given with.
func readJSON(r *http.Request, fields map[string]any) error {
	if r.URL.RawQuery != "" {
		return badRequest("", "unknown_parameter", "parameters of a POST stand in its body, not behind a ?")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(body, &given); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return badRequest("", "bad_json", "the body is not JSON: byte %d: %v", syntax.Offset, syntax)
		}
		return badRequest("", "bad_json", "the body must be a JSON object")
	}
	if given == nil {
		return badRequest("", "bad_json", "the body must be a JSON object")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		to, known := fields[name]
		if !known {
			return unknownName("field", name, slices.Sorted(maps.Keys(fields)))
		}
		if err := json.Unmarshal(given[name], to); err != nil {
			if p, ok := errors.AsType[*problem](err); ok {
				return p
			}
			if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				return badRequest(name, "invalid_value", "%s has a %s where it must have %s", name, wrong.Value, jsonType(wrong.Type.Kind().String()))
			}
			return badRequest(name, "invalid_value", "%s cannot be read: %v", name, err)
		}
	}
	return nil
}

// jsonType returns what JSON calls a kind of Go.
func jsonType(kind string) string {
	switch kind {
	case "string":
		return "a string"
	case "slice":
		return "an array"
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return "another type"
}
