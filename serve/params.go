package serve

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/vectors"
)

// A spelled is a value of a query parameter in both readings. A plus sign is a space in what forms send,
// and itself in what people type into an address.
type spelled struct{ form, plain string }

// readings returns the readings of a value, that of forms first, without one that is there twice.
func (v spelled) readings() []string {
	if v.form == v.plain {
		return []string{v.form}
	}
	return []string{v.form, v.plain}
}

// params are the parameters of a request's query.
type params struct {
	values map[string][]spelled
	limits Limits
	err    error // the first one that a getter found
}

// params reads the query of a request, which has no parameters but those that are known.
func (s *Server) params(r *http.Request, known ...string) (*params, error) {
	p := &params{values: make(map[string][]spelled), limits: s.config.Limits}
	for field := range strings.SplitSeq(r.URL.RawQuery, "&") {
		if field == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(field, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			return nil, badRequest("", "bad_query", "the name of a parameter is not URL-encoded: %v", err)
		}
		if !slices.Contains(known, name) {
			return nil, unknownName("parameter", name, known)
		}
		form, err := url.QueryUnescape(rawValue)
		if err != nil {
			return nil, badRequest(name, "bad_query", "the value of %s is not URL-encoded: %v", name, err)
		}
		plain, err := url.PathUnescape(rawValue)
		if err != nil {
			return nil, badRequest(name, "bad_query", "the value of %s is not URL-encoded: %v", name, err)
		}
		p.values[name] = append(p.values[name], spelled{form, plain})
	}
	return p, nil
}

// maxName is the length in bytes of names that messages repeat.
const maxName = 60

// unknownName is the problem of a parameter or field that there is not.
func unknownName(kind, name string, known []string) *problem {
	p := badRequest(name, "unknown_"+kind, "there is no %s %.60q here", kind, name)
	near := ""
	if len(name) > maxName { // which is no slip, and would take long to compare
		p.Param = ""
	} else {
		near = spelling.Nearest(name, known)
	}
	if near != "" {
		p.Message += ": is it " + near + "?"
		p.Suggestions = []string{near}
	} else {
		p.Message += ": there are " + strings.Join(known, ", ")
	}
	return p
}

// fail remembers a problem, if it is the first one.
func (p *params) fail(problem *problem) {
	if p.err == nil {
		p.err = problem
	}
}

// one returns a parameter that can be given once.
func (p *params) one(name string) (value spelled, given bool) {
	switch values := p.values[name]; len(values) {
	case 0:
		return spelled{}, false
	case 1:
		return values[0], true
	default:
		p.fail(badRequest(name, "invalid_value", "%s is there %d times, and can be there once", name, len(values)))
		return values[0], true
	}
}

// text returns a parameter that can be given once, or nothing.
func (p *params) text(name string) string {
	value, _ := p.one(name)
	return value.form
}

// word returns a word that must be given.
func (p *params) word(name string) spelled {
	value, given := p.one(name)
	if !given {
		p.fail(missing(name))
	}
	p.checkWord(name, value.form)
	return value
}

// words returns the words of a parameter that can be given several times.
func (p *params) words(name string) []spelled {
	values := p.values[name]
	p.check(checkCount(name, len(values), p.limits.Inputs))
	for _, value := range values {
		p.checkWord(name, value.form)
	}
	return values
}

func (p *params) checkWord(name, word string) { p.check(checkWord(name, word)) }

func (p *params) check(problem *problem) {
	if problem != nil {
		p.fail(problem)
	}
}

// integer returns a number from 1 to most, or another one if it is not given.
func (p *params) integer(name string, otherwise, most int) int {
	value, given := p.one(name)
	if !given {
		return otherwise
	}
	n, err := strconv.Atoi(value.form)
	if err != nil {
		p.fail(badRequest(name, "invalid_value", "%s must be a whole number, is %.40q", name, value.form))
		return otherwise
	}
	p.check(checkRange(name, n, most))
	return n
}

// number returns a number, nil if it is not given.
func (p *params) number(name string) *float64 {
	value, given := p.one(name)
	if !given {
		return nil
	}
	x, err := strconv.ParseFloat(value.form, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		p.fail(badRequest(name, "invalid_value", "%s must be a number, is %.40q", name, value.form))
	}
	return &x
}

// missing is the problem that something must be given.
func missing(param string) *problem {
	return badRequest(param, "missing_parameter", "%s is missing", param)
}

// checkWord looks whether a text can be a word.
func checkWord(param, word string) *problem {
	switch {
	case word == "":
		return badRequest(param, "invalid_value", "%s is empty", param)
	case len(word) > vectors.MaxWord:
		return badRequest(param, "invalid_value", "%.20q… has %d bytes, and no word has more than %d", word, len(word), vectors.MaxWord)
	}
	return nil
}

func checkCount(param string, n, most int) *problem {
	if n > most {
		return badRequest(param, "too_many_inputs", "%s has %d values, and a request can have %d", param, n, most)
	}
	return nil
}

func checkRange(param string, n, most int) *problem {
	if n < 1 || n > most {
		return badRequest(param, "invalid_value", "%s must be from 1 to %d, is %d", param, most, n)
	}
	return nil
}

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
