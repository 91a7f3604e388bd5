//go:build !linux

package vectors

func adviseHugePages([]float32) {}
