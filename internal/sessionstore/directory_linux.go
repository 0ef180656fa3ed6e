package sessionstore

import "golang.org/x/sys/unix"

// fileSystemWarning says what the file system of a directory is bad at; empty for none.
func fileSystemWarning(path string) string {
	var stat unix.Statfs_t
	if unix.Statfs(path, &stat) != nil {
		return ""
	}
	switch int64(stat.Type) {
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC:
		return "The directory is in memory: a restart of the machine loses all sessions."
	case unix.NFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return "The directory is on another machine: two servers that use it may not notice each other. Use PostgreSQL for more than one server."
	default:
		return ""
	}
}
