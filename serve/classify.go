package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/serve/internal/models"
)

type classifyQuestion struct {
	Model     string    `json:"model" help:"It can be left out if the server has only one."`
	Input     textInput `json:"input" required:"checked" max:"Inputs" help:"A text, or an array of texts. Newlines are blanks."`
	K         int       `json:"k" default:"1" min:"-1" max:"Answers" help:"How many labels of each text; -1 or 0 for all. The server has a limit, by default 1000."`
	Threshold *float64  `json:"threshold" help:"From 0 to 1: leave out labels whose probability is less."`
}

type classifyAnswer struct {
	Object string       `json:"object" const:"list"`
	Model  string       `json:"model" help:"Name of the model."`
	Data   []classified `json:"data" help:"In the order of the texts."`
}

type classified struct {
	Index  int       `json:"index" min:"0" help:"Position of the text."`
	Labels []labeled `json:"labels" help:"The most probable first; none for a text without any word or n-gram that the model knows. A model that has learned when a text is unknown answers unknown alone."`
}

type labeled struct {
	Label       string      `json:"label"`
	Probability probability `json:"probability"`
}

// A probability is null in JSON if it is not a number.
type probability float32

func (p probability) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(p)) {
		return []byte("null"), nil
	}
	return classify.AppendProbability(nil, float32(p)), nil
}

// A textInput is a text or several.
type textInput []string

// UnmarshalJSON reads a string or an array of strings.
func (in *textInput) UnmarshalJSON(text []byte) error {
	var all []*string
	var err error
	switch first, _ := firstByte(text); first {
	case '"':
		all = []*string{new("")}
		err = json.Unmarshal(text, all[0])
	case '[':
		err = json.Unmarshal(text, &all)
	case 'n':
		return errNullInput
	default:
		err = errTextKind
	}
	if err != nil {
		return errTextKind
	}
	*in, err = values(all)
	return err
}

var errTextKind = &problem{
	Status: http.StatusBadRequest, Param: "input", Code: "invalid_value", Message: "input must be a string or an array of strings",
}

func (in textInput) check(most int) *problem {
	if len(in) == 0 {
		return badRequest("input", "invalid_value", "input is empty")
	}
	return checkCount("input", len(in), most)
}

// labelNumbers is the size of a label in an answer, as a number of vector components.
const labelNumbers = 16

func (s *Server) postClassify(r *http.Request, q *classifyQuestion) (any, error) {
	m, err := s.use(r, q.Model)
	if err != nil {
		return nil, err
	}
	c, err := s.classifierOf(m)
	if err != nil {
		return nil, err
	}
	labels := m.Set.Labels().Names.Len()
	if most := s.config.Limits.Answers; q.K < 1 && labels > most {
		return nil, badRequest("k", "too_many_answers", "the model has %d labels, and a request can ask for %d of each text", labels, most)
	} else if q.K > 0 {
		labels = min(q.K, labels)
	}
	if n := len(q.Input) * labels; n > maxNumbers/labelNumbers {
		return nil, badRequest("k", "too_many_answers", "%d texts with %d labels each are too much for one response: ask for %d labels at most", len(q.Input), labels, maxNumbers/labelNumbers)
	}
	if err := s.hold(r, "input", len(q.Input), labels*labelNumbers); err != nil {
		return nil, err
	}
	threshold := float32(0)
	if q.Threshold != nil {
		threshold = float32(*q.Threshold)
	}
	if !(threshold >= 0 && threshold <= 1) {
		return nil, badRequest("threshold", "invalid_value", "threshold must be from 0 to 1, is %v", *q.Threshold)
	}
	a := classifyAnswer{"list", m.Name, make([]classified, len(q.Input))}
	err = s.eachText(r.Context(), len(q.Input), func(i int) error {
		return m.Read(func() error {
			best, err := c.Predict(q.Input[i], q.K, threshold)
			if err != nil {
				return unpredicted(i, err)
			}
			a.Data[i] = classified{i, make([]labeled, len(best))}
			for j, p := range best {
				a.Data[i].Labels[j] = labeled{p.Label, probability(p.Probability)}
			}
			return nil
		})
	})
	return a, err
}

// unpredicted says why a text has no prediction.
func unpredicted(i int, err error) error {
	if _, ok := errors.AsType[*models.UnavailableError](err); ok || !errors.Is(err, classify.ErrNaN) {
		return err
	}
	return &problem{Status: http.StatusUnprocessableEntity, Code: "no_probability", Param: "input", Message: "input[" + strconv.Itoa(i) + "]: " + err.Error()}
}

// eachText calls do with 0…n-1, on all processors. All requests together use each processor once, so that memory is that of
// as many texts as there are processors.
func (s *Server) eachText(ctx context.Context, n int, do func(i int) error) error {
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				select {
				case s.predicting <- struct{}{}:
				case <-ctx.Done():
					return ctx.Err()
				}
				if err := s.onePlace(func() error { return do(i) }); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// onePlace calls do, whose panic is an error: no other request must end with this goroutine. It frees a place.
func (s *Server) onePlace(do func() error) (err error) {
	defer func() {
		<-s.predicting
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	return do()
}

// classifierOf returns the classifier of a model with labels. Other models are a problem of the request.
func (s *Server) classifierOf(m *models.Model) (*classify.Model, error) {
	type key struct{}
	c, err := models.Attach(m, key{}, func(m *models.Model) (c *classify.Model, err error) {
		e, err := s.textsOf(m)
		if err != nil {
			return nil, err
		}
		err = m.Read(func() error {
			c, err = classify.New(e.set)
			return err
		})
		return c, err
	})
	if errors.Is(err, classify.ErrNoLabels) {
		p := badRequest("model", "no_classifier", "the model %q cannot classify: it has vectors and no labels", m.Name)
		p.Suggestions = s.classifiers()
		return nil, p
	}
	return c, err
}

// classifiers returns the names of the models that have labels.
func (s *Server) classifiers() []string {
	return slices.DeleteFunc(s.models.Names(), func(name string) bool {
		m, err := s.models.Use(name)
		if err != nil {
			return true
		}
		defer m.Release()
		return m.Set.Labels() == nil
	})
}

// checkLabels returns an error if a model has labels and cannot predict them.
func (s *Server) checkLabels(m *models.Model) error {
	if m.Set.Labels() == nil {
		return nil
	}
	_, err := s.classifierOf(m)
	return err
}
