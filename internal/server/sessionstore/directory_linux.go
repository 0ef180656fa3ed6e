package sessionstore

import (
	"slices"

	"golang.org/x/sys/unix"
)

// zfs is the number by which statfs reports OpenZFS; x/sys has no name for it.
const zfs = 0x2fc12fc1

// localFileSystems are the file systems on which a lock holds for every process that can reach the
// file. On a network file system a running server may lose its lock, or another machine may not
// see it.
var localFileSystems = []uint32{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
	unix.OVERLAYFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.RAMFS_MAGIC, zfs,
}

// isLocal reports whether a directory is on one of the [localFileSystems].
func isLocal(path string) bool {
	var stat unix.Statfs_t
	return unix.Statfs(path, &stat) == nil && slices.Contains(localFileSystems, uint32(stat.Type))
}
