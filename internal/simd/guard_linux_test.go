package simd

import (
	"os"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"
)

// pages is memory of things that stand alone: right before them, if atEnd is not
// set, or right behind them is memory that must not be touched.
type pages struct {
	t       *testing.T
	atEnd   bool
	regions [][]byte
	used    int
}

func (p *pages) place(bytes int) []byte {
	const usable = 32 << 10
	page := os.Getpagesize()
	if p.used == len(p.regions) {
		region, err := unix.Mmap(-1, 0, usable+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() { unix.Munmap(region) })
		for _, at := range []int{0, page + usable} {
			if err := unix.Mprotect(region[at:at+page], unix.PROT_NONE); err != nil {
				p.t.Fatal(err)
			}
		}
		p.regions = append(p.regions, region)
	}
	at := page
	if p.atEnd {
		at += usable - bytes
	}
	p.used++
	return p.regions[p.used-1][at:][:bytes]
}

func (p *pages) check(*testing.T) { p.used = 0 }

func TestKernelsStayInside(t *testing.T) {
	eachAssembly(t, func(t *testing.T) {
		debug.SetPanicOnFault(true) // for this goroutine, which is the subtest's own
		for _, m := range []*pages{{t: t}, {t: t, atEnd: true}} {
			eachShape(func(s shape) {
				f := newFixture(s)
				for _, k := range kernels {
					k.holds(t, f, m)
				}
			})
			eightsHold(t, m)
		}
	})
}
