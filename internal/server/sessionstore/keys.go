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

// Errors of [Keys.Open], for [errors.Is].
var (
	// ErrUnknownKey means that the data is sealed with a key that this server does not have.
	ErrUnknownKey = errors.New("the key file of this server lacks the key that sealed it")
	// ErrForged means that the data was changed, or sealed for another purpose.
	ErrForged = errors.New("it does not belong to this key and this service")
)

const (
	// copyTime is how old a new key has to be before anything is sealed with it, so that there is
	// time to copy the key file to all servers.
	copyTime = 10 * time.Minute
	// readEvery is how often the key file is read for new keys while it is in use.
	readEvery = time.Minute

	// Sealed data begins with the version, the name of the key and the nonce. Sizes are in bytes.
	sealVersion = 1
	keyNameSize = 8
	headSize    = 1 + keyNameSize + chacha20poly1305.NonceSizeX
	minSealed   = headSize + chacha20poly1305.Overhead
)

// Keys seal what goes into a store, and name its rows. They are safe for concurrent use. A key file
// is read again while its keys are used, at most once a minute, so that a server knows a new key
// before another server seals with it.
type Keys struct {
	// Warn is called when the key file cannot be read any more. The keys that were read before stay
	// in use. It may be nil, and must be set before the first use.
	Warn func(error)

	path string // of the key file; empty for keys in memory
	now  func() time.Time

	mu   sync.Mutex
	set  keySet
	read time.Time // when the file was last read, or tried
}

// keySet is the content of a key file. Its keys are of a type that fmt does not print.
type keySet struct {
	idKey   secret.Text  // names rows; never changes
	sealing []sealingKey // the oldest first
}

// sealingKey is a key of 32 bytes that seals rows.
type sealingKey struct {
	name string // hex; random
	made time.Time
	key  secret.Text
}

// NewKeys makes keys in memory, which are lost with the process.
func NewKeys() *Keys { return &Keys{set: newKeySet(time.Now()), now: time.Now} }

// OpenKeys reads a key file. The error names the file and says why it cannot be used.
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
	return sealingKey{
		name: hex.EncodeToString(name),
		made: now.UTC().Truncate(time.Second), // as the key file has it
		key:  randomKey(),
	}
}

func randomKey() secret.Text {
	key := make([]byte, chacha20poly1305.KeySize)
	_, _ = rand.Read(key) // never fails
	return secret.New(string(key))
}

// named returns the key with a name, nil if there is none.
func (s keySet) named(name string) *sealingKey {
	for i := range s.sealing {
		if s.sealing[i].name == name {
			return &s.sealing[i]
		}
	}
	return nil
}

// current returns the newest key that is at least [copyTime] old, or else the oldest.
func (s keySet) current(now time.Time) *sealingKey {
	for i := len(s.sealing) - 1; i > 0; i-- {
		if !now.Before(s.sealing[i].made.Add(copyTime)) {
			return &s.sealing[i]
		}
	}
	return &s.sealing[0]
}

// Current is the name of the key that [Keys.Seal] uses now.
func (k *Keys) Current() string { return k.currentKey().name }

// Names returns the names of all sealing keys, the newest last.
func (k *Keys) Names() []string {
	var names []string
	for _, key := range k.keys().sealing {
		names = append(names, key.name)
	}
	return names
}

// ID is the id of the row of an owner. It depends on nothing secret of the owner: an
// administrator who knows the fingerprint of a key can delete its row.
func (k *Keys) ID(o Owner) ID {
	if o.KeyID != "" {
		return k.mac("certificate", o.Authority, o.KeyID)
	}
	return k.mac("key", o.Fingerprint)
}

// TicketID is the id of the ticket with a code.
func (k *Keys) TicketID(code string) ID { return k.mac("ticket", code) }

// SubjectID is the id of a subject whose tries are counted, such as the account ("account",
// NAME). The store learns neither the kind nor the value.
func (k *Keys) SubjectID(kind, value string) ID { return k.mac("subject", kind, value) }

// StrangerID is the id of a subject without a key, such as a network. There may be any number of
// these, so a store limits how many it counts, see [Store.Try]; it recognizes them by the zeros
// at the beginning of the id.
func (k *Keys) StrangerID(kind, value string) ID {
	id := k.mac("subject", kind, value)
	clear(id[:strangerPrefix])
	return id
}

// strangerPrefix is with how many zero bytes the id of a stranger begins.
const strangerPrefix = 8

// isStranger reports whether an id is one of [Keys.StrangerID].
func (id ID) isStranger() bool {
	return [strangerPrefix]byte(id[:strangerPrefix]) == [strangerPrefix]byte{}
}

// mac is the HMAC of some texts under the key for ids.
func (k *Keys) mac(parts ...string) (id ID) {
	mac := hmac.New(sha256.New, []byte(k.keys().idKey.Reveal()))
	mac.Write(joined(parts))
	copy(id[:], mac.Sum(nil))
	return id
}

// joined writes texts one after the other, each behind its length, so that different lists give
// different bytes.
func joined(parts []string) []byte {
	var all []byte
	for _, part := range parts {
		all = binary.BigEndian.AppendUint64(all, uint64(len(part)))
		all = append(all, part...)
	}
	return all
}

// Seal encrypts and authenticates data. Only [Keys.Open] with the same bound texts, in the same
// order, opens it: they say what it is for, and are not part of the result.
func (k *Keys) Seal(clear []byte, bound ...string) ([]byte, error) {
	key := k.currentKey()
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

// boundTo is the additional data that a seal authenticates: the version, the name of the key, and
// the bound texts.
func boundTo(sealed []byte, bound []string) []byte {
	return append(append([]byte{}, sealed[:1+keyNameSize]...), joined(bound)...)
}

// Open returns the data that [Keys.Seal] has sealed with the same bound texts. The error is
// [ErrUnknownKey], [ErrForged], or a *[files.NewerError] for the format of a newer program. If
// the key is unknown, the key file is read again first.
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

// KeyOf is the name of the key that data is sealed with; empty for data that [Keys.Seal] of this
// version has not made.
func KeyOf(sealed []byte) string {
	if len(sealed) < minSealed || sealed[0] != sealVersion {
		return ""
	}
	return hex.EncodeToString(sealed[1 : 1+keyNameSize])
}

// keys returns the keys that are known now. The set is never modified, only replaced.
func (k *Keys) keys() keySet {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.set
}

// currentKey is the key to seal with now.
func (k *Keys) currentKey() *sealingKey {
	k.refresh()
	return k.keys().current(k.now())
}

// refresh reads the key file again, unless that was done less than [readEvery] ago. A file that
// cannot be read, or has another key for ids, changes nothing, and Warn is called.
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
	// keyFileHead and the version of the format are the first line of a key file.
	keyFileHead    = "gatehouse session keys, version "
	keyFileVersion = 1
	// maxKeyFile is how many bytes a key file may have.
	maxKeyFile = 64 << 10
	// minKeyAge is how old the newest key has to be before another one is added, so that a rotation
	// that is repeated by accident adds nothing.
	minKeyAge = 24 * time.Hour
)

// keyFileComment explains the file to those who open it.
const keyFileComment = `# Anyone with this file and the store can act for everybody who has a session there.
# "id" names the rows and never changes. The last "key" seals them, ten minutes after
# it was made; the others open what is older. Add one with: gatehouse serve --rotate-key
`

// ErrNotKeyFile means that a file does not begin as a key file does. The error repeats nothing of
// the content, as it may hold another secret.
var ErrNotKeyFile = errors.New("it is not a key file")

// CreateKeyFile creates a key file with new keys. The error is that of [files.Export]: it is
// [files.ErrExists] if there is a file of that name, which stays as it is.
func CreateKeyFile(path string) error {
	return files.Export(context.Background(), path, false, func(out io.Writer) error {
		_, err := out.Write(newKeySet(time.Now()).text())
		return err
	})
}

// RotateKeyFile adds a new key to a key file. Servers seal with it from the time from on, and by
// then all of them need the new file. If the newest key is younger than a day, nothing is added
// and from is zero.
func RotateKeyFile(path string, now time.Time) (from time.Time, err error) {
	if _, err := readKeyFile(path); err != nil { // before the lock, which would create a missing file
		return time.Time{}, err
	}
	unlock, err := lockKeyFile(path)
	if err != nil {
		return time.Time{}, cannotChange(path, err)
	}
	defer unlock()
	set, err := readKeyFile(path)
	if err != nil {
		return time.Time{}, err
	}
	newest := set.sealing[len(set.sealing)-1]
	if now.Sub(newest.made) < minKeyAge {
		return time.Time{}, nil
	}
	added := newSealingKey(now)
	set.sealing = append(set.sealing, added)
	text := set.text()
	if len(text) > maxKeyFile {
		return time.Time{}, cannotChange(path, files.ErrTooLarge)
	}
	if err := files.Replace(path, text); err != nil {
		return time.Time{}, cannotChange(path, err)
	}
	return added.made.Add(copyTime), nil
}

// lockKeyFile locks a key file: of two processes that rotate at once, one would lose its key. The
// file itself is not kept open, as Windows does not replace an open file.
func lockKeyFile(path string) (unlock func(), err error) {
	f, release, err := files.AppendAlone(path)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

func cannotChange(path string, err error) error {
	return fmt.Errorf("the key file %s cannot be changed: %w", path, err)
}

// readKeyFile reads a key file, which no other user may be able to read.
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

// text is the key set as the content of a key file.
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

// parseKeyFile parses what [keySet.text] writes. An error names a line but repeats nothing of it.
func parseKeyFile(data []byte) (s keySet, err error) {
	first, rest, _ := strings.Cut(string(data), "\n")
	digits, isKeyFile := strings.CutPrefix(first, keyFileHead)
	version, err := strconv.Atoi(digits)
	if !isKeyFile || err != nil || version < 1 {
		return keySet{}, ErrNotKeyFile
	}
	if err := files.CheckVersion(version, keyFileVersion); err != nil {
		return keySet{}, err
	}
	number := 1
	for line := range strings.Lines(rest) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if !s.add(strings.Split(line, " ")) {
			return keySet{}, fmt.Errorf("line %d is damaged", number)
		}
	}
	if s.idKey.IsEmpty() || len(s.sealing) == 0 {
		return keySet{}, errors.New("keys are missing at its end")
	}
	return s, nil
}

// add adds the key on a line, "id KEY" or "key NAME TIME KEY", and reports whether the line is
// valid.
func (s *keySet) add(words []string) bool {
	switch {
	case len(words) == 2 && words[0] == "id" && s.idKey.IsEmpty():
		key, ok := decodedKey(words[1])
		s.idKey = key
		return ok
	case len(words) == 4 && words[0] == "key":
		key, ok := parseSealingKey(words[1], words[2], words[3])
		if !ok || s.named(key.name) != nil {
			return false
		}
		s.sealing = append(s.sealing, key)
		return true
	default:
		return false
	}
}

func parseSealingKey(name, made, key string) (k sealingKey, ok bool) {
	nameBytes, err := hex.DecodeString(name)
	if err != nil || len(nameBytes) != keyNameSize {
		return sealingKey{}, false
	}
	at, err := time.Parse(time.RFC3339, made)
	if err != nil {
		return sealingKey{}, false
	}
	decoded, ok := decodedKey(key)
	return sealingKey{name: hex.EncodeToString(nameBytes), made: at.UTC(), key: decoded}, ok
}

// decodedKey decodes a key of 32 bytes from Base64.
func decodedKey(text string) (secret.Text, bool) {
	key, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(key) != chacha20poly1305.KeySize {
		return secret.Text{}, false
	}
	return secret.New(string(key)), true
}
