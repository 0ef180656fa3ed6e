package sessionstore

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"gatehouse/internal/files"
	"gatehouse/internal/text/secret"
)

// Errors of opening what a store returned, for [errors.Is].
var (
	// ErrUnknownKey means that it is sealed with a key that this server does not have.
	ErrUnknownKey = errors.New("the key file of this server lacks the key that sealed it")
	// ErrForged means that it is not what was sealed, or was sealed for something else.
	ErrForged = errors.New("it does not belong to this key and this service")
)

const (
	// copyTime is how long a new key is known before anything is sealed with it: the time to
	// copy the key file to all servers.
	copyTime = 10 * time.Minute
	// readEvery is how often the key file is read again for new keys, while it is in use.
	readEvery = time.Minute

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

// StrangerID is [Keys.SubjectID] for somebody without a key, such as a network. As there may be any
// number of these, a store bounds how many it counts, see [Store.Try]. It knows them by their ids.
func (k *Keys) StrangerID(kind, value string) ID {
	id := k.mac("subject", kind, value)
	clear(id[:strangerPrefix])
	return id
}

// strangerPrefix is how many bytes of the id of a stranger are 0.
const strangerPrefix = 8

// isStranger reports whether an id is one of [Keys.StrangerID].
func (id ID) isStranger() bool {
	return [strangerPrefix]byte(id[:strangerPrefix]) == [strangerPrefix]byte{}
}

func (k *Keys) mac(parts ...string) (id ID) {
	mac := hmac.New(sha256.New, []byte(k.keys().idKey.Reveal()))
	mac.Write(joined(parts))
	copy(id[:], mac.Sum(nil))
	return id
}

// joined writes texts one after the other, each after its length, so that no two lists
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
// [ErrForged], or a *[files.NewerError] for what a newer program has sealed.
// For an unknown key the file is read again.
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
		k.refresh()
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
	k.refresh()
	return k.keys().current(k.now())
}

// refresh reads the file again unless that was done a moment ago. What cannot be read, or is another
// key file, changes nothing.
func (k *Keys) refresh() {
	k.mu.Lock()
	due := k.path != "" && k.now().Sub(k.read) >= readEvery
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
		err = fmt.Errorf("the file %s is a different key file now: restart the server to use its keys", k.path)
	default:
		k.set = set
	}
	k.mu.Unlock()
	if err != nil && k.Warn != nil {
		k.Warn(err)
	}
}

const (
	// The first line of a key file: what it is, and the version of its format.
	keyFileHead    = "gatehouse session keys, version "
	keyFileVersion = 1
	maxKeyFile     = 64 << 10
	// rotateEvery keeps a key that has just been made from being replaced by accident.
	rotateEvery = 24 * time.Hour
)

// keyFileComment explains the file to those who open it.
const keyFileComment = `# Anyone with this file and the store can act for everybody who has a session there.
# "id" names the rows and never changes. The last "key" seals them, ten minutes after
# it was made; the others open what is older. Add one with: gatehouse serve --rotate-key
`

// ErrNotKeyFile means that a file is not one that this program writes. Its content is not
// repeated.
var ErrNotKeyFile = errors.New("it is not a key file")

// CreateKeyFile makes a key file with new keys. The error is as with [files.Export]:
// [files.ErrExists] if there is a file of that name, which stays as it is.
func CreateKeyFile(path string) error {
	return files.Export(context.Background(), path, false, func(out io.Writer) error {
		_, err := out.Write(newKeySet(time.Now()).text())
		return err
	})
}

// RotateKeyFile adds a new key to a key file, with which servers seal from the time from on: all of
// them need the file before. Where its newest key is younger than a day it adds none, and from is
// zero.
func RotateKeyFile(path string, now time.Time) (from time.Time, err error) {
	if _, err := readKeyFile(path); err != nil { // nothing is created
		return time.Time{}, err
	}
	f, release, err := files.AppendAlone(path) // two that rotate at once would lose a key
	if err != nil {
		return time.Time{}, fmt.Errorf("the key file %s cannot be changed: %w", path, err)
	}
	defer release()
	if err := f.Close(); err != nil { // the lock stays; Windows replaces no file that is open
		return time.Time{}, fmt.Errorf("the key file %s cannot be changed: %w", path, err)
	}
	set, err := readKeyFile(path)
	if err != nil || now.Sub(set.sealing[len(set.sealing)-1].made) < rotateEvery {
		return time.Time{}, err
	}
	key := newSealingKey(now)
	set.sealing = append(set.sealing, key)
	text := set.text()
	if len(text) > maxKeyFile {
		err = files.ErrTooLarge
	} else {
		err = files.Replace(path, text)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("the key file %s cannot be changed: %w", path, err)
	}
	return key.made.Add(copyTime), nil
}

// readKeyFile reads a key file that only this program can read.
func readKeyFile(path string) (set keySet, err error) {
	data, err := files.ReadMounted(path, maxKeyFile)
	if err == nil {
		set, err = parseKeyFile(data)
	}
	if err != nil {
		return keySet{}, fmt.Errorf("the key file %s cannot be used: %w", path, files.Reason(err))
	}
	return set, nil
}

// text is the content of the file.
func (s keySet) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d\n%s", keyFileHead, keyFileVersion, keyFileComment)
	fmt.Fprintf(&b, "id %s\n", encodedKey(s.idKey))
	for _, key := range s.sealing {
		fmt.Fprintf(&b, "key %s %s %s\n", key.name, key.made.Format(time.RFC3339), encodedKey(key.key))
	}
	return b.Bytes()
}

func encodedKey(key secret.Text) string {
	return base64.StdEncoding.EncodeToString([]byte(key.Reveal()))
}

// parseKeyFile reads what text writes. An error names a line, never what stands there.
func parseKeyFile(data []byte) (s keySet, err error) {
	first, rest, _ := strings.Cut(string(data), "\n")
	number, is := strings.CutPrefix(first, keyFileHead)
	version, err := strconv.Atoi(number)
	if !is || err != nil || version < 1 {
		return keySet{}, ErrNotKeyFile
	}
	if err := files.CheckVersion(version, keyFileVersion); err != nil {
		return keySet{}, err
	}
	at := 1
	for line := range strings.Lines(rest) {
		at++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if !s.add(strings.Split(line, " ")) {
			return keySet{}, fmt.Errorf("line %d is damaged", at)
		}
	}
	if s.idKey.IsEmpty() || len(s.sealing) == 0 {
		return keySet{}, errors.New("keys are missing at its end")
	}
	return s, nil
}

// add adds the key of a line, and reports whether the line is one.
func (s *keySet) add(words []string) bool {
	switch {
	case len(words) == 2 && words[0] == "id" && s.idKey.IsEmpty():
		key, ok := decodedKey(words[1])
		s.idKey = key
		return ok
	case len(words) == 4 && words[0] == "key":
		name, errName := hex.DecodeString(words[1])
		made, errMade := time.Parse(time.RFC3339, words[2])
		key, ok := decodedKey(words[3])
		isKey := errName == nil && len(name) == keyNameSize && errMade == nil && ok
		if !isKey || s.named(hex.EncodeToString(name)) != nil {
			return false
		}
		s.sealing = append(s.sealing, sealingKey{
			name: hex.EncodeToString(name),
			made: made.UTC(),
			key:  key,
		})
		return true
	default:
		return false
	}
}

func decodedKey(text string) (secret.Text, bool) {
	key, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(key) != chacha20poly1305.KeySize {
		return secret.Text{}, false
	}
	return secret.New(string(key)), true
}
