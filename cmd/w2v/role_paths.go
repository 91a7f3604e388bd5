package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors/format"
)

// asNamed is the file that a value names.
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

// namedModel are the files of MODEL or NAME=MODEL.
func namedModel(c *cobra.Command, value string) []string {
	_, path := nameAndPath(value)
	return filesOfModel(c, path)
}

// fileOrNamed is that of FILE or NAME=FILE.
func fileOrNamed(_ *cobra.Command, value string) []string {
	_, path := nameAndPath(value)
	return []string{path}
}

// expanded are the files and folders of a path or a glob.
func expanded(_ *cobra.Command, value string) []string {
	if _, err := os.Stat(value); err == nil {
		return []string{value}
	}
	found, _ := filepath.Glob(value) // what is wrong with it, reading says
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
