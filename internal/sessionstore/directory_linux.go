package sessionstore

import "golang.org/x/sys/unix"

// zfsMagic is what OpenZFS calls itself.
const zfsMagic = 0x2fc12fc1

// fileSystem reports whether the file system of a directory is of this machine, where a file
// lock holds for all processes, and what it is bad at.
func fileSystem(path string) (local bool, warning string) {
	var stat unix.Statfs_t
	if unix.Statfs(path, &stat) != nil {
		return false, ""
	}
	switch int64(stat.Type) {
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC:
		return true, "The directory is in memory: a restart of the machine loses all sessions."
	case unix.NFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return false, "The directory is on another machine: two servers that use it may not notice each other. Use PostgreSQL for more than one server."
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, zfsMagic:
		return true, ""
	default:
		return false, ""
	}
}
