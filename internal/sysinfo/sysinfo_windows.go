package sysinfo

import (
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

var (
	kernel32             = windows.NewLazySystemDLL("kernel32.dll")
	globalMemoryStatus   = kernel32.NewProc("GlobalMemoryStatusEx")
	getProcessMemoryInfo = kernel32.NewProc("K32GetProcessMemoryInfo")
)

type memoryStatus struct {
	length, load                           uint32
	totalPhysical, availablePhysical       uint64
	totalPageFile, availablePageFile       uint64
	totalVirtual, availableVirtual, extend uint64
}

func TotalMemory() uint64 {
	status := memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	if globalMemoryStatus.Find() != nil {
		return 0
	}
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return status.totalPhysical
}

type processMemory struct {
	size, faults                     uint32
	peakWorkingSet, workingSet       uintptr
	peakPagedPool, pagedPool         uintptr
	peakNonPagedPool, nonPagedPool   uintptr
	pagefileUsage, peakPagefileUsage uintptr
}

func PeakMemory() uint64 {
	m := processMemory{size: uint32(unsafe.Sizeof(processMemory{}))}
	if getProcessMemoryInfo.Find() != nil {
		return 0
	}
	if ok, _, _ := getProcessMemoryInfo.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&m)), uintptr(m.size)); ok == 0 {
		return 0
	}
	return uint64(m.peakWorkingSet)
}

// resourceLimits returns the limits of the process's job object, for a process and for the whole job.
func resourceLimits(uint64) []bound {
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	err := windows.QueryInformationJobObject(0, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	if err != nil {
		return nil // the process has no job object
	}
	var bounds []bound
	if flags := info.BasicLimitInformation.LimitFlags; flags&windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY != 0 {
		bounds = append(bounds, bound{uint64(info.ProcessMemoryLimit), "the limit of this job for a process"})
	}
	if flags := info.BasicLimitInformation.LimitFlags; flags&windows.JOB_OBJECT_LIMIT_JOB_MEMORY != 0 {
		bounds = append(bounds, bound{uint64(info.JobMemoryLimit), "the limit of this job"})
	}
	return bounds
}

func freeDisk(folder string) (bytes uint64, ok bool) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, false
	}
	err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	return bytes, err == nil
}

func Processor() string {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `HARDWARE\DESCRIPTION\System\CentralProcessor\0`, registry.QUERY_VALUE)
	if err != nil {
		return ""
	}
	defer key.Close()
	name, _, _ := key.GetStringValue("ProcessorNameString") // "" if that fails
	return strings.TrimSpace(name)
}

func CPUTime() time.Duration {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user))) // a tick is 100 ns
}
