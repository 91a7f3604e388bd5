package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lists lays out code that goes through n lists of rows: body is called with the
// address of the row of own that belongs to a list.
func lists(own, ownStride string, body func(p GPVirtual, l rowList)) {
	l := rowList{first: local(), n: local()}
	at, ids, left := spill(own), spill("ids"), spill("n")
	Label("list")
	{
		p, starts, id, first, n := GP64(), param("starts"), GP64(), GP64(), GP64()
		MOVQ(ids, p)
		MOVL(Mem{Base: p}, id.As32())
		MOVQ(Mem{Base: starts, Index: id, Scale: 8}, first)
		MOVQ(Mem{Base: starts, Index: id, Scale: 8, Disp: 8}, n)
		SUBQ(first, n)
		MOVQ(n, l.n)
		MOVQ(first, l.first)
	}
	p := loaded(at)
	body(p, l)
	advance(ids, 4)
	next := loaded(at)
	ADDQ(paramAt(ownStride), next)
	MOVQ(next, at)
	again(left, LabelRef("list"))
}

// rowList is, in the frame, the first entry of a list and how many it has.
type rowList struct{ first, n Mem }

// each lays out a loop over the rows of the list: body is called with a row's address and where its weight is.
func (l rowList) each(label string, body func(p GPVirtual, weight Mem)) {
	rows, n, first, data, stride := param("rows"), GP64(), GP64(), param("data"), param("stride")
	MOVQ(l.first, first)
	MOVQ(l.n, n)
	LEAQ(Mem{Base: rows, Index: first, Scale: 4}, rows)
	weights := rows
	if _, err := Param("weights").Resolve(); err == nil {
		weights = param("weights")
		LEAQ(Mem{Base: weights, Index: first, Scale: 4}, weights)
		fromEnd(n, rows, weights)
	} else {
		fromEnd(n, rows)
	}
	test(n, JZ, LabelRef(label+"rowend"))
	Label(label + "row")
	p := GP64()
	rowAddress(p, Mem{Base: rows, Index: n, Scale: 4}, stride, data)
	body(p, Mem{Base: weights, Index: n, Scale: 4})
	INCQ(n)
	JNZ(LabelRef(label + "row"))
	Label(label + "rowend")
}

// fromEnd makes lists of n numbers be indexed by -n, …, -1.
func fromEnd(n GPVirtual, lists ...GPVirtual) {
	for _, list := range lists {
		LEAQ(Mem{Base: list, Index: n, Scale: 4}, list)
	}
	NEGQ(n)
}

// A strip is some vectors of a row, of which the last one may be a part.
type strip interface {
	name() string
	registers() []VecVirtual
	scratch() []VecVirtual // registers that multiplyAdd may load into
	load(p GPVirtual, v []VecVirtual)
	multiplyAdd(op func(...Op), p GPVirtual, w VecVirtual, sums, scratch []VecVirtual)
	store(name string, p GPVirtual, v []VecVirtual)
}

// rows is code for rows of cols numbers, with vectors of a set of instructions.
type rows interface {
	strips(prefix string, most int, body func(s strip))
	broadcast(m Mem) VecVirtual
	prepare() // makes what clear needs
	clear(v VecVirtual)
}

// row256 is what a row is made of: the bytes of its whole vectors, in the frame, and
// the lanes of its tail, which may be none.
type row256 struct {
	whole Mem
	tail  lanes
	fours bool // tails of four lanes, those of rows of 100 and of 300 numbers, have code of their own
}

func (m masks256) splitRow() row256 {
	r := row256{whole: local(), tail: newLanes()}
	whole, count := param("cols"), GP64()
	MOVQ(whole, count)
	ANDQ(Imm(lanes256-1), count)
	m.set(r.tail, count)
	SHRQ(Imm(3), whole)
	SHLQ(Imm(5), whole)
	MOVQ(whole, r.whole)
	return r
}

// strip256 is whole vectors and perhaps the tail's lanes.
type strip256 struct {
	label string
	off   GPVirtual
	whole int
	tail  *lanes
	four  bool // the tail is known to be of four lanes
}

func (s strip256) name() string { return s.label }

func (s strip256) registers() []VecVirtual {
	if s.tail != nil {
		return ymms(s.whole + 1)
	}
	return ymms(s.whole)
}

func (s strip256) scratch() []VecVirtual { return nil }

func (s strip256) at(p GPVirtual, k int) Mem {
	return Mem{Base: p, Index: s.off, Scale: 1, Disp: 4 * lanes256 * k}
}

func (s strip256) load(p GPVirtual, v []VecVirtual) {
	loadAll(v[:s.whole], s.at(p, 0), 4*lanes256)
	switch {
	case s.four:
		VMOVUPS(s.at(p, s.whole), v[s.whole].AsX())
	case s.tail != nil:
		s.tail.load(s.at(p, s.whole), v[s.whole])
	}
}

// multiplyAdd changes sums by the strip of the row at p and w.
func (s strip256) multiplyAdd(op func(...Op), p GPVirtual, w VecVirtual, sums, _ []VecVirtual) {
	for k := range s.whole {
		op(s.at(p, k), w, sums[k])
	}
	switch {
	case s.four:
		op(s.at(p, s.whole), w.AsX(), sums[s.whole].AsX())
	case s.tail != nil:
		v := YMM()
		s.tail.load(s.at(p, s.whole), v)
		op(v, w, sums[s.whole])
	}
}

// store stores v; name sets it apart from the strip's other stores.
func (s strip256) store(name string, p GPVirtual, v []VecVirtual) {
	storeAll(v[:s.whole], s.at(p, 0), 4*lanes256)
	switch {
	case s.four:
		VMOVUPS(v[s.whole].AsX(), s.at(p, s.whole))
	case s.tail != nil:
		s.tail.store(s.label+name, v[s.whole], s.at(p, s.whole))
	}
}

func (row256) broadcast(m Mem) VecVirtual {
	w := YMM()
	VBROADCASTSS(m, w)
	return w
}

func (row256) prepare() {}

func (row256) clear(v VecVirtual) { VXORPS(v, v, v) }

// strips lays out code for a row in strips: as many of most whole vectors as there are, then one of what is
// left, together with the tail.
func (r row256) strips(prefix string, most int, body func(s strip)) {
	left, off := loaded(r.whole), zeroed()
	bytes := func(vectors int) Constant { return U32(uint32(4 * lanes256 * vectors)) }

	Label(prefix)
	compare(left, bytes(most), JLT, LabelRef(prefix+"rest"))
	body(strip256{label: fmt.Sprintf("%s%d", prefix, most), off: off, whole: most})
	ADDQ(bytes(most), off)
	SUBQ(bytes(most), left)
	JMP(LabelRef(prefix))

	// rest lays out the last strip, of any number of vectors down to fewest.
	rest := func(kind string, fewest int, tail *lanes, four bool) {
		name := func(vectors int) string { return fmt.Sprintf("%s%d%s", prefix, vectors, kind) }
		for v := most - 1; v >= fewest; v-- {
			Label(name(v))
			if v > 0 {
				compare(left, bytes(v), JLT, LabelRef(name(v-1)))
			}
			body(strip256{name(v), off, v, tail, four})
			JMP(LabelRef(prefix + "done"))
		}
	}
	begin := func(kind string) LabelRef { return LabelRef(fmt.Sprintf("%s%d%s", prefix, most-1, kind)) }
	Label(prefix + "rest")
	compare(r.tail.count, Imm(0), JEQ, begin(""))
	if r.fours {
		compare(r.tail.count, Imm(4), JEQ, begin("four"))
	}
	rest("tail", 0, &r.tail, false)
	if r.fours {
		rest("four", 0, &r.tail, true)
	}
	rest("", 1, nil, false)
	Label(prefix + "0")
	Label(prefix + "done")
}

// mostOfRow is how many vectors of a row gather and scatter keep in registers.
// With more, up to the 13 that AVX2 has room for, they were no faster.
const mostOfRow = 8

func gather(r rows) {
	r.prepare()
	lists("dst", "dstStride", func(to GPVirtual, l rowList) {
		r.strips("strip", mostOfRow, func(s strip) {
			acc := s.registers()
			for _, v := range acc {
				r.clear(v)
			}
			l.each(s.name(), func(p GPVirtual, weight Mem) {
				w := r.broadcast(weight)
				s.multiplyAdd(VFMADD231PS, p, w, acc, s.scratch())
			})
			s.store("", to, acc)
		})
	})
}

// scatter256 lays out code that goes through lists, and adds a list's own row to each row that it names, times
// its weight if there are weights.
func scatter256(weighted bool) {
	row := m.splitRow()
	lists("delta", "deltaStride", func(from GPVirtual, l rowList) {
		row.strips("strip", mostOfRow, func(all strip) {
			s := all.(strip256)
			d := s.registers()
			s.load(from, d)
			l.each(s.label, func(p GPVirtual, weight Mem) {
				var w VecVirtual
				if weighted {
					w = row.broadcast(weight)
				}
				add := func(row Op, d, sum VecVirtual) {
					if !weighted {
						VADDPS(row, d, sum)
						return
					}
					if row != Op(sum) {
						VMOVUPS(row, sum)
					}
					VFMADD231PS(d, w, sum)
				}
				for k := range s.whole {
					v := YMM()
					add(s.at(p, k), d[k], v)
					VMOVUPS(v, s.at(p, k))
				}
				if s.tail != nil {
					v := YMM()
					s.tail.load(s.at(p, s.whole), v)
					add(v, d[s.whole], v)
					s.tail.store(s.label, v, s.at(p, s.whole))
				}
			})
		})
	})
}

// row512 is a row whose last vector has the lanes of tail.
type row512 struct {
	tail OpmaskVirtual
	zero VecVirtual
	late bool // zero is made when strips begin
}

func splitRow512() *row512 { return &row512{tail: tailMask(paramAt("cols"))} }

func (*row512) broadcast(m Mem) VecVirtual {
	w := ZMM()
	VBROADCASTSS(m, w)
	return w
}

func (r *row512) prepare() {
	r.zero = ZMM()
	VPXORD(r.zero, r.zero, r.zero)
}

func (r *row512) clear(v VecVirtual) { VMOVAPS(r.zero, v) } // to avo, a VPXORD would read what it zeroes

// strips lays out code for a row in strips of at most most vectors. body is called for every number of vectors.
func (r *row512) strips(prefix string, most int, body func(s strip)) {
	// off is the strip's first byte; left, a whole number of vectors, is the bytes from there.
	left, off := GP64(), GP64()
	MOVQ(paramAt("cols"), left)
	ADDQ(Imm(lanes512-1), left)
	SHRQ(Imm(4), left)
	SHLQ(Imm(6), left)
	XORQ(off, off)
	if r.late {
		r.prepare()
	}
	name := func(v int) string { return fmt.Sprintf("%s%d", prefix, v) }
	Label(prefix)
	for v := most; v > 1; v-- {
		CMPQ(left, U32(uint32(64*v)))
		if v == most {
			JGE(LabelRef(name(v)))
		} else {
			JEQ(LabelRef(name(v)))
		}
	}
	for v := 1; v <= most; v++ {
		Label(name(v))
		last := r.tail
		if v == most { // more of the row may follow
			last = K()
			KMOVW(r.tail, last)
			compare(left, U32(uint32(64*v)), JEQ, LabelRef(name(v)+"end"))
			KXNORW(last, last, last)
			Label(name(v) + "end")
		}
		body(strip512{name(v), off, v, last})
		if v == most {
			ADDQ(U32(uint32(64*v)), off)
			SUBQ(U32(uint32(64*v)), left)
			JNZ(LabelRef(prefix))
		}
		if v < most {
			JMP(LabelRef(prefix + "done"))
		}
	}
	Label(prefix + "done")
}

// strip512 is some vectors at off, the last of which has a mask.
type strip512 struct {
	label string
	off   GPVirtual
	n     int
	last  OpmaskVirtual
}

func (s strip512) name() string            { return s.label }
func (s strip512) registers() []VecVirtual { return zmms(s.n) }
func (s strip512) scratch() []VecVirtual   { return zmms(s.n) }

func (s strip512) at(p GPVirtual, k int) Mem {
	return Mem{Base: p, Index: s.off, Scale: 1, Disp: 64 * k}
}

func (s strip512) load(p GPVirtual, v []VecVirtual) {
	loadAll(v[:s.n-1], s.at(p, 0), 4*lanes512)
	VMOVUPS_Z(s.at(p, s.n-1), s.last, v[s.n-1])
}

func (s strip512) multiplyAdd(op func(...Op), p GPVirtual, w VecVirtual, sums, scratch []VecVirtual) {
	if scratch != nil {
		s.load(p, scratch)
		for k, v := range scratch {
			op(v, w, sums[k])
		}
		return
	}
	for k := range s.n - 1 {
		op(s.at(p, k), w, sums[k])
	}
	op(s.at(p, s.n-1), w, s.last, sums[s.n-1])
}

func (s strip512) store(_ string, p GPVirtual, v []VecVirtual) {
	storeAll(v[:s.n-1], s.at(p, 0), 4*lanes512)
	VMOVUPS(v[s.n-1], s.last, s.at(p, s.n-1))
}

// scatter512 is scatter256 with vectors of 16 numbers.
func scatter512(weighted bool) {
	row := splitRow512()
	lists("delta", "deltaStride", func(from GPVirtual, l rowList) {
		row.strips("strip", mostOfRow, func(s strip) {
			d := s.registers()
			s.load(from, d)
			l.each(s.name(), func(p GPVirtual, weight Mem) {
				v := s.registers()
				s.load(p, v)
				if weighted {
					w := row.broadcast(weight)
					for k := range v {
						VFMADD231PS(d[k], w, v[k])
					}
				} else {
					for k := range v {
						VADDPS(d[k], v[k], v[k])
					}
				}
				s.store("", p, v)
			})
		})
	})
}

// multiply goes through n triples, and keeps most vectors of each of a triple's rows in registers.
func multiply(r rows, most int) {
	at, left := spill("triples"), spill("n")
	Label("triple")
	p := loaded(at)
	var rows []GPVirtual
	for k, name := range []string{"dst", "a", "b"} {
		row, ids, number := GP64(), param(name+"Rows"), GP64()
		MOVL(Mem{Base: p, Disp: 4 * k}, number.As32())
		rowAddress(row, Mem{Base: ids, Index: number, Scale: 4}, paramAt(name+"Stride"), paramAt(name))
		rows = append(rows, row)
	}
	w := r.broadcast(Mem{Base: p, Disp: 12})
	r.strips("strip", most, func(s strip) {
		x, y, sum := s.registers(), s.registers(), s.registers()
		s.load(rows[1], x)
		s.load(rows[2], y)
		s.load(rows[0], sum)
		for k := range sum {
			VMULPS(w, x[k], x[k])
			VFMADD231PS(y[k], x[k], sum[k])
		}
		s.store("", rows[0], sum)
	})
	advance(at, 16)
	again(left, LabelRef("triple"))
}
