package sessionstore

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"gatehouse/internal/files"
	"gatehouse/internal/secret"
)

// Errors of opening what a store returned, for [errors.Is].
var (
	// ErrUnknownKey means that it is sealed with a key that this server does not have.
	ErrUnknownKey = errors.New("the key file lacks the key that sealed this")
	// ErrForged means that it is not what was sealed, or was sealed for something else.
	ErrForged = errors.New("this is not what was sealed here")
)

const (
	// copyTime is how long a new key is known before anything is sealed with it: the time to
	// copy the key file to all servers.
	copyTime = 10 * time.Minute
	// readEvery is how often the key file is read again for new keys, while it is in use, and
	// readAgain how often for an unknown one.
	readEvery = time.Minute
	readAgain = 3 * time.Second

	sealVersion = 1
	keyNameSize = 8
	headSize    = 1 + keyNameSize + chacha20poly1305.NonceSizeX
	minSealed   = headSize + chacha20poly1305.Overhead
)

// Keys seal what goes into a store, and name its rows. They are safe for concurrent use.
// Those of a file are read again, at most once a minute, while they are used: so a server
// finds a new key before anything is sealed with it.
type Keys struct {
	// Warn is told when the key file cannot be read any more; then the keys that were read
	// before are used. It may be nil, and must be set before the first use.
	Warn func(error)

	path string // empty: made in memory
	now  func() time.Time

	mu   sync.Mutex
	set  keySet
	read time.Time // when the file was last read, or tried
}

// keySet is the content of a key file. All of its keys are kept where no verb of fmt prints
// them.
type keySet struct {
	idKey   secret.Text // names rows; never changed
	sealing []sealingKey
}

// sealingKey is a key of 32 bytes.
type sealingKey struct {
	name string // hex; random
	made time.Time
	key  secret.Text
}

// NewKeys makes keys that are forgotten with the process.
func NewKeys() *Keys { return &Keys{set: newKeySet(time.Now()), now: time.Now} }

// OpenKeys reads a key file. The error says why it is not used.
func OpenKeys(path string) (*Keys, error) {
	set, err := readKeyFile(path)
	if err != nil {
		return nil, err
	}
	return &Keys{path: path, set: set, now: time.Now, read: time.Now()}, nil
}

func newKeySet(now time.Time) keySet {
	return keySet{idKey: randomKey(), sealing: []sealingKey{newSealingKey(now)}}
}

func newSealingKey(now time.Time) sealingKey {
	name := make([]byte, keyNameSize)
	_, _ = rand.Read(name) // never fails
	return sealingKey{name: hex.EncodeToString(name), made: now.UTC().Truncate(time.Second), key: randomKey()}
}

func randomKey() secret.Text {
	key := make([]byte, chacha20poly1305.KeySize)
	_, _ = rand.Read(key) // never fails
	return secret.New(string(key))
}

// named is the key of a name, nil if there is none.
func (s keySet) named(name string) *sealingKey {
	for i := range s.sealing {
		if s.sealing[i].name == name {
			return &s.sealing[i]
		}
	}
	return nil
}

// current is the newest key that all servers have had the time to read.
func (s keySet) current(now time.Time) *sealingKey {
	for i := len(s.sealing) - 1; i > 0; i-- {
		if !now.Before(s.sealing[i].made.Add(copyTime)) {
			return &s.sealing[i]
		}
	}
	return &s.sealing[0]
}

// Current is the name of the key that is sealed with now.
func (k *Keys) Current() string { return k.sealingNow().name }

// Names are the names of the keys, the newest last.
func (k *Keys) Names() []string {
	var names []string
	for _, key := range k.keys().sealing {
		names = append(names, key.name)
	}
	return names
}

// ID names the row of an owner. An administrator who knows the fingerprint of a key can
// name its row too.
func (k *Keys) ID(o Owner) ID {
	if o.KeyID != "" {
		return k.mac("certificate", o.Authority, o.KeyID)
	}
	return k.mac("key", o.Fingerprint)
}

// TicketID names the ticket of a code that its owner was told.
func (k *Keys) TicketID(code string) ID { return k.mac("ticket", code) }

// SubjectID names whose tries are counted: a kind, such as an account, and which one. A store
// learns neither.
func (k *Keys) SubjectID(kind, value string) ID { return k.mac("subject", kind, value) }

func (k *Keys) mac(parts ...string) (id ID) {
	mac := hmac.New(sha256.New, []byte(k.keys().idKey.Reveal()))
	mac.Write(joined(parts))
	copy(id[:], mac.Sum(nil))
	return id
}

// joined writes texts one behind the other, each after its length, so that no two lists
// are written alike.
func joined(parts []string) []byte {
	var all []byte
	for _, part := range parts {
		all = binary.BigEndian.AppendUint64(all, uint64(len(part)))
		all = append(all, part...)
	}
	return all
}

// Seal seals something that only Open with the same bound texts, in this order, opens: they
// say what it is for. They are not part of the result.
func (k *Keys) Seal(clear []byte, bound ...string) ([]byte, error) {
	key := k.sealingNow()
	name, err := hex.DecodeString(key.name)
	if err != nil {
		return nil, err
	}
	box, err := chacha20poly1305.NewX([]byte(key.key.Reveal()))
	if err != nil {
		return nil, err
	}
	sealed := make([]byte, headSize, headSize+len(clear)+box.Overhead())
	sealed[0] = sealVersion
	copy(sealed[1:], name)
	nonce := sealed[1+keyNameSize:]
	_, _ = rand.Read(nonce) // never fails
	return box.Seal(sealed, nonce, clear, boundTo(sealed, bound)), nil
}

// boundTo is the additional data of a box: what stands before the nonce, and the texts.
func boundTo(sealed []byte, bound []string) []byte {
	return append(append([]byte{}, sealed[:1+keyNameSize]...), joined(bound)...)
}

// Open opens what Seal has sealed for the same bound texts. The error is [ErrUnknownKey],
// [ErrForged], or a *[files.NewerError] for what a newer program has sealed. For an unknown key the file is read again, at most once in a few seconds.
func (k *Keys) Open(sealed []byte, bound ...string) ([]byte, error) {
	name := KeyOf(sealed)
	if name == "" {
		if len(sealed) >= minSealed {
			if err := files.CheckVersion(int(sealed[0]), sealVersion); err != nil {
				return nil, err
			}
		}
		return nil, ErrForged
	}
	key := k.keys().named(name)
	if key == nil {
		k.refresh(readAgain)
		key = k.keys().named(name)
	}
	if key == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnknownKey, name)
	}
	box, err := chacha20poly1305.NewX([]byte(key.key.Reveal()))
	if err != nil {
		return nil, err
	}
	clear, err := box.Open(nil, sealed[1+keyNameSize:headSize], sealed[headSize:], boundTo(sealed, bound))
	if err != nil {
		return nil, ErrForged
	}
	return clear, nil
}

// KeyOf is the name of the key that something is sealed with; empty if it is nothing that
// [Keys.Seal] returns.
func KeyOf(sealed []byte) string {
	if len(sealed) < minSealed || sealed[0] != sealVersion {
		return ""
	}
	return hex.EncodeToString(sealed[1 : 1+keyNameSize])
}

// keys are those that are known, which are never changed but replaced.
func (k *Keys) keys() keySet {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.set
}

// sealingNow is the key to seal with.
func (k *Keys) sealingNow() *sealingKey {
	k.refresh(readEvery)
	return k.keys().current(k.now())
}

// refresh reads the file again unless that was done within a time. What cannot be read, or is another
// key file, changes nothing.
func (k *Keys) refresh(within time.Duration) {
	k.mu.Lock()
	due := k.path != "" && k.now().Sub(k.read) >= within
	if due {
		k.read = k.now()
	}
	k.mu.Unlock()
	if !due {
		return
	}
	set, err := readKeyFile(k.path)
	k.mu.Lock()
	switch {
	case err != nil:
	case set.idKey != k.set.idKey:
		err = fmt.Errorf("%s is a different key file now: restart the server to use its keys", k.path)
	default:
		k.set = set
	}
	k.mu.Unlock()
	if err != nil && k.Warn != nil {
		k.Warn(err)
	}
}
