package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/fileuse"
)

// A role says once what a flag or an argument of text is: what the command does with the files that it
// names, and how a shell completes it. Checks of all commands are made of roles.
type role struct {
	called   string // the argument in messages
	use      fileuse.Use
	paths    func(c *cobra.Command, value string) []string // that a value names; nil if it names no files
	complete cobra.CompletionFunc
	// model says that what is written is a model, of the format that the flag of that name says.
	model    bool
	toFormat string
	// updates are roles of files that the command has read before it replaces them.
	updates []any
	// extensions are those of the only form that what is written has, if it is named without a flag.
	extensions []string
}

// words is the role of a value that names no file.
var words = role{complete: cobra.NoFileCompletions}

func reads(complete cobra.CompletionFunc) role {
	return role{use: fileuse.Reads, paths: asNamed, complete: complete}
}

// readsModel is the role of a model, with the files beside it.
func readsModel() role {
	return role{called: "the model", use: fileuse.Reads, paths: filesOfModel, complete: files(modelExtensions()...)}
}

// lists is the role of files, folders and globs of which all is read.
func lists(complete cobra.CompletionFunc) role {
	return role{use: fileuse.Lists, paths: expanded, complete: complete}
}

func writes(complete cobra.CompletionFunc) role {
	return role{use: fileuse.Writes, paths: asNamed, complete: complete}
}

// writesModel is the role of a model whose format the flag of that name says, or else its extension.
func writesModel(toFormat string) role {
	return role{use: fileuse.Writes, paths: asNamed, complete: files(modelExtensions()...), model: true, toFormat: toFormat}
}

func (r role) as(called string) role { r.called = called; return r }

// flagRoles has the roles of flags by their names, and of those of one command or group by its name too.
var flagRoles = map[string]role{
	"align output":        writesModel("to"),
	"train output":        writesModel("format").updating("--init"), // the vectors to start from are in memory when the model is written
	"sweep output":        {use: fileuse.Keeps, paths: asNamed, complete: folders},
	"phrases output":      writes(files(textExtensions()...)),
	"kmers output":        writes(files(textExtensions()...)),
	"walk output":         writes(files(textExtensions()...)),
	"plot output":         writes(files("svg", "png")),
	"answers":             writes(files("tsv")),
	"checkpoint":          writesModel("").updating("--resume"), // the next checkpoint of the same run
	"html":                writes(files("html")),
	"log-json":            writes(files()),
	"save-graph":          writes(files()),
	"save-vocab":          writes(files()),
	"write":               {use: fileuse.Writes, paths: builtinFiles, complete: folders},
	"write-table":         writes(files()),
	"cache":               {use: fileuse.Keeps, paths: asNamed, complete: folders},
	"init":                readsModel().as(""),
	"resume":              readsModel().as(""),
	"among":               reads(files()),
	"connector-words":     reads(files()),
	"dictionary":          reads(files(setExtensions()...)),
	"test-dictionary":     reads(files(setExtensions()...)),
	"exclude":             reads(files()),
	"font":                reads(files("ttf", "otf", "ttc")),
	"metadata":            {use: fileuse.Reads, paths: fileOrNamed, complete: files("tsv")},
	"table":               reads(files()),
	"tokenizer":           {use: fileuse.Reads, paths: fileOrNamed, complete: files("json")},
	"vocab":               reads(files()),
	"words":               reads(files()),
	"token-file":          reads(files()),
	"scores":              reads(files()),
	"tls-cert":            reads(files("pem", "crt", "key")),
	"tls-key":             reads(files("pem", "crt", "key")),
	"log":                 lists(files()),
	"validate":            {use: fileuse.Lists, paths: unlessNumber, complete: files(textExtensions()...)},
	"eval":                lists(files(setExtensions()...)),
	"sets":                lists(files(setExtensions()...)).as("the set"),
	"quantize similarity": reads(files(setExtensions()...)),
	"quantize analogy":    reads(files(setExtensions()...)),
	"plot analogy":        words,
	"allow-host":          words,
	"bootstrap-words":     words,
	"color":               words,
	"cors-origin":         words,
	"delimiter":           words,
	"from":                words,
	"group-by":            words,
	"split":               words,
	"json-field":          words,
	"listen":              words,
	"lowercase":           words,
	"negative":            words,
	"phrase-connectors":   words,
	"phrase-delimiter":    words,
	"pooling":             words,
	"positive":            words,
	"scale":               words,
	"special-tokens":      words,
	"steps":               words,
	"title":               words,
}

func (r role) updating(what ...any) role { r.updates = what; return r }

// flagRole returns the role of a flag, if it has one.
func flagRole(c *cobra.Command, f *pflag.Flag) (role, bool) {
	for of := c; of.HasParent(); of = of.Parent() {
		if r, ok := flagRoles[of.Name()+" "+f.Name]; ok {
			return r, true
		}
	}
	r, ok := flagRoles[f.Name]
	return r, ok
}

// argumentRoles returns the roles of a command's arguments in turn; the last one is that of all that follow.
func argumentRoles(c *cobra.Command) []role {
	model, sets := readsModel(), lists(files(setExtensions()...)).as("the set")
	text := lists(files(textExtensions()...)).as("the corpus")
	switch strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") {
	case "walk":
		return []role{lists(files("tsv", "txt", "edges", "edg", "graph", "gz", "zst", "bz2", "xz")).as("the corpus")}
	case "kmers":
		return []role{lists(files("fa", "fasta", "fna", "faa", "fastq", "fq", "gz", "zst", "bz2", "xz")).as("the corpus")}
	case "train", "vocab", "phrases":
		return []role{text}
	case "eval", "eval similarity", "eval analogy", "eval relation", "plot frequency":
		sets.paths = setsOrModels // models behind --runs
		return []role{model, sets}
	case "compare":
		model.use, model.paths = fileuse.Lists, setsOrModels
		return []role{model.as("the model or set")}
	case "nn", "similarity", "analogy", "vector", "doesnt-match", "ngrams", "plot map", "plot heatmap", "info", "eval builtin":
		return []role{model, words}
	case "sentence":
		return []role{model, reads(files(textExtensions()...)).as("the text")}
	case "diff", "query":
		return []role{model, model, words}
	case "align":
		return []role{model.as("A"), model.as("B"), words}
	case "convert":
		return []role{model.as("IN"), writesModel("to").as("OUT"), words}
	case "quantize", "factorize":
		return []role{model.as("IN"), writesModel("").as("OUT"), words}
	case "serve", "plot scree":
		model.paths = namedModel
		return []role{model}
	case "plot training":
		return []role{reads(files("jsonl", "json", "log")).as("the log")}
	case "export-explorer":
		model.paths = namedModel
		page := writes(files("html")).as("OUT.html")
		page.extensions = []string{".html", ".htm"}
		return []role{model, page, words}
	case "sweep":
		return []role{reads(files("toml")).as("CONFIG"), words}
	case "demo", "version", "completion":
		return []role{words}
	}
	return nil
}
