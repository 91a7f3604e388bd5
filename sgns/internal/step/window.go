package step

import (
	"math"

	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
)

// Windows are the windows of blocks.
type Windows struct {
	most int // 0 where contexts are drawn from whole lines
	mode settings.WindowMode
}

// WindowsOf returns the windows of a run.
func WindowsOf(r settings.Run) Windows { return Windows{r.Window, r.WindowMode} }

// Draw draws the window of a block. Windows of one width, and those of whole lines, take no
// random number.
func (w Windows) Draw(g *random.Generator) int {
	switch {
	case w.most == 0 || w.mode == settings.Fixed:
		return w.most
	case w.mode == settings.Harmonic:
		// With u uniform between 0 and 1, 1/u is d or more with probability 1/d.
		u := g.Next()>>32 + 1
		return int(min((math.MaxUint32+1)/u, uint64(w.most)))
	}
	return 1 + g.Below(w.most)
}
