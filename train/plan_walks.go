package train

import (
	"cmp"
	"context"
	"io"
	"math"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vocab"
)

// walk makes walks over a sample of a graph, which is text that a corpus of them reads like.
func (e *planner) walk(ctx context.Context, r *run, c Corpus, g *growth) (*corpus.Source, float64, error) {
	w, plan := c.walks, e.plan
	read, walks := w.read, w.walks
	read.Note, read.Planned, read.Progress, read.Output = nil, nil, nil, ""
	perNode := cmp.Or(walks.PerNode, graph.DefaultPerNode) * max(1, c.epochs)
	plan.Reached = 1
	if c.fresh {
		perNode = cmp.Or(walks.PerNode, graph.DefaultPerNode) * cmp.Or(r.options.Settings.Model.Epochs, sgns.UsualEpochs)
	}
	names, in := w.names, func() io.Reader { return nil }
	if len(w.names) == 1 && graph.IsGraph(w.names[0]) {
		of, err := graph.Open(w.names[0])
		if err != nil {
			return nil, 0, err
		}
		plan.Whole, plan.Nodes, plan.Edges, plan.Graph = true, of.Nodes(), of.Edges(), of.Bytes()
		if err := of.Close(); err != nil {
			return nil, 0, err
		}
	} else {
		edges, err := corpus.FilesContext(ctx, w.names, nil, corpus.Options{})
		if err != nil {
			return nil, 0, err
		}
		drawn, err := edges.Draw(ctx, cmp.Or(e.options.Text, planText))
		if err != nil {
			return nil, 0, err
		}
		if err := e.nodes(ctx, drawn, read); err != nil {
			return nil, 0, err
		}
		plan.Reached = drawn.Reached
		if !drawn.Whole {
			names, in = []string{"-"}, func() io.Reader { return drawn.Text(ctx, len(drawn.Weights)) }
		}
	}
	walks.Seed, walks.PerNode = cmp.Or(walks.Seed, r.settings.Model.Seed), 1
	open := func() (*corpus.Source, error) { return graph.Corpus(ctx, names, in(), read, walks) }
	source, err := open()
	if err != nil {
		return nil, 0, err
	}
	v, err := vocab.Count(ctx, source, vocab.Options{Threads: r.settings.Model.Threads, Force: true})
	if err != nil {
		return nil, 0, err
	}
	for id, token := range v.Tokens() {
		g.counts[token] = v.Count(id)
		g.text += len(token)
	}
	g.tokens, g.frequent, g.kept = v.Total(), v.Len(), v.Total()
	g.mark()
	plan.Nodes = max(plan.Nodes, v.Len())
	each := float64(v.Total()) / float64(v.Len()) // nodes of a walk
	if !w.read.Directed {                         // every node has a way on
		each = float64(cmp.Or(walks.Length, graph.DefaultLength))
	}
	source, err = open()
	return source, each * float64(plan.Nodes) * float64(perNode), err
}

// nodes estimates the nodes and edges of a graph: from the nodes of three samples of its edges, of which each has twice as
// many pieces as the one before it.
func (e *planner) nodes(ctx context.Context, drawn *corpus.Draw, read graph.ReadOptions) error {
	plan := e.plan
	var points []grown
	weight := 0.0
	n := len(drawn.Weights)
	from := max(1, n/16)
	if drawn.Whole {
		from = n
	}
	for _, w := range drawn.Weights {
		weight += w / float64(n)
	}
	for ; ; from = min(n, 2*from) {
		cpu := sysinfo.CPUTime()
		g, err := graph.Load(ctx, []string{"-"}, drawn.Text(ctx, from), read)
		if err != nil {
			return err
		}
		took := (sysinfo.CPUTime() - cpu).Seconds()
		lines, nodes := float64(g.Lines()), float64(g.Nodes())
		points = append(points, grown{tokens: lines, words: nodes})
		if from == n {
			of := growth{points: points}
			edges := lines * weight
			plan.Whole, plan.Edges = drawn.Whole, uint64(edges)
			plan.Nodes = int(math.Round(of.at(edges, func(p grown) float64 { return p.words })))
			plan.Graph = uint64(float64(g.Bytes()) * edges / max(1, lines))
			e.loading, e.count = took, took*edges/max(1, lines)
			return g.Close()
		}
		if err := g.Close(); err != nil {
			return err
		}
	}
}
