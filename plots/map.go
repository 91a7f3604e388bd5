package plots

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/w2v-go/w2v/internal/chart"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// A Projection maps vectors to points. Its value is the name on the command line.
type Projection = projection.Method

// Projections of a map: principal components, and UMAP.
const (
	PCA  = projection.MethodPCA
	UMAP = projection.MethodUMAP
)

// Projections returns all projections.
func Projections() []Projection { return projection.Methods() }

// MaxMap is the largest number of words on a map.
const MaxMap = 20_000

// MapOptions are the settings of NewMap. The zero value works.
type MapOptions struct {
	Projection Projection // empty means PCA
	Seed       uint64     // of UMAP
	Colors     Coloring
	// Relations are pairs of words that may have the same relation, by their indices. A word may be in
	// several relations.
	Relations [][][2]int
	// Progress, if not nil, is called with the progress of the projection.
	Progress projection.Progress
}

// A Map shows words as points in a plane.
type Map struct {
	Title      string     `json:"-"`
	Subtitle   string     `json:"-"`
	Projection Projection `json:"projection"`
	// Explained is the share of variance along each axis of PCA.
	Explained []float64 `json:"explained,omitempty"`
	// Trustworthiness, for UMAP, is 1 if neighbours on the map are also neighbours among the vectors (Venna
	// and Kaski 2001).
	Trustworthiness *float64      `json:"trustworthiness,omitempty"`
	Colors          string        `json:"colors,omitempty"` // title of groups or values
	Groups          []string      `json:"groups,omitempty"` // Place.Group is an index of Groups
	Words           []Place       `json:"words"`
	Relations       []MapRelation `json:"relations,omitempty"`
	numbers         bool
}

// A Place is a word on a map.
type Place struct {
	Word  string   `json:"word"`
	ID    int      `json:"id"` // −1 for expressions and for words outside the vocabulary
	X     float64  `json:"x"`
	Y     float64  `json:"y"`
	Group *int     `json:"group,omitempty"`
	Value *float64 `json:"value,omitempty"`

	strong bool
}

// A MapRelation is pairs of words, by their indices.
type MapRelation struct {
	Pairs [][2]int `json:"pairs"`
	// Corners has a point for each pair except the first: where the pair's second word would be if the four
	// words were the corners of a parallelogram.
	Corners [][2]float64 `json:"corners"`
}

// NewMap projects 2 to MaxMap words, scaled to length 1, so that near points mean large cosines. It returns soon after the
// context ends. If memory is too small, the error is a *transform.MemoryError.
func NewMap(ctx context.Context, words []Word, o MapOptions) (*Map, error) {
	switch {
	case len(words) < 2:
		return nil, errors.New("plots: a map needs two words at least")
	case len(words) > MaxMap:
		return nil, fmt.Errorf("plots: a map may have %d words, and there are %d", MaxMap, len(words))
	}
	if err := o.Colors.check(len(words)); err != nil {
		return nil, err
	}
	rows, err := units(words)
	if err != nil {
		return nil, err
	}
	m := &Map{Projection: o.Projection, Colors: o.Colors.Name, Groups: o.Colors.Groups, numbers: o.Colors.Values != nil}
	for i, w := range words {
		p := Place{Word: w.Text, ID: w.ID, strong: w.Strong}
		switch {
		case m.numbers:
			p.Value = o.Colors.Values[i]
		case o.Colors.Of != nil && o.Colors.Of[i] >= 0:
			p.Group = &o.Colors.Of[i]
		}
		m.Words = append(m.Words, p)
	}
	if err := m.project(ctx, rows, o); err != nil {
		return nil, err
	}
	return m, m.relate(o.Relations)
}

func (m *Map) relate(all [][][2]int) error {
	for _, pairs := range all {
		r := MapRelation{Pairs: pairs, Corners: [][2]float64{}}
		for i, p := range pairs {
			for _, word := range p {
				if word < 0 || word >= len(m.Words) {
					return fmt.Errorf("plots: a relation has word %d, and there are %d", word, len(m.Words))
				}
			}
			if i > 0 {
				x, y := chart.Corner(m.at(pairs[0][0]), m.at(pairs[0][1]), m.at(p[0]))
				r.Corners = append(r.Corners, [2]float64{x, y})
			}
		}
		if len(pairs) == 0 {
			return errors.New("plots: a relation has no pairs")
		}
		m.Relations = append(m.Relations, r)
	}
	return nil
}

func (m *Map) at(word int) [2]float64 { return [2]float64{m.Words[word].X, m.Words[word].Y} }

func (m *Map) chart() chart.Picture {
	c := chart.Map{Title: m.Title, Subtitle: m.Subtitle, Groups: m.Groups}
	if m.numbers {
		c.Ramp, c.Groups = m.Colors, nil
	}
	for i, to := range []*string{&c.X, &c.Y} {
		if i < len(m.Explained) {
			*to = fmt.Sprintf("principal component %d, %.0f %% of the variance", i+1, 100*m.Explained[i])
		}
	}
	if m.Projection == UMAP {
		c.X = strings.ToUpper(string(m.Projection))
		if m.Trustworthiness != nil {
			c.X += fmt.Sprintf(", trustworthiness %.3f", *m.Trustworthiness)
		}
	}
	for _, w := range m.Words {
		p := chart.Place{Label: w.Word, X: w.X, Y: w.Y, Group: -1, Value: math.NaN(), Strong: w.strong}
		if w.Group != nil {
			p.Group = *w.Group
		}
		if w.Value != nil {
			p.Value = *w.Value
		}
		c.Points = append(c.Points, p)
	}
	for _, r := range m.Relations {
		c.Relations = append(c.Relations, r.Pairs)
	}
	return c
}

func (m *Map) project(ctx context.Context, rows vectors.Matrix, o MapOptions) error {
	names := make([]string, rows.Rows) // words of a set must be unique
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		return err
	}
	var made *projection.Map
	switch m.Projection = cmp.Or(o.Projection, PCA); m.Projection {
	case PCA:
		made, err = projection.PCA(ctx, set, projection.PCAOptions{Progress: o.Progress})
	case UMAP:
		made, err = projection.UMAP(ctx, set, projection.UMAPOptions{Seed: o.Seed, Progress: o.Progress})
	default:
		err = fmt.Errorf("plots: %q is not a projection", o.Projection)
	}
	if err != nil {
		return err
	}
	for i, p := range made.Points {
		m.Words[i].X, m.Words[i].Y = float64(p.X), float64(p.Y)
	}
	if m.Projection == PCA {
		m.Explained = made.Explained[:min(2, len(made.Explained))]
		return nil
	}
	const least, trusted = 8, 2000 // words for which trustworthiness is meaningful, and words that it is measured with
	if rows.Rows < least {
		return nil
	}
	trust, err := projection.Trustworthiness(ctx, set, made.Points, projection.TrustworthinessOptions{Sample: trusted})
	if err != nil {
		return err
	}
	m.Trustworthiness = &trust.Value
	return nil
}
