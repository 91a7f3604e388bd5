package sgns

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// fill sets the matrices of a model, which have been initialised, to what they start as, and
// says which of their rows are frozen. It may be called again.
func (s *start) fill(m *model, freeze Freeze) error {
	for of, rows := range m.values.Owned() {
		if of.Role == params.Input {
			if err := params.Edit(rows, func(rows vectors.Matrix) error { return inputRows{s, m.table, rows}.take() }); err != nil {
				return err
			}
			continue
		}
		if err := s.take(of, rows); err != nil {
			return err
		}
	}
	if freeze == FreezeKnown {
		m.freeze(s.knownWords(), s.context)
	}
	return nil
}

// A source is a matrix of the set that a matrix of the run starts as, with so many heads: it has
// so many times a row of each word. A source without rows is none.
type source struct {
	rows  vectors.Matrix
	heads int
}

// sourceOf returns the source of a matrix of the run, other than that of input rows.
func (s *start) sourceOf(m params.Matrix) source {
	from := matrixOf(s.from, m)
	alike := from.Rows > 0 && from.Rows == m.Rows && from.Cols == m.Cols && (m.Fits == nil || m.Fits(s.from))
	switch {
	case m.Keys == params.ByNumber && alike, m.Keys == params.ByVocabulary && alike && s.same:
		return source{rows: from}
	case m.Keys != params.ByWord:
		return source{}
	}
	heads := m.Rows / max(len(s.id), 1)
	switch out := s.from.Output(); {
	case from.Rows > 0 && from.Rows == heads*s.from.Len() && from.Cols == m.Cols:
		return source{from, heads}
	case m.Role == params.Output && out.Rows > 0:
		return source{out, 1}
	}
	return source{}
}

// take sets the rows of a matrix of the run to those of its source, if it has one. Heads that
// the source does not have start as those that it has.
func (s *start) take(m params.Matrix, to vectors.Matrix) error {
	from := s.sourceOf(m)
	if from.rows.Rows == 0 {
		return nil
	}
	if m.Keys != params.ByWord {
		return s.copy(m, to, from.rows)
	}
	words := len(s.id)
	for head := range from.heads {
		err := s.known(func(w, id int) error {
			row := to.Row(head*words + w)
			from.rows.Read(row, head*s.from.Len()+id)
			return s.readable(row, "context vector", func() string { return s.word(id) })
		})
		if err != nil {
			return err
		}
	}
	for row := from.heads * words; row < to.Rows; row++ {
		copy(to.Row(row), to.Row(row%words))
	}
	return nil
}

// copy copies the rows of a matrix of the same shape.
func (s *start) copy(m params.Matrix, to, from vectors.Matrix) error {
	row := make([]float32, from.Cols)
	for r := range to.Rows {
		from.Read(row, r)
		if err := s.readable(row, "row", func() string { return fmt.Sprintf("number %d of %s", r, m.Title) }); err != nil {
			return err
		}
		if !m.SkipZeros || slices.ContainsFunc(row, func(x float32) bool { return x != 0 }) {
			copy(to.Row(r), row)
		}
	}
	return nil
}

// outputs describes the matrix of output rows.
func (s *start) outputs() params.Matrix {
	return s.list[slices.IndexFunc(s.list, func(m params.Matrix) bool { return m.Role == params.Output })]
}

// tied reports whether output rows are input rows.
func (s *start) tied() bool { return s.outputs().SameAs != "" }

// unused names what the set has beside input rows and the run does not take.
func (s *start) unused() (names []string) {
	out := s.outputs()
	words := out.Keys == params.ByWord && !s.tied() // context vectors are taken, of one kind or another
	if s.from.Output().Rows > 0 && !s.from.Training().Bool("tied") && !words {
		names = append(names, "context vectors")
	}
	for _, m := range s.from.Matrices() {
		kind := m.Kind()
		if kind.Part == "" { // n-grams stand for it
			continue
		}
		if own, ok := s.list.Find(m.Name); ok && own.SameAs == "" && s.sourceOf(own).takes(m.Matrix) {
			continue
		}
		switch made := kind.Output && s.from.Output().Rows > 0; { // context vectors are made of it
		case !made:
			names = append(names, kind.Part)
		case words:
			names = append(names, kind.Part+", but for their mean")
		}
	}
	return names
}

// takes reports whether the source is that matrix, whole.
func (f source) takes(m vectors.Matrix) bool { return f.rows.Rows > 0 && f.rows.Rows == m.Rows }

// knownWords tells of each word of the run whether it is known.
func (s *start) knownWords() []bool {
	known := make([]bool, len(s.id))
	for w, id := range s.id {
		known[w] = id >= 0
	}
	return known
}

// frozen returns which words are frozen, a bit for each, if known ones are, and whether their
// context vectors are too.
func (s *start) frozen() (words []byte, contexts bool) {
	words = make([]byte, (len(s.id)+7)/8)
	for w, id := range s.id {
		if id >= 0 {
			words[w/8] |= 1 << (w % 8)
		}
	}
	return words, s.context
}

// freeze keeps the rows that these words are made of as they are, and their context
// vectors if these are to be kept too.
func (m *model) freeze(words []bool, contexts bool) {
	for _, of := range m.values.List() {
		switch {
		case of.Role == params.Input:
			frozen := make([]bool, of.Rows)
			for w, keep := range words {
				if !keep {
					continue
				}
				rows, _ := m.table.Of(uint32(w))
				for _, r := range rows {
					frozen[r] = true
				}
			}
			m.values.Freeze(of.Name, frozen)
		case of.Role == params.Output && contexts:
			m.values.Freeze(of.Name, words)
		}
	}
}
