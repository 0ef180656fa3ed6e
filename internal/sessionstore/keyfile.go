package sessionstore

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"gatehouse/internal/files"
	"gatehouse/internal/secret"
)

const (
	// The first line of a key file: what it is, and the version of its format.
	keyFileHead    = "gatehouse session keys, version "
	keyFileVersion = 1
	maxKeyFile     = 64 << 10
	// rotateEvery keeps a key that has just been made from being replaced by accident.
	rotateEvery = 24 * time.Hour
)

// keyFileComment explains the file to those who open it.
const keyFileComment = `# Whoever has this file and the store can act for everybody who has a session there.
# "id" names the rows and never changes. The last "key" seals them, ten minutes after
# it was made; the others open what is older. Add one with: gatehouse serve --rotate-key
`

// ErrNotKeyFile means that a file is not one that this program writes. Its content is not
// repeated.
var ErrNotKeyFile = errors.New("it is not a key file")

// CreateKeyFile makes a key file with new keys. The error is that of [files.Export]:
// [files.ErrExists] if there is a file of that name, which stays as it is.
func CreateKeyFile(path string) error {
	return files.Export(context.Background(), path, false, func(out io.Writer) error {
		_, err := out.Write(newKeySet(time.Now()).text())
		return err
	})
}

// RotateKeyFile adds a new key to a key file, unless its newest is younger than a day: then
// made is false. Servers seal with the newest key from the time from on, and all of them
// need the file before.
func RotateKeyFile(path string, now time.Time) (made bool, from time.Time, err error) {
	if _, err := readKeyFile(path); err != nil {
		return false, time.Time{}, err
	}
	f, release, err := files.AppendAlone(path) // two that rotate at once would lose a key
	if err != nil {
		return false, time.Time{}, fmt.Errorf("the key file %s cannot be changed: %w", path, err)
	}
	defer release()
	defer f.Close()
	set, err := readKeyFile(path)
	if err != nil {
		return false, time.Time{}, err
	}
	last := set.sealing[len(set.sealing)-1]
	if now.Sub(last.made) < rotateEvery {
		if len(set.sealing) == 1 {
			return false, last.made, nil
		}
		return false, last.made.Add(copyTime), nil
	}
	key := newSealingKey(now)
	set.sealing = append(set.sealing, key)
	text := set.text()
	if len(text) > maxKeyFile {
		return false, time.Time{}, fmt.Errorf("the key file %s cannot be changed: %w", path, files.ErrTooLarge)
	}
	if err := files.Replace(path, text); err != nil {
		return false, time.Time{}, fmt.Errorf("the key file %s cannot be changed: %w", path, err)
	}
	return true, key.made.Add(copyTime), nil
}

// readKeyFile reads a key file that only this program can read.
func readKeyFile(path string) (keySet, error) {
	data, err := files.ReadMounted(path, maxKeyFile)
	if err != nil {
		return keySet{}, fmt.Errorf("the key file %s cannot be used: %w", path, files.Reason(err))
	}
	set, err := parseKeyFile(data)
	if err != nil {
		return keySet{}, fmt.Errorf("the key file %s cannot be used: %w", path, err)
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
		if errName != nil || errMade != nil || !ok || len(name) != keyNameSize || s.named(hex.EncodeToString(name)) != nil {
			return false
		}
		s.sealing = append(s.sealing, sealingKey{name: hex.EncodeToString(name), made: made.UTC(), key: key})
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
