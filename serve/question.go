package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
)

// A field is a parameter in the query of a GET, or a field of the JSON object in the body of a POST. Handlers get
// questions, which are structs, and the tags of a struct's fields declare the parameters: requests are read by them, and
// described by them in the OpenAPI document.
//
//	json      the name
//	path      the name, if the parameter is a part of the path
//	required  "true" if the parameter must be given; "checked" if the check of its value says so
//	default   the value of a parameter that is not given
//	min, max  bounds of a number; max is also that of the values of a list. It may be a field of Limits
//	help      what the parameter means
type field struct {
	name                string
	required, otherwise string
	inPath              bool
	least, most         int // 0 for no bound
	choices             []string
	index               []int // in the question
}

func fieldsOf(question reflect.Type, l Limits) (fields []field) {
	bound := func(text string) int {
		if n, err := strconv.Atoi(text); err == nil || text == "" {
			return n
		}
		return int(reflect.ValueOf(l).FieldByName(text).Int())
	}
	for _, f := range reflect.VisibleFields(question) {
		tag := f.Tag
		declared := field{
			name: tag.Get("json") + tag.Get("path"), inPath: tag.Get("path") != "", required: tag.Get("required"),
			otherwise: tag.Get("default"), least: bound(tag.Get("min")), most: bound(tag.Get("max")),
			index: f.Index,
		}
		if n, err := strconv.Atoi(declared.otherwise); err == nil {
			declared.otherwise = strconv.Itoa(min(n, declared.most))
		}
		if some, ok := reflect.Zero(f.Type).Interface().(interface{ choices() []string }); ok {
			declared.choices = some.choices()
		}
		if declared.name != "" {
			fields = append(fields, declared)
		}
	}
	return fields
}

func readQuestion(r *http.Request, fields []field, question any) error {
	v := reflect.ValueOf(question).Elem()
	names, values, inBody := []string{}, map[string][]spelled{}, map[string]any{}
	for _, f := range fields {
		to := v.FieldByIndex(f.index)
		switch {
		case f.inPath:
			to.SetString(r.PathValue(f.name))
			continue
		case f.otherwise != "":
			f.set(to, []spelled{{f.otherwise, f.otherwise}})
		}
		names = append(names, f.name)
		inBody[f.name] = to.Addr().Interface()
	}
	isPost := r.Method == http.MethodPost
	var err error
	if isPost {
		err = readBody(r, inBody)
	} else {
		values, err = readQuery(r, names)
	}
	if err != nil {
		return err
	}
	for _, f := range fields {
		if f.inPath {
			continue
		}
		to, given := v.FieldByIndex(f.index), values[f.name]
		if wrong := f.set(to, given); wrong != nil {
			return wrong
		}
		empty := to.IsZero() || to.Kind() == reflect.Slice && to.Len() == 0
		if f.required == "true" && empty && (isPost || given == nil) {
			return missing(f.name)
		}
		if wrong := f.check(to); wrong != nil {
			return wrong
		}
	}
	return nil
}

// A spelled is a value of a query parameter in both readings: a plus sign is a space if a form sent
// it, and itself if a person typed it into an address.
type spelled struct{ form, plain string }

func (v spelled) readings() []string {
	if v.form == v.plain {
		return []string{v.form}
	}
	return []string{v.form, v.plain}
}

// UnmarshalJSON reads a word in a body, which has one reading.
func (v *spelled) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, &v.form)
	v.plain = v.form
	return err
}

func readQuery(r *http.Request, known []string) (map[string][]spelled, error) {
	values := make(map[string][]spelled)
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			return nil, badRequest("", "bad_query", "the name of a parameter is not URL-encoded: %v", err)
		}
		if !slices.Contains(known, name) {
			return nil, unknownName("parameter", name, known)
		}
		form, err := url.QueryUnescape(rawValue)
		plain, _ := url.PathUnescape(rawValue) // fails if the other does
		if err != nil {
			return nil, badRequest(name, "bad_query", "the value of %s is not URL-encoded: %v", name, err)
		}
		values[name] = append(values[name], spelled{form, plain})
	}
	return values, nil
}

// readBody reads one JSON object into variables by field name. Unknown fields are a problem.
func readBody(r *http.Request, fields map[string]any) error {
	if r.URL.RawQuery != "" {
		return badRequest("", "unknown_parameter", "parameters of a POST stand in its body, not behind a ?")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	var given map[string]json.RawMessage
	err = json.Unmarshal(body, &given)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return badRequest("", "bad_json", "the body is not JSON: byte %d: %v", syntax.Offset, syntax)
	}
	if err != nil || given == nil {
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
				article := "a"
				if wrong.Value == "array" || wrong.Value == "object" {
					article = "an"
				}
				return badRequest(name, "invalid_value", "%s has %s %s where it must have %s", name, article, wrong.Value, jsonTypes[wrong.Type.Kind()])
			}
			return badRequest(name, "invalid_value", "%s cannot be read: %v", name, err)
		}
	}
	return nil
}

var jsonTypes = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Slice: "an array", reflect.Int: "a whole number", reflect.Float64: "a number",
}

const maxName = 60 // limits the length in bytes of names that messages repeat

func unknownName(kind, name string, known []string) *problem {
	p := badRequest(name, "unknown_"+kind, "there is no %s %.60q here", kind, name)
	near := ""
	if len(name) > maxName { // too long for a typo, and slow to compare
		p.Param = ""
	} else {
		near = wording.Nearest(name, known)
	}
	switch {
	case near != "":
		p.Message += ": is it " + near + "?"
		p.Suggestions = []string{near}
	case len(known) > 0:
		p.Message += ": there are " + strings.Join(known, ", ")
	}
	return p
}

func (f field) set(to reflect.Value, values []spelled) *problem {
	switch {
	case len(values) == 0:
		return nil
	case to.Kind() == reflect.Slice:
		to.Set(reflect.ValueOf(values))
		return nil
	case len(values) > 1:
		return badRequest(f.name, "invalid_value", "%s is there %d times, and can be there once", f.name, len(values))
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	value := values[0]
	var err error
	switch to := to.Addr().Interface().(type) {
	case *spelled:
		*to = value
	case *int:
		if *to, err = strconv.Atoi(value.form); err != nil {
			return badRequest(f.name, "invalid_value", "%s must be a whole number, is %.40q", f.name, value.form)
		}
	case *float64:
		if *to, err = decimal.Float(value.form); err != nil || math.IsNaN(*to) || math.IsInf(*to, 0) {
			return badRequest(f.name, "invalid_value", "%s must be a number, is %.40q", f.name, value.form)
		}
	default:
		reflect.ValueOf(to).Elem().SetString(value.form)
	}
	return nil
}

func (f field) check(v reflect.Value) *problem {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch value := v.Interface().(type) {
	case spelled:
		return checkWord(f.name, value.form)
	case []spelled:
		if wrong := checkCount(f.name, len(value), f.most); wrong != nil {
			return wrong
		}
		for _, word := range value {
			if wrong := checkWord(f.name, word.form); wrong != nil {
				return wrong
			}
		}
	case interface{ check(most int) *problem }:
		return value.check(f.most)
	case int:
		switch {
		case f.most > 0 && (value < f.least || value > f.most):
			return badRequest(f.name, "invalid_value", "%s must be from %d to %d, is %d", f.name, f.least, f.most, value)
		case value < f.least:
			return badRequest(f.name, "invalid_value", "%s must be at least %d, is %d", f.name, f.least, value)
		}
	}
	if f.choices != nil && !slices.Contains(f.choices, v.String()) {
		return badRequest(f.name, "invalid_value", "%s must be %s, is %.40q", f.name, strings.Join(f.choices, " or "), v.String())
	}
	return nil
}

func missing(param string) *problem {
	return badRequest(param, "missing_parameter", "%s is missing", param)
}

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

// A handler answers, or writes nothing and returns an error: a *problem for the client, or one that is logged.
type handler func(w http.ResponseWriter, r *http.Request) error

// A problem is an error that is sent to the client, in the form of OpenAI's API.
type problem = explore.Problem

func badRequest(param, code, format string, args ...any) *problem {
	p := refusal(http.StatusBadRequest, code, format, args...)
	p.Param = param
	return p
}

func refusal(status int, code, format string, args ...any) *problem {
	return &problem{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

type problemError struct {
	Message     string   `json:"message" help:"What is wrong, for people."`
	Type        string   `json:"type" help:"invalid_request_error, authentication_error or server_error."`
	Code        string   `json:"code" help:"What is wrong, for programs, such as unknown_word."`
	Param       *string  `json:"param" help:"The parameter or field that is wrong."`
	Suggestions []string `json:"suggestions,omitempty" help:"What may have been meant."`
}

type problemBody struct {
	Error problemError `json:"error"`
}

func inJSON(p *problem) *problemError {
	e := &problemError{Message: p.Message, Type: "invalid_request_error", Code: p.Code, Suggestions: p.Suggestions}
	switch {
	case p.Status >= http.StatusInternalServerError:
		e.Type = "server_error"
	case p.Status == http.StatusUnauthorized:
		e.Type = "authentication_error"
	}
	if p.Param != "" {
		e.Param = &p.Param
	}
	return e
}

// problemOf returns nil if the client must not see the error.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if e, ok := errors.AsType[*models.NameError](err); ok {
		p := &problem{Status: http.StatusNotFound, Code: "model_not_found", Param: "model", Message: e.Error(), Suggestions: e.Known}
		if e.Name == "" {
			p.Status, p.Code = http.StatusBadRequest, "missing_model"
		}
		return p
	}
	if e, ok := errors.AsType[*models.UnavailableError](err); ok {
		p := &problem{Status: http.StatusServiceUnavailable, Code: "model_unavailable", Param: "model", Message: e.Error()}
		if errors.Is(err, vectors.ErrUnsure) {
			p.RetryAfter = 1
		}
		return p
	}
	if errors.Is(err, models.ErrClosed) {
		return &problem{Status: http.StatusServiceUnavailable, Code: "shutting_down", Message: err.Error(), RetryAfter: 1}
	}
	return nil
}

func writeProblem(w http.ResponseWriter, p *problem) {
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", fmt.Sprint(p.RetryAfter))
	}
	_ = writeJSON(w, p.Status, problemBody{*inJSON(p)}) // an error means that the client is gone
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // messages and words are read by people, too
	if err := encoder.Encode(v); err != nil {
		return err
	}
	sendJSON(w, status, body.Bytes())
	return nil
}

func sendJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Content-Length", strconv.Itoa(len(body))) // unless it will be compressed
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client is gone
}
