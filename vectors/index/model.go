package index

import (
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// Remember keeps a probe of the model that entries have their vectors of, for MadeOf: a text of its first words.
func (x *Index) Remember(f *query.Finder, p *pooling.Pooler) {
	var words []string
	for id := range min(16, f.Set().Len()) {
		words = append(words, f.Set().Words().At(id))
	}
	for n := len(words); n > 0; n /= 2 { // vectors of some words may cancel out
		probe := &Probe{strings.Join(words[:n], " "), make([]float32, f.Set().Dim())}
		tokens, _, err := f.Tokens(probe.Text)
		if err == nil && p.Text(probe.Vector, tokens) > 0 && vectors.Unit(probe.Vector, probe.Vector) {
			x.About.Probe = probe
			return
		}
	}
}

// MadeOf reports whether a model gives the vector that the probe has, or one of the first entries: whether the index
// may have been made of it. Names of texts that are not known tell nothing, and neither does a model that cannot cut
// texts. The model must have as many dimensions as the index.
func (x *Index) MadeOf(f *query.Finder, p *pooling.Pooler) bool {
	made, _ := x.like(f, p)
	return made
}

// PoolerOf returns the pooler by whose rule a model gives the vectors of the index: p, or one of another method that gives vectors
// which are more alike. It is nil if the index is not made of the model.
func (x *Index) PoolerOf(f *query.Finder, p *pooling.Pooler) *pooling.Pooler {
	const more = 1e-4 // numbers of an index may be rounded
	made, best := x.like(f, p)
	of := p
	for _, method := range pooling.Methods() {
		other, err := pooling.New(f.Set(), pooling.Options{Method: method})
		if err != nil || method == p.Method() { // not every model has all methods
			continue
		}
		if is, cosine := x.like(f, other); is && (!made || cosine > best+more) {
			made, best, of = true, cosine, other
		}
	}
	if !made {
		return nil
	}
	return of
}

// like reports what MadeOf does, and the mean cosine of the vectors that it looks at; 1 if it looks at none.
func (x *Index) like(f *query.Finder, p *pooling.Pooler) (made bool, cosine float64) {
	const looked, alike = 5, 0.99
	v, own := make([]float32, x.set.Dim()), make([]float32, x.set.Dim())
	if of := x.About.Probe; of != nil && len(of.Vector) == len(v) {
		tokens, _, err := f.Tokens(of.Text)
		if err != nil {
			return true, 1
		}
		if p.Text(v, tokens) == 0 {
			return false, 0
		}
		cosine = vectors.Cosine(v, of.Vector)
		return cosine > alike, cosine
	}
	if x.About.Of == "ids" {
		return true, 1
	}
	n := 0
	for id := range min(looked, x.set.Len()) {
		name := x.set.Words().At(id)
		if x.About.Of == "texts" {
			tokens, _, err := f.Tokens(name)
			if err != nil || p.Text(v, tokens) == 0 {
				continue
			}
		} else if !f.Set().Vector(v, name) {
			continue
		}
		x.set.WordVector(own, id)
		of := vectors.Cosine(v, own)
		made, cosine, n = made || of > alike, cosine+of, n+1
	}
	return made, cosine / float64(max(n, 1))
}
