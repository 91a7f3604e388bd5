//go:build !unix

package docs

import "os/exec"

// ownGroup does nothing: pages run where there is bash and unshare.
func ownGroup(*exec.Cmd) {}

func killGroup(c *exec.Cmd) error { return c.Process.Kill() }
