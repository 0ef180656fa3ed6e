package shell

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// process is one process of the system.
type process struct {
	parent uint32
	name   string // of its program, without a directory
}

// ancestors returns the names of the programs of this process's ancestors, the nearest first. The
// list ends at an ancestor that has exited.
func ancestors() []string {
	all := processes()
	var names []string
	seen := map[uint32]bool{}
	for id := all[uint32(os.Getpid())].parent; !seen[id]; id = all[id].parent {
		above, ok := all[id]
		if !ok {
			break
		}
		seen[id] = true // the system reuses ids, so there may be a cycle
		names = append(names, above.name)
	}
	return names
}

// processes are the processes of the system by their numbers, none if it does not tell.
func processes() map[uint32]process {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(snapshot) }()
	all := map[uint32]process{}
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	err = windows.Process32First(snapshot, &entry)
	for ; err == nil; err = windows.Process32Next(snapshot, &entry) {
		name := windows.UTF16ToString(entry.ExeFile[:])
		all[entry.ProcessID] = process{parent: entry.ParentProcessID, name: name}
	}
	return all
}
