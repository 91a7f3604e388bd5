//go:build !linux

package main

import "errors"

func pin(int) error { return errors.New("threads can be put on cores only on Linux") }
