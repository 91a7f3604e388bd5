package serve

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/serve/lessons"
)

// A classroom has the lessons of the built-in text. Who asks for one first waits until its numbers are
// computed, and nobody else does, except for the same numbers.
type classroom struct {
	lessons *lessons.Lessons
	pages   sync.Map // of *page, by name
}

func newClassroom() (*classroom, error) {
	builtIn, err := lessons.New(lessons.Options{})
	index := newPage("index.html", lessons.Index())
	c := &classroom{lessons: builtIn}
	c.pages.Store("", index)
	c.pages.Store("index.html", index)
	return c, err
}

// getLesson sends a page with the numbers of the built-in text. It needs no token, because browsers send none for a page.
// The page itself asks for those of a model.
func (s *Server) getLesson(w http.ResponseWriter, r *http.Request) error {
	p, err := s.classroom.page(r)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return errGone
	}
	if err != nil {
		return err
	}
	if p == nil {
		return s.nowhere(r)
	}
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'") // the page has a policy for the rest
	p.write(w, r)
	return nil
}

func (c *classroom) page(r *http.Request) (*page, error) {
	name := r.PathValue("page")
	if p, ok := c.pages.Load(name); ok {
		return p.(*page), nil
	}
	of, ok := lessons.Find(strings.TrimSuffix(name, ".html"))
	if !ok || of.Name+".html" != name {
		return nil, nil
	}
	data, err := c.lessons.Data(r.Context(), of)
	if err != nil {
		return nil, err
	}
	p, _ := c.pages.LoadOrStore(name, newPage(name, lessons.Page(of, data)))
	return p.(*page), nil
}

// A lessonQuestion asks for the numbers that a lesson shows of a model.
type lessonQuestion struct{ ofModel }

type lessonKey struct{ name string }

func (s *Server) getLessonData(r *http.Request, q *lessonQuestion) (any, error) {
	of, ok := lessons.Find(r.PathValue("lesson"))
	if !ok || !of.Own() {
		return nil, s.nowhere(r)
	}
	m, err := s.use(r, q.Model)
	if err != nil {
		return nil, err
	}
	data, err := models.AttachWithin(r.Context(), s.config.Log, m, lessonKey{of.Name}, func(m *models.Model) (data []byte, err error) {
		err = m.Read(func() error {
			own, err := lessons.New(lessons.Options{Set: m.Set, Model: m.Name})
			if err != nil {
				return err
			}
			data, err = own.Data(m.Context(), of) // which others wait for, too
			return err
		})
		return data, err
	})
	if r.Context().Err() != nil {
		return nil, errGone
	}
	return document(data), err
}
