package explorer

import (
	"fmt"
	"net/http"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A Problem is an error that the client is told of.
type Problem struct {
	Status      int      // of HTTP
	Code        string   // for programs, as "unknown_word"
	Message     string   // for people
	Param       string   // the parameter that is wrong; empty if it is none
	Suggestions []string // what may have been meant
}

func (p *Problem) Error() string { return p.Message }

func badRequest(param, format string, args ...any) *Problem {
	return &Problem{Status: http.StatusBadRequest, Code: "invalid_value", Param: param, Message: fmt.Sprintf(format, args...)}
}

func notThere(code, format string, args ...any) *Problem {
	return &Problem{Status: http.StatusNotFound, Code: code, Message: fmt.Sprintf(format, args...)}
}

// suggested is how many words are suggested in place of one that has no vector.
const suggested = 5

// unknownWord says that a word, or one of an expression, has no vector.
func unknownWord(param string, set *vectors.Set, f query.Found) *Problem {
	if f.Wrong != nil {
		return badRequest(param, "%v", f.Wrong)
	}
	p := notThere("unknown_word", "there is no vector for the word %.200q", f.Lacking)
	p.Param, p.Suggestions = param, set.Suggest(f.Lacking, suggested)
	return p
}
