package sysinfo

import "golang.org/x/sys/unix"

func processor() string {
	name, _ := unix.Sysctl("machdep.cpu.brand_string") // "" if that fails
	return name
}
