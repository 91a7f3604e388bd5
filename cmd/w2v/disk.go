package main

import "github.com/spf13/cobra"

// addForce adds the flag --force.
func addForce(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "force", false, "go on even if disk space or memory seem too small")
}
