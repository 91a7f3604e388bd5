package demo

import (
	"fmt"
	"strings"
)

// maxCopies is how many entities of one table a line may speak of.
const maxCopies = 2

// A slot stands for a word of an entity: {animal} is the first column of an
// animal's row, {animal.plural} another one, {animal2} another animal.
type slot struct {
	entity int // table index times maxCopies plus the copy
	column int
}

// A node is a literal word, or a choice between sequences when it has options,
// or else a slot.
type node struct {
	word    string
	options [][]node
	slot    slot
}

// A sentence is a compiled template.
type sentence struct {
	nodes []node
	// sparse lists its slots of columns that are empty in some rows: the
	// sentence can only be said of an entity that has them all.
	sparse []slot
}

// A grammar compiles templates. They are part of the program, so a mistake in
// one is a bug.
type grammar struct {
	lexicon *lexicon
	phrases *table
}

func newGrammar(lex *lexicon) *grammar {
	return &grammar{lexicon: lex, phrases: parseTable(phraseRows)}
}

func (g *grammar) compile(template string) sentence {
	p := parser{grammar: g, rest: template}
	nodes := p.sequence()
	if p.rest != "" {
		panic(fmt.Sprintf("demo: template %q is not understood from %q", template, p.rest))
	}
	return sentence{nodes, p.sparse}
}

type parser struct {
	grammar *grammar
	rest    string
	sparse  []slot
}

// sequence reads up to the end of the template or of the alternative.
func (p *parser) sequence() []node {
	var nodes []node
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		if p.rest == "" {
			return nodes
		}
		switch p.rest[0] {
		case '|', ')':
			return nodes
		case '(':
			nodes = append(nodes, p.choice())
		case '<':
			nodes = append(nodes, p.phrase(p.quoted('>')))
		case '{':
			nodes = append(nodes, node{slot: p.slot(p.quoted('}'))})
		default:
			end := strings.IndexAny(p.rest, " |)({<")
			if end < 0 {
				end = len(p.rest)
			}
			nodes = append(nodes, node{word: p.rest[:end]})
			p.rest = p.rest[end:]
		}
	}
}

func (p *parser) choice() node {
	var n node
	for {
		p.rest = p.rest[1:]
		n.options = append(n.options, p.sequence())
		if p.rest == "" {
			panic("demo: template has an open parenthesis")
		}
		if p.rest[0] == ')' {
			p.rest = p.rest[1:]
			return n
		}
	}
}

func (p *parser) quoted(end byte) string {
	i := strings.IndexByte(p.rest, end)
	if i < 0 {
		panic(fmt.Sprintf("demo: template has an open bracket in %q", p.rest))
	}
	name := p.rest[1:i]
	p.rest = p.rest[i+1:]
	return name
}

func (p *parser) phrase(name string) node {
	for _, row := range p.grammar.phrases.rows {
		if row[0][0] != name {
			continue
		}
		var n node
		for _, words := range row[1] {
			n.options = append(n.options, p.grammar.compile(words).nodes)
		}
		return n
	}
	panic(fmt.Sprintf("demo: no phrase %q", name))
}

func (p *parser) slot(name string) slot {
	entity, column, hasColumn := strings.Cut(name, ".")
	second := strings.HasSuffix(entity, "2")
	index := p.grammar.lexicon.index(strings.TrimSuffix(entity, "2"))
	s := slot{entity: index * maxCopies}
	if second {
		s.entity++
	}
	t := p.grammar.lexicon.tables[index]
	if hasColumn {
		s.column = t.column(column)
	}
	for _, row := range t.rows {
		if len(row[s.column]) == 0 {
			p.sparse = append(p.sparse, s)
			break
		}
	}
	return s
}
