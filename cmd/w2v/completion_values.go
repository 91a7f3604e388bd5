package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/vectors/format"
)

// setCompletion says for every flag and argument of all commands how a shell completes it.
func setCompletion(c *cobra.Command) {
	c.CompletionOptions.DisableDefaultCmd = true // newCompletion is in its place
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if _, ok := c.GetFlagCompletionFunc(f.Name); ok || f.Value.Type() == "bool" {
			return
		}
		if complete := flagCompletion(c, f); complete != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, complete) // fails for flags that are not there
		}
	})
	if complete := argumentCompletion(c); c.ValidArgsFunction == nil {
		c.ValidArgsFunction = complete
	}
	for _, sub := range c.Commands() {
		setCompletion(sub)
	}
}

// flagCompletion returns how the value of a flag is completed, nil for a kind of flag that
// is not known here.
func flagCompletion(c *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	if e, ok := f.Value.(*enum); ok {
		return e.complete
	}
	switch f.Value.Type() {
	case "int", "intSlice", "uint64", "float64", "duration", "tokens", "numbers", "words", "size":
		return cobra.NoFileCompletions
	}
	switch f.Name {
	case "output":
		switch c.Name() {
		case "sweep":
			return folders
		case "phrases":
			return files(textExtensions()...)
		}
		return files(modelExtensions()...)
	case "init", "resume", "checkpoint":
		return files(modelExtensions()...)
	case "eval", "similarity", "analogy", "sets", "dictionary", "test-dictionary":
		return files(setExtensions()...)
	case "validate":
		return files(textExtensions()...)
	case "vocab", "save-vocab", "words", "log-json", "among", "table", "write-table", "connector-words", "save-graph", "exclude":
		return files()
	case "answers":
		return files("tsv")
	case "html":
		return files("html")
	case "tokenizer":
		return files("json")
	case "token-file", "scores", "log":
		return files()
	case "tls-cert", "tls-key":
		return files("pem", "crt", "key")
	case "metadata":
		return files("tsv")
	case "cache", "write":
		return folders
	case "steps", "positive", "negative", "from", "special-tokens", "json-field", "split", "group-by", "delimiter", "phrase-delimiter", "bootstrap-words", "listen", "cors-origin", "allow-host", "pooling":
		return cobra.NoFileCompletions
	}
	return nil
}

// argumentCompletion returns how the arguments of a command are completed, nil for a
// command that is not known here.
func argumentCompletion(c *cobra.Command) cobra.CompletionFunc {
	model := files(modelExtensions()...)
	switch strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") {
	case "walk":
		return files("tsv", "txt", "edges", "edg", "graph", "gz", "zst", "bz2", "xz")
	case "kmers":
		return files("fa", "fasta", "fna", "faa", "fastq", "fq", "gz", "zst", "bz2", "xz")
	case "train", "vocab", "phrases":
		return files(textExtensions()...)
	case "eval", "eval similarity", "eval analogy", "eval relation", "plot frequency":
		return inTurn(model, files(setExtensions()...))
	case "nn", "similarity", "analogy", "vector", "doesnt-match", "ngrams", "plot map", "plot heatmap":
		return inTurn(model, cobra.NoFileCompletions)
	case "sentence":
		return inTurn(model, files(textExtensions()...))
	case "diff", "query":
		return inTurn(model, model, cobra.NoFileCompletions)
	case "align", "convert", "quantize", "factorize":
		return inTurn(model, model, cobra.NoFileCompletions)
	case "compare", "serve":
		return model
	case "export-explorer":
		return inTurn(model, files("html"), cobra.NoFileCompletions)
	case "info", "eval builtin":
		return inTurn(model, cobra.NoFileCompletions)
	case "sweep":
		return inTurn(files("toml"), cobra.NoFileCompletions)
	case "demo", "version":
		return cobra.NoFileCompletions
	}
	return nil
}

// complete offers the choices that begin as what has been typed, with their meanings.
func (e *enum) complete(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	goesOn := true // behind each there is more to type
	for _, c := range e.choices {
		value, _, more := strings.Cut(c.value, "=")
		if more {
			value += "="
		}
		if strings.HasPrefix(value, typed) {
			found = append(found, cobra.CompletionWithDesc(value, c.meaning))
			goesOn = goesOn && more
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if goesOn {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return found, directive
}

// inTurn completes the first argument by the first function and so on, and the last
// function is for all that follow.
func inTurn(each ...cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return each[min(len(args), len(each)-1)](c, args, typed)
	}
}

func folders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// textExtensions are those that corpora usually have.
func textExtensions() []string { return []string{"txt", "text", "gz", "zst", "bz2"} }

// setExtensions are those that sets of pairs and questions usually have.
func setExtensions() []string { return []string{"txt", "tsv", "csv", "gz", "zst", "bz2"} }

// modelExtensions are those of files with vectors.
func modelExtensions() []string {
	all := []string{"ckpt", "ck", "ftz", "gz", "zst", "bz2"} // checkpoints, what is only read, and compressed ones
	for _, f := range format.All() {
		if can, err := format.Describe(f); err == nil {
			for _, e := range can.Extensions {
				if e = strings.TrimPrefix(e, "."); e != "" && !slices.Contains(all, e) {
					all = append(all, e)
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// files completes the names of files with one of the extensions, or of all files where
// none of these begins as what has been typed: no command insists on extensions.
func files(extensions ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if !anyFile(typed, extensions) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// anyFile reports whether there is a file with one of the extensions whose path begins
// with what has been typed.
func anyFile(typed string, extensions []string) bool {
	folder, begin := filepath.Split(typed)
	if folder == "" {
		folder = "."
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), begin) && slices.Contains(extensions, strings.TrimPrefix(filepath.Ext(e.Name()), "."))
	})
}
