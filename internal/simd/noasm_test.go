//go:build !(amd64 || arm64) || purego

package simd

import "testing"

func isas() []string { return []string{"portable"} }

func use(testing.TB, string) {}

func transposes() bool { return false }
