package sessionstore

import "golang.org/x/sys/unix"

// warningsOf says what the file system of a directory is bad at.
func warningsOf(path string) []string {
	var stat unix.Statfs_t
	if unix.Statfs(path, &stat) != nil {
		return nil
	}
	switch int64(stat.Type) {
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC:
		return []string{"The directory is in memory: all sessions are lost when the machine is restarted."}
	case unix.NFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return []string{"The directory is on another machine: two servers that use it may not notice each other. Use PostgreSQL for more than one server."}
	default:
		return nil
	}
}

// isLocal reports whether a directory is on a file system of this machine, where a lock is one
// for all processes.
func isLocal(path string) bool {
	var stat unix.Statfs_t
	if unix.Statfs(path, &stat) != nil {
		return false
	}
	switch int64(stat.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.RAMFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, zfsMagic:
		return true
	default:
		return false
	}
}

// zfsMagic is what OpenZFS calls itself.
const zfsMagic = 0x2fc12fc1
