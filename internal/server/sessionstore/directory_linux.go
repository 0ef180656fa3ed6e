package sessionstore

import (
	"slices"

	"golang.org/x/sys/unix"
)

// zfs is what OpenZFS calls itself.
const zfs = 0x2fc12fc1

// ofThisMachine are file systems where a lock is one for all processes. Through a network the lock of
// a server that lives can get lost, or hold on its machine alone.
var ofThisMachine = []uint32{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
	unix.TMPFS_MAGIC, unix.RAMFS_MAGIC, zfs,
}

// isLocal reports whether a directory is on such a file system.
func isLocal(path string) bool {
	var stat unix.Statfs_t
	return unix.Statfs(path, &stat) == nil && slices.Contains(ofThisMachine, uint32(stat.Type))
}
