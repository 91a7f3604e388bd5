package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/fasttext"
	"github.com/w2v-go/w2v/internal/fileuse"
	"github.com/w2v-go/w2v/vectors/format"
)

// A stated value is one that the command line has, with its role.
type stated struct {
	role
	value string
}

// statements returns all values of the command line that name files.
func statements(c *cobra.Command, args []string) (all []stated) {
	if c.Name() == "fasttext" {
		return fastTextStatements(args)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		r, ok := flagRole(c, f)
		if !ok {
			return
		}
		r.called = cmp.Or(r.called, "--"+f.Name)
		for _, value := range valuesOf(f) {
			all = append(all, stated{r, value})
		}
	})
	for i, value := range args {
		if roles := argumentRoles(c); len(roles) > 0 {
			all = append(all, stated{roles[min(i, len(roles)-1)], value})
		}
	}
	return all
}

// valuesOf returns what a flag was given.
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

// fastTextStatements are those of the command line of fastText.
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

// checkFiles refuses a command line that would replace a file that it reads, that writes a file for two
// purposes, or that replaces a model by something else. It locks what is written. It is called before every command.
func checkFiles(c *cobra.Command, s streams, args []string) error {
	var all []fileuse.Place
	said, stdin := statements(c, args), "standard input"
	for _, of := range said {
		switch {
		case of.value == "-" && of.paths != nil && of.use <= fileuse.Lists:
			stdin = of.called
		case of.value != "-" && of.value != "" && of.paths != nil:
			all = append(all, of.places(c)...)
		}
	}
	for _, standard := range []struct {
		role   string
		stream any
		use    fileuse.Use
	}{{stdin, s.in, fileuse.Reads}, {"standard output", behind(s.out), fileuse.Writes}, {"standard error", behind(s.err), fileuse.Writes}} {
		if file, ok := standard.stream.(*os.File); ok {
			all = append(all, fileuse.Place{Role: standard.role, Open: file, Use: standard.use})
		}
	}
	if conflict := fileuse.Check(all); conflict != nil {
		return &usageError{c.CommandPath(), fmt.Errorf(conflict.Format, conflict.Args...)}
	}
	for _, of := range said {
		if err := of.checkReplaced(c); err != nil {
			return &usageError{c.CommandPath(), err}
		}
	}
	return s.written.lock(c, s.err, said)
}

// behind returns the writer behind what run puts before a standard stream.
func behind(w io.Writer) io.Writer {
	switch w := w.(type) {
	case *output:
		return w.w
	case *messages:
		return w.w
	}
	return w
}

// places are the files and folders that a value names.
func (of stated) places(c *cobra.Command) (all []fileuse.Place) {
	for _, path := range of.paths(c, of.value) {
		p := fileuse.Place{Role: of.called, Path: path, Use: of.use, Updates: of.updates}
		if !of.model {
			all = append(all, p)
			continue
		}
		f, err := outputFormat(path, of.format(c), false)
		parts, errParts := format.TargetFiles(path, f)
		if err != nil || errParts != nil {
			all = append(all, p)
			continue
		}
		if d, err := format.Describe(f); err == nil && d.Folder {
			whole := p
			whole.Use = fileuse.Replaces
			all = append(all, whole)
		}
		for _, part := range parts {
			p.Path = part
			all = append(all, p)
		}
	}
	return all
}

// format is what the command line says of the format of a model that is written; empty for nothing.
func (of stated) format(c *cobra.Command) string {
	if f := c.Flags().Lookup(of.toFormat); of.toFormat != "" && f != nil {
		return f.Value.String()
	}
	return ""
}
