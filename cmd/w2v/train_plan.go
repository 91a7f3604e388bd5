package main

import (
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// planned returns what looks whether the disk has room for what is going to be written,
// before anything is trained.
func (f *trainFlags) planned(v *vocab.Vocab, format vectors.Format, report *reporter) func(sgns.Plan) error {
	return func(p sgns.Plan) error {
		report.planned(p)
		if from := f.checkpoint.from; from != nil {
			report.note("going on from %s: %s of %s tokens are trained", f.checkpoint.resume, thousands(from.Tokens), thousands(from.Total))
			switch {
			case from.Ended():
				report.note("that run is at its end; --extend-epochs trains on")
			case f.checkpoint.again:
				report.note("it has been extended by %d epochs already, and is not by more", f.checkpoint.extend)
			}
		}
		shape := vectors.Shape{
			Words:        p.Words,
			Counts:       true,
			Dim:          f.config.Dim,
			Rows:         p.Rows,
			ContextBytes: 4 * f.config.Dim,
			Trained:      true,
		}
		for _, token := range v.Tokens() {
			shape.Text += len(token)
		}
		if f.config.Subword != nil {
			shape.Buckets = f.config.Subword.Rows()
			shape.Listed = p.Words + shape.Buckets
		}
		if f.config.Force {
			return nil
		}
		need := vectors.EstimateSize(f.output, shape, format)
		if ck := f.checkpoint.path; ck != "" {
			state := shape
			if f.config.Patience > 0 {
				state.State = 4 * f.config.Dim * (p.Rows + p.Words)
			}
			bytes := vectors.EstimateSize(ck, state, vectors.FormatW2V)
			more := bytes // while a checkpoint takes the place of the one before
			if _, err := os.Stat(ck); err != nil {
				more = 2 * bytes
			}
			if err := checkBytes(ck, more); err != nil {
				return err
			}
			if filepath.Dir(ck) == filepath.Dir(f.output) {
				need += more - bytes
			}
		}
		return checkBytes(f.output, need)
	}
}
