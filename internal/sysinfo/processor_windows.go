package sysinfo

import (
	"strings"

	"golang.org/x/sys/windows/registry"
)

func processor() string {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `HARDWARE\DESCRIPTION\System\CentralProcessor\0`, registry.QUERY_VALUE)
	if err != nil {
		return ""
	}
	defer key.Close()
	name, _, _ := key.GetStringValue("ProcessorNameString") // "" if that fails
	return strings.TrimSpace(name)
}
