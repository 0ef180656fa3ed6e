package sessionstore

import "golang.org/x/sys/unix"

// warningsOf returns sentences for the operator about the file system of a directory: what can go
// wrong on it, and what to use instead.
func warningsOf(path string) []string {
	var stat unix.Statfs_t
	if unix.Statfs(path, &stat) != nil {
		return nil
	}
	switch uint32(stat.Type) {
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC:
		return []string{"The directory is in memory: a restart of the machine loses all sessions."}
	case unix.NFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return []string{"The directory is on another machine: two servers that use it may not notice each other. Use PostgreSQL for more than one server."}
	}
	return nil
}
