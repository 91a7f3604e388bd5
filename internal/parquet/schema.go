package parquet

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Physical types.
const (
	aBool     = 0
	anInt32   = 1
	anInt64   = 2
	aFloat    = 4
	aDouble   = 5
	byteArray = 6

	fixedBytes = 7
)

const (
	required = 0
	optional = 1
	repeated = 2
)

// A node is a column or a group of columns.
type node struct {
	name     string
	column   int // index of a leaf; -1 of a group
	of       []*node
	is       message // the element of the schema
	kind     int64   // physical type of a leaf
	repeats  int64   // required, optional or repeated
	def, rep int     // largest levels of a value
}

// columns returns the columns within a node.
func (n *node) columns() (all []*node) {
	if n.column >= 0 {
		return []*node{n}
	}
	for _, child := range n.of {
		all = append(all, child.columns()...)
	}
	return all
}

// schemaOf returns the tree of a schema's elements, which are in depth-first order.
func schemaOf(elements []message) (root *node, leaves []*node, err error) {
	at := 0
	var read func(parent *node, depth int) (*node, error)
	read = func(parent *node, depth int) (*node, error) {
		if at >= len(elements) || depth > deepest {
			return nil, errInvalid
		}
		is := elements[at]
		at++
		n := &node{name: string(is.text(4)), is: is, column: -1, kind: is.number(1, -1), repeats: is.number(3, required)}
		if parent != nil {
			n.def, n.rep = parent.def, parent.rep
			if n.repeats != required {
				n.def++
			}
			if n.repeats == repeated {
				n.rep++
			}
		}
		children := is.number(5, 0)
		if children < 0 || children > int64(len(elements)-at) {
			return nil, errInvalid
		}
		if _, physical := is.find(1); physical && children == 0 {
			n.column = len(leaves)
			leaves = append(leaves, n)
		}
		for range children {
			child, err := read(n, depth+1)
			if err != nil {
				return nil, err
			}
			n.of = append(n.of, child)
		}
		return n, nil
	}
	root, err = read(nil, 0)
	if err == nil && at != len(elements) {
		err = errInvalid
	}
	return root, leaves, err
}

// isList reports whether a node is a list by the rules of the format, or a repeated value.
func (n *node) isList() bool {
	annotated := n.is.number(6, -1) == 3
	if logical, ok := n.is.message(10); ok {
		_, list := logical.find(3)
		annotated = annotated || list
	}
	return annotated && len(n.of) == 1 && n.of[0].repeats == repeated
}

// item returns what a list is a list of.
func (n *node) item() *node {
	inner := n.of[0]
	if len(inner.of) == 1 && inner.name != "array" && inner.name != n.name+"_tuple" {
		return inner.of[0]
	}
	return inner // older files have no group between
}

// names returns the names of columns below a node, as Column takes them.
func (n *node) names(prefix string) (all []string) {
	for _, child := range n.of {
		name := prefix + child.name
		for child.isList() {
			child = child.item()
		}
		if child.column >= 0 {
			all = append(all, name)
		} else {
			all = append(all, child.names(name+".")...)
		}
	}
	return all
}

// find returns the node at a path below n: a name may have dots of its own.
func (n *node) find(path string) *node {
	for n.isList() {
		n = n.item()
	}
	for _, child := range n.of {
		if child.name == path {
			return child
		}
		if rest, ok := strings.CutPrefix(path, child.name+"."); ok {
			if found := child.find(rest); found != nil {
				return found
			}
		}
	}
	return nil
}

// A Column is a column of texts, whole numbers or truth values, or of lists of these.
type Column struct {
	// Name is what the column is called; a.b is field b of the struct in column a.
	Name string
	// List says that each row has a list.
	List     bool
	file     *File
	leaf     *node
	list     int // definition level from which on a list has elements
	unsigned bool
}

// Column returns the column with a name, or with a number, counted from 1, if none has that name. An error lists the
// columns, or says what the column has instead.
func (f *File) Column(name string) (*Column, error) {
	c, err := f.column(name)
	if err != nil {
		return nil, err
	}
	return c, c.typed()
}

func (f *File) column(name string) (*Column, error) {
	n := f.root.find(name)
	if number, err := strconv.Atoi(name); n == nil && err == nil && number >= 1 && number <= len(f.root.of) {
		n = f.root.of[number-1]
		name = n.name
	}
	if n == nil {
		return nil, fmt.Errorf("no column is called %q: the table has %s", name, f.List())
	}
	c := &Column{Name: name, file: f}
	of := n
	for of.isList() {
		of = of.item()
	}
	if of.column < 0 {
		return nil, fmt.Errorf("column %q is a struct, and one of its fields is needed: %.300s", name, strings.Join(of.names(name+"."), ", "))
	}
	c.leaf, c.List = of, of.rep > 0
	if of.rep > 1 {
		return nil, fmt.Errorf("column %q has lists of lists, and a row may be one list", name)
	}
	if c.List {
		c.list = f.repeatedAt(of)
	}
	return c, nil
}

// Kinds returns the names of the columns that have a text in each row, and of those that have a list of fractions.
func (f *File) Kinds() (texts, lists []string) {
	for _, n := range f.root.of {
		c, err := f.column(n.name)
		switch {
		case err != nil:
		case c.List && c.fractionSize() > 0:
			lists = append(lists, n.name)
		case !c.List && c.Text() && c.typed() == nil:
			texts = append(texts, n.name)
		}
	}
	return texts, lists
}

// Names returns the names of all columns, without those within others.
func (f *File) Names() (names []string) {
	for _, n := range f.root.of {
		names = append(names, n.name)
	}
	return names
}

// List returns the names of all columns, for messages. A name is quoted if it would be misread.
func (f *File) List() string {
	const most = 300
	size, list := 0, f.root.names("")
	for i, name := range list {
		if quoted := strconv.Quote(name); name == "" || len(quoted) != len(name)+2 || strings.ContainsAny(name, " ,:") {
			list[i] = quoted
		}
		if size += len(list[i]) + 2; size > most {
			return strings.Join(append(list[:i], "…"), ", ")
		}
	}
	return strings.Join(list, ", ")
}

// repeatedAt returns the definition level of the repeated node above a leaf, or of the leaf.
func (f *File) repeatedAt(leaf *node) int {
	var search func(n *node) int
	search = func(n *node) int {
		if n == leaf {
			return n.def
		}
		for _, child := range n.of {
			if of := child.columns(); len(of) > 0 && of[0].column <= leaf.column && leaf.column <= of[len(of)-1].column {
				if child.repeats == repeated {
					return child.def
				}
				return search(child)
			}
		}
		return leaf.def
	}
	return search(f.root)
}

// typed finds out what values are, and refuses those that are not texts, whole numbers or truth values.
func (c *Column) typed() error {
	other := func(what string) error { return fmt.Errorf("column %q has %s, and no texts", c.Name, what) }
	converted := c.leaf.is.number(6, -1)
	logical := 0
	if of, ok := c.leaf.is.message(10); ok && len(of) > 0 {
		logical = of[0].id
		if logical == 10 {
			width, _ := of.message(10)
			c.unsigned = width.isFalse(2)
		}
	}
	switch c.leaf.kind {
	case byteArray:
		switch {
		case logical == 5 || converted == 5:
			return other("decimal numbers")
		case logical == 13 || converted == 20:
			return other("BSON")
		case logical > 15:
			return other("values of a type that is not known")
		}
		return nil
	case aBool:
		return nil
	case anInt32, anInt64:
		switch {
		case logical == 5 || converted == 5:
			return other("decimal numbers")
		case 6 <= logical && logical <= 8, 6 <= converted && converted <= 10:
			return other("dates or times")
		case logical == 11:
			return other("nothing but nulls")
		}
		c.unsigned = c.unsigned || 11 <= converted && converted <= 14
		return nil
	case aFloat, aDouble:
		return other("fractions")
	}
	return other("binary values of a fixed length or another type")
}

// Text reports whether values are texts, and neither numbers nor truth values.
func (c *Column) Text() bool { return c.leaf.kind == byteArray }

// width returns how many bits levels up to n have.
func width(n int) int { return bits.Len(uint(n)) }

var errEncrypted = errors.New("the table is encrypted, and cannot be read")
