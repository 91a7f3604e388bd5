package sysinfo

import "golang.org/x/sys/windows"

func freeDisk(folder string) (bytes uint64, ok bool) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, false
	}
	err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	return bytes, err == nil
}
