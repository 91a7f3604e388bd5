package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
)

// A handler answers a request, or says why it does not: a *problem is told to the client, another
// error becomes status 500 and is logged. A handler that returns an error has written nothing.
type handler func(w http.ResponseWriter, r *http.Request) error

// A problem is an error that a client is told of, as OpenAI's API does it.
type problem struct {
	Status      int      // of HTTP
	Code        string   // for programs, as "unknown_word"
	Message     string   // for people
	Param       string   // the parameter that is wrong; empty if it is none
	Suggestions []string // what may have been meant
	RetryAfter  int      // seconds; 0 for nothing said
}

func (p *problem) Error() string { return p.Message }

// badRequest is a problem of a parameter, with status 400.
func badRequest(param, code, format string, args ...any) *problem {
	return &problem{Status: http.StatusBadRequest, Code: code, Param: param, Message: fmt.Sprintf(format, args...)}
}

// A problemError is a problem in JSON.
type problemError struct {
	Message     string   `json:"message" help:"What is wrong, for people."`
	Type        string   `json:"type" help:"invalid_request_error, authentication_error or server_error."`
	Code        string   `json:"code" help:"What is wrong, for programs, such as unknown_word."`
	Param       *string  `json:"param" help:"The parameter or field that is wrong."`
	Suggestions []string `json:"suggestions,omitempty" help:"What may have been meant."`
}

// A problemBody is the body of an answer that is a problem.
type problemBody struct {
	Error problemError `json:"error"`
}

// body returns the problem as JSON has it.
func (p *problem) body() *problemError {
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

// problemOf returns the problem that an error is for a client; nil for one that is not the
// client's to know.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if e, ok := errors.AsType[*explore.Problem](err); ok {
		return &problem{Status: e.Status, Code: e.Code, Message: e.Message, Param: e.Param, Suggestions: e.Suggestions}
	}
	if e, ok := errors.AsType[*models.NameError](err); ok {
		if e.Name == "" {
			return &problem{Status: http.StatusBadRequest, Code: "missing_model", Param: "model", Message: e.Error(), Suggestions: e.Known}
		}
		return &problem{Status: http.StatusNotFound, Code: "model_not_found", Param: "model", Message: e.Error(), Suggestions: e.Known}
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

// write sends the problem.
func (p *problem) write(w http.ResponseWriter) {
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", fmt.Sprint(p.RetryAfter))
	}
	_ = writeJSON(w, p.Status, problemBody{*p.body()}) // if the client is gone, there is nobody to tell
}

// writeJSON sends v with a status. Its error is one of v or of the connection.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	sendJSON(w, status, append(body, '\n'))
	return nil
}

// sendJSON sends JSON with a status.
func sendJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Content-Length", strconv.Itoa(len(body))) // unless it will be compressed
	w.WriteHeader(status)
	_, _ = w.Write(body) // if the client is gone, there is nobody to tell
}
