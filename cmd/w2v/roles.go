package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/fasttext"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/fileuse"
	"github.com/w2v-go/w2v/internal/parquet"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/vectors/format"
)

// A role says what a command does with the files that a flag or argument names, and how a shell completes it.
type role struct {
	called   string // the argument in messages
	use      fileuse.Use
	paths    func(c *cobra.Command, value string) []string // that a value names; nil if it names no files
	complete cobra.CompletionFunc
	// model says that the output is a model. The flag named toFormat sets its format.
	model    bool
	toFormat string
	// updates lists roles of files that this output may replace, because the command has read them before.
	updates []any
	// replacedUnless is a flag of the command. Unless it is given, the file that is read is replaced too.
	replacedUnless string
	// matrix says that the output may be a matrix of numpy, which replaces one that has no words beside it: that is no model.
	matrix bool
	// extensions are the extensions of the output's only form, if no flag sets a format.
	extensions []string
}

var words = role{complete: cobra.NoFileCompletions}

func reads(complete cobra.CompletionFunc) role {
	return role{use: fileuse.Reads, paths: asNamed, complete: complete}
}

func readsModel() role {
	return role{called: "the model", use: fileuse.Reads, paths: filesOfModel, complete: files(modelExtensions()...)}
}

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

func (r role) naming(paths func(*cobra.Command, string) []string) role { r.paths = paths; return r }

// flagRoles has the roles of flags that name files; those of one command or group have its name before theirs.
var flagRoles = map[string]role{
	"align output":        writesModel("to"),
	"merge output":        writesModel("to"),
	"pairs output":        writesModel("format"),
	"distill output":      writesModel("format"),
	"train output":        writesModel("format").updating("--init"), // the vectors to start from are in memory when the model is written
	"sweep output":        {use: fileuse.Keeps, paths: asNamed, complete: folders},
	"lessons output":      {use: fileuse.Keeps, paths: asNamed, complete: folders},
	"sweep":               reads(files("jsonl")),
	"phrases output":      writes(files(textExtensions()...)),
	"kmers output":        writes(files(textExtensions()...)),
	"walk output":         writes(files(textExtensions()...)),
	"index output":        writes(files("index")),
	"dedup output":        writes(files(append(textExtensions(), "tsv", "csv", "jsonl")...)),
	"model":               readsModel().as(""),
	"plot output":         writes(files("svg", "png")),
	"answers":             writes(files("tsv")),
	"checkpoint":          writesModel("").updating("--resume"), // the next checkpoint of the same run
	"against":             readsModel(),
	"html":                writes(files("html")),
	"log-json":            writes(files()),
	"save-graph":          writes(files()),
	"save-vocab":          writes(files()),
	"write":               {use: fileuse.Writes, paths: builtinFiles, complete: folders},
	"write-table":         writes(files()),
	"cache":               {use: fileuse.Keeps, paths: asNamed, complete: folders},
	"epoch-models":        {use: fileuse.Keeps, paths: asNamed, complete: folders},
	"init":                readsModel().as(""),
	"resume":              readsModel().as("").replacing("checkpoint"),
	"among":               reads(files()),
	"connector-words":     reads(files()),
	"dictionary":          reads(files(setExtensions()...)),
	"test-dictionary":     reads(files(setExtensions()...)),
	"exclude":             reads(files()),
	"index":               {use: fileuse.Reads, paths: fileOrNamed, complete: files("index")},
	"font":                reads(files("ttf", "otf", "ttc")),
	"metadata":            {use: fileuse.Reads, paths: fileOrNamed, complete: files("tsv")},
	"table":               reads(files()),
	"phrase-table":        reads(files()),
	"tokenizer":           {use: fileuse.Reads, paths: fileOrNamed, complete: files("json")},
	"vocab":               reads(files()),
	"words":               reads(files()),
	"token-file":          reads(files()),
	"scores":              reads(files()),
	"tls-cert":            reads(files("pem", "crt", "key")),
	"tls-key":             reads(files("pem", "crt", "key")),
	"log":                 lists(files()),
	"validate":            {use: fileuse.Lists, paths: unlessNumber, complete: files(textExtensions()...)},
	"validation":          lists(files(textExtensions()...)),
	"eval":                lists(files(setExtensions()...)),
	"sets":                lists(files(setExtensions()...)).as("the set"),
	"quantize similarity": reads(files(setExtensions()...)),
	"quantize analogy":    reads(files(setExtensions()...)),

	"distill texts":    lists(files(append(textExtensions(), "tsv", "csv", "jsonl", "ndjson", "parquet")...)).as("the texts"),
	"distill vectors":  reads(files("npy", "parquet")).as("the vectors"),
	"distill validate": words,

	"tokenizer train output":  writes(files("json")),
	"classify train output":   writesModel("format").updating("--init"),
	"classify tune output":    writesModel("format").updating("--init"),
	"tune output":             writesModel("format"),
	"embed output":            {use: fileuse.Writes, paths: asNamed, complete: files("npy", "jsonl", "parquet"), matrix: true},
	"classify predict output": writes(files(append(textExtensions(), "tsv", "csv", "jsonl")...)),
}

func (r role) replacing(unless string) role { r.replacedUnless = unless; return r }
func (r role) updating(what ...any) role    { r.updates = what; return r }

func flagRole(c *cobra.Command, f *pflag.Flag) role {
	for of := c; of.HasParent(); of = of.Parent() {
		if r, ok := flagRoles[pathBelow(of)+" "+f.Name]; ok {
			return r
		}
	}
	if r, ok := flagRoles[f.Name]; ok {
		return r
	}
	return words
}

// rolesOfArguments are the roles of commands' arguments in turn; the last one is that of all that follow.
var rolesOfArguments = []struct {
	commands string
	roles    []role
}{
	{"walk", []role{lists(files("tsv", "txt", "edges", "edg", "graph", "gz", "zst", "bz2", "xz")).as("the corpus")}},
	{"kmers", []role{lists(files("fa", "fasta", "fna", "faa", "fastq", "fq", "gz", "zst", "bz2", "xz")).as("the corpus")}},
	{"tokenizer encode, tokenizer decode, tokenizer info", []role{reads(files("json")).as("the tokenizer"), lists(files(textExtensions()...)).as("the text")}},
	{"train, tune, classify train, classify tune, vocab, phrases, tokenizer train", []role{lists(files(textExtensions()...)).as("the corpus")}},
	{"eval, eval similarity, eval analogy, eval relation, eval retrieval, plot frequency", []role{readsModel(), lists(files(setExtensions()...)).as("the set").naming(setsOrModels)}}, // models behind --runs
	{"compare", []role{{called: "the model or set", use: fileuse.Lists, paths: setsOrModels, complete: files(modelExtensions()...)}}},
	{"nn, similarity, analogy, vector, doesnt-match, ngrams, plot map, plot heatmap, info, eval builtin", []role{readsModel(), words}},
	{"index, dedup", []role{readsModel(), lists(files(append(textExtensions(), "tsv", "csv", "jsonl", "ndjson", "parquet")...)).as("the text")}},
	{"search", []role{readsModel().as("the index"), words}},
	{"pairs", []role{lists(files("tsv", "csv", "jsonl", "ndjson", "parquet", "gz", "zst", "bz2", "xz")).as("the pairs")}},
	{"classify predict, classify test", []role{readsModel(), lists(files(append(textExtensions(), "tsv", "csv", "jsonl", "ndjson")...)).as("the text")}},
	{"embed", []role{readsModel(), lists(files(append(textExtensions(), "tsv", "csv", "jsonl", "ndjson", "parquet")...)).as("the text")}},
	{"classify answer", []role{readsModel()}},
	{"classify calibrate", []role{readsModel(), lists(files(append(textExtensions(), "tsv", "jsonl", "ndjson")...)).as("the text")}},
	{"classify explain", []role{readsModel(), words}},
	{"sentence", []role{readsModel(), reads(files(textExtensions()...)).as("the text")}},
	{"diff, query", []role{readsModel(), readsModel(), words}},
	{"align", []role{readsModel().as("A"), readsModel().as("B"), words}},
	{"merge", []role{readsModel()}},
	{"convert", []role{readsModel().as("IN"), writesModel("to").as("OUT"), words}},
	{"quantize, factorize", []role{readsModel().as("IN"), writesModel("").as("OUT"), words}},
	{"serve, plot scree", []role{readsModel().naming(namedModel)}},
	{"lessons", []role{readsModel().naming(namedModel), words}},
	{"plot training", []role{reads(files("jsonl", "json", "log")).as("the log")}},
	{"export-explorer", []role{readsModel().naming(namedModel), {called: "OUT.html", use: fileuse.Writes, paths: asNamed, complete: files("html"), extensions: []string{".html", ".htm"}}, words}},
	{"sweep", []role{reads(files("toml")).as("CONFIG"), words}},
	{"demo, version, completion, distill", []role{words}},
}

// pathBelow returns the names of a command and of the groups that it is in, without the program's.
func pathBelow(c *cobra.Command) string {
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
}

func argumentRoles(c *cobra.Command) []role {
	path := pathBelow(c)
	for _, of := range rolesOfArguments {
		if slices.Contains(strings.Split(of.commands, ", "), path) {
			return of.roles
		}
	}
	return nil
}

func asNamed(_ *cobra.Command, value string) []string { return []string{value} }

// filesOfModel are the file or folder of a model, and the files beside it that belong to it.
func filesOfModel(_ *cobra.Command, value string) []string {
	all := []string{value}
	for _, f := range format.All() {
		if d, err := format.Describe(f); err != nil || d.Folder || !d.Several {
			continue
		}
		if parts, err := format.TargetFiles(value, f); err == nil {
			all = append(all, parts[1:]...)
		}
	}
	return all
}

func namedModel(c *cobra.Command, value string) []string {
	_, path := nameAndPath(value)
	return filesOfModel(c, path)
}

func fileOrNamed(_ *cobra.Command, value string) []string {
	_, path := nameAndPath(value)
	return []string{path}
}

func expanded(_ *cobra.Command, value string) []string {
	if _, err := os.Stat(value); err == nil {
		return []string{value}
	}
	found, _ := filepath.Glob(value) // reading reports errors
	return found
}

// setsOrModels are the files of a model, or of what may be a glob of sets.
func setsOrModels(c *cobra.Command, value string) []string {
	return append(expanded(c, value), filesOfModel(c, value)...)
}

// unlessNumber is expanded for what may be a fraction.
func unlessNumber(c *cobra.Command, value string) []string {
	if _, err := decimal.Float(value); err == nil {
		return nil
	}
	return expanded(c, value)
}

type stated struct {
	role
	value string
}

func statements(c *cobra.Command, args []string) (all []stated) {
	if c.Name() == "fasttext" {
		return fastTextStatements(args)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		r := flagRole(c, f)
		for _, value := range valuesOf(f) {
			all = append(all, stated{r.as(cmp.Or(r.called, "--"+f.Name)), value})
		}
	})
	if roles := argumentRoles(c); len(roles) > 0 {
		for i, value := range args {
			all = append(all, stated{roles[min(i, len(roles)-1)], value})
		}
	}
	return all
}

func valuesOf(f *pflag.Flag) []string {
	switch v := f.Value.(type) {
	case pflag.SliceValue:
		return v.GetSlice()
	case *pathsFlag:
		return v.first
	case *enum:
		if slices.Contains(v.values(), v.given) {
			return nil
		}
		return []string{v.given}
	}
	return []string{f.Value.String()}
}

func fastTextStatements(args []string) (all []stated) {
	if len(args) < 2 {
		return nil
	}
	if !slices.Contains(fasttext.Architectures(), args[0]) {
		return []stated{{readsModel(), args[1]}}
	}
	input, pretrained, output := lists(nil).as("-input"), readsModel().as("-pretrainedVectors"), writesModel("").as("-output")
	for i := 1; i+1 < len(args); i++ {
		value := args[i+1]
		switch args[i] {
		case "-input":
			all = append(all, stated{input, value})
		case "-pretrainedVectors":
			all = append(all, stated{pretrained, value})
		case "-output":
			all = append(all, stated{output, value + ".bin"}, stated{output, value + ".vec"})
		}
	}
	return all
}

// checkFiles rejects a command line that would replace a file that it reads, write a file for two purposes,
// or replace a model by something else. It locks the output files. It is called before every command.
func checkFiles(c *cobra.Command, s streams, args []string) error {
	var all []fileuse.Place
	said, stdin := statements(c, args), "standard input"
	for _, of := range said {
		switch {
		case of.paths == nil || of.value == "":
		case of.value != "-":
			all = append(all, of.places(c)...)
		case of.use <= fileuse.Lists:
			stdin = of.called
		}
	}
	standard := func(role string, stream any, use fileuse.Use) {
		if file, ok := stream.(*os.File); ok {
			all = append(all, fileuse.Place{Role: role, Open: file, Use: use})
		}
	}
	standard(stdin, s.in, fileuse.Reads)
	standard("standard output", behind(s.out), fileuse.Writes)
	standard("standard error", behind(s.err), fileuse.Writes)
	if conflict := fileuse.Check(all); conflict != nil {
		return misuse(fmt.Errorf(conflict.Format, conflict.Args...))
	}
	for _, of := range said {
		if err := of.checkReplaced(c); err != nil {
			return misuse(err)
		}
	}
	return s.written.lock(c, s.err, said)
}

// behind returns the standard stream behind the writers that run has added.
func behind(w io.Writer) io.Writer {
	switch w := w.(type) {
	case *output:
		return w.w
	case *messages:
		return w.w
	}
	return w
}

func (of stated) places(c *cobra.Command) (all []fileuse.Place) {
	for _, path := range of.paths(c, of.value) {
		p := fileuse.Place{Role: of.called, Path: path, Use: of.use, Updates: of.updates}
		parts := []string{path}
		if of.model {
			f, err := outputFormat(path, of.format(c), false)
			several, errParts := format.TargetFiles(path, f)
			if err == nil && errParts == nil {
				parts = several
				if d, err := format.Describe(f); err == nil && d.Folder {
					whole := p
					whole.Use = fileuse.Replaces
					all = append(all, whole)
				}
			}
		}
		for _, p.Path = range parts {
			all = append(all, p)
		}
	}
	return all
}

// format is what the command line says of the format of a model that is written; empty for nothing.
func (of stated) format(c *cobra.Command) string {
	if of.toFormat == "" {
		return ""
	}
	return c.Flags().Lookup(of.toFormat).Value.String()
}

// trainsVectors reports whether the command is w2v train.
func trainsVectors(c *cobra.Command) bool { return c.Name() == "train" && c.Parent() == c.Root() }

// writtenFiles are locked while a command runs, so no other process writes the same file.
type writtenFiles struct{ locks []*atomicfile.Lock }

func (w *writtenFiles) lock(c *cobra.Command, stderr io.Writer, said []stated) error {
	if w == nil || trainsVectors(c) || c.Name() == "fasttext" { // training locks its files on one rank; nil locks nothing
		return nil
	}
	for _, of := range said {
		other := c.Flags().Lookup(of.replacedUnless)
		if of.use != fileuse.Writes && (other == nil || other.Changed) || of.paths == nil || of.value == "" || of.value == "-" {
			continue
		}
		paths := of.paths(c, of.value)
		if of.use != fileuse.Writes {
			paths = []string{of.value} // a checkpoint is one file
		}
		for _, path := range paths {
			lock, err := atomicfile.NewLock(path)
			if none, ok := errors.AsType[*atomicfile.NoLockError](err); ok {
				if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) { // writing reports these errors
					fmt.Fprintf(stderr, "note: %v\n", none)
				}
				continue
			}
			if err != nil {
				return err
			}
			w.locks = append(w.locks, lock)
		}
	}
	if len(w.locks) > 0 {
		beforeSignals(func() bool { // a signal that nobody listens for leaves no lock behind
			if listening.Load() > 0 {
				return false
			}
			atomicfile.ReleaseAll()
			return true
		})
	}
	return nil
}

func (w *writtenFiles) release() {
	for _, lock := range w.locks {
		lock.Release()
	}
}

// checkReplaced refuses to replace a model by something else, and a checkpoint by a model.
func (of stated) checkReplaced(c *cobra.Command) error {
	if of.value == "-" || of.use != fileuse.Writes {
		return nil
	}
	if len(of.extensions) > 0 && !slices.Contains(of.extensions, strings.ToLower(filepath.Ext(of.value))) {
		return fmt.Errorf("%s is %q: want a name that ends with %s, or - for standard output", of.called, of.value, setting.Or(of.extensions))
	}
	info, err := os.Stat(of.value)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	switch is, err := format.Detect(of.value); {
	case err != nil && of.model && !strings.HasPrefix(of.called, "-") && info.Size() > 0:
		return fmt.Errorf("%s: is not a model, and %s would replace it: name another file, or move it away", of.value, of.called)
	case err != nil:
		return nil
	case of.model && !trainsVectors(c) && of.called != "--checkpoint": // training checks these itself
		if state, err := format.HasState(of.value); err == nil && state {
			return fmt.Errorf("%s: is a checkpoint, which the model would replace: name another file for %s, or move it away", of.value, of.called)
		}
	case of.matrix && is == format.Npy && !hasWords(of.value):
	case !of.model && is != format.GloVe && !(is == format.Text && isTable(of.value)) && !(is == format.Parquet && hasOtherColumns(of.value)): // many plain texts look like these formats
		return fmt.Errorf("%s: is a model of the format %s, which %s would replace: name another file, or move it away", of.value, is, of.called)
	}
	return nil
}

// hasOtherColumns reports whether a table has columns besides words and vectors, so it is not what convert writes.
func hasOtherColumns(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false
	}
	table, err := parquet.Open(f, info.Size())
	return err == nil && !slices.Equal(table.Names(), []string{"word", "vector"})
}

// hasWords reports whether a matrix of numpy has words beside it.
func hasWords(path string) bool {
	parts, err := format.TargetFiles(path, format.Npy)
	return err != nil || slices.ContainsFunc(parts[1:], func(part string) bool {
		_, err := os.Stat(part)
		return !errors.Is(err, fs.ErrNotExist)
	})
}

// isTable reports whether a file that begins with two whole numbers, as a text of vectors does, is a list of ids with
// counts, or of walks: its second line has other than the numbers that the first one says, or no word and no point.
func isTable(path string) bool {
	is, err := compression.ReadFile(path, func(r io.Reader) (bool, error) {
		lines := bufio.NewScanner(r)
		var fields [2][]string
		for i := range fields {
			if !lines.Scan() {
				return i > 0 && fields[0][0] != "0", lines.Err() // a model of no words is one line
			}
			fields[i] = strings.Fields(lines.Text())
		}
		if len(fields[0]) != 2 || fmt.Sprint(len(fields[1])-1) != fields[0][1] {
			return true, nil
		}
		return strings.Trim(strings.Join(fields[1], ""), "0123456789") == "", nil
	})
	return err == nil && is
}
