//go:build !linux && !darwin && !windows

package sysinfo

func processor() string { return "" }
