package sshd

import (
	"log/slog"
	"net/netip"
	"time"
)

// KeyList is a file of public keys in the format of sshd(8) that lets nobody in: it names
// those of the visitors who may do more than others. It is read again at each question. Of
// the options of a key those hold that say from where and until when it may be used.
type KeyList struct {
	file *keyFile[[]keyOptions]
	now  func() time.Time
}

// OpenKeyList reads the file for the first time. what it holds is for messages and the log.
func OpenKeyList(path, what string, now func() time.Time, log *slog.Logger) (*KeyList, error) {
	list := &KeyList{now: now, file: &keyFile[[]keyOptions]{path: path, what: what, admits: what, add: addAuthorized, log: log}}
	_, err := list.file.current()
	return list, err
}

// Holds reports whether the key of a visitor is in the file and may be used from their
// address now. For a certificate that is the key that it is about. While the file cannot be
// read, it holds none.
func (l *KeyList) Holds(c *Connection) bool {
	keys, err := l.file.current()
	if err != nil || c.Fingerprint == "" {
		return false
	}
	address, _ := netip.ParseAddr(c.Address) // one that is none is in no list of from=
	for _, options := range keys[c.Fingerprint] {
		if options.check(address, l.now()) == nil {
			return true
		}
	}
	return false
}
