package warmstart

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// An inputRows sets the input rows of a run from the vectors that it starts from.
type inputRows struct {
	*Start
	table *rowtable.Table
	rows  vectors.Matrix // input rows of the run
}

func (s inputRows) take() error {
	switch {
	case s.table.Cells() != nil: // rows belong to a pool, independent of words
		for r := range s.rows.Rows {
			if err := s.read(s.rows.Row(r), r, func() string { return fmt.Sprintf("row %d of the pool", r) }); err != nil {
				return err
			}
		}
		return nil
	case s.table.WordRow == nil: // words are made of pieces alone
		return s.buckets()
	}
	for w, id := range s.known() {
		row, name := s.rows.Row(int(s.table.WordRow[w])), func() string { return s.word(id) }
		var err error
		if s.own {
			err = s.read(row, s.wordRow(id), name)
		} else {
			s.unprojected.WordVector(row, id)
			err = s.readable(row, "vector", name)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case s.own:
		return s.buckets()
	case s.table.Identity():
		return nil
	case !s.share:
		s.means()
	default:
		if err := s.buckets(); err != nil {
			return err
		}
	}
	s.differences()
	return nil
}

// buckets copies the rows of buckets. Buckets that share a row have equal rows.
func (s inputRows) buckets() error {
	done := make([]bool, s.rows.Rows)
	for b, row := range s.table.BucketRow {
		if row < 0 || done[row] {
			continue
		}
		done[row] = true
		to := s.rows.Row(int(row))
		if r := s.bucketRow(b); r < 0 {
			clear(to)
		} else if err := s.read(to, r, func() string { return bucketName(b) }); err != nil {
			return err
		}
	}
	return nil
}

// means sets every row of n-grams to the mean of the vectors, in their own rows, of the known words that have these
// n-grams. Rows used only by new words stay unchanged.
func (s inputRows) means() {
	users := make([]float32, s.rows.Rows)
	for w, id := range s.id {
		if id < 0 {
			continue
		}
		own := s.table.WordRow[w]
		vector := s.rows.Row(int(own))
		rows, _ := s.table.Of(uint32(w))
		for _, r := range rows {
			if r == own {
				continue
			}
			sum := s.rows.Row(int(r))
			if users[r] == 0 {
				clear(sum)
			}
			users[r]++
			for k, x := range vector {
				sum[k] += x
			}
		}
	}
	for r, n := range users {
		if n == 0 {
			continue
		}
		row := s.rows.Row(r)
		for k := range row {
			row[k] /= n
		}
	}
}

// differences subtracts from known words' own rows, which have the words' vectors, what others contribute.
func (s inputRows) differences() {
	rest := make([]float64, s.rows.Cols)
	for w, id := range s.id {
		if id < 0 {
			continue
		}
		own := s.table.WordRow[w]
		row := s.rows.Row(int(own))
		for k, x := range row {
			rest[k] = float64(x)
		}
		var times float64
		rows, weights := s.table.Of(uint32(w))
		pieces := 1.0
		if s.table.RowShare != nil { // weights are numbers of members
			pieces = float64(s.table.Pieces(uint32(w)))
		}
		for i, r := range rows {
			weight := float64(weights[i]) / pieces
			if r == own {
				times += weight
				continue
			}
			for k, x := range s.rows.Row(int(r)) {
				rest[k] -= weight * float64(x)
			}
		}
		for k, x := range rest {
			row[k] = float32(x / times)
		}
	}
}

// Fill sets the matrices of an initialised model, and freezes rows. It may be called again.
func (s *Start) Fill(m *model.Model, freeze config.Freeze) error {
	for of, rows := range m.Values.Owned() {
		if of.Role == params.Input {
			if err := params.Edit(rows, func(rows vectors.Matrix) error { return inputRows{Start: s, table: m.Table, rows: rows}.take() }); err != nil {
				return err
			}
			continue
		}
		take := s.take
		if of.Labels {
			take = s.takeLabels
		}
		if err := take(of, rows); err != nil {
			return err
		}
	}
	if freeze == config.FreezeKnown {
		known := make([]bool, len(s.id))
		for w := range s.known() {
			known[w] = true
		}
		m.Freeze(known, s.context)
	}
	return nil
}

// A source is a matrix of the set that a matrix of the run starts from. It has so many heads, and as many
// rows for each word. A source without rows means that there is none.
type source struct {
	rows  vectors.Matrix
	heads int
}

// sourceOf returns the source of a matrix of the run other than the input matrix.
func (s *Start) sourceOf(m params.Matrix) source {
	from := model.MatrixOf(s.Set, m)
	alike := from.Rows > 0 && from.Rows == m.Rows && from.Cols == m.Cols && (m.Fits == nil || m.Fits(s.Set))
	switch {
	case m.Keys == params.ByNumber && alike, m.Keys == params.ByVocabulary && alike && s.same:
		return source{rows: from}
	case m.Keys != params.ByWord:
		return source{}
	}
	heads := m.Rows / max(len(s.id), 1)
	switch out := s.Set.Output(); {
	case from.Rows > 0 && from.Rows == heads*s.Set.Len() && from.Cols == m.Cols:
		return source{from, heads}
	case m.Role == params.Output && out.Rows > 0:
		return source{out, 1}
	}
	return source{}
}

// take copies the rows of a matrix from its source. Heads that the source lacks are copies of others.
func (s *Start) take(m params.Matrix, to vectors.Matrix) error {
	from := s.sourceOf(m)
	if from.rows.Rows == 0 {
		return nil
	}
	if m.Keys != params.ByWord {
		row := make([]float32, from.rows.Cols)
		for r := range to.Rows {
			from.rows.Read(row, r)
			if err := s.readable(row, "row", func() string { return fmt.Sprintf("number %d of %s", r, m.Title) }); err != nil {
				return err
			}
			if !m.SkipZeros || slices.ContainsFunc(row, func(x float32) bool { return x != 0 }) {
				copy(to.Row(r), row)
			}
		}
		return nil
	}
	words := len(s.id)
	for head := range from.heads {
		for w, id := range s.known() {
			row := to.Row(head*words + w)
			from.rows.Read(row, head*s.Set.Len()+id)
			if err := s.readable(row, "context vector", func() string { return s.word(id) }); err != nil {
				return err
			}
		}
	}
	for row := from.heads * words; row < to.Rows; row++ {
		copy(to.Row(row), to.Row(row%words))
	}
	return nil
}

// takeLabels copies the rows of labels.
func (s *Start) takeLabels(_ params.Matrix, to vectors.Matrix) error {
	for label, id := range s.labels {
		if id < 0 {
			continue
		}
		row := to.Row(label)
		s.Set.Labels().Rows.Read(row, int(id))
		if err := s.readable(row, "row", func() string { return fmt.Sprintf("label %.40q", s.Set.Labels().Names.At(int(id))) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *Start) outputs() params.Matrix {
	return s.list[slices.IndexFunc(s.list, func(m params.Matrix) bool { return m.Role == params.Output })]
}

func (s *Start) tied() bool { return s.outputs().SameAs != "" }

// unused names the matrices of the set, besides input rows, that the run does not use.
func (s *Start) unused() (names []string) {
	out := s.outputs()
	words := out.Keys == params.ByWord && !s.tied() // some kind of context vectors is used
	if s.Set.Output().Rows > 0 && !s.Set.Training().Bool("tied") && !words {
		names = append(names, "context vectors")
	}
	for _, m := range s.Set.Matrices() {
		kind := m.Kind()
		if kind.Part == "" { // the n-grams are named instead
			continue
		}
		if own, ok := s.list.Find(m.Name); ok && own.SameAs == "" {
			if from := s.sourceOf(own).rows.Rows; from > 0 && from == m.Rows {
				continue
			}
		}
		switch made := kind.MakesOutput() && s.Set.Output().Rows > 0; {
		case !made:
			names = append(names, kind.Part)
		case words:
			names = append(names, kind.Part+", but for their mean")
		}
	}
	return names
}

// Frozen returns a bit for each frozen word, and whether their context vectors are frozen too.
func (s *Start) Frozen() (words []byte, contexts bool) {
	words = make([]byte, (len(s.id)+7)/8)
	for w := range s.known() {
		words[w/8] |= 1 << (w % 8)
	}
	return words, s.context
}
