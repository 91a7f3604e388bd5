package sysinfo

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32             = windows.NewLazySystemDLL("kernel32.dll")
	globalMemoryStatus   = kernel32.NewProc("GlobalMemoryStatusEx")
	getProcessMemoryInfo = kernel32.NewProc("K32GetProcessMemoryInfo")
)

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length, load                           uint32
	totalPhysical, availablePhysical       uint64
	totalPageFile, availablePageFile       uint64
	totalVirtual, availableVirtual, extend uint64
}

func totalMemory() uint64 {
	status := memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	if globalMemoryStatus.Find() != nil {
		return 0
	}
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return status.totalPhysical
}

// processMemory is PROCESS_MEMORY_COUNTERS.
type processMemory struct {
	size, faults                     uint32
	peakWorkingSet, workingSet       uintptr
	peakPagedPool, pagedPool         uintptr
	peakNonPagedPool, nonPagedPool   uintptr
	pagefileUsage, peakPagefileUsage uintptr
}

func peakMemory() uint64 {
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
