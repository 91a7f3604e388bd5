package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// addForce adds the flag --force.
func addForce(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "force", false, "go on even if disk space or memory seem too small")
}

// checkRoom returns an error if a model of that shape is sure not to fit where path leads.
func checkRoom(path string, shape vectors.Shape, f format.Format, force bool) error {
	if force {
		return nil
	}
	return checkBytes(path, format.EstimateSize(path, shape, f))
}

// checkBytes returns an error if so many bytes are sure not to fit where path leads.
func checkBytes(path string, bytes uint64) error {
	if err := sysinfo.CheckDisk(path, bytes); err != nil {
		return fmt.Errorf("%w; --force tries anyway", err)
	}
	return nil
}
