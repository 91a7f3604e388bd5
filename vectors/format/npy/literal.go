package npy

import (
	"fmt"
	"strconv"
	"strings"
)

// A literal reads what Python prints of dictionaries, strings, tuples of numbers
// and truth, as the header of a .npy consists of. After an error everything is
// empty.
type literal struct {
	rest string
	err  error
}

func (p *literal) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.rest = ""
}

// peek returns the next character that is no space, 0 at the end.
func (p *literal) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

// has passes over text if it comes next.
func (p *literal) has(text string) bool {
	p.peek()
	rest, ok := strings.CutPrefix(p.rest, text)
	p.rest = rest
	return ok
}

func (p *literal) expect(text string) {
	if !p.has(text) {
		p.fail("expected %s, found %.20q", text, p.rest)
	}
}

// quoted reads a string, of which those that matter have no escapes.
func (p *literal) quoted() string {
	quote := p.peek()
	if quote != '\'' && quote != '"' {
		p.fail("expected a string, found %.20q", p.rest)
		return ""
	}
	text, rest, ok := strings.Cut(p.rest[1:], string(quote))
	if !ok {
		p.fail("expected the end of the string %.20q", p.rest)
		return ""
	}
	p.rest = rest
	return text
}

func (p *literal) boolean() bool {
	if p.has("True") {
		return true
	}
	p.expect("False")
	return false
}

// tuple reads numbers that are not negative, in brackets.
func (p *literal) tuple() []int64 {
	var numbers []int64
	p.expect("(")
	for p.err == nil && !p.has(")") {
		p.peek()
		end := 0
		for end < len(p.rest) && p.rest[end]-'0' <= 9 {
			end++
		}
		n, err := strconv.ParseInt(p.rest[:end], 10, 64)
		if err != nil {
			p.fail("expected a number, found %.20q", p.rest)
			break
		}
		p.rest = p.rest[end:]
		p.has("L") // of Python 2
		numbers = append(numbers, n)
		if !p.has(",") && p.peek() != ')' {
			p.fail("expected a comma or ), found %.20q", p.rest)
		}
	}
	return numbers
}
