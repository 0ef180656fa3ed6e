package sshd

import (
	"log/slog"
	"net/netip"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// KeyList is a file of public keys in the format of sshd(8), which says of visitors who have
// been let in what else they may do. It is read again at each question. What options say of
// where and until when a key may be used holds here too; any other option is about being let in.
type KeyList struct {
	file *keyFile[[]keyOptions] // by fingerprint
	now  func() time.Time
}

// OpenKeyList reads the file for the first time. what it holds is for messages and the log.
func OpenKeyList(path, what string, now func() time.Time, log *slog.Logger) (*KeyList, error) {
	list := &KeyList{now: now, file: &keyFile[[]keyOptions]{path: path, what: what, admits: what, add: addListed, log: log}}
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

// addListed adds a key under its fingerprint.
func addListed(keys map[string][]keyOptions, l keyLine) error {
	options, err := parseKeyOptions(l.options)
	if _, certificate := l.key.(*gossh.Certificate); certificate {
		err = errCertificate
	}
	if err != nil {
		l.skip(err)
		return nil
	}
	fingerprint := gossh.FingerprintSHA256(l.key)
	keys[fingerprint] = append(keys[fingerprint], options)
	return nil
}
