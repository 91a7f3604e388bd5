package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/machine"
)

// A report is what was counted, as JSON.
type report struct {
	Machine machine.Machine `json:"machine"`
	Command []string        `json:"command"`
	Corpus  string          `json:"corpus"`
	Tokens  uint64          `json:"tokens"`
	Words   int             `json:"words"`
	Trials  []counted       `json:"trials"`
	Fit     *fit            `json:"fit,omitempty"`

	Predictions []prediction `json:"predictions,omitempty"`
}

// A counted is a trial as JSON.
type counted struct {
	Threads        int           `json:"threads"`
	Sharing        string        `json:"sharing"`
	Domains        int           `json:"domains"`
	Sockets        int           `json:"sockets"`
	Blocks         int           `json:"blocks"`
	TokensPerBlock float64       `json:"tokens_per_block"`
	CopiedRows     int           `json:"copied_rows"`
	Rows           []countedRows `json:"rows"`
}

// A countedRows is how many rows a block used, by where they came from.
type countedRows struct {
	Kind   string  `json:"kind"`
	First  int     `json:"first_rank"`
	Own    float64 `json:"own"`
	Memory float64 `json:"memory"`
	Near   float64 `json:"near"`
	Far    float64 `json:"far"`
	Across float64 `json:"across"`
}

// Ways in which threads share rows.
const (
	hogwild = "hogwild"
	copies  = "copies"
)

// sharing names how the threads of a trial share rows.
func (t *trial) sharing() string {
	if t.config.Sharing == hogwild {
		return hogwild
	}
	return copies
}

// json returns the trial for a report.
func (t *trial) json() counted {
	c := counted{
		Threads: t.config.Threads, Sharing: t.sharing(), Domains: t.on.Domains, Sockets: t.on.Sockets,
		Blocks: t.blocks, TokensPerBlock: t.tokens, CopiedRows: t.copied,
	}
	for k := range kinds {
		for d := range decades {
			c.Rows = append(c.Rows, countedRows{
				Kind: kindNames[k], First: firstRank(d),
				Own: t.ofDecade(k, d, own), Memory: t.ofDecade(k, d, memory), Near: t.ofDecade(k, d, near),
				Far: t.ofDecade(k, d, far), Across: t.ofDecade(k, d, across),
			})
		}
	}
	return c
}

// firstRank is the rank of the most frequent word of a decade: 1, 11, 101 and so on.
func firstRank(decade int) int {
	if decade == 0 {
		return 1
	}
	first := 1
	for range decade {
		first *= 10
	}
	return first + 1
}

// ranks names a decade.
func ranks(decade int) string {
	if decade == decades-1 {
		return fmt.Sprintf("%d and rarer", firstRank(decade))
	}
	return fmt.Sprintf("%d–%d", firstRank(decade), firstRank(decade+1)-1)
}

// lines is how many cache lines a row of so many dimensions has.
func lines(dim int) float64 { return float64((4*dim + 63) / 64) }

// cell shows a number of rows or lines.
func cell(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.IsNaN(x), math.IsInf(x, 0): // nothing moved
		return ""
	}
	return figures.Significant(x)
}

// movedTable shows what moves for a block, between any two cores and between caches of several cores.
func movedTable(trials []*trial, dim int) string {
	head := []string{"threads", "sharing", "from", "inputs", "outputs", "meetings", "rows", fmt.Sprintf("lines, dim %d", dim)}
	table := figures.Table{head}
	for _, t := range trials {
		for _, from := range t.origins() {
			cells := []string{fmt.Sprint(t.config.Threads), t.sharing(), from.name}
			for k := range kinds {
				cells = append(cells, cell(t.rows(k, from.distances...)))
			}
			rows := t.all(from.distances...)
			table = append(table, append(cells, cell(rows), cell(rows*lines(dim))))
		}
	}
	return table.Markdown()
}

// An origin is where rows come from.
type origin struct {
	name      string
	distances []distance
}

// origins returns the origins that a table tells apart. If each core is a domain of its own, or there is one
// domain, all are the first one.
func (t *trial) origins() []origin {
	all := []origin{{"another core", []distance{near, far, across}}}
	m := t.on
	if m.Domains == 1 || m.Domains == m.Cores {
		return all
	}
	all = append(all,
		origin{fmt.Sprintf("another of %d dies", m.Domains), []distance{far, across}},
		origin{"another core of the die", []distance{near}})
	if m.Sockets > 1 {
		all = append(all, origin{"another socket", []distance{across}})
	}
	return all
}

// rankTables show rows that move for a block, by the rank of their words: between dies if there are several.
func rankTables(trials []*trial) string {
	var all strings.Builder
	for i, t := range trials {
		j := slices.IndexFunc(trials, func(x *trial) bool { return x.config.Threads == t.config.Threads })
		if i != j {
			continue
		}
		from, name := []distance{far, across}, "another die"
		if t.on.Domains == 1 {
			from, name = []distance{near, far, across}, "another core"
		}
		table := figures.Table{{fmt.Sprintf("%d threads, rows from %s", t.config.Threads, name)}}
		for d := range decades {
			table = append(table, []string{ranks(d)})
		}
		for _, x := range trials {
			if x.config.Threads != t.config.Threads {
				continue
			}
			for k := range kinds {
				if k == meetings && x.sharing() == hogwild {
					continue
				}
				table[0] = append(table[0], kindNames[k]+", "+x.sharing())
				for d := range decades {
					table[d+1] = append(table[d+1], cell(x.ofDecade(k, d, from...)))
				}
			}
		}
		all.WriteString("\n" + table.Markdown())
	}
	return all.String()
}

// fewerTable compares copies with Hogwild.
func fewerTable(trials []*trial) string {
	table := figures.Table{{"threads", "rows with copies", "× fewer rows from another core", "× fewer from another die"}}
	for _, t := range trials {
		for _, other := range trials {
			if t.sharing() == hogwild || other.sharing() != hogwild || t.config.Threads != other.config.Threads {
				continue
			}
			table = append(table, []string{
				fmt.Sprint(t.config.Threads), fmt.Sprint(t.copied),
				cell(other.all(near, far, across) / t.all(near, far, across)),
				cell(other.all(far, across) / t.all(far, across)),
			})
		}
	}
	return table.Markdown()
}
