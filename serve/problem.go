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

// A handler answers a request or returns an error. A *problem is sent to the client; any other
// error is logged and becomes status 500. A handler that returns an error has written nothing.
type handler func(w http.ResponseWriter, r *http.Request) error

// A problem is an error that is sent to the client, in the form of OpenAI's API.
type problem = explore.Problem

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

// problemOf returns the problem to send to a client for an error, or nil if the client must not see
// the error.
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

// writeJSON sends v with a status. An error concerns v or the connection.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	sendJSON(w, status, append(body, '\n'))
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
