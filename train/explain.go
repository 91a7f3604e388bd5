package train

import (
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
)

// explainTraining adds to an error of training the settings that help.
func explainTraining(err error, s *Settings, rate float64) error {
	if _, ok := errors.AsType[*sgns.MemoryError](err); ok && !s.Model.Force {
		return errorf("%v: see %v, %v, %v and %v; %v tries anyway",
			err, name("dim"), name("min-count"), name("max-vocab"), name("buckets"), name("force"))
	}
	if e, ok := errors.AsType[*sgns.DivergedError](err); ok {
		return explainDivergence(err, e, s, rate)
	}
	return err
}

// explainDivergence adds to the error of a run that diverged until it gave up the settings
// that make its steps smaller.
func explainDivergence(err error, e *sgns.DivergedError, s *Settings, rate float64) error {
	tooHigh := rate > 0 && e.UsualRate < e.LastRate
	if e.Apart > 0 && (e.Apart > 2*e.UsualApart || !tooHigh) {
		return errorf("%v: ranks that exchange changes more often diverge less: %v, or fewer ranks", err, name("sync-every").to(min(e.UsualApart, e.Apart/2)))
	}
	if tooHigh {
		return errorf("%v: leave out %v, or make it lower", err, name("lr"))
	}
	c, usual := s.Model, sgns.Defaults()
	help := messagef("%v", name("lr").to(fmt.Sprintf("%.1g", e.LastRate/2)))
	add := func(format string, args ...any) {
		help = messagef("%v, "+format, slices.Insert(args, 0, any(help))...)
	}
	if row, ok := table().Find("negatives"); ok && row.Needs != nil && row.Needs.Met(s) && c.Negatives > usual.Negatives {
		add("fewer %v than %d", name("negatives"), c.Negatives)
	}
	if c.Window > usual.Window {
		add("a smaller %v than %d", name("window"), c.Window)
	}
	if c.Sample == 0 {
		add("%v", name("sample").to(usual.Sample))
	}
	return errorf("%v: what makes steps smaller is %v", err, help)
}

// checkBytes returns an error if so many bytes are sure not to fit where path leads.
func checkBytes(path string, bytes uint64) error {
	if err := sysinfo.CheckDisk(path, bytes); err != nil {
		return errorf("%v; %v tries anyway", err, name("force"))
	}
	return nil
}
