package sysinfo

// Processor returns the name of the processor, as its maker calls it, or "" if that is not known.
func Processor() string { return processor() }
