//go:build !unix

package main

import (
	"errors"
	"os"
)

var errNoPause = errors.New("processes can be paused only on Unix")

func pause(*os.Process) error { return errNoPause }

func resume(*os.Process) error { return errNoPause }
